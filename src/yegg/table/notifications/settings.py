"""What a host has set up for telling people, checked once at the start."""

from dataclasses import replace
from importlib.util import find_spec
from urllib.parse import urlsplit

from yegg.engine import Refused
from yegg.table.settings import Telling

from .contacts import fit_address

NEEDS = {"push": ("cryptography", "py_vapid"), "letters": ("aiosmtpd",)}


def checked(how: Telling) -> Telling:
    """The settings, if they can work.  Raises Refused."""
    for name, modules in NEEDS.items():
        if getattr(how, name) and not all(map(find_spec, modules)):
            raise Refused(f"{name} needs more libraries: pip install 'yegg[told]'")
    where = urlsplit(how.address)
    plain = not any(c.isspace() for c in how.address) and not where.query and not where.fragment
    if where.scheme not in ("http", "https") or not where.hostname or not plain:
        raise Refused(
            "to tell people, say at which address they reach the server, as https://games.example/"
        )
    if how.letters and not how.mail:
        raise Refused("letters with orders need a mail server: they are answers to letters")
    mail = replace(how.mail, sender=fit_address(how.mail.sender)) if how.mail else None
    return replace(how, address=f"{how.address.rstrip('/')}/", mail=mail)
