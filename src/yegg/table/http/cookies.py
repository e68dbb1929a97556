"""Cookies: the visitor's name, the level of bots, and lessons done."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode

import structlog
from litestar import Response

from yegg import games, players
from yegg.engine import Game, Refused
from yegg.engine.match import check_names
from yegg.engine.notation import BadRecord
from yegg.lessons import Lesson, Puzzle, lessons, puzzles

from .requests import Visitor

log = structlog.get_logger()
NAME, LEVEL, LEARNED = "yegg-name", "yegg-level", "yegg-learned"
DEAF = "yegg-deaf"  # "yes": what others say at tables is not sent to this browser
YEAR = 365 * 86400
T = TypeVar("T")
MET = 0  # beside the numbers of lessons: somebody has sat down at this game


def carry(who: Visitor, response: Response[Any], key: str, value: str) -> None:
    """Set a cookie for a year."""
    secure = who.request.app.state.settings.secure
    response.set_cookie(key, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def remembered(who: Visitor) -> str:
    """The name that the browser remembers for its owner."""
    return unquote(who.request.cookies.get(NAME, ""))[:40]


def keep_name(who: Visitor, response: Response[Any], name: str | None) -> None:
    """Let the browser remember what its owner is called."""
    if name:
        carry(who, response, NAME, quote(name))


def fitting(name: str) -> str:
    """A name in its one form, without spaces around it.  Raises Refused for what is no name."""
    return check_names([name.strip(" ")], 1)[0]


def named(who: Visitor, form: Mapping[str, Any]) -> tuple[str, str]:
    """The sender's name, typed now or earlier, or ""; and what is wrong with it, or ""."""
    typed = str(form.get("you", "")).strip() or remembered(who).strip()
    try:
        return (fitting(typed) if typed else ""), ""
    except Refused as refusal:
        return "", str(refusal)


def levels() -> list[str]:
    """The levels that there are, from the easiest."""
    return [name for name in players.LEVELS if name in players.names()]


def level(who: Visitor, form: Mapping[str, Any] | None = None) -> str:
    """The level of the bots that somebody has chosen now or the last time."""
    known = levels() or list(players.names())
    wanted = (str((form or {}).get("level", "")), who.request.cookies.get(LEVEL, ""), "medium")
    return next((name for name in wanted if name in known), known[0])


def lessons_of(game: Game) -> list[Lesson]:
    """A game's lessons; none if one of them cannot be read, which is logged."""
    return _readable(lessons, game)


def puzzles_of(game: Game) -> list[Puzzle]:
    """A game's puzzles; none if one of them cannot be read, which is logged."""
    return _readable(puzzles, game)


def _readable(read: Callable[[Game], list[T]], game: Game) -> list[T]:
    try:
        return read(game)
    except BadRecord:
        log.exception(read.__name__, game=game.name)
        return []


def learned(who: Visitor) -> dict[str, set[int]]:
    """By game: the numbers of the lessons done, and `MET`."""
    known: dict[str, set[int]] = {}
    for game, numbers in parse_qsl(who.request.cookies.get(LEARNED, "")[:4000]):
        if game in games.names():
            listed = (n for n in numbers.split(".") if n.isdecimal() and len(n) < 4)
            known[game] = {int(n) for n in listed}
    return known


def remember(who: Visitor, response: Response[bytes], game: str, number: int) -> None:
    """Let the browser remember a lesson, or `MET`."""
    known = learned(who)
    if number not in known.setdefault(game, set()):
        known[game].add(number)
        listed = {name: ".".join(map(str, sorted(done))) for name, done in known.items()}
        carry(who, response, LEARNED, urlencode(listed))
