"""A form and the API do the same things at a table, within the same limits."""

from itertools import chain

import msgspec
import pytest
from litestar.datastructures.multi_dicts import FormMultiDict
from litestar.params import JSONBody

from yegg.engine import Refused
from yegg.table.http import actions
from yegg.table.http.bodies import Again, Body, GoOn, Holiday, Joining
from yegg.table.http.requests import Key, Who
from yegg.table.refusals import HttpRefusal

from .conftest import opened, settings_for
from .devices import Device

ACTIONS = {action.path: action for action in chain(*actions.ACTIONS)}
SAME = {
    "choices": (
        {"choice": "thorough", "after": 3, "open": True},
        {"choice": "thorough", "after": "3"},
    ),
    "undo": (None, {}),
    "seal": ({"sealed": True, "after": 3}, {"sealed": "yes", "after": "3"}),
    "hand": ({"bot": "uniform", "seat": 2}, {"bot": "uniform", "seat": "2"}),
    "watch": ({"who": "lobby", "later": 300}, {"watch": "lobby", "later": "300"}),
    "name": ({"you": "Anna"}, {"you": " Anna"}),
    "leave": (None, {}),
    "phrases": ({"phrase": 3}, {"phrase": "3"}),
    "pause": ({"pause": True}, {"pause": "yes"}),
    "time": ({"seat": 2}, {"seat": "2"}),
    "close": (None, {}),
    "block": ({"seat": 2, "blocked": True}, {"seat": "2"}),
}
"""The same by JSON and by a form."""


class Shout(Body):
    """What is shouted across the table."""

    word: str

    @classmethod
    def of_form(cls, form):
        """The word of the form."""
        return cls(str(form.get("word", "")))


async def shout(who: Who, key: Key, data: JSONBody[Shout]) -> actions.Kept:
    """Shout a word across the table."""
    who.seat(key)
    if data.word == "impossible":
        raise Refused("nobody shouts that")
    if data.word == "late":
        raise HttpRefusal(409, "it is too late")
    return actions.Kept(len(data.word))


class Ann(Device):
    """Somebody at a table, who has a browser and writes scripts too."""

    def __init__(self, client):
        super().__init__(client)
        self.key, csrf = self.open(), self.csrf()
        self.csrf = lambda: csrf  # to look for it again counts, where there are limits

    def by_form(self, path, fields=None):
        form = ACTIONS[path].form if path in ACTIONS else ""
        return self.post(
            f"/t/{self.key}/{form or path}", **SAME[path][1] if fields is None else fields
        )

    def by_api(self, path, body=None):
        return self.api(f"/api/games/{self.key}/{path}", SAME[path][0] if body is None else body)


@pytest.mark.parametrize("path", ACTIONS)
def test_a_form_is_read_into_the_body_that_the_api_takes(path):
    body, fields = SAME[path]
    if kind := ACTIONS[path].body:
        assert kind.of_form(FormMultiDict(fields)) == msgspec.convert(body, kind)
    else:
        assert body is None


@pytest.mark.parametrize(("kind", "body", "fields"), [
    (Joining, {"you": "Ann", "seat": 2, "salt": "x"}, {"you": "Ann", "seat": "2", "salt": "x"}),
    (Again, {"salt": "x"}, {"salt": "x"}),
    (GoOn, {"at": 7, "bot": "easy", "you": "Ann"}, {"at": "7", "level": "easy", "you": "Ann"}),
    (Holiday, {"days": 3}, {"days": "3"}),
])  # fmt: skip
def test_so_are_those_of_somebody_who_needs_no_seat(kind, body, fields):
    assert kind.of_form(FormMultiDict(fields)) == msgspec.convert(body, kind)


@pytest.fixture(scope="module")
def shouting(tmp_path_factory):
    """Somebody at a server with one more action, which is only declared."""
    actions.PLAY.append(actions.Action("shout", shout, Shout, (*actions.AT_SEAT, 422)))
    try:
        with opened(settings_for(tmp_path_factory.mktemp("shouting"))) as client:
            yield Ann(client)
    finally:
        actions.PLAY.pop()


def test_an_action_that_is_declared_is_in_the_api_and_a_form_and_described(shouting):
    assert shouting.by_api("shout", {"word": "hello"}).json() == {"number": 5}
    assert shouting.by_api("shout", {"word": "hello", "loud": True}).status_code == 400
    form = shouting.by_form("shout", {"word": "hello"})
    assert form.headers["location"].startswith(f"/t/{shouting.key}")
    text = shouting.client.get("/api/schema/openapi.json").json()
    operation = text["paths"]["/api/games/{key}/shout"]["post"]
    assert operation["description"] == "Shout a word across the table."
    assert set(operation["responses"]) == {"200", "413", "422", *map(str, actions.AT_SEAT)}
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/Shout"}
    assert text["components"]["schemas"]["Shout"]["additionalProperties"] is False


@pytest.mark.parametrize(
    ("word", "status", "why"),
    [("impossible", 422, "nobody shouts that"), ("late", 409, "it is too late")],
)
def test_form_and_api_refuse_for_the_same_reason(shouting, word, status, why):
    script = shouting.by_api("shout", {"word": word})
    form = shouting.by_form("shout", {"word": word})
    assert script.status_code == form.status_code == status
    assert script.json() == {"why": why}
    assert why[1:] in form.text
    assert f'action="/t/{shouting.key}/choose"' in form.text, "the table's page, to try again"


def test_nobody_sits_on_two_seats(client):
    answer = Device(client).post("/open", game="second-story", seat1="me", seat2="me", you="Ann")
    assert answer.status_code == 422
    assert "can sit on one seat only" in answer.text


def test_form_and_api_refuse_somebody_without_a_seat(client):
    ann = Ann(client)
    assert ann.by_form("leave").status_code == 303
    for path in ACTIONS:
        for answer in (ann.by_api(path), ann.by_form(path)):
            assert answer.status_code == 401, path
            assert "ou have no seat here" in answer.text


def test_nothing_may_be_done_too_often_by_form_or_api(tmp_path):
    with opened(settings_for(tmp_path, limits=True)) as client:
        ann, limits = Ann(client), client.app.state.limits
        for bucket in (limits.choosing, limits.asking):
            bucket.rate, bucket.burst = 0.001, 1
        assert ann.by_api("undo").status_code == 409
        for path in ACTIONS:
            for answer in (ann.by_api(path), ann.by_form(path)):
                assert answer.status_code == 429, path
                assert "oo much at once" in answer.text
        assert ann.by_api("join", {"you": "Ann"}).status_code == 409
        assert ann.by_api("join", {"you": "Ann"}).status_code == 429
        assert ann.by_form("join", {"you": "Ann"}).status_code == 429
