"""A house that tells people: its notifier looks only when it is told to, at the time it is told."""

import re
from dataclasses import replace

import pytest
from litestar.testing import TestClient

from yegg.table.app import application
from yegg.table.settings import Mail, Notifications
from yegg.table.storage.uptime import here as clock

from .devices import Device
from .receivers import Postbox, web
from .serving import free_port

MINUTE, HOUR = 60_000, 3_600_000
HOUSE = "https://house.example/"


@pytest.fixture
def post():
    with Postbox().open() as box:
        yield box


@pytest.fixture
def outside():
    with web() as server:
        yield server


@pytest.fixture
def telling(post, outside):
    mail = Mail("127.0.0.1", post.port, "table@house.example", "none")
    inside = (f"127.0.0.1:{outside.server_port}",)
    return Notifications(HOUSE, mail, push=True, hooks=True, inside=inside)


class House:
    """A server whose notifier looks only when it is told to, at the time that it is told."""

    def __init__(self, client):
        self.client, self.later = client, 0
        self.notifier = client.app.state.notifier
        self.notifier.now = lambda: clock() + self.later
        self.registry = client.app.state.registry

    def wait(self, minutes=0):
        """Let time go by, and the notifier look."""
        self.later += int(minutes * MINUTE)
        with self.client.portal() as portal:
            portal.call(self.notifier.round)

    def since(self, table):
        """For how long it has been the first seat's turn, in ms."""
        return self.notifier.now() - table.now.waits[0][1]

    @property
    def company(self):
        """What it knows of other processes on its database."""
        return self.registry.processes

    def end(self):
        """Stop the server."""
        if self.client:
            self.client.__exit__(None, None, None)
        self.client = None

    def call(self, what, *given):
        with self.client.portal() as portal:
            return portal.call(what, *given)


@pytest.fixture
def opens(settings, telling):
    """Open the server; again, with the same database."""
    houses = []

    def make(telling=telling, settings=settings):
        app = application(replace(settings, telling=telling))
        client = TestClient(app, base_url="http://testserver.local")
        houses.append(House(client.__enter__()))
        return houses[-1]

    yield make
    for house in houses:
        house.end()


@pytest.fixture
def house(opens):
    return opens()


@pytest.fixture
def with_letters(opens, telling):
    """A house to which letters are handed over, at ``port``."""
    telling = replace(telling, letters=("127.0.0.1", free_port()))
    made = opens(telling)
    made.port = telling.letters[1]
    return made


@pytest.fixture
def ann(house):
    return Device(house.client)


def confirmed(person, post, address="ann@home.example"):
    """Set up a mail address, and press the button that the letter leads to."""
    answer = person.post("/me/mail", address=address)
    assert answer.status_code == 303, answer.text
    link = re.search(r"https://house\.example(/me/mail/\S+)", text_of(post.letters[-1]))[1]
    assert address in person.get(link).text
    assert "It is confirmed" in person.sent(link).text
    post.raw.clear()


def text_of(letter):
    return letter.get_body(("plain",)).get_content()


def awaited(person, house):
    """A table with a friend at which it is the person's turn, and which nobody looks at."""
    key = person.open("magnate", seat1="me", seat2="open")
    friend = Device(house.client, name="Bill")
    assert friend.post(f"/t/{key}/join", you="Bill", seat="2").status_code == 303
    table = house.registry.tables[key]
    people = [person, friend]
    while True:
        (seat,) = table.now.waited_for()
        if seat == 0 and friend.get(f"/api/games/{key}").status_code == 200:
            break
        act(people[seat], key)
    return key, friend, table


def act(person, key):
    """Make any choice, by a plain form."""
    there = person.get(f"/api/games/{key}").json()
    answer = person.post(
        f"/t/{key}/choose", choice=there["choices"][-1]["text"], after=there["number"]
    )
    assert answer.status_code == 303, answer.text


def gone(table):
    """Everybody has gone before the turn came."""
    table.presence.met.clear()


def bills_turn(house, table):
    """Bill makes a choice."""
    choice = table.now.acting()[1].match.choices[-1]
    house.call(table.choose, 1, choice, table.now.seen[1])
