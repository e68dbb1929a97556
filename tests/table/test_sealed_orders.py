"""Several seats order at the same time, in secret: Secrets."""

import asyncio
from dataclasses import replace

import pytest
from waiting import until

from yegg.table.render.html_view import turn

from .people import refused

GAME = "secrets"


@pytest.fixture(params=["secret", "open"])
def three(party, request):
    """Orders are under seal until all are in, whatever is told of posts afterwards (SE-21)."""
    return party(GAME, 3, options={"posts": request.param})


def orders(person, n):
    for _ in range(n):
        assert person.act()


def test_others_see_only_who_is_ready(three):
    before = [three[0].table, three[1].table]
    assert before[0]["turn"] == [1, 2, 3], "all may order at once"
    orders(three[2], 4)
    assert [three[0].table, three[1].table] == before, "others do not see unfinished orders"
    orders(three[2], 1)
    after = three[0].table
    assert [seat["ready"] for seat in after["seats"]] == [False, False, True]
    assert after["number"] == before[0]["number"] + 1, "the number does not count orders of others"
    assert after["position"] == before[0]["position"]
    assert after["happened"] == before[0]["happened"]


def test_ready_seats_wait_and_may_change_their_orders(three):
    last = three[2]
    orders(last, 5)
    table = last.table
    assert not table["choices"]
    assert len(table["orders"]) == 5
    assert table["turn"] == [1, 2]
    assert last.choose(table["orders"][0]).json()["number"] == table["number"], "it stands there"
    assert last.choose("guards 99").status_code == 422
    assert last.do("undo").status_code == 200
    table = last.table
    assert len(table["orders"]) == 4
    assert table["choices"]
    assert table["turn"] == [1, 2, 3]
    assert not three[0].table["seats"][2]["ready"]


@pytest.mark.wide
def test_any_order_may_be_written_anew_and_the_others_stay(three):
    last = three[2]
    orders(last, 5)
    before = last.table["orders"]
    spy, _, rest = before[1].partition(" ")
    other = f"{spy} steals {'2' if rest == 'steals 1 from 1' else '1'} from 1"
    assert last.choose(other).status_code == 200
    assert last.table["orders"] == [before[0], other, *before[2:]]
    assert three[0].table["seats"][2]["ready"]
    for person in three[:2]:
        orders(person, 5)
    assert other in [event["text"] for event in last.table["happened"]]


def spread(person, points):
    """Write points on secrets, from the first one that has none."""
    for n in points:
        letter = person.table["choices"][0]["text"].split()[1]
        assert person.choose(f"allocate {letter} {n}").status_code == 200


def allocated(person):
    return [int(order.split()[2]) for order in person.table["orders"]]


