"""Batches of games as two tables: a row for each decision, and a row for each game."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints, Match, States, kernels, notation
from yegg.engine.engine import places
from yegg.lab import simulation
from yegg.lab.batch import Batch, Matchup, called, logs
from yegg.observations import setting as observations
from yegg.observations.encoder import Encoder
from yegg.players.judges import judge_of

from .chances import chances
from .replays import Logs, Told, tell

if TYPE_CHECKING:
    import polars as pl


class Tables(NamedTuple):
    """Some games, in order."""

    decisions: "pl.DataFrame"
    games: "pl.DataFrame"

    def cut(self, decisions: int, each: int) -> "Iterator[Tables]":
        """The same games in parts: one ends where it has so many decisions, the others ``each``."""
        ends = np.cumsum(self.games["decisions"].to_numpy(), dtype=np.int64)
        game = done = 0
        while game < len(ends):
            stop = min(int(np.searchsorted(ends, done + decisions)) + 1, len(ends))
            many = int(ends[stop - 1]) - done
            yield Tables(self.decisions[done : done + many], self.games[game:stop])
            game, done, decisions = stop, done + many, each


@dataclass(frozen=True)
class Teller:
    """Plays games of a setting, and tells them as tables."""

    setting: Matchup
    shown: observations.Setting
    """The same game with its options as environments show it."""
    iterations: int = 0
    """How long the coach thinks about each decision; 0: it is not asked."""

    @classmethod
    def of(cls, setting: Matchup, iterations: int = 0) -> "Teller":
        """For the games of a simulation."""
        shown = observations.Setting(setting.game, setting.players, setting.options)
        return cls(replace(setting, course=True), shown, iterations)

    def cold(self) -> bool:
        """Whether something must still be compiled."""
        return simulation.cold(self.setting) or self.shown.engine.cold(tell)

    def tables(self, games: range) -> Tables:
        """Play the games of these numbers."""
        batch = simulation.run(self.setting, games.start, len(games), log=True)
        told = self.read(batch)
        starts = np.concatenate([[0], np.cumsum(batch.lengths)])
        texts = self.texts(batch, told)
        return Tables(
            self.decisions(games.start, batch, told, starts, texts),
            self.games(games.start, batch, told, starts, texts),
        )

    def read(self, batch: Batch) -> Told:
        """The decisions of a batch, as the kernel tells them."""
        shown, game = self.shown, self.setting.game
        many, events = int(batch.decisions.sum()), int(batch.lengths.sum())
        told = Told(
            before=np.zeros(events, game.state.dtype),
            actors=np.zeros(events, np.int32),
            games=np.zeros(many, np.int32),
            events=np.zeros(many, np.int32),
            actions=np.zeros(many, np.int32),
            observations=np.zeros((many, len(shown.columns)), np.int8),
            masks=np.zeros((many, shown.choices.shape[1]), np.int8),
        )
        states: States = game.blank(self.setting.players, self.setting.options, len(batch.lengths))
        out = np.zeros(game.choices, np.int32)
        game.engine().kernel(kernels.begin)(states, out)
        look = Encoder(shown, states, "int8").look
        kernel = shown.engine.kernel(tell)
        kernel(look, states, Logs(batch.log, batch.lengths), shown.actions, told, out)
        return told

    def texts(self, batch: Batch, told: Told) -> list[str]:
        """Every event in the words of the record."""
        say = self.setting.game.words.say
        made = [choice for choices in logs(batch) for choice in choices]
        return [say(s, choice) for s, choice in zip(told.before, made, strict=True)]

    def decisions(
        self, first: int, batch: Batch, told: Told, starts: NDArray[np.int64], texts: list[str]
    ) -> "pl.DataFrame":
        """A row for each decision."""
        import polars as pl

        at = starts[told.games] + told.events
        seats = told.actors[at]
        final = rewards(batch, self.setting.players)[told.games, seats]
        last = last_of(told.games, seats)
        columns = {
            "game": (first + told.games).astype(np.int64),
            "event": told.events,
            "seat": seats.astype(np.int8),
            "observation": told.observations,
            "mask": told.masks,
            "action": told.actions,
            "text": [texts[i] for i in at.tolist()],
            "reward": np.where(last, final, np.float32(0)),
            "last": last,
            "return": final,
        }
        if self.iterations:
            columns["chance"] = np.array(list(self._chances(batch)), np.float32)
        return pl.DataFrame(columns)

    def _chances(self, batch: Batch) -> Iterator[float]:
        for choices in logs(batch):
            yield from chances(self.setting, choices, self.iterations)

    def games(
        self, first: int, batch: Batch, told: Told, starts: NDArray[np.int64], texts: list[str]
    ) -> "pl.DataFrame":
        """A row for each game."""
        import polars as pl

        setting, players = self.setting, self.setting.players
        many, sides = batch.scores.shape
        seats = [[setting.lineup[who] for who in one] for one in batch.seating.tolist()]
        judge = {
            name: judge_of(setting.game, name, players, setting.options) for name in setting.lineup
        }
        numbers = np.arange(first, first + many)
        words = pl.Array(pl.String, players)
        records = [
            self.record(called(setting, who), choices, told.actors[a:b], texts[a:b])
            for who, choices, a, b in zip(
                batch.seating, logs(batch), starts, starts[1:], strict=False
            )
        ]
        return pl.DataFrame(
            {
                "game": numbers,
                "seed": pl.Series([setting.seed] * many, dtype=pl.UInt64),
                "deal": numbers // len(setting.seatings),
                "bots": pl.Series(seats, dtype=words),
                "judges": pl.Series([[judge[n] for n in one] for one in seats], dtype=words),
                "over": batch.over,
                "events": batch.lengths,
                "decisions": batch.decisions.sum(axis=1).astype(np.int32),
                "scores": batch.scores.astype(np.int32).reshape(many, sides),
                "places": np.array([places(one) for one in batch.standings.tolist()], np.int8),
                "rewards": rewards(batch, players),
                "record": records,
            }
        )

    def record(self, names: list[str], choices: list[int], actors: Ints, texts: list[str]) -> str:
        """The record of a game, by the texts of its events."""
        setting = self.setting
        match = Match(setting.game, setting.players, setting.options, names=names)
        match.follow(choices)
        said = zip(map(notation.who, actors.tolist()), texts, strict=True)
        body = [f"{who} {text}" for who, text in said]
        return "\n".join([*notation.head(match), "", *body]) + "\n"


def rewards(batch: Batch, players: int) -> NDArray[np.float32]:
    """(games, players): what environments give at the end, see docs/research.md; 0 if none came."""
    sides = batch.standings.shape[1]
    paid: NDArray[np.float64] = (sides * batch.shares - 1) / max(1, sides - 1)
    return (paid * batch.over[:, None])[:, :players].astype(np.float32)


def last_of(games: Ints, seats: Ints) -> NDArray[np.bool_]:
    """(N,): whether a decision is its seat's last one in its game."""
    last = np.zeros(len(games), np.bool_)
    pairs = np.stack([games, seats], axis=1)[::-1]
    last[len(games) - 1 - np.unique(pairs, axis=0, return_index=True)[1]] = True
    return last
