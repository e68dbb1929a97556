"""The usual questions about games, by name: those of every game, and those that a game adds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from yegg.engine import Game, Refused
from yegg.stats.kinds import Kind, Kinds
from yegg.stats.usual import Usual
from yegg.text.phrases import offered

EVERY = {
    "length-in-minutes": Usual(
        "How long a game would take at a table, in minutes.", "minutes", title="length in minutes"
    ),
    "length-in-turns": Usual(
        "How often a seat takes over from another.", "turns", title="length in turns"
    ),
    "shared-wins": Usual(
        "Games whose win is shared.", "winners > 1", title="games whose win is shared"
    ),
    "first-seat": Usual(
        "The first seat's share of the win.", "share_1", title="share of the win, seat 1"
    ),
    "lead-changes": Usual(
        "How often another player leads than the one that led last, by everybody's chances.",
        "lead_changes",
        title="changes of the lead",
        needs="trace",
    ),
    "comeback": Usual(
        "Games whose winner had less than 10 % in the second half.",
        "winner_lowest < 0.1",
        title="games won from below 10 %",
        needs="trace",
    ),
    "decided-at": Usual(
        "From which part of the game on the winner stays above 90 %; 100 %: never before the end.",
        "decided_at",
        title="part of the game until it is decided",
        needs="trace",
    ),
    "runaway": Usual(
        "Whether whoever leads after a third of the game wins.",
        "third_won",
        title="who leads after a third wins",
        needs="trace",
    ),
    "kingmakers": Usual(
        "Games with a kingmaker: a player with less than 5 % whose turns gave the winner most, "
        "20 points of the win or more in all.",
        "kingmaker > 0",
        title="games with a kingmaker",
        needs="trace",
    ),
    "who-was-kingmaker": Usual(
        "Which seat was the kingmaker, and in how many games.",
        parts={"nobody": "kingmaker = 0"},
        by_seat="kingmaker = {seat}",
        title="the kingmaker",
        needs="trace",
    ),
}
MEANINGS = {
    "deal": "which deal",
    "seating": "which of the seatings",
    "events": "all that happened, chance included",
    "over": "whether the game ended",
    "winners": "how many share the win",
    "turns": "how often a seat took over from another",
    "minutes": "how long it would take at a table, as the game says how long people take",
    "share_of_*": "the share of a bot that plays against others: the mean of its seats",
    "share_*": "a side's share of the win",
    "score_*": "a side's score",
    "decisions_*": "a seat's choices among several",
    "forced_*": "a seat's choices where nothing else was possible",
}
"""The columns that every game has; ``*`` is anything."""


@dataclass(frozen=True)
class Asked:
    """A usual question as it was asked: its expressions, and how a report shows it."""

    of: str
    parts: Mapping[str, str]
    title: str
    kind: Kind | None


def usual_measures(games: Sequence[Game]) -> dict[str, Usual]:
    """The usual questions about some games, by name; the game's own come first."""
    found: dict[str, Usual] = {}
    for game in games:
        part = game.part("measures")
        for name, usual in (part.MEASURES if part else {}).items():
            before = found.get(name, usual)
            found[name] = replace(usual, among={**usual.among, **before.among})
    paced = any(game.pace for game in games)
    every = {name: one for name, one in EVERY.items() if paced or one.of != "minutes"}
    return {**found, **every}


def asked(said: str, usual: Mapping[str, Usual], known: Kinds, where: str) -> Asked | None:
    """The usual question that an entry names; None if it is an expression.  Raises Refused."""
    name, colon, given = said.strip().partition(":")
    if name not in usual or name in known:
        return None
    one = usual[name]
    if bool(colon) != bool(one.among) or (colon and given not in one.among):
        there = offered(given, list(one.among)) if one.among else "nothing stands behind its name"
        form = f"{name}:{next(iter(one.among))}" if one.among else name
        raise Refused(f"{where} = {said!r}: write it as {form!r}; {there}")
    if one.needs and not _has(one.needs, known):
        raise Refused(
            f"{where}: {name} follows everybody's chances along the game; add a line "
            f"[{one.needs}] to the file"
        )
    at, called = one.among.get(given, ("", ""))
    parts = {part: of.format(at=at) for part, of in one.parts.items()}
    seats = sum(column.startswith("decisions_") for column in known) if one.by_seat else 0
    parts |= {f"seat {at}": one.by_seat.format(seat=at) for at in range(1, seats + 1)}
    return Asked(one.of.format(at=at), parts, one.title.format(name=called), one.kind)


def _has(table: str, known: Kinds) -> bool:
    """Whether the columns of a table of the file are there."""
    return table != "trace" or "lead_changes" in known


def meaning(game: Game, column: str) -> str:
    """What a column of a game holds; "" if nothing is said of it."""
    part = game.part("measures")
    forms = {**(part.MEANINGS if part else {}), **MEANINGS}
    return next((says for form, says in forms.items() if fnmatchcase(column, form)), "")


def listed(usual: Mapping[str, Usual]) -> Iterator[dict[str, Any]]:
    """Each usual question: its name as it is written, what it is, and what may stand for CARD."""
    for name, one in usual.items():
        yield {
            "name": f"{name}:…" if one.among else name,
            "says": one.says,
            "needs": one.needs or None,
            "among": list(one.among),
        }
