"""Records of simulated games on disk, one file for each."""

import re
from pathlib import Path

import numpy as np

from yegg.engine import Match, notation
from yegg.files import write_atomic

from .batch import Batch, Matchup, called, logs
from .failures import Failure


class Records:
    """A folder of records: GAME-SEED-NUMBER.game."""

    def __init__(self, setting: Matchup, folder: Path, *, legal: bool = False) -> None:
        """``legal``: also write what else was legal."""
        self.setting, self.folder, self.legal = setting, folder, legal
        folder.mkdir(parents=True, exist_ok=True)
        self.lost: dict[str, int] = {}
        """By bot: the number of the first game that was played to its end and that it lost."""

    def file(self, number: int) -> Path:
        """Where the record of a game is."""
        return self.folder / f"{self.setting.game.name}-{self.setting.seed}-{number:06}.game"

    def add(self, first: int, batch: Batch) -> None:
        """Write the records of a batch of games, of which ``first`` is the number of the first."""
        setting = self.setting
        rules = setting.game, setting.players, setting.options
        for i, choices in enumerate(logs(batch)):
            match = Match(*rules, names=called(setting, batch.seating[i]))
            match.follow(choices)
            text = notation.write(match, legal=self.legal)
            write_atomic(self.file(first + i), text.encode(), lasting=False)
        for i in np.flatnonzero(batch.over).tolist():
            for seat in np.flatnonzero(batch.shares[i, : setting.players] == 0).tolist():
                bot = setting.lineup[batch.seating[i, seat]]
                self.lost[bot] = min(first + i, self.lost.get(bot, first + i))

    def keep(self, failure: Failure) -> Path:
        """Where the record of a failure is; it is written if it is not there."""
        file = self.file(failure.game)
        if not file.exists():
            write_atomic(file, failure.record.encode(), lasting=False)
        return file


def folder_of(pair: tuple[str, str]) -> str:
    """The name of a folder for the games of two bots."""
    return re.sub(r"[^\w.-]+", "-", "-against-".join(pair))
