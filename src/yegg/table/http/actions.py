"""Actions of people at tables, declared once for the API and for the pages' forms.

A function finds the table, checks that the asker has the seat, and counts against the rate limits.
It raises HttpRefusal, or Refused for what is not possible.  An `Action` beside it says at which
addresses it is done, with which body, and how it may be refused; `routes/actions.py` makes the
API's route, the form's route and the description from that.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from litestar.params import JSONBody

from yegg.engine import Refused
from yegg.engine.sequence import with_settled
from yegg.table import metrics
from yegg.table.domain.dice import fit_salt
from yegg.table.refusals import HttpRefusal, as_refusal
from yegg.table.service import block_list, sealing, timekeeper
from yegg.table.service.bots import admit
from yegg.table.service.forks_and_rematches import rematch as rematched
from yegg.table.service.forks_and_rematches import wish_to_go_on
from yegg.table.service.lobby import of_days
from yegg.table.service.new_tables import NewTable
from yegg.table.service.quick_match import new_table, seat_now
from yegg.table.service.registry import close as closed
from yegg.table.service.table import Table
from yegg.table.storage.store import Unread

from .blocking import block, looked_around
from .bodies import (
    Again,
    Blocking,
    Body,
    Choice,
    Given,
    GoOn,
    Hand,
    Holiday,
    Joining,
    Named,
    NewGame,
    Pause,
    Quick,
    Saying,
    Sealing,
    Watching,
    WithTicket,
)
from .cookies import fitting
from .requests import Asker, Key, Visitor, Who
from .watching import watch

# Taking a seat


class Seated(msgspec.Struct):
    """A seat is yours: prove it with the token (`Authorization: Bearer …`)."""

    id: str
    """The table's key."""
    link: str
    """The table's address, for friends."""
    seat: int | None
    """Yours, from 1; null if you watch."""
    number: int
    """The number of the newest event that you know of."""
    token: str | None
    """None if you came with one, or with a cookie."""


def seated(who: Visitor, table: Table, person: str | None, token: str | None = None) -> Seated:
    """The answer to somebody who sits at a table now, or watches it."""
    seat, link = table.now.seat_of(person), who.link(table.key)
    return Seated(table.key, link, seat + 1 if seat >= 0 else None, table.now.seen[seat], token)


async def open_table(who: Asker, wish: NewTable, person: str) -> Table:
    """Open a table."""
    who.count(who.limits.opening)
    fit_salt(wish.salt)
    return await who.registry.open(replace(wish, address=who.address), person)


async def create(who: Who, data: JSONBody[NewGame]) -> Seated:
    """Open a table."""
    person, token = who.newcomer()
    wish = NewTable(
        data.game,
        data.seats,
        fitting(data.you),
        {name: str(value) for name, value in data.options.items()},
        data.odds,
        data.listed,
        data.shuffled,
        salt=data.salt,
        clock=data.clock.terms() if data.clock else None,
        watch=data.watch.terms,
        counts=data.counts,
        ticket=data.ticket if isinstance(data, WithTicket) else "",
    )
    return seated(who, await open_table(who, wish, person), person, token)


async def join(who: Who, key: Key, data: JSONBody[Joining]) -> Seated:
    """Take a free seat."""
    person, token = who.newcomer()
    who.count(who.limits.asking)
    seat = None if data.seat is None else data.seat - 1
    await who.table(key).sit(seat, fitting(data.you), person, fit_salt(data.salt))
    return seated(who, who.registry.table(key), person, token)


async def quick(who: Who, data: JSONBody[Quick]) -> Seated:
    """Sit down where somebody waits for a quick match of a game, or wait there yourself."""
    person, token = who.newcomer()
    who.count(who.limits.opening)
    wish = new_table(data.game, fitting(data.you), fit_salt(data.salt), who.address)
    return seated(who, await seat_now(who.registry, wish, person), person, token)


async def again(who: Who, key: Key, data: JSONBody[Again | None] = None) -> Seated:
    """Set the table again once the game is over, or sit down where somebody has done so."""
    table, seat = who.seat(key)
    who.count(who.limits.opening)
    data = data or Again()
    new = await rematched(who.registry, table, seat, fit_salt(data.salt), data.bot)
    return seated(who, new, who.person)


