"""Block lists: people who keep apart, whom the host has barred or muted; erasing a person.

People are blocked by people for themselves only: the two are not seated together any more, and the
blocked one's phrases are not heard.  Nothing changes at tables where both sit already.  Whom the
host bars may do nothing any more; whom the host mutes is heard by nobody.
"""

import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from yegg.table.domain.seats import Kind
from yegg.table.domain.state import TableState
from yegg.table.networks import Network, among, network
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.schema import (
    barred,
    blocks,
    contacts,
    deals,
    evening_members,
    evenings,
    events,
    games,
    metadata,
    muted,
    sittings,
    told,
    touched,
)
from yegg.table.storage.store import Store
from yegg.table.storage.uptime import here
from yegg.text.names import alike, unlike

APART = "you cannot sit down at this table"
NOT_HERE = "the host does not let you play here"
NOT_HEARD = "the host has muted you: nobody hears what you say"
NOBODY = "Somebody"
"""What a person is called who was forgotten."""
MOST = 200  # people whom one person can block
LOOKED_AT = 1000  # rows; older ones are known to all servers, and are not kept
LATEST = sa.select(touched.c.id, touched.c.game).order_by(touched.c.id.desc()).limit(LOOKED_AT)


def touch(connection: sa.Connection, game: int = 0) -> None:
    """Let servers read a game, and what is kept about guests, again."""
    connection.execute(sa.insert(touched).values(game=game, at=here()))
    newest = connection.scalar(sa.select(sa.func.max(touched.c.id))) or 0
    connection.execute(sa.delete(touched).where(touched.c.id <= newest - LOOKED_AT))


def block(connection: sa.Connection, person: str, other: str, name: str) -> bool:
    """Keep two people apart; False if the person has blocked too many already."""
    count = sa.select(sa.func.count()).where(blocks.c.person == person)
    if (connection.scalar(count) or 0) >= MOST:
        return False
    unblock(connection, person, blocks.c.other == other)
    row = {"person": person, "other": other, "name": name, "at": here()}
    connection.execute(sa.insert(blocks).values(row))
    touch(connection)
    return True


def unblock(connection: sa.Connection, person: str, which: sa.ColumnElement[bool]) -> None:
    """Let a person meet somebody again."""
    if connection.execute(sa.delete(blocks).where(blocks.c.person == person, which)).rowcount:
        touch(connection)


def blocked(connection: sa.Connection, person: str) -> list[sa.Row[Any]]:
    """The people whom a person has blocked, the newest first."""
    newest_first = sa.select(blocks).order_by(blocks.c.id.desc())
    return list(connection.execute(newest_first.where(blocks.c.person == person)))


def apart(connection: sa.Connection, person: str, others: Collection[str]) -> bool:
    """Whether a person has blocked one of the others, or one of them the person."""
    either = ((blocks.c.person == person) & blocks.c.other.in_(others)) | (
        (blocks.c.other == person) & blocks.c.person.in_(others)
    )
    return connection.scalar(sa.select(sa.func.count()).where(either)) != 0


class Kept(NamedTuple):
    """Somebody whom the host has barred or muted."""

    who: str
    """A person, or a network."""
    name: str
    """What they were called then, unlike all others of the list; a network as it is written."""
    at: int
    """Since when, in milliseconds since 1970."""
    why: str = ""
    """The host's note."""


def bar(connection: sa.Connection, who: str, why: str, name: str | None) -> None:
    """Let a person of that name, or whoever comes from a network, not play here any more."""
    _keep(connection, barred, who, why=why, name=name)


def let_in(connection: sa.Connection, who: str) -> bool:
    """Let somebody in again, by name as `listed`; False if nobody kept them out."""
    return _let_go(connection, barred, listed(connection), who)


def listed(connection: sa.Connection) -> list[Kept]:
    """The people and networks that are barred, the newest first."""
    return _unlike(connection.execute(sa.select(barred).order_by(barred.c.at, barred.c.who)))


def mute(connection: sa.Connection, who: str, name: str) -> None:
    """Let nobody hear any more what a person of that name says."""
    _keep(connection, muted, who, name=name)


def unmute(connection: sa.Connection, who: str) -> bool:
    """Let a person be heard again, by name as `silent`; False if they were."""
    return _let_go(connection, muted, silent(connection), who)


def silent(connection: sa.Connection) -> list[Kept]:
    """The people who are muted, the newest first."""
    return _unlike(connection.execute(sa.select(muted).order_by(muted.c.at, muted.c.who)))


