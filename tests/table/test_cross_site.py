"""What pages of other sites, and odd browsers, may try: forged forms, frames, addresses."""

import re
import unicodedata
from urllib.parse import quote

import pytest

from yegg.games import find
from yegg.table.http.cookies import lessons_of

from .conftest import offering_all, opened
from .devices import Device
from .people import SS, TWO, Player, finish

MARKUP = "<script>alert(1)</script>'\"`{{7*7777}}"
OPEN_TO_ALL = {
    "/stop/{mark:str}",  # whoever holds the link may end letters (RFC 8058)
    "/api/tokens",  # it keeps nothing
}
BODIES = {
    "games": TWO,
    "quick": {"game": SS},
    "join": {},
    "choices": {"choice": 0, "after": 1},
    "hand": {"bot": "uniform"},
    "name": {"you": "Eve"},
    "phrases": {"phrase": 1},
    "seal": {"sealed": True, "after": 1},
    "time": {"seat": 2},
    "pause": {"pause": True},
    "holiday": {"days": 1},
    "block": {"seat": 2, "blocked": True},
    "again": {},
    "fork": {"at": 0},
    "watch": {},
    "evenings": {"game": SS, "seats": 3},
    "push": {"endpoint": "https://a.example/", "p256dh": "", "auth": ""},
}
"""Bodies that are understood, by the last word of an address; pages take forms instead."""
LESSONS = "/learn/"  # nothing is changed there
HOST = "/host/"  # without the key nothing is there; see test_host.py


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """One house for all of these tests, with everything that can be offered."""
    settings = offering_all(tmp_path_factory.mktemp("house"))
    with opened(settings, raise_server_exceptions=False) as client:
        yield client


def posts(client):
    """Every address that takes a form or a body, with an example in place of what varies."""
    for route in client.app.routes:
        if "POST" in getattr(route, "methods", ()):
            yield route.path


def filled(path, key):
    return path.replace("{key:str}", key).replace("{mark:str}", "1.x").replace("{name:str}", SS)


def places(client, key):
    """All events of a table, and what its head says."""
    store = client.app.state.registry.store
    row = store.read(key)
    return [tuple(event) for event in store.events(row.id)], row.people


def test_no_form_and_no_body_is_taken_from_another_page(client):
    ann, mallory = Device(client), Device(client)
    key = ann.open()
    stolen = mallory.csrf()
    before, there = places(client, key), ann.devices()
    forms = [{}, {"csrf": ""}, {"csrf": stolen}, {"csrf": ann.csrf()[:-1]}, {"csrf": "é\0"}]
    paths = [p for p in posts(client) if p not in OPEN_TO_ALL and not p.startswith((LESSONS, HOST))]
    assert len(paths) > 40
    for path in paths:
        api = path.startswith(("/api/", "/me/push"))
        there_is, said = filled(path, key), BODIES.get(path.rpartition("/")[2]) if api else None
        told = {"data": {}} if said is None else {"json": said}
        refused = [ann.ask("POST", there_is, data=form) for form in forms if said is None]
        for token in (None, "", stolen, "é"):
            head = {} if token is None else {"X-CSRF-Token": token.encode()}
            refused.append(ann.ask("POST", there_is, headers=head, **told))
        from_afar = {"Sec-Fetch-Site": "cross-site", "X-CSRF-Token": ann.csrf()}
        refused.append(ann.ask("POST", there_is, headers=from_afar, **told))
        del from_afar["X-CSRF-Token"]
        refused.append(Device(client, name="").ask("POST", there_is, headers=from_afar, **told))
        assert {one.status_code for one in refused} == {403}, path
    assert (places(client, key), ann.devices()) == (before, there)


@pytest.mark.wide
def test_looking_changes_nothing_whatever_the_address_says(client):
    ann, bill = Device(client), Device(client, name="Bill")
    key = ann.open()
    bill.post(f"/t/{key}/join", you="Bill", seat="2")
    code = ann.code()
    before, there = places(client, key), ann.devices()
    for path in posts(client):
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            ann.ask(method, f"{filled(path, key)}?code={code}&choice=0&after=0&you=Eve")
    assert (places(client, key), ann.devices()) == (before, there)
    assert bill.post("/me/take", code=code).status_code == 303, "looking uses no code up"