async def fork(who: Who, key: Key, data: JSONBody[GoOn]) -> Seated:
    """Go on from any position of a finished game, at a table of its own, with bots."""
    person, token = who.newcomer()
    who.count(who.limits.opening)
    table, bot = who.table(key), data.bot
    seat = None if data.seat is None else data.seat - 1
    now = table.now
    if not now.over:
        raise HttpRefusal(409, "this game is not over yet", number=now.seen[-1])
    if now.closed:
        raise HttpRefusal(410, now.closed)
    if table.deal and not table.deal.over(table.moment()):
        raise HttpRefusal(403, "you can go on from here when the day of this deal is over")
    if seat is not None and not 0 <= seat < len(now.seats):
        raise HttpRefusal(409, f"there is no seat {seat + 1} at this table")
    if bot is not None:
        admit(table.game, bot, len(now.seats), now.match.options)
    if seat is None and (own := now.seat_of(person)) >= 0:
        seat = own
    others = [place.bot or bot for place in now.seats]
    wish = wish_to_go_on(
        now.match, data.at, fitting(data.you), others, f"/t/{key}?at={data.at}", seat
    )
    promise = table.dice.behind(len(wish.played)) if table.dice else None
    salt, address = fit_salt(data.salt), who.address
    wish = replace(wish, odds=table.odds, salt=salt, promise=promise, address=address)
    return seated(who, await who.registry.open(wish, person), person, token)


# At a seat


class Kept(msgspec.Struct):
    """What you asked for is done and on disk."""

    number: int
    """The number of the newest event that you know of."""


class Closed(msgspec.Struct):
    """Whether the table is closed now; if not, others have to agree first."""

    closed: bool
    """Whether it is."""


async def choose(who: Who, key: Key, data: JSONBody[Choice]) -> Kept:
    """Make a choice, by its text or its number."""
    try:
        return await choose_at_once(who, key, settled(who, key, data))
    except (HttpRefusal, Refused) as error:
        if table := who.registry.tables.get(key):
            status = as_refusal(error).status
            metrics.not_kept.labels(table.game.name, "person", status).inc()
        raise


def settled(who: Who, key: str, data: Choice) -> Choice:
    """The same with what people need not be asked for; scripts are asked for everything."""
    if not who.me or not who.me.by_cookie:
        return data
    table, seat = who.seat(key)
    at = table.now.acting().get(seat)
    if at is None:
        return data
    return msgspec.structs.replace(data, choice=with_settled(at.match, data.choice))


async def choose_at_once(who: Asker, key: str, choice: Choice) -> Kept:
    """As `choose`; whoever calls it asks again by `choose` if it is refused, and counts nothing."""
    table, seat = who.seat(key)
    made = table.choose(seat, choice.choice, choice.after, who.person, by_hand=choice.open)
    return Kept(await made)


async def undo(who: Who, key: Key) -> Kept:
    """Take back your last choice, if nothing has happened since."""
    table, seat = who.seat(key)
    return Kept(await table.undo(seat, who.person))


async def seal(who: Who, key: Key, data: JSONBody[Sealing]) -> Kept:
    """Hand in your full sheet of orders, or open it again; the last to seal lets all be seen."""
    table, seat = who.seat(key)
    opened = not data.sealed
    return Kept(await sealing.seal(table, seat, data.after, who.person, opened=opened))


async def hand(who: Who, key: Key, data: JSONBody[Hand]) -> Kept:
    """Let a bot play for you or for a friend who has gone; or play again yourself."""
    table, seat = who.to_arrange(key)
    other = None if data.seat is None else data.seat - 1
    await table.hand_over(seat, data.bot, other, who.person)
    return Kept(table.now.seen[seat])


async def rename(who: Who, key: Key, data: JSONBody[Named]) -> Kept:
    """Change your name at this table."""
    table, seat = who.to_arrange(key)
    await table.rename(seat, fitting(data.you), who.person)
    return Kept(table.now.seen[seat])


async def leave(who: Who, key: Key) -> Kept:
    """Give your seat back for anybody to take."""
    table, seat = who.to_arrange(key)
    await table.leave(seat, who.person)
    return Kept(table.now.seen[-1])


async def say(who: Who, key: Key, data: JSONBody[Saying]) -> Kept:
    """Say a phrase, or make an emote, to all there who like to hear: one in five seconds."""
    table, seat = who.seat(key)
    who.registry.guests.check_heard(who.person)
    table.say(seat, data.phrase)
    who.registry.processes.shout(f"{table.id} {seat} {data.phrase}")
    return Kept(table.now.seen[seat])


async def pause(who: Who, key: Key, data: JSONBody[Pause]) -> Kept:
    """Ask for a pause; once everybody has agreed, all time stands until somebody ends it."""
    table, seat = who.to_arrange(key)
    await (timekeeper.pause if data.pause else timekeeper.go_on)(table, seat, who.person)
    return Kept(table.now.seen[seat])


async def give_time(who: Who, key: Key, data: JSONBody[Given]) -> Kept:
    """Give somebody else the time of one more turn."""
    table, seat = who.to_arrange(key)
    await timekeeper.give(table, seat, (data.seat or 0) - 1, who.person)
    return Kept(table.now.seen[seat])


