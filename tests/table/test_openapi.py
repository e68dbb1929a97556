"""The API's own description: what it calls valid is possible, and random requests break nothing."""

import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from contextlib import suppress

import hypothesis
import pytest
from hypothesis.errors import FlakyStrategyDefinition
from hypothesis.stateful import run_state_machine_as_test

from yegg import games
from yegg.engine import Refused
from yegg.engine.match import check_names
from yegg.table.http.openapi import REFUSALS

MISSING = "no schemathesis here: pip install 'yegg[browser]' gets it"
SEATED = "401"  # what answers so needs a token
LARGEST = 16_384  # bytes of a request's body
REFUSED = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
TOKEN, OPEN, JOIN, CHOOSE, SEAL, RECORD = (
    "POST /api/tokens",
    "POST /api/games",
    "POST /api/games/{key}/join",
    "POST /api/games/{key}/choices",
    "POST /api/games/{key}/seal",
    "GET /api/games/{key}/record",
)
BY_OTHERS = ("/join", "/close", "/leave")
SITS = (OPEN, JOIN, "POST /api/games/{key}/again", "POST /api/games/{key}/fork")


@pytest.fixture(scope="module")
def said(for_all):
    return for_all.get("/api/schema/openapi.json").json()


def openings(said):
    """What the description says of tables that can be opened."""
    return said["components"]["schemas"]["NewGame"]["oneOf"]


def wish(opening, seats, **options):
    """A table with so many seats."""
    return {
        "game": opening["properties"]["game"]["const"],
        "seats": ["me"] + ["open"] * (seats - 1),
        "options": {
            n: opening["properties"]["options"]["properties"][n]["enum"][0]
            for n in opening["properties"]["options"]["required"]
        }
        | options,
    }


@pytest.mark.wide
def test_every_described_game_seats_and_options_can_be_opened(said, somebody):
    me, opened = somebody(), Counter()
    for opening in openings(said):
        seats = opening["properties"]["seats"]
        for n in range(seats["minItems"], seats["maxItems"] + 1):
            me.open(**wish(opening, n))
            opened[opening["properties"]["game"]["const"], n] += 1
        for name, option in opening["properties"]["options"]["properties"].items():
            for value in option["enum"]:
                me.open(**wish(opening, seats["minItems"], **{name: value}))
    assert set(opened) == {(name, n) for name in games.names() for n in games.find(name).players}


def test_every_described_evening_can_be_opened_and_joined(said, somebody):
    me, opened = somebody(), Counter()
    for one in said["components"]["schemas"]["NewEvening"]["oneOf"]:
        fields, needed = one["properties"], one["required"]
        chosen = {name: fields[name]["enum"][0] for name in needed if "enum" in fields[name]}
        options = fields["options"]["properties"]
        least = {name: options[name]["enum"][0] for name in fields["options"]["required"]}
        for n in fields["seats"]["enum"]:
            body = {**chosen, "game": fields["game"]["const"], "seats": n, "options": least}
            answer = me.post("/api/evenings", body)
            assert answer.status_code == 201, (body, answer.text)
            opened[body["game"], body.get("kind", "swiss"), n] += 1
    kinds = [
        (name, kind, n)
        for name in games.names()
        for kind in ("swiss", "round-robin")
        for n in games.find(name).players
        if n > 1
    ]
    assert set(opened) == set(kinds)


def test_an_evening_leads_to_whatever_can_be_done_there(said):
    paths = said["paths"]
    there = {
        operation["operationId"]
        for path, ways in paths.items()
        if path.startswith("/api/evenings/{evening}")
        for operation in ways.values()
    }
    assert len(there) == 6
    links = paths["/api/evenings"]["post"]["responses"]["201"]["links"]
    assert {one["operationId"] for one in links.values()} == there


