"""Each field, status, parameter and event of the HTTP interface has a sentence of its own."""

import importlib.util
import re
from pathlib import Path

import pytest

from yegg.table.field_docstrings import docstrings
from yegg.table.http import event_stream
from yegg.table.http.openapi import REFUSALS
from yegg.table.render.json_view import TableJson

ROOT = Path(__file__).parents[2]
WORDS = 2  # at least


@pytest.fixture(scope="module")
def described(for_all):
    return for_all.get("/api/schema/openapi.json").json()


@pytest.fixture(scope="module")
def conf():
    """How the site draws the description (docs/conf.py)."""
    spec = importlib.util.spec_from_file_location("site_conf", ROOT / "docs" / "conf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(what):
    """Whether something says what it is, and not only its own name once more."""
    return len(str(what.get("description", "")).split()) >= WORDS


def fields(part, where):
    """Every field of a schema and of those within it, with where it stands."""
    for name, field in part.get("properties", {}).items():
        yield f"{where}.{name}", field
        yield from fields(field, f"{where}.{name}")
    for key in ("oneOf", "anyOf", "allOf"):
        for form in part.get(key, []):
            yield from fields(form, where)
    for key in ("items", "additionalProperties"):
        if isinstance(part.get(key), dict):
            yield from fields(part[key], where)


def options(where):
    """Whether it is an option of a game, which `GET /api/about` explains."""
    return where.startswith(("NewGame.options.", "NewEvening.options."))


def test_each_field_has_a_sentence(described):
    schemas = described["components"]["schemas"].items()
    there = [one for name, schema in schemas for one in fields(schema, name)]
    assert len({where for where, _ in there}) > 160
    missing = {where for where, field in there if not told(field) and not options(where)}
    assert not missing, f"write below these fields, in the code, what they mean: {sorted(missing)}"


def test_each_kind_of_body_and_answer_has_a_sentence(described):
    schemas = described["components"]["schemas"].items()
    assert not [name for name, schema in schemas if not told(schema) and "properties" in schema]


def test_each_parameter_and_status_has_a_sentence(described):
    missing, statuses = [], set()
    for path, ways in described["paths"].items():
        for way, operation in ways.items():
            where = f"{way} {path}"
            missing += [
                f"{where}: {p['name']}" for p in operation.get("parameters", ()) if not told(p)
            ]
            missing += [f"{where}: {s}" for s, a in operation["responses"].items() if not told(a)]
            missing += [] if told(operation) else [where]
            statuses |= {
                (status, answer["description"]) for status, answer in operation["responses"].items()
            }
    assert not missing, f"these say nothing: {missing}"
    assert {status for status, _ in statuses} > {str(status) for status in REFUSALS}
    assert not [said for _, said in statuses if "document follows" in said.lower()], "says nothing"


def test_each_event_of_the_stream_is_described(described):
    source = Path(event_stream.__file__).read_text("utf-8")
    events = set(re.findall(r"event: (\w+)", source))
    assert events == {"view", "phrase", "beat"}
    said = described["paths"]["/api/games/{key}/events"]["get"]["description"]
    page = (ROOT / "docs" / "script-a-table.md").read_text("utf-8")
    for event in events:
        assert f"event `{event}`" in said, event
        assert f"`{event}`" in page, event
    phrase = set(re.findall(r'"(\w+)": ', source))
    assert all(f"`{field}`" in said for field in phrase), phrase


def test_the_page_draws_each_field_with_its_sentence(described, conf):
    drawn = conf.drawable(described)
    schemas = drawn["components"]["schemas"]
    missing = [
        where
        for name, schema in schemas.items()
        for where, field in fields(schema, name)
        if not told(field) and not options(where)
    ]
    assert not missing, missing
    assert schemas["NewGame"]["required"] == ["game", "seats"], "options may be left out"


def test_what_a_field_says_is_what_stands_below_it():
    said = docstrings(TableJson)
    assert said["id"] == "The table's key.", "of what it builds on, too"
    assert "number" not in said, "it says so beside its type"


def test_those_for_whom_tables_wait_come_first_the_most_urgent(described):
    said = described["paths"]["/api/me"]["get"]["description"]
    assert "most urgent first" in said
