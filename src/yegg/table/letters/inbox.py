"""The inbox for letters with orders, by LMTP: each is carried out and answered.

A letter counts as taken when the orders are on disk and the answer is sent.  Until then the mail
server keeps it, and tries again; the same letter coming twice changes nothing.  What fails again
and again goes back to its writer, with the reason.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

import structlog

from yegg.engine import Match
from yegg.engine.orders import Faulty, can_be_read, read
from yegg.table.notifications import contacts, email, messages
from yegg.table.notifications.contacts import MAIL, Contact
from yegg.table.notifications.messages import in_line
from yegg.table.notifications.notifier import Notifier, Unanswered
from yegg.table.rate_limits import Buckets
from yegg.table.refusals import HttpRefusal
from yegg.table.render import renderers
from yegg.table.service.table import Table
from yegg.table.settings import Mail
from yegg.table.storage.store import Taken, Unread, Unwritten
from yegg.text.phrases import counted

from .addresses import BACK, REPLY, Named, address, named
from .incoming_mail import LARGEST, Received, Unreadable, received, refused_for_good
from .orders import Late, order
from .read_letters import read_once, was_read

TAKEN = "250 OK"
LATER = "451 4.3.0 try again"
BUSY = (429, 503)  # refusals that end by themselves
TRIES = 3  # how often the mail server tries again what should not have failed
MANY = 1000  # letters that failed are remembered, until they come again
log = structlog.get_logger()


class LetterReturned(Exception):
    """Raised where a letter goes back to its writer, with the reason as mail servers give it."""


@dataclass
class Tried:
    """Raised where the mail server is to bring a letter again later."""

    failed: int = 0
    said: tuple[str, str] | None = None
    """The answer to its writer, once it is carried out."""
    noted: bool = False
    """Whether it is on disk that it was read."""


class Inbox(Unanswered):
    """Takes letters from the mail server, and says in those to people where answers go."""

    def __init__(self, notifier: Notifier, mail: Mail) -> None:
        """``notifier`` knows the contacts; ``mail`` takes the answers."""
        self.notifier, self.registry, self.mail = notifier, notifier.registry, mail
        self.domain = mail.sender.rpartition("@")[2]
        self.answers = Buckets(1 / 3600, 12)  # by turn: two machines must not write for ever
        self.readings = Buckets(1 / 20, 40)  # by contact: reading orders holds up the others
        self.tried: dict[bytes, Tried] = {}  # by digest

    @asynccontextmanager
    async def open(self, host: str, port: int) -> AsyncIterator[None]:
        """Listen, beside other processes of the house, which listen at the same port."""
        from aiosmtpd.lmtp import LMTP

        loop = asyncio.get_running_loop()
        made = partial(LMTP, self, data_size_limit=LARGEST, hostname=self.domain, loop=loop)
        with closing(await loop.create_server(made, host, port, reuse_port=True)):
            self.notifier.answers = self
            yield

    # What letters to people say

    def asked(self, one: messages.Waiting, table: Table, *of: int) -> messages.Waiting:
        """The text about one table; if orders can be sent, with the position and their address."""
        if not can_be_answered(table):
            return one
        events = len(table.now.match.history)
        answer = address(self.registry.signer, self.domain, REPLY, *of, events)
        return one._replace(board=messages.board(table, one.seat - 1), answer=answer)

    def back(self, contact: int) -> str:
        """Where letters to a contact come back to."""
        return address(self.registry.signer, self.domain, BACK, contact)

    # What the mail server asks

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """One address a letter: an answer stands for one.  The mail server sends the rest again."""
        if envelope.rcpt_tos:
            return "452 4.5.3 one recipient a letter"
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """A letter: taken, or to be tried again later."""
        raw = envelope.content
        if isinstance(raw, str):
            raw = raw.encode(errors="replace")
        digest = sha256(raw).digest()
        tried = self.tried.pop(digest, None) or Tried()
        try:
            if envelope.mail_from not in {"", "<>"}:
                await self.take(envelope.rcpt_tos[0], raw, tried)
            else:  # no person writes so
                await self.take_back(envelope.rcpt_tos[0], raw)
        except LetterReturned as error:
            return returned(str(error))
        except Exception as error:  # whatever it is: its writer must hear of it
            if not waits(error):
                log.exception("letter")
                tried.failed += 1
            if tried.failed > TRIES:
                state, _ = tried.said or ("Your letter was not taken", "")
                why = f"{type(error).__name__}, {tried.failed} times"
                return returned(f"{state}. There was an error in this house ({why}).")
            if len(self.tried) >= MANY:
                del self.tried[next(iter(self.tried))]
            self.tried[digest] = tried
            return LATER
        return TAKEN

    async def take(self, where: str, raw: bytes, tried: Tried) -> None:
        """Carry a letter out, and answer it.  What is not ours is dropped in silence.

        Raises LetterReturned, HttpRefusal 429 if one person sends too many, OSError if the answer
        cannot be sent.
        """
        signer = self.registry.signer
        try:
            letter = await asyncio.to_thread(received, raw)  # a strange one takes a second
        except Unreadable:
            if named(signer, REPLY, where):
                why = "Your letter was not taken. It cannot be read: write plain text."
                raise LetterReturned(why) from None
            letter = None
        if letter is None:
            await self.take_back(where, raw)
            return
        ours = named(signer, REPLY, where, *letter.mentions)
        if not ours:
            log.info("dropped", address_is_ours=False)
            return
        to = Named(*ours)
        contact = await self.notifier.store.query(lambda c: contacts.find(c, to.contact))
        if contact is None or contact.kind != MAIL or not contact.confirmed:
            raise LetterReturned(
                "Your orders were not taken. Your address is not confirmed any more."
            )
        if tried.said is None:
            if await self.notifier.store.query(lambda c: was_read(c, letter.digest)):
                return
            self.readings.take(str(contact.id))
            tried.said = await self.carried_out(contact, to, letter)
        if not tried.noted:
            now = self.notifier.now()
            tried.noted = await self.notifier.work(lambda c, _: read_once(c, now, letter.digest))
        if tried.noted:
            await self.answer(contact, to, letter, *tried.said)

    async def take_back(self, where: str, raw: bytes) -> None:
        """Read what a machine has written: reports that an address is refused for good count."""
        report = await asyncio.to_thread(refused_for_good, raw)
        said, mentions = report or ("", ())
        ours = named(self.registry.signer, BACK, where, *mentions)
        if not ours or not said:
            log.info("dropped", address_is_ours=bool(ours))
            return
        (contact,) = ours
        log.info("refused", contact=contact, why=email.plain(said, 200))
        await self.notifier.work(lambda c, _: contacts.refused(c, contact, email.plain(said, 200)))

    async def carried_out(self, contact: Contact, to: Named, letter: Received) -> tuple[str, str]:
        """Give the orders in a letter; the subject and the text of the answer."""
        if letter.sender != contact.address.lower():
            return "Your orders were not taken", (
                "Somebody has answered our letter to you from another address. Orders are taken "
                f"only from the address that you have confirmed, {contact.address}."
            )
        try:
            table = await self.table(to.game)
        except HttpRefusal as error:
            return "Your orders were not taken", renderers.sentence(error.why)
        link = f"{self.notifier.how.address}t/{table.key}"
        where = f"{table.game.title} at {table.name}"
        try:
            if not can_be_answered(table):
                raise Late("the turn that these orders are for is over")
            receipt: list[str] = []

            def choices(there: Match, seat: int, names: Sequence[str]) -> list[int]:
                try:
                    orders = read(there, seat, letter.text, names)
                except Faulty as error:
                    raise Faulty([in_line(fault, names) for fault in error.faults]) from None
                receipt[:] = [in_line(one.prose, names) for one in orders]
                return [one.choice for one in orders]

            await order(table, contact.person, to.turn, choices)
        except (Late, HttpRefusal) as error:
            if waits(error):
                raise
            why = f"Nothing has changed: {error}.\n\nPlay: {link}"
            return f"Your orders were not taken: {where}", why
        except Faulty as error:
            faults = "\n".join(f"  {fault}" for fault in error.faults)
            things = counted(len(error.faults), "thing")
            text = f"Nothing has changed. There is more to say: {things} to mend.\n\n{faults}"
            return f"Your orders were not taken: {where}", (
                f"{text}\n\nAnswer with all your orders once more, or play here: {link}"
            )
        text = "\n".join(f"  {line}" for line in receipt)
        return f"Your orders are in: {where}", (
            f"This is what was understood:\n\n{text}\n\n"
            "Until all orders are in you can change them: answer once more with all of them.\n\n"
            f"Play: {link}"
        )

    async def table(self, game: int) -> Table:
        """The table of a game, by its number.  Raises HttpRefusal, Unread."""
        keys = await self.notifier.store.query(lambda c: contacts.keys(c, [game]))
        if game not in keys:
            raise HttpRefusal(404, "this table is not there any more")
        await self.registry.fetch(keys[game])
        return self.registry.table(keys[game])

    async def answer(
        self, contact: Contact, to: Named, letter: Received, subject: str, text: str
    ) -> None:
        """Write back: always to the confirmed address, and few times about one turn.

        Raises OSError, and LetterReturned if that address is refused.
        """
        try:
            self.answers.take(f"{to.contact}.{to.game}.{to.turn}")
        except HttpRefusal:
            return
        name = f"answer.{contact.id}.{letter.digest[:20]}"
        once_more = address(self.registry.signer, self.domain, REPLY, *to)
        made = email.Letter(
            contact.address,
            subject,
            text,
            name=name,
            answer=once_more,
            replies_to=letter.name,
            back=self.back(contact.id),
        )
        try:
            await self.notifier.beside(email.send, made, self.mail)
        except email.Refused as error:
            log.info("not answered", contact=contact.id, why=str(error))
            raise LetterReturned(f"{subject}. Our answer was refused: {error}") from None


def can_be_answered(table: Table) -> bool:
    """Whether orders can be sent by letter: they are under seal, and the game can read them."""
    return table.now.sealed and can_be_read(table.game)


def waits(error: Exception) -> bool:
    """Whether something ends by itself: the database is away, the disk full, too much asked for."""
    busy = isinstance(error, HttpRefusal) and error.status in BUSY
    return busy or isinstance(error, Unread | Unwritten | Taken)


def returned(why: str) -> str:
    """What the mail server is to tell the writer of a letter that is not taken."""
    return f"554 5.3.0 {email.plain(why, 400).encode('ascii', 'replace').decode()}"
