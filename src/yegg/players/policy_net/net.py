"""The policy net in compiled code: how likely it makes each choice, and what share of the win.

Every game has a copy of this module with its own weights in it: see `policy_function`.  The first
layer is sparse.  It starts from what columns of zeros give, and adds the difference that each other
column makes.  No sum is ever reordered, so that plain and compiled code give the same bits.
"""

import numpy as np
from numpy.typing import NDArray

from yegg.engine.record import Ints, Record
from yegg.engine.scratch import floats, ints
from yegg.engine.verbs import Logits, actor, hide, more, sides
from yegg.engine.words import words
from yegg.observations.columns import Plan
from yegg.observations.encode import encode
from yegg.players.policy_net.shares import add_up

Floats = NDArray[np.float32]
IN_PLACE = "W1", "W2", "HEADS"  # read where they lie: see `yegg.engine.arrays_in_place`

COLUMNS, UNITS, ACTIONS = 1, 1, 1
PLACES, OUTPUTS = COLUMNS + 1, ACTIONS + 1
"""The columns and one that is no column; the actions and the value."""
SECRET_ORDERS = False
COVERS = np.zeros((0, 1), np.int32)
"""(settings, 1 + options): how many play, and each option's code, or `ANY_CODE`."""
ANY_CODE = -1
OPTIONS = np.zeros(0, np.int32)
"""(options,): the word of a state that has the option's code."""
PLAYERS_COLUMN = np.zeros(1, np.int32)
"""(players + 1,): the column that is 1 where so many play."""
OPTION_COLUMN = np.zeros((0, 1), np.int32)
"""(options, codes): the column that is 1 where an option has that code."""
FIRST = np.zeros(1, np.int32)
"""(sides + 1,): the row of the plans for the first seat."""
ACTION = np.zeros((1, 1, 1), np.int32)
"""(players + 1, players, choices): a seat's choice as an action; -1: it is none."""
STEPS = np.zeros((1, 0, 8), np.uint32)
PLAN = COUNTED = Plan(STEPS, STEPS, STEPS, STEPS, STEPS, STEPS, FIRST, FIRST)
"""How the columns of the state, and of what the game counts, are filled."""
EXTRA = np.dtype([("players", "i4")])
"""The type of what the game counts."""
COUNTS = False
"""Whether the game counts anything."""
STATE = np.dtype([("players", "i4")])
"""The type of a state."""
COLUMN_SCALE = np.zeros(1, np.float32)
"""(PLACES,): what the whole number in a column is multiplied by."""
MEAN, SCALE, ZERO = (np.zeros(1, np.float32) for _ in range(3))
"""(COLUMNS,): as `PolicyWeights`; and what a column of 0 is to the net."""
START = np.zeros(1, np.float32)
"""(UNITS,): the first layer where all columns are 0."""
W1 = W2 = HEADS = np.zeros((1, 1), np.float32)
"""(COLUMNS, UNITS), (UNITS, UNITS), and (UNITS, OUTPUTS): of the actions, then the value."""
B2 = HEADS_START = np.zeros(1, np.float32)
"""(UNITS,), (OUTPUTS,)."""
LEAST, MOST = np.float32(-8), np.float32(8)  # deviations of a column that count
UNLIKELY = np.float32(-1e9)  # of a choice that is no action of the net
LARGEST = 2**31 - 1  # whole number in a column


def policy(s: Record, seat: int, out: Ints, k: int, logits: Logits) -> bool:
    """The log odds of the k choices in ``out``; False where the net does not cover the game."""
    w = words(s)
    if not covered(w):
        return False
    units = floats(UNITS)
    layers(s, w, seat, units)
    heads = floats(OUTPUTS)
    for a in range(OUTPUTS):
        heads[a] = HEADS_START[a]
    add_rows(units, ints(UNITS), HEADS, heads)
    for i in range(k):
        action = ACTION[s.players, seat, out[i]]
        logits[i] = UNLIKELY if action < 0 else heads[action]
    return True


def draws(s: Record) -> bool:
    """Secret orders are drawn."""
    return SECRET_ORDERS


