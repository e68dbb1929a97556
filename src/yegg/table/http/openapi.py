"""The OpenAPI description beyond types: refusals, valid combinations, links between calls."""

import inspect
import re
from collections.abc import Iterable, Iterator
from itertools import groupby, product
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin

from yegg import games, players
from yegg.engine import Game
from yegg.table.domain.clock import ABSENT
from yegg.table.field_docstrings import OURS, docstrings
from yegg.table.render.json_view import TableJson
from yegg.table.service.new_tables import ME, OPEN
from yegg.text.names import IN_EMOJI, shows, without_hidden

from . import actions
from .bodies import NAME_TITLE, NewGame
from .evening_bodies import JoiningEvening, NewEvening
from .openapi_evenings import openings
from .requests import NOT_OURS

PLACE = "#/components/schemas/{name}"
OPENS = "ApiGamesCreate", "201"
JOINS = "ApiGamesKeyJoinJoin", "200"
EVENINGS = (("ApiEveningsOpenJson", "201"), ("ApiEveningsJoinJoinJson", "200"))
CLOCKS = "Live", "Days"
FOR_ANYBODY = "ApiTokensHandOut", "ApiAboutAbout"
"""Who asks does not matter there."""
LOOKS, CHOOSES = ("ApiGamesKeyLook", "200"), "ApiGamesKeyChoicesChoose"
Schema = dict[str, Any]


class Why(msgspec.Struct):
    """Why it was refused; with 409 the current number, with 422 the clause and what is legal."""

    why: str
    """The reason, in words."""
    number: int | None = None
    """Where the game has gone on: the number of the newest event that you know of."""
    clause: str | None = None
    """The clause of the rules that forbids the choice, as in `SS-18`."""
    legal: list[str] | None = None
    """The words of all that you may choose now."""
    seat: int | None = None
    """The seat that is yours there already."""
    after: int | None = None
    """After how many seconds it may be tried again."""


REFUSALS = {
    400: "Not understood: the request is not as it is described here",
    401: "Not your seat: the token is missing, or it proves no seat here",
    403: "Forged, or not allowed: a page of another site asks, or you are kept away from here",
    404: "No such table, or no such evening",
    409: "The game has gone on, or there is no place",
    410: "Begun under other rules, or its game is gone",
    413: "Too large: the body has more bytes than a request may have",
    422: "Not possible: the rules or the server's settings forbid it",
    429: "Too much at once: `Retry-After` says when to ask again",
    503: "Not kept: the disk, the database or the coach does not answer yet; ask again",
}
NO_BODY = {"/api/games/{key}/events": "The events, as long as you listen"}
NO_BODY["/api/games/{key}/record"] = "The record as plain text"


def no(*statuses: int) -> dict[int, ResponseSpec]:
    """Document these refusals."""
    return {
        status: ResponseSpec(Why, description=REFUSALS[status], generate_examples=False)
        for status in statuses
    }


