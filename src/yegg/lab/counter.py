"""How much a player loses to one who knows how it mixes its secret orders.

The player gives orders many times in the same position.  Half of these sheets are used to find
the best answer to its mixture, the other half to value this answer, so that an answer to mere
chance is worth nothing.  Whoever mixes perfectly leaves the best answer no more than a fair share.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import CHANCE, NOBODY, Game, Match, Refused
from yegg.engine.dice import seeds
from yegg.engine.figures import Figure, Z
from yegg.engine.prose import counted
from yegg.engine.record import SIDES, Ints, States
from yegg.engine.verbs import actor, play
from yegg.players.thinking.knowledge import secret
from yegg.players.thinking.tree.iterations import gain

from .crew import in_order

Shares = NDArray[np.float64]

MOST = 2000  # ways to fill in an order sheet
LINES = 40  # of an order sheet, at most
PARTNERS = 30  # every sheet meets so many sheets of each other player
BLANK = -1  # fills up short sheets


@dataclass(frozen=True)
class Task:
    """Whom to see through, and where."""

    game: Game
    players: int
    options: Mapping[str, str]
    bot: str
    seed: int = 0

    def deal(self) -> Match:
        """The position: the same deal every time."""
        dice = seeds(self.seed, 0, 1, 1)[0, 0]
        return Match(self.game, self.players, self.options).to_decision(dice)


@dataclass(frozen=True)
class Answer:
    """The best answer of one seat to what the others do."""

    seat: int
    orders: list[str]
    """The sheet, in the words of the record."""
    share: Figure
    """What it wins against the player in all other seats."""


@dataclass(frozen=True)
class Countered:
    """What the best answers win."""

    orders: int
    """How many order sheets the player filled in, all seats together."""
    answers: list[Answer]
    """By seat."""
    best_answer: Figure
    """The share of the win of the best answer, on average over the seats."""
    fair_share: float

    def as_data(self, task: Task) -> dict[str, Any]:
        """The report, for programs."""
        return {
            "game": task.game.name,
            "players": task.players,
            "options": task.game.chosen(task.players, task.options),
            "bot": task.bot,
            "orders": self.orders,
            "best_answer": self.best_answer.value,
            "interval": [self.best_answer.low, self.best_answer.high],
            "fair_share": self.fair_share,
            "seats": [
                {
                    "orders": answer.orders,
                    "best_answer": answer.share.value,
                    "interval": [answer.share.low, answer.share.high],
                }
                for answer in self.answers
            ],
        }


def counter(
    task: Task,
    orders: int,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Countered:
    """See through a player by so many order sheets of it.

    ``progress`` is told of how many there are more.  Raises Refused where there is no turn of
    secret orders that is small enough.
    """
    every = [ways(task, seat) for seat in range(task.players)]
    deals = max(4, -(-orders // task.players))
    sheets = draw(task, deals, threads, progress)
    find, value = sheets[: deals // 2], sheets[deals // 2 :]
    run = task.game.engine("lore").kernel(meet)
    room = np.repeat(task.deal().states, 2)
    answers, moved = [], np.zeros((len(value), task.players))
    for seat, own in enumerate(every):
        met = together(find)
        won = np.zeros((len(met), len(own)))
        run(room, seat, own, met, won)
        best = int(won.mean(axis=0).argmax())
        met = together(value)
        won = np.zeros((len(met), 1))
        run(room, seat, own[best : best + 1], met, won)
        by_sheet = per_sheet(won[:, 0], seat, task.players, len(value))
        moved += by_sheet / task.players
        answers.append(Answer(seat, said(task, seat, own[best]), figure(by_sheet, won.mean())))
    mean = float(np.mean([answer.share.value for answer in answers]))
    return Countered(deals * task.players, answers, figure(moved, mean), 1 / task.players)


def ways(task: Task, seat: int) -> Ints:
    """All ways in which a seat can fill in its order sheet, shape (sheets, LINES).

    Raises Refused if there are too many, if orders are not secret, or if the game goes on.
    """
    match, found = task.deal(), []
    first = match.choices[0] if match.choices else BLANK
    if match.over or not secret(task.game, match.known_to(match.actor), match.actor, first):
        raise Refused(f"{task.game.title} does not begin with secret orders, so no mixture is met")
    check_end(task)
    while match.actor != seat:
        match.play(match.choices[0])
    todo: list[tuple[Match, list[int]]] = [(match, [])]
    while todo:
        here, sheet = todo.pop()
        if here.actor != seat:
            found.append(sheet + [BLANK] * (LINES - len(sheet)))
            continue
        for choice in reversed(here.choices):
            then = here.fork()
            then.play(choice)
            todo.append((then, [*sheet, choice]))
        if len(found) + len(todo) > MOST:
            raise Refused(
                f"a player can order in more than {counted(MOST, 'way')} here, which is too much "
                f"to look at; make the turn smaller with --option"
            )
    return np.array(found, np.int32)


def check_end(task: Task) -> None:
    """Raise Refused unless everybody gives orders once, and then the game is over."""
    match, had = task.deal(), [-1]
    while match.actor not in {NOBODY, CHANCE} and len(match.history) < SIDES * LINES:
        if match.actor != had[-1]:
            had.append(match.actor)
        match.play(match.choices[0])
    if not match.over or len(set(had)) < len(had):
        raise Refused(
            "the best answer is only known where everybody gives orders once and then the game "
            "is over; make it that short with --option"
        )


def draw(
    task: Task, deals: int, threads: int | None, progress: Callable[[int], None] | None
) -> Ints:
    """The sheets of the player in all seats, shape (deals, seats, LINES)."""
    sheets = np.full((deals, task.players, LINES), BLANK, np.int32)
    fill(task, sheets, 0)  # compiled or loaded
    for _ in in_order(partial(fill, task, sheets), range(deals), threads):
        if progress:
            progress(task.players)
    return sheets


def fill(task: Task, sheets: Ints, deal: int) -> None:
    """Let the player fill in the sheets of all seats once, each with dice of its own."""
    match, dice = task.deal(), seeds(task.seed, deal, 1, 1 + task.players)[0]
    seated = [
        bots.Bot(task.bot, int(dice[1 + seat, 0]), clock=False) for seat in range(task.players)
    ]
    sheets[deal] = BLANK
    used = [0] * task.players
    while not match.over:
        seat = match.actor
        choice = seated[seat].choose(match.view())
        sheets[deal, seat, used[seat]] = choice
        used[seat] += 1
        match.play(choice)


def together(sheets: Ints) -> Ints:
    """Bring sheets of different deals together: seat ``q`` is shifted by ``q`` times as much.

    Returns shape (partners * deals, seats, LINES).
    """
    deals, players, _ = sheets.shape
    shifts = range(min(PARTNERS, deals))
    at = np.arange(deals)
    return np.concatenate(
        [
            np.stack([sheets[(at + shift * q) % deals, q] for q in range(players)], axis=1)
            for shift in shifts
        ]
    )


def per_sheet(won: Shares, seat: int, players: int, deals: int) -> Shares:
    """What was won on average against each of the others' sheets, shape (deals, seats)."""
    means, at = np.zeros((deals, players)), np.arange(deals)
    by_shift = won.reshape(-1, deals)
    for q in range(players):
        if q != seat:
            for shift, each in enumerate(by_shift):
                means[(at + shift * q) % deals, q] += each / len(by_shift)
    return means


