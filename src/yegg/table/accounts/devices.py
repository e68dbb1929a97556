"""A person's devices, their names, and codes that transfer a seat or everything to another one.

A code takes a seat, or everything, to another device: once, and soon.

What is told here to a connection counts when its transaction is committed.
"""

import secrets
from typing import NamedTuple

import sqlalchemy as sa

from yegg.table.storage.database import Tell, put_row
from yegg.table.storage.schema import EVERYWHERE, codes, keys
from yegg.table.storage.uptime import here
from yegg.text.names import one_line, shows

from .device_tokens import line
from .tokens import digest, new_token

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""None of them is taken for another."""
LENGTH = 10  # of them: 49 bits, for minutes, and few guesses a minute
SOON = 10 * 60_000  # milliseconds that a code is good for
OFTEN = 8  # codes that one person may have at once
FIRST = "First device"
BROWSERS = {
    "Edg/": "Edge",
    "EdgA/": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Windows": "Windows",
    "CrOS": "a Chromebook",
    "Macintosh": "a Mac",
    "Linux": "Linux",
}
LONGEST = 40  # characters of a device's name


class Code(NamedTuple):
    """A transfer code: which person's seat, or everything, it takes to another device."""

    person: str
    game: int
    """Or `EVERYWHERE`."""
    name: str
    """What the person is called."""


class Device(NamedTuple):
    """A device of a person."""

    key: str
    game: int
    """Or `EVERYWHERE`."""
    name: str
    at: int
    """Since when, in ms since 1970; 0: from the start."""


def spelt(code: str) -> str:
    """A code as people read it.

    >>> spelt("7KMQ2XR4TP")
    '7KMQ2-XR4TP'
    """
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def plain(typed: str) -> str | None:
    """The code that somebody has typed; None if it cannot be one.

    >>> plain(" 7kmq2 xr4tp"), plain("7KMQ2-XR4T")
    ('7KMQ2XR4TP', None)
    """
    code = "".join(c for c in typed[:40].upper() if c not in " -\t.")
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None


def make(connection: sa.Connection, what: Code, *, good_for: int = SOON) -> str:
    """A fresh code; the oldest of somebody who has many is good no more."""
    mine = codes.c.person == what.person
    connection.execute(sa.delete(codes).where(codes.c.until < here() - SOON))
    open_ones = sa.select(codes.c.digest).where(mine, codes.c.used.is_(None))
    older = connection.scalars(open_ones.order_by(codes.c.until.desc())).all()[OFTEN - 1 :]
    if older:
        connection.execute(sa.delete(codes).where(codes.c.digest.in_(older)))
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    row = {**what._asdict(), "digest": digest(code), "until": here() + good_for}
    connection.execute(sa.insert(codes).values(row))
    return code


def _fit(code: str) -> sa.ColumnElement[bool]:
    there = codes.c.digest == digest(code)
    return sa.and_(there, codes.c.used.is_(None), codes.c.until > here())


def look(connection: sa.Connection, code: str) -> Code | None:
    """The transfer code of this text, without using it up."""
    wanted = sa.select(codes.c.person, codes.c.game, codes.c.name).where(_fit(code))
    row = connection.execute(wanted).one_or_none()
    return Code(*row) if row else None


def use(connection: sa.Connection, code: str) -> Code | None:
    """Use a code up; None if it was used, or is too old.  Of two at once one gets it."""
    took = sa.update(codes).where(_fit(code)).values(used=here())
    row = connection.execute(took.returning(codes.c.person, codes.c.game, codes.c.name)).all()
    return Code(*row[0]) if row else None


def take(connection: sa.Connection, told: Tell, code: str, device: str) -> tuple[Code, str] | None:
    """A new token, for a device that is somebody's from now on; and whose."""
    found = use(connection, code)
    if found is None or found.game != EVERYWHERE:
        return None
    token = new_token()
    put(connection, told, found.person, Device(digest(token), EVERYWHERE, device, here()))
    return found, token


def put(connection: sa.Connection, told: Tell, person: str, device: Device) -> None:
    """Let a device be somebody's."""
    new = {"person": person, "device": device.name, "at": device.at, "ended": None}
    put_row(connection, keys, {"digest": device.key, "game": device.game}, **new)
    told(line(device.key, device.game, person))


def note(connection: sa.Connection, told: Tell, person: str, key: str, name: str) -> None:
    """Note what a device is called on which somebody began, before they had another."""
    found = sa.select(keys.c.digest).where(keys.c.digest == key, keys.c.game == EVERYWHERE)
    if person == key and connection.execute(found).first() is None:
        put(connection, told, person, Device(key, EVERYWHERE, name, 0))


def devices(connection: sa.Connection, person: str) -> list[Device]:
    """Everything that is somebody's device now, the first one first."""
    wanted = sa.select(keys).where(keys.c.person == person).order_by(keys.c.at)
    rows = connection.execute(wanted).all()
    found = [Device(r.digest, r.game, r.device, r.at) for r in rows if r.ended is None]
    if (person, EVERYWHERE) not in {(r.digest, r.game) for r in rows}:
        found.insert(0, Device(person, EVERYWHERE, FIRST, 0))
    return found


def end(connection: sa.Connection, told: Tell, person: str, key: str, game: int) -> bool:
    """Take a device away from somebody, and the codes it may have asked for; whether it was theirs.

    Else whoever has stolen it could come back with a code.
    """
    if (key, game) not in {(there.key, there.game) for there in devices(connection, person)}:
        return False
    note(connection, told, person, key, FIRST)
    same = sa.and_(keys.c.digest == key, keys.c.game == game)
    connection.execute(sa.update(keys).where(same).values(ended=here()))
    connection.execute(sa.delete(codes).where(codes.c.person == person))
    told(line(key, game, None))
    return True


def guess(agent: str) -> str:
    """The name of a browser from its user agent, in words.

    >>> guess("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    """
    browser = next((name for mark, name in BROWSERS.items() if mark in agent), "A browser")
    system = next((f" on {name}" for mark, name in SYSTEMS.items() if mark in agent), "")
    return f"{browser}{system}"


def fit_name(typed: str, agent: str) -> str:
    """The name that somebody has typed for a device, or a guess."""
    name = one_line(typed, LONGEST)
    return name if any(map(shows, name)) else guess(agent)
