"""Texts from outside: good ones, good ones with edits, and random bytes."""

from hypothesis import strategies as st

NASTY = [
    "",
    "\n",
    "\r\n",
    "\0",
    "\t",
    "\x1b[2J",
    "\x1b]0;x\x07",
    "\x9b31m",
    "\u202e",
    "\u2028",
    "\ud800",
    "\ufeff",
    "[/x]",
    "[bold]",
    "%s%n",
    "{0}",
    "../../../etc/passwd",
    "/dev/zero",
    "9" * 5000,
    "-1",
    "1e999",
    "NaN",
    "null",
    "²",
    "٣",
    "x" * 25_000,
    '"',
    "'",
    ",",
    "=",
    ": ",
    "|",
    "#",
    "? ",
    "* ",
    "-",
    "0",
    "guards 1",
    "club stays home",
]
EDITS = ("put", "cut", "drop line", "twice", "swap", "end")


@st.composite
def damaged(draw, texts):
    """One of the texts with a few edits, as bytes; sometimes random bytes."""
    if draw(st.integers(0, 19)) == 0:
        return draw(st.binary(max_size=300))
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        text = edited(draw, text)
    return text.encode("utf-8", "surrogatepass")


def edited(draw, text):
    """A text with one edit."""
    at = draw(st.integers(0, len(text)))
    piece = draw(st.sampled_from(NASTY) | st.text(max_size=12))
    lines = text.split("\n")
    line, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.sampled_from(EDITS)):
        case "put":
            return text[:at] + piece + text[at:]
        case "cut":
            return text[:at] + piece + text[at + draw(st.integers(0, 30)) :]
        case "drop line":
            del lines[line]
        case "twice":
            lines.insert(other, lines[line])
        case "swap":
            lines[line], lines[other] = lines[other], lines[line]
        case "end":
            return text[:at]
    return "\n".join(lines)
