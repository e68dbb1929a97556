"""Game records: text that people can read, and that replays to every position.

A head (``game``, ``players``, ``options``, ``cards`` where the deck is not the published one,
and once it is over ``places`` and ``score``), an empty line, then one event a line: ``*`` for
chance or a seat number from 1, and the event's words.
"""

import codecs
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from yegg.files import named, write_atomic
from yegg.text.names import printable, why_not_recorded

from .compiler import How
from .errors import Refused
from .game import Game
from .match import Match
from .record import CHANCE
from .secrecy import Teller, hides

HEAD = ("game", "players", "options", "cards", "places", "score")
LONGEST_LINE = 20_000  # bytes; the longest lines list all legal events
UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
CONTROL = {"\t": "a tab", "\r": "a carriage return, which ends lines only before a line feed"}


class BadRecord(Refused):
    """A record that cannot be read; the text names the file, the line and the reason.

    ``line`` counts from 1, ``name`` is the file, ``reason`` the text without both.

    >>> import yegg
    >>> rules = yegg.Match("second-story", players=2).game.folder / "RULES.md"
    >>> try:
    ...     yegg.read(rules)
    ... except yegg.BadRecord as error:
    ...     print(error.line, error.reason)
    2 the head has no line 'game: …'
    """

    def __init__(self, name: str, line: int, reason: str) -> None:
        """``line`` counts from 1."""
        super().__init__(f"{name}:{line}: {reason}")
        self.name = name
        self.line = line
        self.reason = reason


def who(actor: int) -> str:
    """An actor as records write it: ``*`` for chance, or a seat from 1."""
    return "*" if actor == CHANCE else str(actor + 1)


def head(match: Match) -> list[str]:
    """The lines of the head; it has places and score once the game is over."""
    lines = [f"game: {match.game.name}", f"players: {', '.join(match.names)}"]
    if match.options:
        lines.append("options: " + ", ".join(f"{k}={v}" for k, v in match.options.items()))
    if match.game.cards:
        lines.append(f"cards: {match.game.cards}")
    if match.over:
        lines.append("places: " + ", ".join(map(str, match.places)))
        lines.append("score: " + ", ".join(map(str, match.scores)))
    return lines


def steps(match: Match) -> Iterator[Match]:
    """The game as it was before each event, and last as it is now.

    It is one match that moves on: look at it before you ask for the next.
    """
    again = match.again()
    for choice in match.history:
        yield again
        again.follow([choice])
    yield again


def body(match: Match, *, legal: bool = False, seat: int | None = None) -> list[str]:
    """The lines of the events, whole or as a seat may know them (-1: a spectator)."""
    known = Teller(match).texts(match, seat) if seat is not None and hides(match) else None
    lines = []
    for i, (before, choice, actor) in enumerate(
        zip(steps(match), match.history, match.actors, strict=False)
    ):
        if legal and actor != CHANCE and (known is None or actor == seat):
            listed = before.texts
            if choice in listed.values() and choice not in before.specials:
                lines.append("? " + " | ".join(listed))
        text = before.say(choice) if known is None else known[i]
        lines.append(f"{who(actor)} {text}")
    return lines


def write(match: Match, *, legal: bool = False, seat: int | None = None) -> str:
    """The text of the record.

    ``legal``: list what was legal before each player's event.  ``seat``: write only what this
    seat may know (-1: a spectator); once the game is over everybody may know everything.
    """
    return "\n".join([*head(match), "", *body(match, legal=legal, seat=seat)]) + "\n"


def read(
    source: BinaryIO,
    name: str,
    find: Callable[[str], Game],
    how: How = "compiled",
    *,
    cards: Path | None = None,
) -> Match:
    """Read and check a record; ``cards`` is the file of its deck, if it is not the published one.

    Raises BadRecord at the first line that is wrong.
    """
    return Reader(source, name, find, how, cards).read()


def read_file(
    path: Path, find: Callable[[str], Game], how: How = "compiled", *, cards: Path | None = None
) -> Match:
    """As `read`, from disk.  Raises BadRecord; OSError if there is no such file."""
    with path.open("rb") as file:
        return read(file, str(path), find, how, cards=cards)


