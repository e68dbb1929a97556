"""How somebody asks for a clock when opening a table: in the API, and in the form."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from yegg.engine import Refused
from yegg.table.domain.clock import DAY, MINUTE, SECOND, Terms

Late = Annotated[str, Meta(max_length=60)]
LIVE, DAYS = "live", "days"


class Live(msgspec.Struct, forbid_unknown_fields=True, tag=LIVE, tag_field="kind"):
    """Everybody is there: seconds for each turn, and a reserve for the whole game."""

    turn: Annotated[int, Meta(ge=5, le=3600)] = 30
    reserve: Annotated[int, Meta(ge=0, le=86_400)] = 600
    add: Annotated[int, Meta(ge=0, le=3600)] = 0
    """What each turn adds to the reserve (after Fischer)."""
    late: Late = "medium"
    """Who plays the turn of somebody whose time is up: a bot; in Secrets also `absent`."""

    def terms(self) -> Terms:
        """The same, as tables have it."""
        reserve, add = self.reserve * SECOND, self.add * SECOND
        return Terms(self.turn * SECOND, reserve, add, late=self.late)


class Days(msgspec.Struct, forbid_unknown_fields=True, tag=DAYS, tag_field="kind"):
    """As by post: days for each turn, a reserve of days, and days of holiday."""

    turn: Annotated[int, Meta(ge=1, le=60)] = 3
    reserve: Annotated[int, Meta(ge=0, le=60)] = 0
    holiday: Annotated[int, Meta(ge=0, le=60)] = 14
    """How many days each player may be away in all; their time stands meanwhile."""
    late: Late = "medium"

    def terms(self) -> Terms:
        """The same, as tables have it."""
        return Terms(
            self.turn * DAY, self.reserve * DAY, holiday=self.holiday * DAY, late=self.late
        )


Asked = Live | Days | None
FIELDS = {
    LIVE: (("turn", "clock-seconds"), ("reserve", "clock-minutes"), ("add", "clock-add")),
    DAYS: (("turn", "clock-days"), ("holiday", "clock-holiday")),
}


def of_form(form: Mapping[str, Any]) -> Terms | None:
    """The clock that a form asks for.  Raises Refused."""
    kind = str(form.get("clock", ""))
    if kind not in FIELDS:
        return None
    wish: dict[str, Any] = {"kind": kind, "late": str(form.get("clock-late", "medium"))[:60]}
    for name, field in FIELDS[kind]:
        said = str(form.get(field, "")).strip()
        if said.isascii() and said.isdecimal() and len(said) < 7:
            wish[name] = int(said)
        elif said:
            raise Refused(f"{said[:20]!r} is no number of {_meant(field)}")
    if kind == LIVE and "reserve" in wish:
        wish["reserve"] *= MINUTE // SECOND
    try:
        asked: Live | Days = msgspec.convert(wish, Live | Days)
    except msgspec.ValidationError as error:
        raise Refused(f"such a clock is not possible: {error}") from None
    return asked.terms()


def _meant(field: str) -> str:
    return {"clock-seconds": "seconds", "clock-minutes": "minutes", "clock-add": "seconds"}.get(
        field, "days"
    )
