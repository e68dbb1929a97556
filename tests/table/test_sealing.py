"""A sheet of orders written on a page stays open until it is sealed, and may be opened again."""

import re

import pytest
from waiting import until

from yegg.table.domain import automatic_events
from yegg.table.domain.clock import DAY
from yegg.table.service import timekeeper

from .devices import Device
from .people import BY_DAYS, Player, refused
from .test_several_processes import sat, via

GAME = "secrets"
SHEET = [
    "club steals 9 from 2",
    "diamond steals 9 from 3",
    "heart steals 8 from 2",
    "spade steals 8 from 3",
    "guards 9",
]


def write(person, n=5):
    """Write so many orders as a page does; whether the sheet is full then."""
    for _ in range(n):
        table = person.table
        if not table["choices"]:
            break
        text = person.dice.choice(table["choices"])["text"]
        sent = person.do("choices", choice=text, after=table["number"], open=True)
        assert sent.status_code == 200, sent.text
    return not person.table["choices"]


def seal(person, *, sealed=True, after=None):
    after = person.table["number"] if after is None else after
    return person.do("seal", sealed=sealed, after=after)


def ready(person):
    return [seat["ready"] for seat in person.table["seats"]]


@pytest.fixture
def three(party):
    """Three people, all of whom have written all their orders, and sealed none."""
    people = party(GAME, 3)
    assert all(write(person) for person in people)
    return people


def test_orders_are_carried_out_once_the_last_seat_has_sealed(three):
    table = three[0].table
    assert (table["position"]["turn"], table["turn"], ready(three[0])) == (
        1,
        [1, 2, 3],
        [False] * 3,
    )
    for person in three[:2]:
        assert seal(person).status_code == 200
    assert (three[0].table["turn"], ready(three[2])) == ([3], [True, True, False])
    assert seal(three[2]).status_code == 200
    table = three[0].table
    assert (table["position"]["turn"], table["turn"], table["orders"]) == (2, [1, 2, 3], [])
    assert write(three[0])
    assert not ready(three[0])[0], "the next sheet stays open too"


def test_a_sealed_sheet_can_be_opened_again_and_changed(three):
    first, other = three[:2]
    before = first.table["orders"]
    for again in (lambda: seal(first, sealed=False), lambda: first.do("undo")):
        assert seal(first).status_code == 200
        assert ready(other) == [True, False, False]
        assert again().status_code == 200
        assert ready(other) == [False] * 3
        assert first.table["orders"] == before, "it is opened, and nothing is taken from it"
    spy, _, rest = before[0].partition(" ")
    changed = f"{spy} steals {'2' if rest == 'steals 1 from 2' else '1'} from 2"
    after = first.table["number"]
    assert first.do("choices", choice=changed, after=after, open=True).status_code == 200
    assert first.table["orders"] == [changed, *before[1:]]
    assert ready(other) == [False] * 3, "what is changed on a page stays open"
    assert seal(first).status_code == 200
    assert seal(first).status_code == 200, "to seal twice is to seal"
    assert ready(other) == [True, False, False]


def test_only_a_full_sheet_of_now_is_sealed(three, party):
    stale = three[0].table["number"]
    assert three[0].do("undo").status_code == 200
    refused(seal(three[0]), 422, "your sheet is not full yet")
    assert write(three[0])
    refused(seal(three[0], after=stale), 409, "the game has gone on")
    assert not any(ready(three[1]))
    one, _ = party("second-story", 2)
    refused(seal(one), 422, "you have no orders to seal now")


def test_a_script_seals_its_sheet_by_filling_it(party):
    people = party(GAME, 3)
    for person in people:
        for _ in range(5):
            assert person.act()
    assert people[0].table["position"]["turn"] == 2
    assert write(people[0])
    assert people[0].choose(people[0].table["orders"][0]).status_code == 200
    assert not any(ready(people[1])), "what stands there is not written anew"
    assert people[0].do("undo").status_code == 200
    assert people[0].act()
    assert ready(people[1]) == [True, False, False], "a script has written the last order"


def test_a_sheet_is_open_or_sealed_as_before_after_a_restart(three, restarted):
    assert seal(three[1]).status_code == 200
    before = [person.table for person in three]
    restarted(*three)
    assert [person.table for person in three] == before
    assert ready(three[0]) == [False, True, False]
    for person in (three[0], three[2]):
        assert seal(person).status_code == 200
    assert three[0].table["position"]["turn"] == 2


@pytest.mark.wide
def test_two_servers_know_of_the_same_seals(two):
    people = sat(two[0], two[1], two[0], game=GAME)
    assert all(write(person) for person in people)
    assert seal(via(people[0], two[1])).status_code == 200
    assert seal(via(people[1], two[0])).status_code == 200
    assert seal(via(people[0], two[0]), sealed=False).status_code == 200
    for server in two:
        assert ready(via(people[2], server)) == [False, True, False]
    for person, server in ((people[2], two[1]), (people[0], two[1])):
        assert seal(via(person, server)).status_code == 200
    assert [via(people[1], server).table["position"]["turn"] for server in two] == [2, 2]