@pytest.mark.wide
def test_what_is_not_described_is_refused(said, somebody):
    for opening in openings(said):
        seats = opening["properties"]["seats"]
        game, least = opening["properties"]["game"]["const"], seats["minItems"]
        options = opening["properties"]["options"]["properties"]
        bad = [wish(opening, least, **{name: "nothing"}) for name in options]
        for name, option in games.find(game).options.items():
            others = set(option.values) - set(map(str, options[name]["enum"]))
            bad += [wish(opening, least, **{name: value}) for value in others]
        bad += [wish(opening, least) | {"seats": ["nobody"] * least}]
        bad += [wish(opening, least) | {"seats": ["me"] * least}] if least > 1 else []
        bad += (
            [wish(opening, least) | {"options": {}}]
            if opening["properties"]["options"]["required"]
            else []
        )
        for one in bad:
            assert somebody().post("/api/games", one).status_code == 422, one


@pytest.mark.wide
def test_the_description_knows_every_name_that_is_taken_and_no_other(said, client):
    schema = said["components"]["schemas"]["Name"]
    fits = re.compile(schema["pattern"]).search
    for at in range(0x110000):
        name = f"a{chr(at)}b"
        try:
            taken = bool(check_names([name], 1))
        except Refused:
            taken = False
        assert bool(fits(name)) == taken, hex(at)
    toned = "\U0001f469\U0001f3fd"
    odd = [
        toned * 20,
        toned * 19 + "\u200d",
        "\U0001f469\u200d\U0001f680",
        "1\ufe0f\u20e3",
        "1\ufe0f",
    ]
    odd += [
        "1\ufe0f\u20e3",
        "\u2764\ufe0f\u200d\U0001f525",
        "\u2764\ufe0f\ufe0f",
        "a\u0301",
        "\u0301",
    ]
    odd += [" Ann ", "   ", "\u0378", "Ann\t", "a,b", "\U0001f600", "\u200d", "é" * 40, "é" * 41]
    for name in odd:
        body = {"game": "magnate", "seats": ["me", "open"], "you": name}
        status = client.post("/api/games", json=body).status_code
        assert (status == 201) == bool(fits(name) and len(name) <= schema["maxLength"]), name


@pytest.mark.wide
def test_links_lead_to_all_operations_of_a_table(said):
    named = {o["operationId"]: o for path in said["paths"].values() for o in path.values()}
    opened = said["paths"]["/api/games"]["post"]["responses"]["201"]["links"]
    assert {link["operationId"] for link in opened.values()} == {
        o["operationId"]
        for path, ways in said["paths"].items()
        if "{key}" in path
        for o in ways.values()
    }
    for operation in named.values():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                assert link["operationId"] in named
    looked = said["paths"]["/api/games/{key}"]["get"]["responses"]["200"]["links"]
    assert any("requestBody" in link for link in looked.values())


@pytest.mark.wide
def test_bodies_say_that_they_take_no_other_fields(said):
    asked = [
        o["requestBody"]["content"]["application/json"]["schema"]
        for path in said["paths"].values()
        for o in path.values()
        if "requestBody" in o
    ]
    assert len(asked) > 9
    schemas = said["components"]["schemas"]
    for one in asked:
        for name in re.findall(r"#/components/schemas/(\w+)", str(one)):
            for kind in schemas[name].get("oneOf", [schemas[name]]):
                assert kind["additionalProperties"] is False, name


def test_what_needs_a_seat_says_so(said):
    for path, ways in said["paths"].items():
        for operation in ways.values():
            free = {} in operation["security"] or not operation["security"]
            refusal = operation["responses"].get(SEATED, {}).get("description", "")
            assert free == (refusal != REFUSALS[401]), path
            assert bool(refusal) == bool(operation["security"]), path


def test_what_takes_a_body_says_that_it_may_be_too_large(said, somebody):
    me, large = somebody(), {"x": "x" * LARGEST}
    me.open("magnate", ["me", "open"])
    evening = me.post("/api/evenings", {"game": "magnate", "seats": 2}).json()["id"]
    many = Counter()
    for path, ways in said["paths"].items():
        for operation in ways.values():
            takes = "requestBody" in operation
            assert takes == ("413" in operation["responses"]), path
            if takes:
                answer = me.post(path.format(key=me.key, evening=evening), large)
                assert answer.status_code == 413, path
                assert str(LARGEST) in answer.json()["why"], path
            many[takes] += 1
    assert all(many[takes] > 9 for takes in (True, False)), many


# At random ----------------------------------------------------------------------------------


