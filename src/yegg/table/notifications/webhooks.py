"""Webhooks: what waits for somebody as JSON, signed as the Standard Webhooks say.

A receiver checks ``webhook-signature`` with any library for them, or by three lines: an HMAC-SHA256
of ``ID.TIMESTAMP.BODY`` by the secret after ``whsec_``, in base64.
"""

import base64
import hmac
import json
import secrets
from collections.abc import Collection, Mapping
from typing import Any

from .outgoing_requests import post

PREFIX = "whsec_"


def secret() -> str:
    """A fresh secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def signature(key: str, name: str, seconds: int, body: bytes) -> str:
    """The signature of a message."""
    said = f"{name}.{seconds}.".encode() + body
    mark = hmac.digest(base64.b64decode(key.removeprefix(PREFIX)), said, "sha256")
    return f"v1,{base64.b64encode(mark).decode()}"


def send(
    url: str, key: str, name: str, at: int, said: Mapping[str, Any], inside: Collection[str] = ()
) -> int:
    """Send a message; the answer's status.  The same name: the same message.

    ``at`` is in ms since 1970.  Raises Inside, OSError.
    """
    body, seconds = json.dumps(said).encode(), at // 1000
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "yegg",
        "webhook-id": name,
        "webhook-timestamp": str(seconds),
        "webhook-signature": signature(key, name, seconds, body),
    }
    return post(url, body, headers, inside)