def _keep(connection: sa.Connection, table: sa.Table, who: str, **more: str | None) -> None:
    connection.execute(sa.delete(table).where(table.c.who == who))
    connection.execute(sa.insert(table).values(who=who, at=here(), **more))
    touch(connection)


def _let_go(connection: sa.Connection, table: sa.Table, there: list[Kept], who: str) -> bool:
    which = [one.who for one in there if who in (one.who, one.name)]
    connection.execute(sa.delete(table).where(table.c.who.in_(which)))
    touch(connection)
    return bool(which)


def _unlike(rows: Iterable[sa.Row[Any]]) -> list[Kept]:
    kept = list[Kept]()
    for row in rows:
        name = row.name or (NOBODY if network(row.who) is None else row.who)
        called = unlike(name, [one.name for one in kept])
        kept.append(Kept(row.who, called, row.at, getattr(row, "why", "")))
    return kept[::-1]


def seat(connection: sa.Connection, key: str, number: int) -> str | None:
    """The person on a seat, counted from 1; None if there is none."""
    people = connection.scalar(sa.select(games.c.people).where(games.c.key == key)) or []
    return people[number - 1][1] if 0 < number <= len(people) else None


def called(connection: sa.Connection, person: str) -> str | None:
    """What a person is called at the newest table in play where they sat down, else at the newest.

    None if they have sat down nowhere.
    """
    sat = sa.select(games.c.people, sittings.c.name).join(sittings, sittings.c.game == games.c.id)
    newest = games.c.ended.is_not(None), games.c.id.desc(), sittings.c.number.desc()
    where = sat.where(sittings.c.person == person).order_by(*newest).limit(1)
    row = connection.execute(where).first()
    if row is None:
        return None
    return next((str(name) for name, who, _ in row.people or [] if who == person), str(row.name))


async def check_seat(store: Store, now: TableState, person: str) -> None:
    """Check that somebody may sit down beside those who sit there.

    What is on disk counts, since another process may have been told of it just now.  Raises
    HttpRefusal 403, and Unread.
    """
    seated = {place.person for place in now.seats if place.person}
    if not seated or person in seated:
        return
    if await store.query(lambda connection: apart(connection, person, seated)):
        raise HttpRefusal(403, APART)


@dataclass
class BlockList:
    """All blocks and bans, as a process remembers them."""

    blocks: dict[str, set[str]] = field(default_factory=dict)
    people: frozenset[str] = frozenset()
    muted: frozenset[str] = frozenset()
    networks: list[Network] = field(default_factory=list)
    seen: set[int] | None = None

    def apart(self, one: str | None, other: str | None) -> bool:
        """Whether one of two people has blocked the other."""
        return self._blocks(one, other) or self._blocks(other, one)

    def _blocks(self, one: str | None, other: str | None) -> bool:
        return other in self.blocks.get(one or "", ())

    def deaf(self, listener: str | None, speaker: str | None) -> bool:
        """Whether somebody does not hear somebody, who is blocked by them or muted by the host."""
        return speaker in self.muted or self._blocks(listener, speaker)

    def minds(self, person: str | None, people: Sequence[Any]) -> bool:
        """Whether a person and one of those at a table are kept apart.

        ``people`` as in `games.people`.
        """
        return bool(self.blocks) and any(self.apart(person, who) for _, who, _ in people)

    def check(self, person: str) -> None:
        """Check that a person may do something here.  Raises HttpRefusal 403."""
        if person in self.people:
            raise HttpRefusal(403, NOT_HERE)

    def check_heard(self, person: str | None) -> None:
        """Check that others may hear what a person says.  Raises HttpRefusal 403."""
        if person in self.muted:
            raise HttpRefusal(403, NOT_HEARD)

    def notice_for(self, person: str | None) -> str:
        """What the host has decided about a person, as the person is told on every page; or ""."""
        if person in self.people:
            return f"{NOT_HERE}; you can look on"
        return NOT_HEARD if person in self.muted else ""

    def let_in(self, address: str) -> bool:
        """Whether whoever comes from an address may come in."""
        return not self.networks or not among(address, self.networks)

    # As it is on disk

    def load(self, store: Store) -> list[int] | None:
        """Read everything anew if something has changed; return the games that were changed.

        None: nothing has changed.
        """
        with store.database.reading.connect() as connection:
            now = {row.id: row.game for row in connection.execute(LATEST)}
            fresh = set(now) - (self.seen or set())
            if self.seen is not None and not fresh:
                return None
            begun, self.seen = self.seen is None, set(now)
            apart_from: dict[str, set[str]] = {}
            for row in connection.execute(sa.select(blocks)):
                apart_from.setdefault(row.person, set()).add(row.other)
            out = list(connection.scalars(sa.select(barred.c.who)))
            self.muted = frozenset(connection.scalars(sa.select(muted.c.who)))
        self.blocks = apart_from
        self.networks = [block for who in out if (block := network(who))]
        self.people = frozenset(who for who in out if network(who) is None)
        return [] if begun else [now[number] for number in fresh if now[number]]


