"""What has happened at a table, in the record's words and in prose, as a seat may know it."""

from typing import NamedTuple

from yegg.engine import CHANCE, Match
from yegg.engine.notation import Past


class Line(NamedTuple):
    """An event of the game."""

    actor: int
    text: str
    prose: str
    """A sentence; on further lines what is heard after it, the last thing first."""


class Chronicle:
    """Grows with the match; reads it again from the start when something was taken back."""

    def __init__(self, match: Match) -> None:
        """Nothing is read before somebody asks."""
        self.words = match.game.words
        self.secret = hasattr(self.words, "seen")
        self._again(match)

    def _again(self, match: Match) -> None:
        self.twin = match.again()
        self.lines: list[Line] = []
        self.past = Past([self.twin.states.copy()[0]], [], [])

    def catch_up(self, match: Match) -> None:
        """Read what is new."""
        done = self.twin.history
        if done != match.history[: len(done)]:
            self._again(match)
            done = self.twin.history
        tell = getattr(self.words, "tell", None)
        for choice in match.history[len(done) :]:
            actor, text = self.twin.actor, self.twin.say(choice)
            if tell:
                prose = tell(self.twin.state, choice, match.names)
            else:
                prose = text if actor == CHANCE else f"{match.names[actor]}: {text}."
            self.lines.append(Line(actor, text, prose))
            self.twin.play(choice)
            if self.secret:
                self.past.states.append(self.twin.states.copy()[0])
                self.past.choices.append(choice)
                self.past.actors.append(actor)

    def read(self, match: Match, seat: int, last: int) -> list[Line]:
        """The newest events, oldest first, as a seat may know them."""
        self.catch_up(match)
        newest = range(max(0, len(self.lines) - last), len(self.lines))
        if not self.secret:
            return [self.lines[i] for i in newest]
        return [self._known(i, seat, match) for i in newest]

    def _known(self, i: int, seat: int, match: Match) -> Line:
        line = self.lines[i] if match.over else self._seen(i, seat, match.names)
        news = getattr(self.words, "news", None)
        if not news:
            return line
        heard = news(self.past.states[i], self.past.choices[i], match.names, seat)
        return line._replace(prose="\n".join([line.prose, *reversed(heard)]))

    def _seen(self, i: int, seat: int, names: list[str]) -> Line:
        line = self.lines[i]
        text = self.words.seen(self.past, i, seat)
        if text == line.text:
            return line
        if line.actor == CHANCE:
            return Line(line.actor, text, "")
        name = names[line.actor]
        if text == "-":
            return Line(line.actor, text, f"{name} writes an order under seal.")
        return Line(line.actor, text, f"{name}: {text.replace(' -', '')}, unseen.")
