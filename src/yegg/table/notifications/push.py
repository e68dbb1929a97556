"""Web Push: a short sealed note to one browser (RFC 8030, 8291, 8292).

``cryptography`` seals it, ``py_vapid`` signs the request; both are imported when they are needed.
"""

import base64
import binascii
import hashlib
import json
import os
from collections.abc import Collection, Mapping
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from .outgoing_requests import post

KEPT = 2 * 86_400  # seconds for which a push service keeps a note for a browser that is off
GONE = (404, 410)
POINT, SECRET = 65, 16  # bytes of a browser's public key, and of its secret
RECORD = 4096  # bytes; a note fits into one record, the only one (RFC 8291, section 4)
LAST = b"\x02"  # ends what the last record says


def there() -> bool:
    """Whether the libraries are installed."""
    return bool(find_spec("cryptography") and find_spec("py_vapid"))


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


def point(key: Any) -> bytes:
    """The public key that belongs to a private one, 65 bytes."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    made: bytes = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return made


def public(key: Any) -> str:
    """The server's public key, as a browser wants it."""
    return text(point(key))


def sealed(p256dh: str, auth: str, note: Mapping[str, str]) -> bytes:
    """A note as only that browser can read it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    ours, salt = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    return seal(json.dumps(note).encode(), raw(p256dh), raw(auth), ours, salt)


def seal(said: bytes, theirs: bytes, auth: bytes, ours: Any, salt: bytes) -> bytes:
    """What a browser can open that has the public key ``theirs`` (RFC 8291, section 3.4).

    ``ours``: a private key that is used once.  ``salt``: 16 random bytes.
    """
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    def derived(of: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(SHA256(), length, salt, info).derive(of)

    them = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    both = b"WebPush: info\0" + theirs + point(ours)
    secret = derived(ours.exchange(ec.ECDH(), them), auth, both, 32)
    key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4) + bytes([POINT]) + point(ours)  # RFC 8188, section 2.1
    return head + AESGCM(key).encrypt(nonce, said + LAST, None)


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
