"""Bodies of requests to the API, which are read from the pages' forms, too.

A form is read without checks: an action itself refuses what is not possible, in words.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Self

import msgspec
from litestar.datastructures.multi_dicts import FormMultiDict, MultiDict
from msgspec import Meta

from yegg import games
from yegg.engine import Refused
from yegg.engine.record import SIDES
from yegg.table.domain.phrases_and_emotes import SAID
from yegg.table.domain.watching import LATER, LINK, WHO, WatchTerms
from yegg.table.service.new_tables import ME, OPEN
from yegg.table.service.timekeeper import LONGEST

from .clock_fields import Days, Live, clock_of

Form = MultiDict[Any] | FormMultiDict
MOST = 40  # choices in a row
GUEST = "Guest"  # a script that gives no name, or somebody who plays with nobody else
STRONG = ("hard", "expert")  # who chooses one of these meets the strongest automa
NAME_TITLE = "Name"
LONGEST_SALT = 64
KEY = re.compile(r"[A-Za-z0-9_-]{22}")
Word = Annotated[str, Meta(max_length=60)]
Text = Annotated[str, Meta(max_length=200)]
InRow = Annotated[list[Text], Meta(min_length=1, max_length=MOST)]
Seat = Annotated[int, Meta(ge=1, le=SIDES)]
After = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=40, title=NAME_TITLE)]
Salt = Annotated[
    str, Meta(max_length=LONGEST_SALT, extra_json_schema={"pattern": "^[A-Za-z0-9_-]*$"})
]  # `domain.dice.fit_salt` refuses others in words


def number(form: Mapping[str, Any], field: str, digits: int) -> int | None:
    """The number in a field of a form; None without one of so many digits at most."""
    text = str(form.get(field, ""))
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def salt_of(form: Mapping[str, Any]) -> str:
    """What the sender of a form gives to the dice; "" for nothing."""
    return str(form.get("salt", ""))[: LONGEST_SALT + 1]


def bot_of(form: Mapping[str, Any]) -> str | None:
    """The bot that a form names, else of the level that is chosen; None for a seat's owner."""
    bot = "" if "back" in form else str(form.get("bot") or form.get("level") or "")
    return bot[:60] or None


OF_FORM: dict[str, Callable[[Form], Any]] = {
    "after": lambda form: -1 if (after := number(form, "after", 8)) is None else after,
    "at": lambda form: number(form, "at", 7) or 0,
    "blocked": lambda _: True,  # the form of a table only blocks
    "bot": bot_of,
    "pause": lambda form: form.get("pause") == "yes",
    "phrase": lambda form: number(form, "phrase", 2) or 0,
    "salt": salt_of,
    "sealed": lambda form: form.get("sealed") == "yes",
    "seat": lambda form: number(form, "seat", 1),
    "you": lambda form: str(form.get("you", "")).strip(),
}
"""How the fields of bodies are read from forms, where a body says nothing else."""


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of an action."""

    @classmethod
    def of_form(cls, form: Form) -> Self:
        """The same, from the fields of a form.  Raises Refused."""
        return cls(**{field: OF_FORM[field](form) for field in cls.__struct_fields__})


class Coming(Body):
    """The body of somebody who may have no seat yet; a form without a name is asked for it."""


# At a seat


class Choice(Body):
    """What a seat does; ``after`` is the number of the newest event it knows of.

    Several choices in a row are a list of their texts: all are made, or none.
    """

    choice: Text | Annotated[int, Meta(ge=0, le=10_000)] | InRow
    """Its words in the record, its number, or several choices in a row by their words."""
    after: After
    """The number of the newest event that you know of."""
    open: bool = False
    """Whether your sheet of orders stays open when it is full, until you seal it."""

    @classmethod
    def of_form(cls, form: Form) -> Self:
        """The choice of the button, after those that were picked earlier on the page."""
        choice = str(form.get("choice", ""))[:200]
        if "*" in choice:  # stands for the value of `who`
            if "who" not in form:
                raise Refused("choose a spy first, or the secret that it is for")
            choice = choice.replace("*", str(form["who"])[:60])
        last = choice.removeprefix("+ ")
        picked = form.getall("pick", [])[:MOST] if last != choice else []
        row = [*(str(pick)[:200] for pick in picked), last]
        return cls(row if picked else last, OF_FORM["after"](form), open=True)


class Sealing(Body):
    """Whether your sheet of orders is sealed; false opens it again, until all are sealed."""

    sealed: bool
    """True hands it in."""
    after: After
    """The number of the newest event that you know of."""


class Hand(Body):
    """Who plays a seat: a bot's name, or null for its owner."""

    bot: Word | None
    """Its name, perhaps with a budget (`search:2s`); null: play again yourself."""
    seat: Seat | None = None
    """By default yours; another seat only if it is free or its owner is away."""


