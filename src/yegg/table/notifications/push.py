"""Web Push and webhooks: an encrypted note to a browser, and signed JSON to a program.

Web Push is that of RFC 8030, 8291 and 8292: ``http_ece`` seals the note, ``py_vapid`` signs the
request; both are imported when they are needed.  Webhooks are signed as the Standard Webhooks say:
``webhook-signature`` is an HMAC-SHA256 of ``ID.TIMESTAMP.BODY`` by the secret after ``whsec_``.
"""

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

from .outgoing_requests import post

KEPT = 2 * 86_400  # seconds for which a push service keeps a note for a browser that is off
GONE = (404, 410)
POINT, SECRET = 65, 16  # bytes of a browser's public key, and of its secret
PREFIX = "whsec_"  # of a webhook's secret


def raw(text: str) -> bytes:
    """Bytes, as browsers write them.  Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("this is not base64url") from error


def text(made: bytes) -> str:
    """Bytes as text in base64url, the inverse of `raw`."""
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def can_be_used(p256dh: str, auth: str) -> bool:
    """Whether these are the keys of a browser: a point of the curve, and sixteen bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(p256dh))
        return len(raw(p256dh)) == POINT and len(raw(auth)) == SECRET
    except ValueError:
        return False


def signing_key(secret: bytes) -> Any:
    """The server's own key, the same in all its processes: it follows from their secret."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = int.from_bytes(hashlib.sha512(b"web push:" + secret).digest())
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve
    return ec.derive_private_key(number % (order - 1) + 1, ec.SECP256R1())


def point(key: Any) -> bytes:
    """The public key that belongs to a private one, 65 bytes; browsers want it as `text`."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point: bytes = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return point


def seal(said: bytes, browser: Mapping[str, str], ours: Any, salt: bytes | None = None) -> bytes:
    """A note encrypted for a browser (RFC 8291).

    ``ours``: a private key that is used once.  ``salt``: 16 random bytes, unless they are given.
    """
    import http_ece

    theirs, auth = raw(browser["p256dh"]), raw(browser["auth"])
    sealed: bytes = http_ece.encrypt(said, salt, private_key=ours, dh=theirs, auth_secret=auth)
    return sealed


def send(
    browser: Mapping[str, str],
    note: Mapping[str, str],
    key: Any,
    owner: str,
    inside: Collection[str] = (),
) -> int:
    """Send a note; the answer's status.  A later one replaces it.

    ``owner``: an address at which the push service can reach whoever runs this server.
    Raises ForbiddenAddress, OSError.
    """
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import Vapid02

    where = urlsplit(browser["endpoint"])
    signed = Vapid02(key).sign({"sub": owner, "aud": f"{where.scheme}://{where.netloc}"})
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Urgency": "normal",
        "Topic": "turns",
        **signed,
    }
    body = seal(json.dumps(note).encode(), browser, ec.generate_private_key(ec.SECP256R1()))
    return post(browser["endpoint"], body, headers, inside)


# Webhooks


def webhook_secret() -> str:
    """A fresh secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def signature(key: str, name: str, seconds: int, body: bytes) -> str:
    """The signature of a message."""
    signed = f"{name}.{seconds}.".encode() + body
    mark = hmac.digest(base64.b64decode(key.removeprefix(PREFIX)), signed, "sha256")
    return f"v1,{base64.b64encode(mark).decode()}"


def send_webhook(
    url: str, key: str, name: str, at: int, message: Mapping[str, Any], inside: Collection[str] = ()
) -> int:
    """Send a message; the answer's status.  The same name: the same message.

    ``at`` is in ms since 1970.  Raises ForbiddenAddress, OSError.
    """
    body, seconds = json.dumps(message).encode(), at // 1000
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "yegg",
        "webhook-id": name,
        "webhook-timestamp": str(seconds),
        "webhook-signature": signature(key, name, seconds, body),
    }
    return post(url, body, headers, inside)
