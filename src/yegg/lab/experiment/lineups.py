"""Who plays in an experiment: line-ups, the habits of a file, and bots that cannot play it."""

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.lab.cells import Variant
from yegg.lab.policies.habit_schema import HabitTable, habit_of
from yegg.lab.policies.habits import Habit, texts_of

from .decks import Decks


def habits_of(
    decks: Decks, variants: Sequence[Variant], entries: Sequence[HabitTable], folder: Path | None
) -> dict[str, Habit]:
    """The habits of a file, by name."""
    habits: dict[str, Habit] = {}
    texts = texts_of(decks.over, variants) if entries else {}
    for entry in entries:
        if entry.name in habits:
            raise Refused(f"two habits are called {entry.name!r}")
        habits[entry.name] = habit_of(entry, texts, folder)
    return habits


def lineup(entry: str | list[str], habits: Mapping[str, Habit]) -> tuple[str, ...]:
    """One name for all seats, or a list with a name for each seat."""
    names = [entry] if isinstance(entry, str) else entry
    if not names:
        raise Refused("bots: an empty list is neither a bot's name nor a list of names")
    return tuple(name if name in habits else bots.enrol(name) for name in names)


def check_seats(lineups: Sequence[Sequence[str]], variants: Sequence[Variant]) -> None:
    """Raises Refused for a line-up that is neither one bot nor one for each seat."""
    for names, variant in itertools.product(lineups, variants):
        if len(names) not in {1, variant.players}:
            raise Refused(
                f"bots = {' '.join(names)!r} fill {len(names)} seats, but {variant.name!r} "
                f"has {variant.players}"
            )


def check_able(game: Game, variant: Variant, name: str) -> None:
    """Raises Refused for a bot that cannot play such games, or not the same games again."""
    if why := bots.objection(game, name, variant.players, dict(variant.options)):
        raise Refused(f"bots: {name} cannot play {variant.name!r}: {why}")
    plan = bots.budget(name)
    if ":" in name and plan and plan.seconds:
        raise Refused(
            f"{name} thinks by the clock, so a second run would give other games; "
            "give it lines, as in search:2000"
        )
