"""A house in a folder of its own, asked in the same process; scripts that play at its tables."""

import random

import pytest

pytest.importorskip("litestar", reason="the table needs yegg[table]")

from litestar.testing import TestClient

from yegg.table.app import application
from yegg.table.settings import Settings


@pytest.fixture
def settings(tmp_path):
    return Settings(
        db=f"sqlite:///{tmp_path}/t.db",
        limits=False,
        pace=0.0,
        hosts=("testserver.local",),
        warm=False,
    )


@pytest.fixture
def client(settings):
    with TestClient(application(settings), base_url="http://testserver.local") as client:
        yield client


class Player:
    """Somebody with a token."""

    def __init__(self, client, token=None, seed=0):
        self.client, self.token, self.dice = client, token, random.Random(seed)
        self.bytes = b""  # everything that was sent to them

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path):
        answer = self.client.get(path, headers=self.headers)
        self.bytes += answer.content
        return answer

    def post(self, path, body=None):
        answer = self.client.post(path, json=body, headers=self.headers)
        self.bytes += answer.content
        return answer

    def open(self, game, seats, **more):
        answer = self.post("/api/games", {"game": game, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"] or self.token
        self.key = answer.json()["id"]
        return self

    def join(self, key, **more):
        answer = self.post(f"/api/games/{key}/join", more)
        if answer.status_code == 200:
            self.token, self.key = answer.json()["token"] or self.token, key
        return answer

    @property
    def table(self):
        return self.get(f"/api/games/{self.key}").json()

    def choose(self, choice, after=None):
        after = self.table["number"] if after is None else after
        return self.post(f"/api/games/{self.key}/choices", {"choice": choice, "after": after})

    def act(self):
        """Make any legal choice; whether there was one."""
        table = self.table
        if not table["choices"]:
            return False
        choice = self.dice.choice(table["choices"])["text"]
        answer = self.choose(choice, table["number"])
        assert answer.status_code == 200, answer.text
        return True


@pytest.fixture
def somebody(client):
    """Make players of this house."""
    return lambda seed=0: Player(client, seed=seed)


@pytest.fixture
def party(somebody):
    """Open a table for so many people, all of whom have sat down."""

    def gather(game, n, **more):
        first = somebody(0).open(game, ["me"] + ["open"] * (n - 1), **more)
        others = [somebody(i) for i in range(1, n)]
        for other in others:
            assert other.join(first.key).status_code == 200
        return [first, *others]

    return gather


def finish(people, limit=5000):
    """Play at random until the game is over."""
    for _ in range(limit):
        if not any(person.act() for person in people) and people[0].table["over"]:
            return
    raise AssertionError("the game does not end")
