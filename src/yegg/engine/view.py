"""A view, what one seat may know of a game; and the class that players of your own inherit."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from yegg.text.phrases import listing, meant
from yegg.text.untrusted import as_text, quoted

from . import kernels
from .compiler import How
from .engine import places
from .errors import Ambiguous, NotLegal, NotUnderstood
from .game import Game
from .record import States, copied
from .scene import draw_scene
from .voice import Why
from .whole import whole

LONGEST_SENTENCE = 200  # characters; no text of a game is as long
WIDE = 100  # columns of a scene
ANY_QUESTION = "What do you do?"  # of a game that has no words for it
UNKNOWN = (
    200  # events of others that a view may lack before its seat acts; no game has nearly as many
)


class Speech:
    """The words of a position's choices.  Matches and views inherit it."""

    game: Game
    _texts: dict[str, int] | None = None

    @property
    def state(self) -> Any:
        """The state as a NumPy record; its fields are those that the game's ``State`` declares."""
        raise NotImplementedError

    @property
    def choices(self) -> list[int]:
        """The legal choices, ascending."""
        raise NotImplementedError

    @property
    def asked(self) -> Any:
        """The state in which the choices are made, by which they are worded."""
        return self.state

    @property
    def texts(self) -> dict[str, int]:
        """Every legal choice by its text, as records have it."""
        if self._texts is None:
            self._texts = {self.say(choice): choice for choice in self.choices}
        return self._texts

    def say(self, choice: int) -> str:
        """The text of a legal choice, as records have it.  Raises NotLegal for what is none."""
        whole(choice, "a choice", 0, self.game.choices - 1, NotLegal)
        return str(self.game.words.say(self.asked, choice))

    def hear(self, text: str) -> int:
        """The legal choice that has exactly this text.

        Raises NotLegal for a sentence of the game that is not possible now, with the game's
        reason, and NotUnderstood for anything else.
        """
        texts = self.texts
        if text in texts:
            return texts[text]
        if why := self._why_not(text):
            raise NotLegal(f"{why}; {self._possible()}", why.clause)
        raise NotUnderstood(f"{quoted(text)} is not possible here; {self._possible()}")

    def synonyms(self) -> dict[str, str]:
        """Other words for legal choices, and the texts that they stand for."""
        texts = self.texts
        there = self.game.voice.synonyms
        return {other: text for other, text in there.items() if text in texts}

    def guess(self, typed: str) -> int:
        """The legal choice that a person means.

        They may type its text or a synonym, its last words, or the beginnings of its words.
        Raises Ambiguous, NotLegal or NotUnderstood.
        """
        texts = self.texts
        plain = " ".join(typed.lower().split())
        wanted = _words(plain) if len(plain) <= LONGEST_SENTENCE else []
        means = {text: text for text in texts} | self.synonyms()
        spoken = {said: _words(said) for said in means}
        for fits in (_is, _ends, _begins, _within):
            near = [means[said] for said, words in spoken.items() if wanted and fits(words, wanted)]
            if len(set(near)) == 1:
                return texts[near[0]]
            if near:
                raise Ambiguous(f"{quoted(typed)} could be: {', '.join(dict.fromkeys(near))}")
        for verb in dict.fromkeys(text.split()[0] for text in texts):
            if why := self._why_not(f"{verb} {plain}"):
                raise NotLegal(f"{why}; {self._possible()}", why.clause)
        try:
            return self.hear(plain)
        except NotUnderstood:
            if close := meant(plain, list(means)):
                hint = f"did you mean {means[close]!r}? {self._possible()}"
                raise NotUnderstood(f"{quoted(typed)} is not possible here; {hint}") from None
            raise

    def _why_not(self, text: str) -> Why | None:
        """The game's reason why a sentence of its own is not possible now."""
        if len(text) > LONGEST_SENTENCE:
            return None
        return self.game.voice.why_not(self.asked, text)

    def _title(self, options: Mapping[str, str]) -> str:
        """The game and the options away from the published rules."""
        rules = listing([f"{name}={value}" for name, value in options.items()])
        return f"{self.game.title}{f' ({rules})' if rules else ''}"

    def _first_texts(self) -> str:
        texts = list(self.texts)
        return f"{', '.join(texts[:6])}{f', … ({len(texts)})' if len(texts) > 6 else ''}"

    def _possible(self) -> str:
        texts = list(self.texts)
        if not texts:
            return "nothing is to be chosen"
        more = f" and {len(texts) - 12} more" if len(texts) > 12 else ""
        return f"possible: {', '.join(texts[:12])}{more}"


def _words(text: str) -> list[str]:
    """Words in lower case; ``the-mill`` is two words, ``-1`` is one."""
    return re.sub(r"(?<=\w)-(?=\w)", " ", text.lower()).split()


def _is(words: list[str], wanted: list[str]) -> bool:
    return words == wanted


