"""A game's rules on pages and on paper: all, what applies now, player aids, score sheets."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markupsafe import Markup

from yegg.engine import Game
from yegg.engine import voice as rules
from yegg.engine.voice import Grid, HouseRule, Sheet, to_write
from yegg.lessons.answer import example

from . import renderers

ITEM = re.compile(rf"<li>(\s*(?:<p>)?)<strong>({rules.NUMBER})</strong>")
CLAUSE = re.compile(rf'<li id="({rules.NUMBER})">(?:(?!</li>).)*', re.DOTALL)
CODE = re.compile(r"<code>([\w-]+)=([\w-]+)</code>")
OPTION = re.compile(r"the option <code>([\w-]+)</code>")
TITLE = re.compile(r"<h2>(.*?)</h2>")
TITLED = re.compile(r'<h2 id="about-[^"]*">(.*?)</h2>')
TURN = '<h2 id="about-in-four-steps">'  # before it stands the picture of the table
OPTIONS = re.compile(r"^## Options\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
"""What house rules say in words."""
MOST = 12  # clauses of an address
AID, SCORES = "aid", "scores"
ROUNDS = 12  # rows of a score sheet of a game that brings none of its own
SEATS = 6
CORE = 25  # clauses of a game without lessons
USUAL: Mapping[str, str] = MappingProxyType({})


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
    """All rules of a game, with its pictures; a clause is found under its number."""
    text = OPTIONS.sub("", source(game)) if game.part("house_rules") else source(game)
    html = ITEM.sub(r'<li id="\2">\1<strong>\2</strong>', str(in_house_words(game, text)))
    html = TITLE.sub(lambda at: f'<h2 id="{anchor(at[1])}">{at[1]}</h2>', html)
    name = renderers.template(game, "rules.html")
    if name:
        pictures: Any = renderers.env().get_template(name).module
        html = CLAUSE.sub(lambda at: f"{at[0]}{str(pictures.clause(at[1])).strip()}", html)
        html = html.replace(TURN, f"{pictures.table()}{TURN}", 1)
    return Markup(html)  # noqa: S704  as in `markup`


def in_house_words(game: Game, text: str) -> Markup:
    """Markdown of the rules as HTML, in which options are called as house rules are."""
    html = CODE.sub(lambda at: spoken(game, at[0], at[1], at[2]), str(markup(text)))
    html = OPTION.sub(lambda at: titled(game, at[1]), html)
    return Markup(html)  # noqa: S704  as in `markup`


def titled(game: Game, name: str) -> str:
    """An option as a clause speaks of it, in words."""
    return f"the house rule <i>{rules.house_rule(game, name).title}</i>"


def spoken(game: Game, code: str, name: str, value: str) -> str:
    """A value of an option as the clauses have it, in words; ``code`` if it is none."""
    if name not in game.options or value not in game.options[name].values:
        return code
    rule = rules.house_rule(game, name)
    does = rule.says(value)
    return f"<i>{rule.title}: {does[:1].lower()}{does[1:]}</i>"


def anchor(title: str) -> str:
    """Where a part of the rules is found on their page."""
    return "about-" + re.sub(r"\W+", "-", title.lower()).strip("-")


@cache
def contents(game: Game) -> list[tuple[str, str]]:
    """The parts of the rules: where each is found, and its title."""
    titled = TITLED.findall(str(whole(game)))
    return [(anchor(title), Markup(title)) for title in titled]  # noqa: S704  as in `markup`


@cache
def clauses(game: Game) -> dict[str, Markup]:
    """Each clause by its number."""
    there = rules.clauses(source(game)).items()
    return {number: in_house_words(game, text) for number, text in there}


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


def core(game: Game) -> list[str]:
    """The clauses that a beginner needs: those of the lessons, else the first of the rules."""
    path = game.folder / "lessons" / "core.txt"
    there = clauses(game)
    if path.is_file():
        return [one for one in path.read_text(encoding="utf-8").split() if one in there]
    return list(there)[:CORE]


def aid(game: Game, players: int, options: Mapping[str, str] = USUAL) -> dict[str, Any]:
    """What the page of aid shows: the core of the rules, prices and odds.  Raises Refused."""
    s = game.blank(players, options)[0]
    part = game.part("aid")
    grids: list[Grid] = part.tables(s) if part else []
    return {
        "clauses": [clauses(game)[number] for number in core(game)],
        "grids": grids,
        "ours": [(one.title, one.says(value)) for one, value in in_words(game, options)],
    }


def in_words(game: Game, options: Mapping[str, str]) -> list[tuple[HouseRule, str]]:
    """The options of a table as house rules, each with its value."""
    return [(rules.house_rule(game, name), value) for name, value in options.items()]


@cache
def house_rules(game: Game) -> list[dict[str, Any]]:
    """Every option for the form of a new table: what its values do, and for how many players."""
    usual = game.defaults(game.usual)
    listed = []
    for name, made in game.options.items():
        rule = rules.house_rule(game, name)
        seats = [game.seats({name: value}) for value in made.values]
        decides = any(fit != seats[0] for fit in seats)
        values = [
            (value, rule.says(value), fit if decides else [])
            for value, fit in zip(made.values, seats, strict=True)
        ]
        fallback = "" if callable(made.usual) else usual[name]
        listed.append({"name": name, "rule": rule, "usual": fallback, "values": values})
    return listed


def sheets(game: Game, players: int, options: Mapping[str, str] = USUAL) -> dict[str, list[Sheet]]:
    """The sheets to write on, by name; every game has a score sheet.  Raises Refused."""
    part = game.part("aid")
    own: dict[str, list[Sheet]] = part.sheets(game.blank(players, options)[0]) if part else {}
    rows = [*(str(n + 1) for n in range(ROUNDS)), "total"]
    plain = Sheet("Score sheet", game.blurb, [to_write("", ["", *[""] * SEATS], rows)])
    return {SCORES: [plain], **own}


def asked(players: int, options: Mapping[str, str]) -> str:
    """The players and options in the address of a page on paper."""
    return urlencode({"players": players, **options})
