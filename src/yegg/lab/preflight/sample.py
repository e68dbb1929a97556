"""The games of a pre-flight: played by `medium`, with all that its detectors look at."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, kernels
from yegg.engine.contest import upto
from yegg.engine.record import SIDES
from yegg.lab.analyses.analysis import PlayedGames
from yegg.lab.analyses.fork_effects import Effect, Forks
from yegg.lab.analyses.forks import Fork, ForkTable, fork_from, forked
from yegg.lab.batch import Batch, Games, Matchup, joined
from yegg.lab.cells import Cell, Variant, against
from yegg.lab.policies.habits import Words, words
from yegg.lab.simulation import closing, in_pieces, run, warm
from yegg.stats.p_values import Floats

LEVEL = "medium"  # who plays: a level that answers at once, of which there can be many games
LEVELS = ("easy", LEVEL)  # all that answer at once
PIECE = 25  # games at once
OF_CARDS = 8  # a level plays one in so many games, and forks it at each card
LOGGED = 10_000  # events of a game that is looked through
AT = (1 / 3, 2 / 3)  # of a game: where somebody leads

Heard = Callable[[str, float], None]
"""Told what is being done, and what part of the pre-flight is done; it may go back a little."""


@dataclass(frozen=True)
class Question:
    """What is looked at: a game, by how many, by which options, and how large the samples are."""

    game: Game
    players: int
    options: Mapping[str, str]
    seed: int = 0
    games: int = 200
    """Of the main sample; the others are parts of it."""
    hard: int = 0
    """Games in which `hard` plays; 0: none."""
    threads: int | None = None
    heard: Heard = lambda _what, _part: None

    def setting(self, *lineup: str, **more: Any) -> Matchup:
        """A setting of this game; one name stands for everybody."""
        names = list(lineup) * (self.players if len(lineup) == 1 else 1)
        options = {**self.options, **more.pop("options", {})}
        return Matchup(
            self.game, self.players, options, names, self.seed, max_events=LOGGED, **more
        )

    @cached_property
    def texts(self) -> Words:
        """The texts of the choices of players."""
        return words(self.game, self.players, tuple(sorted(self.options.items())))

    @cached_property
    def dealt(self) -> Mapping[int, tuple[str, str]]:
        """By the number of a choice of chance: its verb, and the card that it deals."""
        cards = set(getattr(self.game.part("odds"), "DEALT", ()))
        said = words(self.game, self.players, tuple(sorted(self.options.items())), chance=True)
        return {
            choice: (text.split()[0], text.split()[-1])
            for choice, texts in said.items()
            for text in sorted(texts)[:1]
            if choice in cards and object_of(text)
        }

    @cached_property
    def cards(self) -> list[str]:
        """The choices of players that are a card which chance deals, and nothing else."""
        dealt = {card for _, card in self.dealt.values()}
        alone = {text for some in self.texts.values() if len(some) == 1 for text in some}
        return sorted(text for text in alone if object_of(text) in dealt)

    def fork(self, **table: Any) -> Fork:
        """A fork at some choices, as `[[fork]]` has it."""
        return fork_from(ForkTable(**table), {self.game.cards: self.texts})

    def played(self, what: str, setting: Matchup, games: int, fork: Fork | None = None) -> "Run":
        """Play games, piece by piece on all threads; with a fork they are looked through, too."""
        warm(setting)
        piece, done = partial(_piece, setting, fork), 0
        every: list[tuple[Batch, Any]] = []
        for batch, seen in in_pieces(setting, piece, [range(games)], self.threads, most=PIECE):
            every.append((batch, seen))
            done += len(batch.lengths)
            self.heard(what, done / games)
        batches, seen = zip(*every, strict=True)
        return Run(setting, joined(batches), seen, fork)

    def duel(self, what: str, one: str, other: str, games: int) -> Floats:
        """By deal: what a seat of ``one`` wins, of that and what a seat of ``other`` wins."""
        setting = replace(self.setting(one, other), arranged=against(self.players))
        each = len(setting.seatings)
        played = self.played(what, setting, -(-games // each) * each)
        return played.even(each)


def object_of(text: str) -> str:
    """A text of the record without its first word: ``crown`` of ``buy crown``."""
    return text.partition(" ")[2]


@dataclass(frozen=True)
class Run:
    """Games that were played, and what was seen in each piece."""

    setting: Matchup
    batch: Batch
    seen: Sequence[Any]
    fork: Fork | None = None

    def effects(self) -> list[Effect]:
        """What the choices of the fork are worth."""
        import polars as pl

        tables = [seen["forks"] for seen in self.seen if seen and seen["forks"] is not None]
        if not tables or not self.fork:
            return []
        cell = Cell(Variant("these rules", self.setting.players, ()), tuple(self.setting.lineup))
        return Forks().estimate((self.fork,), self.setting.game, {cell: pl.concat(tables)})

    @property
    def shares(self) -> Floats:
        """(games that ended, sides)."""
        return self.batch.results.shares

    def even(self, each: int) -> Floats:
        """By deal of so many games: the mean share of a seat of the first, against the other's.

        0.5 is even, as an unfinished game is.
        """
        seats, shares = self.batch.seating == 0, self.batch.shares[:, : self.setting.players]
        shares = np.where(self.batch.over[:, None], shares, 1 / shares.shape[1])
        # a seat of the one and a seat of the other: their mean shares add up to the same
        mine = np.where(seats, shares, 0).sum(1) / seats.sum(1)
        theirs = np.where(seats, 0, shares).sum(1) / (~seats).sum(1)
        mine, theirs = mine.reshape(-1, each).sum(1), theirs.reshape(-1, each).sum(1)
        known: Floats = np.where(mine + theirs > 0, mine / (mine + theirs), 0.5)
        return known


def _piece(setting: Matchup, fork: Fork | None, games: range) -> tuple[Batch, Any]:
    batch = run(setting, games.start, len(games), log=fork is not None)
    seen = None
    if fork:
        each = len(setting.seatings)
        rows = [divmod(game, each) for game in games]
        dice = setting.dice(games.start, len(games))
        seen = looked_through(fork, PlayedGames(setting, batch, dice, rows, setting.lineup, ()))
    return replace(batch, log=np.zeros((len(games), 0), np.int32)), seen


def looked_through(fork: Fork, games: PlayedGames) -> dict[str, Any]:
    """What happened in some games: choices by number, who led, and what the fork did."""
    finished = list(games.finished())
    every = np.concatenate([log for _, log, _ in finished]) if finished else np.zeros(0, np.int64)
    return {
        "choices": np.bincount(every, minlength=games.setting.game.choices),
        "led": np.array([_led(games, game, log, shares) for game, log, shares in finished]),
        "forks": forked(fork, games),
    }


def _led(games: PlayedGames, game: int, log: NDArray[Any], shares: Floats) -> list[float]:
    """For each part of a game in ``AT``: the share of the win of whoever led; NaN: nobody."""
    setting = games.setting
    made, out = closing(setting.game), np.zeros(setting.game.choices, np.int32)
    conclude = made.kernel(kernels.conclude)
    found = []
    for part in AT:
        again = Games.dealt(setting, games.batch.seating[[game]], games.dice[[game]].copy())
        before = log[: int(part * len(log))]
        made.kernel(upto)(again.states, again.dice, before, again.counts, again.course, out)
        scores, standings = np.zeros((1, SIDES), np.int32), np.zeros((1, SIDES), np.int64)
        sides = conclude(again.states, scores, standings, np.zeros(1, np.int32), again.counts)
        first = standings[0, :sides] == standings[0, :sides].max()
        found.append(float(shares[first].mean()) if not first.all() else np.nan)
    return found


def main_sample(question: Question) -> Run:
    """Games between medium players, each forked at a choice of some kind: by its first word."""
    kinds = question.fork(name="kinds", where="*", by="split_part(words, ' ', 1)")
    setting = question.setting(LEVEL, course=True)
    return question.played(LEVEL, setting, question.games, kinds)


def card_effects(question: Question, level: str) -> list[Effect]:
    """What each card is worth to whoever takes it, between players of a level."""
    if not question.cards:
        return []
    each = question.fork(name="cards", where=question.cards, each=True)
    setting, games = question.setting(level, course=True), -(-question.games // OF_CARDS)
    return question.played(f"cards, between {level} players", setting, games, each).effects()