def _ends(words: list[str], wanted: list[str]) -> bool:
    return words[-len(wanted) :] == wanted


def _begins(words: list[str], wanted: list[str]) -> bool:
    """Whether each wanted word begins a word, in this order, and the first begins the first."""
    return words[0].startswith(wanted[0]) and _within(words, wanted)


def _within(words: list[str], wanted: list[str]) -> bool:
    rest = iter(words)
    return all(any(word.startswith(want) for word in rest) for want in wanted)


def seat_names(players: int) -> list[str]:
    """What players are called who have no names here: ``Seat 1``."""
    return [f"Seat {seat + 1}" for seat in range(players)]


class View(Speech):
    """What a seat may know.  Nothing in it depends on what the seat cannot know.

    >>> from yegg.engine import Match
    >>> view = Match("second-story", players=2, seed=3).view(0)
    >>> view
    <View of Second Story: seat 1 of 2; thorough, quick>
    >>> view.choices[0] == view.hear("thorough")
    True
    """

    def __init__(
        self, game: Game, states: States, seat: int, choices: Sequence[int], how: How = "compiled"
    ) -> None:
        """`Match.view` makes views.  ``choices`` are the seat's legal choices."""
        self.game, self.how = game, how
        self.players: int = states["players"].item()
        self.seat = whole(seat, "a seat", -1, self.players - 1)
        self.states = states
        """The state without what is hidden from the seat, shape (1,); it can be played on."""
        self._choices = [whole(one, "a choice", 0, game.choices - 1) for one in choices]

    @property
    def options(self) -> dict[str, str]:
        """The options that differ from the published rules, by name."""
        return self.game.options_of(self.states)

    @property
    def state(self) -> Any:
        """The same as one NumPy record, for its fields."""
        return self.states[0]

    @property
    def choices(self) -> list[int]:
        """The seat's legal choices, ascending; empty while somebody else acts."""
        return self._choices

    @property
    def scores(self) -> list[int]:
        """Every side's score, the game's headline number, as far as the seat knows."""
        return self.game.engine(how=self.how).result(self.states)[0]

    @property
    def places(self) -> list[int]:
        """Every side's place, 1 the best, as far as the seat knows."""
        return places(self.game.engine(how=self.how).result(self.states)[1])

    @property
    def question(self) -> str:
        """What the seat is asked, in a sentence; "" while somebody else acts.

        >>> from yegg.engine import Match
        >>> Match("second-story", players=2, seed=3).view(0).question
        'How do you rob the Origin?'
        """
        return self.game.voice.ask(self.asked) or ANY_QUESTION if self.choices else ""

    @cached_property
    def asked(self) -> Any:
        """The state in which the seat is asked; what it cannot know is made up.

        In a view, chance still has to deal what is hidden, and others to write what is sealed.
        """
        engine, states = self.game.engine(how=self.how), copied(self.states)
        options_of, advance = engine.kernel(kernels.options_of), engine.kernel(kernels.advance)
        out, who = np.zeros(engine.choices, np.int32), np.zeros(2, np.int32)
        options_of(states, out, who)
        for _ in range(UNKNOWN):
            if who[0] == self.seat:
                break
            advance(states, out[0], kernels.NO_DICE, out, who)
        return states[0]

    def scene(self, names: Sequence[str] = ()) -> str:
        """The position as text, as the terminal shows it to this seat.

        ``names`` are those of the players; without them each is called by the seat, ``Seat 1``.

        >>> from yegg.engine import Match
        >>> print(Match("second-story", players=2, seed=3).view(0).scene().splitlines()[0])
        Seat 1's night · draw pile 34, discards 0
        """
        sides = self.game.side_names(names or seat_names(self.players), len(self.scores))
        text = as_text(draw_scene(self.game, self.states, sides, self.seat), WIDE)
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        return re.sub("\n{3,}", "\n\n", lines)

    def __repr__(self) -> str:
        can = f"; {self._first_texts()}" if self.choices else ""
        who = f"seat {self.seat + 1} of {self.players}" if self.seat >= 0 else "a spectator"
        return f"<View of {self._title(self.options)}: {who}{can}>"


class Player:
    """A player of your own: inherit, and write `choose`.

    One instance plays one seat of one match.

    >>> import yegg
    >>> class Last(yegg.Player):
    ...     def choose(self, view):
    ...         return view.choices[-1]
    >>> view = yegg.Match("second-story", players=2, seed=0).view()
    >>> view.say(Last().choose(view))
    'quick'
    """

    def begin(self, seed: int) -> None:
        """A match begins.  Take all random numbers from ``seed``, so that games can be repeated."""

    def choose(self, view: View) -> int:
        """Return one of ``view.choices``, a list of at least two integers.

        If this raises an error, returns anything else or takes too long, the player loses this
        decision; everybody else plays on.
        """
        raise NotImplementedError
