"""The odds of an order in Secrets, if all the others order evenly among what they may."""

from yegg.text.phrases import counted, percent

from .lore import free_spies
from .rules import writer
from .state import POLICEMAN, SECRETS, UNSEEN, Choice, State


def odds(s: State, choice: int) -> str:
    """As `odds_for`, where all orders before this one are known."""
    return odds_for(s, choice, writer(s))


def odds_for(s: State, choice: int, seat: int) -> str:
    """A line of probabilities for a seat's order; "" where there are none."""
    if choice < Choice.IDLE:
        return theft(s, seat, *divmod(choice, SECRETS))
    if Choice.GUARD <= choice < Choice.GUARD_NOTHING:
        nobody = undisturbed(s, seat, seat)
        expected = s.reward * visits(s, seat)
        return f"a spy comes {percent(1 - nobody)} of the time; {expected:.1f} points on average"
    return ""


def theft(s: State, seat: int, owner: int, secret: int) -> str:
    """How often a spy is captured, meets others, or comes home with the secret."""
    target = 1 + SECRETS * owner + secret
    caught = guarded(s, owner, secret)
    own = target in s.order[seat, :POLICEMAN]
    alone = 0.0 if own else (1 - caught) * undisturbed(s, owner, seat)
    met = 1 - caught - alone
    value = int(s.value[owner, secret])
    gain = "" if value < 0 else f"; {alone * value:.1f} of {counted(value, 'point')} on average"
    clash = " (your own spy goes there too)" if own else ""
    shares = f"is frustrated {percent(met)}{clash}, is captured {percent(caught)}"
    return f"steals {percent(alone)}, {shares}{gain}"


def guarded(s: State, owner: int, secret: int) -> float:
    """How likely the policeman stands there: evenly among where he may (SE-6)."""
    home = int((s.thief[owner, : s.secrets] == 0).sum())
    if s.stood[owner] == UNSEEN:
        posts = int(s.rumour[owner]).bit_count()
        stood = (s.rumour[owner] >> secret & 1) / posts
        return float((1 - stood) / max(1, home - 1))
    if s.stood[owner]:
        return 0.0 if s.stood[owner] == 1 + secret else 1 / max(1, home - 1)
    return 1 / max(1, home)


def targets(s: State, seat: int) -> int:
    """How many secrets a seat's spies may go for."""
    there = s.thief[: s.players, : s.secrets] == 0
    return int(there.sum() - there[seat].sum())


def undisturbed(s: State, owner: int, seat: int) -> float:
    """How likely no spy but the seat's own comes to one of the owner's secrets."""
    nobody = 1.0
    for other in range(s.players):
        if other not in (owner, seat) and targets(s, other):
            nobody *= (1 - 1 / targets(s, other)) ** free_spies(s, other)
    return nobody


def visits(s: State, owner: int) -> float:
    """How many spies come to one of the owner's secrets, on average."""
    return sum(
        free_spies(s, other) / targets(s, other)
        for other in range(s.players)
        if other != owner and targets(s, other)
    )