class Reader:
    """Reads a record line by line.  What is wrong raises BadRecord, and changes nothing else.

    `read` reads a whole one.  Whoever gets a record while it is being written calls `heading`,
    `deal` and `event` instead.
    """

    def __init__(
        self,
        source: BinaryIO,
        name: str,
        find: Callable[[str], Game],
        how: How = "compiled",
        cards: Path | None = None,
    ) -> None:
        """``name`` is what errors call the source; the rest is as for `read` of this module."""
        self.source, self.name, self.find, self.how = source, name, find, how
        self.cards = cards
        self.number = 0  # of the line last read
        self.head: dict[str, tuple[int, str]] = {}
        self.match: Match | None = None
        """What `read` has read so far, also after it refused a line."""

    def wrong(self, reason: str, line: int = 0) -> BadRecord:
        """The error for a line, by default the last one read."""
        return BadRecord(self.name, line or max(self.number, 1), reason)

    def lines(self) -> Iterator[str]:
        """The lines without comments; each must be short, printable UTF-8.

        A byte order mark and Windows' line ends, which editors put there, are passed over.
        """
        while raw := self.source.readline(LONGEST_LINE + 1):
            self.number += 1
            if self.number == 1:
                if raw.startswith(UTF_16):
                    raise self.wrong("this is not UTF-8 but UTF-16: save it as UTF-8")
                raw = raw.removeprefix(codecs.BOM_UTF8)
            if len(raw) > LONGEST_LINE:
                why = "; no carriage return ends a line, but line feeds do" if b"\r" in raw else ""
                raise self.wrong(f"this line is longer than {LONGEST_LINE} bytes{why}")
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError:
                raise self.wrong("this is not UTF-8 text") from None
            line = line.removesuffix("\n").removesuffix("\r")
            if not printable(line):
                raise self.wrong(f"this line holds an unprintable character: {unprintable(line)}")
            if not raw.endswith(b"\n"):
                raise self.wrong("the last line is cut off: it has no end")
            if not line.startswith("#"):
                yield line

    def read(self) -> Match:
        """The match of a whole record."""
        lines = self.lines()
        for line in lines:
            if line == "":
                break
            self.heading(line)
        else:
            self.number += 1
            raise self.wrong("the record ends before the empty line that closes its head")
        match = self.match = self.deal()
        expected: tuple[str, set[str]] | None = None  # of a `? ` line
        for line in lines:
            if line.startswith("? "):
                if expected:
                    raise self.wrong("two lines of legal events before one event")
                expected = (line, set(line[2:].split(" | ")))
                self.check_listed(match, expected[1], line)
            else:
                self.event(match, line, listed=expected is not None)
                expected = None
        if expected:
            raise self.wrong("legal events are listed, but no event follows")
        self.conclude(match)
        return match

    def heading(self, line: str) -> None:
        """Take a line of the head."""
        key, colon, value = line.partition(": ")
        if not colon or key not in HEAD:
            raise self.wrong(f"a head has lines {', '.join(f'{k}: …' for k in HEAD)}; not {line!r}")
        if key in self.head:
            raise self.wrong(f"a second line {key!r}")
        if self.head and HEAD.index(key) < HEAD.index(list(self.head)[-1]):
            raise self.wrong(f"{key!r} comes before {list(self.head)[-1]!r}: {', '.join(HEAD)}")
        self.head[key] = (self.number, value)

    def deal(self) -> Match:
        """The match at its beginning, by the head."""
        for key in ("game", "players"):
            if key not in self.head:
                raise self.wrong(f"the head has no line '{key}: …'")
        line, name = self.head["game"]
        options: dict[str, str] = {}
        try:
            game = self.find(name)
            line, deck = self.head.get("cards", (line, ""))
            game = with_deck(game, deck, self.cards)
            line, names = self.head["players"]
            players = names.split(", ")
            for name in players:
                if why := why_not_recorded(name):
                    raise Refused(f"{name!r} is no name: {why}")
            if "options" in self.head:
                line, listed = self.head["options"]
                for option in listed.split(", "):
                    key, equals, value = option.partition("=")
                    if not equals or key in options:
                        raise Refused(f"options are name=value, each once; not {option!r}")
                    options[key] = value
            match = Match(game, len(players), options, how=self.how)
            match.names = players
        except Refused as error:
            raise self.wrong(str(error), line) from None
        return match

    def check_listed(self, match: Match, listed: set[str], line: str) -> None:
        """Check a list of the legal choices."""
        if match.over or match.actor == CHANCE:
            raise self.wrong("legal events are listed only before a player's event")
        if match.choices == match.specials:
            raise self.wrong("no events are listed here: only the adjudicator may write the next")
        legal = set(match.texts)
        for text in listed ^ legal:
            which = "is not legal here" if text in listed else "is legal here and not listed"
            raise self.wrong(f"{text!r} {which}")
        if len(line[2:].split(" | ")) != len(listed):
            raise self.wrong("a legal event is listed twice")

    def event(self, match: Match, line: str, *, listed: bool = False) -> None:
        """Play an event; ``listed``: the legal choices were listed before it."""
        actor, space, text = line.partition(" ")
        if match.over:
            raise self.wrong(f"the game is over, but here is {line!r}" if line else "an empty line")
        if not space or not text or not (actor == "*" or actor.isdecimal()):
            raise self.wrong(f"an event is '*' or a seat, a space and its words; not {line!r}")
        if actor != who(match.actor):
            turn = "chance (*)" if match.actor == CHANCE else f"seat {match.actor + 1}"
            raise self.wrong(f"it is for {turn} to act, not for {actor}")
        if text == "-":
            raise self.wrong("this is a record as one seat saw it; only whole records replay")
        try:
            match.follow([match.hear_recorded(text, listed=listed)])
        except Refused as error:
            raise self.wrong(str(error)) from None

    def conclude(self, match: Match) -> None:
        """Check the result that the head gives."""
        for key in ("places", "score"):
            if key not in self.head:
                continue
            line, value = self.head[key]
            if not match.over:
                raise self.wrong(f"{key} are given, but the game is not over", line)
            true = ", ".join(map(str, match.places if key == "places" else match.scores))
            if value != true:
                raise self.wrong(f"{key} {value}: by the events it is {true}", line)


