"""Sealed orders written by all seats at once, each on a sheet of its own.

The rules ask one seat after the other.  Nobody sees what another writes, so that a later seat need
not wait: see `yegg.engine.orders`.
"""

from yegg.engine import Match
from yegg.engine.orders import ahead
from yegg.observations.setting import Setting


class Sheet:
    """What one seat writes until the others would learn of it."""

    def __init__(self, setting: Setting, match: Match, seat: int) -> None:
        """``match`` is at a decision; it is not changed, and chance does not act in it by itself.

        A seat that cannot know yet what it will be asked has a sheet that is full from the start.
        """
        self.setting, self.seat = setting, seat
        there = ahead(match, seat)
        self.desk = (there or match).fork()
        """The game as the seat knows it, the orders of others made up."""
        self.actions: list[int] = []
        self.full = there is None
        self._pass_over()

    @property
    def legal(self) -> list[int]:
        """The legal actions; none once the sheet is full."""
        if self.full:
            return []
        found: list[int] = self.setting.actions[self.seat, self.desk.choices].tolist()
        return found

    def write(self, action: int) -> None:
        """Write down a legal action, and what follows without a choice."""
        self.actions.append(action)
        self._order(int(self.setting.choices[self.seat, action]))
        self._pass_over()

    def _pass_over(self) -> None:
        """Make the choices where there is only one."""
        while not self.full and len(self.desk.choices) == 1:
            self._order(self.desk.choices[0])

    def _order(self, choice: int) -> None:
        """Make a choice; one that ends the sheet is not carried out here, as others may answer."""
        before = self.desk.fork()
        self.desk.play(choice)
        if self.desk.actor != self.seat or others_learn(before, self.desk, self.seat):
            self.full, self.desk = True, before


def others_learn(before: Match, after: Match, seat: int) -> bool:
    """Whether somebody else knows another thing than before."""
    others = (other for other in range(before.players) if other != seat)
    return any(
        before.known_to(other).tobytes() != after.known_to(other).tobytes() for other in others
    )


def simultaneous(setting: Setting) -> bool:
    """Whether all seats can write at once when a game begins."""
    match = Match(setting.game, setting.players, setting.options).to_decision()
    sheets = [Sheet(setting, match, seat) for seat in range(setting.players)]
    return setting.players > 1 and not any(sheet.full for sheet in sheets)
