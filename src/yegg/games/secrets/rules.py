"""Secrets, spies and policemen under sealed orders, by Allan Stagg.

Three to six players write orders in secret, turn after turn; then all are carried
out at once.  RULES.md has the clauses in prose.  ``s`` is always the state.
"""

from yegg.engine import CHANCE, NOBODY, Ints

from .memory import hide, memories, remember
from .state import (
    CHOICES,
    EVERYBODY,
    HOME,
    POINTS,
    POLICEMAN,
    SECRETS,
    SPIES,
    UNSEEN,
    Choice,
    State,
    next_order,
)

ALLOCATES_NOTHING = True  # see Compiler.lean
INLINE = ("actor", "posts", "targets", "write", "writer")  # see Compiler.compiled

__all__ = [
    "CHOICES",
    "State",
    "actor",
    "deal",
    "hide",
    "legal",
    "play",
    "score",
    "special",
    "standing",
]


def deal(s: State) -> None:
    """SE-1: secrets are worth their number; SE-30: or what their owner says."""
    if s.hidden:
        return
    for owner in range(s.players):
        for secret in range(s.secrets):
            s.value[owner, secret] = secret + 1
    start_turn(s, 1)


def actor(s: State) -> int:
    """Who writes next: nobody's orders are seen, so the first seat whose are not complete."""
    if s.turn > s.turns:
        return NOBODY
    owed, stood = s.owed, s.stood
    for owner in range(s.players):
        if owed[owner] or stood[owner] == UNSEEN:
            return CHANCE
    return writer(s)


def writer(s: State) -> int:
    """The first seat whose order sheet is not complete."""
    last, given = sheet(s), s.given
    for seat in range(s.players):
        if given[seat] < last:
            return seat
    return NOBODY


def sheet(s: State) -> int:
    """How many lines an order sheet has: one a piece, or one a hidden secret."""
    return s.secrets if s.turn == 0 else POLICEMAN + 1


def legal(s: State, out: Ints) -> int:
    """Write the actor's choices, ascending; return how many."""
    seat = actor(s)
    if seat == CHANCE:
        return memories(s, out)
    if s.turn == 0:
        return allocations(s, seat, out)
    if at_home(s, seat):
        out[0] = absent_order(s, seat)
        return 1
    if s.given[seat] == POLICEMAN:
        return posts(s, seat, out)
    return targets(s, seat, out)


def targets(s: State, seat: int, out: Ints) -> int:
    """SE-3, SE-5: every secret that another player still has; without one the spy idles."""
    k, thief, secrets = 0, s.thief, s.secrets
    for owner in range(s.players):
        if owner != seat:
            for secret in range(secrets):
                out[k] = SECRETS * owner + secret
                k += thief[owner, secret] == 0
    if k == 0:
        out[0] = Choice.IDLE
        k = 1
    return k


def posts(s: State, seat: int, out: Ints) -> int:
    """SE-4 … SE-6: every own secret but the one just guarded in vain; else nothing."""
    k = 0
    for secret in range(s.secrets):
        out[k] = Choice.GUARD + secret
        k += s.thief[seat, secret] == 0 and s.stood[seat] != secret + 1
    if k == 0:
        out[0] = Choice.GUARD_NOTHING
        k = 1
    return k


def allocations(s: State, seat: int, out: Ints) -> int:
    """SE-30: any part of what is left of the 45; the last secret gets all of it."""
    left = points_left(s, seat)
    first = left if s.given[seat] == s.secrets - 1 else 0
    for i in range(left - first + 1):
        out[i] = Choice.ALLOCATE + first + i
    return left - first + 1


def points_left(s: State, seat: int) -> int:
    """What a seat has not spread yet of its 45 points."""
    left = POINTS
    for secret in range(s.given[seat]):
        left -= s.value[seat, secret]
    return left


def play(s: State, choice: int) -> None:
    """Write one order; after the last one the turn is carried out."""
    if choice >= Choice.STOOD:
        remember(s, choice)
        return
    seat = writer(s)
    if s.turn == 0:
        s.value[seat, s.given[seat]] = choice - Choice.ALLOCATE
        s.given[seat] += 1
    else:
        write(s, seat, choice)
    if s.given[seat] == sheet(s) and writer(s) == NOBODY:
        if s.turn > 0:
            carry_out(s)
        start_turn(s, s.turn + 1)


def write(s: State, seat: int, choice: int) -> None:
    """An order is written and sealed; the next spy's or the policeman's comes next."""
    piece = s.given[seat]
    if choice < Choice.IDLE:
        s.order[seat, piece] = 1 + choice
    elif choice == Choice.STAY_HOME:
        s.order[seat, piece] = HOME
    elif Choice.GUARD <= choice < Choice.GUARD_NOTHING:
        s.order[seat, piece] = 1 + choice - Choice.GUARD
    s.given[seat] = next_order(s, seat, piece + 1)


def start_turn(s: State, turn: int) -> None:
    """Order sheets are blank again; after the last turn only what the score needs is kept."""
    s.turn = turn
    for seat in range(s.players):
        for piece in range(SPIES + 1):
            s.order[seat, piece] = 0
        s.given[seat] = next_order(s, seat, 0)
        if turn > s.turns:
            s.given[seat] = s.stood[seat] = s.rumour[seat] = 0
            for secret in range(s.secrets):
                s.told[seat, secret] = 0


