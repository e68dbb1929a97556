"""Tables with a clock: being late, pauses, gifts, holidays; and when the house was closed."""

import re
import time
from dataclasses import replace

import pytest
import sqlalchemy as sa

from yegg.table.domain.clock import DAY, HOUR, MINUTE, SECOND
from yegg.table.storage import uptime as opening

from .conftest import until
from .timed import BY_DAYS, LIVE, SS, name, post, time_of, told, whose


@pytest.fixture
def later(monkeypatch):
    """Let time pass, while the house is open; the beats of a server meanwhile are given too."""
    passed = [0]
    monkeypatch.setattr(opening, "here", lambda: time.time_ns() // 1_000_000 + passed[0])

    def skip(client, ms):
        store = client.app.state.registry.store
        with store.engine.begin() as connection:  # else the house would have been closed
            connection.execute(sa.text("UPDATE house SET open_at = open_at + :by"), {"by": ms})
        passed[0] += ms
        store.hours.seen += ms

    skip.passed = passed
    return skip


def test_nobody_is_hurried_by_default(party):
    one, _ = party(SS, 2)
    assert one.table["clock"] is None
    assert 'class="clocks' not in one.get(f"/t/{one.key}").text
    for what, body in (("pause", {"pause": True}), ("time", {"seat": 2})):
        refused = post(one, what, body)
        assert (refused.status_code, refused.json()["why"]) == (
            409,
            "nobody is hurried at this table",
        )


def test_a_clock_runs_from_the_moment_when_all_sit(somebody):
    one = somebody().open(SS, ["me", "open"], clock=BY_DAYS)
    assert [seat["until"] for seat in one.table["clock"]["times"]] == [None, None]
    other = somebody(1)
    other.join(one.key)
    actor, waits = whose([one, other])
    mine = time_of(actor)
    assert 3 * DAY - MINUTE < mine["until"] - time.time() * 1000 <= 3 * DAY
    assert time_of(waits) == {**time_of(waits), "until": None, "left": 3 * DAY}
    assert one.table["clock"]["says"] == "3 days a turn"


def test_whoever_is_late_has_this_turn_played_by_a_bot_and_the_next_one_again(client, party, later):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    seat = late.table["seat"]
    later(client, 661 * SECOND)
    until(lambda: other.table["choices"])
    assert ("late", f"{name(late)}'s time is up: uniform plays this turn.") in told(other)
    place = other.table["seats"][seat - 1]
    assert place["bot"] is None, "the turn is over"
    assert time_of(late)["missed"] == 1
    while not late.table["choices"] and not late.table["over"]:
        other.act()
    assert time_of(late)["until"] - opening.here() <= MINUTE
    assert late.act()
    assert time_of(late)["missed"] == 0


def test_a_choice_in_time_is_a_choice_in_time(client, party, later):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    later(client, 600 * SECOND)
    time.sleep(1)
    assert late.act()
    assert ("late", f"{name(late)}'s time is up: uniform plays this turn.") not in told(other)


def test_whoever_is_late_twice_is_played_for_until_they_are_back(client, party, later):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    seat = late.table["seat"]
    for n in (1, 2):
        later(client, 661 * SECOND)
        until(lambda n=n: time_of(late)["missed"] == n)
        if n == 1:
            until(lambda: other.table["choices"])
            while late.table["turn"] != [seat]:
                other.act()
    text = f"{name(late)}'s time is up again: uniform plays on until {name(late)} is back."
    assert ("late", text) in told(other)
    until(lambda: other.table["choices"] or other.table["over"])
    assert other.table["seats"][seat - 1]["bot"] == "uniform"
    assert post(late, "hand", {"bot": None}).status_code == 200
    assert time_of(late)["missed"] == 0


def test_nobody_takes_a_turn_back_that_a_bot_plays(client, party, later, monkeypatch):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    table = client.app.state.registry.tables[late.key]
    monkeypatch.setattr(table.driver, "kick", lambda: None)
    later(client, 661 * SECOND)
    until(lambda: other.table["seats"][late.table["seat"] - 1]["bot"])
    refused = post(late, "hand", {"bot": None})
    assert refused.status_code == 409
    assert refused.json()["why"].startswith("your time was up: uniform plays this turn")
    page = late.get(f"/t/{late.key}").text
    assert "Your time was up. The next turn is yours again." in page
    assert "Play yourself again" not in page


def test_nobody_takes_back_what_was_played_because_they_were_late(client, party, later):
    people = party("secrets", 3, clock={**LIVE, "late": "uniform"})
    late, *others = people
    for person, seat in ((others[0], 3), (others[1], 2)):
        post(person, "time", {"seat": seat})
    later(client, 661 * SECOND)
    until(lambda: late.table["seats"][0]["ready"] and not late.table["seats"][0]["bot"])
    assert late.table["turn"] == [2, 3]
    assert len(late.table["orders"]) == 5
    assert late.post(f"/api/games/{late.key}/undo").status_code == 409
    assert late.table["turn"] == [2, 3]


def test_a_friend_who_still_has_time_keeps_the_seat(client, party, later):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    later(client, 10 * MINUTE)
    table = client.app.state.registry.tables[actor.key]
    table.presence.patience = 0.0
    table.look_round()
    assert not any(seat["away"] for seat in other.table["seats"])
    refused = post(other, "hand", {"bot": "uniform", "seat": actor.table["seat"]})
    assert refused.status_code == 409
    assert "still has time" in refused.json()["why"]


# Pauses, gifts, holidays -------------------------------------------------------------------


def test_a_pause_by_agreement(client, party, later):
    people = party(SS, 2, clock=LIVE)
    actor, other = whose(people)
    assert post(actor, "pause", {"pause": True}).status_code == 200
    assert told(other)[-1] == (
        "pause",
        f"{name(actor)} would like a pause. {name(other)} can agree.",
    )
    assert other.table["clock"]["agreed"] == [actor.table["seat"]]
    assert "Agree" in other.get(f"/t/{other.key}").text
    assert post(other, "pause", {"pause": True}).status_code == 200
    assert actor.table["clock"]["paused"]
    assert not actor.table["choices"]
    refused = actor.choose("thorough")
    assert (refused.status_code, refused.json()["why"]) == (
        409,
        "the game is paused; anybody at the table may end the pause",
    )
    assert "The game is paused" in actor.get(f"/t/{actor.key}").text
    later(client, 2 * DAY)
    time.sleep(1)
    assert actor.table["clock"]["paused"]
    assert post(other, "pause", {"pause": False}).status_code == 200
    assert time_of(actor)["until"] > opening.here() + 600 * SECOND
    assert actor.act()


def test_bots_wait_while_a_game_is_paused(somebody):
    one = somebody().open(SS, ["me", "uniform"], clock=LIVE)
    until(lambda: one.table["choices"])
    assert post(one, "pause", {"pause": True}).status_code == 200
    assert one.table["clock"]["paused"], "nobody else has to agree"
    assert one.table["turn"] == []
    post(one, "pause", {"pause": False})
    assert one.table["choices"]


def test_time_is_given_to_others_only_and_to_people_only(party, somebody):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    before = time_of(actor)["until"]
    assert post(other, "time", {"seat": actor.table["seat"]}).status_code == 200
    assert time_of(actor)["until"] == before + 3 * DAY
    assert told(actor)[-1] == ("gave", f"{name(other)} gives {name(actor)} 3 days more.")
    assert post(actor, "time", {"seat": actor.table["seat"]}).status_code == 409
    assert post(actor, "time", {"seat": 5}).status_code == 409
    for _ in range(300):
        post(other, "time", {"seat": actor.table["seat"]})
    assert time_of(actor)["until"] < before + 400 * DAY, "there is an end to it"
    post(other, "hand", {"bot": "uniform"})
    assert post(actor, "time", {"seat": other.table["seat"]}).status_code == 409
    stranger = somebody(5)
    stranger.key = actor.key
    for what, body in (("time", {"seat": 1}), ("pause", {"pause": True})):
        assert post(stranger, what, body).status_code == 401


def test_a_holiday_stops_ones_time_in_all_games_with_days(party, somebody, client):
    one, other = party(SS, 2, clock=BY_DAYS, you="Ann")
    live = somebody(3)
    live.token = one.token
    live.open(SS, ["me", "open"], clock=LIVE)
    short = somebody(4)
    short.token = one.token
    short.open(SS, ["me", "open"], clock={"kind": "days", "holiday": 2})
    short_key = short.key
    answer = one.post("/api/me/holiday", {"days": 7})
    assert answer.status_code == 200
    made = answer.json()
    assert made["tables"] == [one.key]
    assert made["refused"] == [
        {"id": short_key, "why": "you have 2 days of holiday left in this game"}
    ]
    assert told(other)[-1] == (
        "holiday",
        f"{name(one)} is on holiday for 7 days. {name(one)}'s time stands until then.",
    )
    actor, _ = whose([one, other])
    if actor is one:
        assert time_of(one)["until"] - opening.here() > 9 * DAY
    assert one.post("/api/me/holiday", {"days": 0}).json()["tables"]
    assert told(other)[-1] == ("here", f"{name(one)} is back from holiday.")
    nobody = somebody(9)
    assert nobody.post("/api/me/holiday", {"days": 3}).status_code == 401
    nobody.token = "made-up"  # noqa: S105  nobody has it
    assert nobody.post("/api/me/holiday", {"days": 3}).status_code == 401


# When the house was closed ------------------------------------------------------------------


def test_a_closed_house_takes_nobodys_time(client, party, restarted, later):
    people = party(SS, 2, clock=LIVE)
    actor, _other = whose(people)
    before = time_of(actor)["until"]
    client.app.state.registry.store.close()  # as at the end: the last sign of life
    later.passed[0] += 5 * HOUR
    again = restarted(*people)
    (closure,) = again.app.state.registry.store.hours.closed
    assert 5 * HOUR <= closure[1] - closure[0] < 5 * HOUR + MINUTE
    now = time_of(actor)
    assert now["until"] == before + closure[1] - closure[0], "to the millisecond"
    assert now["missed"] == 0
    assert actor.act()


def test_a_short_restart_takes_nobodys_time_either(client, party, restarted, later):
    people = party(SS, 2, clock=LIVE)
    actor, _ = whose(people)
    before = time_of(actor)["until"]
    client.app.state.registry.store.close()
    later.passed[0] += 3 * SECOND
    again = restarted(*people)
    (closure,) = again.app.state.registry.store.hours.closed
    assert time_of(actor)["until"] - before == closure[1] - closure[0] >= 3 * SECOND


def test_whose_time_was_up_before_the_restart_is_late_after_it_though_nobody_comes(
    client, party, restarted, later
):
    people = party(SS, 2, clock=LIVE)
    actor, _ = whose(people)
    key, store = actor.key, client.app.state.registry.store
    registry = client.app.state.registry
    registry.forget(registry.tables[key])
    later(client, 700 * SECOND)
    until(lambda: key in registry.tables)
    until(lambda: registry.tables[key].now.clock.times[actor.table["seat"] - 1].missed)
    assert store.hours.closed == ()


@pytest.mark.wide
def test_a_long_silence_while_the_process_lives_closes_the_house_too(client, party, later):
    """A laptop that slept, or a full disk: nobody could play."""
    people = party(SS, 2, clock=LIVE)
    actor, _other = whose(people)
    before = time_of(actor)["until"]
    later.passed[0] += 3 * HOUR
    until(lambda: time_of(actor)["until"] > before, bool)
    assert 3 * HOUR <= time_of(actor)["until"] - before < 3 * HOUR + MINUTE
    assert time_of(actor)["missed"] == 0


def test_a_replay_from_disk_is_exact(client, party, restarted):
    people = party(SS, 3, clock={"kind": "live", "turn": 5, "reserve": 900, "add": 2})
    for n in range(25):
        next(person for person in people if person.act())
        if n == 5:
            post(people[0], "pause", {"pause": True})
        if n == 6:
            post(people[1], "time", {"seat": 3})
    table = client.app.state.registry.tables[people[0].key]
    live = table.now.clock
    again = restarted(*people)
    assert people[0].table["clock"]
    now = again.app.state.registry.tables[people[0].key].now.clock
    assert replace(now, closed=()) == live, "but for the time between"


# Secrets: what the rules write ----------------------------------------------------------------


@pytest.mark.parametrize("hidden", ["no", "yes"])
def test_se_15_at_the_deadline_the_rules_write_the_orders_that_are_missing(
    client, party, later, hidden
):
    clock = {"kind": "days", "turn": 2, "late": "absent"}
    people = party("secrets", 3, clock=clock, options={"hidden": hidden})
    absent = people[1]
    turn = people[0].table["position"]["turn"]
    absent.act()  # all orders of a player or none: this one is forgotten
    for person in (people[0], people[2]):
        while person.act():
            pass
    assert people[0].table["turn"] == [2]
    later(client, 2 * DAY)
    until(lambda: people[0].table["position"]["turn"] == turn + 1)
    record = absent.get(f"/api/games/{absent.key}/record").text
    written = [line for line in record.splitlines() if line.startswith("2 ")]
    if hidden == "no":
        assert len(written) == 5
        assert all("home" in line for line in written[:4]), written
        assert "9" in written[4], "the most valuable secret"
    else:
        assert [int(line.split()[-1]) for line in written] == [5] * 5 + [4] * 5
    text = f"{name(absent)}'s time is up, and no orders came: the rules write them."
    assert ("late", text) in told(people[0])
    assert people[0].table["turn"] == [1, 2, 3]
    assert time_of(absent)["until"]


def test_others_do_not_see_by_the_clock_who_has_begun_to_write(party):
    people = party("secrets", 3, clock=BY_DAYS)
    post(people[0], "pause", {"pause": True})
    before = [people[0].table, people[1].get(f"/t/{people[1].key}/now").text]
    for _ in range(4):
        assert people[2].act()
    assert people[0].table == before[0]
    assert without_time(people[1].get(f"/t/{people[1].key}/now").text) == without_time(before[1])


def without_time(page):
    return re.sub(r">[\d dhmin:]+</b>|data-words>[^<]+<", ">", page)


def test_only_rules_that_know_absent_players_write_for_them(somebody):
    wish = {"game": SS, "seats": ["me", "open"], "clock": {**BY_DAYS, "late": "absent"}}
    refused = somebody().post("/api/games", wish)
    assert refused.status_code == 422
    assert "write nothing for an absent player" in refused.json()["why"]
