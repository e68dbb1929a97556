"""Dice that nobody can choose: a seed is promised, players add salt, and all chance follows.

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
the rules then ask for other dice.
"""

import hmac
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import count
from typing import NamedTuple

from .game import Game
from .match import Match
from .record import CHANCE

NAME = "yegg dice 1"
PREFIX = f"{NAME}\n".encode()
SALT = re.compile(r"[A-Za-z0-9_-]{1,64}")
SEED = 32  # bytes
WORDS = 2**64


def promise(seed: bytes) -> str:
    """What is shown of a seed before the game: 64 hexadecimal digits."""
    return sha256(PREFIX + seed).hexdigest()


def key(seed: bytes, salts: Mapping[int, str], after: int = 0) -> bytes:
    """What all chance of a game follows from; ``salts`` by seat, from 1.

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
    """What chance is about to do: `roll`, `flip`, `deal`.  All its choices are of one kind."""
    return kind_said(match.say(match.choices[0]))


def kind_said(text: str) -> str:
    """What chance did, by the text of its choice in the record."""
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
