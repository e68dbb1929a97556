"""Hidden information: what each seat may know of an event, as record text, sentence and news.

Nobody else decides this.  The table, the terminal and the record of one seat all ask here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .errors import NotLegal
from .game import Game
from .match import Match
from .record import CHANCE, copied
from .voice import Voice

NamesAt = Callable[[int], Sequence[str]]
"""What everybody was called when an event happened."""


@dataclass(frozen=True)
class Past:
    """A game so far, for a game's `seen` to tell what a seat may know of it."""

    states: list[Any]
    """The state before each event; one more: now."""
    choices: list[int]
    actors: list[int]


class Heard(NamedTuple):
    """An event as one seat may know it."""

    actor: int
    text: str
    """In the words of the record; ``-`` stands for what the seat may not know."""
    prose: str
    """In a sentence; empty where there is nothing to tell."""
    news: Sequence[str] = ()
    """What the seat hears once the event is carried out, a sentence each."""
    hidden: bool = False
    """Whether the sentence leaves something out."""
    event: Any = None
    """As data for the game's face, where the game has such."""
    whose: int = CHANCE
    """The side whom it concerns: the actor; of chance by `Voice.luck`; `CHANCE`: nobody."""
    die: str = ""
    """This and the next two are as in `Told`."""
    then: str = ""
    does: tuple[str, str] | None = None


def lines(heard: Heard, game: Game, *, own: bool) -> list[str]:
    """An event in sentences, as people read it; ``own``: the reader did it.

    A game's news replaces the sentence about what others do, and about what is still hidden.
    """
    left_out = game.voice.has_news and heard.hidden
    if left_out or (heard.news and not own):
        return list(heard.news)
    return [line for line in (heard.prose, *heard.news) if line]


def text_for(voice: Voice, past: Past, event: int, seat: int) -> str:
    """An event in the words of the record, as a seat (-1: a spectator) may know it in mid-game."""
    return voice.seen(past, event, seat)


def hides(match: Match) -> bool:
    """Whether some seat may not know all that has happened; once the game is over, all may."""
    return match.game.secret and not match.over


class Teller:
    """Tells a match event by event, to each seat what it may know.

    It reads what is new when it is asked, and starts again where something was taken back.
    """

    def __init__(self, match: Match) -> None:
        """Reads the words of all that has happened; the sentences when somebody asks for them."""
        self.game, self.voice = match.game, match.game.voice
        self.keeps_states = self.voice.secret or self.voice.has_news
        self._start(match)
        self._catch_up(match)

    def _start(self, match: Match) -> None:
        self.twin, self.reader = match.again(), match.again()
        self.past = Past([copied(self.twin.states)[0]], [], [])
        self.words: list[str] = []
        """Every event in the words of the record, nothing left out."""
        self._whole: list[Heard] = []

    def _catch_up(self, match: Match) -> None:
        if (done := self.past.choices) != match.history[: len(done)]:
            self._start(match)
        twin = self.twin
        for choice in match.history[len(self.past.choices) :]:
            self.words.append(twin.say(choice))
            self.past.choices.append(choice)
            self.past.actors.append(twin.actor)
            _go_on(twin, choice)
            if self.keeps_states:
                self.past.states.append(copied(twin.states)[0])

    def texts(self, match: Match, seat: int, last: int | None = None) -> list[str]:
        """The events, or the ``last`` of them, in the words of the record, as a seat may know them.

        -1: a spectator.
        """
        self._catch_up(match)
        return [self._text(i, seat) for i in self._newest(last)]

    def hear(
        self, match: Match, seat: int, last: int | None = None, names: NamesAt | None = None
    ) -> list[Heard]:
        """The events, or the ``last`` of them, as a seat (-1: a spectator) may know them.

        ``names``: the sides', if they have changed since an event.
        """
        self._catch_up(match)
        if names is None:
            now = match.side_names()
            return self.hear(match, seat, last, lambda _: now)
        self._read(names)
        newest = self._newest(last)
        if not self.keeps_states:
            return self._whole[newest.start :]
        return [self._heard(i, seat, names(i)) for i in newest]

    def _newest(self, last: int | None) -> range:
        events = len(self.words)
        return range(0 if last is None else max(0, events - last), events)

    def _text(self, i: int, seat: int) -> str:
        return text_for(self.voice, self.past, i, seat) if hides(self.twin) else self.words[i]

    def _heard(self, i: int, seat: int, names: Sequence[str]) -> Heard:
        whole, text = self._whole[i], self._text(i, seat)
        news: Sequence[str] = ()
        if self.voice.has_news:
            news = self.voice.news(self.past.states[i], self.past.choices[i], names, seat)
        event = self.voice.known(whole.event, seat) if hides(self.twin) else whole.event
        if text == whole.text:
            return whole._replace(text=text, news=news, event=event)
        hint = self._hint(whole, text, names)
        return Heard(whole.actor, text, hint, news, hidden=True, event=event, whose=whole.whose)

    def _hint(self, whole: Heard, text: str, names: Sequence[str]) -> str:
        """A sentence for those who may know no more of an event than ``text``, and whose it is."""
        if text == "-" or whole.whose == CHANCE:
            return "" if whole.actor == CHANCE else f"{names[whole.actor]} gives a secret order."
        name = self.game.side_names(names, whole.whose + 1)[whole.whose]
        rest = f"{name}: {text.replace(' -', '')}; the rest is hidden."
        return self.voice.tell_part(text, name) or rest

    def _read(self, names: NamesAt) -> None:
        """Put what is new into sentences, and into data for faces."""
        reader = self.reader
        for i in range(len(self._whole), len(self.words)):
            actor, choice = self.past.actors[i], self.past.choices[i]
            told = self.voice.sentence(reader.state, actor, choice, names(i))._asdict()
            event = self.voice.event(reader.state, choice)
            luck = self.voice.luck(reader.state) if actor == CHANCE else None
            whose = int(luck[0]) if luck else actor
            self._whole.append(Heard(actor, self.words[i], event=event, whose=whose, **told))
            _go_on(reader, choice)


def _go_on(match: Match, choice: int) -> None:
    """Let an event of a record happen; an adjudicator's is no legal choice."""
    try:
        match.play(choice)
    except NotLegal:
        match.follow([choice])
