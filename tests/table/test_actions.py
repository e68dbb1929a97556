"""A form and the API do the same things at a table, within the same limits."""

import ast
import re
from itertools import chain
from pathlib import Path

import msgspec
import pytest
from litestar.datastructures.multi_dicts import FormMultiDict
from litestar.params import JSONBody
from litestar.testing import TestClient

from yegg.engine import Refused
from yegg.table.app import application
from yegg.table.http import actions
from yegg.table.http.bodies import Again, Body, GoOn, Holiday, Joining
from yegg.table.http.rate_limits import Limits
from yegg.table.http.requests import Key, Who
from yegg.table.refusals import HttpRefusal
from yegg.table.settings import Settings

SS = "second-story"
ACTIONS = {action.path: action for action in chain(*actions.ACTIONS)}
SAME = {
    "choices": ({"choice": "thorough", "after": 3}, {"choice": "thorough", "after": "3"}),
    "undo": (None, {}),
    "hand": ({"bot": "uniform", "seat": 2}, {"bot": "uniform", "seat": "2"}),
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


class Somebody:
    """One person who has a browser and writes scripts too."""

    def __init__(self, client):
        self.client = client
        client.cookies.clear()
        page = client.get("/").text
        self.csrf = re.search(r'name="csrf" content="(\w*)"', page)[1]
        answer = self.form("/open", game=SS, seat1="me", seat2="me", you="Ann")
        assert answer.status_code == 422
        assert "can sit on one seat only" in answer.text
        answer = self.form("/open", game=SS, seat1="me", seat2="open", you="Ann")
        self.key = str(answer.url).partition("/t/")[2][:22]

    def form(self, path, **fields):
        return self.client.post(path, data={"csrf": self.csrf, **fields})

    def by_form(self, path, fields=None):
        form = ACTIONS[path].form if path in ACTIONS else ""
        fields = SAME[path][1] if fields is None else fields
        return self.form(f"/t/{self.key}/{form or path}", **fields)

    def by_api(self, path, body=None):
        body = SAME[path][0] if body is None else body
        headers = {"X-CSRF-Token": self.csrf}
        return self.client.post(f"/api/games/{self.key}/{path}", json=body, headers=headers)


@pytest.fixture
def ann(visited):
    return Somebody(visited)


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


@pytest.fixture
def shouting(settings):
    """Somebody at a server with one more action, which is only declared."""
    actions.PLAY.append(actions.Action("shout", shout, Shout, (*actions.AT_SEAT, 422)))
    try:
        app = application(settings)
        with TestClient(app, base_url="http://testserver.local") as client:
            yield Somebody(client)
    finally:
        actions.PLAY.pop()


def test_an_action_that_is_declared_is_in_the_api_and_a_form_and_described(shouting):
    assert shouting.by_api("shout", {"word": "hello"}).json() == {"number": 5}
    assert shouting.by_api("shout", {"word": "hello", "loud": True}).status_code == 400
    form = shouting.by_form("shout", {"word": "hello"})
    assert str(form.url).partition("#")[0].endswith(f"/t/{shouting.key}")
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


@pytest.mark.parametrize("path", ACTIONS)
def test_form_and_api_refuse_somebody_without_a_seat(ann, path):
    assert ann.by_form("leave").status_code == 200
    for answer in (ann.by_api(path), ann.by_form(path)):
        assert answer.status_code == 401
        assert "ou have no seat here" in answer.text


@pytest.fixture
def strict(tmp_path):
    """A server with limits."""
    hosts = ("testserver.local",)
    settings = Settings(db=f"sqlite:///{tmp_path}/t.db", pace=0.0, hosts=hosts, warm=False)
    with TestClient(application(settings), base_url="http://testserver.local") as client:
        yield client


@pytest.mark.parametrize("path", ACTIONS)
@pytest.mark.parametrize("way", ["by_form", "by_api"])
def test_nothing_may_be_done_too_often(strict, path, way):
    ann = Somebody(strict)
    limits = strict.app.state.limits
    limits.choosing.rate, limits.choosing.burst = 0.001, 1
    assert ann.by_api("undo").status_code == 409
    answer = getattr(ann, way)(path)
    assert answer.status_code == 429
    assert "oo much at once" in answer.text


def test_seats_are_taken_within_limits_by_both(strict):
    ann = Somebody(strict)
    limits = strict.app.state.limits
    limits.asking.rate, limits.asking.burst = 0.001, 1
    headers = {"X-CSRF-Token": ann.csrf}
    path = f"/api/games/{ann.key}/join"
    assert strict.post(path, json={"you": "Ann"}, headers=headers).status_code == 409
    assert strict.post(path, json={"you": "Ann"}, headers=headers).status_code == 429
    assert ann.form(f"/t/{ann.key}/join", you="Ann").status_code == 429


def test_every_limit_is_checked_in_one_place():
    """What is asked for is counted in few places, and in each of them once."""
    buckets = {name for name, what in vars(Limits(on=True)).items() if name != "on"}
    few = {"arranging", "drawing", "guessing", "writing"}
    assert buckets == {"opening", "asking", "choosing", "of_seat", "of_address"} | few
    folder = Path(actions.__file__).parent
    taking = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = ast.unparse(node)
                if "who.count(" in body or "self.count(" in body:
                    taking.setdefault(path.relative_to(folder).as_posix(), set()).add(node.name)
    assert taking == {
        "actions.py": {"again", "block", "forget", "fork", "holiday", "join", "open_table"},
        "requests.py": {"draws_anew", "given_out", "seat", "to_arrange"},
        "routes/api.py": {"events", "hand_out", "lists", "turns"},
        "routes/devices.py": {
            "coded",
            "end",
            "guessed",
            "guests_page",
            "me_page",
            "unblock_page",
        },
        "routes/notifications.py": {"add_push", "limited", "own_contact"},
    }
