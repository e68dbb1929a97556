"""The notifier: sends what is due; of several processes exactly one tells each contact.

What is told is noted on disk before it goes out, so that no restart repeats it; what has not gone
out is on disk too, and is sent by whichever process comes next.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeVar
from urllib.parse import urlsplit

import sqlalchemy as sa
import structlog

from yegg.engine import Refused
from yegg.table.refusals import HttpRefusal
from yegg.table.service.registry import Registry
from yegg.table.service.table import Table
from yegg.table.settings import Notifications
from yegg.table.storage.database import Tell
from yegg.table.storage.store import Taken, Unread, Unwritten

from . import contacts, email, messages, push
from .challenge_news import FINISHED, FRIEND, played
from .contacts import HOOK, MAIL, PUSH, Contact, awaited, fit_address, keys
from .outgoing_requests import ForbiddenAddress
from .schedule import Turn, letter

EVERY = 10  # seconds between two looks
HANDS = 6  # threads
NEEDS = {"push": ("http_ece", "py_vapid"), "letters": ("aiosmtpd",)}
T = TypeVar("T")
log = structlog.get_logger()


def checked(how: Notifications) -> Notifications:
    """The settings, if they can work.  Raises Refused."""
    for name, modules in NEEDS.items():
        if getattr(how, name) and not all(map(find_spec, modules)):
            raise Refused(f"{name} needs more libraries: pip install 'yegg[told]'")
    where = urlsplit(how.address)
    plain = not any(c.isspace() for c in how.address) and not where.query and not where.fragment
    if where.scheme not in ("http", "https") or not where.hostname or not plain:
        raise Refused(
            "to tell people, say at which address they reach the server, as https://games.example/"
        )
    if how.letters and not how.mail:
        raise Refused("letters with orders need a mail server: they are answers to letters")
    mail = replace(how.mail, sender=fit_address(how.mail.sender)) if how.mail else None
    return replace(how, address=f"{how.address.rstrip('/')}/", mail=mail)


class Unanswered:
    """Letters of a house to which nobody answers; a house that takes answers has more to say."""

    def asked(self, one: messages.Waiting, _table: Table, *_of: int) -> messages.Waiting:
        """The text about one table, in a letter; ``_of``: its contact and its game."""
        return one

    def back(self, _contact: int) -> str:
        """Where letters to a contact come back to; "": to their sender."""
        return ""


class Notifier:
    """The notifier: looks from time to time whom to tell, and tells them."""

    def __init__(self, registry: Registry, how: Notifications) -> None:
        """``registry``: the tables of this process.  Raises Refused for what cannot work."""
        self.registry, self.store, self.how = registry, registry.store, checked(how)
        self.now: Callable[[], int] = self.store.hours.now
        self.push_key: Any = push.signing_key(registry.signer.secret) if how.push else None
        self.answers = Unanswered()
        self.people: frozenset[str] = frozenset()
        """Who wants to be told, as of the last look."""
        self.hands = ThreadPoolExecutor(HANDS, "telling")
        """They wait for the mail server, so that nobody else has to."""
        self.strangers = ThreadPoolExecutor(HANDS, "strangers")
        """They wait for webhooks and the like, which may be slow on purpose."""
        self.errands: set[asyncio.Task[None]] = set()
        """What is done beside an answer."""
        self.noted: dict[tuple[str, int], int] = {}
        """The turns that these people were seen to see."""

    def drives(self, contact: Contact) -> bool:
        """Whether this process tells a contact.  Games have numbers from 1 up, contacts down."""
        return self.registry.processes.drives(-contact.id)

    async def work(self, what: Callable[[sa.Connection, Tell], T]) -> T:
        """Change something on disk.  Raises Taken, Unwritten."""
        return await self.store.work(what)

    async def beside(self, do: Callable[..., T], *what: Any) -> T:
        """Do something that waits for the mail server.  Raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self.hands, partial(do, *what))

    async def asked(self, ask: Callable[..., int], *what: Any) -> int:
        """Ask a stranger's address; the answer's status.  Raises OSError, ForbiddenAddress."""
        ask_it = partial(ask, *what, self.how.inside)
        return await asyncio.get_running_loop().run_in_executor(self.strangers, ask_it)

    def close(self) -> None:
        """Send nothing more."""
        for hands in (self.hands, self.strangers):
            hands.shutdown(wait=False, cancel_futures=True)

    async def running(self) -> None:
        """Look and tell, for ever; letters do not wait for strangers who are slow."""
        await asyncio.gather(self._running({MAIL}), self._running({PUSH, HOOK}))

    async def _running(self, kinds: Collection[str]) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.round(kinds)
            except (Unread, Unwritten, Taken):
                pass  # the next look comes soon
            except Exception:  # whatever it is: others want to be told, too
                log.exception("telling")

    async def round(self, kinds: Collection[str] = (MAIL, PUSH, HOOK)) -> None:
        """Look once, and send what is due to contacts of these kinds."""
        hours = self.store.hours
        look = partial(awaited, closed=hours.closed, now=hours.now())
        found = await self.store.query(look)
        self.people = frozenset(contact.person for contact, _ in found)
        if await self.look_who_sees():
            found = await self.store.query(look)
        await asyncio.gather(
            *(
                self.one(contact, turns)
                for contact, turns in found
                if contact.kind in kinds and self.drives(contact)
            )
        )

    async def look_who_sees(self) -> bool:
        """Note who has a table open at which it is their turn; whether that is anything new."""
        fresh = []
        for table in self.registry.tables.values():
            for seat, (number, since) in table.now.waits.items():
                person = table.now.seats[seat].person
                if person not in self.people or self.noted.get((person, table.id)) == number:
                    continue
                if table.presence.lately(person, (self.now() - since) / 1000):
                    fresh.append((person, table.id, number))
        if not fresh:
            return False

        def note(connection: sa.Connection, _: Tell) -> None:
            for person, game, number in fresh:
                contacts.saw(connection, person, game, number)

        await self.work(note)
        there = self.registry.by_number
        self.noted = {
            (person, game): n
            for (person, game), n in self.noted.items()
            if person in self.people and game in there
        }
        self.noted.update({(person, game): number for person, game, number in fresh})
        return True

    async def look_at_friends(self, person: str, tables: Sequence[int]) -> None:
        """Note that somebody has seen what friends made of a challenge, if they are told at all."""
        fresh = [game for game in tables if self.noted.get((person, game)) != FINISHED]
        if not fresh or person not in self.people:
            return

        def note(connection: sa.Connection, _: Tell) -> None:
            for game in fresh:
                contacts.saw(connection, person, game, FINISHED)

        with suppress(Taken, Unwritten):  # they are told of what they have seen
            await self.work(note)
            self.noted.update({(person, game): FINISHED for game in fresh})

    async def one(self, contact: Contact, turns: Sequence[Turn]) -> None:
        """Tell one contact what is due, if anything is."""
        now = self.now()
        pending, due = contact.pending, letter(now, contact.rhythm, turns)
        if contact.next > now if pending else not due:
            return
        claim = contacts.claim_again if pending else partial(contacts.claim, turns=due)
        if not await self.work(lambda c, _: claim(c, now, contact)):
            return
        pending = pending or contacts.pending(now, due)
        again = True
        try:
            await self.send(contact, pending, turns)
            again = False
        except email.Refused as error:
            why = str(error)
            log.info("refused", contact=contact.id, why=why)
            await self.work(lambda c, _: contacts.refused(c, contact.id, why))
            return
        except (OSError, ForbiddenAddress) as error:
            log.info("not sent", contact=contact.id, kind=contact.kind, why=str(error)[:200])
        except Exception:  # whatever it is: it is tried again, and not for ever
            log.exception("telling", contact=contact.id, kind=contact.kind)
        await self.work(lambda c, _: contacts.settle(c, self.now(), contact.id, again=again))

    async def send(self, contact: Contact, pending: dict[str, Any], turns: Sequence[Turn]) -> None:
        """Send what is still so.  Raises Refused, OSError, ForbiddenAddress."""
        there = await self.still(contact, pending, turns)
        if not there:
            return
        name = f"turn.{contact.id}.{pending['at']:x}"
        if contact.kind == MAIL and self.how.mail:
            stop = f"{self.how.address}stop/{self.mark('stop', contact.id)}"
            made = email.of_turns(there, contact.address, contact.rhythm.zone, stop, name)
            made = made._replace(back=self.answers.back(contact.id))
            await self.beside(email.send, made, self.how.mail)
        elif contact.kind == HOOK and self.how.hooks:
            waits = [messages.to_dict(one) for one in there if not one.friend]
            said = {"type": "turns", "turns": waits, "friends": messages.friends_to_dict(there)}
            await self.outside(
                push.send_webhook, contact.address, contact.more["secret"], name, self.now(), said
            )
        elif self.how.push:
            await self.pushed(contact, there)

    async def pushed(self, contact: Contact, there: Sequence[messages.Waiting]) -> None:
        """Tell a browser."""
        first = there[0]
        note = {
            "title": messages.subject(there),
            "body": messages.body(first),
            "link": first.link.removeprefix(self.how.address) if len(there) == 1 else "",
        }
        owner = f"mailto:{self.how.mail.sender}" if self.how.mail else self.how.address
        browser = {"endpoint": contact.address, **contact.more}
        await self.outside(push.send, browser, note, self.push_key, owner)

    async def outside(self, ask: Callable[..., int], *what: Any) -> None:
        """Ask a stranger's address.

        Raises OSError, ForbiddenAddress; Refused if it wants no more.
        """
        status = await self.asked(ask, *what)
        if status in push.GONE:
            raise email.Refused(f"it answers {status}: it is not there any more")
        if not 200 <= status < 300:
            raise OSError(f"it answers {status}")

    async def still(
        self, contact: Contact, pending: dict[str, Any], turns: Sequence[Turn]
    ) -> list[messages.Waiting]:
        """The pending turns that still wait, in words."""
        now = {(turn.game, turn.number): turn for turn in turns}
        wanted = [(now[game, n], call) for game, n, call in pending["turns"] if (game, n) in now]
        found = await self.store.query(lambda c: keys(c, [turn.game for turn, _ in wanted]))
        there = []
        for turn, call in wanted:
            with suppress(HttpRefusal):
                there.append(await self.said(contact, turn, found[turn.game], called=call))
        return there

    async def said(
        self, contact: Contact, turn: Turn, key: str, *, called: bool
    ) -> messages.Waiting:
        """The text about one table.  Raises HttpRefusal if it cannot be opened."""
        table = await self.registry.fetched(key)
        if turn.seat == FRIEND:
            return played(table, self.how.address)
        if table.now.waits.get(turn.seat, (0, 0))[0] != turn.number:
            raise HttpRefusal(409, "the game has gone on")
        link = f"{self.how.address}t/{key}"
        one = messages.waiting(table, turn.seat, link, due=turn.due, called=called)
        if contact.kind == MAIL:
            return self.answers.asked(one, table, contact.id, turn.game)
        return one

    def mark(self, purpose: str, contact: int) -> str:
        """A contact's number with a signature, for links."""
        return f"{contact}.{self.registry.signer.mac(purpose, str(contact))}"

    def marked(self, purpose: str, said: str) -> int:
        """The contact that a link names.  Raises HttpRefusal 404 for a link that is not ours."""
        contact, _, _ = said.partition(".")
        fine = contact.isdecimal() and contact.isascii() and len(contact) < 10
        if not fine or not self.registry.signer.same(said, self.mark(purpose, int(contact))):
            raise HttpRefusal(404, "this link is not good; it may be cut off")
        return int(contact)
