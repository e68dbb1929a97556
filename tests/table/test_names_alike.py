"""At a table nobody looks like somebody else, and nobody is called by something unseen."""

import pytest
import sqlalchemy as sa

from yegg.table.storage.schema import games, sittings

from .devices import Device
from .people import SS, Player

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f"


def named(person):
    return [seat["name"] for seat in person.table["seats"]]


@pytest.mark.parametrize("other", ["Zoe\u0308", "ZOË", "\u0396o\u00eb", "Zo\u00eb  "], ids=ascii)
def test_whoever_looks_like_somebody_gets_a_number(somebody, other):
    host = somebody().open(SS, ["me", "open", "open"], you="Zo\u00eb")
    assert somebody().join(host.key, you=other).status_code == 200
    third = somebody()
    assert third.join(host.key, you="Ben").status_code == 200
    assert named(host)[0] == "Zoë"
    assert named(host)[1].endswith(" (2)")
    assert third.do("name", you=other).status_code == 200, "and whoever changes their name"
    assert third.name.endswith(" (3)")


@pytest.mark.parametrize(
    "name", ["\u3164", "Ann\u034f", "A\u200dnn", "\u2800", "Ann\ufe0f"], ids=ascii
)
def test_a_name_that_cannot_be_seen_is_refused_at_every_door(somebody, client, name):
    host = somebody().open(SS, ["me", "open"], you="Ann")
    key, new = host.key, {"game": SS, "seats": ["me", "open"], "you": name}
    answers = [
        somebody().join(key, you=name),
        host.do("name", you=name),
        host.post("/api/games", new),
        Device(client).sent(f"/t/{key}/join", you=name),
        Device(client).sent("/open", game=SS, seat1="me", seat2="open", you=name),
    ]
    for answer in answers:
        assert answer.status_code == 422
        assert "shows nothing" in answer.text
    assert named(host) == ["Ann", "Seat 2"]


def test_emoji_are_welcome_everywhere(somebody):
    host = somebody().open(SS, ["me", "open"], you=FAMILY)
    guest = somebody()
    assert guest.join(host.key, you=HEART).status_code == 200
    assert named(host) == [FAMILY, HEART]
    assert f"players: {FAMILY}, {HEART}\n" in host.record
    assert FAMILY in host.page()


def test_a_device_is_called_by_something_that_can_be_seen(client):
    first = Device(client)
    first.open()
    second = Device(client, name="")
    assert second.post("/me/take", code=first.code(), device="\u3164 \u2800").status_code == 303
    assert [name for name, *_ in first.devices()][1:] == ["Firefox on Linux"]


def test_a_table_with_a_name_of_before_goes_on(fresh, somebody):
    host = somebody().open(SS, ["me", "open"], you="Ann")
    guest = somebody()
    guest.join(host.key, you="Ben")
    registry, old = fresh.app.state.registry, "Ann\u034f"
    with registry.store.engine.begin() as connection:
        connection.execute(sa.update(sittings).where(sittings.c.name == "Ann").values(name=old))
        people = connection.scalar(sa.select(games.c.people))
        people[0][0] = old
        connection.execute(sa.update(games).values(people=people))
    registry.tables.clear()
    assert named(host) == [old, "Ben"]
    while host.act() or guest.act():
        pass
    assert host.table["over"]
    assert f"players: {old}, Ben" in host.record
    assert guest.ask("review").status_code in (200, 202, 503)
    again = host.do("again").json()["id"]
    assert named(Player(fresh, host.token, key=again))[0] == old


def test_a_name_from_right_to_left_turns_no_sentence_round(somebody):
    """It stands between characters that keep what is around it in its order, and is sent plain."""
    hebrew = "\u05de\u05d5\u05e8\u05d2\u05df"
    host = somebody().open(SS, ["me", "open"], you=hebrew)
    assert somebody().join(host.key, you="Ben").status_code == 200
    around = f"\u2068{hebrew}\u2069"
    assert around in host.page()
    assert hebrew not in host.page("/now").replace(around, "").replace(f'"{hebrew}', "")
    assert f"players: {hebrew}, Ben" in host.page("/record"), "to be copied"
    assert "\u2068" not in host.get(f"/api/games/{host.key}").text + host.record
