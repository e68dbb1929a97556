"""Only a token that was given out here is somebody: none that one can guess, none of one's own."""

import pytest
import sqlalchemy as sa

from yegg.table.accounts.tokens import digest, new_token
from yegg.table.storage.schema import EVERYWHERE, keys, sittings

from .conftest import opened, settings_for
from .people import TWO, Player

GUESSED = ["a", "null", "undefined", "", "x" * 22, "x" * 22 + "." + "0" * 32, "." + "0" * 32, "é"]


def heard(client, method, path, said, body=None):
    """The answer to whoever sends such a header."""
    head = {"Authorization": said.encode()}
    return client.request(method, path, headers=head, json=body, follow_redirects=False)


@pytest.mark.parametrize("token", [*GUESSED, "kpVz3KEaJlXr7gZk7zOKhg"])
def test_a_token_that_was_not_given_out_is_nobody_anywhere(client, somebody, token):
    owner = somebody().open()
    key = owner.key
    for method, path, body in [
        ("POST", "/api/games", TWO),
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
        for scheme in ("Bearer", "bearer"):
            answer = heard(client, method, path, f"{scheme} {token}", body)
            assert answer.status_code == 401, path
            assert "POST /api/tokens" in answer.text, path
    assert [place["free"] for place in owner.table["seats"]] == [False, True]


def test_a_token_that_was_given_out_is_somebody(client, somebody, restarted):
    given = client.post("/api/tokens")
    assert given.status_code == 201
    token = given.json()["token"]
    ann, ben = Player(client, token).open(), somebody()
    assert ann.seat == 1
    assert ann.post("/api/games", TWO).json()["token"] is None
    assert ann.token == token
    assert ben.join(ann.key).status_code == 200
    restarted(ann, ben)
    assert (ann.seat, ben.seat) == (1, 2)
    assert any(person.act() for person in (ann, ben))


@pytest.mark.wide
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


@pytest.fixture
def disk(settings):
    """Change the database of the server."""

    def change(*what):
        engine = sa.create_engine(settings.db)
        with engine.begin() as connection:
            answer = [connection.execute(one) for one in what][-1]
            found = answer.scalar() if answer.returns_rows else None
        engine.dispose()
        return found

    return change


def sat_long_ago(disk, person, token):
    """Let a seat be somebody's who sat down before tokens were signed."""
    here = sittings.c.name == person.name
    disk(sa.update(sittings).where(here).values(person=digest(token)))
    person.token = token


@pytest.mark.wide
def test_tokens_of_before_that_hold_a_seat_stay_good(somebody, disk, restarted):
    ann, ben = somebody().open(you="Ann"), somebody()
    ben.join(ann.key, you="Ben")
    for person in (ann, ben):
        sat_long_ago(disk, person, new_token())
    restarted(ann, ben)
    assert (ann.seat, ben.seat) == (1, 2)
    for _ in range(6):
        assert any(person.act() for person in (ann, ben))
    assert ann.get("/api/me").status_code == 200
    assert ann.open().seat == 1


@pytest.mark.wide
def test_a_token_of_before_that_can_be_guessed_is_nobody(somebody, disk, restarted):
    ann = somebody().open()
    sat_long_ago(disk, ann, GUESSED[0])
    restarted(ann)
    assert ann.get(f"/api/games/{ann.key}").status_code == 401


def test_the_key_of_a_device_stays_good(client, somebody, disk, restarted):
    ann, token = somebody().open(), new_token()
    person = disk(sa.select(sittings.c.person).where(sittings.c.person.is_not(None)))
    row = {"digest": digest(token), "game": EVERYWHERE, "device": "Old", "at": 0}
    disk(sa.insert(keys).values(person=person, **row))
    phone = Player(client, token, key=ann.key)
    restarted(ann, phone)
    assert phone.seat == 1


@pytest.mark.wide
def test_whoever_tries_many_tokens_is_asked_to_wait(tmp_path):
    with opened(settings_for(tmp_path, limits=True)) as client:
        asking = client.app.state.limits.asking
        asking.rate = 0.001  # else a slow machine asks no faster than it may
        got = [
            heard(client, "GET", "/api/me", f"Bearer {new_token()}").status_code for _ in range(600)
        ]
    assert got == [401] * asking.burst + [429] * (600 - asking.burst)


@pytest.mark.wide
def test_processes_take_one_anothers_tokens(two):
    for here, there in (two, reversed(two)):
        token = here.client.post("/api/tokens").json()["token"]
        assert Player(there.client, token).open().seat == 1
        ann = Player(here.client, token).open()
        assert Player(there.client, token, key=ann.key).seat == 1
