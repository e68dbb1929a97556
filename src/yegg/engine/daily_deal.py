"""The deal of a day: chance that is the same for all who play it, by whose turn it is.

The whole algorithm is ``yegg deal 1``.  Anything that has SHA-256 and HMAC can check it::

    key     32 bytes, kept until the day is over
    seal    SHA-256(key): shown from the first minute
    choice  of all legal choices the one with the smallest HMAC-SHA256(key, "WHO TURN RUN N TEXT")

    WHO     whose fortune it is: a seat, from 1, or 0 for nobody's
    TURN    the number of their turn; 0 before the first
    RUN     the number, in this turn, of the row of events of this kind: 1, 2, …
    N       the number of the event in this row: 1, 2, …
    TEXT    the choice in the words of the record: "roll 7"; its first word is the kind

A game's ``words.luck(s)`` says whose fortune a chance event is, and whether it begins a turn of
theirs.  A game without it has WHO, TURN and RUN 0, and N counts the events of this kind.

So nothing lies in a row that could get out of step: if a card is gone, only the draw that would
have brought it is another one.  What a record says of it stands in comments of its head::

    # dice: yegg deal 1
    # deal: 2026-11-22 magnate
    # seal: 64 hexadecimal digits
    # key: 64 hexadecimal digits      once the day is over

A challenge repeats a finished game: what chance is asked with the same WHO, TURN, RUN, N and kind
has the answer of then, if that is still legal.  All else follows from a key, which is
HMAC-SHA256(key of the dice of then, "again 1"); its deal is called ``again GAME``.
"""

import copy
import hmac
import re
from collections import Counter
from hashlib import sha256
from typing import NamedTuple

from .match import Match
from .promised import Fault, Verdict, comments, draws, kind_of
from .record import CHANCE

NAME = "yegg deal 1"
LINE = re.compile(r"# (dice|deal|seal|key): (.*)")
HEX = re.compile(r"[0-9a-f]{64}")


def key_of(secret: bytes, day: str, game: str) -> bytes:
    """The key of a day's deal: ``day`` as in 2026-11-22, ``game`` by its name."""
    return mac(secret, f"deal {day} {game} 1")


def key_again(key: bytes) -> bytes:
    """The key of a challenge; ``key`` is that of the dice of the game that it repeats."""
    return mac(key, "again 1")


def seal(key: bytes) -> str:
    """What is shown of a key before it is: 64 hexadecimal digits."""
    return sha256(key).hexdigest()


def mac(key: bytes, said: str) -> bytes:
    """HMAC-SHA256 of a text."""
    return hmac.new(key, said.encode(), "sha256").digest()


def mind(key: bytes, seat: int, decision: int) -> int:
    """The seed of a bot's dice in one decision: 63 bits; ``decision`` counts its own, from 0."""
    return int.from_bytes(mac(key, f"bot {seat + 1} {decision}")[:8]) >> 1


class Asked(NamedTuple):
    """What is asked of chance."""

    who: int
    turn: int
    run: int
    n: int

    def __str__(self) -> str:
        return " ".join(map(str, self))


