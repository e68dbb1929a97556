"""Numbers, lists and percents as sentences have them, for everything that speaks to people."""

import math
from collections import Counter
from collections.abc import Sequence

LONGEST = 60  # characters of a word that is quoted
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def capital(text: str) -> str:
    """A text with a capital at its beginning.

    >>> capital("the automa")
    'The automa'
    """
    return text[:1].upper() + text[1:]


def number(n: int) -> str:
    """A number as a sentence has it: up to ten as a word.

    >>> number(2), number(12)
    ('two', '12')
    """
    return WORDS[n] if 0 <= n < len(WORDS) else str(n)


def counted(n: int, one: str, many: str = "") -> str:
    """A number of things; ``many`` is the plural, by default with an s.

    >>> counted(1, "mask"), counted(5, "mask"), counted(2, "wolf", "wolves")
    ('1 mask', '5 masks', '2 wolves')
    """
    return f"{n} {one if n == 1 else many or one + 's'}"


def within_a_sentence(text: str) -> str:
    """A text that goes on in a sentence, without its capital; one in capitals stays.

    >>> within_a_sentence("Stay in the box"), within_a_sentence("AI plays")
    ('stay in the box', 'AI plays')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def stopped(text: str) -> str:
    """A text with a full stop at its end; without a word none.

    >>> stopped("Ann wins"), stopped("Ann wins."), stopped("")
    ('Ann wins.', 'Ann wins.', '')
    """
    return f"{text}." if text and text[-1] != "." else text


def grouped(n: float) -> str:
    """A whole number in groups of three digits, with spaces at which no line breaks.

    >>> grouped(62400).replace("\N{NO-BREAK SPACE}", "_"), grouped(999)
    ('62_400', '999')
    """
    return f"{math.floor(n):,}".replace(",", "\N{NO-BREAK SPACE}")


def worded(n: int, one: str, many: str = "") -> str:
    """So many of a thing in words, as a story has them; ``many`` as for `counted`.

    >>> worded(1, "mask"), worded(2, "leaf", "leaves"), worded(12, "mask")
    ('a mask', 'two leaves', '12 masks')
    """
    return f"a {one}" if n == 1 else f"{number(n)} {many or one + 's'}"


def listing(things: Sequence[str], last: str = "and") -> str:
    """Things as a sentence lists them.

    >>> listing(["Ann"]), listing(["Ann", "Ben"]), listing(["Ann", "Ben", "Cid"], "or")
    ('Ann', 'Ann and Ben', 'Ann, Ben or Cid')
    """
    return f" {last} ".join([", ".join(things[:-1]), things[-1]] if len(things) > 1 else things)


def several(things: Sequence[str]) -> str:
    """Things as a sentence lists them, each sort once.

    >>> several(["a bag", "the marker", "a bag"]), several(["10", "10"])
    ('two bags and the marker', '10 and 10')
    """
    listed: list[str] = []
    for thing, n in Counter(things).items():
        article, _, noun = thing.partition(" ")
        if n > 1 and noun and article in ("a", "an"):
            listed.append(f"{number(n)} {noun}s")
        else:
            listed += [thing] * n
    return listing(listed)


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage.

    >>> percent(0.4), percent(0.032, 1)
    ('40 %', '3.2 %')
    """
    return f"{share * 100:.{digits}f} %"


def lasting(seconds: float) -> str:
    """How long something takes, about.

    >>> [lasting(n) for n in (0.2, 1.2, 20, 89, 150, 1800, 9000, 400000)]
    ['a second', 'a second', '20 seconds', '89 seconds', '2.5 minutes', '30 minutes', \
'2.5 hours', '111 hours']
    """
    for most, of, unit in ((90, 1, "second"), (5400, 60, "minute"), (math.inf, 3600, "hour")):
        if seconds < most:
            n = seconds / of
            said = f"{n:.0f}" if of == 1 or n >= 10 else f"{n:.1f}".removesuffix(".0")
            return f"a {unit}" if said in {"0", "1"} else f"{said} {unit}s"
    raise ValueError(seconds)


def ago(seconds: float) -> str:
    """How long something is past, about.

    >>> [ago(n) for n in (3, 89, 7000, 9000, 200000)]
    ['just now', '1 minute ago', '116 minutes ago', '2 hours ago', '2 days ago']
    """
    if seconds < 60:
        return "just now"
    for most, of, unit in ((7200, 60, "minute"), (172_800, 3600, "hour")):
        if seconds < most:
            return f"{counted(int(seconds // of), unit)} ago"
    return f"{counted(int(seconds // 86_400), 'day')} ago"


def change(share: float) -> str:
    """A gain or a loss as a percentage with its sign.

    >>> change(0.204), change(-0.2), change(-0.001)
    ('+20 %', '-20 %', '0 %')
    """
    whole = round(share * 100)
    return f"{whole:+} %" if whole else "0 %"


def times(share: float) -> str:
    """How often something happens, in words.

    >>> times(0.97), times(0.5), times(0.11), times(0.004), times(0.0)
    ('nearly always', '1 time in 2', '1 time in 9', '1 time in 250', 'never')
    """
    if share > 0.95:
        return "nearly always"
    if share > 0.6:
        return f"{round(share * 10)} times in 10"
    return f"1 time in {round(1 / share)}" if share > 0.001 else "never"


def meant(word: str, there: Sequence[str], closeness: float = 0.6) -> str | None:
    """Which of the words somebody probably meant; None if none is close.

    >>> meant("grady", ["easy", "greedy", "uniform"]), meant("Ann", ["easy", "greedy"])
    ('greedy', None)
    """
    from difflib import get_close_matches

    close = get_close_matches(word.lower()[:40], there, 1, closeness)
    return close[0] if close else None


def fold(text: str) -> str:
    """A word as it is compared: no accents, no capitals.

    >>> fold("Zoë")
    'zoe'
    """
    import unicodedata

    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).casefold()


def lacking(what: str, word: str, there: Sequence[str]) -> str:
    """The error about a word that is none of those that there are; ``what`` they are, as "bot".

    >>> lacking("measure", "tiedd", ["tied", "moons"])
    "there is no measure 'tiedd'; did you mean 'tied'? there are: tied, moons"
    """
    shown = word if len(word) <= LONGEST else f"{word[:LONGEST]}…"
    return f"there is no {what} {shown!r}; {offered(word, there)}"


def offered(word: str, there: Sequence[str]) -> str:
    """The end of an error about a word: the one probably meant, and all that there are.

    >>> offered("stopp", ["stop", "continue"])
    "did you mean 'stop'? there are: stop, continue"
    """
    close = meant(word, there)
    return (
        f"did you mean {close!r}? " if close else ""
    ) + f"there are: {', '.join(there) or 'none'}"