@pytest.mark.wide
def test_nothing_is_framed_and_nothing_but_our_own_scripts_runs(client):
    ann = Device(client, name=MARKUP[:24])
    key = ann.open()
    paths = ["/", "/me", "/me/take", "/me/lost", "/me/guests", f"/t/{key}", f"/t/{key}/dice"]
    paths += [f"/t/{key}/record", f"/t/{key}/now", f"/api/games/{key}", "/nowhere", "/t/x"]
    paths += ["/static/base.css", "/api/schema/openapi.json", "/metrics", "/live", "/stop/1.x"]
    paths += [f"/print/{SS}/aid", f"/learn/{SS}", "/worker.js", "/t/" + "x" * 22]
    for path in paths:
        answer = ann.get(path)
        head = answer.headers
        policy = dict(part.split(" ", 1) for part in head["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
        assert (head["x-content-type-options"], head["referrer-policy"]) == (
            "nosniff",
            "no-referrer",
        )
        assert len(head.get_list("content-security-policy")) == 1
        if "html" in head.get("content-type", ""):
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|javascript:", answer.text)


def test_what_people_type_is_text_wherever_it_is_shown(client):
    names = [MARKUP[:39], "</title><svg onload=x>", "&lt;b&gt;", "a\u0301" * 18, "\U0001f3b2" * 40]
    for name in names:
        ann = Player(client).open("secrets", ["me", "uniform", "uniform"], you=name)
        for path in ("", "/record", "/dice", "/steps", "/now"):
            text = ann.page(path)
            assert "<script>alert" not in text
            assert "<svg onload" not in text
            assert "54439" not in text
        assert ann.name == unicodedata.normalize("NFC", name)
        ann.do("leave")
    for bad in ("a\u202eb", "a\u2063", "a\nb", "a\x7f", "", " ", "a,b", "x" * 41):
        answer = Player(client).post("/api/games", TWO | {"you": bad})
        assert answer.status_code in (400, 422), repr(bad)


def test_nobody_is_led_elsewhere(client):
    ann = Device(client)
    for game in (
        "//evil.example",
        "https://evil.example",
        "\\\\evil",
        "漢",
        "a\r\nSet-Cookie: x=1",
    ):
        answer = ann.post("/new", game=game)
        assert re.fullmatch(r"/(\?game=[\w%-]+#new)?", answer.headers["location"]), game
        assert "x=1" not in str(answer.headers.get_list("set-cookie"))


def test_a_browser_that_brings_a_cookie_of_its_own_making_is_nobody(client):
    made = ["x.y", "." + "0" * 32, "a" * 22 + "." + "0" * 32, "..", "é.é", "a" * 4000, "yegg=1"]
    for cookie in made:
        answer = client.get("/", headers={"Cookie": f"yegg={cookie}".encode()})
        (fresh,) = [c for c in answer.headers.get_list("set-cookie") if c.startswith("yegg=")]
        assert "HttpOnly" in fresh
        assert "samesite=lax" in fresh.lower()
        assert not fresh.startswith(f"yegg={cookie};")
    client.cookies.clear()


# What was played


@pytest.fixture(scope="module")
def finished(client):
    """The key of a finished game."""
    people = [Player(client, seed=n) for n in (1, 2)]
    people[0].open("magnate")
    people[1].join(people[0].key)
    finish(people)
    return people[0].key


STRANGE = ("0" * 9 + "9", "0" * 5000, "9" * 5000, "-1", "1e9", "\u0663", "\u00b2", "1_0", " 1", "")


@pytest.mark.wide(but=["9"])
@pytest.mark.parametrize("said", STRANGE, ids=range(len(STRANGE)))
def test_no_strange_number_in_an_address_breaks_anything(client, finished, said):
    ann, what = Device(client), quote(said)
    for path in (
        f"/t/{finished}?eyes={what}",
        f"/t/{finished}?at={what}&part={what}",
        f"/t/{finished}?at=7&part={what}",
        f"/t/{finished}/at/{what}?eyes=0",
        f"/t/{finished}/at/7?eyes={what}",
        f"/t/{finished}/at/7?part={what}",
        f"/t/{finished}/steps?after={what}",
        f"/learn/magnate/1-the-first-property?at={what}",
        f"/print/secrets/orders?players={what}",
        f"/rules/magnate?now={what}",
    ):
        assert ann.get(path).status_code in (200, 400, 404, 405, 422), path


def test_whoever_looks_back_too_much_has_to_wait(client, finished, monkeypatch):
    ann, limits = Device(client), client.app.state.limits
    monkeypatch.setattr(limits.drawing, "rate", 0.001)
    monkeypatch.setattr(limits.drawing, "burst", 2)
    monkeypatch.setattr(limits, "on", True)
    drawn = [
        f"/t/{finished}/steps?after=0",
        f"/t/{finished}?at=3",
        f"/t/{finished}?eyes=0",
        f"/t/{finished}/at/3",
        f"/t/{finished}/marks",
        f"/t/{finished}/record",
        f"/learn/{SS}/{lessons_of(find(SS))[0].key}",
        f"/api/games/{finished}/record",
    ]
    assert ann.get(drawn[-1]).status_code == 200
    assert [ann.get(path).status_code for path in drawn] == [429] * len(drawn), "two were drawn"
    assert ann.get(f"/t/{finished}").status_code == 200
    assert ann.get(f"/t/{finished}/now").status_code == 200
