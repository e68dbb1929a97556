"""Many games side by side, each moved on to the next decision of an agent; compiled.

An agent is asked only where it has at least two choices.  Chance, forced choices and the seats of
a bot are played here.  B games, P seats of players, A actions, C columns.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import GOLD, pick, roll, stir
from yegg.engine.record import CHANCE, NOBODY, Ints, States
from yegg.engine.verbs import (
    Dice,
    actor,
    choose,
    hide,
    legal,
    n_legal,
    nth_legal,
    play,
    sides,
    standing,
)

ALLOCATES_NOTHING = True  # nor do they where the rules do; see Compiler.lean
INLINE = ("step", "chosen", "go_on", "ask")
NEXT_STEP, SAME_STEP, DISABLED, BEGIN = 0, 1, 2, 3
"""When a game that is over is dealt again: see `step_many`."""
WORD = 64  # bits
NONE, ILLEGAL = -1, -2  # in place of a choice; NONE of a seat, too
PASSED_OVER = 1000  # games in a row, at most
ASKED, OVER, CUT, FOUL = 0, 1, 2, 3
"""How a step ends: an agent is asked, the game is over, it is truncated, an action not legal."""
ONE = np.uint64(1)


class Slots(NamedTuple):
    """The games and all that is told of them."""

    states: States
    """(B,)."""
    dealt: States
    """(1,): how every game begins; chance has not acted yet."""
    views: States
    """(1 + ROOM,): what a bot sees, and its room to think."""
    dice: Dice
    """(B, 1 + P, 1): the generators of chance and of each seat."""
    seeds: NDArray[np.uint64]
    """(B,)."""
    numbers: NDArray[np.uint64]
    """(B,): how many games of its seed a slot has begun."""
    luck: Dice
    """(B, 1): the generators of ``sampled``."""
    mine: NDArray[np.bool_]
    """(B, P): whether an agent has the seat, and not the bot."""
    blind: int
    """1: the bot takes any choice, all equally likely, and is shown nothing."""
    moves: int
    """1: the agent sits one seat on in every game."""
    choices: Ints
    """(P, A): a seat's action as the engine's choice."""
    actions: Ints
    """(P, CHOICES): a choice as the seat's action, or -1."""
    events: Ints
    """(B,): events so far."""
    decisions: Ints
    """(B,): of agents, so far."""
    most_events: int
    most_decisions: int
    """A game that has gone on so long is truncated."""
    log: NDArray[np.int16]
    """(B, most_events), or (B, 0): the choices so far, chance's included."""
    actor: Ints
    """(B,): the seat that is asked; when the game is over, the one that was asked last."""
    bits: NDArray[np.uint64]
    """(B, words): a bit for each action, set if it is legal."""
    masks: NDArray[np.int8]
    """(B, A), or (B, 0): the same, a byte for each action."""
    sampled: Ints
    """(B,), or (0,): a legal action, all equally likely."""
    rewards: NDArray[np.float32]
    """(B, P): of the last step."""
    terminated: NDArray[np.bool_]
    """(B,)."""
    truncated: NDArray[np.bool_]
    """(B,)."""
    illegal: NDArray[np.bool_]
    """(B,): whether the game was lost by an action that was not legal."""
    ended: States
    """(B,), or (0,): the end of a game that was dealt again in the same step."""
    last: Ints
    """(B,), or (0,): who was asked last in it, or -1 if none ended in this step."""
    out: Ints
    """(CHOICES,): room."""


def step_many(t: Slots, actions: Ints, mode: int, rounds: int) -> None:
    """Carry out an action in each game; then go on with ``rounds`` - 1 that are drawn at random.

    A game that ended before is dealt again (NEXT_STEP), its action ignored; or is left alone
    (DISABLED).  With SAME_STEP one that ends now is dealt again at once.  In the mode BEGIN those
    games are dealt anew whose action is not 0.  Only the last of several rounds is told of.
    """
    for g in range(actions.size):
        step(t, g, actions[g], mode, rounds - 1)