# Forgetting


def forget(connection: sa.Connection, person: str) -> int:
    """Erase a person: name, devices, addresses.  Their games stay, as somebody's; return how many.

    In their place is somebody whom nobody is, so that no seat becomes free by it.  That they are
    barred or muted is not forgotten, but under which name.
    """
    wanted = sa.select(sittings.c.game).where(sittings.c.person == person).distinct()
    theirs = list(connection.scalars(wanted))
    for game in theirs:
        _nameless(connection, game, person)
        touch(connection, game)
    ours = sa.select(contacts.c.id).where(contacts.c.person == person)
    connection.execute(sa.delete(told).where(told.c.contact.in_(ours)))
    _left_evenings(connection, person)
    for table in metadata.sorted_tables:
        if "person" in table.c and table not in (sittings, evening_members):
            connection.execute(sa.delete(table).where(table.c.person == person))
    connection.execute(sa.delete(blocks).where(blocks.c.other == person))
    for table in (barred, muted):
        connection.execute(sa.update(table).where(table.c.who == person).values(name=NOBODY))
    touch(connection)
    return len(theirs)


def _left_evenings(connection: sa.Connection, person: str) -> None:
    """Put somebody whom nobody is in a person's place in each evening: the points stay."""
    members = evening_members.c
    wanted = sa.select(members.evening).where(members.person == person)
    for evening in list(connection.scalars(wanted)):
        named = sa.select(members.name).where(members.evening == evening)
        called = unlike(NOBODY, list(connection.scalars(named)))
        nobody = {"person": _nobody(), "name": called, "away": True}
        theirs = (members.evening == evening) & (members.person == person)
        connection.execute(sa.update(evening_members).where(theirs).values(nobody))
    hosted = sa.update(evenings).where(evenings.c.host == person)
    connection.execute(hosted.values(host=_nobody()))


def _nobody() -> str:
    return sha256(secrets.token_bytes(32)).hexdigest()


def _names_of(connection: sa.Connection, game: int, person: str) -> set[str]:
    """What somebody was called in a game, also by names that they took or were given later."""
    row = sa.select(events.c.actor, events.c.choice, sittings.c.person, sittings.c.name)
    same = (sittings.c.game == events.c.game) & (sittings.c.number == events.c.number)
    there = row.join(sittings, same).where(events.c.game == game).order_by(events.c.number)
    names, owner = set[str](), dict[int, str | None]()
    for actor, choice, who, name in connection.execute(there):
        renamed = choice in (Kind.NAME, Kind.CALLED)
        if who or not renamed:
            owner[actor] = who if who or choice == Kind.SIT else owner.get(actor)
        if who == person or (renamed and owner.get(actor) == person):
            names.add(name)
    return names


def _nameless(connection: sa.Connection, game: int, person: str) -> None:
    """Put somebody whom nobody is in a person's place, in one game."""
    nobody = _nobody()
    names = set(connection.scalars(sa.select(sittings.c.name).where(sittings.c.game == game)))
    free = (n for n in (NOBODY, *(f"{NOBODY} {i}" for i in range(2, 99))) if not alike(n, names))
    called = next(free)
    theirs = (sittings.c.game == game) & (sittings.c.person == person)
    own = _names_of(connection, game, person)
    stand_in = (sittings.c.game == game) & sittings.c.person.is_(None) & sittings.c.name.in_(own)
    connection.execute(sa.update(sittings).where(stand_in).values(name=called))
    connection.execute(sa.update(sittings).where(theirs).values(person=nobody, name=called))
    tried = (deals.c.game == game) & (deals.c.person == person)  # the result of the day stays
    connection.execute(sa.update(deals).where(tried).values(person=nobody))
    seats = connection.scalar(sa.select(games.c.people).where(games.c.id == game)) or []
    people = [
        [called, nobody, bot] if who == person else [name, who, bot] for name, who, bot in seats
    ]
    connection.execute(sa.update(games).where(games.c.id == game).values(people=people))
