"""Forks: a decision taken both ways, with the same dice, and played on by the same players.

What differs afterwards is caused by the choice and by nothing else: not by who could afford it, who
was ahead, or when it came.  In each game one choice is drawn, evenly among all choices at all
decisions that match, or with ``each`` one of every choice that matches; once it is made, and once
its player makes the best other choice.  A fork can be about all choices that were possible, or
about those that players made.

An offer is a fork of chance: a card comes up, whoever takes it or nobody, or it lies at the bottom
of its deck, so that the next one comes in its place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np

from yegg.engine import CHANCE, Game, Ints, Match, Refused, kernels
from yegg.engine.contest import STRAYED, Tracks, enact, openings, ticket, upto
from yegg.engine.dice import stir
from yegg.lab.batch import Games
from yegg.lab.game_frame import frame
from yegg.lab.policies.habits import Words, fitting, matching, planned, together
from yegg.lab.simulation import finish
from yegg.stats.claims import MARGIN

from .analysis import PlayedGames

if TYPE_CHECKING:
    import polars as pl

FORK_COLUMNS = (
    *("fork", "words", "mover", "mover_share", "mover_score"),
    *("event", "matches", "made", "rank"),
)
FATE = np.uint64(0x5DEECE66D)  # tells the generators of forks from those of games


@dataclass(frozen=True)
class Fork:
    """The choices that are in question in an entry ``[[fork]]``."""

    name: str
    where: tuple[str, ...]
    """Patterns of the record's words."""
    numbers: tuple[int, ...]
    """The choices some of whose words match."""
    doubtful: tuple[int, ...]
    """Those of them whose words do not match in every position."""
    each: bool = False
    """Whether every text is asked about by itself."""
    by: str = ""
    """An expression: forks for which it differs are told apart."""
    margin: float = MARGIN
    chosen: bool = False
    """Whether it is about choices that players made, and not about all that were possible."""
    offer: bool = False
    """Whether it is about cards that chance deals."""
    plan: ModuleType | None = field(repr=False, default=None)
    """What ranks each choice, so that forks can be told apart by it."""
    given: tuple[float, ...] = ()
    """The numbers that the plan goes by."""
    decks: "Mapping[str, Fork]" = field(repr=False, default_factory=dict)
    """The same with a deck of one's own, where the same words have other numbers."""

    @property
    def key(self) -> tuple[object, ...]:
        """What the forks depend on; the name of a plan's module is that of its source."""
        drawn = ["each choice"] if self.each and not self.offer else []  # in 1.0 it was one of all
        return repr(self), self.plan.__name__ if self.plan else "", *drawn

    def over(self, game: Game) -> "Fork":
        """The fork with the deck of a game."""
        return self.decks.get(game.cards, self)

    def rank(self, state: Any, seat: int, choice: int) -> float:
        """The rank of a choice by the plan; 0 without one."""
        return float(self.plan.prefer(state, seat, choice, self.given)) if self.plan else 0.0

    def fits(self, text: str) -> bool:
        """Whether the words of a choice match."""
        return any(fnmatchcase(text, pattern) for pattern in self.where)


class ForkTable(msgspec.Struct, rename={"numbers": "with"}):
    """An entry of ``[[fork]]``, as it is written."""

    name: str | None = None
    where: str | list[str] = []
    offer: str | list[str] = []
    each: bool = False
    by: str = ""
    margin: Annotated[float, msgspec.Meta(ge=0, le=1)] = MARGIN
    chosen: bool = False
    plan: str | None = None
    numbers: dict[str, float] = {}


def fork_from(table: ForkTable, said: Mapping[str, Words], folder: Path | None = None) -> Fork:
    """A fork at the choices, or the deals, that its patterns name.  Raises Refused.

    ``said`` are all texts that there are, by deck; a plan lies in ``folder``.
    """
    where = table.offer or table.where
    patterns = [where] if isinstance(where, str) else where
    if not patterns:
        raise Refused('a fork says which choices it is about: where = "buy *"')
    name = table.name or ", ".join(patterns)
    of = f"fork {name!r}"
    if table.each and table.by:
        raise Refused(f'{of}: each = true, or by = "an expression over columns"')
    plan: ModuleType | None = None
    numbers: tuple[float, ...] = ()
    if table.plan or table.numbers:
        plan, numbers = planned(table.plan or "", table.numbers, folder, of)
    for pattern in patterns:
        matching(pattern, together(said.values()), of)
    about = name, tuple(patterns), (), (), table.each, table.by, table.margin
    fork = Fork(*about, table.chosen, bool(table.offer), plan, numbers)
    decks = {cards: _among(fork, texts) for cards, texts in said.items()}
    return replace(next(iter(decks.values())), decks=decks)


