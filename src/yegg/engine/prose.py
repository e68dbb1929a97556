"""How numbers and lists read in a sentence: everything that speaks to people uses these."""

from collections.abc import Sequence

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(n: int) -> str:
    """A number as a sentence has it: in words up to ten.

    >>> number(2), number(12)
    ('two', '12')
    """
    return WORDS[n] if 0 <= n < len(WORDS) else str(n)


def counted(n: int, one: str, many: str = "") -> str:
    """So many of a thing; ``many`` is the plural, by default with an s.

    >>> counted(1, "mask"), counted(5, "mask"), counted(2, "wolf", "wolves")
    ('1 mask', '5 masks', '2 wolves')
    """
    return f"{n} {one if n == 1 else many or one + 's'}"


def listing(things: Sequence[str], last: str = "and") -> str:
    """Things in a row, as a sentence lists them.

    >>> listing(["Ann"]), listing(["Ann", "Ben"]), listing(["Ann", "Ben", "Cid"], "or")
    ('Ann', 'Ann and Ben', 'Ann, Ben or Cid')
    """
    return f" {last} ".join([", ".join(things[:-1]), things[-1]] if len(things) > 1 else things)


def percent(share: float, digits: int = 0) -> str:
    """A share in hundredths.

    >>> percent(0.4), percent(0.032, 1)
    ('40 %', '3.2 %')
    """
    return f"{share * 100:.{digits}f} %"
