"""A game's texts: sentences, reasons, odds, the clauses of its rules, sheets of paper.

What a game leaves out has a default here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from yegg.text.phrases import capital

from .record import CHANCE


class Why(NamedTuple):
    """The reason why something cannot be done now: the number of the clause, and words."""

    clause: str
    reason: str

    def __str__(self) -> str:
        return f"{self.clause}: {self.reason}"


class Told(NamedTuple):
    """The sentence of an event, and what it is put together from."""

    prose: str
    """Empty where there is nothing to tell."""
    die: str = ""
    """What a die of chance shows, in words; "" for any other event."""
    then: str = ""
    """Of a die: the sentences that follow in ``prose`` upon what it shows."""
    does: tuple[str, str] | None = None
    """The verb and the object, ``("takes", "a mask")``, where the sentence has nothing else."""


class HouseRule(NamedTuple):
    """An option as people choose it: what it is about, and what each of its values does."""

    title: str
    does: Mapping[str, str] = MappingProxyType({})
    """Each value in words; a value without any, such as a number, speaks for itself."""
    clause: str = ""
    """The number of the clause that tells more."""
    needs: tuple[str, str, str] | None = None
    """Another option, the value without which this one does nothing, and why."""

    def says(self, value: str) -> str:
        """What a value does."""
        return self.does.get(value, value)


class Handicap(NamedTuple):
    """Options with which a game is nearer to even for whoever is weaker, as measured."""

    options: Mapping[str, str]
    stands: float
    """In levels of bots, 0 the lowest: alone, where the other side stands; else off a level."""
    named: str
    """What is different, or alone whom one plays against: "the hard automa"."""
    says: str
    """What that means, in a sentence."""
    alone: bool = False


def handicaps(game: Any) -> Sequence[Handicap]:
    """The handicaps in the ``house_rules.py`` of a game."""
    return getattr(game.part("house_rules"), "HANDICAPS", ())


def house_rule(game: Any, name: str) -> HouseRule:
    """An option of a game in the words of its ``house_rules.py``, else of its declaration."""
    part = game.part("house_rules")
    known: Mapping[str, HouseRule] = part.HOUSE_RULES if part else {}
    return known.get(name) or HouseRule(capital(game.options[name].says))


class Voice:
    """A game's modules ``words``, ``odds`` and ``events``; only ``words.say`` is needed.

    docs/add-a-game.md describes each.  ``s`` is the whole state, or what a seat knows if there
    is an argument ``seat``.
    """

    def __init__(self, words: Any, odds: Any = None, events: Any = None) -> None:
        """All three are modules of the game's folder; only ``words`` must be there."""
        self.words, self.odds_of, self.events_of = words, odds, events
        self.secret = hasattr(words, "seen")
        """Whether some events are not for everybody's eyes."""
        self.tells = hasattr(words, "tell")
        self.has_news = hasattr(words, "news")
        self.asks = hasattr(words, "ask")
        self.settles = hasattr(words, "settled")
        self.has_odds = odds is not None
        self.has_events = events is not None
        self.synonyms: Mapping[str, str] = getattr(words, "SYNONYMS", {})
        """Other words for texts, and the texts."""
        self.any_order: tuple[str, ...] = getattr(words, "ANY_ORDER", ())
        """The verbs of choices that people may say in any order."""
        self.printed: Mapping[str, str] = getattr(words, "PRINTED", {})
        """Words of texts that name cards, and the names as they are printed."""

    def say(self, s: Any, choice: int) -> str:
        """A legal choice in the words of the record."""
        return str(self.words.say(s, choice))

    def why_not(self, s: Any, text: str) -> Why | None:
        """Why a sentence of the game is not possible now; None if the game does not know it.

        The game's ``why_not`` writes it as ``SS-13: at a house you are thorough or quick``.
        """
        clause, _, reason = (self._ask("why_not", None, s, text) or "").partition(": ")
        return Why(clause, reason) if reason else None

    def seen(self, past: Any, event: int, seat: int) -> str:
        """An event's text as a seat may know it (-1: a spectator); only if ``secret``."""
        return str(self.words.seen(past, event, seat))

    def event(self, s: Any, choice: int) -> Any:
        """An event about to happen as data for the game's face; None where there is nothing."""
        return self.events_of.event(s, choice) if self.has_events else None

    def known(self, event: Any, seat: int) -> Any:
        """What of such an event a seat (-1: a spectator) may know while the game goes on."""
        found = getattr(self.events_of, "known", None)
        return found(event, seat) if found else event

    def sentence(self, s: Any, actor: int, choice: int, names: Sequence[str]) -> Told:
        """The sentence of an event that is about to happen, by the game's words or by its text."""
        if does := self._ask("does", None, s, choice):
            return Told(f"{capital(names[actor])} {' '.join(does)}.", does=does)
        if not self.tells:
            who = "Chance" if actor == CHANCE else names[actor]
            return Told(f"{who}: {self.say(s, choice)}.")
        prose = str(self.words.tell(s, choice, names))
        if die := self._ask("die", "", s, choice):
            return Told(" ".join(filter(None, [f"A die shows {die}.", prose])), die, prose)
        return Told(prose)

    def tell_part(self, text: str, name: str) -> str:
        """What of an event may be told where ``-`` hides the rest; "" if the game has no words."""
        return str(self._ask("tell_part", "", text, name))

    def tell_row(self, texts: Sequence[str]) -> str:
        """What somebody does several times in a row, at once and without a name; "" if unsaid."""
        return str(self._ask("tell_row", "", texts))

    def news(self, s: Any, choice: int, names: Sequence[str], seat: int) -> list[str]:
        """What a seat (-1: everybody) is told once an event has happened that is about to."""
        return list(self._ask("news", (), s, choice, names, seat))

    def ask(self, s: Any) -> str:
        """The question that the current player is asked; "" if the game has none."""
        return str(self._ask("ask", "", s))

    def settled(self, s: Any) -> int | None:
        """The choice for which a person need not be asked now, as no other is better; else None."""
        choice: int | None = self._ask("settled", None, s)
        return choice

    def ask_others(self, s: Any) -> str:
        """What the others hear of that question; "" if it is none to them."""
        return str(getattr(self.words, "ask_others", self.ask)(s))

    def luck(self, s: Any) -> tuple[int, bool] | None:
        """Whose fortune chance's event is (a seat, or -1: nobody's), and if it begins their turn.

        None if the game does not say.
        """
        found: tuple[int, bool] | None = self._ask("luck", None, s)
        return found

    def meant(self, s: Any, typed: str, names: Sequence[str]) -> int | None:
        """The choice that a sentence means which is no record text; None if there is none."""
        choice: int | None = self._ask("meant", None, s, typed, names)
        return choice

    def clauses(self, s: Any) -> list[str]:
        """The numbers of the clauses that apply now."""
        return [str(number) for number in self._ask("clauses", (), s)]

    def alarm(self, s: Any, choice: int) -> bool:
        """Whether nobody must miss the event that is about to happen."""
        return bool(self._ask("alarm", False, s, choice))  # noqa: FBT003  the default

    def odds(self, s: Any, choice: int, seat: int) -> str:
        """The odds behind a seat's choice, as far as it knows; "" if there are none."""
        if hasattr(self.odds_of, "odds_for"):
            return str(self.odds_of.odds_for(s, choice, seat))
        return str(self.odds_of.odds(s, choice)) if self.odds_of else ""

    def outlook(self, s: Any, seat: int) -> str:
        """The odds of the position, whatever is chosen; "" if there are none."""
        found = getattr(self.odds_of, "outlook", None)
        return str(found(s, seat)) if found else ""

    def _ask(self, name: str, otherwise: Any, *what: Any) -> Any:
        found = getattr(self.words, name, None)
        return found(*what) if found else otherwise


