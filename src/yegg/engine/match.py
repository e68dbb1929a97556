"""One game being played, from Python."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from yegg.outside import quoted

from . import kernels
from .errors import Ambiguous, NotLegal, NotUnderstood, Refused
from .fields import quick
from .forge import How
from .game import Game
from .prose import meant
from .record import NOBODY, States, copied

LONGEST_NAME = 40
LONGEST_SENTENCE = 200  # characters; no game says anything as long


class Match:
    """A game on the table: who acts, what they may do, and all that has happened.

    Over the compiled rules by default; ``how="plain"`` plays over the plain ones.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        names: Sequence[str] = (),
        how: How = "compiled",
    ) -> None:
        """Deal a new game.  Raises Refused if players, options or names cannot be."""
        self.game = game
        self.players = players
        self.names = check_names(names or [f"Seat {i + 1}" for i in range(players)], players)
        self.options = game.chosen(players, options or {})
        self.history: list[int] = []
        self.actors: list[int] = []
        engine = self.engine = game.engine(how)
        self._out = np.zeros(engine.choices, np.int32)
        self._who = np.zeros(1, np.int32)
        self._advance = engine.kernel(kernels.advance)
        blank = game.blank(players, options or {})
        self._texts: dict[str, int] | None = None
        self._actor = NOBODY
        self._first: States = blank.view(quick(blank.dtype))
        engine.kernel(kernels.begin)(self._first, self._out)
        self.restart()

    def restart(self) -> None:
        """Back to the deal."""
        self.states: States = copied(self._first)
        self.history.clear()
        self.actors.clear()
        self._refresh()

    @property
    def state(self) -> Any:
        """The whole state, hidden things included: a NumPy record."""
        return self.states[0]

    @property
    def actor(self) -> int:
        """The current player: a seat from 0, CHANCE, or NOBODY."""
        return self._actor

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._actor == NOBODY

    @property
    def choices(self) -> list[int]:
        """The legal choices of the current player, ascending."""
        choices: list[int] = self._out[: self._count].tolist()
        return choices

    def play(self, choice: int) -> None:
        """Make a choice.  Raises NotLegal and changes nothing if it is not legal."""
        count = int(self._advance(self.states, choice, self._out, self._who))
        if count == kernels.ILLEGAL:
            self._refresh()
            raise NotLegal(f"choice {choice} is not legal here; {self._possible()}")
        self.history.append(choice)
        self.actors.append(self._actor)
        self._count, self._actor, self._texts = count, int(self._who[0]), None

    def follow(self, choices: Sequence[int]) -> None:
        """Make many choices, fast.  Raises NotLegal; those before the bad one are made."""
        follow = self.engine.kernel(kernels.follow)
        actors = np.zeros(len(choices), np.int32)
        done = int(follow(self.states, np.asarray(choices, np.int32), actors, self._out))
        self.history.extend(int(choice) for choice in choices[:done])
        self.actors.extend(actors[:done].tolist())
        self._refresh()
        if done < len(choices):
            raise NotLegal(f"choice {choices[done]} is not legal here; {self._possible()}")

    def _refresh(self) -> None:
        options_of = self.engine.kernel(kernels.options_of)
        self._count = int(options_of(self.states, self._out, self._who))
        self._actor = int(self._who[0])
        self._texts = None

    def say(self, choice: int) -> str:
        """A legal choice in the words of the record."""
        return str(self.game.words.say(self.state, choice))

    def texts(self) -> dict[str, int]:
        """Every legal choice by its text."""
        if self._texts is None:
            self._texts = {self.say(choice): choice for choice in self.choices}
        return self._texts

    def hear(self, text: str) -> int:
        """The legal choice of exactly this text.

        Raises NotLegal for a sentence of the game that is not possible now, with the
        reason where the game knows it, and NotUnderstood for anything else.
        """
        texts = self.texts()
        if text in texts:
            return texts[text]
        if reason := self._why_not(text):
            raise NotLegal(f"{reason}; {self._possible()}")
        raise NotUnderstood(f"{quoted(text)} is not possible here; {self._possible()}")

    def synonyms(self) -> dict[str, str]:
        """Other words for what is possible now: the game's words may list ``SYNONYMS``."""
        there = getattr(self.game.words, "SYNONYMS", {})
        texts = self.texts()
        return {other: text for other, text in there.items() if text in texts}

    def _why_not(self, text: str) -> str | None:
        """The game's reason why a sentence of its own is not possible now."""
        why_not = getattr(self.game.words, "why_not", None)
        return why_not(self.state, text) if why_not and len(text) <= LONGEST_SENTENCE else None

    def guess(self, typed: str) -> int:
        """The legal choice a person means: its text, its last words, or beginnings of its words.

        A synonym counts as its text.  Raises Ambiguous, NotLegal or NotUnderstood.
        """
        texts = self.texts()
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
            if reason := self._why_not(f"{verb} {plain}"):
                raise NotLegal(f"{reason}; {self._possible()}")
        try:
            return self.hear(plain)
        except NotUnderstood:
            if close := meant(plain, list(means)):
                hint = f"did you mean {means[close]!r}? {self._possible()}"
                raise NotUnderstood(f"{quoted(typed)} is not possible here; {hint}") from None
            raise

    def hear_recorded(self, text: str, *, listed: bool = False) -> int:
        """As `hear`, and what only a record may say, unless the legal events were listed."""
        if not listed:
            for choice in self.specials:
                if self.say(choice) == text:
                    return choice
        return self.hear(text)

    @property
    def specials(self) -> list[int]:
        """What nobody may choose, but a record may hold (an adjudicator's orders)."""
        if self.over or not hasattr(self.game.rules, "special"):
            return []
        out = np.zeros_like(self._out)
        count = int(self.engine.kernel(kernels.specials_of)(self.states, out))
        return [int(choice) for choice in out[:count]]

    def decides(self, choice: int) -> bool:
        """Whether an event about to happen is somebody's own choice of several.

        Chance's is not, the only one possible is not, and what an adjudicator wrote is not.
        """
        return self.actor >= 0 and len(self.choices) > 1 and choice not in self.specials

    def again(self) -> "Match":
        """The same game from its start, to be played again."""
        return Match(
            self.game, self.players, self.options, names=self.names, how=self.engine.forge.how
        )

    def fork(self) -> "Match":
        """The same game at the same point, to be played on by itself."""
        twin = object.__new__(Match)
        vars(twin).update(vars(self))
        twin.states = copied(self.states)
        twin._out, twin._who = self._out.copy(), self._who.copy()
        twin.history, twin.actors = self.history.copy(), self.actors.copy()
        return twin

    def seen_by(self, seat: int) -> "Match":
        """The same game with nothing in it but what a seat (-1: a spectator) may know."""
        twin = self.fork()
        twin.states = self.view(seat)
        twin._texts = None  # noqa: SLF001  its own
        return twin

    def undo(self, seat: int) -> bool:
        """Take back a seat's own last choice, if nothing has happened since."""
        if not self.history or self.actors[-1] != seat:
            return False
        self.back(len(self.history) - 1)
        return True

    def back(self, events: int) -> None:
        """Take back everything after so many events."""
        keep = self.history[:events]
        self.restart()
        self.follow(keep)

    def view(self, seat: int) -> States:
        """What a seat may know, a playable state, shape (1,).  -1: a spectator."""
        states = copied(self.states)
        hide = self.engine.kernel(kernels.veil)
        for who in range(self.players) if seat < 0 else [seat]:
            hide(states, who)
        return states

    def scores(self) -> list[int]:
        """The game's headline number of every side, as it stands."""
        return self._result()[0]

    def places(self) -> list[int]:
        """Every side's place, 1 the best; ties share one and the next are skipped."""
        standings = self._result()[1]
        return [1 + sum(other > mine for other in standings) for mine in standings]

    def side_names(self) -> list[str]:
        """Who the places and scores belong to: the players, and a side that nobody plays."""
        extra = len(self.scores()) - self.players
        return self.names + ["Automa"] * extra

    def _result(self) -> tuple[list[int], list[int]]:
        scores, standings = np.zeros(16, np.int32), np.zeros(16, np.int64)
        n = int(self.engine.kernel(kernels.result)(self.states, scores, standings))
        return scores[:n].tolist(), standings[:n].tolist()

    def _possible(self) -> str:
        if self.over:
            return "the game is over"
        texts = list(self.texts())
        more = f" and {len(texts) - 12} more" if len(texts) > 12 else ""
        return f"possible: {', '.join(texts[:12])}{more}"


