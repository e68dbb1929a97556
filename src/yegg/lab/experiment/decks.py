"""Decks of one's own in an experiment: files that its variants name by ``cards``.

A deck is a game of its own, over other cards (`yegg.engine.decks`).  A run keeps the files of its
decks, so that it can be read and played again whatever becomes of the files.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yegg.engine import Game, Refused
from yegg.engine.deck_shapes import DIGITS
from yegg.lab.cells import Variant
from yegg.lab.file_schema import converted
from yegg.players.judges import learned
from yegg.players.policy_net import policy_function
from yegg.text.phrases import listing

CARDS = "cards"
"""What names a deck in ``[vary]``, and the folder of a run that keeps its decks."""
PUBLISHED = "published"
"""What the published deck is called there, and a variant that differs in nothing."""


@dataclass(frozen=True)
class Deck:
    """A deck of one's own."""

    path: Path
    game: Game
    """Over its cards."""
    data: bytes = field(repr=False)
    """The file."""

    @property
    def name(self) -> str:
        """What reports call it: its file's name without the ending."""
        return self.path.stem

    @property
    def path_in_run(self) -> str:
        """Where a run keeps it, in the run's folder."""
        return f"{CARDS}/{self.path.name}"

    def __str__(self) -> str:
        """What it is, for a report."""
        digest = hashlib.sha256(self.data).hexdigest()[:DIGITS]
        same = "" if self.game.cards else "; its cards are the published ones"
        return f"Deck {self.name}: {self.path.name}, SHA-256 {digest}…{same}"


class Decks:
    """The decks that a file names, each read once."""

    def __init__(self, game: Game, folder: Path | None, *, kept: bool = False) -> None:
        """They lie beside the experiment, in ``folder``; or where that run has ``kept`` them."""
        self.game = game
        self._folder = folder or Path()
        self._kept = kept
        self._found: dict[str, Deck] = {}

    @property
    def every(self) -> tuple[Deck, ...]:
        """All that were found so far."""
        return tuple(dict.fromkeys(self._found.values()))

    def find(self, given: Any) -> Deck | None:
        """The deck of a file; None for the published one.  Raises Refused."""
        file = converted(str, given, f"vary.{CARDS}")
        if file == PUBLISHED:
            return None
        if file not in self._found:
            self._found[file] = self._read(file)
        return self._found[file]

    def _read(self, file: str) -> Deck:
        path = self._folder / (Path(CARDS) / Path(file).name if self._kept else Path(file))
        for other in self._found.values():
            if other.path.resolve() == path.resolve():
                return other
            if other.name == path.stem:
                raise Refused(
                    f"vary.{CARDS}: two decks are called {path.stem!r}, {other.path} and {path}; "
                    "rename one of the files"
                )
        game = self.game.with_cards(path)
        return Deck(path, game, path.read_bytes())

    def over(self, variant: Variant) -> Game:
        """The game that a variant plays: that of its deck, or the published one."""
        return over(self.every, variant) or self.game


def over(decks: Sequence[Deck], variant: Variant) -> Game | None:
    """The game of a variant's deck; None if it has none of one's own."""
    return next((d.game for d in decks if variant.cards and d.game.cards == variant.cards), None)


def apart(games: Sequence[Game]) -> list[str]:
    """What decks of different sizes do not share, in a sentence; or nothing."""
    if len({len(getattr(game.part("odds"), "DEALT", ())) for game in games}) == 1:
        return []
    said = "The decks have different numbers of cards: cards come in the same order, but the dice "
    return [said + "are others, so pairing saves less."]


def named(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options as variants are called by them: a deck by the name of its file."""
    return {key: Path(str(v)).stem if key == CARDS else v for key, v in values.items()}


def files_of(vary: Mapping[str, Any]) -> Iterator[str]:
    """The files of decks that ``[vary]`` names, as far as it is well formed."""
    rules = vary.get("rules", [])
    for table in [vary, *(rules if isinstance(rules, list) else [])]:
        if not isinstance(table, Mapping):
            continue
        given = table.get(CARDS, [])
        every = given if isinstance(given, list) else [given]
        yield from (str(file) for file in every if file != PUBLISHED)


def judged_alike(
    game: Game, variants: Sequence[Variant], decks: Sequence[Deck], names: Sequence[str]
) -> str:
    """Why lore judges all decks, in a sentence; "" if that changes nothing.

    A policy net was learned with the published deck.  By lore everybody judges every deck alike.
    """
    if not any(variant.cards for variant in variants):
        return ""
    who = [name for name in dict.fromkeys(names) if learned(name)]
    net = any(policy_function.covered(game, v.players, dict(v.options)) for v in variants)
    if not who or not net:
        return ""
    own = listing([deck.name for deck in decks if deck.game.cards])
    return (
        f"{listing(who)}: lore judges every deck, since the policy net of {game.title} was learned "
        f"with the published one and does not cover {own}. So all decks are played alike, and "
        "worse than the published one is with the net."
    )
