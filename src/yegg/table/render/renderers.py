"""How a game looks in the browser: by its own folder ``face`` if it has one, else plain text."""

import re
import string
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    PrefixLoader,
    Template,
)
from markupsafe import Markup

from yegg import games
from yegg.engine import Game, Match
from yegg.engine.secrecy import Heard
from yegg.table.domain.shown_position import ShownPosition
from yegg.text import phrases
from yegg.text.phrases import capital
from yegg.text.untrusted import as_text

from . import clocks, static_files, svg

SIGNS = string.ascii_lowercase + string.digits  # of which keys are made
TOLD = 80  # how many of the newest events a face gets
Told = Sequence[Any]
"""Events as a seat may know them, oldest first: what the game's ``events`` makes of each."""


RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Letters that are written from right to left; here they stand only in what people write."""
TURNED = re.compile(
    rf"<(pre|script|code)\b.*?</\1>|<[^>]*>|([{RTL}](?:[ {RTL}]*[{RTL}])?)", re.DOTALL
)
WRITTEN_SO = re.compile(f"[{RTL}]")


def isolated(page: str) -> str:
    """A page whose sentences keep their order around words that are written from right to left.

    >>> ascii(isolated("<b>\u05d0\u05d1: 3</b>"))
    "'<b>\\\\u2068\\\\u05d0\\\\u05d1\\\\u2069: 3</b>'"
    """
    if not WRITTEN_SO.search(page):
        return page
    return TURNED.sub(lambda at: f"\u2068{at[2]}\u2069" if at[2] else at[0], page)


class Page(Template):
    """A template of pages, in which no name turns a sentence round."""

    def render(self, *args: Any, **kwargs: Any) -> str:
        """The page as text."""
        page = super().render(*args, **kwargs)
        return isolated(page) if self.environment.autoescape else page


class Templates(Environment):
    """Jinja's environment, quicker with what templates read most: values of plain dictionaries.

    Jinja looks for an attribute of that name first, which takes six times as long.
    """

    template_class = Page

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A value of a dictionary, or an attribute of anything."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def env(game: Game | None = None) -> Environment:
    """All templates: the server's own, and each game's under the game's name.

    For a game of an earlier version those of that version.
    """
    return _env(game if game and game.kept else None)


@cache
def _env(older: Game | None) -> Environment:
    known = [games.find(name) for name in games.names()]
    folders = {
        game.name: FileSystemLoader(game.folder / "face")
        for game in (*known, *([older] if older else []))
    }
    loader = ChoiceLoader([PackageLoader("yegg.table.render"), PrefixLoader(folders)])
    made = Templates(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
    )
    made.globals.update(
        kept=kept, drawn=svg, static=static_files.address, pieces=static_files.address("pieces.svg")
    )
    made.filters.update(
        words=phrases.number,
        listing=phrases.listing,
        ago=phrases.ago,
        percent=svg.percent,
        sentence=sentence,
        whole=svg.whole,
        segments=svg.segments,
        fixed=fixed,
        clock=clocks.short,
    )
    return made


@cache
def plain_env() -> Environment:
    """The same templates for plain text, where nothing is escaped."""
    return env().overlay(autoescape=False)


PIECES: dict[Any, Markup] = {}  # what macros have drawn, by all that it depends on
MANY = 20_000


def kept(macro: Any, *values: Any) -> Markup:
    """What a macro draws from these values; drawn once, so it must not use anything else."""
    key = macro._func.__code__, repr(values)  # noqa: SLF001  macros are made for each page
    if key not in PIECES:
        if len(PIECES) > MANY:
            PIECES.clear()
        PIECES[key] = macro(*values)
    return PIECES[key]


@cache
def template(game: Game, name: str) -> str | None:
    """The name of a game's own template; None if it has none."""
    return f"{game.name}/{name}" if (game.folder / "face" / name).is_file() else None


@cache
def face(game: Game) -> Any:
    """A game's ``face.py``, if there is one."""
    return game.part("face.face") if (game.folder / "face" / "face.py").is_file() else None


def told(game: Game, events: Sequence[Heard]) -> Told:
    """The newest of some events for a face: the game's own data, else actors and words."""
    events = events[-TOLD:]
    if not game.voice.has_events:
        return [(one.actor, one.text) for one in events]
    return [one.event for one in events if one.event is not None]


