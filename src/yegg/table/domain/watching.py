"""Who may watch a game without a seat, and how much later they are told what happens."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from yegg.engine import CHANCE
from yegg.text.phrases import listing

NOBODY, LINK, LOBBY = "nobody", "link", "lobby"
WHO = (NOBODY, LINK, LOBBY)
SECOND = 1000  # milliseconds
OVER = "over"
LATER: dict[int | None, str] = {
    0: "as it happens",
    60: "a minute later",
    300: "5 minutes later",
    1800: "half an hour later",
    86_400: "a day later",
    None: "once it is over",
}
"""How many seconds later who watches can be told what happens, in words."""


class WatchTerms(NamedTuple):
    """Who may watch without a seat once the game has begun, and how much later they are told."""

    who: str = LINK
    """`NOBODY`, `LINK`: whoever has the link, `LOBBY`: the lobby shows it to everybody."""
    later: int | None = 0
    """In seconds, one of `LATER`; None: they are told everything once the game is over."""

    @property
    def stored(self) -> str:
        """The same in two words, as the database has it.

        >>> WatchTerms(LOBBY, 300).stored, WatchTerms(LINK, None).stored
        ('lobby 300', 'link over')
        """
        return f"{self.who} {OVER if self.later is None else self.later}"

    @classmethod
    def read(cls, kept: str | None) -> Self:
        """The terms from these words; without any: whoever has the link sees it as it happens.

        >>> WatchTerms.read("lobby 300"), WatchTerms.read("link over").later
        (WatchTerms(who='lobby', later=300), None)
        """
        if not kept:
            return cls()
        who, _, later = kept.partition(" ")
        return cls(who, None if later == OVER else int(later))

    @property
    def delay(self) -> str:
        """When who watches is told, in words; "" for at once.

        >>> WatchTerms(LINK, 300).delay, WatchTerms(LINK, None).delay, WatchTerms().delay
        ('told 5 minutes later', 'told once it is over', '')
        """
        return "" if self.later == 0 else f"told {LATER[self.later]}"

    @property
    def words(self) -> str:
        """Who may watch, in words.

        >>> WatchTerms(NOBODY).words, WatchTerms(LOBBY, 300).words
        ('only those who play see it', 'everybody in the lobby may watch, told 5 minutes later')
        """
        if self.who == NOBODY:
            return "only those who play see it"
        who = "everybody in the lobby" if self.who == LOBBY else "whoever has the link"
        return ", ".join(filter(None, [f"{who} may watch", self.delay]))


LIVE = WatchTerms()
"""What holds where nobody has said anything else."""


def told_at(terms: WatchTerms, at: int, opened: int, *, over: bool) -> int | None:
    """When an event of a begun game is told to those who watch; None: not yet.  All ms since 1970.

    ``at``: when it happened.  What happened the moment the table was ``opened`` is told at once.
    ``over``: whether the game is.
    """
    if at <= opened:
        return at
    if terms.later is None:
        return at if over else None
    return at + terms.later * SECOND


class Candidate(NamedTuple):
    """A game that might be shown to everybody, as far as those who watch are told of it."""

    key: str
    people: int
    """How many people play it."""
    levels: Sequence[int]
    """How strong the bots are that play it: places among the levels, from 1; 0: of no level."""
    moved: int
    """When the last choice was made, in ms since 1970."""


def best(candidates: Sequence[Candidate]) -> Candidate | None:
    """The game that is most worth watching; None without one that a person plays.

    More people come first, then stronger bots, then the game where something happened last.

    >>> one = Candidate("people", 2, [], 5)
    >>> [best([one, one._replace(key="more", people=3)]).key, best([one._replace(people=0)])]
    ['more', None]
    """
    played = [one for one in candidates if one.people]
    return max(played, default=None, key=_worth)


def _worth(one: Candidate) -> tuple[int, float, int]:
    strength = sum(one.levels) / len(one.levels) if one.levels else 0.0
    return one.people, strength, one.moved


def players(names: Sequence[str], bots: Sequence[str | None]) -> str:
    """Who plays, in words: people by their names, bots by their levels.

    >>> players(["Ada", "Lark"], [None, "hard"]), players(["Ann", "Ben"], [None, None])
    ('Ada against hard', 'Ann and Ben')
    """
    people = [name for name, bot in zip(names, bots, strict=True) if not bot]
    levels = [bot for bot in bots if bot]
    who = listing(people)
    return f"{who} against {listing(levels)}" if levels else who


def turns(actors: Sequence[int]) -> list[int]:
    """After how many events each turn of a player began; chance belongs to the turn before.

    >>> turns([-1, 0, -1, 0, -1, 1, 0])
    [0, 5, 6]
    """
    own, begins = CHANCE, [0]
    for i, actor in enumerate(actors):
        if actor >= 0 and actor != own:
            if own != CHANCE:
                begins.append(i)
            own = actor
    return begins
