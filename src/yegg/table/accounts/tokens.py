"""Authentication by bearer token or signed cookie; nobody has a password."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass


def new_token() -> str:
    """A new token or key: 128 random bits."""
    return secrets.token_urlsafe(16)


def digest(token: str) -> str:
    """The SHA-256 of a token, which the server keeps in its place."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True)
class Person:
    """A visitor, by the token that their device carries.

    ``id`` is the digest of their first device's token; see `device_tokens.DeviceTokens`.
    """

    id: str
    token: str
    by_cookie: bool

    @property
    def key(self) -> str:
        """The digest of this device's token, which the server keeps."""
        return digest(self.token)


class Signer:
    """Signs what browsers carry, with the server's own secret."""

    def __init__(self, secret: str) -> None:
        """``secret`` never leaves the server."""
        self.secret = secret.encode()

    def mac(self, purpose: str, text: str) -> str:
        """The signature of a text, which only this server can make."""
        return hmac.new(self.secret, f"{purpose}:{text}".encode(), "sha256").hexdigest()[:32]

    @staticmethod
    def same(one: str, other: str) -> bool:
        """Whether two signatures are the same, without telling how nearly."""
        return hmac.compare_digest(one.encode(errors="replace"), other.encode())

    def signed(self, token: str) -> str:
        """A token as it is given out: in a cookie, or to a script."""
        return f"{token}.{self.mac('cookie', token)}"

    def token(self, signed: str | None) -> str | None:
        """The token that we have signed and given out so; None for any other."""
        token, dot, mark = (signed or "").partition(".")
        return token if dot and self.same(mark, self.mac("cookie", token)) else None

    def csrf(self, key: str) -> str:
        """The CSRF token, which a device's page sends back to show that it came from us."""
        return self.mac("form", key)
