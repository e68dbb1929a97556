"""What is shown of clocks, and what is asked of them: lists, titles, forms, hostile input."""

import re

import pytest

from yegg.table.domain.clock import DAY, MINUTE

from .devices import Device
from .people import BY_DAYS, LIVE, SS, TWO, finish, whose

# What is shown --------------------------------------------------------------------------------


def test_lists_begin_with_what_is_most_urgent(somebody, client):
    me, keys = somebody(), []
    for clock in (None, {**BY_DAYS, "turn": 9}, LIVE, BY_DAYS):
        me.open(clock=clock)
        other = somebody(len(keys) + 1)
        other.join(me.key)
        while not me.table["choices"]:
            other.act()
        keys.append(me.key)
    plain, nine, live, three = keys
    mine = me.get("/api/lobby").json()["mine"]
    assert [table["id"] for table in mine] == [live, three, nine, plain]
    says = ["1 minute a turn, 10 minutes in reserve", "3 days a turn"]
    assert [table["clock"] for table in mine][:2] == says
    assert mine[0]["until"] == me.at(live).time["until"]
    turns = me.get("/api/me").json()["turns"]
    assert [table["id"] for table in turns] == [live, three, nine, plain]
    client.cookies.set("yegg", me.token)
    page = client.get("/").text
    assert f'data-until="{mine[0]["until"]}"' in page
    assert "Go on holiday" in page


def test_a_game_with_days_a_turn_is_not_folded_away_as_long_as_its_clock_runs(fresh, somebody):
    me = somebody().open(clock={**BY_DAYS, "holiday": 0})
    plain = me.at("").open()
    hours = fresh.app.state.registry.store.hours

    def idle():
        return {table["id"]: table["idle"] for table in me.get("/api/lobby").json()["mine"]}

    hours.ahead = 2 * DAY
    assert idle() == {me.key: False, plain.key: True}
    hours.ahead = 5 * DAY
    assert idle() == {me.key: True, plain.key: True}


def test_page_and_title_say_how_much_time_is_left(party):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    page = actor.page()
    assert re.search(r"<title>● 2 d 23 h · Your turn, Second Story</title>", page)
    assert "You have" in page
    assert "After that uniform plays this turn." in page
    assert f"{actor.name} has" in other.page()
    assert "2 days 23 hours" in page


def test_clocks_stay_in_sight_while_steps_are_shown(party):
    people = party(SS, 2, clock=BY_DAYS)
    for _ in range(4):
        next(person for person in people if person.act())
    pages = [step["html"] for step in people[0].get(f"/t/{people[0].key}/steps?after=0").json()]
    assert pages
    assert all('class="clocks panel' in page for page in pages)


def test_a_rematch_keeps_the_clock(party):
    people = party(SS, 2, clock=LIVE, options={"chips": "3"})
    finish(people)
    assert people[0].table["clock"]["says"]
    again = people[0].at(people[0].do("again").json()["id"])
    assert again.table["clock"]["turn"] == MINUTE


def test_a_lone_player_is_not_hurried_but_the_clock_is_checked_as_everybody_s(somebody):
    alone = {"game": "magnate", "seats": ["me"], "options": {"automa": "easy"}}
    assert somebody().open(**alone, clock=BY_DAYS).table["clock"] is None
    assert somebody().open(**alone, clock=LIVE).table["clock"] is None
    for late in ("nobody", "absent", "medium:99s"):
        for wish in (alone, {"game": "magnate", "seats": ["me", "open"]}):
            for clock in (BY_DAYS, LIVE):
                answer = somebody().post("/api/games", {**wish, "clock": {**clock, "late": late}})
                assert answer.status_code == 422, late


@pytest.mark.wide
def test_every_described_clock_can_be_asked_for(for_all, somebody):
    said = for_all.get("/api/schema/openapi.json").json()
    asked = 0
    for opening in said["components"]["schemas"]["NewGame"]["oneOf"]:
        properties = opening["properties"]
        seats = ["me"] + ["open"] * (max(2, properties["seats"]["minItems"]) - 1)
        if len(seats) > properties["seats"]["maxItems"]:
            continue
        needed = properties["options"]["required"]
        options = {name: properties["options"]["properties"][name]["enum"][0] for name in needed}
        wish = {"game": properties["game"]["const"], "seats": seats, "options": options}
        for clock in properties["clock"]["anyOf"][1:]:
            for end in ("minimum", "maximum"):
                body = {name: one[end] for name, one in clock["properties"].items() if end in one}
                body |= {"kind": clock["properties"]["kind"]["enum"][0]}
                body |= {"late": clock["properties"]["late"]["enum"][-1]}
                somebody().open(**wish, clock=body)
                asked += 1
    assert asked > 12


# Hostile input ----------------------------------------------------------------------------------