def win_share(s: Record, seat: int) -> float:
    """The share of the win, from the reward that is 1 for it and together 0 for all sides."""
    units = floats(UNITS)
    layers(s, words(s), seat, units)
    reward = np.float64(HEADS_START[ACTIONS])
    for j in range(UNITS):
        reward += np.float64(units[j]) * np.float64(HEADS[j, ACTIONS])
    n = sides(s)
    return min(max((reward * (n - 1) + 1) / n, 0.0), 1.0)


def expects(s: Record, shares: NDArray[np.float64]) -> bool:
    """What each seat expects, made to add up to one; whoever decides is believed as it is.

    Only there a seat has learned what it may expect.
    """
    if not covered(words(s)):
        return False
    room = np.zeros(1, STATE)
    for seat in range(s.players):
        room[0] = s
        hide(room[0], seat)
        shares[seat] = win_share(room[0], seat)
    decider = actor(s)
    own = shares[decider] if decider >= 0 else 0.0
    add_up(shares, s.players, sides(s))
    if decider >= 0:
        rest = 1 - shares[decider]
        for side in range(sides(s)):
            shares[side] *= (1 - own) / rest if rest > 0 else 0.0
        shares[decider] = own
    return True


def covered(w: Ints) -> bool:
    """Whether the net has learned games of so many players with these options."""
    for row in range(COVERS.shape[0]):
        fits = COVERS[row, 0] == w[0]
        for i in range(OPTIONS.size):
            code = COVERS[row, 1 + i]
            fits = fits and (code == ANY_CODE or code == w[OPTIONS[i]])
        if fits:
            return True
    return False


def look(s: Record, w: Ints, seat: int, x: Floats) -> None:
    """Write what a seat may know, and the setting, to ``x`` (PLACES,), which is zeros."""
    row = FIRST[sides(s)] + seat
    encode(w, PLAN, row, COLUMN_SCALE, LARGEST, x)
    if COUNTS:
        counted = np.zeros(1, EXTRA)
        more(s, seat, counted[0])
        encode(words(counted[0]), COUNTED, row, COLUMN_SCALE, LARGEST, x)
    x[PLAYERS_COLUMN[w[0]]] = 1
    for i in range(OPTIONS.size):
        x[OPTION_COLUMN[i, w[OPTIONS[i]]]] = 1
    x[COLUMNS] = 0


def layers(s: Record, w: Ints, seat: int, units: Floats) -> None:
    """Write both layers' last units, none below 0, to ``units``, which is zeros."""
    x, first = floats(PLACES), floats(UNITS)
    look(s, w, seat, x)
    for c in range(COLUMNS):
        if x[c] != 0:
            x[c] = min(max((x[c] - MEAN[c]) * SCALE[c], LEAST), MOST) - ZERO[c]
    for j in range(UNITS):
        first[j] = START[j]
    add_rows(x, ints(PLACES), W1, first)
    cut(first)
    for j in range(UNITS):
        units[j] = B2[j]
    add_rows(first, ints(UNITS), W2, units)
    cut(units)


def cut(h: Floats) -> None:
    """Units below 0 give 0."""
    for j in range(h.size):
        h[j] = max(h[j], np.float32(0))


def add_rows(x: Floats, rows: Ints, w: Floats, h: Floats) -> None:
    """Add ``x`` @ ``w`` to ``h``, four rows of ``w`` at a time.

    ``rows`` is room for the numbers of those of which ``x`` is not 0: the others cost nothing.
    """
    k = 0
    for i in range(x.size):
        rows[k] = i
        k += x[i] != 0
    for i in range(0, k - 3, 4):
        a, b, c, d = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        xa, xb, xc, xd = x[a], x[b], x[c], x[d]
        wa, wb, wc, wd = w[a], w[b], w[c], w[d]
        for j in range(h.size):
            h[j] = (((h[j] + xa * wa[j]) + xb * wb[j]) + xc * wc[j]) + xd * wd[j]
    for i in range(k - k % 4, k):
        xa, wa = x[rows[i]], w[rows[i]]
        for j in range(h.size):
            h[j] += xa * wa[j]
