"""A form and the API do the same things at a table, within the same limits."""

import ast
import re
from pathlib import Path

import pytest
from litestar.testing import TestClient

from yegg.engine import Refused
from yegg.table.app import application
from yegg.table.http import actions
from yegg.table.http.rate_limits import Limits
from yegg.table.http.routes import pages
from yegg.table.refusals import HttpRefusal
from yegg.table.settings import Settings

SS = "second-story"
ACTIONS = {
    "choose": ("choices", {"choice": "thorough", "after": 3}),
    "undo": ("undo", None),
    "hand": ("hand", {"bot": "uniform"}),
    "rename": ("name", {"you": "Anna"}),
    "leave": ("leave", None),
}
FORMS = {"choose": "choose", "rename": "name"}


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

    def by_form(self, action, **fields):
        path, body = ACTIONS[action]
        return self.form(f"/t/{self.key}/{FORMS.get(action, path)}", **{**(body or {}), **fields})

    def by_api(self, action):
        path, body = ACTIONS[action]
        headers = {"X-CSRF-Token": self.csrf}
        return self.client.post(f"/api/games/{self.key}/{path}", json=body, headers=headers)


@pytest.fixture
def ann(visited):
    return Somebody(visited)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize(
    ("refusal", "status"), [(Refused("because of this"), 422), (HttpRefusal(409, "it is so"), 409)]
)
def test_form_and_api_do_the_same_and_refuse_for_the_same_reason(
    ann, monkeypatch, action, refusal, status
):
    asked = []

    async def refused(who, key, *what):
        asked.append((key, who.me.id, who.address, *what))
        raise refusal

    monkeypatch.setattr(actions, action, refused)
    script, form = ann.by_api(action), ann.by_form(action)
    assert asked[0] == asked[1]
    assert script.status_code == form.status_code == status
    assert script.json() == {"why": str(refusal)}
    assert str(refusal)[1:] in form.text
    assert f'action="/t/{ann.key}/choose"' in form.text, "the table's page, to try again"


@pytest.mark.parametrize("action", ACTIONS)
def test_form_and_api_refuse_somebody_without_a_seat(ann, action):
    assert ann.by_form("leave").status_code == 200
    for answer in (ann.by_api(action), ann.by_form(action)):
        assert answer.status_code == 401
        assert "ou have no seat here" in answer.text


@pytest.fixture
def strict(tmp_path):
    """A server with limits."""
    hosts = ("testserver.local",)
    settings = Settings(db=f"sqlite:///{tmp_path}/t.db", pace=0.0, hosts=hosts, warm=False)
    with TestClient(application(settings), base_url="http://testserver.local") as client:
        yield client


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("way", ["by_form", "by_api"])
def test_nothing_may_be_done_too_often(strict, action, way):
    ann = Somebody(strict)
    limits = strict.app.state.limits
    limits.choosing.rate, limits.choosing.burst = 0.001, 1
    assert ann.by_api("undo").status_code == 409
    answer = getattr(ann, way)(action)
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
    folder = Path(pages.__file__).parent
    taking = {}
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = ast.unparse(node)
                if "limits.take(" in body:
                    taking.setdefault(path.stem, set()).add(node.name)
    assert taking == {
        "actions": {
            "seat",
            "to_arrange",
            "lists",
            "awaited",
            "open_table",
            "rematch",
            "go_on",
            "join",
        },
        "api": {"events"},
        "devices": {"me_page", "coded", "guessed"},
        "guests": {"block", "forget", "unblock_page"},
        "requests": {"once_drawn"},
        "telling": {"limited", "add_push"},
        "timing": {"holiday"},
    }