def step(t: Slots, g: int, action: int, mode: int, free: int) -> None:
    """Carry out an action in a game, and go on to the next decision of an agent.

    ``free`` decisions more are made at random, all legal actions equally likely.
    """
    if t.last.size > 0:
        t.last[g] = NONE
    over = t.terminated[g] or t.truncated[g]
    if (mode == BEGIN and action == 0) or (mode == DISABLED and over):
        return
    new = mode == BEGIN or (mode == NEXT_STEP and over)
    if new or over:
        clear(t, g)
    choice = NONE if new else chosen(t, g, action)
    left = PASSED_OVER
    while True:
        if new:
            lay_out(t, g)
        found = FOUL
        if choice != ILLEGAL:
            found, free = go_on(t, g, choice, free)
        if found == ASKED:
            break
        if new and t.decisions[g] == 0 and left > 0:  # a game without a decision is passed over
            left -= 1
            continue
        finish(t, g, found)
        if left == 0:
            break
        if mode == SAME_STEP:
            if free > 0:
                clear(t, g)
            elif t.last.size > 0:
                t.ended[g], t.last[g] = t.states[g], t.actor[g]
        elif mode == NEXT_STEP and free > 0:
            clear(t, g)
            free -= 1
        else:
            allow_first(t, g)
            break
        new, choice, left = True, NONE, PASSED_OVER


def chosen(t: Slots, g: int, action: int) -> int:
    """The choice that an action means, counted as a decision; ILLEGAL if it is not legal."""
    if action < 0 or action >= t.choices.shape[1]:
        return ILLEGAL
    at, bit = np.uint64(action) // np.uint64(WORD), np.uint64(action) % np.uint64(WORD)
    if t.bits[g, at] >> bit & ONE == 0:
        return ILLEGAL
    t.decisions[g] += 1
    return t.choices[t.actor[g], action]


def clear(t: Slots, g: int) -> None:
    """Forget how the last game ended."""
    t.terminated[g] = t.truncated[g] = t.illegal[g] = False
    for q in range(t.rewards.shape[1]):
        t.rewards[g, q] = 0


def lay_out(t: Slots, g: int) -> None:
    """Deal the next game of the seed."""
    t.states[g] = t.dealt[0]
    seed(t.seeds[g], t.numbers[g], t.dice[g])
    if t.moves:
        players = np.uint64(t.mine.shape[1])
        for q in range(t.mine.shape[1]):
            t.mine[g, q] = t.numbers[g] % players == np.uint64(q)
    t.numbers[g] += ONE
    t.events[g] = t.decisions[g] = 0


def seed(start: np.uint64, number: np.uint64, dice: Dice) -> None:
    """The generators of a game; as `dice.seeds` has them."""
    mixed = stir(stir(start + GOLD) + (number + ONE) * GOLD)
    for i in range(dice.shape[0]):
        dice[i, 0] = stir(mixed + np.uint64(i))


def go_on(t: Slots, g: int, choice: int, free: int) -> tuple[int, int]:
    """Play a choice, if any, and on until an agent is asked, or the game ends.

    Returns which of these, and how many of the ``free`` decisions are left.
    """
    s = t.states[g]
    events, decisions, asked = t.events[g], t.decisions[g], t.actor[g]
    state, luck = t.dice[g, 0, 0] + GOLD, t.luck[g, 0] + GOLD
    bits, drawn = stir(state), stir(luck)  # early: ready once the number of choices is known
    while True:
        if choice != NONE:
            if t.log.shape[1] > 0:
                t.log[g, events] = choice
            play(s, choice)
            events += 1
        who = actor(s)
        if who == NOBODY or events >= t.most_events:
            found = OVER if who == NOBODY else CUT
            break
        k = n_legal(s, t.out)
        if who == CHANCE:
            i = pick(bits, k)
            state += GOLD
            bits = stir(state)
        elif k == 1:
            i = 0
        elif not t.mine[g, who]:
            # drawn here, since a call would hand over all of t
            i = roll(t.dice[g, 1 + who], k) if t.blind else decided(t, g, who)
        elif decisions >= t.most_decisions:
            found = CUT
            break
        elif free == 0:
            found = ASKED
            asked = who
            ask(t, g, who, k, drawn)
            break
        else:
            i = pick(drawn, k)
            asked = who
            decisions += 1
            free -= 1
            luck += GOLD
            drawn = stir(luck)
        choice = nth_legal(s, t.out, i)
    t.events[g] = events
    t.decisions[g] = decisions
    t.actor[g] = asked
    t.dice[g, 0, 0] = state - GOLD
    t.luck[g, 0] = luck
    return found, free


