"""Letters that come in: what a person wrote, and nothing that a machine did."""

import email.policy
import re
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr
from hashlib import sha256
from html.parser import HTMLParser
from typing import NamedTuple

LARGEST = 200_000  # bytes
MENTIONS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
MANY = 20  # of them
BREAKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "blockquote"}
UNREAD = {"style", "script", "head", "title", "blockquote"}
WROTE = re.compile(r"^(?:On|Am|Le|El) .{4,120}(?:wrote|schrieb|écrit|escribió).{0,120}:\s*$")
CUT = re.compile(r"^-{3,} ?(?:Original|Forwarded) .*-{3,}$|^From: .*@.*$", re.IGNORECASE)


class Received(NamedTuple):
    """A letter that a person wrote."""

    sender: str
    text: str
    name: str
    """Its own name, for the answer's headers; "" if it has none."""
    digest: str
    """The same for the same letter, however often it comes."""
    mentions: tuple[str, ...] = ()
    """To whom it says that it goes, for mail servers that shorten the address."""


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


def received(raw: bytes) -> Received | None:
    """A letter; None if no person wrote it, or nobody can read it: it is dropped in silence."""
    if len(raw) > LARGEST:
        return None
    try:
        letter = BytesParser(_class=EmailMessage, policy=email.policy.default).parsebytes(raw)
        if written_by_a_machine(letter):
            return None
        words = text_of(letter)
        sender = parseaddr(str(letter.get("From", "")))[1].lower()
        name = str(letter.get("Message-ID", "")).strip()
        mentions = [str(to)[:1000] for one in MENTIONS for to in letter.get_all(one, [])]
    except (
        ValueError,
        LookupError,
        KeyError,
        IndexError,
        AttributeError,
        TypeError,
        RecursionError,
    ):
        return None  # the parser meets what nobody should send
    if words is None:
        return None
    said = f"{name}\0{sender}\0{words}"
    return Received(
        sender,
        words,
        name,
        sha256(said.encode(errors="replace")).hexdigest(),
        tuple(mentions[:MANY]),
    )


def written_by_a_machine(letter: EmailMessage) -> bool:
    """Whether it is a report of a mail server, a notice of absence, or of a list."""
    automatic = str(letter.get("Auto-Submitted", "no")).split(";")[0].strip().lower()
    bulk = str(letter.get("Precedence", "")).strip().lower() in ("bulk", "junk", "list")
    bounce = str(letter.get("Return-Path", "")).strip() == "<>"
    return automatic != "no" or bulk or bounce or "List-Id" in letter


def text_of(letter: EmailMessage) -> str | None:
    """What its writer wrote; the text if there is one, else the words of the HTML."""
    part = letter.get_body(("plain", "html"))
    if part is None:
        return None
    said = str(part.get_content())
    if part.get_content_type() == "text/html":
        reader = _Text()
        reader.feed(said)
        said = "".join(reader.lines)
    lines = []
    for line in said.replace("\0", "").splitlines():
        if WROTE.match(line.strip()) or CUT.match(line.strip()):
            break
        lines.append(line)
    return "\n".join(lines)
