"""What has happened at a table, in the record's words and in prose, as a seat may know it."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from yegg.engine import CHANCE, Match
from yegg.engine.notation import Past
from yegg.engine.record import copied

Called = Sequence[tuple[int, list[str]]]
"""What everybody was called after so many events."""


def called_at(called: Called, event: int) -> list[str]:
    """What everybody was called when an event happened."""
    return called[max(0, bisect_right(called, event, key=lambda since: since[0]) - 1)][1]


class Line(NamedTuple):
    """An event of the game."""

    actor: int
    text: str
    prose: str
    """A sentence; on further lines what is heard after it, the last thing first."""
    event: Any = None
    """The same as data for the game's face, where the game has such."""


class History:
    """Grows with the match; reads it again from the start when something was taken back."""

    def __init__(self, match: Match) -> None:
        """Nothing is read before somebody asks."""
        self.voice = match.game.voice
        self.secret = match.game.secret
        self._again(match)

    def _again(self, match: Match) -> None:
        self.twin = match.again()  # where the texts are
        self.teller = match.again()  # where the prose is: nobody may ever ask for it
        self.texts: list[tuple[int, str]] = []
        self.events: list[Any] = []
        self.proses: list[str] = []
        self.past = Past([copied(self.twin.states)[0]], [], [])

    def catch_up(self, match: Match) -> None:
        """Read what is new."""
        done = self.twin.history
        if done != match.history[: len(done)]:
            self._again(match)
            done = self.twin.history
        for choice in match.history[len(done) :]:
            actor = self.twin.actor
            self.texts.append((actor, self.twin.say(choice)))
            self.events.append(self.voice.event(self.twin.state, choice))
            self.twin.play(choice)
            if self.secret:
                self.past.states.append(copied(self.twin.states)[0])
                self.past.choices.append(choice)
                self.past.actors.append(actor)

    def happened(self, match: Match, seat: int, last: int) -> list[tuple[int, str]]:
        """A secret game's newest events, oldest first: actor and text as a seat may know it."""
        self.catch_up(match)
        newest = range(max(0, len(self.texts) - last), len(self.texts))
        return [(self.texts[i][0], self.voice.seen(self.past, i, seat)) for i in newest]

    def read(self, match: Match, seat: int, last: int, called: Called = ()) -> list[Line]:
        """The newest events with their prose, oldest first, as a seat may know them."""
        self.catch_up(match)
        called = called or ((0, match.names),)
        self._tell(called)
        newest = range(max(0, len(self.texts) - last), len(self.texts))
        if not self.secret:
            return [self.line(i) for i in newest]
        over = match.over
        return [self._known(i, seat, called_at(called, i), over=over) for i in newest]

    def _tell(self, called: Called) -> None:
        voice, teller = self.voice, self.teller
        for i in range(len(self.proses), len(self.texts)):
            actor, text = self.texts[i]
            names = called_at(called, i)
            choice = self.twin.history[i]
            if voice.tells:
                self.proses.append(voice.tell(teller.state, choice, names))
            else:
                self.proses.append(text if actor == CHANCE else f"{names[actor]}: {text}.")
            teller.play(choice)

    def line(self, i: int) -> Line:
        """An event with nothing left out."""
        return Line(*self.texts[i], self.proses[i], self.events[i])

    def _known(self, i: int, seat: int, names: list[str], *, over: bool) -> Line:
        line = self.line(i) if over else self._seen(i, seat, names)
        heard = self.voice.news(self.past.states[i], self.past.choices[i], names, seat)
        return line._replace(prose="\n".join([line.prose, *reversed(heard)]))

    def _seen(self, i: int, seat: int, names: list[str]) -> Line:
        line = self.line(i)._replace(event=self.voice.known(self.events[i], seat))
        text = self.voice.seen(self.past, i, seat)
        if text == line.text:
            return line
        if line.actor == CHANCE:
            return line._replace(text=text, prose="")
        name = names[line.actor]
        prose = f"{name}: {text.replace(' -', '')}; the rest is hidden."
        if text == "-":
            prose = f"{name} gives a secret order."
        return line._replace(text=text, prose=prose)