class Named(Body):
    """What you would like to be called."""

    you: Name
    """Your name from now on."""


class Pause(Body):
    """Whether you would like a pause; false ends one, or declines it."""

    pause: bool
    """True asks for one, or agrees to it."""


class Given(Body):
    """To whom you give the time of one more turn."""

    seat: Seat
    """Theirs, from 1."""


class Blocking(Body):
    """Whom you would rather not meet, by a seat of theirs; false takes it back."""

    seat: Seat
    """Theirs at this table, from 1."""
    blocked: bool
    """True keeps you apart; false lets you meet again."""


class Saying(Body):
    """A phrase or an emote, from 1 as `GET /api/about` lists phrases and then emotes."""

    phrase: Annotated[int, Meta(ge=1, le=len(SAID))]
    """Its number, from 1."""


class Watching(Body):
    """Who may watch without a seat once the game has begun, and how much later they are told."""

    who: Literal["nobody", "link", "lobby"] = "link"
    """Nobody, whoever has the link, or everybody: the lobby then may show the game."""
    later: Literal[0, 60, 300, 1800, 86_400] | None = 0
    """How many seconds later; null: they are told once the game is over."""

    @classmethod
    def of_form(cls, form: Form) -> Self:
        """The same, from the fields of a form; what it lacks is as usual."""
        later = {str(seconds): seconds for seconds in LATER}
        who = str(form.get("watch", LINK))
        wanted = who if who in WHO else LINK, later.get(str(form.get("later", 0)), 0)
        return msgspec.convert(dict(zip(("who", "later"), wanted, strict=True)), cls)

    @property
    def terms(self) -> WatchTerms:
        """The same, as tables have it."""
        return WatchTerms(self.who, self.later)


class Again(Body):
    """How somebody would like to play again."""

    salt: Salt = ""
    """What you give to the dice."""
    bot: Word | None = None
    """Who plays all other seats now, where bots alone played them; null: the same bots."""


# With a seat, or without one yet


class Joining(Coming):
    """Somebody who sits down."""

    you: Name = GUEST
    """What you are called; a number is added if somebody there looks the same."""
    seat: Seat | None = None
    """From 1; null: any seat that is free."""
    salt: Salt = ""
    """What you give to the dice, if the game has not begun."""


class Quick(Coming):
    """Somebody who would like to play a game now, with whoever else would."""

    game: Word
    """The game's name."""
    you: Name = GUEST
    """What you are called; a number is added if somebody there looks the same."""
    salt: Salt = ""
    """What you give to the dice, if the game has not begun."""

    @classmethod
    def of_form(cls, form: Form) -> "Quick":
        """The game of the button."""
        return cls(str(form.get("quick", ""))[:60], form["you"], salt_of(form))


