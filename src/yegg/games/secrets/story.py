"""A turn told as a story: what everybody hears, and what one seat alone is told."""

from collections.abc import Sequence

from yegg.text.phrases import counted, listing

from . import rules
from .events import Meeting, Turn, completes, event, sealed
from .memory import knows
from .state import SECRETS, SPY_NAMES, Choice, State


def secret_name(s: State, secret: int) -> str:
    """SE-1: a number from 1; SE-30: a letter from A when they are hidden."""
    return chr(ord("A") + secret) if s.hidden else str(secret + 1)


def of(name: str) -> str:
    """A name's genitive."""
    if name == "You":
        return "Your"
    return f"{name}'" if name.endswith("s") else f"{name}'s"


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
