"""Outgoing mail: a letter is written as text and as HTML, and handed to a mail server."""

import email.policy
import re
import smtplib
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import NamedTuple

from yegg.table.render import renderers
from yegg.table.settings import Mail
from yegg.text.names import one_line

from .messages import Waiting, subject, when

PATIENCE = 20  # seconds
HOUSE = "yegg"
UNFOLDED = email.policy.SMTP.clone(max_line_length=900)
"""Long addresses in headers stay as they are; folding would put them into code."""
ID = re.compile(r"<[!-;=?-~]{1,200}>", re.ASCII)  # of a letter, as headers quote it


class Refused(Exception):
    """The mail server does not take letters for this address, for good."""


class Letter(NamedTuple):
    """A letter to be sent."""

    to: str
    subject: str
    text: str
    html: str = ""
    name: str = ""
    """The same name: the same letter, so that it is seen to be one if it comes twice."""
    stop: str = ""
    """Where one click ends such letters."""
    answer: str = ""
    """Where an answer goes."""
    replies_to: str = ""
    """The letter that this one answers."""
    back: str = ""
    """Where mail servers report what became of it; "": to its sender."""


def plain(text: str, longest: int = 120) -> str:
    """A text that fits into a header: one line of what can be printed."""
    return one_line(text, longest)


def made(letter: Letter, sender: str) -> EmailMessage:
    """A letter with all its headers."""
    local, _, domain = sender.rpartition("@")
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = Address(HOUSE, local, domain)
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = plain(letter.subject)
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = f"<{letter.name}@{domain}>"
    message["Auto-Submitted"] = "auto-replied" if letter.replies_to else "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"  # Exchange heeds this one only
    if letter.stop:
        message["List-Unsubscribe"] = f"<{letter.stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    if letter.answer:
        message["Reply-To"] = Address(addr_spec=letter.answer)
    if ID.fullmatch(letter.replies_to):
        message["In-Reply-To"] = message["References"] = letter.replies_to
    ending = f"\n\n-- \nNo more of these letters: {letter.stop}\n" if letter.stop else "\n"
    message.set_content(letter.text.rstrip() + ending, cte="quoted-printable")
    if letter.html:
        message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    message.policy = UNFOLDED  # only now: lines of the text stay short
    return message


def send(letter: Letter, mail: Mail) -> None:
    """Hand a letter to the mail server.  Raises Refused, OSError."""
    message = made(letter, mail.sender)
    secure = ssl.create_default_context()
    door: smtplib.SMTP
    try:
        if mail.security == "tls":
            door = smtplib.SMTP_SSL(mail.host, mail.port, timeout=PATIENCE, context=secure)
        else:
            door = smtplib.SMTP(mail.host, mail.port, timeout=PATIENCE)
        with door:
            if mail.security == "starttls":
                door.starttls(context=secure)
            if mail.user:
                door.login(mail.user, mail.password)
            door.send_message(message, letter.back or mail.sender, [letter.to])
    except smtplib.SMTPRecipientsRefused as error:
        code, why = error.recipients[letter.to]
        said = why.decode("utf-8", "replace")
        if 500 <= code < 600:
            raise Refused(plain(said, 200)) from error
        raise OSError(said) from error
    except smtplib.SMTPException as error:
        raise OSError(str(error)) from error


def of_turns(there: Sequence[Waiting], to: str, zone: str, stop: str, name: str) -> Letter:
    """The letter about tables that wait for somebody."""
    answers = [one.answer for one in there if one.answer]
    reply = len(there) == 1 and bool(answers)
    what = {"there": there, "zone": zone, "stop": stop, "reply": reply, "when": when}
    what["subject"] = subject(there)
    text = renderers.plain_env().get_template("letters/turns.txt").render(what)
    html = renderers.env().get_template("letters/turns.html").render(what)
    return Letter(to, subject(there), text, html, name, stop, answers[0] if reply else "")