def unprintable(line: str) -> str:
    """The first character of a line that cannot be printed, and where it is."""
    at = next(at for at, character in enumerate(line) if not character.isprintable())
    return f"{CONTROL.get(line[at], 'one')} (U+{ord(line[at]):04X}), character {at + 1}"


def with_deck(game: Game, deck: str, cards: Path | None) -> Game:
    """The game with the deck that a record names ("" is the published one), from a file.

    Raises Refused if there is no file, or if it holds another deck.
    """
    given = game.with_cards(cards)
    if deck and not re.fullmatch(r"\S+ [0-9a-f]{12}", deck):
        raise Refused(f"cards are a name and twelve digits, as in 'my 0123456789ab'; not {deck!r}")
    if deck.split()[-1:] == given.cards.split()[-1:]:
        return given
    if not deck:
        raise Refused(f"this game was played with the published cards: leave out --cards {cards}")
    played = f"this game was played with the cards '{deck}'"
    if cards is None:
        raise Refused(f"{played}, which are not here: give their file by --cards FILE")
    there = f"the cards '{given.cards}'" if given.cards else "the published cards"
    raise Refused(f"{played}, but {cards} holds {there}: give their file by --cards FILE")


class Journal:
    """A record on disk that grows with the game.

    When `append` returns, the event and everything before it is on disk.
    """

    def __init__(self, path: Path, match: Match) -> None:
        """Write the game so far; a crash leaves either the old file or the whole new one."""
        self.path, self.match = path, match
        self.rewrite()

    def rewrite(self) -> None:
        """Replace the file by the whole record, in one step."""
        write_atomic(self.path, write(self.match).encode())

    def append(self, actor: int, text: str) -> None:
        """Keep an event that has just been played; after the last event also the result."""
        if self.match.over:
            self.rewrite()
            return
        with named(self.path), self.path.open("ab", buffering=0) as file:
            file.write(f"{who(actor)} {text}\n".encode())
            os.fsync(file.fileno())


def mend(path: Path, longest: int = LONGEST_LINE) -> bool:
    """Cut off a last line that a crash left half written; return whether there was one.

    ``longest``: how many bytes a line of the file may have.
    """
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        start = max(0, size - longest)
        file.seek(start)
        tail = file.read()
        if not tail or tail.endswith(b"\n") or b"\n" not in tail:
            return False
        file.truncate(start + tail.rindex(b"\n") + 1)
        os.fsync(file.fileno())
        return True
