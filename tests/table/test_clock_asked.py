"""What is shown of clocks, and what is asked of them: lists, titles, forms, hostile input."""

import re

import pytest

from yegg.table.domain.clock_terms import DAY, MINUTE

from .conftest import finish
from .timed import BY_DAYS, LIVE, SS, name, post, time_of, told, whose

# What is shown --------------------------------------------------------------------------------


def test_lists_begin_with_what_is_most_urgent(somebody, client):
    me, keys = somebody().open(SS, ["me", "open"]), []
    others = []
    for clock in (None, {**BY_DAYS, "turn": 9}, LIVE, BY_DAYS):
        me.open(SS, ["me", "open"], clock=clock)
        other = somebody(len(others) + 1)
        other.join(me.key)
        other.key = me.key
        while not me.table["choices"]:
            other.act()
        keys.append(me.key)
        others.append(other)
    plain, nine, live, three = keys
    mine = me.get("/api/lobby").json()["mine"]
    assert [table["id"] for table in mine][:4] == [live, three, nine, plain]
    assert [table["clock"] for table in mine][:2] == [
        "1 minute a turn, 10 minutes in reserve",
        "3 days a turn",
    ]
    assert mine[0]["until"] == time_of(me_at(me, live))["until"]
    assert [table["id"] for table in me.get("/api/me").json()["turns"]] == [
        live,
        three,
        nine,
        plain,
    ]
    client.cookies.set("yegg", me.token)
    page = client.get("/").text
    assert f'data-until="{mine[0]["until"]}"' in page
    assert "Go on holiday" in page


def test_a_game_with_days_a_turn_is_not_folded_away_as_long_as_its_clock_runs(somebody, client):
    me = somebody().open(SS, ["me", "open"], clock={**BY_DAYS, "holiday": 0})
    store = client.app.state.registry.store
    plain = somebody(1)
    plain.token = me.token
    plain.open(SS, ["me", "open"])

    def idle():
        return {table["id"]: table["idle"] for table in me.get("/api/lobby").json()["mine"]}

    store.hours.ahead = 2 * DAY
    assert idle() == {me.key: False, plain.key: True}
    store.hours.ahead = 5 * DAY
    assert idle() == {me.key: True, plain.key: True}


def me_at(me, key):
    me.key = key
    return me


def test_page_and_title_say_how_much_time_is_left(party):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    page = actor.get(f"/t/{actor.key}").text
    assert re.search(r"<title>● 2 d 23 h · Your turn, Second Story</title>", page)
    assert "You have" in page
    assert "After that uniform plays this turn." in page
    assert f"{name(actor)} has" in other.get(f"/t/{other.key}").text
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
    again = people[0].post(f"/api/games/{people[0].key}/again").json()
    people[0].key = again["id"]
    assert people[0].table["clock"]["turn"] == MINUTE


def test_a_lone_player_is_not_hurried(somebody):
    one = somebody().open("magnate", ["me"], options={"automa": "easy"}, clock=BY_DAYS)
    assert one.table["clock"] is None


@pytest.mark.parametrize("late", ["nobody", "absent", "medium:99s"])
def test_a_lone_player_s_clock_names_a_bot_that_can_play_there(somebody, late):
    body = {"game": "magnate", "seats": ["me"], "options": {"automa": "easy"}}
    answer = somebody().post("/api/games", {**body, "clock": {**BY_DAYS, "late": late}})
    assert answer.status_code == 422, "as at a table for two"
    two = {"game": "magnate", "seats": ["me", "open"], "clock": {**BY_DAYS, "late": late}}
    assert somebody().post("/api/games", two).status_code == 422


def test_a_lone_player_s_clock_is_checked_as_everybody_s(somebody):
    wish = {"game": "magnate", "seats": ["me"], "options": {"automa": "easy"}}
    for clock, status in [(LIVE, 201), ({**LIVE, "late": "nobody"}, 422)]:
        assert somebody().post("/api/games", {**wish, "clock": clock}).status_code == status


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
        answer = somebody().post(
            "/api/games", {"game": SS, "seats": ["me", "open"], "clock": clock}
        )
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
        assert post(one, what, body).status_code == 400, (what, body)
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
    for fields, says in ASKED:
        table = opened(client, fields)
        assert table.status_code == 303, table.text
        key = table.headers["location"].split("/")[2].split("#")[0]
        clock = client.get(f"/api/games/{key}").json()["clock"]
        assert (clock and clock["says"]) == says
    for fields in BAD_FORMS:
        assert opened(client, fields).status_code == 422, fields


def opened(client, fields):
    page = client.get("/").text
    csrf = page.split('name="csrf" content="')[1].split('"')[0]
    return client.post("/open", data={**FORM, "csrf": csrf, **fields}, follow_redirects=False)


def test_a_paused_game_waits_for_nobody(party):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    for person, paused in ((other, False), (actor, True)):
        assert person.post(f"/api/games/{person.key}/pause", {"pause": True}).status_code == 200
        (mine,) = actor.get("/api/lobby").json()["mine"]
        assert (mine["paused"], mine["your_turn"], mine["since"] is None) == (
            paused,
            not paused,
            paused,
        )


def test_forms_do_all_of_it_without_scripts(client, party):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    client.cookies.set("yegg", other.token)
    page = client.get(f"/t/{other.key}").text
    csrf = page.split('name="csrf" content="')[1].split('"')[0]
    at, seat = f"/t/{other.key}", actor.table["seat"]
    for what, field, notice in (
        ("pause", {"pause": "yes"}, "pause"),
        ("pause", {"pause": "no"}, "go-on"),
        ("time", {"seat": seat}, "gave"),
    ):
        assert client.post(f"{at}/{what}", data=field).status_code == 403, "forged"
        assert client.post(f"{at}/{what}", data={"csrf": csrf, **field}).status_code == 200
        assert told(actor)[-1][0] == notice
    for seat in ("", "0", "9", "x", "-1"):
        assert client.post(f"{at}/time", data={"csrf": csrf, "seat": seat}).status_code == 409
    for days in ("", "-1", "x", "9999", "٣"):
        assert client.post("/holiday", data={"csrf": csrf, "days": days}).status_code == 422
    away = client.post("/holiday", data={"csrf": csrf, "days": "3"})
    assert "You are on holiday: your time stands" in away.text
    assert told(actor)[-1][0] == "holiday"
    assert (
        "You are back: your time runs again."
        in client.post("/holiday", data={"csrf": csrf, "days": "0"}).text
    )
    assert "Going away?" in client.get("/").text
    assert told(actor)[-1][0] == "here"
