"""The templates of pages: the server's own, and those in each game's folder ``face``."""

import re
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
from yegg.engine import Game
from yegg.text import phrases
from yegg.text.phrases import capital

from . import clocks, static_files, svg

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
