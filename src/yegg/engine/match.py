"""A match: one game being played, from Python."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from yegg.text.names import same_form, why_no_name
from yegg.text.phrases import counted

from . import kernels
from .border import admitted
from .compiler import How
from .dice import roll, seeds
from .engine import places
from .errors import NotLegal, Refused
from .game import Game, game_of
from .kernels import ILLEGAL, NO_DICE
from .record import CHANCE, NOBODY, Ints, States, copied
from .verbs import Dice
from .view import Speech, View, seat_names
from .whole import shown, whole, wholes

MOST_DRAWN = 30  # choices that chance makes by one call of a kernel


class Match(Speech):
    """One game being played: who acts, what they may do, and everything that has happened.

    It runs the compiled rules; ``how="plain"`` runs the plain ones, which start at once and open
    to debuggers, but are slow.

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
        cards: Path | str | None = None,
        how: How = "compiled",
    ) -> None:
        """Deal a new game.

        ``game`` is a game or its name, ``options`` are those away from the published rules, and
        ``names`` has one name for each player.  With a ``seed`` chance acts by itself, as in the
        first game of a simulation with this seed; without one, chance's choices are played like
        all others.  ``cards`` is the file of a deck of your own, for a game that takes one
        (Thief's Market).  Raises Refused if one of these cannot be.
        """
        self.game = game = game_of(game, cards)
        self.players = players = whole(players, "how many play")
        self.options = game.chosen(players, options or {})
        self.names = check_names(names or seat_names(players), players)
        self.history: list[int] = []
        self.actors: list[int] = []
        engine = self.engine = game.engine(how=how)
        room = 0 if how == "plain" else MOST_DRAWN  # plain dice overflow: see `_let_chance`
        self._write_to(np.zeros(engine.choices, np.int32), np.zeros(2 + room, np.int32))
        self._actor = NOBODY
        self.seed = None if seed is None else whole(seed, "a seed")
        self._first: States = game.blank(players, options or {})
        self._advance = engine.direct(
            kernels.advance, self._first, 0, NO_DICE, self._out, self._who
        )
        engine.kernel(kernels.begin)(self._first, self._out)
        self.restart()

    def _write_to(self, out: Ints, who: Ints) -> None:
        """Have kernels write to these; Python reads them as memoryviews, which is faster."""
        self._out, self._who = out, who
        self._out_data, self._who_data = out.data, who.data

    def restart(self) -> None:
        """Go back to the deal.  With a seed the same cards and dice come again."""
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
        """The whole state, hidden things included, as one NumPy record."""
        return self.states[0]

    @property
    def actor(self) -> int:
        """Who acts now: a seat from 0, CHANCE, or NOBODY when the game is over."""
        return self._actor

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._actor == NOBODY

    @property
    def choices(self) -> list[int]:
        """The legal choices of the actor, ascending; none when the game is over."""
        return self._out_data[: self._count].tolist()

    def play(self, choice: int) -> None:
        """Make a choice for the actor; with a seed, chance then acts by itself.

        Raises NotLegal, and changes nothing, if the choice is not legal.  An adjudicator's orders
        (`specials`) are not legal here: only `follow` makes them.
        """
        if self._dice is None:
            self._play(choice)
        else:
            self._play(choice, self._dice)
            self._let_chance(self._dice)

    def _let_chance(self, dice: Dice) -> None:
        while self._actor == CHANCE:
            with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
                choice = self._out_data[roll(dice, self._count)]
            self._play(choice, dice)

    def to_decision(self, seed: int | Dice = 0) -> Self:
        """Play on until a player has at least two choices, or the game is over.

        Chance acts by the match's own seed if it has one, else by ``seed``, a number or a
        generator; forced choices are made.  Returns the match itself.
        """
        if self._dice is not None:
            dice = self._dice
        elif isinstance(seed, np.ndarray) and seed.ndim:
            dice = seed
        else:
            dice = seeds(whole(seed, "a seed"), 0, 1, 1)[0, 0]
        self._let_chance(dice)
        while not self.over and self._count == 1:
            self._play(self._out_data[0], dice)
            self._let_chance(dice)
        return self

    def _play(self, choice: int, dice: Dice = NO_DICE) -> None:
        """Make a choice; with ``dice`` chance then acts, up to `MOST_DRAWN` times."""
        choice = whole(choice, "a choice")
        count = ILLEGAL
        if 0 <= choice < self.engine.choices:
            count = self._advance(self.states, choice, dice, self._out, self._who)
        if count == ILLEGAL:
            self._refresh()
            raise NotLegal(f"choice {shown(choice)} is not legal here; {self._possible()}")
        self.history.append(choice)
        self.actors.append(self._actor)
        if dice is not NO_DICE and (many := self._who_data[1]):
            self.history += self._who_data[2 : 2 + many].tolist()
            self.actors += [CHANCE] * many
        self._count, self._actor, self._texts = count, self._who_data[0], None

    def follow(self, choices: Sequence[int]) -> None:
        """Make the choices of a record, chance's included, much faster than `play` does.

        It also makes what only a record may hold, an adjudicator's orders (`specials`), and it
        lets chance do nothing by itself, seed or not.  Raises NotLegal at the first choice that
        is not legal; those before it have been made.
        """
        follow = self.engine.kernel(kernels.follow)
        actors = np.zeros(len(choices), np.int32)
        made = wholes(choices, "a choice", self.engine.choices)
        done = int(follow(self.states, made, actors, self._out))
        self.history.extend(made[:done].tolist())
        self.actors.extend(actors[:done].tolist())
        self._refresh()
        if done < len(choices):
            raise NotLegal(f"choice {shown(choices[done])} is not legal here; {self._possible()}")

    def _refresh(self) -> None:
        options_of = self.engine.kernel(kernels.options_of)
        self._count = int(options_of(self.states, self._out, self._who))
        self._actor = self._who_data[0]
        self._texts = None

    def hear_recorded(self, text: str, *, listed: bool = False) -> int:
        """The choice of a text in a record: as `hear`, and an adjudicator's orders (`specials`).

        ``listed``: the record lists the legal choices before this event, so it is one of them.
        """
        if not listed:
            for choice in self.specials:
                if self.say(choice) == text:
                    return choice
        return self.hear(text)

    @property
    def specials(self) -> list[int]:
        """Choices that nobody may make now, but a record may hold: an adjudicator's orders.

        `follow` makes them, `play` refuses them.
        """
        if self.over or not hasattr(self.game.rules, "special"):
            return []
        out = np.zeros_like(self._out)
        count = int(self.engine.kernel(kernels.specials_of)(self.states, out))
        return [int(choice) for choice in out[:count]]

    def decides(self, choice: int) -> bool:
        """Whether ``choice``, if made now, is a player's own decision.

        It is not if chance acts, if nothing else is possible, or if an adjudicator wrote it.
        """
        return self.actor >= 0 and len(self.choices) > 1 and choice not in self.specials

    def again(self) -> "Match":
        """A new match of the same game, options and names, at its start and without a seed."""
        match = Match(self.game, self.players, self.options, how=self.engine.compiler.how)
        match.names = self.names  # perhaps names that were fit when the game began
        return match

    def fork(self, *, chance: bool = True) -> "Match":
        """A copy of the match, which can be played on without changing this one.

        Without ``chance`` it has no seed: chance waits there until its choices are played.
        """
        twin = object.__new__(Match)
        vars(twin).update(vars(self))
        twin.states = copied(self.states)
        twin._write_to(self._out.copy(), self._who.copy())
        twin.history, twin.actors = self.history.copy(), self.actors.copy()
        twin._dice = None if self._dice is None or not chance else self._dice.copy()
        return twin

    @classmethod
    def resumed(
        cls, game: Game, states: States, *, seed: int | None = None, how: How = "compiled"
    ) -> "Match":
        """A match that begins at ``states``, shape (1,); its history begins there, too.

        Raises Refused if it can be no position of the game, nor what a seat may know of one.
        """
        admitted(game, states)
        match = cls(game, int(states[0]["players"]), game.options_of(states), how=how)
        match._first = copied(states)
        match.seed = None if seed is None else whole(seed, "a seed")
        match.restart()
        return match

    @classmethod
    def imagined(cls, view: View, seed: int = 0) -> "Match":
        """A match that goes on from a view: chance deals, by ``seed``, what the seat cannot see.

        Its history begins there.  The same seed deals the same cards.
        """
        return cls.resumed(view.game, view.states, seed=seed, how=view.how)

    def undo(self, seat: int) -> bool:
        """Take back the last event if it is the seat's own; return whether it was."""
        if not self.history or self.actors[-1] != whole(seat, "a seat"):
            return False
        self.back(len(self.history) - 1)
        return True

    def back(self, events: int) -> None:
        """Take back everything after the first ``events`` events."""
        keep = self.history[: whole(events, "how many events", 0)]
        self._rewind()
        self.follow(keep)

    def view(self, seat: int | None = None) -> View:
        """What a seat may know, with the choices that it has now.

        By default it is the actor's seat; -1 is a spectator.
        """
        seat = self._actor if seat is None else whole(seat, "a seat", -1, self.players - 1)
        choices = self.choices if seat == self._actor else []
        return View(self.game, self.known_to(seat), seat, choices, self.engine.compiler.how)

    def known_to(self, seat: int) -> States:
        """What a seat may know, as a playable state, shape (1,); -1 is a spectator."""
        whole(seat, "a seat", -1, self.players - 1)
        states = copied(self.states)
        hide = self.engine.kernel(kernels.veil)
        for who in [*range(self.players), seat] if seat < 0 else [seat]:
            hide(states, who)  # who watches knows nothing that is hidden from any seat
        return states

    @property
    def scores(self) -> list[int]:
        """Every side's score as it stands: the game's headline number."""
        return self.engine.result(self.states)[0]

    @property
    def places(self) -> list[int]:
        """Every side's place as it stands: 1 is the best, ties share one, as in 1, 1, 3."""
        return places(self.engine.result(self.states)[1])

    def side_names(self) -> list[str]:
        """Whose the places and scores are: the players, and a side that nobody plays."""
        return self.game.side_names(self.names, len(self.scores))

    def _possible(self) -> str:
        return "the game is over" if self.over else super()._possible()

    def __repr__(self) -> str:
        so_far = f"{counted(self.players, 'player')}, {counted(len(self.history), 'event')}"
        start = f"<Match of {self._title(self.options)}: {so_far}"
        if self.over:
            return f"{start}; over, scores {self.scores}>"
        who = "chance" if self._actor == CHANCE else f"seat {self._actor + 1}"
        return f"{start}; {who} to choose: {self._first_texts()}>"


def check_names(names: Sequence[str], players: int) -> list[str]:
    """The names in their one form (NFC), if there is a fit one for each player.  Raises Refused."""
    if len(names) != players:
        raise Refused(f"{players} players need {players} names, not {len(names)}")
    fit = [same_form(name) for name in names]
    for name in fit:
        if why := why_no_name(name):
            raise Refused(f"{name!r} is no name: {why}")
    return fit
