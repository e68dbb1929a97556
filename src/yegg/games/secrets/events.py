"""Events of a turn of Secrets as data: who came to which secret, and where policemen stood."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from yegg.engine.scratch import int_grid

from . import rules
from .state import HOME, POLICEMAN, SEATS, SECRETS, SPIES, Choice, State
from .tally import visits


@dataclass(frozen=True)
class Meeting:
    """Everybody who came to one secret in one turn."""

    owner: int
    secret: int
    visitors: list[tuple[int, int]]
    """Seat and spy of each."""
    guarded: bool

    @property
    def learners(self) -> set[int]:
        """SE-31, SE-32: who brings home the value; not a player who met but own spies there."""
        senders = {seat for seat, _ in self.visitors}
        return senders if len(self.visitors) == 1 or len(senders) > 1 else set()


@dataclass(frozen=True)
class Turn:
    """A turn that is carried out."""

    number: int
    meetings: list[Meeting]
    """By owner and secret."""
    absent: list[int]
    """Seats whose orders did not come."""
    posts: dict[int, int]
    """By seat: the secret where its policeman stood; -1: nowhere."""
    open: bool
    """SE-21, SE-34: whether everybody is told all posts."""
    complete: bool = True
    """Whether all of it has been shown; else nothing is said of what may still come."""

    def so_far(self, done: list[Meeting]) -> "Turn":
        """The turn when some of its meetings have been shown: of posts, those of captors."""
        captors = {meeting.owner for meeting in done if meeting.guarded}
        posts = {who: at for who, at in self.posts.items() if who in captors}
        return replace(self, meetings=done, posts=posts, complete=False)

    def caught(self, seat: int) -> bool:
        """Whether a seat's policeman captured anybody."""
        return any(meeting.guarded for meeting in self.meetings if meeting.owner == seat)


def event(s: State, choice: int) -> Turn | None:
    """The turn that is carried out with this order, if it is the last one."""
    if s.turn == 0 or not completes(s, choice):
        return None
    full = sealed(s, choice)
    seats = range(full.players)
    return Turn(
        number=int(full.turn),
        meetings=list(meetings(full)),
        absent=[seat for seat in seats if HOME in full.order[seat, :SPIES]],
        posts={seat: int(full.order[seat, POLICEMAN]) - 1 for seat in seats},
        open=bool(full.posts or full.turn == full.turns),
    )


def known(turn: Turn | None, seat: int) -> Turn | None:
    """SE-21: a turn without the posts where other seats' policemen captured nobody."""
    if turn is None or turn.open:
        return turn
    posts = {who: at for who, at in turn.posts.items() if who == seat or turn.caught(who)}
    return replace(turn, posts=posts)


def completes(s: State, choice: int) -> bool:
    """Whether with this event all orders of a turn (or all allocations) are in."""
    if choice >= Choice.STOOD:
        return False
    last = rules.writer(s) == s.players - 1
    if s.turn == 0:
        return bool(last and s.given[s.players - 1] == s.secrets - 1)
    return bool(last and s.given[s.players - 1] == POLICEMAN)


def sealed(before: State, choice: int) -> Any:
    """The order sheets as they are when the last one is complete."""
    s = before.copy()  # type: ignore[attr-defined]
    rules.write(s, rules.writer(s), choice)
    return s


def meetings(full: State) -> Iterator[Meeting]:
    """Where spies came, by owner and secret, from complete order sheets."""
    came = int_grid(SEATS, SECRETS)
    visits(full, came)
    for owner in range(full.players):
        for secret in range(full.secrets):
            if spies := int(came[owner, secret]):
                visitors = [divmod(i, SPIES) for i in range(spies.bit_length()) if spies >> i & 1]
                guarded = bool(full.order[owner, POLICEMAN] == 1 + secret)
                yield Meeting(owner, secret, visitors, guarded)