def test_who_hands_a_full_sheet_to_a_bot_hands_it_in(three):
    assert three[0].do("hand", bot="uniform").status_code == 200
    assert ready(three[1]) == [True, False, False]
    assert three[0].do("hand", bot=None).status_code == 200
    assert ready(three[1]) == [True, False, False]


@pytest.mark.parametrize("late", ["absent", "uniform"])
def test_a_full_sheet_counts_when_time_is_up(client, party, monkeypatch, late):
    people = party(GAME, 3, clock=BY_DAYS | {"late": late})
    assert all(write(person) for person in people)
    orders = people[0].table["orders"]
    table = client.app.state.registry.tables[people[0].key]
    due = table.now.clock.due(0)
    with client.portal() as portal:
        for seat in range(3):
            monkeypatch.setattr(table.store.hours, "now", lambda seat=seat: due + 1 + seat)
            portal.call(timekeeper.late, table, seat)
    until(lambda: people[0].table["position"]["turn"] == 2)
    assert [table.now.clock.due(seat) for seat in range(3)] == [due + 3 + 3 * DAY] * 3
    assert people[0].record.splitlines()[-15:-10] == [f"1 {text}" for text in orders]
    assert not [kind for kind, _ in people[0].notices if kind == "late"], "nobody was late"


def test_whoever_seals_last_has_the_whole_time_of_the_next_turn(client, party, monkeypatch):
    people = party(GAME, 3, clock=BY_DAYS)
    table = client.app.state.registry.tables[people[0].key]
    begun = table.now.clock.due(0) - 3 * DAY
    assert all(write(person) for person in people)
    for n, person in enumerate(people, 1):
        monkeypatch.setattr(table.store.hours, "now", lambda n=n: begun + n * DAY // 2)
        assert seal(person).status_code == 200
    assert people[0].table["position"]["turn"] == 2
    until_when = begun + 3 * DAY // 2 + 3 * DAY
    assert [person.time["until"] for person in people] == [until_when] * 3


def test_a_sheet_that_is_opened_again_and_again_is_bounded(three, monkeypatch):
    monkeypatch.setattr(automatic_events, "UNDOS", 3)
    for _ in range(2):  # it was opened once as it was begun
        assert seal(three[0]).status_code == 200
        assert seal(three[0], sealed=False).status_code == 200
    assert seal(three[0]).status_code == 200
    refused(seal(three[0], sealed=False), 409, "you have taken back too much in this turn")


def pressed(page, what):
    """The fields of a button on a page, by its id, and the number that goes with it."""
    button = re.search(rf'<button[^>]*name="(\w+)" value="([^"]*)" id="{what}"', page)
    after = re.search(r'form="seal" name="after" value="(\d+)"', page)
    return {button[1]: button[2], "after": after[1]}


def test_without_scripts_a_sheet_is_sealed_and_opened_by_forms(client):
    ann = Device(client)
    key = ann.open(GAME, seat1="me", seat2="open", seat3="open")
    ben, cy = Player(client, seed=1), Player(client, seed=2)
    for other in (ben, cy):
        assert other.join(key).status_code == 200
    for text in SHEET:
        page = ann.get(f"/t/{key}").text
        assert 'id="seal-now"' not in page
        number = re.search(r'form="choose" name="after" value="(\d+)"', page)[1]
        assert ann.post(f"/t/{key}/choose", choice=text, after=number).status_code == 303
    page = ann.get(f"/t/{key}").text
    assert "Your sheet is full, Ann" in page
    assert "Seal the orders" in page
    assert not any(ready(ben))
    page = ann.sent(f"/t/{key}/seal", **pressed(page, "seal-now")).text
    assert "Your orders are sealed, Ann" in page
    assert 'name="choice"' not in page.partition('<main id="live">')[2].partition("</main>")[0]
    assert ready(ben) == [True, False, False]
    page = ann.sent(f"/t/{key}/seal", **pressed(page, "unseal")).text
    assert "Your sheet is full, Ann" in page
    assert not any(ready(ben))


def test_against_bots_alone_they_seal_first_and_one_s_own_sheet_waits_for_reveal(somebody):
    me = somebody().open(GAME, ["me", "uniform", "uniform"])
    assert write(me)
    until(lambda: ready(me) == [False, True, True])
    assert me.table["position"]["turn"] == 1
    page = me.page()
    assert "<b>Reveal</b>" in page
    assert "Seal the orders" not in page
    assert seal(me).status_code == 200
    assert me.table["position"]["turn"] == 2
