"""How Secrets is written in a record, and what of it a seat may read."""

import re
from collections.abc import Sequence
from typing import Any

from yegg.engine import CHANCE

from .memory import forgotten
from .rules import points_left, writer
from .state import EVERYBODY, POINTS, POLICEMAN, SECRETS, SPIES, SPY_NAMES, Choice, State
from .story import news, secret_name, tell

__all__ = ["ask", "hear", "meant", "news", "say", "seen", "tell", "why_not"]

ORDER = re.compile(r"(club|diamond|heart|spade) (?:steals (\d+|[A-J]) from (\d+)|idles|stays home)")
GUARD = re.compile(r"guards (\d+|[A-J]|nothing)")
ALLOCATION = re.compile(r"allocate ([A-J]) (\d+)")


def secret_of(s: State, name: str) -> int | None:
    """The secret of this name, if there is one in this game."""
    names = [secret_name(s, secret) for secret in range(s.secrets)]
    return names.index(name) if name in names else None


def say(s: State, choice: int) -> str:
    """``club steals 2 from 3``, ``guards 7``, ``allocate A 9``; in views ``recall 3 guards 7``."""
    if choice >= Choice.STOOD:
        owner = forgotten(s) + 1
        if choice < Choice.TICKET:
            return f"recall {owner} guards {secret_name(s, choice - Choice.STOOD)}"
        return f"recall {owner} ticket {choice - Choice.TICKET + 1}"
    if Choice.ALLOCATE <= choice < Choice.STAY_HOME:
        letter = secret_name(s, s.given[writer(s)])
        return f"allocate {letter} {choice - Choice.ALLOCATE}"
    if choice == Choice.GUARD_NOTHING:
        return "guards nothing"
    if Choice.GUARD <= choice < Choice.GUARD_NOTHING:
        return f"guards {secret_name(s, choice - Choice.GUARD)}"
    spy = SPY_NAMES[min(s.given[writer(s)], SPIES - 1)].lower()
    if choice == Choice.IDLE:
        return f"{spy} idles"
    if choice == Choice.STAY_HOME:
        return f"{spy} stays home"
    owner, secret = divmod(choice, SECRETS)
    return f"{spy} steals {secret_name(s, secret)} from {owner + 1}"


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
        return "SE-3: a spy is sent to another player's secret, not to an own one"
    if s.thief[owner, secret]:
        return f"SE-5: secret {name} is stolen already"
    return "SE-15: this seat's orders have not come; its spies stay home"


def why_no_post(s: State, seat: int, name: str) -> str | None:
    """Why the policeman cannot guard this secret; None if he can."""
    secret = secret_of(s, name)
    if secret is None:
        return f"SE-1: there is no secret {name}; they are {span(s)}"
    if s.thief[seat, secret]:
        return f"SE-5: secret {name} is stolen; there is nothing to guard"
    if s.stood[seat] == 1 + secret:
        return f"SE-6: the policeman captured nobody at {name} and must move"
    return None


def _why_no_post(s: State, name: str) -> str:
    seat = writer(s)
    if s.turn == 0:
        return "SE-30: first the points are spread"
    if s.given[seat] != POLICEMAN:
        return f"SE-3: the next order is for the {SPY_NAMES[s.given[seat]]}"
    if name == "nothing":
        return "SE-4: the policeman does not idle while there is a secret that he may guard"
    return why_no_post(s, seat, name) or "SE-15: this seat's orders have not come"


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


def seen(past: Any, i: int, seat: int) -> str:
    """SE-2, SE-21, SE-30 … SE-33: what is sealed is ``-``, so is a post where nobody came."""
    before, choice, actor = past.states[i], past.choices[i], past.actors[i]
    now = past.states[-1]
    text = say(before, choice)
    if actor in (seat, CHANCE) or now.turn > now.turns:
        return text
    if before.turn == 0:
        told = now.told[actor, before.given[actor]]
        known = told == EVERYBODY if seat < 0 else told >> seat & 1
        return text if known else f"{text.rpartition(' ')[0]} -"
    if before.turn == now.turn:
        return "-"
    if before.given[actor] < POLICEMAN or now.posts:
        return text
    after = next(s for s in past.states[i:] if s.turn > before.turn)
    fresh = (after.captor == 1 + actor) & (before.captor == 0)
    return text if fresh.any() else "guards -"


def meant(s: State, typed: str, names: Sequence[str]) -> int | None:
    """The order that a person means who writes it as people do: ``Club steals 2 from Bill``."""
    from .orders import single

    return single(typed, s, writer(s), names) if s.turn else None


def ask(s: State) -> str:
    """The question before the actor."""
    seat = writer(s)
    if s.turn == 0:
        left, letter = points_left(s, seat), secret_name(s, s.given[seat])
        return f"How many of your {left} points lie on secret {letter}?"
    if s.given[seat] < POLICEMAN:
        return f"Whose secret does {SPY_NAMES[s.given[seat]]} go for?"
    return "Which secret does your policeman guard?"


def clauses(s: State) -> tuple[int, ...]:
    """The clauses that apply to what is asked now."""
    seat = writer(s)
    if seat < 0:
        return (20, 21)
    if s.turn == 0:
        return (30,)
    return (3, 10, 11, 12) if s.given[seat] < POLICEMAN else (4, 5, 6)


def hear(s: State, text: str) -> int | None:
    """The choice that a sentence of the record means, be it legal or not."""
    if found := GUARD.fullmatch(text):
        secret = None if found[1] == "nothing" else secret_of(s, found[1])
        return Choice.GUARD_NOTHING if secret is None else Choice.GUARD + secret
    if found := ALLOCATION.fullmatch(text):
        return Choice.ALLOCATE + min(POINTS, int(found[2]))
    if not (found := ORDER.fullmatch(text)):
        return None
    if found[2] is None:
        return Choice.STAY_HOME if text.endswith("home") else Choice.IDLE
    secret = secret_of(s, found[2])
    owner = int(found[3]) - 1
    there = secret is not None and 0 <= owner < s.players
    return SECRETS * owner + secret if secret is not None and there else None
