"""Plays a pre-flight within some minutes, and puts its lines together."""

import os
import time
from dataclasses import dataclass, replace
from typing import Any

from yegg.lab.batch import Matchup
from yegg.lab.cells import against
from yegg.lab.simulation import run as play
from yegg.lab.simulation import warm

from .contests import plans, readings, skill
from .detectors import cards, choices, leader, length, seats, ties
from .line import Line, Verdict, worst
from .sample import LEVEL, LEVELS, OF_CARDS, Question, card_effects, main_sample

LEAST, MOST = 200, 4000  # games of the main sample
MOST_HARD = 200
PILOT = 20  # games by which the speed is found
EACH = 14.0  # a game of the main sample costs all samples together as much as so many games
BESIDE = 0.02  # seconds beside them, for looking through the game
FOR_HARD = 0.2  # part of the time for `hard`
WORTH_HARD = 240.0  # seconds: with less of them `hard` would not play enough games


@dataclass(frozen=True)
class Flight:
    """A pre-flight: what was asked, and what every detector says."""

    question: Question
    lines: tuple[Line, ...]

    @property
    def verdict(self) -> Verdict:
        """The gravest verdict of all lines."""
        return worst([line.verdict for line in self.lines])

    @property
    def repeat(self) -> str:
        """The command that gives the same figures."""
        asked = self.question
        options = "".join(f" --option {name}={value}" for name, value in asked.options.items())
        options += " --cards FILE" if asked.game.cards else ""
        return (
            f"yegg lab preflight {asked.game.name} --players {asked.players}{options} "
            f"--seed {asked.seed} --games {asked.games} --hard {asked.hard}"
        )

    def to_dict(self) -> dict[str, Any]:
        """All figures, for `--json`; the same games give the same."""
        asked = self.question
        return {
            "game": asked.game.name,
            "players": asked.players,
            "options": dict(asked.options),
            "cards": asked.game.cards or None,
            "seed": asked.seed,
            "games": asked.games,
            "hard": asked.hard,
            "verdict": self.verdict,
            "lines": [line.to_dict() for line in self.lines],
            "repeat": self.repeat,
        }


def preflight(question: Question, minutes: float | None = None) -> Flight:
    """Ask a game all questions.  Raises Refused.

    ``minutes`` decides how many games are played; without them it is what the question says, and
    then the same seed gives the same figures.
    """
    question.game.setup(question.players, question.options)
    warm(question.setting(LEVEL))
    if minutes is not None:
        question = within(question, minutes * 60)
    return Flight(question, tuple(_lines(question)))


def within(question: Question, seconds: float) -> Question:
    """The same question with samples that take about so many seconds on all threads."""
    a_game = _seconds(question.setting(LEVEL), PILOT)
    there = seconds * (question.threads or os.cpu_count() or 1)
    hard = 0
    if seconds >= WORTH_HARD:
        thinking = replace(question.setting("hard", LEVEL), arranged=against(question.players))
        warm(thinking)
        hard = min(MOST_HARD, int(there * FOR_HARD / _seconds(thinking, 1)))
    forked = len(LEVELS) * len(question.cards) / OF_CARDS  # a fork is two halves of a game
    games = int(there * (1 - FOR_HARD) / ((EACH + forked) * a_game + BESIDE))
    return replace(question, games=max(LEAST, min(MOST, games)), hard=hard)


def _seconds(setting: Matchup, games: int) -> float:
    """How long a game takes, on one thread."""
    begun = time.perf_counter()
    play(setting, 0, games)
    return (time.perf_counter() - begun) / games


def _lines(question: Question) -> list[Line]:
    """Every detector's line, in the order in which a publisher asks."""
    main = main_sample(_phase(question, 0.0, 0.2))
    first = length(main)
    if not main.batch.over.any():
        return [first]
    found = main.effects()
    for at, level in enumerate(LEVELS, 2):
        found += card_effects(_phase(question, at / 10, 0.1), level)
    return [
        first,
        seats(main),
        cards(question, main, found),
        plans(_phase(question, 0.4, 0.2)),
        leader(main),
        choices(main),
        skill(_phase(question, 0.6, 0.3)),
        ties(main),
        readings(_phase(question, 0.9, 0.1)),
    ]


def _phase(question: Question, begin: float, width: float) -> Question:
    """The question, asked in one part of the pre-flight: what is told is a part of the whole."""

    def heard(what: str, part: float) -> None:
        question.heard(what, begin + width * part)

    return replace(question, heard=heard)