def carry_out(s: State) -> None:
    """SE-2: all orders at once; who meets whom is settled before anything moves."""
    came, crowd, met = meetings(s)
    for owner in range(s.players):
        leave_post(s, owner, came >> SECRETS * owner)
    for seat in range(s.players):
        for spy in range(s.spies):
            target = int(s.order[seat, spy]) - 1
            if target >= 0:
                arrive(s, seat, spy, target, crowd >> target & 1, met >> target & 1)


def meetings(s: State) -> tuple[int, int, int]:
    """Where anybody comes, two spies or more, and spies of two seats or more.

    In each number a bit for each target, of secret 0 of seat 0 first.
    """
    came = crowd = met = 0
    for seat in range(s.players):
        own = 0
        for spy in range(s.spies):
            target = int(s.order[seat, spy]) - 1
            bit = 1 << target if target >= 0 else 0
            crowd |= (came | own) & bit
            own |= bit
        met |= came & own
        came |= own
    return came, crowd, met


def arrive(s: State, seat: int, spy: int, target: int, crowd: int, met: int) -> None:
    """SE-10 … SE-13: what becomes of a spy; whether others come there, and of other seats."""
    owner, secret = target // SECRETS, target % SECRETS
    if s.order[owner, POLICEMAN] == 1 + secret:
        s.captor[seat, spy] = 1 + owner
        learn(s, owner, secret, EVERYBODY)  # SE-33
        return
    s.thief[owner, secret] = 0 if crowd else 1 + seat
    if met or not crowd:  # SE-31, SE-32: own spies alone bring nothing home
        learn(s, owner, secret, 1 << seat)


def learn(s: State, owner: int, secret: int, seats: int) -> None:
    """Seats are told what a hidden secret is worth."""
    if s.hidden:
        s.told[owner, secret] |= seats


def leave_post(s: State, owner: int, came: int) -> None:
    """SE-6: a policeman who captured nobody must move; SE-21: others only guess where he stood.

    They know that no spy came there (``came``: a bit for each secret), and that he had not to
    leave it.  If SE-15 gave his order, they know where it sends him.  Where posts are open
    everybody is told.  Where he may stay by option, nothing is bound by where he stood.
    """
    post = int(s.order[owner, POLICEMAN])
    known = s.rumour[owner]
    usual = usual_posts(s, owner) if at_home(s, owner) and not s.hidden else -1
    s.stood[owner] = s.rumour[owner] = 0
    if post == 0 or came >> post - 1 & 1 or s.policeman:
        return
    s.stood[owner] = post
    if s.posts:
        s.rumour[owner] = 1 << post - 1
        return
    left = known if known & known - 1 == 0 else 0  # the only post that he can have had to leave
    s.rumour[owner] = secrets_left(s, owner) & usual & ~came & ~left


def secrets_left(s: State, owner: int) -> int:
    """The secrets that an owner still has: a bit for each."""
    bits = 0
    for secret in range(s.secrets):
        bits |= (s.thief[owner, secret] == 0) << secret
    return bits


def at_home(s: State, seat: int) -> bool:
    """SE-15: whether the seat's orders of this turn are the adjudicator's."""
    home = False
    for spy in range(SPIES):
        home |= s.order[seat, spy] == HOME
    return home


def absent_order(s: State, seat: int) -> int:
    """SE-15: what the adjudicator writes next for a seat that sent no orders."""
    if s.given[seat] < POLICEMAN:
        return Choice.STAY_HOME
    return usual_post(s, seat, s.stood[seat])


def usual_post(s: State, seat: int, stood: int) -> int:
    """SE-15: the most valuable secret that he may guard, of equals the first."""
    best = -1
    for secret in range(s.secrets):
        if s.thief[seat, secret] == 0 and stood != secret + 1:
            if best < 0 or s.value[seat, secret] > s.value[seat, best]:
                best = secret
    return Choice.GUARD_NOTHING if best < 0 else Choice.GUARD + best


def usual_posts(s: State, seat: int) -> int:
    """Where SE-15 may have sent him, for all that others know: a bit for each secret."""
    if s.rumour[seat] == 0:
        return 1 << (usual_post(s, seat, 0) - Choice.GUARD)
    bits = 0
    for secret in range(s.secrets):
        if s.rumour[seat] >> secret & 1:
            bits |= 1 << (usual_post(s, seat, 1 + secret) - Choice.GUARD)
    return bits


def special(s: State, out: Ints) -> int:
    """SE-15: what the adjudicator may write for a seat without orders: all of them or none."""
    seat = actor(s)
    if seat < 0 or s.turn == 0:
        return 0
    out[0] = absent_order(s, seat)
    untouched = s.given[seat] < POLICEMAN and s.given[seat] == next_order(s, seat, 0)
    return 1 if untouched or at_home(s, seat) else 0


def score(s: State, seat: int) -> int:
    """SE-20: the value of the secrets stolen, as far as it is known here, and captured spies."""
    total = 0
    for other in range(s.players):
        for secret in range(s.secrets):
            if s.thief[other, secret] == 1 + seat:
                total += max(0, s.value[other, secret])
        for spy in range(s.spies):
            if s.captor[other, spy] == 1 + seat:
                total += s.reward
    return total


def standing(s: State, seat: int) -> int:
    """SE-20: equal totals share the win."""
    return score(s, seat)