def _among(fork: Fork, said: Words) -> Fork:
    """A fork at those of some choices that its patterns name."""
    fit = frozenset[int]().union(*(fitting(pattern, said) for pattern in fork.where))
    choices = tuple(sorted(fit | _may_fit(said, fit)))
    doubtful = tuple(c for c in choices if not all(map(fork.fits, said[c])))
    return replace(fork, numbers=choices, doubtful=doubtful)


def _may_fit(said: Words, fit: frozenset[int]) -> set[int]:
    """Choices with several texts that begin as those of a choice that fits: one more may fit."""
    verbs = {text.split()[0] for choice in fit for text in said[choice]}
    several = (choice for choice, texts in said.items() if len(texts) > 1)
    return {choice for choice in several if verbs & {text.split()[0] for text in said[choice]}}


@dataclass(frozen=True)
class Drawn:
    """The decision at which a game forks."""

    game: int
    """Its row in the batch."""
    event: int
    """How many events there were before."""
    choice: int
    matches: int
    """How many choices matched, in the whole game; of an offer, which one it was."""
    words: str = ""
    mover: int = 0
    """Who chooses, or who does after the offer."""
    rank: float = 0.0
    """What the fork's plan says of the choice."""


class Forking:
    """The forks of a batch of games, whose choices are logged."""

    def __init__(self, games: PlayedGames) -> None:
        """Nothing is forked yet."""
        self.setting, self.batch, self.dice = games.setting, games.batch, games.dice
        self.made = self.setting.game.engine("tally")
        self.out = np.zeros(self.setting.game.choices, np.int32)
        self.who = np.zeros(1, np.int32)

    def draw(self, fork: Fork) -> list[Drawn]:
        """The forks of all games in which anything matches."""
        ended = np.flatnonzero(self.batch.over).tolist()
        return [drawn for g in ended for drawn in self._drawn(fork, g)]

    def _number(self, fork: Fork, g: int, below: int) -> int:
        """A number that is settled before a game and does not depend on how it goes."""
        with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
            drawn = stir(self.dice[g, 0, 0] ^ stir(FATE + np.uint64(sum(fork.name.encode()))))
        return int(drawn % np.uint64(below))

    def _drawn(self, fork: Fork, g: int) -> Iterator[Drawn]:
        """One of all matching choices of a game, each equally likely; or one of each choice."""
        log = self.batch.log[g, : self.batch.lengths[g]]
        wanted = np.zeros(self.setting.game.choices, np.int32)
        wanted[list(fork.numbers)] = 1
        rows = np.zeros((0, 2), np.int32)
        many = -1
        while many != len(rows):
            rows = np.zeros((max(many, 0), 2), np.int32)
            games = self._begun(g)
            many = self.made.kernel(openings)(games.states, log, wanted, rows, self.out)
        if fork.chosen:
            rows = rows[log[rows[:, 0]] == rows[:, 1]]
        if len(rows) and fork.doubtful:
            rows = np.array(self._fitting(fork, log, rows)).reshape(-1, 2)
        groups = [rows[rows[:, 1] == choice] for choice in np.unique(rows[:, 1])]
        if groups and not fork.each:
            groups = [rows]
        for group in groups:
            event, choice = group[self._number(fork, g, len(group))].tolist()
            yield Drawn(g, event, choice, len(group))

    def _fitting(self, fork: Fork, log: Ints, rows: Ints) -> list[Ints]:
        """Those of the rows whose words match where they stand."""
        match = Match(self.setting.game, self.setting.players, self.setting.options)
        fitting = []
        for row in rows:
            event, choice = row.tolist()
            match.follow(log[len(match.history) : event].tolist())
            if choice not in fork.doubtful or fork.fits(match.say(choice)):
                fitting.append(row)
        return fitting

    def _begun(self, g: int) -> Games:
        """A game of the batch, dealt once more."""
        return Games.dealt(self.setting, self.batch.seating[[g]], self.dice[[g]].copy())

    def before(self, one: Drawn) -> Games:
        """A game as it stood before it forks."""
        games = self._begun(one.game)
        log = self.batch.log[one.game, : one.event]
        played = self.made.kernel(upto)(
            games.states, games.dice, log, games.counts, games.course, self.out
        )
        if played == STRAYED:
            raise AssertionError("chance drew something else than in the game that forks")
        games.events[:] = one.event
        return games

    def branches(self, fork: Fork, drawn: Drawn) -> tuple[Drawn, Games, Games]:
        """The fork with its words and whoever chooses; the game with the choice, and before it."""
        before = self.before(drawn)
        state = before.states[0]
        self.made.kernel(kernels.options_of)(before.states, self.out, self.who)
        mover, words = int(self.who[0]), self.setting.game.voice.say(state, drawn.choice)
        rank = fork.rank(state, mover, drawn.choice)
        after = copied(before)
        kept = after.events, after.log, after.counts, after.course, self.out
        self.made.kernel(enact)(after.states, drawn.choice, *kept)
        return replace(drawn, words=words, mover=mover, rank=rank), after, before


