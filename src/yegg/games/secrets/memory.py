"""Hidden information of Secrets: what a view leaves out, and how chance fills it in.

Orders under the seal have yet to be given.  What was chosen in a finished turn is not
chosen again by its owner, who would do it with hindsight: chance remembers it, evenly
among all that agrees with what the seat was told.
"""

from yegg.engine import Ints

from .state import EVERYBODY, SECRETS, SPIES, UNSEEN, Choice, State, next_order

ALLOCATES_NOTHING = True  # see Compiler.lean


def hide(s: State, seat: int) -> None:
    """SE-2, SE-21, SE-30 … SE-34: other seats' orders, posts and points; nothing at the end.

    Where posts are open, the only post that is possible is the true one.
    """
    if s.turn > s.turns:
        return
    for other in range(s.players):
        if other == seat:
            continue
        for piece in range(SPIES + 1):
            s.order[other, piece] = 0
        s.given[other] = 0
        if s.turn == 0:
            for secret in range(SECRETS):
                s.value[other, secret] = 0
            continue
        s.given[other] = next_order(s, other, 0)
        if s.rumour[other] & (s.rumour[other] - 1):  # more than one post is possible
            s.stood[other] = UNSEEN
        if s.hidden:
            forget(s, other, seat)


def knows(told: int, seat: int) -> bool:
    """Whether a value is known to a seat, by whom it was told to; -1: to those who watch.

    What each player was told by itself (SE-31, SE-32) is told to nobody else.
    """
    return bool(told == EVERYBODY if seat < 0 else told >> seat & 1)


def forget(s: State, owner: int, seat: int) -> None:
    """Values that the seat was not told go back into the urn, one empty secret each."""
    loose = max(0, s.owed[owner] - 1)
    unknown = False
    for secret in range(s.secrets):
        value = s.value[owner, secret]
        if value < 0 or not knows(s.told[owner, secret], seat):
            loose += value if value >= 0 else -1 - value
            s.value[owner, secret] = -1
            unknown = True
    s.owed[owner] = 1 + loose if unknown else 0


def memories(s: State, out: Ints) -> int:
    """Write what chance may remember of the first owner about whom something is unknown.

    A secret holds 1 + its points tickets in the urn (Polya), so that all ways to spread
    the points are equally likely.
    """
    owner = forgotten(s)
    k = 0
    if s.stood[owner] == UNSEEN:
        for secret in range(s.secrets):
            out[k] = Choice.STOOD + secret
            k += s.rumour[owner] >> secret & 1
        return k
    if s.owed[owner] == 1:
        k = 1  # all points are told: the others are worth nothing
    else:
        for secret in range(s.secrets):
            k -= min(0, s.value[owner, secret])
    for ticket in range(k):
        out[ticket] = Choice.TICKET + ticket
    return k


def remember(s: State, choice: int) -> None:
    """Chance says where a policeman stood, or which secret one more point lies on."""
    owner = forgotten(s)
    if choice < Choice.TICKET:
        s.stood[owner] = 1 + choice - Choice.STOOD
        return
    if s.owed[owner] > 1:
        ticket = choice - Choice.TICKET
        for secret in range(s.secrets):
            if s.value[owner, secret] < 0:
                ticket += s.value[owner, secret]
                if ticket < 0:
                    s.value[owner, secret] -= 1
                    s.owed[owner] -= 1
                    break
    if s.owed[owner] == 1:
        s.owed[owner] = 0
        for secret in range(s.secrets):
            if s.value[owner, secret] < 0:
                s.value[owner, secret] = -1 - s.value[owner, secret]


def forgotten(s: State) -> int:
    """The first seat about which chance has yet to remember something."""
    owner = 0
    while s.stood[owner] != UNSEEN and s.owed[owner] == 0:
        owner += 1
    return owner