def decided(t: Slots, g: int, who: int) -> int:
    """Which of its choices the bot at a seat makes."""
    k = legal(t.states[g], t.out)
    t.views[0] = t.states[g]
    hide(t.views[0], who)
    return choose(t.views, who, t.out, k, t.dice[g, 1 + who])


def ask(t: Slots, g: int, who: int, k: int, luck: np.uint64) -> None:
    """Tell a seat which of its actions are legal: k, as `n_legal` has left them."""
    s, actions = t.states[g], t.actions[who]
    if t.sampled.size > 0:
        t.sampled[g] = actions[nth_legal(s, t.out, pick(luck, k))]
    for i in range(t.bits.shape[1]):
        word = np.uint64(0)
        for j in range(k):
            action = np.uint64(actions[nth_legal(s, t.out, j)])
            if action // np.uint64(WORD) == np.uint64(i):
                word |= ONE << action % np.uint64(WORD)
        t.bits[g, i] = word
    if t.masks.shape[1] > 0:
        spread_bits(t.bits[g], t.masks[g])


def spread_bits(bits: NDArray[np.uint64], mask: NDArray[np.int8]) -> None:
    """Write a byte for each bit."""
    for i in range(bits.size):
        word, first = bits[i], i * WORD
        for j in range(min(WORD, mask.size - first)):
            mask[first + j] = word >> np.uint64(j) & ONE


def allow_first(t: Slots, g: int) -> None:
    """Allow action 0, which is ignored, in a game that is over: a softmax needs some action."""
    t.bits[g, 0] = ONE
    if t.masks.shape[1] > 0:
        t.masks[g, 0] = 1


def finish(t: Slots, g: int, found: int) -> None:
    """Tell how the game ended; nothing is legal any more."""
    for i in range(t.bits.shape[1]):
        t.bits[g, i] = 0
    for j in range(t.masks.shape[1]):
        t.masks[g, j] = 0
    if t.sampled.size > 0:
        t.sampled[g] = 0
    t.truncated[g] = found == CUT
    t.terminated[g] = found != CUT
    t.illegal[g] = found == FOUL
    if found == OVER:
        pay(t, g)
    elif found == FOUL:
        lose(t, g, t.actor[g])


def pay(t: Slots, g: int) -> None:
    """What the game brings: 1 for the only winner, all sides together 0; who ties shares."""
    s = t.states[g]
    n = sides(s)
    best, ties = standing(s, 0), 1
    for q in range(1, n):
        mine = standing(s, q)
        if mine > best:
            best, ties = mine, 1
        elif mine == best:
            ties += 1
    for q in range(t.rewards.shape[1]):
        t.rewards[g, q] = reward(n, ties, standing(s, q) == best)


def reward(sides: int, winners: int, won: bool) -> float:  # noqa: FBT001  # compiled
    """What a side gets of the win; all together 0."""
    share = sides / winners if won else 0.0
    return (share - 1) / max(1, sides - 1)


def lose(t: Slots, g: int, seat: int) -> None:
    """An action that is not legal loses the game; the other sides share the win."""
    n = sides(t.states[g])
    for q in range(t.rewards.shape[1]):
        t.rewards[g, q] = -1 if q == seat else 1 / max(1, n - 1)
