"""The report of a pre-flight: a page that one can send, Markdown and JSON."""

from pathlib import Path
from typing import Any

from yegg.lab.preflight.line import Line
from yegg.lab.preflight.run import Flight
from yegg.stats.intervals import Section
from yegg.text.phrases import capital, counted, listing

from .content import made_by, table_of

HEADS = {"fault": "Fault", "look at it": "Look at it", "fine": "Fine"}
LIMITS = (
    (
        "The players are this program’s levels. They do not get bored, and see no pictures: what a "
        "game feels like only people can say."
    ),
    "What medium plays badly may look weak: a card or a plan may be better than is said here.",
    (
        "A habit is told by words: a plan that depends on the position may beat every level and "
        "not be found."
    ),
    (
        "A fault is named only where the whole interval lies beyond its threshold. A small or a "
        "rare one is not seen in so few games."
    ),
    "With a game or a deck that no policy net has learned, medium goes by rules of thumb.",
)


def sheet(flight: Flight) -> dict[str, Any]:
    """The content of the page."""
    asked = flight.question
    options = listing([f"{name}={value}" for name, value in asked.options.items()])
    cards = [f"the deck {asked.game.cards.split()[0]}"] if asked.game.cards else []
    return {
        **flight.to_dict(),
        "question": f"Pre-flight of {asked.game.title}",
        "title": asked.game.title,
        "players": f"{asked.players} players",
        "answer": answer(flight),
        "meta": [
            f"{asked.games} games of the main sample",
            f"{asked.hard} games by hard",
            *([options] if options else []),
            *cards,
        ],
        "findings": [
            {"says": f"{HEADS[line.verdict]}: {line.title}.", "figures": f"{line.says}."}
            for line in flight.lines
        ],
        "plots": [],
        "by_seat": [{"title": one.title, **table_of(one)} for one in tables(flight)],
        "tested": {"rows": []},
        "compared": {"rows": []},
        "method": [
            (
                "The levels of this program played all, and medium the main sample. Brackets "
                "hold 95 % intervals."
            ),
            *(f"{line.title}. {line.why}" for line in flight.lines),
        ],
        "limits": list(LIMITS),
        "repeat": {
            "command": flight.repeat,
            "made_by": made_by([asked.game], asked.seed),
            "file": "",
        },
    }


def answer(flight: Flight) -> str:
    """What came out, in a sentence."""
    by = {
        verdict: [line.title.lower() for line in flight.lines if line.verdict == verdict]
        for verdict in HEADS
    }
    said = []
    if by["fault"]:
        said.append(f"{counted(len(by['fault']), 'fault')}: {listing(by['fault'])}")
    if by["look at it"]:
        said.append(f"to be looked at: {listing(by['look at it'])}")
    return capital("; ".join(said) or "nothing was found that would stop this game") + "."


def summary(lines: tuple[Line, ...]) -> Section:
    """A line for each question."""
    section = Section("All lines", ["question", "verdict", "figure", "what was found"])
    for line in lines:
        section.rows.append([line.title, line.verdict, line.figure, line.says])
    return section


def tables(flight: Flight) -> list[Section]:
    """The lines as a table, then what they rest on."""
    return [summary(flight.lines), *(one for line in flight.lines for one in line.details)]


def publish(flight: Flight, folder: Path) -> Path:
    """Write report.html, report.md and report.json into a folder; return where the page is."""
    from .files import written

    folder.mkdir(parents=True, exist_ok=True)
    return written(sheet(flight), [], folder)
