"""Clocks of new tables, as the API and the form of the lobby say them."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from yegg.engine import Refused
from yegg.table.domain.clock import DAY, MINUTE, SECOND, ClockTerms

Late = Annotated[str, Meta(max_length=60)]


class Live(msgspec.Struct, forbid_unknown_fields=True, tag="live", tag_field="kind"):
    """Everybody is there: seconds for each turn, and a reserve for the whole game."""

    turn: Annotated[int, Meta(ge=5, le=3600)] = 30
    """Seconds for each turn."""
    reserve: Annotated[int, Meta(ge=0, le=86_400)] = 600
    """Seconds in reserve for the whole game."""
    add: Annotated[int, Meta(ge=0, le=3600)] = 0
    """What each turn adds to the reserve (after Fischer)."""
    late: Late = "medium"
    """Who plays the turn of somebody whose time is up: a bot; in Secrets also `absent`."""

    def terms(self) -> ClockTerms:
        """The same, as tables have it."""
        reserve, add = self.reserve * SECOND, self.add * SECOND
        return ClockTerms(self.turn * SECOND, reserve, add, late=self.late)


class Days(msgspec.Struct, forbid_unknown_fields=True, tag="days", tag_field="kind"):
    """As by post: days for each turn, a reserve of days, and days of holiday."""

    turn: Annotated[int, Meta(ge=1, le=60)] = 3
    """Days for each turn."""
    reserve: Annotated[int, Meta(ge=0, le=60)] = 0
    """Days in reserve for the whole game."""
    holiday: Annotated[int, Meta(ge=0, le=60)] = 14
    """How many days each player may be away in all; their time stands meanwhile."""
    late: Late = "medium"
    """As with a live clock."""

    def terms(self) -> ClockTerms:
        """The same, as tables have it."""
        turn, reserve, holiday = self.turn * DAY, self.reserve * DAY, self.holiday * DAY
        return ClockTerms(turn, reserve, holiday=holiday, late=self.late)


CLOCK_FIELDS = {  # by kind: the field of the form, of the struct, its unit, and how it is meant
    "live": (
        ("clock-seconds", "turn", "seconds", 1),
        ("clock-minutes", "reserve", "minutes", MINUTE // SECOND),
        ("clock-add", "add", "seconds", 1),
    ),
    "days": (("clock-days", "turn", "days", 1), ("clock-holiday", "holiday", "days", 1)),
}


def clock_of(form: Mapping[str, Any]) -> Live | Days | None:
    """The clock that a form asks for.  Raises Refused."""
    kind = str(form.get("clock", ""))
    if kind not in CLOCK_FIELDS:
        return None
    fields: dict[str, Any] = {"kind": kind, "late": str(form.get("clock-late", "medium"))[:60]}
    for field, name, unit, size in CLOCK_FIELDS[kind]:
        text = str(form.get(field, "")).strip()
        if text.isascii() and text.isdecimal() and len(text) < 7:
            fields[name] = int(text) * size
        elif text:
            raise Refused(f"{text[:20]!r} is no number of {unit}")
    try:
        clock: Live | Days = msgspec.convert(fields, Live | Days)
    except msgspec.ValidationError as error:
        raise Refused(f"such a clock is not possible: {error}") from None
    return clock