async def close(who: Who, key: Key) -> Closed:
    """Close the table: alone before the game begins, later if all people there would like it."""
    table, seat = who.to_arrange(key)
    return Closed(await closed(table, seat, who.person))


# Everywhere


class NotThere(msgspec.Struct):
    """A table where your time does not stand, and why."""

    id: str
    """The table's key."""
    why: str
    """Why, in words."""


class Standing(msgspec.Struct):
    """Where your time stands now; after 0 days: where it runs again."""

    tables: list[str]
    """The keys of the tables where your time was changed."""
    refused: list[NotThere]
    """The tables where it was not."""


class Forgotten(msgspec.Struct):
    """How many games stay without your name."""

    games: int
    """How many."""


async def holiday(who: Who, data: JSONBody[Holiday]) -> Standing:
    """Go on holiday: your time stands in all your games with days a turn."""
    person = await who.sat_down()
    who.count(who.limits.opening)
    standing = Standing([], [])
    for key in await who.store.aside(of_days, who.store, person):
        try:
            await who.registry.fetch(key)
            table = who.table(key)
            seat = table.now.seat_of(person)
            if seat >= 0 and not table.now.over:
                table.hear(seat)
                await timekeeper.leave_for(table, seat, data.days, person)
                standing.tables.append(key)
        except (HttpRefusal, Unread) as error:
            standing.refused.append(NotThere(key, getattr(error, "why", "it could not be saved")))
    return standing


async def forget(who: Who) -> Forgotten:
    """Erase your name, devices and addresses; your games stay without your name."""
    person = await who.sat_down()
    who.count(who.limits.opening)
    games = await who.change(lambda c, _: block_list.forget(c, person))
    await looked_around(who)
    return Forgotten(games)


AT_SEAT = (400, 401, 403, 404, 409, 410, 429, 503)
"""How whatever one does at a seat may be refused."""
TO_SIT = (400, 403, 404, 409, 410, 422, 429, 503)


class Action(NamedTuple):
    """One thing that can be done, declared once."""

    path: str
    """POST /api/path does it; without a slash before it, POST /api/games/KEY/path."""
    run: Callable[..., Awaitable[Any]]
    """It takes who asks, the table's key if there is one, and the body as ``data``.

    The API says what it returns, and describes it by its docstring.
    """
    body: type[Body] | None = None
    refusals: tuple[int, ...] = AT_SEAT
    """With which statuses it may be refused, beside 413 for a body that is too large."""
    operation: str = ""
    """What the API's description calls it; by default the function's name."""
    form: str = ""
    """POST /form, or /t/KEY/form, does it from a page; by default the same path."""
    then: str = ""
    """Where the form leads, with {key} for the table's; by default to the table's first line."""
    status: int = 200


OPEN = Action("/games", create, NewGame, (400, 403, 422, 429, 503), form="/open", status=201)
QUICK = Action(
    "/quick", quick, Quick, (400, 403, 422, 429, 503), "quick_match", "/quick", status=201
)
JOIN = Action("join", join, Joining, TO_SIT)
PLAY = [
    Action("choices", choose, Choice, (*AT_SEAT, 422), form="choose"),
    Action("undo", undo),
    Action("seal", seal, Sealing, (*AT_SEAT, 422)),
    Action("hand", hand, Hand, (*AT_SEAT, 422)),
    Action("name", rename, Named, (*AT_SEAT, 422)),
    Action("watch", watch, Watching),
    Action("leave", leave, then="/t/{key}"),  # where one may sit down again
]
AFTER = [Action("again", again, Again, (*AT_SEAT, 422)), Action("fork", fork, GoOn, TO_SIT)]
TALK_AND_TIME = [
    Action("phrases", say, Saying, (400, 401, 403, 404, 409, 410, 429), form="say"),
    Action("pause", pause, Pause, operation="pause_json"),
    Action("time", give_time, Given, operation="give_json"),
]
HOLIDAY = Action(
    "/me/holiday", holiday, Holiday, (400, 401, 403, 429, 503), "holiday_json", "/holiday"
)
CLOSE_AND_BLOCK = [
    Action("close", close, operation="close_it"),
    Action("block", block, Blocking, operation="block_it", then="/me/guests"),
]
FORGET = Action("/me/forget", forget, None, (400, 401, 403, 429, 503), "forget_me")
ACTIONS = PLAY, TALK_AND_TIME, CLOSE_AND_BLOCK
"""What can be done at a seat; a group stands together in the API's description."""


def everything() -> list[Action]:
    """All actions."""
    return [OPEN, QUICK, JOIN, *AFTER, HOLIDAY, FORGET, *chain(*ACTIONS)]
