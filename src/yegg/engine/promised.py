"""Provably fair dice: a seed promised beforehand and the players' salt decide all chance.

The whole algorithm is ``yegg dice 1``.  Anything that has SHA-256 and HMAC can check it::

    promise  SHA-256("yegg dice 1\\n" + seed)   seed: 32 random bytes, kept until the game is over
    key      HMAC-SHA256(seed, "yegg dice 1\\n" + salts)
    salts    "SEAT SALT\\n" for each seat (from 1) that gave one, ascending;
             before them "0 N\\n" where the first N events were played elsewhere
    block j  HMAC-SHA256(key, "KIND N j")      KIND: the first word of the event in the record;
             N: the how-manieth of its kind in the game, from 1; j: 0, 1, …; all as ASCII decimals
    words    the block's four 8-byte big-endian numbers, then those of the next block
    choice   the first word below 2**64 - 2**64 % k, modulo k: one of k legal choices, ascending

Chance is counted by kind and not by event, so that nobody moves later dice by what they do, unless
the rules then ask for other dice.  What a record says of its dice stands in comments of its head::

    # dice: yegg dice 1
    # promise: 64 hexadecimal digits
    # after: 41                       only where the first events were played before the promise
    # origin: 64 hexadecimal digits   the promise that these were played under, if there was one
    # salt 2: MyOwnWord               of seat 2
    # seed: 64 hexadecimal digits     once the game is over
"""

import hmac
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import count, zip_longest
from typing import NamedTuple

from .game import Game
from .match import Match
from .notation import BadRecord
from .record import CHANCE

NAME = "yegg dice 1"
PREFIX = f"{NAME}\n".encode()
SALT = re.compile(r"[A-Za-z0-9_-]{1,64}")
SEED = 32  # bytes
WORDS = 2**64


def promise(seed: bytes) -> str:
    """The commitment to a seed that is shown before the game: 64 hexadecimal digits."""
    return sha256(PREFIX + seed).hexdigest()


def key(seed: bytes, salts: Mapping[int, str], after: int = 0) -> bytes:
    """The key from which all chance of a game follows; ``salts`` by seat, from 1.

    ``after``: how many events were played elsewhere, before this seed was promised.
    """
    there = {**({0: str(after)} if after else {}), **salts}
    said = "".join(f"{seat} {there[seat]}\n" for seat in sorted(there))
    return mac(seed, PREFIX + said.encode())


def mac(key: bytes, said: bytes) -> bytes:
    """HMAC-SHA256; `hmac.digest` would let other threads run meanwhile, which takes far longer."""
    return hmac.new(key, said, "sha256").digest()


def word(key: bytes, kind: str, n: int, k: int) -> int:
    """The first word of the n-th draw of its kind that favours none of k choices."""
    fair = WORDS - WORDS % k
    for block in count():
        drawn = mac(key, f"{kind} {n} {block}".encode())
        for first in range(0, len(drawn), 8):
            found = int.from_bytes(drawn[first : first + 8])
            if found < fair:
                return found
    raise AssertionError("blocks never end")


def index(key: bytes, kind: str, n: int, k: int) -> int:
    """The n-th draw of its kind: 0 … k-1, all equally likely."""
    return word(key, kind, n, k) % k


def kind_of(match: Match) -> str:
    """The kind of the chance event to come: `roll`, `flip`, `deal`.  All its choices are of it."""
    return kind_said(match.say(match.choices[0]))


def kind_said(text: str) -> str:
    """The kind of a chance event, by the text of its choice in the record."""
    return text.partition(" ")[0]


@cache
def has_chance(game: Game) -> bool:
    """Whether chance ever acts in a game, as far as one that is played by lot can tell."""
    match, lot = Match(game, game.usual, how="plain"), random.Random(0)  # noqa: S311
    while not match.over and match.actor != CHANCE:
        match.play(lot.choice(match.choices))
    return not match.over


class Draw(NamedTuple):
    """A chance event of a game."""

    event: int
    """Its number in the record, from 1."""
    kind: str
    n: int
    """The how-manieth of its kind."""
    texts: list[str]
    """All that could have come, in the words of the record, ascending by choice."""
    drawn: int
    """Which of them came, from 0."""


def draws(match: Match) -> Iterator[Draw]:
    """The chance events of a match, in order."""
    again, drawn = match.again(), Counter[str]()
    for event, choice in enumerate(match.history, 1):
        if again.actor == CHANCE:
            kind, choices = kind_of(again), again.choices
            drawn[kind] += 1
            texts = [again.say(one) for one in choices]
            yield Draw(event, kind, drawn[kind], texts, choices.index(choice))
        again.follow([choice])


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
        lines = [f"# dice: {NAME}", f"# promise: {self.promise}"]
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
        """The key from which all chance follows, once the seed is known."""
        return key(bytes.fromhex(self.seed or ""), self.salts, self.after)


class Fault(NamedTuple):
    """A chance event that is not as promised."""

    event: int | None
    """The number of the event, from 1; None: it is in the head."""
    why: str


def pledged(text: str, name: str) -> Pledge | None:
    """The promise that a record contains; None if there is none.  Raises BadRecord."""
    said = comments(text, name, NAME, LINE, _fits)
    if said.get("dice") != NAME or "promise" not in said:
        return None
    salts = {int(what[5:]): salt for what, salt in said.items() if what.startswith("salt ")}
    after = int(said.get("after", 0))
    return Pledge(said["promise"], salts, after, said.get("seed"), said.get("origin"))


def comments(
    text: str, name: str, scheme: str, line: re.Pattern[str], fits: Callable[[str, str], bool]
) -> dict[str, str]:
    """What the comments in the head of a record say of its chance.  Raises BadRecord.

    ``line`` matches such a comment; its groups are what is said of, and what.  ``fits`` tells
    whether the one can be the other by ``scheme``.
    """
    said: dict[str, str] = {}
    for number, written in enumerate(text.split("\n"), 1):
        if not written:
            break
        if found := line.fullmatch(written):
            what, value = found.groups()
            if what in said:
                raise BadRecord(name, number, f"a second line '# {what}: …'")
            if not fits(what, value):
                raise BadRecord(name, number, f"{value!r} cannot be the {what} of {scheme}")
            said[what] = value
    return said


def _fits(what: str, value: str) -> bool:
    if what == "dice":
        return True
    if what == "after":
        return NUMBER.fullmatch(value) is not None
    return (SALT if what.startswith("salt") else HEX).fullmatch(value) is not None


@dataclass(frozen=True)
class Verdict:
    """The result of checking the dice of a record."""

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


def check_dice(
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
    verdict = check_dice(there, promised, earlier=others)
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
    for draw in draws(match):
        if draw.event > pledge.after:
            covered += 1
            due = index(key, draw.kind, draw.n, len(draw.texts))
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
    if (given := promise(bytes.fromhex(pledge.seed))) != pledge.promise:
        why = f"the seed is not the one promised: {pledge.promise} was, but it gives {given}"
        faults.append(Fault(None, why))
    if beyond := [seat for seat in pledge.salts if seat > match.players]:
        faults.append(Fault(None, f"there is salt of seat {beyond[0]}, but no such seat"))
    if pledge.after > len(match.history):
        why = f"the promise begins after event {pledge.after}, but there are fewer events"
        faults.append(Fault(None, why))
    return faults


def _other(draw: Draw, due: int) -> str:
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
