"""Secrets in words: record texts, reports of turns, and what of them a seat may read."""

from collections.abc import Sequence
from typing import Any

from yegg.engine import CHANCE
from yegg.text.phrases import counted, listing

from . import rules
from .events import Meeting, Turn, completes, event, sealed
from .memory import forgotten, knows
from .orders import ALLOCATION, GUARD, ORDER, secret_of, single, why_not
from .rules import points_left, writer
from .state import POINTS, POLICEMAN, SECRETS, SPIES, SPY_NAMES, Choice, State, of, secret_name

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


def news(before: State, choice: int, names: Sequence[str], seat: int) -> list[str]:
    """What a seat hears (-1: everybody) once this event is carried out: one sentence each."""
    turn = event(before, choice)
    if turn is None:
        spread = before.turn == 0 and completes(before, choice)
        return ["All points are spread; nobody knows where the others' lie."] if spread else []
    full = sealed(before, choice)
    lines = [f"Report of turn {turn.number} of {full.turns}:"]
    lines += [
        f"No orders received from {names[absent]}: the spies stayed at home."
        for absent in turn.absent
    ]
    told = [account(full, meeting, names, seat) for meeting in turn.meetings]
    lines += told or ["No spy went anywhere."]
    return lines + posts(full, turn, names) if full.posts else lines


def account(full: State, meeting: Meeting, names: Sequence[str], seat: int) -> str:
    """SE-10 … SE-13 in a sentence; SE-31 … SE-33: with the value for those who are told it."""
    owner, secret = of(names[meeting.owner]), f"secret {secret_name(full, meeting.secret)}"
    spies = listing([f"{of(names[who])} {SPY_NAMES[spy]}" for who, spy in meeting.visitors])
    points = counted(int(full.value[meeting.owner, meeting.secret]), "point")
    knows = knows_value(full, meeting, seat)
    worth = f" The secret is worth {points}." if full.hidden and knows else ""
    if meeting.guarded:
        reward = counted(int(full.reward) * len(meeting.visitors), "point")
        return f"{owner} policeman captures {spies} at {secret}: {reward}.{worth}"
    if len(meeting.visitors) == 1:
        brings = f": {points}" if knows else "; how many points it brings is not told"
        return f"{spies} steals {owner} {secret}{brings}."
    return f"{spies} frustrate each other at {owner} {secret}.{worth}"


def knows_value(full: State, meeting: Meeting, seat: int) -> bool:
    """Whether a seat (-1: everybody) knows what a secret is worth after this meeting."""
    if not full.hidden or meeting.guarded or seat == meeting.owner:
        return True
    return seat in meeting.learners or knows(full.told[meeting.owner, meeting.secret], seat)


def posts(full: State, turn: Turn, names: Sequence[str]) -> list[str]:
    """SE-21: where every policeman stood, for a table whose posts are open."""
    stood = [
        f"{of(names[seat])} secret {secret_name(full, post)}"
        for seat, post in turn.posts.items()
        if post >= 0
    ]
    idle = [of(names[seat]) for seat, post in turn.posts.items() if post < 0]
    told = [f"{'Policemen' if len(stood) > 1 else 'A policeman'} stood at {listing(stood)}."]
    less = f"{listing(idle)} {'policemen' if len(idle) > 1 else 'policeman'} had nothing to guard."
    return told * bool(stood) + [less] * bool(idle)


def tell(s: State, choice: int, names: Sequence[str]) -> str:
    """An order in a sentence, for those who may read it."""
    if choice >= Choice.STOOD:
        return "What is not known is left to chance."
    seat = rules.writer(s)
    name, piece = names[seat], int(s.given[seat])
    if s.turn == 0:
        points = counted(choice - Choice.ALLOCATE, "point")
        puts = "put" if name == "You" else "puts"
        return f"{name} {puts} {points} on secret {secret_name(s, piece)}."
    if choice == Choice.GUARD_NOTHING:
        return f"{of(name)} policeman has nothing to guard."
    if choice >= Choice.GUARD and choice != Choice.STAY_HOME:
        return f"{of(name)} policeman guards secret {secret_name(s, choice - Choice.GUARD)}."
    spy = f"{of(name)} {SPY_NAMES[piece]}"
    if choice == Choice.STAY_HOME:
        return f"{spy} stays at home: no orders received."
    if choice == Choice.IDLE:
        return f"{spy} has nothing left to steal."
    owner, secret = divmod(choice, SECRETS)
    return f"{spy} goes for {of(names[owner])} secret {secret_name(s, secret)}."


def tell_part(text: str, name: str) -> str:
    """SE-21, SE-30: an event in a sentence for those who are not told what ``-`` stands for."""
    if text == "guards -":
        return f"{of(name)} policeman guards a secret; which one is not told."
    _, letter, _ = text.split()
    return f"{name} puts points on secret {letter}; how many is not told."