def figure(by_sheet: Shares, mean: float) -> Figure:
    """A mean with its interval: each sheet was drawn by itself (Hoeffding 1948)."""
    half = Z * float(np.sqrt((by_sheet.var(axis=0, ddof=1) / len(by_sheet)).sum()))
    return Figure(float(mean), max(0.0, mean - half), min(1.0, mean + half), percent=True)


def said(task: Task, seat: int, sheet: Ints) -> list[str]:
    """A sheet in the words of the record."""
    match, words = task.deal(), []
    while match.actor != seat:
        match.play(match.choices[0])
    for choice in sheet[sheet != BLANK].tolist():
        words.append(match.say(choice))
        match.play(choice)
    return words


def meet(room: States, seat: int, own: Ints, met: Ints, won: Shares) -> None:
    """Write a seat's shares of the win, (meetings, own sheets), to ``won``.

    ``room[0]`` is the position, ``room[1]`` is room to play in.  ``met`` (meetings, seats, LINES)
    are everybody's sheets; those of the seat itself are replaced by its ``own``.
    """
    used, u = np.zeros(SIDES, np.int64), np.zeros(SIDES)
    for m in range(met.shape[0]):
        for i in range(own.shape[0]):
            room[1] = room[0]
            used[:] = 0
            while True:
                q = actor(room[1])
                if q == NOBODY:
                    break
                play(room[1], own[i, used[q]] if q == seat else met[m, q, used[q]])
                used[q] += 1
            gain(room[1:2], u)
            won[m, i] = u[seat]
