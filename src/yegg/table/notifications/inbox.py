"""Letters with orders: a mail server hands them over by LMTP, and each is answered.

A letter counts as taken when the orders are on disk.  Until then the mail server keeps it, and
tries again; the same letter coming twice changes nothing.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import structlog

from yegg.engine import Match, Refused, secrecy
from yegg.table.http.rate_limits import Buckets
from yegg.table.refusals import HttpRefusal
from yegg.table.service.batch_orders import Late, order
from yegg.table.service.table import Table
from yegg.table.storage.store import Taken, Unread, Unwritten
from yegg.text.phrases import counted

from . import contacts, email, waiting_tables
from .contacts import MAIL, Contact
from .incoming_mail import LARGEST, Received, received, refused_for_good
from .notifier import Teller
from .reply_addresses import Named, came_back, can_be_answered, named, reply_to
from .safe_names import in_line

TAKEN = "250 OK"
LATER = "451 4.3.0 try again"
log = structlog.get_logger()


class Faulty(Refused):
    """These are no orders; each fault is one sentence."""

    def __init__(self, faults: Sequence[str]) -> None:
        """``faults``: what the reader has found."""
        super().__init__("; ".join(faults))
        self.faults = faults


class Inbox:
    """Takes letters from the mail server."""

    def __init__(self, teller: Teller) -> None:
        """``teller`` knows the contacts, and writes the answers."""
        self.teller, self.registry = teller, teller.registry
        self.answers = Buckets(1 / 3600, 12)  # by turn: two machines must not write for ever
        self.readings = Buckets(1 / 20, 40)  # by contact: reading orders holds up the others
        self.listening: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> None:
        """Begin to listen, beside other processes of the house, which listen at the same port."""
        from aiosmtpd.lmtp import LMTP

        loop, name = asyncio.get_running_loop(), self.teller.domain or "yegg"
        made = partial(LMTP, self, data_size_limit=LARGEST, hostname=name, loop=loop)
        self.listening = await loop.create_server(made, host, port, reuse_port=True)

    async def close(self) -> None:
        """Take no more letters."""
        if self.listening:
            self.listening.close()

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
        try:
            if envelope.mail_from not in {"", "<>"}:
                await self.take(envelope.rcpt_tos[0], raw)
            else:  # no person writes so
                await self.take_back(envelope.rcpt_tos[0], raw)
        except (Unread, Unwritten, Taken):
            return LATER
        except HttpRefusal as error:
            if error.status in (429, 503):
                return LATER
            log.info("letter", why=error.why)
        except Exception:  # whatever it is: the mail server must not send it again for days
            log.exception("letter")
        return TAKEN

    async def take(self, address: str, raw: bytes) -> None:
        """Carry a letter out, and answer it.  What is not ours is dropped in silence.

        Raises HttpRefusal 429 if one person sends too many.
        """
        letter = await asyncio.to_thread(received, raw)  # a strange one takes a second
        if letter is None:
            await self.take_back(address, raw)
            return
        to = named(self.registry.signer, address, *letter.mentions)
        if to is None:
            log.info("dropped", address_is_ours=False)
            return
        contact = await self.teller.read(lambda c: contacts.find(c, to.contact))
        if contact is None or contact.kind != MAIL or not contact.confirmed:
            return
        now = self.teller.now()
        if await self.teller.read(lambda c: contacts.was_read(c, letter.digest)):
            return
        self.readings.take(str(contact.id))
        said = await self.carried_out(contact, to, letter)
        if await self.teller.work(lambda c, _: contacts.read_once(c, now, letter.digest)):
            await self.answer(contact, to, letter, *said)

    async def take_back(self, address: str, raw: bytes) -> None:
        """Read what a machine has written: reports that an address is refused for good count."""
        report = await asyncio.to_thread(refused_for_good, raw)
        said, mentions = report or ("", ())
        contact = came_back(self.registry.signer, address, *mentions)
        if contact is None or not said:
            log.info("dropped", address_is_ours=contact is not None)
            return
        log.info("refused", contact=contact, why=email.plain(said, 200))
        await self.teller.work(lambda c, _: contacts.refused(c, contact, email.plain(said, 200)))

    async def carried_out(self, contact: Contact, to: Named, letter: Received) -> tuple[str, str]:
        """Give the orders in a letter; the subject and the text of the answer."""
        if letter.sender != contact.address.lower():
            return "Your orders were not taken", (
                "Somebody has answered our letter to you from another address. Orders are taken "
                f"only from the address that you have confirmed, {contact.address}."
            )
        keys = await self.teller.read(lambda c: waiting_tables.keys(c, [to.game]))
        if to.game not in keys:
            return "Your orders were not taken", "This table is not there any more."
        await self.registry.fetch(keys[to.game])
        table = self.registry.table(keys[to.game])
        link = f"{self.teller.how.address}t/{table.key}"
        where = f"{table.game.title} at {table.name}"
        try:
            if not can_be_answered(table):
                raise Late("the turn that these orders are for is over")
            told: list[str] = []
            await order(table, contact.person, to.turn, partial(read, table, letter.text, told))
        except Late as error:
            why = f"Nothing has changed: {error}.\n\nPlay: {link}"
            return f"Your orders were not taken: {where}", why
        except Faulty as error:
            faults = "\n".join(f"  {fault}" for fault in error.faults)
            things = counted(len(error.faults), "thing")
            text = f"Nothing has changed. There is more to say: {things} to mend.\n\n{faults}"
            return f"Your orders were not taken: {where}", (
                f"{text}\n\nAnswer with all your orders once more, or play here: {link}"
            )
        text = "\n".join(f"  {line}" for line in told)
        return f"Your orders are in: {where}", (
            f"This is what was understood:\n\n{text}\n\n"
            "Until all orders are in you can change them: answer once more with all of them.\n\n"
            f"Play: {link}"
        )

    async def answer(
        self, contact: Contact, to: Named, letter: Received, subject: str, text: str
    ) -> None:
        """Write back: always to the confirmed address, and few times about one turn."""
        how = self.teller.how.mail
        try:
            self.answers.take(f"{to.contact}.{to.game}.{to.turn}")
        except HttpRefusal:
            return
        if how is None:
            return
        name = f"answer.{contact.id}.{letter.digest[:20]}"
        once_more = reply_to(self.registry.signer, self.teller.domain, *to)
        made = email.Letter(
            contact.address,
            subject,
            text,
            name=name,
            answer=once_more,
            replies_to=letter.name,
            back=self.teller.back(contact.id),
        )
        try:
            await self.teller.beside(email.send, made, how)
        except (OSError, email.Refused) as error:
            log.info("not answered", contact=contact.id, why=str(error)[:200])


def read(
    table: Table, text: str, told: list[str], there: Match, seat: int, names: Sequence[str]
) -> list[int]:
    """The orders in a letter, by the reader of games by post.  Raises Faulty.

    ``told`` gets each as a sentence.
    """
    reader: Any = table.game.part("orders")
    view = there.view(seat)
    found = reader.read(text, view.state, seat, names)
    if found.faults:
        raise Faulty([in_line(fault, names) for fault in found.faults])
    twin = there.fork()
    for choice in found.choices:
        twin.play(choice)
    heard = secrecy.Teller(twin).hear(twin, seat, len(found.choices), lambda _: names)
    told += [in_line(one.prose, names) for one in heard]
    return list(found.choices)
