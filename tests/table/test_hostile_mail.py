"""Letters made to do harm: reading one must be quick, whatever it is made of."""

import base64
import signal
from contextlib import contextmanager, suppress

import pytest

from yegg.table.letters.incoming_mail import Unreadable, received

HEAD = b"From: Ann <ann@home.example>\r\nMessage-ID: <1@home>\r\n"
LARGE = 190_000
READ = (b"To", b"From", b"Cc", b"Message-ID", b"Auto-Submitted", b"Content-Type")
READ += (b"Content-Disposition", b"Content-Transfer-Encoding")
MANY = (b"<", b"(", b",", b'"', b"=?utf-8?q?a?= ", b"[", b"a@b, ", b"(\\", b";a*0=b", b"; a=b")
MANY += (b"a ", b":;", b"\r\n ", b"\r\n " + b"x" * 60, b'"a" ', b";")


@contextmanager
def worked(seconds):
    """Let this process compute for so long at most; other programs take nothing of it."""

    def enough(*_):
        raise TimeoutError(f"more than {seconds} seconds of work")

    before = signal.signal(signal.SIGVTALRM, enough)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def filled(bad, size=LARGE):
    return bad * (size // len(bad))


def encoded(text, kind=b"text/plain"):
    """A body whose lines may be as long as one likes."""
    how = b"Content-Transfer-Encoding: base64\r\n"
    return b"Content-Type: %b\r\n%b\r\n%b" % (kind, how, base64.encodebytes(text))


def nested(levels):
    """Parts within parts."""
    one = b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n'
    return b"".join(one % (i, i) for i in range(levels))


SLOW = {
    "a line that nearly begins a quotation": HEAD
    + encoded(b"---Original " + b"-" * 130_000 + b"x"),
    "a header of many words": b"Cc: " + filled(b"a ") + b"\r\n" + HEAD + b"\r\nhello",
    "parts within parts": HEAD + nested(150) + filled(b"x\r\n"),
    "an alphabet that is slow to read": HEAD
    + encoded(b"-" + b"b" * 130_000, b"text/plain; charset=punycode"),
}


def check_quick(raw):
    """A letter is read, or refused, within a few seconds of work."""
    with worked(8), suppress(Unreadable):
        received(raw)


@pytest.mark.parametrize("raw", SLOW.values(), ids=SLOW)
def test_a_letter_that_would_be_read_for_minutes_is_read_at_once(raw):
    check_quick(raw[:200_000])


def test_an_html_part_that_no_reader_understands_is_dropped():
    with pytest.raises(Unreadable):
        received(HEAD + b"Content-Type: text/html\r\n\r\n<![<![")


def test_letters_as_people_send_them_are_read():
    for kind in b"mixed", b"alternative", b"related; type=text/html":
        raw = HEAD + b"Content-Type: multipart/%b; boundary=xy\r\n\r\n" % kind
        raw += b"--xy\r\n" + encoded("I guard 7 für Änne".encode()) + b"\r\n"
        raw += b"--xy\r\nContent-Type: text/html\r\n\r\n<p>I guard 8\r\n--xy\r\n"
        raw += b"Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nI guard 9\r\n"
        found = received(raw + b"--xy--\r\n")
        # without a charset it is read as UTF-8, which has everything that older ones have
        assert (found.text.strip(), found.sender) == ("I guard 7 für Änne", "ann@home.example")


def test_what_is_attached_or_forwarded_is_not_read():
    inner = b"From: bill@home.example\r\n\r\nI guard 9\r\n"
    raw = HEAD + b"Content-Type: multipart/mixed; boundary=xy\r\n\r\n"
    raw += b"--xy\r\nContent-Type: message/rfc822\r\n\r\n" + inner + b"--xy--\r\n"
    with pytest.raises(Unreadable):
        received(raw)


@pytest.mark.wide
@pytest.mark.parametrize("name", READ)
def test_long_and_repeated_headers_take_little(name):
    first = b"" if name == b"From" else HEAD[: HEAD.index(b"\n") + 1]
    for bad in MANY:
        line = name + b": " + filled(bad, 1900) + b"\r\n"
        parts = (b"--b\r\n" + line + b"\r\nhello\r\n") * 95
        mixed = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
        check_quick(first + name + b": " + filled(bad) + b"\r\n\r\nhello")
        check_quick(first + line * 95 + b"\r\nhello")
        check_quick(first + mixed + parts)


@pytest.mark.wide
@pytest.mark.parametrize("bad", [b"<", b"<a b='", b"<p>", b"<!--", b"&#x", b"<a/", b"<![CDATA["])
def test_strange_html_takes_little(bad):
    check_quick(HEAD + encoded(filled(bad, 140_000), b"text/html"))