NUMBER = r"[A-Z]{2,3}-\d+"
ITEM = re.compile(
    rf"^- (?P<text>\*\*(?P<number>{NUMBER})\*\*.*?)(?=^- |^#|^\s*$|\Z)", re.MULTILINE | re.DOTALL
)


def clauses(page: str) -> dict[str, str]:
    """The text of each clause of a page, in their order, by its whole number: ``SS-23``."""
    return {item["number"]: item["text"].rstrip("\n") for item in ITEM.finditer(page)}


def whole(number: str, among: Iterable[str]) -> str:
    """The whole number of a clause, with the letters of those it stands among: ``23``, ``SS-23``.

    >>> whole("23", ["SS-1", "SS-23"])
    'SS-23'
    """
    return number if "-" in number else f"{next(iter(among), '').partition('-')[0]}-{number}"


BLANK = ""
"""A cell to write in."""


class Grid(NamedTuple):
    """A table on paper."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    """Each begins with what the row is about."""


class Sheet(NamedTuple):
    """One sheet of paper to write on."""

    title: str
    says: str
    """How it is used."""
    grids: Sequence[Grid]


def to_write(title: str, head: Sequence[str], rows: Sequence[str]) -> Grid:
    """A table with a blank for each column of each row.

    >>> to_write("Scores", ["", "Ann", "Ben"], ["points"]).rows
    [['points', '', '']]
    """
    return Grid(title, head, [[row, *[BLANK] * (len(head) - 1)] for row in rows])
