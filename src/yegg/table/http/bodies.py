"""What requests for actions carry: the bodies of the API, read from the pages' forms, too.

A form is read without checks: an action itself refuses what is not possible, in words.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Self

import msgspec
from litestar.datastructures.multi_dicts import FormMultiDict
from msgspec import Meta

from yegg.engine import Refused
from yegg.engine.record import SIDES
from yegg.table.domain.phrases import PHRASES

from .name_rules import Name

MOST = 40  # choices in a row
NO_SEAT = 0  # a seat that no table has
GUEST = "Guest"  # a script that gives no name
Word = Annotated[str, Meta(max_length=60)]
Text = Annotated[str, Meta(max_length=200)]
InRow = Annotated[list[Text], Meta(min_length=1, max_length=MOST)]
Seat = Annotated[int, Meta(ge=1, le=SIDES)]
Salt = Annotated[
    str, Meta(max_length=64, extra_json_schema={"pattern": "^[A-Za-z0-9_-]*$"})
]  # `chance.fit_salt` refuses others in words


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of an action."""

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """The same, from the fields of a form.  Raises Refused."""
        raise NotImplementedError


class Choice(Body):
    """What a seat does; ``after`` is the number of the newest event it knows of.

    Several choices in a row are a list of their texts: all are made, or none.
    """

    choice: Text | Annotated[int, Meta(ge=0, le=10_000)] | InRow
    after: Annotated[int, Meta(ge=0, le=1_000_000)]

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """The choice of the button, after those that were picked earlier on the page."""
        choice, after = str(form.get("choice", ""))[:200], str(form.get("after", ""))
        if "*" in choice:  # stands for the value of `who`
            if "who" not in form:
                raise Refused("choose a spy first, or the secret that it is for")
            choice = choice.replace("*", str(form["who"])[:60])
        last = choice.removeprefix("+ ")
        picked = form.getall("pick", [])[:MOST] if last != choice else []
        row = [*(str(pick)[:200] for pick in picked), last]
        number = int(after) if after.isdecimal() and len(after) < 9 else -1
        return cls(row if picked else last, number)


class Hand(Body):
    """Who plays a seat: a bot's name, or null for its owner."""

    bot: Word | None
    seat: Seat | None = None
    """By default yours; another seat only if it is free or its owner is away."""

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """`back` stands for the owner."""
        bot = None if "back" in form else str(form.get("bot", ""))[:60] or None
        return cls(bot, seat_of(form))


class Named(Body):
    """What you would like to be called."""

    you: Name

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """The name as it was typed."""
        return cls(str(form.get("you", "")).strip())


class Pause(Body):
    """Whether you would like a pause; false ends one, or declines it."""

    pause: bool

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """`yes` stands for true."""
        return cls(str(form.get("pause", "")) == "yes")


class Given(Body):
    """To whom you give the time of one more turn."""

    seat: Seat

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """The seat that the form names."""
        return cls(seat_of(form) or NO_SEAT)


class Blocking(Body):
    """Whom you would rather not meet, by a seat of theirs; false takes it back."""

    seat: Seat
    blocked: bool

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """The form of a table only blocks."""
        return cls(seat_of(form) or NO_SEAT, blocked=True)


class Saying(Body):
    """One of the eight phrases, from 1 as `GET /api/about` lists them."""

    phrase: Annotated[int, Meta(ge=1, le=len(PHRASES))]

    @classmethod
    def of_form(cls, form: FormMultiDict) -> Self:
        """0 for what is no phrase."""
        phrase = str(form.get("phrase", ""))
        return cls(int(phrase) if len(phrase) == 1 and phrase in "12345678" else 0)


class Joining(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody who sits down."""

    you: Name = GUEST
    seat: Seat | None = None
    salt: Salt = ""
    """What you give to the dice, if the game has not begun."""


class GoOn(msgspec.Struct, forbid_unknown_fields=True):
    """From where somebody would like to go on, and as whom."""

    at: Annotated[int, Meta(ge=0, le=1_000_000)]
    """How many events of the game there are before; fewer, where orders would be under seal."""
    bot: Word | None = None
    """It plays for the other people; bots play on where they played."""
    seat: Seat | None = None
    """By default your own; if you had none, that of whoever is to act."""
    you: Name = GUEST
    salt: Salt = ""
    """What you give to the dice that come then."""


def seat_of(form: Mapping[str, Any]) -> int | None:
    """The seat that a form names, from 1; None if it names none."""
    seat = str(form.get("seat", ""))
    return int(seat) if seat.isdecimal() and len(seat) == 1 else None
