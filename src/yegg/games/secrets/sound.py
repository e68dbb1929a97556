"""What cannot be in a position of Secrets, or in what a seat knows of one."""

from collections.abc import Iterator

import numpy as np

from .rules import sheet, writer
from .state import HOME, POINTS, POLICEMAN, SECRETS, SPIES, UNSEEN, State, next_order


def faults(s: State) -> Iterator[str]:
    """Sentences about what cannot be, the first at once; the fields are within their bounds."""
    n = s.players
    if s.turn > s.turns + 1 or (s.turn == 0 and not s.hidden):
        yield f"there is no turn {s.turn}"
    for field in (s.value, s.thief, s.captor, s.told, s.stood, s.rumour, s.owed, s.given, s.order):
        if np.any(field[n:]):
            yield "something is known of a player who is not there"
    if np.any(s.thief > n) or np.any(s.captor > n):
        yield "a player is named who is not there"
    if any(np.any(of[:, s.secrets :]) for of in (s.value, s.thief, s.told)):
        yield "there are not so many secrets (SE-1)"
    if np.any(s.captor[:, s.spies :]):
        yield "there are not so many spies (SE-1)"
    if s.turn <= s.turns and writer(s) < 0:
        yield "all orders are written, but not carried out (SE-2)"
    for seat in range(n):
        yield from of_values(s, seat)
        yield from of_policeman(s, seat)
        yield from of_orders(s, seat)


def of_values(s: State, owner: int) -> Iterator[str]:
    """SE-1, SE-30: what secrets are worth, and the points that chance has yet to remember."""
    value, unknown = s.value[owner], s.value[owner] < 0
    if not s.hidden and (value[: s.secrets].tolist() != [*range(1, s.secrets + 1)]):
        yield "secrets are worth their number (SE-1)"
    if bool(s.owed[owner]) != bool(unknown.any()) or (s.turn == 0 and s.owed[owner]):
        yield "values are unknown that nobody has yet to remember"
    spread = value[~unknown].sum() - (1 + value[unknown]).sum() + max(0, s.owed[owner] - 1)
    if s.hidden and (spread > POINTS or (0 < s.turn <= s.turns and spread != POINTS)):
        yield f"there are {POINTS} points to spread (SE-30)"
    if s.turn == 0 and np.any(value[s.given[owner] :]):
        yield "a secret has points that nobody has given it"


def of_policeman(s: State, owner: int) -> Iterator[str]:
    """SE-6, SE-21: where he stood, and where he may have stood."""
    stood, rumour = s.stood[owner], s.rumour[owner]
    if stood > s.secrets or rumour >> s.secrets:
        yield "a policeman stood where no secret is"
    if stood == UNSEEN and not rumour:
        yield "a policeman stood nowhere, and nobody knows where"
    if (stood or rumour) and not 1 < s.turn <= s.turns:
        yield "a policeman stood somewhere before the first turn, or after the last"


def of_orders(s: State, seat: int) -> Iterator[str]:
    """SE-2 … SE-5: an order sheet is filled line by line."""
    given, order = s.given[seat], s.order[seat]
    if given > sheet(s):
        yield "an order sheet has no such line"
    if s.turn == 0 or s.turn > s.turns:
        if np.any(order) or (s.turn and given):
            yield "orders are written when none are asked for"
        return
    if given <= POLICEMAN and given != next_order(s, seat, given):
        yield "a spy is ordered who was captured (SE-10)"
    for piece in range(SPIES):
        target = order[piece] - 1
        owner = target // SECRETS
        written = piece < given and piece < s.spies and not s.captor[seat, piece]
        if order[piece] and not written:
            yield "a spy has an order before his turn, or is not free"
        if order[piece] > 0 and (
            owner == seat or owner >= s.players or target % SECRETS >= s.secrets
        ):
            yield "a spy is sent where no secret of another player is (SE-3)"
    if order[POLICEMAN] and (given <= POLICEMAN or not 0 < order[POLICEMAN] <= s.secrets):
        yield "a policeman guards what is no secret of his (SE-4)"
    if HOME in order[:SPIES] and not all(order[i] in (0, HOME) for i in range(SPIES)):
        yield "some spies stay at home and others do not (SE-15)"
