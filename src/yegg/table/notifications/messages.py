"""Texts of notifications: nothing that not everybody at the table may know.

The position is drawn only into letters that can be answered with orders, and as the seat sees it.

Mail programs turn into links what has a dot, a colon or an @ between letters.  So a blank is put
after each of these in a name: "evil.example" becomes "evil. example", as "J.R." becomes "J. R.".
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from yegg.table.domain import faces
from yegg.table.domain.seats import BOT
from yegg.table.render.html_view import logged
from yegg.table.service.table import Table
from yegg.text.phrases import number

NEWS = 12  # lines of what happened
JOINS = frozenset(".:@\u3002")
"""What joins the parts of addresses, once other ways to write it are made alike."""


class Waiting(NamedTuple):
    """The text about a table that waits for somebody."""

    game: str
    title: str
    table: str
    link: str
    seat: int
    """From 1."""
    name: str
    """What its owner is called there."""
    others: list[str]
    asks: str
    news: list[str]
    """What happened, the newest last, as everybody may know it."""
    since: int
    due: int | None
    """In ms since 1970."""
    last_call: bool
    board: str = ""
    """The position as the seat sees it, where orders can be sent by letter."""
    answer: str = ""
    """The address to which orders can be sent."""
    friend: str = ""
    """Where nothing waits, but a friend has finished a challenge: that, as a sentence."""


def waiting(table: Table, seat: int, link: str, *, due: int | None, called: bool) -> Waiting:
    """The text about a table."""
    names = [harmless(place.name) for place in table.now.seats]
    return Waiting(
        table.game.name,
        table.game.title,
        table.name,
        link,
        seat + 1,
        names[seat],
        [name for i, name in enumerate(names) if i != seat],
        table.view(-1).question if not table.now.sealed else "Your orders are awaited.",
        happened(table),
        table.now.waits[seat][1],
        due,
        called,
    )


def happened(table: Table) -> list[str]:
    """The newest lines of what happened, the newest last, as everybody may know it."""
    called = {name.removesuffix(BOT) for _, names in table.now.called for name in names}
    lines = logged(table.shown.heard(-1, 40))[:NEWS]
    return [in_line(line.replace(BOT, ""), called) for line in reversed(lines)]


def board(table: Table, seat: int) -> str:
    """The position as a seat sees it, in plain text."""
    names = [harmless(place.name) for place in table.now.seats]
    text = faces.printed(table.game, table.now.match.view(seat).state, names, seat)
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def subject(there: Sequence[Waiting]) -> str:
    """The first line of a letter.

    >>> subject([])
    'Nothing waits for you'
    """
    calls = [one for one in there if one.last_call]
    friends = [one for one in there if one.friend]
    if friends and not calls and len(friends) == len(there):
        more = ", and more" if len(there) > 1 else ""
        return f"{friends[0].friend}: {friends[0].title}{more}"
    if len(there) == 1:
        one = there[0]
        return f"{'Last call' if calls else 'Your turn'}: {one.title} at {one.table}"
    if calls:
        return f"Last call: {calls[0].title} at {calls[0].table}, and more"
    waits = len(there) - len(friends)
    if not waits:
        return "Nothing waits for you"
    tables = f"{number(waits).capitalize()} tables wait" if waits > 1 else "A table waits"
    return f"{tables} for you{', and more' if friends else ''}"


def body(one: Waiting) -> str:
    """The second line of a note to a browser."""
    if one.friend or not one.asks:
        return one.asks
    return f"{one.name}, {one.asks[:1].lower()}{one.asks[1:]}"


def when(ms: int, zone: str) -> str:
    """A time, as people in a time zone read it.

    >>> when(0, "Europe/Berlin")
    'Thursday 1 January, 01:00 (Europe/Berlin)'
    """
    at = datetime.fromtimestamp(ms / 1000, UTC).astimezone(ZoneInfo(zone))
    return f"{at:%A} {at.day} {at:%B}, {at:%H:%M} ({zone})"


def to_dict(one: Waiting) -> dict[str, Any]:
    """The text as data for a program, without what is only for people to read."""
    left_out = {"asks", "news", "board", "answer", "friend"}
    return {name: value for name, value in one._asdict().items() if name not in left_out}


def friends_to_dict(there: Iterable[Waiting]) -> list[dict[str, Any]]:
    """The friends who have played a challenge, as data for a program."""
    heard = [one for one in there if one.friend]
    return [{"game": o.game, "title": o.title, "link": o.link, "friend": o.name} for o in heard]


# Names


def harmless(name: str) -> str:
    """A name that looks like no address.

    >>> harmless("www.win.example/now"), harmless("http://x"), harmless("Dr. No")
    ('www. win. example/now', 'http: //x', 'Dr. No')
    """
    parts = (f"{sign} " if _joins(sign) else sign for sign in name)
    return " ".join("".join(parts).split())


def _joins(sign: str) -> bool:
    return not JOINS.isdisjoint(unicodedata.normalize("NFKC", sign))


def in_line(line: str, names: Iterable[str]) -> str:
    """A sentence in which people of these names may stand, with their names made harmless."""
    changed = {name: harmless(name) for name in names}
    unlike = sorted((name for name, now in changed.items() if now != name), key=len, reverse=True)
    if not unlike:
        return line
    return re.sub("|".join(map(re.escape, unlike)), lambda found: changed[found[0]], line)
