"""Only a token that was given out here is somebody: none that one can guess, none of one's own."""

import httpx
import pytest
import sqlalchemy as sa

from yegg.table.accounts.tokens import digest, fresh
from yegg.table.storage.people import EVERYWHERE, keys
from yegg.table.storage.schema import sittings

from .conftest import Player
from .serving import together
from .timed import SS

GUESSED = ["a", "null", "undefined", "", "x" * 22, "x" * 22 + "." + "0" * 32, "." + "0" * 32, "é"]
HOW = "POST /api/tokens"


def heard(client, method, path, said, body=None):
    """The answer to whoever sends such a header."""
    head = {"Authorization": said.encode()}
    return client.request(method, path, headers=head, json=body, follow_redirects=False)


@pytest.mark.parametrize("token", [*GUESSED, "kpVz3KEaJlXr7gZk7zOKhg"])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_a_token_that_was_not_given_out_is_nobody_anywhere(client, somebody, token, scheme):
    key = somebody().open(SS, ["me", "open"]).key
    wish = {"game": SS, "seats": ["me", "open"]}
    for method, path, body in [
        ("POST", "/api/games", wish),
        ("POST", f"/api/games/{key}/join", {}),
        ("POST", f"/api/games/{key}/choices", {"choice": "x", "after": 0}),
        ("POST", "/api/me/forget", None),
        ("GET", "/api/me", None),
        ("GET", "/api/lobby", None),
        ("GET", f"/api/games/{key}", None),
        ("GET", f"/api/games/{key}/record", None),
        ("GET", f"/api/games/{key}/events", None),
        ("GET", "/", None),
        ("GET", f"/t/{key}", None),
        ("GET", "/me", None),
        ("POST", f"/t/{key}/join", None),
    ]:
        answer = heard(client, method, path, f"{scheme} {token}", body)
        assert answer.status_code == 401, path
        assert HOW in answer.text, path
    assert [place["free"] for place in somebody().get(f"/api/games/{key}").json()["seats"]] == [
        False,
        True,
    ]


def test_a_token_that_was_given_out_is_somebody(client, somebody, restarted):
    given = client.post("/api/tokens")
    assert given.status_code == 201
    token = given.json()["token"]
    assert token != client.post("/api/tokens").json()["token"]
    ann = Player(client, token).open(SS, ["me", "open"])
    assert ann.table["seat"] == 1
    assert ann.post("/api/games", {"game": SS, "seats": ["me", "open"]}).json()["token"] is None
    assert ann.token == token
    ben = somebody()
    assert ben.join(ann.key).status_code == 200
    restarted(ann, ben)
    assert (ann.table["seat"], ben.table["seat"]) == (1, 2)
    assert any(person.act() for person in (ann, ben))


def test_tokens_are_128_random_bits_and_a_mark(client):
    tokens = [client.post("/api/tokens").json()["token"] for _ in range(50)]
    random, marks = zip(*(token.split(".") for token in tokens), strict=True)
    assert {len(one) for one in random} == {22}
    assert len(set(random)) == len(set(marks)) == 50
    for changed in (f"{random[0]}.{marks[1]}", tokens[0][:-1], f"{tokens[0]}0", tokens[0].upper()):
        assert heard(client, "GET", "/api/me", f"Bearer {changed}").status_code == 401


def test_other_credentials_are_not_for_us(client):
    """As those that a proxy in front asks for."""
    for said in ("Basic YTpi", "Digest x", "Bearish x"):
        assert heard(client, "GET", "/api/lobby", said).status_code == 200


def sat_long_ago(settings, key, token, seat):
    """Let a seat be somebody's who sat down before tokens were signed."""
    engine = sa.create_engine(settings.db)
    here = sa.and_(sittings.c.name == f"Old {seat}")
    with engine.begin() as disk:
        disk.execute(sa.update(sittings).where(here).values(person=digest(token)))
    engine.dispose()


def test_tokens_of_before_that_hold_a_seat_stay_good(client, somebody, settings, restarted):
    ann = somebody().open(SS, ["me", "open"], you="Old 1")
    ben = somebody()
    ben.join(ann.key, you="Old 2")
    ann.token, ben.token = fresh(), fresh()
    sat_long_ago(settings, ann.key, ann.token, 1)
    sat_long_ago(settings, ann.key, ben.token, 2)
    restarted(ann, ben)
    assert (ann.table["seat"], ben.table["seat"]) == (1, 2)
    for _ in range(6):
        assert any(person.act() for person in (ann, ben))
    assert ann.get("/api/me").status_code == 200
    assert ann.open(SS, ["me", "open"]).table["seat"] == 1


def test_a_token_of_before_that_can_be_guessed_is_nobody(client, somebody, settings, restarted):
    ann = somebody().open(SS, ["me", "open"], you="Old 1")
    ann.token = GUESSED[0]
    sat_long_ago(settings, ann.key, ann.token, 1)
    restarted(ann)
    assert ann.get(f"/api/games/{ann.key}").status_code == 401


def test_the_key_of_a_device_stays_good(client, somebody, settings, restarted):
    ann = somebody().open(SS, ["me", "open"])
    token = fresh()
    row = {"digest": digest(token), "game": EVERYWHERE, "device": "Old", "at": 0}
    engine = sa.create_engine(settings.db)
    with engine.begin() as disk:
        person = disk.scalar(sa.select(sittings.c.person).where(sittings.c.person.is_not(None)))
        disk.execute(sa.insert(keys).values(person=person, **row))
    engine.dispose()
    phone = Player(client, token)
    restarted(ann, phone)
    phone.key = ann.key
    assert phone.table["seat"] == 1


def test_whoever_tries_many_tokens_is_asked_to_wait(tmp_path, settings):
    from dataclasses import replace

    from litestar.testing import TestClient

    from yegg.table.app import application

    limited = application(replace(settings, limits=True))
    with TestClient(limited, base_url="http://testserver.local") as client:
        got = [heard(client, "GET", "/api/me", f"Bearer {fresh()}").status_code for _ in range(600)]
    assert set(got) == {401, 429}
    assert got.count(401) < 500


@pytest.mark.slow
def test_processes_take_one_anothers_tokens(shared, tmp_path):
    with together(2, tmp_path, db=shared) as (one, other):
        for here, there in ((one, other), (other, one)):
            token = httpx.post(f"{here.base}/api/tokens", timeout=60).json()["token"]
            head = {"Authorization": f"Bearer {token}"}
            wish = {"game": SS, "seats": ["me", "open"]}
            url = f"{there.base}/api/games"
            table = httpx.post(url, json=wish, headers=head, timeout=60)
            assert (table.status_code, table.json()["seat"]) == (201, 1)
            table = httpx.get(f"{here.base}/api/games/{table.json()['id']}", headers=head)
            assert table.json()["seat"] == 1
