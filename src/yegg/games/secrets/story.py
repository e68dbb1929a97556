"""A turn told as a story: what everybody hears, and what one seat alone is told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from . import rules
from .state import EVERYBODY, HOME, POLICEMAN, REWARD, SECRETS, SPIES, SPY_NAMES, Choice, State

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Meeting:
    """Everybody who came to one secret in one turn."""

    owner: int
    secret: int
    visitors: list[tuple[int, int]]
    """Seat and spy of each."""
    guarded: bool
    value: int


def secret_name(s: State, secret: int) -> str:
    """SE-1: a number from 1; SE-30: a letter from A when they are hidden."""
    return chr(ord("A") + secret) if s.hidden else str(secret + 1)


def spell(count: int, noun: str) -> str:
    """``one point``, ``nine points``, ``12 points``."""
    number = NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)
    return f"{number} {noun}" + ("" if count == 1 else "s")


def of(name: str) -> str:
    """A name's genitive."""
    if name == "You":
        return "Your"
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def listed(things: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(things[:-1]), things[-1]] if len(things) > 1 else things)


def sealed(before: State, choice: int) -> Any:
    """The order sheets as they are when the last one is complete."""
    s = before.copy()  # type: ignore[attr-defined]
    rules.write(s, rules.writer(s), choice)
    return s


def completes(s: State, choice: int) -> bool:
    """Whether with this event all orders of a turn (or all allocations) are in."""
    if choice >= Choice.STOOD:
        return False
    last = rules.writer(s) == s.players - 1
    if s.turn == 0:
        return last and s.given[s.players - 1] == s.secrets - 1
    return last and s.given[s.players - 1] == POLICEMAN


def meetings(full: State) -> Iterator[Meeting]:
    """Where spies came, by owner and secret, from complete order sheets."""
    came: dict[int, list[tuple[int, int]]] = {}
    orders = full.order.tolist()
    for seat in range(full.players):
        for spy in range(full.spies):
            if orders[seat][spy] > 0:
                came.setdefault(orders[seat][spy] - 1, []).append((seat, spy))
    for target in sorted(came):
        owner, secret = divmod(target, SECRETS)
        guarded = orders[owner][POLICEMAN] == 1 + secret
        yield Meeting(owner, secret, came[target], guarded, int(full.value[owner, secret]))


def news(before: State, choice: int, names: Sequence[str], seat: int) -> list[str]:
    """What a seat hears (-1: everybody) once this event is carried out: one sentence each."""
    if not completes(before, choice):
        return []
    if before.turn == 0:
        return ["All points are spread; nobody knows where the others' lie."]
    full = sealed(before, choice)
    lines = [f"Turn {full.turn} of {full.turns}."]
    lines += [
        f"No orders came from {names[absent]}: the spies stayed at home."
        for absent in range(full.players)
        if HOME in full.order[absent, :SPIES]
    ]
    told = [account(full, meeting, names, seat) for meeting in meetings(full)]
    return lines + (told or ["No spy was seen anywhere."])


def account(full: State, meeting: Meeting, names: Sequence[str], seat: int) -> str:
    """SE-10 … SE-13 in a sentence; SE-31 … SE-33: with the value for those who are told it."""
    where = f"{of(names[meeting.owner])} secret {secret_name(full, meeting.secret)}"
    spies = listed([f"{of(names[who])} {SPY_NAMES[spy]}" for who, spy in meeting.visitors])
    points = spell(meeting.value, "point")
    knows = knows_value(full, meeting, seat)
    again = full.turn + 3 * meeting.owner + meeting.secret
    if meeting.guarded:
        worth = f" The secret is worth {points}." if full.hidden else ""
        reward = spell(REWARD * len(meeting.visitors), "point")
        traps = (
            f"{spies} walked into the arms of the law at {where}: {reward} for the policeman.",
            f"The policeman was waiting at {where} and captures {spies}: {reward}.",
            f"{spies} did not see the policeman at {where} in time: captured, {reward}.",
        )
        return traps[again % 3] + worth
    if len(meeting.visitors) == 1:
        thefts = (
            f"{spies} steals {where}",
            f"{spies} slips away with {where}",
            f"{spies} leaves nothing of {where}",
        )
        return thefts[again % 3] + (f": {points}." if knows else ".")
    worth = f" It is worth {points}." if full.hidden and knows else ""
    clashes = (
        f"{spies} frustrate each other at {where}.",
        f"{spies} meet at {where} and leave with nothing.",
        f"At {where} {spies} get in each other's way.",
    )
    return clashes[again % 3] + worth


def knows_value(full: State, meeting: Meeting, seat: int) -> bool:
    """Whether a seat (-1: everybody) knows what a secret is worth after this meeting."""
    told = full.told[meeting.owner, meeting.secret]
    if not full.hidden or told == EVERYBODY:
        return True
    there = seat == meeting.owner or seat in {who for who, _ in meeting.visitors}
    return there or (seat >= 0 and bool(told >> seat & 1))


def tell(s: State, choice: int, names: Sequence[str]) -> str:
    """An order in a sentence, for those who may read it."""
    if choice >= Choice.STOOD:
        return "What is not known is left to chance."
    seat = rules.writer(s)
    name, piece = names[seat], int(s.given[seat])
    if s.turn == 0:
        points = spell(choice - Choice.ALLOCATE, "point")
        puts = "put" if name == "You" else "puts"
        return f"{name} {puts} {points} on secret {secret_name(s, piece)}."
    if choice == Choice.GUARD_NOTHING:
        return f"{of(name)} policeman has nothing to guard."
    if choice >= Choice.GUARD and choice != Choice.STAY_HOME:
        return f"{of(name)} policeman guards secret {secret_name(s, choice - Choice.GUARD)}."
    spy = f"{of(name)} {SPY_NAMES[piece]}"
    if choice == Choice.STAY_HOME:
        return f"{spy} stays at home: no orders came."
    if choice == Choice.IDLE:
        return f"{spy} finds nothing left to steal."
    owner, secret = divmod(choice, SECRETS)
    return f"{spy} goes for {of(names[owner])} secret {secret_name(s, secret)}."
