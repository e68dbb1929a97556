"""What a record says of its dice, in comments of its head, and whether they are as promised.

::

    # dice: yegg dice 1
    # promise: 64 hexadecimal digits
    # after: 41                       only where the first events were played elsewhere
    # salt 2: MyOwnWord               of seat 2
    # seed: 64 hexadecimal digits     once the game is over

Every reader of records passes over comments, so that such a record is a record like any other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from . import promised
from .match import Match
from .notation import BadRecord
from .record import CHANCE

LINE = re.compile(r"# (dice|promise|after|seed|salt [1-9]\d?): (.*)")
HEX = re.compile(r"[0-9a-f]{64}")
NUMBER = re.compile(r"[1-9]\d{0,5}")
UNPROMISED = "# dice: not promised"


@dataclass(frozen=True)
class Pledge:
    """The promise of a game's dice, and what opens it."""

    promise: str
    salts: Mapping[int, str] = field(default_factory=dict)
    """By seat, from 1; once the game has begun they stay as they are."""
    after: int = 0
    """How many events were played elsewhere, before the promise."""
    seed: str | None = field(default=None, repr=False)
    """In hexadecimal digits, once the game is over."""

    def lines(self) -> list[str]:
        """The comments for the head of a record."""
        lines = [f"# dice: {promised.NAME}", f"# promise: {self.promise}"]
        if self.after:
            lines.append(f"# after: {self.after}")
        lines += [f"# salt {seat}: {self.salts[seat]}" for seat in sorted(self.salts)]
        if self.seed:
            lines.append(f"# seed: {self.seed}")
        return lines

    @property
    def key(self) -> bytes:
        """What all chance follows from, once the seed is known."""
        return promised.key(bytes.fromhex(self.seed or ""), self.salts, self.after)


class Fault(NamedTuple):
    """Something that is not as promised."""

    event: int | None
    """The number of the event, from 1; None: it is in the head."""
    why: str


def pledged(text: str, name: str) -> Pledge | None:
    """What a record says of its dice; None if it promises nothing.  Raises BadRecord."""
    said: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            break
        if found := LINE.fullmatch(line):
            what, value = found.groups()
            if what in said:
                raise BadRecord(name, number, f"a second line '# {what}: …'")
            if not _fits(what, value):
                raise BadRecord(name, number, f"{value!r} cannot be the {what} of {promised.NAME}")
            said[what] = value
    if said.get("dice") != promised.NAME or "promise" not in said:
        return None
    salts = {int(what[5:]): salt for what, salt in said.items() if what.startswith("salt ")}
    return Pledge(said["promise"], salts, int(said.get("after", 0)), said.get("seed"))


def _fits(what: str, value: str) -> bool:
    if what == "dice":
        return True
    if what == "after":
        return NUMBER.fullmatch(value) is not None
    return (promised.SALT if what.startswith("salt") else HEX).fullmatch(value) is not None


@dataclass(frozen=True)
class Verdict:
    """What was found out about the dice of a record."""

    pledge: Pledge | None
    chance: int
    """How many chance events there are."""
    checked: int
    """How many of them come after the promise, and were compared with what follows from it."""
    faults: list[Fault]


def judge(match: Match, pledge: Pledge | None, noted: str | None = None) -> Verdict:
    """Whether the dice of a match are those promised.

    ``noted`` is the promise that somebody wrote down before the game.
    """
    if pledge is None:
        why = "nobody promised the dice of this record"
        return Verdict(None, match.actors.count(CHANCE), 0, [Fault(None, why)])
    covered, faults = compared(match, pledge)
    chance = match.actors.count(CHANCE)
    if pledge.seed and chance and not covered:
        faults.append(Fault(None, "no die and no card of this record came after its promise"))
    return Verdict(pledge, chance, covered, [*_of_the_head(match, pledge, noted), *faults])


def compared(match: Match, pledge: Pledge) -> tuple[int, list[Fault]]:
    """How many chance events a promise is about, and those that are not as it says.

    Without the seed none can be compared.
    """
    if pledge.seed is None:
        return 0, []
    covered, faults, key = 0, list[Fault](), pledge.key
    for draw in promised.draws(match):
        if draw.event > pledge.after:
            covered += 1
            due = promised.index(key, draw.kind, draw.n, len(draw.texts))
            if due != draw.drawn:
                faults.append(Fault(draw.event, _other(draw, due)))
    return covered, faults


def _of_the_head(match: Match, pledge: Pledge, noted: str | None) -> list[Fault]:
    faults = []
    if noted is not None and noted.lower() != pledge.promise:
        why = f"the record promises {pledge.promise}, but you noted {noted.lower()}"
        faults.append(Fault(None, why))
    if pledge.seed is None:
        why = "the seed is not opened: that is done when the game is over"
        return [*faults, Fault(None, why)]
    if not match.over:
        faults.append(Fault(None, "the seed is opened, but the game is not over"))
    if (given := promised.promise(bytes.fromhex(pledge.seed))) != pledge.promise:
        why = f"the seed is not the one promised: {pledge.promise} was, but it gives {given}"
        faults.append(Fault(None, why))
    if beyond := [seat for seat in pledge.salts if seat > match.players]:
        faults.append(Fault(None, f"there is salt of seat {beyond[0]}, but no such seat"))
    if pledge.after > len(match.history):
        why = f"the promise begins after event {pledge.after}, but there are fewer events"
        faults.append(Fault(None, why))
    return faults


def _other(draw: promised.Draw, due: int) -> str:
    came, was_due = draw.texts[draw.drawn], draw.texts[due]
    return f"{came!r} came, but the {draw.kind} number {draw.n} had to be {was_due!r}"


UNPROVEN = (
    (
        "That the promise is older than the game: only whoever noted it before can tell. "
        "Otherwise whoever wrote the record may have made up promise, salts and dice together."
    ),
    (
        "That nobody knew the dice. Whoever runs the server can look at the seed while the game "
        "goes on, and could tell a player or a bot."
    ),
    (
        "That the seed was not picked out of many, if no player gave a salt of their own: the "
        "server could have tried seeds before it promised one."
    ),
    (
        "That the server and whoever sat down last did not pick the dice together: the server "
        "knows seed and salts, so that the last salt can be picked to suit."
    ),
    ("That no other game was begun before and given up because its dice did not please somebody."),
    (
        "Who made the players' choices, or that they are the ones that were made: only what "
        "chance did is compared."
    ),
)
"""What agreement does not prove, a sentence or two each."""
