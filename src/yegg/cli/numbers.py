"""Numbers on the command line: whole or not, within bounds that are said in words."""

import math
from typing import Any, NoReturn

import click

from yegg.text.untrusted import quoted

SEEDS = 2**62 - 1
"""The largest seed."""


class _Bounded(click.ParamType[Any]):
    """A number from ``least`` to ``most``; help and errors say both."""

    kind = "number"

    def __init__(
        self, least: float | None = None, most: float | None = None, *, below: bool = False
    ) -> None:
        """``below``: it must be below ``most``."""
        self.least, self.most, self.below = least, most, below

    @property
    def name(self) -> str:  # type: ignore[override]  # Click's is a class's
        """The bounds in words."""
        return self.words

    @property
    def words(self) -> str:
        """What numbers there are: `from 1 to 65,535`, `from 0 on`; "" where all are."""
        if self.most is None:
            return "" if self.least is None else f"from {self.least:,} on"
        return f"from {self.least or 0:,} to {'below ' * self.below}{self.most:,}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number.  Raises BadParameter."""
        try:
            number = self.read(value)
        except (ValueError, OverflowError):
            return self.refuse(value, param, ctx)
        least = -math.inf if self.least is None else self.least
        most = math.inf if self.most is None else self.most
        if least <= number < most or (number == most and not self.below):
            return number
        return self.refuse(value, param, ctx)

    def read(self, value: Any) -> float:
        """A text as a number.  Raises ValueError."""
        return float(value)

    def refuse(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> NoReturn:
        """Say what is taken, and what came.  Raises UsageError."""
        name = "/".join(param.opts) if isinstance(param, click.Option) else "this"
        bounds = f" {self.words}" if self.words else ""
        raise click.UsageError(f"{name} takes a {self.kind}{bounds}, not {quoted(str(value))}", ctx)


class Real(_Bounded):
    """A number."""


class Limit(Real):
    """A number, or ``none``, which is infinity."""

    kind = "number or none,"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number.  Raises BadParameter."""
        return math.inf if value in ("none", math.inf) else super().convert(value, param, ctx)


class Whole(_Bounded):
    """A whole number."""

    kind = "whole number"

    def read(self, value: Any) -> int:
        """A text as a whole number.  Raises ValueError."""
        return int(value)
