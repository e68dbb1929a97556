"""One game with its record: a batch of one, and its words."""

import io
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Match, NotLegal, Refused, States
from yegg.engine.border import admitted
from yegg.engine.scene import draw_scene
from yegg.engine.whole import shown, whole
from yegg.observations.encoder import Encoder
from yegg.observations.setting import Setting

from . import steps
from .batches import Batch, Seats

OnIllegal = Literal["refuse", "lose", "random"]
"""What becomes of an action that is not legal; "random": a legal one is drawn in its place."""
WIDE = 100  # columns of the terminal


class Single(Batch):
    """One game for agents, each asked where it has at least two choices.

    Its arrays are those of a `Batch`, with one game.
    """

    def __init__(
        self,
        setting: Setting,
        *,
        seats: Seats = None,
        seed: int = 0,
        on_illegal: OnIllegal = "refuse",
        **wishes: Any,
    ) -> None:
        """As for `Batch`, and see `OnIllegal`.  Raises Refused."""
        check_on_illegal(on_illegal)
        self.on_illegal = on_illegal
        kept = {"record": True, "autoreset": "disabled", "observe": None, "threads": 1}
        super().__init__(setting, seats=seats, seed=seed, **(kept | wishes | {"games": 1}))

    def _ready(self) -> None:
        super()._ready()
        dtype = self.wishes.observe or "float32"
        self._encoder = Encoder(self.setting, self.states, dtype)
        self._seat = np.zeros(1, np.int32)
        self._row = np.zeros((1, len(self.setting.columns)), dtype)
        self._given = self._arrays["given"]
        self._bits = self._arrays["bits"][0]
        self._call = (self._slots[0], self._given, steps.DISABLED, 1)

    def __reduce__(self) -> Any:
        make, given = super().__reduce__()
        return make, given, {"on_illegal": self.on_illegal}

    @property
    def over(self) -> bool:
        """Whether the game is terminated or truncated."""
        return bool(self.terminated[0] or self.truncated[0])

    @property
    def seat(self) -> int:
        """The seat that is asked; once the game is over, the one that was asked last."""
        return int(self.actor[0])

    def act(self, action: int) -> None:
        """Carry out an action of the seat that is asked.

        Raises NotLegal, and changes nothing, if it is not legal and such actions are refused; it
        says why, with the clause where the game can tell.
        """
        action = whole(action, "an action")
        self._given[0] = min(max(action, -1), self.setting.choices.shape[1])
        if self.on_illegal != "lose" and not self.is_legal(action):
            if self.over or self.on_illegal == "refuse":
                raise NotLegal(self._why_not(action))
            self._given[0] = self.sampled[0]
        self._step(*self._call)
        for encoder, seats, rows in self._encoders[0]:
            encoder.write(seats, rows)

    def is_legal(self, action: int) -> bool:
        """Whether the seat that is asked may do this; nobody is asked once the game is over."""
        if not 0 <= whole(action, "an action") < self.setting.choices.shape[1]:
            return False
        allowed = int(self._bits[action // steps.WORD]) >> action % steps.WORD & 1
        return bool(allowed) and not self.over

    def _why_not(self, action: int) -> str:
        """Why an action is not legal."""
        return "the game is over" if self.over else why_not(self.setting, self.match(), action)

    def observed(self) -> NDArray[Any]:
        """What the seat that is asked may know, as the last step wrote it, as new numbers, (C,).

        It is at hand where ``observe`` was given.
        """
        shown: Any = self.observations
        made: NDArray[Any] = shown[0].copy()
        return made

    def observe(self, seat: int, *, hidden: bool = True) -> NDArray[Any]:
        """What a seat may know, or all of it from its side, as new numbers, (C,)."""
        self._seat[0] = whole(seat, "a seat", 0, self.setting.sides - 1)
        self._encoder.write(self._seat, self._row, hidden=hidden)
        made: NDArray[Any] = self._row[0].copy()
        return made

    def observe_state(self, states: States, seat: int, *, hidden: bool = True) -> NDArray[Any]:
        """The same of another state of the same game, shape (1,).

        Raises Refused if it can be no position of the game, nor what a seat may know of one.
        """
        admitted(self.setting.game, states)
        return self.observe_own(states, seat, hidden=hidden)

    def observe_own(self, states: States, seat: int, *, hidden: bool = True) -> NDArray[Any]:
        """The same of a state that our own rules have made; it is not checked."""
        self._seat[0] = whole(seat, "a seat", 0, self.setting.sides - 1)
        self._encoder.write_other(states, self._seat, self._row, hidden=hidden)
        made: NDArray[Any] = self._row[0].copy()
        return made

    def say(self, action: int) -> str:
        """A legal action in the words of the record."""
        most = self.setting.choices.shape[1] - 1
        number = whole(action, "an action", 0, most, NotLegal)
        return self.match().say(int(self.setting.choices[self.seat, number]))

    def scene_text(self, seat: int, *, colour: bool = True) -> str:
        """The position as text, as a seat may know it (-1: a spectator): the terminal's scene."""
        from rich.console import Console

        system: Any = "truecolor" if colour else None
        page = io.StringIO()
        console = Console(file=page, width=WIDE, force_terminal=colour, color_system=system)
        console.print(self.scene(seat))
        return page.getvalue()

    def scene(self, seat: int) -> Any:
        """The position as `rich` prints it, as a seat may know it (-1: a spectator)."""
        match = self.match()
        states = match.states if match.over else match.known_to(seat)
        return draw_scene(match.game, states, match.side_names(), seat)

    @property
    def scores(self) -> list[int]:
        """Every side's score as it stands."""
        return self.engine.result(self.states)[0]


def check_on_illegal(said: str) -> None:
    """Raises Refused if this is none of `OnIllegal`."""
    if said not in get_args(OnIllegal):
        raise Refused(f"on_illegal can be {', '.join(get_args(OnIllegal))}, not {said!r}")


def why_not(setting: Setting, match: Match, action: int) -> str:
    """Why an action of the seat that is asked is not legal, with the clause where it is known."""
    many = setting.choices.shape[1]
    if not 0 <= action < many:
        return f"actions are 0 to {many - 1}, not {shown(action)}"
    choice = int(setting.choices[match.actor, action])
    try:
        match.hear(match.say(choice))
    except NotLegal as error:
        return f"action {action} is not legal: {error}"
    except (Refused, ArithmeticError, LookupError, ValueError):
        pass  # a choice that is not possible need not have a text
    return f"action {action} is not legal; possible: {', '.join(match.texts)}"
