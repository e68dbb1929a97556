"""Reports of a turn of Secrets by post: one text for all, and one for each player alone."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from yegg.engine import Match
from yegg.text.phrases import counted, listing

from . import events, rules, words
from .state import HOME, POINTS, POLICEMAN, SECRETS, SPIES, SPY_NAMES, of, secret_name

WIDTH = 72


@dataclass(frozen=True)
class Turn:
    """A turn that is carried out."""

    number: int
    names: Sequence[str]
    before: Any
    """The state before the last order."""
    last: int
    """The last order, with which the turn is carried out."""
    after: Match
    """The game after it."""
    absent: list[int]
    """Seats whose orders did not come."""
    due: str
    """When the next orders are due."""

    @cached_property
    def full(self) -> Any:
        """The state with all orders in."""
        return events.sealed(self.before, self.last) if self.number else self.state.copy()

    @cached_property
    def meetings(self) -> list[events.Meeting]:
        """Where spies came."""
        return list(events.meetings(self.full))

    @property
    def state(self) -> Any:
        """The state after it."""
        return self.after.state

    @property
    def over(self) -> bool:
        """Whether it was the last."""
        return self.after.over


def stage(s: Any) -> tuple[int, int]:
    """Which turn is awaited, and of how many; 0: the points of the hidden game."""
    return int(s.turn), int(s.turns)


def public(turn: Turn) -> str:
    """SE-21: what everybody is told."""
    lines = [*_title(turn, "")]
    if turn.number == 0:
        lines += ["All secrets are sealed: nobody knows where the others' points lie."]
    lines += _absent(turn)
    if turn.number > 0:
        lines += ["", *_houses(turn, -1)]
    if turn.number > 0 and (turn.full.posts or not turn.over):
        lines += ["", *_posts(turn)]
    lines += ["", *_table(turn, -1)]
    lines += ["", *(_end(turn) if turn.over else [f"Next orders are due: {turn.due}."])]
    return _page(lines)


def private(turn: Turn, seat: int) -> str:
    """SE-31, SE-32: the same turn, with what only this player may know."""
    lines = [*_title(turn, f", for {turn.names[seat]} alone")]
    if turn.number == 0:
        lines += [f"This is how your {POINTS} points lie:", "", f"  {_values(turn.full, seat)}"]
        return _page([*lines, *_absent_self(turn, seat)])
    lines += [*_own_orders(turn, seat), "", _policeman(turn, seat)]
    if turn.full.hidden:
        lines += ["", *_learnt(turn, seat)]
    if not turn.over:
        lines += ["", *_next(turn, seat)]
    return _page(lines)


def _page(lines: Sequence[str]) -> str:
    wrapped = [
        textwrap.fill(line, WIDTH, subsequent_indent=" " * (len(line) - len(line.lstrip()) + 2))
        if len(line) > WIDTH and not line.startswith("   ")
        else line
        for line in lines
    ]
    return "\n".join(wrapped).rstrip() + "\n"


def _title(turn: Turn, to: str) -> list[str]:
    stage = f"turn {turn.number} of {turn.full.turns}" if turn.number else "the points are spread"
    title = f"SECRETS: {stage}{to}"
    return [title, "=" * len(title), ""]


def _absent(turn: Turn) -> Iterator[str]:
    for seat in turn.absent:
        if turn.number == 0:
            yield f"No points came from {turn.names[seat]}: they are spread evenly."
        else:
            spies = HOME in turn.full.order[seat, :SPIES]
            what = "the spies stayed at home" if spies else "the policeman stood as SE-15 says"
            yield f"No orders received from {turn.names[seat]}: {what}."


def _absent_self(turn: Turn, seat: int) -> list[str]:
    if seat not in turn.absent:
        return []
    return ["", "Your own did not come in time, so they are spread as evenly as can be (SE-15)."]


def _houses(turn: Turn, seat: int) -> Iterator[str]:
    """House by house, what happened there."""
    met = turn.meetings
    for owner, name in enumerate(turn.names):
        here = [meeting for meeting in met if meeting.owner == owner]
        if here:
            yield f"At {of(name)}"
            yield from ("  " + words.account(turn.full, at, turn.names, seat) for at in here)
    quiet = [name for i, name in enumerate(turn.names) if i not in {m.owner for m in met}]
    if quiet:
        yield f"No spy came to {listing(quiet, 'or')}."


def _posts(turn: Turn) -> Iterator[str]:
    """SE-21: where every policeman stood, if posts are open; else that it is not told."""
    if not turn.full.posts:
        yield "Where a policeman stood who captured nobody is not told."
        return
    yield "Where the policemen stood"
    for seat, name in enumerate(turn.names):
        yield f"  {_policeman(turn, seat, f'{of(name)} policeman')}"


def _table(turn: Turn, seat: int) -> Iterator[str]:
    """Who still has which secrets and spies, and the points that everybody knows of."""
    s = turn.state
    wide = max(len(name) for name in turn.names)
    points = "points" if not s.hidden or turn.over else "known points"
    yield f"   {'':{wide}}  {'secrets':{2 * s.secrets}} {'spies':{2 * s.spies + 1}} {points}"
    for owner, name in enumerate(turn.names):
        here = " ".join("." if s.thief[owner, i] else secret_name(s, i) for i in range(s.secrets))
        spies = " ".join("." if s.captor[owner, i] else SPY_NAMES[i][0] for i in range(s.spies))
        score = rules.score(s if turn.over else turn.after.known_to(seat)[0], owner)
        yield f"   {name:{wide}}  {here:{2 * s.secrets}} {spies:{2 * s.spies + 1}} {score:4}"


def _end(turn: Turn) -> Iterator[str]:
    """SE-20, SE-34: who has won, and everything that was hidden."""
    places, scores = turn.after.places, turn.after.scores
    best = [name for name, place in zip(turn.names, places, strict=True) if place == 1]
    wins = "share the win" if len(best) > 1 else "wins"
    yield f"That was the last turn. {listing(best)} {wins} with {max(scores)} points!"
    yield ""
    for seat in sorted(range(len(places)), key=lambda seat: places[seat]):
        yield f"   {places[seat]}. {turn.names[seat]}, {counted(scores[seat], 'point')}"
    if turn.full.hidden:
        yield from ["", "And this is where the points lay:", ""]
        for owner, name in enumerate(turn.names):
            yield f"   {name}: {_values(turn.full, owner)}"


def _values(s: Any, owner: int) -> str:
    return ", ".join(f"{secret_name(s, i)} {s.value[owner, i]}" for i in range(s.secrets))


def _own_orders(turn: Turn, seat: int) -> Iterator[str]:
    if seat in turn.absent:
        yield "Your orders did not come in time (SE-15)."
        return
    yield "Your orders were:"
    for spy in range(turn.full.spies):
        if not turn.full.captor[seat, spy]:
            yield f"  {_order(turn, int(turn.full.order[seat, spy]), SPY_NAMES[spy])}"


def _order(turn: Turn, order: int, spy: str) -> str:
    if order == 0:
        return f"{spy} has nothing left to steal."
    owner, secret = divmod(order - 1, SECRETS)
    where = f"{of(turn.names[owner])} secret {secret_name(turn.full, secret)}"
    thief, captor = turn.state.thief[owner, secret], turn.full.order[owner, POLICEMAN] - 1
    if captor == secret:
        return f"{spy} goes for {where} and is captured."
    return f"{spy} {'steals' if thief else 'is frustrated at'} {where}."


def _policeman(turn: Turn, seat: int, whose: str = "Your policeman") -> str:
    """SE-6: where he stood, and whether he may stay."""
    post = int(turn.full.order[seat, POLICEMAN])
    if post == 0:
        rest = "" if turn.over else "; next turn he may guard any"
        return f"{whose} had nothing to guard{rest}."
    where = f"{whose} stood at secret {secret_name(turn.full, post - 1)}"
    caught = sum(
        len(meeting.visitors)
        for meeting in turn.meetings
        if meeting.owner == seat and meeting.guarded
    )
    if caught:
        return f"{where} and captured {counted(caught, 'spy', 'spies')}."
    bound = not (turn.over or turn.full.policeman)
    rest = "; next turn he must guard another (SE-6)" if bound else ""
    return f"{where} and captured nobody{rest}."


def _learnt(turn: Turn, seat: int) -> Iterator[str]:
    """SE-31 … SE-33: every value that this player knows."""
    yield "The values that you know:"
    view = turn.after.known_to(seat)[0]
    for owner, name in enumerate(turn.names):
        known = [
            f"{secret_name(view, i)} {view.value[owner, i]}"
            for i in range(view.secrets)
            if owner != seat and view.value[owner, i] >= 0
        ]
        if known:
            yield f"  {name}: {', '.join(known)}"
    yield f"  Your own: {_values(turn.full, seat)}"
    score = rules.score(view, seat)
    yield f"You have {counted(score, 'point')}."


def _next(turn: Turn, seat: int) -> Iterator[str]:
    """What the next orders must name."""
    s = turn.state
    free = [SPY_NAMES[spy] for spy in range(s.spies) if not s.captor[seat, spy]]
    names = [*free, "your policeman"]
    yield f"For turn {turn.number + 1} write orders for {listing(names)}."
    yield f"They are due: {turn.due}."
