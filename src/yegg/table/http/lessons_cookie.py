"""What the browser remembers about learning: games met, and lessons done."""

from urllib.parse import parse_qsl, urlencode

import structlog
from litestar import Response

from yegg import games
from yegg.engine import Game
from yegg.engine.notation import BadRecord
from yegg.lessons import Lesson, lessons

from .requests import Asked
from .responses import carry

log = structlog.get_logger()
LEARNED = "yegg-learned"
MET = 0  # beside the numbers of lessons: somebody has sat down at this game


def lessons_of(game: Game) -> list[Lesson]:
    """A game's lessons; none if one of them cannot be read, which is logged."""
    try:
        return lessons(game)
    except BadRecord:
        log.exception("lesson", game=game.name)
        return []


def learned(request: Asked) -> dict[str, set[int]]:
    """By game: the numbers of the lessons done, and `MET`."""
    found: dict[str, set[int]] = {}
    for game, numbers in parse_qsl(request.cookies.get(LEARNED, "")[:4000]):
        if game in games.names():
            listed = (n for n in numbers.split(".") if n.isdecimal() and len(n) < 4)
            found[game] = {int(n) for n in listed}
    return found


def note(request: Asked, answer: Response[bytes], game: str, number: int) -> None:
    """Let the browser remember a lesson, or `MET`."""
    known = learned(request)
    if number not in known.setdefault(game, set()):
        known[game].add(number)
        listed = {name: ".".join(map(str, sorted(done))) for name, done in known.items()}
        carry(request, answer, LEARNED, urlencode(listed))
