"""Why an order cannot be given now, with the clause."""

import re

from yegg.engine.voice import Why

from .rules import points_left, writer
from .state import POLICEMAN, SPY_NAMES, State
from .story import secret_name

ORDER = re.compile(r"(club|diamond|heart|spade) (?:steals (\d+|[A-J]) from (\d+)|idles|stays home)")
GUARD = re.compile(r"guards (\d+|[A-J]|nothing)")
ALLOCATION = re.compile(r"allocate ([A-J]) (\d+)")


def secret_of(s: State, name: str) -> int | None:
    """The secret of this name, if there is one in this game."""
    names = [secret_name(s, secret) for secret in range(s.secrets)]
    return names.index(name) if name in names else None


def why_not(s: State, text: str) -> str | None:
    """Why a sentence of the game is not possible now, with the clause; None for anything else."""
    if found := ORDER.fullmatch(text):
        return _why_no_order(s, text, *found.groups())
    if found := GUARD.fullmatch(text):
        return _why_no_post(s, found[1])
    if found := ALLOCATION.fullmatch(text):
        return _why_no_points(s, found[1], int(found[2]))
    return None


def _why_no_order(s: State, text: str, name: str, secret: str | None, owner: str | None) -> str:
    seat, spy = writer(s), [spy.lower() for spy in SPY_NAMES].index(name)
    if s.turn == 0:
        return "SE-30: first the points are spread"
    if spy >= s.spies:
        return f"SE-1: nobody has a {SPY_NAMES[spy]} in this game"
    if s.captor[seat, spy]:
        return f"SE-10: {SPY_NAMES[spy]} is captured and gone for good"
    if spy != s.given[seat]:
        due = "policeman" if s.given[seat] == POLICEMAN else SPY_NAMES[s.given[seat]]
        return f"SE-3: the next order is for the {due}"
    if text.endswith("home"):
        return "SE-15: only the adjudicator keeps spies at home, and all of a player's or none"
    if owner is None or secret is None:
        return "SE-4: no spy idles while a target is left"
    if not 1 <= int(owner) <= s.players:
        return f"SE-3: there is no seat {owner}"
    return why_no_target(s, seat, int(owner) - 1, secret)


def why_no_target(s: State, seat: int, owner: int, name: str) -> str:
    """Why a spy cannot be sent to this secret."""
    secret = secret_of(s, name)
    if secret is None:
        return f"SE-1: there is no secret {name}; they are {span(s)}"
    if owner == seat:
        return "SE-3: a spy is sent to another player's secret, not to your own"
    if s.thief[owner, secret]:
        return f"SE-5: secret {name} is stolen already"
    return "SE-15: this seat's orders have not come; its spies stay home"


def why_no_post(s: State, seat: int, name: str) -> Why | None:
    """Why the policeman cannot guard this secret; None if he can."""
    secret = secret_of(s, name)
    if secret is None:
        return Why("SE-1", f"there is no secret {name}; they are {span(s)}")
    if s.thief[seat, secret]:
        return Why("SE-5", f"secret {name} is stolen; there is nothing to guard")
    if s.stood[seat] == 1 + secret:
        return Why("SE-6", f"the policeman captured nobody at {name} and must move")
    return None


def _why_no_post(s: State, name: str) -> str:
    seat = writer(s)
    if s.turn == 0:
        return "SE-30: first the points are spread"
    if s.given[seat] != POLICEMAN:
        return f"SE-3: the next order is for the {SPY_NAMES[s.given[seat]]}"
    if name == "nothing":
        return "SE-4: the policeman does not idle while there is a secret that he may guard"
    return str(why_no_post(s, seat, name) or "SE-15: this seat's orders have not come")


def _why_no_points(s: State, name: str, points: int) -> str:
    if s.turn > 0:
        return "SE-30: points are spread before the first turn, when secrets are hidden"
    letter = secret_name(s, s.given[writer(s)])
    if name != letter:
        return f"SE-30: the next points are for {letter}"
    left = points_left(s, writer(s))
    if points > left:
        return f"SE-30: {points} points, but only {left} of the 45 are left"
    return f"SE-30: the last secret gets all of the {left} points that are left"


def span(s: State) -> str:
    """The first and the last secret there are."""
    return f"{secret_name(s, 0)} to {secret_name(s, s.secrets - 1)}"
