"""What a record says of its dice, in comments of its head, and whether they are as promised.

::

    # dice: yegg dice 1
    # promise: 64 hexadecimal digits
    # after: 41                       only where the first events were played before the promise
    # origin: 64 hexadecimal digits   the promise that these were played under, if there was one
    # salt 2: MyOwnWord               of seat 2
    # seed: 64 hexadecimal digits     once the game is over

Every reader of records passes over comments, so that such a record is a record like any other.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from . import promised
from .match import Match
from .notation import BadRecord
from .record import CHANCE

LINE = re.compile(r"# (dice|promise|after|origin|seed|salt [1-9]\d?): (.*)")
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
    """How many events were played before the promise, elsewhere or under another one."""
    seed: str | None = field(default=None, repr=False)
    """In hexadecimal digits, once the game is over."""
    origin: str | None = None
    """The promise that those events were played under, if there was one."""

    def lines(self) -> list[str]:
        """The comments for the head of a record."""
        lines = [f"# dice: {promised.NAME}", f"# promise: {self.promise}"]
        if self.after:
            lines.append(f"# after: {self.after}")
            lines += [f"# origin: {self.origin}"] if self.origin else []
        lines += [f"# salt {seat}: {self.salts[seat]}" for seat in sorted(self.salts)]
        if self.seed:
            lines.append(f"# seed: {self.seed}")
        return lines

    @property
    def salted(self) -> str:
        """All salts in a line; empty if nobody gave one."""
        return ", ".join(f"seat {seat} {self.salts[seat]}" for seat in sorted(self.salts))

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
    after = int(said.get("after", 0))
    return Pledge(said["promise"], salts, after, said.get("seed"), said.get("origin"))


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
    elsewhere: int = 0
    """How many come before it, and were compared with what follows from earlier promises."""


class Earlier(NamedTuple):
    """A record of what was played before another one's promise."""

    match: Match
    pledge: Pledge | None


def judge(
    match: Match,
    pledge: Pledge | None,
    noted: str | None = None,
    given: Iterable[str] = (),
    earlier: Sequence[Earlier] = (),
) -> Verdict:
    """Whether the dice of a match are those promised.

    ``noted`` is the promise that somebody wrote down before the game, ``given`` are salts that were
    given to it, and ``earlier`` are records of what was played before the promise.
    """
    chance = match.actors.count(CHANCE)
    if pledge is None:
        why = "nobody promised the dice of this record"
        return Verdict(None, chance, 0, [Fault(None, why)])
    covered, faults = compared(match, pledge)
    head = _of_the_head(match, pledge)
    before = match.actors[: pledge.after].count(CHANCE)
    elsewhere, lacking = _before(match, pledge, before, earlier) if before else (0, [])
    if noted is not None and noted.lower() != pledge.promise:
        why = f"the record promises {pledge.promise}, but you noted {noted.lower()}"
        head.insert(0, Fault(None, why))
    head += [Fault(None, _no_salt(pledge, s)) for s in given if s not in pledge.salts.values()]
    return Verdict(pledge, chance, covered, [*head, *faults, *lacking], elsewhere)


def _no_salt(pledge: Pledge, given: str) -> str:
    return f"you gave the salt {given!r}, but the record has {pledge.salted or 'none'}"


def _before(
    match: Match, pledge: Pledge, before: int, earlier: Sequence[Earlier]
) -> tuple[int, list[Fault]]:
    """How many of the chance events before a promise the earlier records cover; what is amiss."""
    which = f"{before} of {match.actors.count(CHANCE)} chance events came before the promise, "
    if pledge.origin is None:
        return 0, [Fault(None, f"{which}and the record does not say under which other one")]
    found = [one for one in earlier if one.pledge and one.pledge.promise == pledge.origin]
    if not found:
        why = f"{which}under {pledge.origin}, and no record of that promise was given"
        return 0, [Fault(None, why)]
    there, promised = found[0]
    parts = _parting(match, there, pledge.after)
    if parts is not None:
        return 0, [Fault(parts, f"{which}but the record of {pledge.origin} is another one")]
    others = [one for one in earlier if one is not found[0]]
    verdict = judge(there, promised, earlier=others)
    faults = [one for one in verdict.faults if one.event is None or one.event <= pledge.after]
    told = [Fault(one.event, f"in the record of {pledge.origin}: {one.why}") for one in faults]
    return 0 if told else before, told


def _parting(match: Match, other: Match, events: int) -> int | None:
    """The first event, from 1, at which two matches are not the same; None if there is none."""
    same = (match.game.name, match.players, match.options)
    if same != (other.game.name, other.players, other.options):
        return 1
    mine, theirs = match.history[:events], other.history[:events]
    pairs = enumerate(zip_longest(mine, theirs), 1)
    return next((event for event, (one, two) in pairs if one != two), None)


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


def _of_the_head(match: Match, pledge: Pledge) -> list[Fault]:
    faults = list[Fault]()
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
