"""Parsing of incoming mail: what a person wrote; bounces and automatic replies are told apart.

Anybody may send a letter, so that reading one must be quick whatever it is made of.  Python's
newer reader of headers takes minutes for some that are long; the older one, with the limits
below, takes milliseconds.
"""

import codecs
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parseaddr
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any, NamedTuple

LARGEST = 200_000  # bytes
HEADER = 2000  # bytes of a header that is read
PARTS = 20  # parts that may hold others
WRITTEN, DRAWN = 30_000, 60_000  # characters of a text that are read, and of HTML
LINE = 300  # characters of a line that begins a quotation
SLOW = {"punycode", "idna"}  # no letters are written in these
MENTIONS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
MANY = 20  # of them
BREAKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "blockquote"}
UNREAD = {"style", "script", "head", "title", "blockquote"}
WROTE = re.compile(r"^(?:On|Am|Le|El) .{4,120}(?:wrote|schrieb|écrit|escribió).{0,120}:\s*$")
CUT = re.compile(r"^-{3,} ?(?:Original|Forwarded) .*-{3,}$|^From: .*@.*$", re.IGNORECASE)
BULK = ("bulk", "junk", "list", "auto_reply")
MACHINES = ("List-Id", "X-Autoreply", "X-Autorespond", "X-Auto-Response-From")
READ = "content-[a-z-]+|from|message-id|auto-submitted|precedence|return-path|action|status"
READ += "|diagnostic-code"
READ += "".join(f"|{name.lower()}" for name in MENTIONS)
STRANGE = ValueError, LookupError, AssertionError, AttributeError, TypeError, RecursionError
"""What the parser raises when it meets what nobody should send."""
LONG = re.compile(  # a header that is read, in the head of a letter or of a part, and is too long
    rf"^(?:{READ})[ \t]*:(?:[^\r\n]|\r?\n[ \t]){{{HEADER}}}".encode(), re.IGNORECASE | re.MULTILINE
)


class Received(NamedTuple):
    """A letter from a person."""

    sender: str
    text: str
    name: str
    """Its own name, for the answer's headers; "" if it has none."""
    digest: str
    """The same for the same letter, however often it comes."""
    mentions: tuple[str, ...] = ()
    """To whom it says that it goes, for mail servers that shorten the address."""


class Unreadable(Exception):
    """Nobody can read the letter, or there is nothing in it to be read."""


class _Text(HTMLParser):
    """The words of an HTML letter, but what it quotes."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.inside = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.inside += tag in UNREAD
        if tag in BREAKS:
            self.lines.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.inside = max(0, self.inside - (tag in UNREAD))

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.lines.append(data)


def parsed(raw: bytes) -> Message | None:
    """A letter; None if reading it could take long.  Raises one of ``STRANGE``."""
    if len(raw) > LARGEST or raw.lower().count(b"boundary") > PARTS or LONG.search(raw):
        return None
    return BytesParser(policy=compat32).parsebytes(raw)


def received(raw: bytes) -> Received | None:
    """A letter; None if no person wrote it.  Raises Unreadable."""
    try:
        letter = parsed(raw)
        if letter is None:
            raise Unreadable
        if written_by_a_machine(letter):
            return None
        words = text_of(letter)
        sender = parseaddr(str(letter.get("From", "")))[1].lower()
        name = str(letter.get("Message-ID", "")).strip()
        mentions = mentioned(letter)
    except STRANGE as error:
        raise Unreadable from error
    if words is None:
        raise Unreadable
    said = f"{name}\0{sender}\0{words}"
    digest = sha256(said.encode(errors="replace")).hexdigest()
    return Received(sender, words, name, digest, mentions)


def refused_for_good(raw: bytes) -> tuple[str, tuple[str, ...]] | None:
    """Why a letter of ours will never arrive, as a mail server reports it, and whom that mentions.

    None for anything else, also if it was late, or the server could not be reached.
    """
    try:
        report = parsed(raw)
        for part in report.walk() if report else []:
            if part.get_content_type() == "message/delivery-status" and part.is_multipart():
                inside: Any = part.get_payload()  # about the letter, then about each recipient
                if report and (said := next(filter(None, map(why, inside)), "")):
                    return said, mentioned(report)
    except STRANGE:
        pass
    return None


def why(about: Message) -> str:
    """The reason why one recipient is refused for good; "" if not."""
    said = {name: str(about.get(name, "")) for name in ("Action", "Status", "Diagnostic-Code")}
    failed = said["Action"].strip().lower() == "failed"
    if not failed or not said["Status"].strip().startswith("5."):
        return ""
    return said["Diagnostic-Code"].partition(";")[2] or said["Status"]


def mentioned(letter: Message) -> tuple[str, ...]:
    """To whom a letter says that it goes."""
    return tuple([str(to) for one in MENTIONS for to in letter.get_all(one, [])][:MANY])


def written_by_a_machine(letter: Message) -> bool:
    """Whether it is a report of a mail server, a notice of absence, or of a list."""
    automatic = str(letter.get("Auto-Submitted", "no")).split(";")[0].strip().lower()
    bulk = str(letter.get("Precedence", "")).strip().lower() in BULK
    bounce = str(letter.get("Return-Path", "")).strip() == "<>"
    report = letter.get_content_type() == "multipart/report"
    return automatic != "no" or bulk or bounce or report or any(name in letter for name in MACHINES)


def texts(letter: Message) -> Iterator[Message]:
    """The parts that a mail program shows as text: nothing that is attached."""
    if letter.get_content_disposition() == "attachment":
        return
    if letter.get_content_maintype() == "multipart" and letter.is_multipart():
        inside: Any = letter.get_payload()
        for part in inside:
            yield from texts(part)
    elif letter.get_content_type() in ("text/plain", "text/html"):
        yield letter


def text_of(letter: Message) -> str | None:
    """What its writer wrote; the text if there is one, else the words of the HTML."""
    there = {part.get_content_type(): part for part in reversed([*texts(letter)])}
    part = there.get("text/plain") or there.get("text/html")
    if part is None:
        return None
    drawn = part.get_content_type() == "text/html"
    longest = DRAWN if drawn else WRITTEN
    raw: Any = part.get_payload(decode=True) or b""
    letters = codecs.lookup(str(part.get_content_charset("utf-8"))).name
    if letters in SLOW:
        return None
    said: str = raw[: 4 * longest].decode(letters, "replace")[:longest]
    if drawn:
        reader = _Text()
        reader.feed(said)
        said = "".join(reader.lines)
    lines = []
    for line in said[:WRITTEN].replace("\0", "").splitlines():
        bare = line.strip()
        if len(bare) <= LINE and (WROTE.match(bare) or CUT.match(bare)):
            break
        lines.append(line)
    return "\n".join(lines)