class Offering(Forking):
    """The offers of a batch of games, whose choices are logged and whose chance draws by lots."""

    def _drawn(self, fork: Fork, g: int) -> Iterator[Drawn]:
        """An offer of a game that has so many, with its words and who chooses next.

        Which one is settled beforehand: the first, the second, or another of as many as there are
        cards in question.  A draw among those that came would favour the offers of short games.
        """
        nth = self._number(fork, g, len(fork.numbers))
        for met, (event, words, match) in enumerate(self._offers(fork, g)):
            if met == nth:
                log = self.batch.log[g, : self.batch.lengths[g]]
                while match.actor == CHANCE:
                    match.play(int(log[len(match.history)]))
                if not match.over:
                    yield Drawn(g, event, int(log[event]), met + 1, words, match.actor)
                return

    def _offers(self, fork: Fork, g: int) -> Iterator[tuple[int, str, Match]]:
        """Where chance deals a card in question: after how many events, its words, the match."""
        log = self.batch.log[g, : self.batch.lengths[g]]
        match = Match(self.setting.game, self.setting.players, self.setting.options)
        for event in np.flatnonzero(np.isin(log, fork.numbers)).tolist():
            match.follow(log[len(match.history) : event].tolist())
            words = match.say(int(log[event]))
            if match.actor == CHANCE and len(match.choices) > 1 and fork.fits(words):
                yield event, words, match

    def before(self, one: Drawn) -> Games:
        """A game as it stood before a card came; players have used their dice, too."""
        upto = replace(self.setting, max_events=one.event)
        at = [one.game]
        games = Games.dealt(upto, self.batch.seating[at], self.dice[at].copy())
        finish(games)
        return replace(games, setting=self.setting)

    def branches(self, fork: Fork, drawn: Drawn) -> tuple[Drawn, Games, Games]:
        """The offer, the game before its card came, and with that card at its deck's bottom."""
        games, card = self.before(drawn), drawn.choice
        many = int(self.made.kernel(kernels.options_of)(games.states, self.out, self.who))
        others = [other for other in self.out[:many].tolist() if other != card]
        fate, lots = games.dice[0, 0, 0], games.course.lots[0]
        with np.errstate(over="ignore"):
            lowest = min(ticket(fate, other, 0, int(lots[other, 0])) for other in others)
            while ticket(fate, card, 0, int(lots[card, 0])) >= lowest:
                lots[card, 0] += 1  # another ticket, until it is the last of all
        return drawn, self.before(drawn), games


def copied(games: Games) -> Games:
    """Games that can be played on without changing these."""
    course = Tracks(*(one.copy() for one in games.course))
    arrays: dict[str, Any] = {name: getattr(games, name).copy() for name in ARRAYS}
    return replace(games, course=course, **arrays)


ARRAYS = ("seating", "states", "dice", "events", "counts", "log")


def joined(every: Sequence[Games]) -> Games:
    """Games of one setting in one batch."""
    course = Tracks(*map(np.concatenate, zip(*(games.course for games in every), strict=True)))
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(games, name) for games in every]) for name in ARRAYS
    }
    return replace(every[0], course=course, **arrays)


def forked(fork: Fork, games: PlayedGames) -> "pl.DataFrame | None":
    """Play the forks of some games: two rows for each, the choice made and then barred.

    Of an offer the second is without the card.  None if nothing matched.
    """
    import polars as pl

    forking = (Offering if fork.offer else Forking)(games)
    both = [forking.branches(fork, drawn) for drawn in forking.draw(fork)]
    if not both:
        return None
    twice = [drawn for drawn, *_ in both for _ in range(2)]
    starts = joined([start for _, *starts in both for start in starts])
    barred = np.full(len(twice), -1, np.int32)
    barred[1::2] = [drawn.choice for drawn, *_ in both]
    ended = finish(starts, None if fork.offer else barred)
    at, mover = np.arange(len(twice)), np.array([drawn.mover for drawn in twice])
    of = games.setting.game, ended, [0] * len(twice), 1, games.lineup, games.named
    return frame(*of).with_columns(
        deal=pl.Series([games.rows[drawn.game][0] for drawn in twice], dtype=pl.Int64),
        seating=pl.Series([games.rows[drawn.game][1] for drawn in twice], dtype=pl.Int16),
        fork=pl.lit(fork.name),
        words=pl.Series([drawn.words for drawn in twice], dtype=pl.String),
        made=pl.Series(at % 2 == 0),
        mover=pl.Series(mover + 1, dtype=pl.Int16),
        mover_share=pl.Series(ended.shares[at, mover], dtype=pl.Float32),
        mover_score=pl.Series(ended.scores[at, mover], dtype=pl.Int32),
        event=pl.Series([drawn.event for drawn in twice], dtype=pl.Int32),
        matches=pl.Series([drawn.matches for drawn in twice], dtype=pl.Int32),
        rank=pl.Series([drawn.rank for drawn in twice], dtype=pl.Float64),
    )
