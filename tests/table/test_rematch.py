"""A rematch: one sets the table again, the others are told at the old one, and sit down there."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from waiting import until

from yegg.table.domain import seat_control
from yegg.table.domain.seats import HOLDING, Held, Kind, Seat
from yegg.table.service.table import Table

from .people import LIVE, SS, finish, refused


@pytest.fixture
def ended(fresh, party):
    """Two people who have finished a game together."""
    people = party(SS, 2, options={"chips": "3"}, listed=False, odds=False)
    finish(people)
    return people


def again(person):
    return person.do("again")


def test_both_sit_at_the_new_table_after_one_press_each(ended):
    ann, ben = ended
    before = ann.table["seats"]
    new = again(ann).json()["id"]
    told = ben.table
    assert told["next"] == new
    assert (told["notices"][-1]["kind"], told["notices"][-1]["seat"]) == ("again", 1)
    assert told["notices"][-1]["text"] == f"{before[0]['name']} has set the table again."
    assert again(ben).json()["id"] == new
    table = ben.at(new).table
    assert [seat["name"] for seat in table["seats"]] == [seat["name"] for seat in before]
    assert (table["seat"], table["begun"], table["advice"]) == (2, True, False)
    assert table["options"]["chips"] == "3"
    assert again(ann).json()["id"] == again(ben).json()["id"] == new, "they sit there already"


@pytest.mark.wide
def test_bots_stay_bots_and_seats_nobody_has_are_open(somebody):
    ann = somebody().open(SS, ["me", "uniform", "open"], options={"chips": "3"})
    ben = somebody(1)
    ben.join(ann.key)
    for _ in range(3000):
        if not (ann.act() or ben.act()) and ann.table["over"]:
            break
    new = again(ben).json()["id"]
    assert [seat["bot"] for seat in ben.at(new).table["seats"]] == [None, "uniform", None]
    assert [seat["held"] for seat in ben.at(new).table["seats"]] == [ann.name, None, None]


@pytest.mark.wide
def test_who_presses_twice_at_two_processes_comes_to_the_table_all_the_same(ended, monkeypatch):
    """The other process has seated them between the look and the sitting down."""
    ann, ben = ended
    new, sit = again(ann).json()["id"], Table.sit

    async def sits(table, *how):
        await sit(table, *how)
        return await sit(table, *how)

    monkeypatch.setattr(Table, "sit", sits)
    answer = again(ben)
    assert (answer.status_code, answer.json()["id"], answer.json()["seat"]) == (200, new, 2)


def test_who_presses_at_the_same_moment_comes_to_the_same_table(ended, client):
    count = len(client.get("/api/lobby").json()["tables"])
    with ThreadPoolExecutor(2) as pool:
        keys = [answer.json() for answer in pool.map(again, ended)]
    assert len({key["id"] for key in keys}) == 1
    assert {key["seat"] for key in keys} == {1, 2}
    assert len(client.get("/api/lobby").json()["tables"]) == count


def test_another_process_that_has_set_the_table_is_found(ended, client, restarted):
    """The other server shares the database and knows nothing of this one's memory."""
    ann, ben = ended
    here = ben.client
    restarted(ann)  # ann asks the other server from now on
    assert not ann.table["next"]
    assert ben.client is here
    new = again(ben).json()["id"]
    assert again(ann).json()["id"] == new
    assert ann.table["next"] == new


def test_the_seat_of_a_friend_is_held_for_two_minutes(ended, somebody, client, monkeypatch):
    ann, ben = ended
    new = again(ann).json()["id"]
    name = ben.table["seats"][1]["name"]
    assert ann.at(new).table["seats"][1]["held"] == name
    stranger = somebody(7)
    for body in ({}, {"seat": 2}):
        why = stranger.join(new, **body).json()["why"]
        said = (
            rf"seat 2 is held for {re.escape(name)}; in (1[01]\d|120) seconds anybody may have it"
        )
        assert re.fullmatch(said, why), why
    refused(ann.at(new).do("hand", bot="uniform", seat=2), 409, "is held for")
    table = client.app.state.registry.table(new)
    held = table.now.seats[1].held
    assert held.until - HOLDING <= table.row.at + 1000
    assert seat_control.free_for(table.now.seats, "stranger", held.until - 1) is None
    monkeypatch.setattr(table.store.hours, "now", lambda: held.until)
    assert stranger.join(new).status_code == 200
    after = ann.at(new).table["seats"][1]
    assert (after["free"], after["held"]) == (False, None)


@pytest.mark.wide
def test_who_comes_too_late_sets_a_table_of_their_own(ended, somebody, client, monkeypatch):
    ann, ben = ended
    new = again(ann).json()["id"]
    held = client.app.state.registry.table(new).now.seats[1].held
    with monkeypatch.context() as later:
        later.setattr(client.app.state.registry.store.hours, "now", lambda: held.until)
        somebody(7).join(new)
    own = again(ben).json()
    assert own["id"] != new
    assert ann.table["next"] == own["id"], "the newest counts"


@pytest.mark.wide
def test_a_seat_that_is_held_outlives_a_restart(ended, client):
    ann, ben = ended
    new = again(ann).json()["id"]
    client.app.state.registry.tables.clear()
    assert ben.at(new).table["seats"][1]["held"] == ben.table["seats"][1]["name"]
    assert ben.table["next"] == new
    assert again(ben).json()["id"] == new


def test_no_rematch_while_the_game_goes_on_or_without_a_seat(party, somebody):
    ann, _ = party(SS, 2)
    refused(again(ann), 409, "not over yet")
    assert again(somebody(9).at(ann.key)).status_code == 401


def test_somebody_gets_the_seat_that_is_held_for_them_first():
    mine = Held("Ann", "ann", 100)
    seats = [Seat("Seat 1"), Seat("Seat 2", held=mine), Seat("Ben", "ben")]
    assert seat_control.free_for(seats, "ann", 0) == 1
    assert seat_control.free_for(seats, "cid", 0) == 0
    assert seat_control.free_for(seats[1:], "cid", 0) is None
    assert seat_control.free_for(seats[1:], "cid", 100) == 0


@pytest.mark.wide
def test_the_end_page_says_who_has_set_the_table(ended, client):
    ann, ben = ended

    def page(person):
        client.cookies.set("yegg", person.token)
        return client.get(f"/t/{person.key}").text

    assert "Rematch" in page(ben)
    again(ann)
    name = ann.table["seats"][0]["name"]
    assert f"{name} has set the table again." in page(ben)
    assert "Sit down" in page(ben)
    assert "You have set the table again." in page(ann)
    client.cookies.clear()
    guest = client.get(f"/t/{ann.key}").text
    assert "Go there" in guest
    assert "Sit down" not in guest


@pytest.mark.wide
def test_the_new_table_is_in_no_record_and_its_event_has_its_number(ended, client):
    ann, _ = ended
    before = ann.table["number"]
    record = ann.record
    new = again(ann).json()["id"]
    assert ann.table["number"] == before + 1
    assert ann.record == record
    table = client.app.state.registry.table(ann.key)
    row = table.store.events(table.id)[-1]
    assert (row.choice, row.actor, row.words) == (Kind.NEXT, 0, new)
    until(lambda: table.now.number == row.number)


def test_a_closed_table_is_set_again_with_its_clock(party):
    ann, ben = party(SS, 2, clock=LIVE)
    assert ann.do("close").json() == {"closed": False}
    assert ben.do("close").json() == {"closed": True}
    clock = ann.at(again(ann).json()["id"]).table["clock"]
    assert (clock["turn"], clock["reserve"], clock["late"]) == (60_000, 600_000, "uniform")