BAD_CLOCKS = [
    {}, [], "live", 3, True, {"kind": "live", "turn": -1}, {"kind": "live", "turn": 4},
    {"kind": "live", "turn": 10**30}, {"kind": "live", "turn": "30"}, {"kind": "live", "turn": 7.5},
    {"kind": "live", "turn": None}, {"kind": "live", "reserve": -1}, {"kind": "days", "turn": 0},
    {"kind": "days", "turn": 61}, {"kind": "days", "add": 1}, {"kind": "days", "holiday": -1},
    {"kind": "weeks"}, {"kind": None}, {"kind": "live", "extra": 1}, {"kind": "days", "late": 3},
    {"kind": "days", "late": "x" * 61}, {"turn": 30},
]  # fmt: skip


def test_a_clock_that_is_none_is_refused(somebody):
    for clock in BAD_CLOCKS:
        answer = somebody().post("/api/games", TWO | {"clock": clock})
        assert answer.status_code == 400, clock


def test_only_a_bot_that_can_play_here_plays_for_others(somebody):
    wish = {"game": "secrets", "seats": ["me", "open", "open"]}
    for late in ("nobody", "exact", "search:100000000", "", "human", "../x"):
        clock = {"kind": "days", "late": late}
        assert somebody().post("/api/games", {**wish, "clock": clock}).status_code == 422, late


BAD_WISHES = [
    ("pause", {}), ("pause", {"pause": "yes"}), ("pause", {"pause": 1}), ("pause", None),
    ("time", {"seat": 0}), ("time", {"seat": -1}), ("time", {"seat": 10**20}),
    ("time", {"seat": "1"}), ("time", {}),
]  # fmt: skip


def test_what_is_not_understood_is_refused(party):
    one, _ = party(SS, 2, clock=LIVE)
    number = one.table["number"]
    for what, body in BAD_WISHES:
        answer = one.post(f"/api/games/{one.key}/{what}", body)
        assert answer.status_code == 400, (what, body)
    for days in (-1, 367, 10**12, "7", None, 1.5, True):
        assert one.post("/api/me/holiday", {"days": days}).status_code == 400, days
    assert one.table["number"] == number


FORM = {"game": SS, "seat1": "me", "seat2": "open", "you": "Ann"}


ASKED = [
    ({"clock": "live"}, "30 seconds a turn, 10 minutes in reserve"),
    ({"clock": "live", "clock-seconds": "45", "clock-minutes": "0"}, "45 seconds a turn"),
    ({"clock": "days", "clock-days": "5", "clock-late": "uniform"}, "5 days a turn"),
    ({"clock": ""}, None),
    ({"clock": "x"}, None),
]
BAD_FORMS = [
    {"clock": "live", "clock-seconds": "-5"}, {"clock": "live", "clock-seconds": "1"},
    {"clock": "days", "clock-days": "9" * 50}, {"clock": "days", "clock-days": "٣"},
    {"clock": "days", "clock-late": "absent"}, {"clock": "live", "clock-minutes": "999999"},
]  # fmt: skip


def test_the_form_opens_tables_with_clocks(client):
    ann = Device(client)
    for fields, says in ASKED:
        table = ann.post("/open", **FORM | fields)
        assert table.status_code == 303, table.text
        key = table.headers["location"].split("/")[2].split("#")[0]
        clock = ann.get(f"/api/games/{key}").json()["clock"]
        assert (clock and clock["says"]) == says
    for fields in BAD_FORMS:
        assert ann.post("/open", **FORM | fields).status_code == 422, fields


def test_a_paused_game_waits_for_nobody(party):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    for person, paused in ((other, False), (actor, True)):
        assert person.do("pause", pause=True).status_code == 200
        (mine,) = actor.get("/api/lobby").json()["mine"]
        assert (mine["paused"], mine["your_turn"], mine["since"] is None) == (
            paused,
            not paused,
            paused,
        )


def test_forms_do_all_of_it_without_scripts(client, party):
    actor, other = whose(party(SS, 2, clock=BY_DAYS))
    device, at, seat = Device(client), f"/t/{other.key}", actor.seat
    device.cookies["yegg"] = other.token
    for what, field, notice in (
        ("pause", {"pause": "yes"}, "pause"),
        ("pause", {"pause": "no"}, "go-on"),
        ("time", {"seat": seat}, "gave"),
    ):
        assert device.ask("POST", f"{at}/{what}", data=field).status_code == 403, "forged"
        assert device.post(f"{at}/{what}", **field).status_code == 303
        assert actor.notices[-1][0] == notice
    for seat in ("", "0", "9", "x", "-1"):
        assert device.post(f"{at}/time", seat=seat).status_code == 409
    for days in ("", "-1", "x", "9999", "٣"):
        assert device.post("/holiday", days=days).status_code == 422

    def told(days):
        return device.get(device.post("/holiday", days=days).headers["location"]).text

    assert "You are on holiday: your time stands" in told("3")
    assert actor.notices[-1][0] == "holiday"
    assert "You are back: your time runs again." in told("0")
    assert "Going away?" in device.get("/").text
    assert actor.notices[-1][0] == "here"