class Contract(JsonRenderPlugin):
    """The OpenAPI description that the framework makes from the types, with additions."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Schema) -> bytes:
        """The description as JSON."""
        if "securitySchemes" not in openapi_schema["components"]:
            complete(openapi_schema)
        made = super().render(request, openapi_schema)
        return made.replace(TableJson.__name__.encode(), b"TableView")  # as programs know it


def complete(made: Schema) -> None:
    """Add to a description what the framework does not find in the types."""
    bodies = [action.body for action in actions.everything() if action.body]
    bodies += [NewEvening, JoiningEvening]
    bodies.sort(key=lambda body: body.__name__)
    # what stands in none of their fields is refused, as the description has to say
    schemas = msgspec.json.schema_components(bodies, ref_template=PLACE)[1]
    describe(schemas)
    describe(made["components"]["schemas"])
    name_once(schemas)
    everywhere = [set(able(game, numbers, options)) for game, numbers, options in tables()]
    schemas["Quick"]["properties"]["game"] |= {"enum": games.names()}
    for asked in ("Again", "GoOn", "Hand"):
        bot = {"enum": [*sorted(set.intersection(*everywhere)), None]}
        schemas[asked]["properties"]["bot"] |= bot
    schemas["NewGame"] = {
        "title": "NewGame",
        "description": f"{NewGame.__doc__}  A bot that thinks may have a budget: search:2000.",
        "oneOf": [opened(schemas, *table) for table in tables()],
    }
    schemas["NewEvening"] = openings(schemas, schemas["NewGame"]["oneOf"])
    made["components"]["schemas"].update(schemas)
    made["components"]["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "From /api/tokens, or from where you sat down; it proves your seat.",
        }
    }
    operations = {o["operationId"]: o for path in made["paths"].values() for o in path.values()}
    strange = {**operations[CHOOSES]["responses"]["401"], "description": NOT_OURS}
    for name, operation in operations.items():
        seated = "401" in operation["responses"]
        operation["security"] = [{"token": []}] if seated else [{"token": []}, {}]
        if name in FOR_ANYBODY:
            operation["security"] = []
        else:
            operation["responses"].setdefault("401", strange)
    link(made["paths"], operations)
    answered(made)


def describe(schemas: dict[str, Schema]) -> None:
    """Let each field and each schema say what stands below it in the code."""
    for kind in structs(msgspec.Struct):
        schema = schemas.get(kind.__name__)
        if schema is None or not kind.__module__.startswith(OURS):
            continue
        schema["description"] = inspect.getdoc(kind)
        fields, tag = schema["properties"], kind.__struct_config__.tag_field
        if tag:
            fields[tag]["description"] = "Which of the kinds it is."
        for name, said in docstrings(kind).items():
            fields[name].setdefault("description", said)


def structs(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """All kinds of a struct."""
    for one in kind.__subclasses__():
        yield one
        yield from structs(one)


def answered(made: Schema) -> None:
    """Let each answer that refuses nothing say what it holds."""
    schemas = made["components"]["schemas"]
    for path, ways in made["paths"].items():
        for operation in ways.values():
            for status in {"200", "201"} & operation["responses"].keys():
                answer = operation["responses"][status]
                ref = answer["content"].get("application/json", {}).get("schema", {}).get("$ref")
                said = schemas[ref.rpartition("/")[2]]["description"] if ref else NO_BODY.get(path)
                answer["description"] = said or operation["description"]


def name_once(schemas: dict[str, Schema]) -> None:
    """Say in one place what people may be called, which takes a long pattern."""
    schemas[NAME_TITLE] = {
        **schemas["Named"]["properties"]["you"],
        "pattern": names_pattern(),
    }
    for schema in schemas.values():
        fields = schema.get("properties", {})
        for field, said in fields.items():
            if said.get("title") == NAME_TITLE:
                default = {key: said[key] for key in said if key == "default"}
                ref = {"$ref": PLACE.format(name=NAME_TITLE), **default}
                fields[field] = ref | {key: said[key] for key in said if key == "description"}


def link(paths: Schema, operations: dict[str, Schema]) -> None:
    """Add OpenAPI links: what to call for a table or an evening that was opened or looked at."""
    for parameter, answers in ("key", (OPENS, JOINS, LOOKS)), ("evening", EVENINGS):
        about = [
            operation["operationId"]
            for path, ways in paths.items()
            if f"{{{parameter}}}" in path
            for operation in ways.values()
        ]
        for name, status in answers:
            operations[name]["responses"][status]["links"] = {
                follows: {
                    "operationId": follows,
                    "parameters": {parameter: "$response.body#/id"},
                }
                for follows in about
            }
    looks, status = LOOKS
    first = {"choice": "$response.body#/choices/0/text", "after": "$response.body#/number"}
    operations[looks]["responses"][status]["links"][CHOOSES]["requestBody"] = first


def tables() -> Iterator[tuple[Game, list[int], dict[str, list[str]]]]:
    """Each game, numbers of players that allow the same options, and these options."""
    for game in map(games.find, games.names()):
        alike: dict[str, tuple[list[int], dict[str, list[str]]]] = {}
        for n in game.players:
            values = possible(game, n)
            alike.setdefault(repr(values), ([], values))[0].append(n)
        for numbers, values in alike.values():
            yield game, numbers, values


def possible(game: Game, n: int) -> dict[str, list[str]]:
    """By option, the values that are possible for this many players with some other options."""
    options = game.options
    every = [
        dict(zip(options, c, strict=True)) for c in product(*(o.values for o in options.values()))
    ]
    good = [chosen for chosen in every if game.objection(n, chosen) is None]
    return {
        name: [value for value in option.values if any(chosen[name] == value for chosen in good)]
        for name, option in options.items()
    }


def able(game: Game, numbers: list[int], options: dict[str, list[str]]) -> list[str]:
    """The bots that can play the game for each of these numbers of players."""
    found = set(players.names())
    for n in numbers:
        usual = game.defaults(n)
        chosen = {
            name: usual[name] if usual[name] in values else values[0]
            for name, values in options.items()
        }
        found &= set(players.able(game, n, chosen))
    return sorted(found)


def opened(
    schemas: Schema, game: Game, numbers: list[int], options: dict[str, list[str]]
) -> Schema:
    """The schema of a request for a table of the game with one of these numbers of players."""
    wish = schemas["NewGame"]
    usual = game.defaults(numbers[0])
    needed = [name for name, values in options.items() if usual[name] not in values]
    seats = {
        "type": "array",
        "items": {"enum": [ME, OPEN, *able(game, numbers, options)]},
        "minItems": numbers[0],
        "maxItems": numbers[-1],
        "contains": {"const": ME},
        "minContains": 0,
        "maxContains": 1,
    }
    rules = {
        "type": "object",
        "properties": {
            name: {"enum": [*values, *(int(v) for v in values if v.isdecimal())]}
            for name, values in options.items()
        },
        "required": needed,
        "additionalProperties": False,
    }
    late = [*able(game, numbers, options), *([ABSENT] if game.part("absent") else [])]
    clocks = [
        {**clock, "properties": {**fields, "late": {**fields["late"], "enum": late}}}
        for clock in (schemas[kind] for kind in CLOCKS)
        for fields in (clock["properties"],)
    ]
    clock = {"anyOf": [{"type": "null"}, *clocks]}
    own: Schema = {"game": {"const": game.name}, "seats": seats, "options": rules, "clock": clock}
    for name in own:
        own[name] = {"description": wish["properties"][name]["description"], **own[name]}
    return {
        **wish,
        "title": f"{game.title}, {' or '.join(map(str, numbers))} players",
        "properties": {**wish["properties"], **own},
        "required": [*wish["required"], *(["options"] if needed else [])],
    }


def names_pattern() -> str:
    """A regular expression for exactly those names that `engine.match.check_names` takes.

    It names the signs one by one, since another program may know another Unicode than this Python.
    """
    signs = [c for c in map(chr, range(0x110000)) if c.isprintable() and c != ","]
    signs = list(without_hidden("".join(signs)))
    alone = _set(c for c in signs if not shows(c))  # a name is more than blanks and accents
    return f"^(?=.*[^{alone}])(?:[{_set(signs)}]|{IN_EMOJI})+$"


def _set(signs: Iterable[str]) -> str:
    """These characters, in their order, as a set in a regular expression has them."""

    def sign(at: int) -> str:
        return re.sub(r"([\\\]\[^&~-])", r"\\\1", chr(at))

    runs = []
    for _, run in groupby(enumerate(map(ord, signs)), lambda pair: pair[1] - pair[0]):
        first, *_, last = (*(at for _, at in run),) * 2
        runs.append(f"{sign(first)}-{sign(last)}")
    return "".join(runs)