class GoOn(Coming):
    """From where somebody would like to go on, and as whom."""

    at: Annotated[int, Meta(ge=0, le=1_000_000)]
    """How many events of the game there are before; fewer, where orders would be under seal."""
    bot: Word | None = None
    """It plays for the other people; bots play on where they played."""
    seat: Seat | None = None
    """By default your own; if you had none, that of whoever is to act."""
    you: Name = GUEST
    """What you are called at the new table."""
    salt: Salt = ""
    """What you give to the dice that come then."""


class Holiday(Body):
    """For how many days you are away, in all your games with days a turn; 0: you are back."""

    days: Annotated[int, Meta(ge=0, le=LONGEST)]
    """So many from now on; 0: you are back."""

    @classmethod
    def of_form(cls, form: Form) -> Self:
        """The days of the field.  Raises Refused."""
        days = number(form, "days", 3)
        if days is None or days > LONGEST:
            raise Refused(f"a holiday has 1 to {LONGEST} days")
        return cls(days)


# A new table


class NewGame(Coming):
    """A table to be opened."""

    game: Word
    """The game's name."""
    seats: Annotated[list[Word], Meta(min_length=1, max_length=SIDES)]
    """Each `open`, `me` or the name of a bot."""
    options: dict[str, str | int] = {}
    """Its options away from the published rules, by name."""
    you: Name = GUEST
    """What you are called at the table."""
    odds: bool = True
    """Whether odds and advice may be asked for there."""
    listed: bool = True
    """Whether the lobby shows it."""
    shuffled: bool = False
    """Whether everybody gets a seat by lot."""
    salt: Salt = ""
    """What you give to the dice, by a throw of your own."""
    clock: Live | Days | None = None
    """How much time everybody has; null: nobody is hurried."""
    watch: Watching = msgspec.field(default_factory=Watching)
    """Who may watch; by default whoever has the link, as it happens."""
    counts: bool = False
    """Whether the result counts for the season, if two people at least play."""

    @classmethod
    def of_form(cls, form: Form) -> "NewGame":
        """A table as the form asks for it, or a game by one click: against bots, or alone."""
        fields = {name: str(value) for name, value in form.items()}
        ticket = fields.get("ticket", "") if KEY.fullmatch(fields.get("ticket", "")) else ""
        own: dict[str, Any] = {"you": form["you"], "salt": salt_of(form), "ticket": ticket}
        options: dict[str, str | int] = {
            key[4:]: value for key, value in fields.items() if key.startswith("opt-") and value
        }
        if "play" in form:
            game = games.find(fields["play"])
            seats = [ME] + [form["level"]] * (game.usual - 1)
            return WithTicket(game.name, seats, options, listed=False, shuffled=True, **own)
        if "alone" in form:
            ways = (game := games.find(fields["alone"])).alone()
            if not ways:
                raise Refused(f"nobody plays {game.title} alone; play against bots")
            usual = ways[-1 if form["level"] in STRONG else 0]
            fit = next((way for way in ways if form["level"] in way.values()), usual)
            return WithTicket(game.name, [ME], options or {**fit}, listed=False, **own)
        seats, hints = seats_of(form), fields.get("odds")
        return WithTicket(
            fields.get("game", ""),
            seats,
            options,
            odds=hints == "yes" or (hints == "bots" and OPEN not in seats),
            listed="listed" in form,
            shuffled="shuffled" in form,
            clock=clock_of(form),
            watch=Watching.of_form(form),
            counts="counts" in form,
            **own,
        )


def seats_of(form: Form) -> list[str]:
    """Who is to sit on each seat of a form for a new table, in their order."""
    keys = sorted(key for key in form if re.fullmatch(r"seat\d", key))
    return [seat for key in keys if (seat := str(form[key]))]


def without_friends(form: Form) -> bool:
    """Whether a form opens a table at which nobody else can sit down, so that no name is needed."""
    seats = seats_of(form)
    return "play" in form or "alone" in form or (bool(seats) and OPEN not in seats)


class WithTicket(NewGame):
    """A table whose dice were promised to the visitor before."""

    ticket: str = ""
