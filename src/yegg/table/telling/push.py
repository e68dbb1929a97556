"""Web Push: a short sealed note to one browser (RFC 8030, 8291, 8292).

``http_ece`` seals it, ``py_vapid`` signs the request; both are imported only when they are needed.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Collection, Mapping
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from .outside import post

KEPT = 2 * 86_400  # seconds for which a push service keeps a note for a browser that is off
GONE = (404, 410)
POINT, SECRET = 65, 16  # bytes of a browser's public key, and of its secret


def there() -> bool:
    """Whether the libraries are installed."""
    return bool(find_spec("http_ece") and find_spec("py_vapid"))


def raw(text: str) -> bytes:
    """Bytes, as browsers write them.  Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("this is not base64url") from error


def text(made: bytes) -> str:
    """As `raw`, the other way."""
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def fit(p256dh: str, auth: str) -> bool:
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


def public(key: Any) -> str:
    """The server's public key, as a browser wants it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return text(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def sealed(p256dh: str, auth: str, note: Mapping[str, str]) -> bytes:
    """A note as only that browser can read it."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    ours = ec.generate_private_key(ec.SECP256R1())
    made: bytes = http_ece.encrypt(
        json.dumps(note).encode(),
        private_key=ours,
        dh=raw(p256dh),
        auth_secret=raw(auth),
        version="aes128gcm",
    )
    return made


def send(
    browser: Mapping[str, str],
    note: Mapping[str, str],
    key: Any,
    owner: str,
    inside: Collection[str] = (),
) -> int:
    """Send a note; the answer's status.  A later one replaces it.  Raises Inside, OSError.

    ``owner``: an address at which the push service can reach whoever runs this server.
    """
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
    body = sealed(browser["p256dh"], browser["auth"], note)
    return post(browser["endpoint"], body, headers, inside)