def test_se_30_points_on_any_secret_may_be_written_anew_until_all_are_ready(party):
    first, second, third = party(GAME, 3, options={"hidden": "yes"})
    spread(third, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    assert third.choose("allocate B 5").status_code == 200
    assert allocated(third) == [9, 5, 7, 6, 5, 4, 3, 2, 1, 3], "the last secret has what is left"
    assert first.table["seats"][2]["ready"]
    assert third.choose("allocate A 10").status_code == 200
    assert third.choose("allocate J 9").status_code == 422, "the last is what is left, no other"
    spread(first, [45, *[0] * 9])
    spread(second, [5] * 5 + [4] * 5)
    assert third.table["position"]["turn"] == 1
    values = [10, 5, 7, 6, 5, 4, 3, 2, 1, 2]
    assert third.table["position"]["value"][2][:10] == values


def test_se_30_points_that_are_no_longer_there_are_asked_for_again(party):
    person, _, _ = party(GAME, 3, options={"hidden": "yes"})
    spread(person, [5, 5, 20, 10])
    assert person.choose("allocate A 15").status_code == 200
    assert allocated(person) == [15, 5, 20], "ten on D would be five too many"
    assert person.table["choices"][-1]["text"] == "allocate D 5"
    assert person.choose("allocate B 30").status_code == 200
    assert allocated(person) == [15, 30, 0], "nothing is left for C"
    assert person.choose("allocate A 46").status_code == 422
    assert allocated(person) == [15, 30, 0]


def test_orders_are_carried_out_when_the_last_is_given_and_stay_so(three):
    for person in (three[1], three[2], three[0]):
        orders(person, 5)
    table = three[0].table
    assert (table["position"]["turn"], table["turn"], table["orders"]) == (2, [1, 2, 3], [])
    spy = three[2].table["happened"][-5]["text"].split()[0]
    refused(three[2].choose(f"{spy} steals 9 from 9"), 422)
    refused(three[0].do("undo"), 409)
    assert three[0].table["position"]["turn"] == 2


def test_my_own_order_makes_my_older_view_old_and_those_of_others_do_not(three):
    table = three[0].table
    choice = table["choices"][0]["text"], table["number"]
    orders(three[1], 5)
    assert three[0].choose(*choice).status_code == 200
    again = three[0].choose(*choice)
    assert again.status_code == 409
    assert again.json()["number"] == table["number"] + 2, "one is ready, and one order is mine"


def test_orders_survive_the_server(three, restarted):
    orders(three[1], 5)
    orders(three[2], 2)
    before = [person.table for person in three]
    restarted(*three)
    assert [person.table for person in three] == before
    orders(three[2], 3)
    orders(three[0], 5)
    assert three[0].table["position"]["turn"] == 2


def test_the_list_tells_every_seat_its_own_odds(three, client):
    """Where an own spy goes already, the next one would meet him: in one's own list alone."""
    assert three[2].choose("club steals 9 from 1").status_code == 200
    assert three[1].choose("club steals 9 from 3").status_code == 200
    table = client.app.state.registry.tables[three[0].key]
    for seat, gone in ((0, None), (1, "diamond steals 9 from 3"), (2, "diamond steals 9 from 1")):
        told = {act["text"]: act["odds"] for act in table.view(seat).acts}
        assert len(told) == 18
        met = [text for text, line in told.items() if "your own spy" in line]
        assert met == [gone] * bool(gone)
        assert three[seat].page().count("your own spy goes there too") == bool(gone)
        assert three[seat].ask("odds").json() == told


def test_where_a_bot_plays_the_page_says_so_and_offers_nothing_to_take_back(three, client):
    last, table = three[2], client.app.state.registry.tables[three[0].key]
    orders(last, 2)
    assert "Take back</b>" in last.page()
    assert last.do("hand", bot="uniform").status_code == 200
    until(lambda: last.place["ready"])
    said = turn(table.view(2))
    assert (said["line"], said["mine"]) == ("A bot (uniform) is playing for you", False)
    page = last.page()
    assert "A bot (uniform) is playing for you" in page
    assert "Your orders are sealed" not in page
    live = page.partition('<main id="live">')[2].partition("</main>")[0]
    assert "Take back" not in live
    assert 'name="choice"' not in live
    assert last.do("hand", bot=None).status_code == 200
    page = last.page()
    assert "Your orders are sealed" in page
    assert "Open the sheet again" in page


def test_bots_order_without_waiting_for_people(somebody):
    me = somebody().open(GAME, ["uniform", "me", "uniform", "uniform"])
    until(lambda: [seat["ready"] for seat in me.table["seats"]] == [True, False, True, True])
    orders(me, 5)
    assert me.table["position"]["turn"] == 2


def test_a_bots_sealed_orders_are_not_held_back(fresh, client, somebody):
    """Somebody watches, and bots take an hour where all of them choose openly."""
    registry = client.app.state.registry
    registry.house = replace(registry.house, pace=3600.0)
    me = somebody()
    table = registry.table(me.open("secrets", ["easy", "me", "easy"]).key)
    table.watchers[asyncio.Event()] = 1.0
    assert until(lambda: me.table["seats"][0]["ready"])
