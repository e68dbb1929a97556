"""One game being played, from Python."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from . import kernels
from .dice import roll, seeds
from .engine import places
from .errors import NotLegal, Refused
from .fields import quick
from .forge import How
from .game import Game, find
from .prose import counted, listing
from .record import CHANCE, NOBODY, States, copied
from .speech import Speech
from .verbs import Dice
from .view import View

LONGEST_NAME = 40
LONGEST_SENTENCE = 200  # characters; no game says anything as long


class Match(Speech):
    """A game on the table: who acts, what they may do, and all that has happened.

    Over the compiled rules by default; ``how="plain"`` plays over the plain ones.

    >>> match = Match("second-story", players=3, seed=2)
    >>> match
    <Match of Second Story: 3 players, 1 event; seat 1 to choose: thorough, quick>
    >>> match.play(match.hear("thorough"))
    >>> match.over, match.scores
    (False, [0, 0, 0])
    """

    def __init__(
        self,
        game: Game | str,
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        names: Sequence[str] = (),
        seed: int | None = None,
        how: How = "compiled",
    ) -> None:
        """Deal a new game; with a ``seed`` chance plays by itself, as in game 0 of a simulation.

        ``game`` may be its name.  Raises Refused if game, players, options or names cannot be.
        """
        self.game = game = find(game) if isinstance(game, str) else game
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
        self._actor = NOBODY
        self.seed = seed
        self._first: States = blank.view(quick(blank.dtype))
        engine.kernel(kernels.begin)(self._first, self._out)
        self.restart()

    def restart(self) -> None:
        """Back to the deal; with a seed the same cards and dice come again."""
        self._rewind()
        self._dice: Dice | None = None
        if self.seed is not None:
            self._dice = seeds(self.seed, 0, 1, 1)[0, 0]
            self._let_chance(self._dice)

    def _rewind(self) -> None:
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
        """Make a choice; with a seed, chance then answers by itself.

        Raises NotLegal and changes nothing if it is not legal.
        """
        self._play(choice)
        if self._dice is not None:
            self._let_chance(self._dice)

    def _let_chance(self, dice: Dice) -> None:
        with np.errstate(over="ignore"):  # the generator counts round and round
            while self._actor == CHANCE:
                self._play(int(self._out[roll(dice, self._count)]))

    def to_decision(self, seed: int = 0) -> Self:
        """Play on until somebody has a choice: chance by ``seed``, then what has no alternative."""
        dice = seeds(seed, 0, 1, 1)[0, 0] if self._dice is None else self._dice
        self._let_chance(dice)
        while not self.over and self._count == 1:
            self._play(int(self._out[0]))
            self._let_chance(dice)
        return self

    def _play(self, choice: int) -> None:
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
        twin._dice = None if self._dice is None else self._dice.copy()
        return twin

    @classmethod
    def resumed(
        cls, game: Game, states: States, *, seed: int | None = None, how: How = "compiled"
    ) -> "Match":
        """A game that goes on from some states, shape (1,), with a history of its own."""
        match = cls(game, int(states[0]["players"]), game.options_of(states), how=how)
        match._first = copied(states)
        match.seed = seed
        match.restart()
        return match

    @classmethod
    def imagined(cls, view: View, seed: int = 0) -> "Match":
        """A game that may follow what a seat knows: chance deals, by ``seed``, what it cannot see.

        It is to be played on, and has no history; the same seed deals the same.
        """
        return cls.resumed(view.game, view.states, seed=seed, how=view.how)

    def undo(self, seat: int) -> bool:
        """Take back a seat's own last choice, if nothing has happened since."""
        if not self.history or self.actors[-1] != seat:
            return False
        self.back(len(self.history) - 1)
        return True

    def back(self, events: int) -> None:
        """Take back everything after so many events."""
        keep = self.history[:events]
        self._rewind()
        self.follow(keep)

    def view(self, seat: int | None = None) -> View:
        """What a seat, by default the current player's, may know; with the choices it has now.

        -1: a spectator.
        """
        seat = self._actor if seat is None else seat
        choices = self.choices if seat == self._actor else []
        return View(self.game, self.known_to(seat), seat, choices, self.engine.forge.how)

    def known_to(self, seat: int) -> States:
        """What a seat may know, a playable state, shape (1,).  -1: a spectator."""
        states = copied(self.states)
        hide = self.engine.kernel(kernels.veil)
        for who in range(self.players) if seat < 0 else [seat]:
            hide(states, who)
        return states

    @property
    def scores(self) -> list[int]:
        """The game's headline number of every side, as it stands."""
        return self.engine.result(self.states)[0]

    @property
    def places(self) -> list[int]:
        """Every side's place, 1 the best; ties share one and the next are skipped."""
        return places(self.engine.result(self.states)[1])

    def side_names(self) -> list[str]:
        """Who the places and scores belong to: the players, and a side that nobody plays."""
        return self.game.side_names(self.names, len(self.scores))

    def _possible(self) -> str:
        return "the game is over" if self.over else super()._possible()

    def __repr__(self) -> str:
        rules = listing([f"{name}={value}" for name, value in self.options.items()])
        title = f"{self.game.title}{f' ({rules})' if rules else ''}"
        so_far = f"{counted(self.players, 'player')}, {counted(len(self.history), 'event')}"
        if self.over:
            return f"<Match of {title}: {so_far}; over, scores {self.scores}>"
        who = "chance" if self._actor == CHANCE else f"seat {self._actor + 1}"
        texts = list(self.texts)
        more = f", … ({len(texts)})" if len(texts) > 6 else ""
        return f"<Match of {title}: {so_far}; {who} to choose: {', '.join(texts[:6])}{more}>"


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