@pytest.fixture
def asked(served):
    """The description of a real server, as schemathesis reads it."""
    schemathesis = pytest.importorskip("schemathesis", reason=MISSING)
    config = {"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}}
    return schemathesis.openapi.from_url(
        f"{served.base}/api/schema/openapi.json",
        config=schemathesis.Config.from_dict(config),
        timeout=30,
    )


def at_random(many):
    """How Hypothesis is to ask."""
    return hypothesis.settings(
        max_examples=many,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )


def as_said(case, answer, *, mended=False):
    """Every check of schemathesis.

    503 says "not yet compiled", 410 "this table is closed", and 422 of what is chosen or sealed
    "not now".
    ``mended``: what was made wrong in the request may have been put right since.
    """
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        negative_data_rejection,
        positive_data_acceptance,
    )

    but = [not_a_server_error, *([negative_data_rejection] if mended else [])]
    not_now = answer.status_code == 422 and case.operation.label in (CHOOSE, SEAL)
    if answer.status_code == 410 or not_now:
        but.append(positive_data_acceptance)
    case.validate_response(answer, excluded_checks=but)
    if answer.status_code == 413:
        assert len(answer.request.body) > LARGEST
    assert answer.status_code < 500 or answer.status_code == 503, answer.text


@pytest.mark.wide(minutes=2)
@pytest.mark.filterwarnings("ignore")
def test_tables_are_played_at_random_from_link_to_link(asked):
    tokens, answers, faults = defaultdict(list), Counter(), []
    dice = random.Random(5)  # Hypothesis lets `random` itself say the same in every example

    class Guests(asked.exclude(path_regex="events$").as_state_machine()):
        """Whoever has sat down at a table brings a token with which somebody did."""

        def before_call(self, case):
            """Let most tables be for somebody, and begin soon."""
            self.seated = None
            body = case.body
            seats = body.get("seats") if isinstance(body, dict) else None
            if isinstance(seats, list) and dice.random() < 0.8:
                other = dice.choice(["open", "uniform"])
                body["seats"] = ["me", other, "uniform"][: len(seats)]
                self.seated = case

        def get_call_kwargs(self, case):
            known = tokens[case.path_parameters.get("key")]
            if case.operation.label.endswith(BY_OTHERS) and dice.random() < 0.9:
                known = []  # else nobody new sat down, and most would close the table or leave it
            token = dice.choice(known) if known else None
            return {"headers": {"Authorization": f"Bearer {token}"} if token else {}, "timeout": 30}

        def validate_response(self, response, case, **more):
            # a link puts its own body there, and we our token and our seats
            mended = response.status_code == 200 or self.seated is case
            try:
                as_said(case, response, mended=mended)
            except BaseException as fault:
                faults.append(fault)
                raise

        def after_call(self, response, case):
            answers[case.operation.label, response.status_code] += 1
            if case.operation.label in SITS and response.status_code in (200, 201):
                said, sent = response.json(), response.request.headers.get("Authorization", "")
                tokens[said["id"]].append(said["token"] or sent.removeprefix("Bearer "))

    Guests.TestCase.settings = hypothesis.settings(at_random(20), stateful_step_count=40)
    wanted = {(label, 200) for label in (JOIN, CHOOSE, "POST /api/games/{key}/hand", RECORD)}
    for _ in range(20):
        with suppress(FlakyStrategyDefinition):  # the server is not as it was: it has gone on
            run_state_machine_as_test(Guests)
        assert not faults
        if wanted <= answers.keys():
            return
    pytest.fail(f"never happened: {wanted - answers.keys()}; but {sorted(answers.items())}")


@pytest.mark.wide(minutes=3)
def test_schemathesis_finds_nothing_in_any_of_its_phases(served, tmp_path):
    pytest.importorskip("schemathesis", reason=MISSING)
    line = [sys.executable, "-m", "schemathesis.cli", "run", "--seed", "1", "--continue-on-failure"]
    line += ["--phases", "coverage,fuzzing,stateful", "--max-examples", "3"]
    line += ["--suppress-health-check", "too_slow", "--request-timeout", "120"]  # a busy machine
    line += ["--exclude-path-regex", "events$", f"{served.base}/api/schema/openapi.json"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) generated, \1 passed", done.stdout)[1]) > 2000, done.stdout