class Count:
    """What chance has been asked in a game so far."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.turns = Counter[int]()
        self.runs = Counter[str]()
        self.many = Counter[str]()
        self.last = ""

    def next(self, match: Match) -> Asked:
        """What is asked where chance acts in ``match``; the count goes on."""
        kind, luck = kind_of(match), match.game.voice.luck(match.state)
        if luck is None:
            self.many[kind] += 1
            return Asked(0, 0, 0, self.many[kind])
        who, new = luck[0] + 1, luck[1]
        if new:
            self.turns[who] += 1
            self.runs.clear()
            self.last = ""
        if kind != self.last:
            self.runs[kind] += 1
            self.many[kind], self.last = 0, kind
        self.many[kind] += 1
        return Asked(who, self.turns[who], self.runs[kind], self.many[kind])


class Fate:
    """Chance of a day's deal.  It follows from the key and from what has happened in the match.

    It remembers how far it has counted, which only saves time: any match may be asked for.  One
    thread at a time.

    >>> match = Match("second-story", players=2)
    >>> match.say(Fate(bytes(32)).choose(match)) == match.say(Fate(bytes(32)).choose(match))
    True
    """

    def __init__(self, key: bytes, first: Match | None = None) -> None:
        """``key``: 32 bytes; ``first``: a finished game whose chance comes again."""
        self.key = key
        self.came = answers(first) if first else {}
        self._walk: Match | None = None
        self._count = Count()

    def choose(self, match: Match) -> int:
        """The legal choice that is due where chance acts."""
        asked = self._asked(match)
        texts = {match.say(choice): choice for choice in match.choices}
        came = self.came.get((asked, kind_of(match)))
        if came in texts:
            return texts[came]
        return texts[min(texts, key=lambda text: self.rank(asked, text))]

    def rank(self, asked: Asked, text: str) -> bytes:
        """The place of a choice among all for what is asked: the smallest is taken."""
        return mac(self.key, f"{asked} {text}")

    def _asked(self, match: Match) -> Asked:
        walk = self._walk
        known = len(walk.history) if walk else 0
        if walk is None or walk.game is not match.game or walk.history != match.history[:known]:
            walk, self._count, known = match.again(), Count(), 0
        self._walk = None  # until all is counted
        for actor, choice in zip(match.actors[known:], match.history[known:], strict=True):
            if actor == CHANCE:
                self._count.next(walk)
            walk.follow([choice])
        self._walk = walk
        return copy.deepcopy(self._count).next(match)


def answers(first: Match) -> dict[tuple[Asked, str], str]:
    """What chance answered in a game, in the words of the record, by what it was asked and kind."""
    again, count, came = first.again(), Count(), dict[tuple[Asked, str], str]()
    for actor, choice in zip(first.actors, first.history, strict=True):
        if actor == CHANCE:
            kind = kind_of(again)
            came[count.next(again), kind] = again.say(choice)
        again.follow([choice])
    return came


AGAIN = "again"
"""The first word of the deal of a challenge."""


class Sealed(NamedTuple):
    """What a record says of the deal that it was played in."""

    deal: str
    """The day and the game; or `AGAIN` and the game."""
    seal: str
    key: str | None = None
    """In hexadecimal digits, once the day is over."""

    def lines(self) -> list[str]:
        """The comments for the head of a record."""
        lines = [f"# dice: {NAME}", f"# deal: {self.deal}", f"# seal: {self.seal}"]
        return [*lines, f"# key: {self.key}"] if self.key else lines


def sealed(text: str, name: str) -> Sealed | None:
    """The deal that a record was played in; None if it was none.  Raises BadRecord."""
    said = comments(text, name, NAME, LINE, _fits)
    if said.get("dice") != NAME or "seal" not in said:
        return None
    return Sealed(said.get("deal", ""), said["seal"], said.get("key"))


def _fits(what: str, value: str) -> bool:
    return what not in ("seal", "key") or HEX.fullmatch(value) is not None


def check_deal(
    match: Match, found: Sealed | None, given: str | None = None, first: Match | None = None
) -> Verdict:
    """Whether the chance of a match is that of the deal of a day, or of a challenge.

    ``given``: the key, in hexadecimal digits, from whoever had it from elsewhere; ``first``: the
    game that a challenge repeats.
    """
    chance = match.actors.count(CHANCE)
    opened = given.lower() if given else found and found.key
    if not opened:
        why = "the key is not opened: that is done when the day is over; or give it by --key"
        return Verdict(None, chance, 0, [Fault(None, why)])
    if found and found.deal.startswith(AGAIN) and not first:
        why = "it repeats another game: give the record of that one by --from"
        return Verdict(None, chance, 0, [Fault(None, why)])
    faults, key = [], bytes.fromhex(opened)
    if found and seal(key) != found.seal:
        why = f"the key is not the one sealed: {found.seal} was, but it gives {seal(key)}"
        faults.append(Fault(None, why))
    fate, again = Fate(key, first), match.again()
    for draw in draws(match):
        again.follow(match.history[len(again.history) : draw.event - 1])
        due, came = again.say(fate.choose(again)), draw.texts[draw.drawn]
        if due != came:
            faults.append(Fault(draw.event, f"{came!r} came, but it had to be {due!r}"))
    return Verdict(None, chance, chance, faults)
