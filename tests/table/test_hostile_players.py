"""What a hostile player, neighbour or web page may try, and what must not give way."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from waiting import until

from yegg.engine import promised
from yegg.table.networks import caller, network
from yegg.table.rate_limits import Buckets
from yegg.table.refusals import HttpRefusal
from yegg.table.service import block_list as kept
from yegg.table.service.block_list import BlockList
from yegg.table.storage.postgres import LONGEST, _packed
from yegg.table.storage.schema import touched

from .devices import Device
from .people import BY_DAYS, SS, Player, whose
from .serving import waiting_at


def sits(device, key, seat=2, name="Bill"):
    answer = device.post(f"/t/{key}/join", you=name, seat=str(seat))
    assert answer.status_code == 303, answer.text


# Devices


@pytest.mark.wide
def test_a_thief_does_not_come_back_with_a_code_from_before(client):
    ann, thief, other = Device(client), Device(client), Device(client)
    key = ann.open()
    thief.post("/me/take", code=ann.code(), device="Thief")
    codes = [thief.code(), thief.code(f"/t/{key}/code")]
    (found,) = [keys for name, _, *keys in ann.devices() if name == "Thief"]
    assert ann.post("/me/end", key=found[0], game=found[1]).status_code == 303
    for code in codes:
        assert other.post("/me/take", code=code).status_code == 404
    assert other.seat(key) is None
    assert other.post("/me/take", code=ann.code()).status_code == 303, "fresh ones are good"


def test_a_device_that_got_one_seat_blocks_nobody_in_its_owners_name(client):
    ann, bill, tablet = Device(client), Device(client), Device(client)
    key = ann.open()
    sits(bill, key)
    tablet.post("/me/take", code=ann.code(f"/t/{key}/code"))
    assert tablet.seat(key) == 1
    refused = tablet.post(f"/t/{key}/block", seat="2")
    assert refused.status_code == 403
    assert "only one seat was taken to this device" in refused.text.lower()
    assert "Bill" not in ann.get("/me/guests").text
    assert ann.post(f"/t/{key}/block", seat="2").status_code == 303


# Closing


def test_a_wish_to_close_does_not_stay_behind_for_whoever_sits_down_next(party, somebody):
    ann, ben = party(SS, 2)
    assert ann.do("close").json() == {"closed": False}
    assert ann.do("leave").status_code == 200
    cid = somebody(3)
    assert cid.join(ann.key).status_code == 200
    assert ben.do("close").json() == {"closed": False}
    assert cid.table["closed"] is None


# Seats


@pytest.mark.parametrize(
    "way", ["leave", "name", "choices", "undo", "hand", "close", "pause", "time"]
)
def test_who_has_left_does_nothing_to_whoever_sits_down_there(client, party, somebody, way):
    """All of it was asked for while the seat was still theirs."""
    people = party(SS, 2, clock=BY_DAYS)
    ann, ben = whose(people)
    cid, table = somebody(3), client.app.state.registry.tables[ann.key]
    seat, after = ann.table["seat"], ann.table["number"]
    body = {"choices": {"choice": ann.table["choices"][0]["text"], "after": after + 9}}
    body |= {"name": {"you": "Eve"}, "hand": {"bot": "uniform"}, "pause": {"pause": True}}
    body |= {"time": {"seat": ben.table["seat"]}}
    asks = [
        lambda: ann.do("leave"),
        lambda: cid.join(ann.key, seat=seat, you="Cid"),
        lambda: ann.do(way, **body.get(way, {})),
    ]
    with ThreadPoolExecutor(3) as pool:
        with waiting_at(client, table) as waiting:
            said = []
            for n, ask in enumerate(asks, 1):
                said.append(pool.submit(ask))
                until(waiting, n.__le__)
        left, sat, late = (one.result(30).status_code for one in said)
    assert (left, sat, late) == (200, 200, 401)
    there = cid.table["seats"][seat - 1]
    assert (cid.table["seat"], there["name"], there["bot"]) == (seat, "Cid", None)


# Time


def test_nobody_gains_time_by_leaving_and_sitting_down_again(client, party):
    people = party(SS, 2, clock=BY_DAYS)
    actor, _ = whose(people)
    seat = actor.table["seat"]
    table = client.app.state.registry.tables[actor.key]
    for _ in range(2):
        used = table.now.clock.times[seat - 1].used
        assert actor.do("leave").status_code == 200
        assert actor.join(actor.key, seat=seat).status_code == 200
        assert table.now.clock.times[seat - 1].used > used, "the turn goes on"


def test_of_those_who_take_turns_on_a_seat_only_the_first_begins_the_turn_anew(
    client, party, somebody
):
    people = party(SS, 2, clock=BY_DAYS)
    actor, _ = whose(people)
    seat, table = actor.table["seat"] - 1, client.app.state.registry.tables[actor.key]
    for i, there in enumerate([actor, somebody(5), somebody(6), somebody(7)]):
        if i:
            assert there.join(actor.key, seat=seat + 1).status_code == 200
        used = table.now.clock.times[seat].used
        begun = table.now.clock.times[seat].anew
        if i > 1:
            assert used > 0, "a third in the same turn goes on with what is used"
        assert (begun >= 0) == (i > 0)
        there.do("leave")


def test_two_cannot_give_one_another_time_for_ever(party):
    people = party(SS, 3, clock=BY_DAYS)
    actor, *others = whose(people)
    friend = others[0]
    seat = actor.table["seat"]
    said = [friend.do("time", seat=seat) for _ in range(5)]
    assert [one.status_code for one in said] == [200] * 3 + [409] * 2
    assert said[-1].json()["why"].endswith("has been given enough time for this turn")


# Floods


def test_what_everybody_is_told_cannot_be_said_all_the_time(client, party, monkeypatch):
    ann, ben = party(SS, 2)
    monkeypatch.setattr(client.app.state.limits, "on", True)
    names = [ann.do("name", you=f"Ann {i}").status_code for i in range(30)]
    assert names[:20] == [200] * 20
    assert 429 in names[20:]
    assert ben.do("name", you="Ben").status_code == 200, "a limit is one seat's"


def test_letting_nobody_meet_again_writes_nothing(client):
    ann = Device(client)
    store = client.app.state.registry.store

    def rows():
        with store.engine.connect() as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(touched))

    before = rows()
    for which in ("1", "2", "999999999"):
        assert ann.post("/me/unblock", which=which).status_code == 303
    assert rows() == before


def test_what_servers_are_to_read_again_does_not_grow_for_ever(client, monkeypatch):
    monkeypatch.setattr(kept, "LOOKED_AT", 5)
    with client.app.state.registry.store.engine.begin() as connection:
        for game in range(1, 20):
            kept.touch(connection, game)
        there = [row.game for row in connection.execute(kept.LATEST)]
    assert there == [19, 18, 17, 16, 15]


def test_a_network_of_addresses_counts_as_one_and_what_is_no_address_too():
    buckets = Buckets(1 / 600, 4)
    for i in range(4):
        buckets.take(caller(f"2001:db8:1:2::{i + 1:x}"))
    with pytest.raises(HttpRefusal):
        buckets.take(caller("2001:db8:1:2:ffff::9"))
    buckets.take(caller("2001:db8:1:3::1"))
    assert caller("1.2.3.4, " + "x" * 60_000) == caller("<script>") == "unknown"
    assert caller("fe80::1%eth0") == "fe80::/64"


def test_a_network_that_is_kept_out_is_kept_out_in_either_spelling():
    house = BlockList()
    house.networks = [network("203.0.113.0/24")]
    assert not house.let_in("203.0.113.7")
    assert not house.let_in("::ffff:203.0.113.7")
    assert house.let_in("203.0.114.7")


def test_what_processes_tell_one_another_fits_into_notices_whatever_its_letters():
    said = ["ä€🎲" * 300, "x" * 6000, "€" * 2000] * 3
    notices = list(_packed(said))
    assert "\n".join(notices).split("\n") == said
    assert all(len(one.encode()) <= LONGEST for one in notices)


# Answers


def test_no_answer_for_one_person_is_kept_by_a_proxy(client):
    ann = Player(client).open(SS, ["me", "open"])
    key = ann.key
    for path in (
        "/api/me",
        "/api/lobby",
        f"/api/games/{key}",
        f"/api/games/{key}/dice",
        "/nowhere",
    ):
        kept_how = ann.get(path).headers["cache-control"]
        assert "no-store" in kept_how or kept_how.startswith("private"), path
    assert "immutable" in ann.get("/static/tokens.css").headers["cache-control"]


def test_a_game_that_goes_on_is_not_replayed_for_its_dice(client, party, monkeypatch):
    ann, _ = party(SS, 2)
    monkeypatch.setattr(promised, "draws", SimpleNamespace)  # would fail
    assert ann.ask("dice").json()["draws"] == []
