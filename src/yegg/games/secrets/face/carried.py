"""A turn carried out one event after the other, as a seat may follow it."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from yegg.games.secrets.events import Meeting, Turn
from yegg.games.secrets.state import POLICEMAN, SPY_NAMES, State


class Moment(NamedTuple):
    """Some events of a turn have been carried out."""

    state: Any
    """What the seat knows by then."""
    done: list[Meeting]
    """The newest one last; none where all spies have just come."""
    waiting: list[Meeting]

    def whose(self, seat: int) -> int:
        """Whose crest stands beside it: of whoever won something by it, else of the first there."""
        if not self.done:
            return max(seat, 0)
        met = self.done[-1]
        return met.owner if met.guarded else met.visitors[0][0]


def moments(before: State, after: State, seat: int, turn: Turn) -> Iterator[Moment]:
    """First all spies come to their secrets, then it is settled secret by secret.

    ``before`` and ``after``: what the seat knew when the last order was written, and once all were
    carried out.
    """
    s = before.copy()  # type: ignore[attr-defined]
    if seat >= 0:
        s.given[seat] = POLICEMAN + 1
        s.order[seat, POLICEMAN] = 1 + turn.posts[seat]
    every = turn.meetings
    for done in range(len(every) + 1):
        for meeting in every[max(0, done - 1) : done]:
            settle(s, after, meeting)
        yield Moment(s, every[:done], every[done:])


def settle(s: State, after: State, meeting: Meeting) -> None:
    """SE-10 … SE-12: take over what has come of one meeting."""
    at = meeting.owner, meeting.secret
    s.thief[at], s.value[at] = after.thief[at], after.value[at]
    for visitor in meeting.visitors:
        s.captor[visitor] = after.captor[visitor]


def fate(meeting: Meeting) -> str:
    """SE-10 … SE-12: what becomes of those who came, in a word."""
    if meeting.guarded:
        return "captured"
    return "stolen" if len(meeting.visitors) == 1 else "frustrated"


def mark(made: dict[str, Any], seat: int, at: Moment) -> None:
    """Put the spies who are on their way into a scene: at the secrets, and not at home."""
    houses = {place["seat"]: place for place in made["rivals"]}
    for meeting in [*at.done[-1:], *at.waiting]:
        home = made["home"] if meeting.owner == seat else houses[meeting.owner]
        letter = home["secrets"][meeting.secret]
        letter["came"] = [
            {"seat": who, "spy": SPY_NAMES[spy].lower()} for who, spy in meeting.visitors
        ]
        letter["fate"] = fate(meeting) if meeting in at.done else ""
        for who, spy in meeting.visitors:
            spies = made["spies"] if who == seat else houses[who]["spies"]
            spies[spy]["out"] = True
    for meeting in at.done:
        for who, spy in meeting.visitors:
            if who == seat:
                made["spies"][spy]["fate"] = fate(meeting)
    for place in made["rivals"]:
        for letter in place["secrets"]:
            letter["sent"] = []


def lines(turn: Turn, news: Sequence[str]) -> list[str]:
    """What was reported of each meeting: the sentences after the heading and missing orders."""
    first = 1 + len(turn.absent)
    return list(news[first : first + len(turn.meetings)])