def check_names(names: Sequence[str], players: int) -> list[str]:
    """One fit name for each player, as they came.  Raises Refused."""
    if len(names) != players:
        raise Refused(f"{players} players need {players} names, not {len(names)}")
    for name in names:
        if not name or name != name.strip() or len(name) > LONGEST_NAME:
            raise Refused(f"{name!r} is no name: 1 to {LONGEST_NAME} characters, no outer spaces")
        if "," in name or not name.isprintable():
            raise Refused(f"{name!r} is no name: commas and unprintable characters are not allowed")
    return list(names)


def _words(text: str) -> list[str]:
    """Words in lower case; ``the-mill`` is two, ``-1`` is one."""
    return re.sub(r"(?<=\w)-(?=\w)", " ", text.lower()).split()


def _is(words: list[str], wanted: list[str]) -> bool:
    return words == wanted


def _ends(words: list[str], wanted: list[str]) -> bool:
    return words[-len(wanted) :] == wanted


def _begins(words: list[str], wanted: list[str]) -> bool:
    """Whether each wanted word begins a word, in this order, the first one the first."""
    return words[0].startswith(wanted[0]) and _within(words, wanted)


def _within(words: list[str], wanted: list[str]) -> bool:
    rest = iter(words)
    return all(any(word.startswith(want) for word in rest) for want in wanted)
