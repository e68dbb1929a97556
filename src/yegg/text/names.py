"""What people are called: which names are fit, and which look alike.

Names are written by anybody and shown to everybody, so each is brought to one form (NFC), shows
something, and holds nothing that shows nothing.  Two names are `alike` if people could take one for
the other: by the skeletons of UTS #39, Unicode Security Mechanisms.
"""

import re
import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path

LONGEST = 40  # characters
TABLE = Path(__file__).with_name("look_alikes.tsv")
"""Unicode's table of confusables, as far as names can hold them: what they look like, and which."""
INVISIBLE = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef"  # ignorable by default, and printable to Python
    "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159"  # blank in all fonts, or in most
)
"""Characters that show nothing, as a set in a regular expression has them."""
PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u2328\u232b-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf"
    "\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
"""A character of the blocks where the emoji stand."""
TAGS = "|".join("".join(chr(0xE0000 + ord(c)) for c in at) for at in ("gbeng", "gbsct", "gbwls"))
IN_EMOJI = (
    f"(?<={PICTURE})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"  # how one is drawn
    f"|(?<={PICTURE[:-1]}\ufe0e\ufe0f])\u200d(?={PICTURE})"  # a joiner between two
    f"|(?<=\U0001f3f4)(?:{TAGS})\U000e007f"  # the flag of a part of Britain
)
"""What shows nothing by itself, where it is a part of an emoji."""
_IN_EMOJI, _INVISIBLE = re.compile(IN_EMOJI), re.compile(f"[{INVISIBLE}]")


def printable(text: str) -> bool:
    """Whether a text prints as it is: joiners stand inside emoji only.

    >>> printable("Zoë \U0001f469\u200d\U0001f680"), printable("a\u200db")
    (True, False)
    """
    return text.isprintable() or _IN_EMOJI.sub("", text).isprintable()


def one_line(text: str, longest: int) -> str:
    """A text in one line of so many characters at most; a blank for all that shows nothing.

    >>> one_line(" Ann's\\n\u3164phone\u202e", 9)
    "Ann's pho"
    """
    kept, at = [], 0
    for joiner in _IN_EMOJI.finditer(text):
        kept += [_blanked(text[at : joiner.start()]), joiner[0]]
        at = joiner.end()
    kept.append(_blanked(text[at:]))
    return cut(same_form("".join(kept).strip()), longest)


def _blanked(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in _INVISIBLE.sub(" ", text))


def same_form(name: str) -> str:
    """A name in the one form in which it is kept: NFC, and single spaces.

    >>> same_form("Zoe\u0308  B") == "Zo\u00eb B"
    True
    """
    return re.sub(" +", " ", unicodedata.normalize("NFC", name))


def cut(name: str, longest: int) -> str:
    """The beginning of a name, without half an emoji at its end.

    >>> cut("Annabel", 4), cut("Io \U0001f469\u200d\U0001f680", 5) == "Io \U0001f469"
    ('Anna', True)
    """
    short = name[:longest]
    while _half(short) and not _half(name):
        short = short[:-1]
    return short.rstrip()


def _half(text: str) -> bool:
    """Whether there is something that only a part of an emoji may be."""
    plain = _IN_EMOJI.sub("", text)
    return not plain.isprintable() or _INVISIBLE.search(plain) is not None


def why_not_recorded(name: str) -> str:
    """What is wrong with a name in a record, of any version; "" if nothing is."""
    fits = name and name == name.strip() and len(name) <= LONGEST
    return "" if fits else f"1 to {LONGEST} characters, no outer spaces"


def why_no_name(name: str) -> str:
    """What is wrong with a name in its one form; "" if it is fit.

    >>> why_no_name("Zoë"), why_no_name("Ann\u034f")
    ('', 'U+034F shows nothing')
    """
    if why := why_not_recorded(name):
        return why
    plain = _IN_EMOJI.sub("", name)
    if "," in plain or (not plain.isprintable() and not _joins(plain)):
        return "commas and unprintable characters are not allowed"
    if unseen := _INVISIBLE.search(plain) or re.search("[\u200c\u200d]", plain):
        return f"U+{ord(unseen[0]):04X} shows nothing"
    return "" if any(map(shows, name)) else "nothing of it can be seen"


def _joins(plain: str) -> bool:
    """Whether all that cannot be printed are joiners that stand where they join nothing."""
    return re.sub("[\u200c\u200d]", "", plain).isprintable()


def without_hidden(text: str) -> str:
    """A text without what shows nothing although it can be printed."""
    return _INVISIBLE.sub("", text)


def shows(c: str) -> bool:
    """Whether a character shows something by itself, as a space or an accent does not."""
    return unicodedata.category(c)[0] in "LNPS" and not _INVISIBLE.match(c)


@cache
def _table() -> dict[int, str]:
    lines = TABLE.read_text("utf-8").rstrip("\n").split("\n")
    rows = (line.rsplit("\t", 1) for line in lines if not line.startswith("# "))
    return {ord(source): target for target, sources in rows for source in sources}


def skeleton(name: str) -> str:
    """What a name looks like: two names that look the same have the same skeleton.

    That of UTS #39, and once more without the forms that Unicode keeps for old character sets,
    such as letters of full width.

    >>> skeleton("\u0410nn") == skeleton("Ann") == skeleton("\uff21\uff4e\uff4e")
    True
    """
    seen = "".join(filter(str.isprintable, without_hidden(name)))
    for form in ("NFD", "NFKD"):
        seen = unicodedata.normalize(form, seen).translate(_table())
    return " ".join(unicodedata.normalize("NFD", seen).split())


@lru_cache(4096)
def _looks(name: str) -> frozenset[str]:
    """What a name looks like, with its capitals and without."""
    return frozenset(skeleton(form).casefold() for form in (name, name.casefold()))


def alike(name: str, others: Collection[str]) -> bool:
    """Whether a name looks like one of others; capitals do not count.

    >>> alike("ANN", ["Ben", "Ann"]), alike("Zoë", ["Zoe"])
    (True, False)
    """
    return any(not _looks(name).isdisjoint(_looks(other)) for other in others)


def unlike(name: str, others: Collection[str]) -> str:
    """The name, with a number from 2 on if it looks like one of others.

    >>> unlike("Ann", ["Ann", "ann (2)"])
    'Ann (3)'
    """
    fresh, n = name, 1
    while alike(fresh, others):
        n += 1
        fresh = f"{cut(name, LONGEST - 5)} ({n})"
    return fresh
