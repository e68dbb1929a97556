"""Adopting new rules for running games: what the old and the new release say is compared.

Each game that goes on is a line of JSON: its table, its newest event, its version, and a mark of
everything that the rules have said so far.  Where today's rules say the same of the same events,
the rest of the game can be played by them as well.
"""

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from yegg.engine import Match, Refused, notation
from yegg.engine.earlier import in_version
from yegg.engine.game import find as today
from yegg.table.domain.seats import Event
from yegg.table.service.older_rules import Older, position, replayed
from yegg.table.storage.schema import events, games
from yegg.table.storage.store import Store


class Going(msgspec.Struct):
    """A game that goes on, as the release saw it that wrote this."""

    key: str
    game: str
    version: int
    number: int
    """Of its newest event."""
    mark: str


class Verdict(StrEnum):
    """The result of replaying a running game by today's rules."""

    TODAY = "plays today's rules"
    SAME = "same"
    GOES_ON = "goes on"
    KEPT = "is finished under its own rules"
    BEHIND = "stays behind"


class Found(NamedTuple):
    """A running game, and the result of replaying it."""

    going: Going
    verdict: Verdict
    why: str = ""
    choices: tuple[tuple[int, int], ...] = ()
    """Events whose choice has another number today: the event, and that number."""


def mark(match: Match) -> str:
    """Everything that the rules have said so far: who acted, what was possible, what came of it."""
    said = sha256()
    for step in notation.steps(match):
        possible: Any = sorted(step.texts) if step.actor >= 0 else len(step.choices)
        said.update(json.dumps([step.actor, possible]).encode())
    said.update(json.dumps([match.scores, match.over]).encode())
    return said.hexdigest()


def going(store: Store) -> Iterator[Going]:
    """All games that go on under today's rules."""
    for row in _not_over(store):
        try:
            now = replayed(row, store.events(row.id))
        except Refused:
            continue  # its package is gone already
        if not isinstance(now, Older):
            yield Going(row.key, row.game, row.version, now.number, mark(now.match))


def judged(store: Store, lines: Iterable[bytes]) -> Iterator[Found]:
    """Each game of a file, replayed by today's rules.  Raises Refused for what is no such file."""
    rows = {row.key: row for row in _not_over(store)}
    for told in read(lines):
        yield _judged(store, told, rows.get(told.key))


def read(lines: Iterable[bytes]) -> Iterator[Going]:
    """The games of a file, as `going` told them.  Raises Refused for what is no such file."""
    for number, line in enumerate(lines, 1):
        try:
            yield msgspec.json.decode(line, type=Going)
        except (msgspec.MsgspecError, UnicodeError):
            raise Refused(f"line {number} was not written by yegg house dump") from None


def _judged(store: Store, told: Going, row: sa.Row[Any] | None) -> Found:
    if row is None:
        return Found(told, Verdict.BEHIND, "it is over, or not here")
    try:
        game = today(row.game)
        own = in_version(row.game, row.version).version == row.version
        match = Match(game, row.seats, row.options, how="plain")
    except Refused as error:
        return Found(told, Verdict.BEHIND, str(error))
    if game.version == row.version:
        return Found(told, Verdict.TODAY)
    if row.version != told.version:
        return Found(told, Verdict.BEHIND, "the line tells of other rules than it was begun under")
    now = position(row, match)
    if not isinstance(now, Older):
        raise TypeError("rules of that version are here")
    changed, why = _followed(now, store.events(row.id))
    if why:
        return Found(told, Verdict.KEPT if own else Verdict.BEHIND, why)
    if now.number != told.number:
        return Found(told, Verdict.BEHIND, "it has gone on since: dump it again")
    same = mark(now.match) == told.mark
    return Found(told, Verdict.SAME if same else Verdict.GOES_ON, "", changed)


def adopt(store: Store, found: Iterable[Found], *, goes_on: bool = False) -> int:
    """Let those play on by today's rules that are the same, and those that go on too if wished.

    All of them or none, and no server may run.  Returns how many.
    """
    wanted = {Verdict.SAME, Verdict.GOES_ON} if goes_on else {Verdict.SAME}
    many = 0
    with store.engine.begin() as connection:
        store.database.lock(connection)
        for one in found:
            if one.verdict in wanted:
                _adopt(connection, one)
                many += 1
    return many


def _adopt(connection: sa.Connection, one: Found) -> None:
    of = connection.scalar(sa.select(games.c.id).where(games.c.key == one.going.key))
    newest = sa.select(sa.func.max(events.c.number)).where(events.c.game == of)
    if connection.scalar(newest) != one.going.number:
        raise Refused("a game has gone on meanwhile: stop the servers, and dump again")
    for number, choice in one.choices:
        where = (events.c.game == of) & (events.c.number == number)
        connection.execute(sa.update(events).where(where).values(choice=choice))
    version = today(one.going.game).version
    connection.execute(sa.update(games).where(games.c.id == of).values(version=version))


def _followed(now: Older, rows: Iterable[sa.Row[Any]]) -> tuple[tuple[tuple[int, int], ...], str]:
    """The choices that have another number today; or why today's rules cannot follow."""
    changed = []
    for row in rows:
        event = Event.read(row)
        fresh = now.today(event)
        if fresh is None:
            said = event.words or f"choice {event.number}"
            return (), f"today's rules do not allow event {row.number}, {said!r}"
        if fresh != event:
            changed.append((int(row.number), fresh.number))
        now.apply(event)
    return tuple(changed), ""


def _not_over(store: Store) -> list[sa.Row[Any]]:
    with store.database.reading.connect() as connection:
        wanted = sa.select(games).where(games.c.ended.is_(None)).order_by(games.c.id)
        return list(connection.execute(wanted))
