"""Bodies about evenings: what the API takes, which is read from the pages' forms, too."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from yegg.engine import Refused
from yegg.engine.record import SIDES
from yegg.table.domain.evening import ROBIN, SWISS, Plan

from .bodies import GUEST, Body, Form, Name, Word, number
from .clock_fields import Live, clock_of

MOST_ROUNDS = 30
Minutes = Annotated[int, Meta(ge=1, le=1440)]
Rounds = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]


class JoiningEvening(Body):
    """Somebody who joins an evening."""

    you: Name = GUEST
    """What you are called; a number is added if somebody there looks the same."""


class NewEvening(Body):
    """An evening to be opened."""

    game: Word
    """The game's name."""
    seats: Annotated[int, Meta(ge=2, le=SIDES)]
    """How many sit at a table; one more or fewer where the number of people asks for it."""
    options: dict[str, str | int] = msgspec.field(default_factory=dict)
    """The game's options away from the published rules, by name."""
    kind: Literal["swiss", "round-robin"] = "swiss"
    """`swiss`: those with near points meet; `round-robin`: everybody meets everybody."""
    rounds: Rounds | None = 4
    """At most so many; null: a round robin ends when all have met."""
    clock: Live | None = None
    """How much time everybody has at the tables; null: nobody is hurried."""
    minutes: Minutes = 45
    """After so many minutes of a round bots play for those whom a table waits for."""
    missing: Literal["bot", "out"] = "bot"
    """Whoever a bot played for at the end: `bot` plays on for them, `out` leaves them out."""
    counts: bool = True
    """Whether the results count for the season."""
    crowd: bool = False
    """Whether more than 40 people may join from one address."""

    def plan(self) -> Plan:
        """The same, as evenings have it."""
        options = {name: str(value) for name, value in self.options.items()}
        clock = self.clock.terms().stored() if self.clock else None
        rest = self.kind, self.rounds, clock, self.minutes, self.missing, self.counts, self.crowd
        return Plan(self.game, options, self.seats, *rest)

    @classmethod
    def of_form(cls, form: Form) -> "NewEvening":
        """An evening as the form asks for it.  Raises Refused."""
        kind = ROBIN if form.get("kind") == ROBIN else SWISS
        clock = clock_of({**form, "clock": "live" if form.get("clock") == "live" else ""})
        fields = {
            "game": str(form.get("game", ""))[:60],
            "seats": number(form, "seats", 1) or 0,
            "options": {k[4:]: str(form[k])[:60] for k in form if k.startswith("opt-") and form[k]},
            "kind": kind,
            "rounds": number(form, "rounds", 2) if kind == SWISS or form.get("rounds") else None,
            "clock": msgspec.to_builtins(clock) if clock else None,
            "minutes": number(form, "minutes", 4) or 0,
            "missing": str(form.get("missing", "bot")),
            "counts": "counts" in form,
            "crowd": "crowd" in form,
        }
        try:
            return msgspec.convert(fields, cls)
        except msgspec.ValidationError as error:
            raise Refused(f"such an evening is not possible: {error}") from None
