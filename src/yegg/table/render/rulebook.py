"""A game's rules as pages show them: the whole, and before it what applies now, with examples."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from yegg.engine import Game
from yegg.engine import voice as rules
from yegg.lessons.answer import example

ITEM = re.compile(rf"<li>(\s*(?:<p>)?)<strong>({rules.NUMBER})</strong>")
MOST = 12  # clauses of an address


def markup(text: str) -> Markup:
    """Markdown of a file of ours as HTML."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return Markup(html)  # noqa: S704  our own file; raw HTML in it is escaped


@cache
def source(game: Game) -> str:
    """A game's RULES.md."""
    path = game.folder / "RULES.md"
    return path.read_text(encoding="utf-8") if path.is_file() else f"# {game.title}\n\n{game.blurb}"


@cache
def whole(game: Game) -> Markup:
    """All rules of a game; a clause is found under its number."""
    html = ITEM.sub(r'<li id="\2">\1<strong>\2</strong>', str(markup(source(game))))
    return Markup(html)  # noqa: S704  as in `markup`


@cache
def clauses(game: Game) -> dict[str, Markup]:
    """Each clause by its number."""
    return {number: markup(text) for number, text in rules.clauses(source(game)).items()}


def numbers(game: Game, s: Any) -> list[str]:
    """The clauses that apply in a position as a seat knows it, by their whole numbers."""
    there = clauses(game)
    full = (rules.whole(one, there) for one in game.voice.clauses(s))
    return [one for one in full if one in there]


def applying(game: Game, wanted: Sequence[str]) -> list[dict[str, Any]]:
    """Some clauses, each with an example where a lesson has one."""
    there = clauses(game)
    known = [one for one in dict.fromkeys(wanted) if one in there][:MOST]
    return [{"text": there[one], "example": example(game, one)} for one in known]
