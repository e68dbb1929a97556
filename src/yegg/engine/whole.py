"""Whole numbers that callers hand over: seeds, seats, choices, actions, how many."""

import math
import operator
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.text.untrusted import quoted

from .errors import NotLegal, Refused

DIGITS = 40  # of a number that a sentence repeats


class NotWhole(NotLegal, TypeError):
    """What was handed over for a whole number is none."""


def whole(
    given: object,
    what: str,
    least: int | None = None,
    most: int | None = None,
    error: type[Refused] = Refused,
) -> int:
    """A whole number, taken as Python takes indices: NumPy's too.

    Raises NotWhole for anything else, truth values too, and ``error`` for what is out of bounds.

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
        raise NotWhole(f"{what} is a whole number, not {shown(given)}") from None
    if (least is not None and number < least) or (most is not None and number > most):
        span = f"{least} to {most}" if None not in (least, most) else f"at least {least}"
        span = f"at most {most}" if least is None else span
        raise error(f"{what} is {span}, not {shown(number)}")
    return number


def wholes(given: Any, what: str, most: int) -> NDArray[np.int32]:
    """Whole numbers as an array; what is below 0 or above ``most`` is -1 or ``most`` + 1.

    ``what`` is their name in the singular.  Raises NotWhole if one is anything else.

    >>> wholes([3, -7, 10**30], "an action", 4)
    array([ 3, -1,  5], dtype=int32)
    """
    many = np.asarray(given)
    if many.ndim > 1:
        raise NotWhole(f"{what} is a whole number, not {shown(many[0].tolist())}")
    if many.dtype.kind not in "iu":
        found = [whole(one, what) for one in many.ravel().tolist()]
        clipped = [min(max(one, -1), most + 1) for one in found]
        many = np.array(clipped, np.int64).reshape(many.shape)
    inside: NDArray[np.int32] = np.clip(many, -1, most + 1).astype(np.int32)
    return inside


def seconds(given: Any, what: str) -> float:
    """A time in seconds, from 0 on.  Raises Refused for what is no number, or is not finite."""
    number = isinstance(given, Real) and not isinstance(given, bool)
    if not number or not 0 <= float(given) < math.inf:
        raise Refused(f"{what} is seconds from 0 on, not {shown(given)}")
    return float(given)


def shown(given: object) -> str:
    """What was given, as a sentence tells it: short, whatever it is."""
    if isinstance(given, str):
        return quoted(given)
    if isinstance(given, int):
        many = abs(given) >= 10**DIGITS
        return f"a number of more than {DIGITS} digits" if many else repr(given)
    if given is None or isinstance(given, float):
        return repr(given)
    return f"a {type(given).__name__}"
