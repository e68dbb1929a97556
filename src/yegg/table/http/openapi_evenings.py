"""What the OpenAPI description says of evenings: which can be opened, and what to call then."""

from typing import Any

from .evening_bodies import NewEvening

LEAST = 2  # people at a table of an evening
Schema = dict[str, Any]


def openings(schemas: Schema, tables: list[Schema]) -> Schema:
    """The schema of a request for an evening; ``tables``: those of requests for tables."""
    wish = schemas["NewEvening"]
    return {
        "title": "NewEvening",
        "description": NewEvening.__doc__,
        "oneOf": [one for table in tables for one in _opened(wish, table)],
    }


def _opened(wish: Schema, table: Schema) -> list[Schema]:
    """The schemas of a request for an evening at such tables: one for each kind."""
    own, fields = table["properties"], wish["properties"]
    numbers = list(range(own["seats"]["minItems"], own["seats"]["maxItems"] + 1))
    fit = [n for n in numbers if n >= LEAST]
    live = [_untagged(one) for one in own["clock"]["anyOf"] if "days" not in _kind(one)]
    narrower: Schema = {
        "game": own["game"],
        "seats": {"enum": fit},
        "options": own["options"],
        "clock": {"anyOf": live},
    }
    swiss = {"kind": {"enum": ["swiss"]}, "rounds": _number(fields["rounds"])}
    found = []
    for kind, needed in ((swiss, []), ({"kind": {"enum": ["round-robin"]}}, ["kind"])):
        some: Schema = {
            name: {**said, "description": fields[name]["description"]}
            for name, said in (narrower | kind).items()
        }
        one = {
            **wish,
            "title": table["title"],
            "properties": {**fields, **some},
            "required": [*table["required"], *needed],
        }
        found += [one] if fit else []
    return found


def _kind(clock: Schema) -> list[str]:
    """Of which kind a clock is."""
    kinds: list[str] = clock.get("properties", {}).get("kind", {}).get("enum", [])
    return kinds


def _untagged(clock: Schema) -> Schema:
    """A clock whose kind need not be said, since there is only one."""
    needed = [name for name in clock.get("required", []) if name != "kind"]
    return {**clock, "required": needed} if "required" in clock else clock


def _number(either: Schema) -> Schema:
    """Of a number that may be null the number."""
    number: Schema = next(one for one in either["anyOf"] if one.get("type") == "integer")
    return {**number, "default": either["default"]}
