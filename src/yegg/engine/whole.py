"""Whole numbers that callers hand over: seeds, seats, choices, actions, how many."""

import operator

from yegg.text.untrusted import quoted

from .errors import Refused

DIGITS = 40  # of a number that a sentence repeats


def whole(
    given: object,
    what: str,
    least: int | None = None,
    most: int | None = None,
    error: type[Refused] = Refused,
) -> int:
    """A whole number, taken as Python takes indices: NumPy's too.

    Raises ``error`` for anything else, for truth values, and for what is out of bounds.

    >>> import numpy as np
    >>> whole(np.int64(3), "a seed")
    3
    >>> try:
    ...     whole(1.5, "a seed")
    ... except Refused as error:
    ...     print(error)
    a seed is a whole number, not 1.5
    """
    try:
        if isinstance(given, bool):
            raise TypeError
        number = operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{what} is a whole number, not {told(given)}") from None
    if (least is not None and number < least) or (most is not None and number > most):
        span = f"{least} to {most}" if None not in (least, most) else f"at least {least}"
        span = f"at most {most}" if least is None else span
        raise error(f"{what} is {span}, not {told(number)}")
    return number


def told(given: object) -> str:
    """What was given, as a sentence tells it: short, whatever it is."""
    if isinstance(given, str):
        return quoted(given)
    if isinstance(given, int):
        many = abs(given) >= 10**DIGITS
        return f"a number of more than {DIGITS} digits" if many else repr(given)
    if given is None or isinstance(given, float):
        return repr(given)
    return f"a {type(given).__name__}"