def beats(game: Game) -> frozenset[str]:
    """The kinds of events with which the show begins another beat; none: with each kind."""
    return frozenset(getattr(face(game), "BEATS", ()))


def in_parts(game: Game, newest: Sequence[Heard]) -> bool:
    """Whether the newest event is shown part by part."""
    return bool(newest and newest[-1].event is not None and hasattr(face(game), "parts"))


def parts(
    game: Game, before: Any, after: Any, names: list[str], seat: int, events: Sequence[Heard]
) -> Iterator[tuple[dict[str, Any], str, int]]:
    """The newest event part by part: scenes, each with a sentence and a seat; often there are none.

    ``before`` and ``after``: what the seat knew before this event, and what it knows since.
    """
    if in_parts(game, events):
        yield from face(game).parts(before, after, names, seat, told(game, events), events[-1].news)


def known_around(match: Match, seat: int, choice: int, *, whole: bool = False) -> tuple[Any, Any]:
    """What a seat knows before a choice and after it; ``whole``: the whole states instead."""
    after = match.fork()
    after.follow([choice])
    before, since = (one.state if whole else one.known_to(seat)[0] for one in (match, after))
    return before, since


def many_parts(shown: ShownPosition) -> dict[int, int]:
    """After how many events the next one is shown part by part, and in how many; found once."""
    return shown.once("parts of events", lambda: _many(shown))


def _many(shown: ShownPosition) -> dict[int, int]:
    game, history, numbers = shown.game, shown.now.match.history, dict[int, int]()
    told, at = shown.heard(-1), shown.now.match.again()
    for events, line in enumerate(told):
        if not in_parts(game, [line]):
            continue
        at.follow(history[len(at.history) : events])
        known = known_around(at, -1, history[events])
        if many := len(list(parts(game, *known, at.names, -1, told[: events + 1]))):
            numbers[events] = many
    return numbers


def scene(game: Game, s: Any, names: list[str], seat: int, told: Told) -> dict[str, Any]:
    """The position as plain named fields, for the game's template and for scripts."""
    made = face(game)
    if made:
        fields: dict[str, Any] = made.scene(s, names, seat, told)
        return fields
    return {"text": printed(game, s, names, seat)}


def printed(game: Game, s: Any, names: list[str], seat: int) -> str:
    """The position as the terminal shows it, or its bare fields."""
    screen = game.part("screen")
    if screen is None:
        fields = [name for name in s.dtype.names if name != "_pad"]
        return "\n".join(f"{name} {s[name].tolist()}" for name in fields)
    return as_text(screen.draw(s, names, seat), 80)


def acts(game: Game, s: Any, seat: int, legal: dict[str, int]) -> list[dict[str, Any]]:
    """What the seat may do, as buttons: the game's own words, or the record's."""
    made = face(game)
    if hasattr(made, "acts"):
        listed: list[dict[str, Any]] = made.acts(s, seat, legal)
    else:
        listed = [{"text": text, "verb": text.capitalize()} for text in legal]
    keyed(listed)
    return listed


def keyed(listed: list[dict[str, Any]]) -> None:
    """Give each button without a key the first letter or digit of its words that is free.

    If none is, it gets any other. No such key is the beginning of a longer one.
    """
    taken = {act["key"] for act in listed if act.get("key")} | {"o", "r", "u"}
    taken |= {key[0] for key in taken}
    for act in listed:
        if not act.get("key"):
            letters = [c for c in act["verb"].lower() if c in SIGNS]
            act["key"] = next((c for c in (*letters, *SIGNS) if c not in taken), "")
            taken.add(act["key"])


def fixed(dice: Any, seat: int) -> str:
    """When a table's dice were sealed, to whoever has a seat there (-1: none); no full stop."""
    if dice is None:
        return "Nobody promised these dice"
    if dice.after:
        return f"The dice after event {dice.after} were sealed at that moment"
    if not dice.early:
        return "These dice were sealed when the table was opened"
    return f"These dice were sealed before {'you' if seat >= 0 else 'anybody'} sat down"


def sentence(text: str) -> str:
    """A reason as a sentence of its own.

    >>> sentence("the game is over")
    'The game is over.'
    """
    return f"{capital(text)}{'' if text.endswith(('.', '!', '?')) else '.'}"
