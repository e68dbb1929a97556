"""How Secrets is written in a record, and what of it a seat may read."""

from collections.abc import Sequence
from typing import Any

from yegg.engine import CHANCE

from .memory import forgotten, knows
from .orders import single
from .reasons import ALLOCATION, GUARD, ORDER, secret_of, why_not
from .rules import points_left, writer
from .state import POINTS, POLICEMAN, SECRETS, SPIES, SPY_NAMES, Choice, State
from .story import news, secret_name, tell, tell_part

__all__ = ["ask", "hear", "meant", "news", "say", "seen", "tell", "tell_part", "why_not"]


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


def seen(past: Any, i: int, seat: int) -> str:
    """SE-2, SE-21, SE-30 … SE-33: what is sealed is ``-``, so is a post where nobody came."""
    before, choice, actor = past.states[i], past.choices[i], past.actors[i]
    now = past.states[-1]
    text = say(before, choice)
    if actor in (seat, CHANCE) or now.turn > now.turns:
        return text
    if before.turn == 0:
        known = knows(now.told[actor, before.given[actor]], seat)
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
    if s.turn > s.turns:
        return (20, 21)
    if s.turn == 0:
        return (30,)
    seat = writer(s)
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
