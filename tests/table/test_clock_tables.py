"""Tables with a clock: being late, pauses, gifts, holidays; and when the house was closed."""

import re
import time
from dataclasses import replace

import pytest
import sqlalchemy as sa
from waiting import until

from yegg.table.domain.clock import DAY, HOUR, MINUTE, SECOND
from yegg.table.service.timekeeper import Timekeeper
from yegg.table.storage import postgres
from yegg.table.storage import uptime as opening
from yegg.table.storage.migrate import migrate
from yegg.table.storage.store import connected

from .people import BY_DAYS, LIVE, SS, TWO, refused, whose


@pytest.fixture
def later(fresh, monkeypatch):
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
    assert 'class="clocks' not in one.page()
    for what, body in (("pause", {"pause": True}), ("time", {"seat": 2})):
        refused(one.do(what, **body), 409, "nobody is hurried at this table")


def test_a_clock_runs_from_the_moment_when_all_sit(somebody):
    one = somebody().open(clock=BY_DAYS)
    assert [seat["until"] for seat in one.table["clock"]["times"]] == [None, None]
    other = somebody(1)
    other.join(one.key)
    actor, waits = whose([one, other])
    mine = actor.time
    assert 3 * DAY - MINUTE < mine["until"] - time.time() * 1000 <= 3 * DAY
    assert waits.time == {**waits.time, "until": None, "left": 3 * DAY}
    assert one.table["clock"]["says"] == "3 days a turn"


def test_whoever_is_late_has_this_turn_played_by_a_bot_and_the_next_one_again(client, party, later):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    seat = late.seat
    later(client, 661 * SECOND)
    until(lambda: other.table["choices"])
    assert ("late", f"{late.name}'s time is up: uniform plays this turn.") in other.notices
    place = other.table["seats"][seat - 1]
    assert place["bot"] is None, "the turn is over"
    assert late.time["missed"] == 1
    while not late.table["choices"] and not late.table["over"]:
        other.act()
    assert late.time["until"] - opening.here() <= MINUTE
    assert late.act()
    assert late.time["missed"] == 0


def test_a_choice_in_time_is_a_choice_in_time(client, party, later, looked):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    later(client, 600 * SECOND)
    looked()
    assert late.act()
    assert ("late", f"{late.name}'s time is up: uniform plays this turn.") not in other.notices


def test_whoever_is_late_twice_is_played_for_until_they_are_back(client, party, later):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    seat = late.seat
    for n in (1, 2):
        later(client, 661 * SECOND)
        until(lambda n=n: late.time["missed"] == n)
        if n == 1:
            until(lambda: other.table["choices"])
            while late.table["turn"] != [seat]:
                other.act()
    text = f"{late.name}'s time is up again: uniform plays on until {late.name} is back."
    assert ("late", text) in other.notices
    until(lambda: other.table["choices"] or other.table["over"])
    assert other.table["seats"][seat - 1]["bot"] == "uniform"
    assert late.do("hand", bot=None).status_code == 200
    assert late.time["missed"] == 0


@pytest.mark.wide
def test_nobody_takes_a_turn_back_that_a_bot_plays(client, party, later, monkeypatch):
    people = party(SS, 2, clock=LIVE)
    late, other = whose(people)
    table = client.app.state.registry.tables[late.key]
    monkeypatch.setattr(table.driver, "kick", lambda: None)
    later(client, 661 * SECOND)
    until(lambda: other.table["seats"][late.seat - 1]["bot"])
    refused(late.do("hand", bot=None), 409, "your time was up: uniform plays this turn")
    page = late.page()
    assert "Your time was up. The next turn is yours again." in page
    assert "Play yourself again" not in page


def test_nobody_takes_back_what_was_played_because_they_were_late(client, party, later):
    people = party("secrets", 3, clock={**LIVE, "late": "uniform"})
    late, *others = people
    for person, seat in ((others[0], 3), (others[1], 2)):
        person.do("time", seat=seat)
    later(client, 661 * SECOND)
    until(lambda: late.table["seats"][0]["ready"] and not late.table["seats"][0]["bot"])
    assert late.table["turn"] == [2, 3]
    assert len(late.table["orders"]) == 5
    assert late.do("undo").status_code == 409
    assert late.table["turn"] == [2, 3]


def test_a_friend_who_still_has_time_keeps_the_seat(client, party, later):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    later(client, 10 * MINUTE)
    table = client.app.state.registry.tables[actor.key]
    table.presence.patience = 0.0
    table.look_round()
    assert not any(seat["away"] for seat in other.table["seats"])
    refused(other.do("hand", bot="uniform", seat=actor.seat), 409, "still has time")


# Pauses, gifts, holidays -------------------------------------------------------------------


@pytest.mark.wide
def test_a_pause_by_agreement(client, party, later, looked):
    people = party(SS, 2, clock=LIVE)
    actor, other = whose(people)
    assert actor.do("pause", pause=True).status_code == 200
    assert other.notices[-1] == (
        "pause",
        f"{actor.name} would like a pause. {other.name} can agree.",
    )
    assert other.table["clock"]["agreed"] == [actor.seat]
    assert "Agree" in other.page()
    assert other.do("pause", pause=True).status_code == 200
    assert actor.table["clock"]["paused"]
    assert not actor.table["choices"]
    why = "the game is paused; anybody at the table may end the pause"
    refused(actor.choose("thorough"), 409, why)
    assert "The game is paused" in actor.page()
    later(client, 2 * DAY)
    looked()
    assert actor.table["clock"]["paused"]
    assert other.do("pause", pause=False).status_code == 200
    assert actor.time["until"] > opening.here() + 600 * SECOND
    assert actor.act()


def test_bots_wait_while_a_game_is_paused(somebody):
    one = somebody().open(SS, ["me", "uniform"], clock=LIVE)
    until(lambda: one.table["choices"])
    assert one.do("pause", pause=True).status_code == 200
    assert one.table["clock"]["paused"], "nobody else has to agree"
    assert one.table["turn"] == []
    one.do("pause", pause=False)
    assert one.table["choices"]


@pytest.mark.wide
def test_time_is_given_to_others_only_and_to_people_only(party, somebody):
    people = party(SS, 2, clock=BY_DAYS)
    actor, other = whose(people)
    before = actor.time["until"]
    assert other.do("time", seat=actor.seat).status_code == 200
    assert actor.time["until"] == before + 3 * DAY
    assert actor.notices[-1] == ("gave", f"{other.name} gives {actor.name} 3 days more.")
    assert actor.do("time", seat=actor.seat).status_code == 409
    assert actor.do("time", seat=5).status_code == 409
    for _ in range(300):
        other.do("time", seat=actor.seat)
    assert actor.time["until"] < before + 400 * DAY, "there is an end to it"
    other.do("hand", bot="uniform")
    assert actor.do("time", seat=other.seat).status_code == 409
    stranger = somebody(5)
    stranger.key = actor.key
    for what, body in (("time", {"seat": 1}), ("pause", {"pause": True})):
        assert stranger.do(what, **body).status_code == 401


def test_a_holiday_stops_ones_time_in_all_games_with_days(party, somebody, client):
    one, other = party(SS, 2, clock=BY_DAYS, you="Ann")
    one.at("").open(clock=LIVE)
    short = one.at("").open(clock={"kind": "days", "holiday": 2})
    answer = one.post("/api/me/holiday", {"days": 7})
    assert answer.status_code == 200
    made = answer.json()
    assert made["tables"] == [one.key]
    assert made["refused"] == [
        {"id": short.key, "why": "you have 2 days of holiday left in this game"}
    ]
    assert other.notices[-1] == (
        "holiday",
        f"{one.name} is on holiday for 7 days. {one.name}'s time stands until then.",
    )
    actor, _ = whose([one, other])
    if actor is one:
        assert one.time["until"] - opening.here() > 9 * DAY
    assert one.post("/api/me/holiday", {"days": 0}).json()["tables"]
    assert other.notices[-1] == ("here", f"{one.name} is back from holiday.")
    nobody = somebody(9)
    assert nobody.post("/api/me/holiday", {"days": 3}).status_code == 401
    nobody.token = "made-up"  # noqa: S105  nobody has it
    assert nobody.post("/api/me/holiday", {"days": 3}).status_code == 401


# When the house was closed ------------------------------------------------------------------


def test_a_closed_house_takes_nobodys_time(client, party, restarted, later):
    people = party(SS, 2, clock=LIVE)
    actor, _other = whose(people)
    before = actor.time["until"]
    client.app.state.registry.store.close()  # as at the end: the last sign of life
    later.passed[0] += 5 * HOUR
    again = restarted(*people)
    (closure,) = again.app.state.registry.store.hours.closed
    assert 5 * HOUR <= closure[1] - closure[0] < 5 * HOUR + MINUTE
    now = actor.time
    assert now["until"] == before + closure[1] - closure[0], "to the millisecond"
    assert now["missed"] == 0
    assert actor.act()


def test_a_short_restart_takes_nobodys_time_either(client, party, restarted, later):
    people = party(SS, 2, clock=LIVE)
    actor, _ = whose(people)
    before = actor.time["until"]
    client.app.state.registry.store.close()
    later.passed[0] += 3 * SECOND
    again = restarted(*people)
    (closure,) = again.app.state.registry.store.hours.closed
    assert actor.time["until"] - before == closure[1] - closure[0] >= 3 * SECOND


@pytest.mark.wide
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
    until(lambda: registry.tables[key].now.clock.times[actor.seat - 1].missed)
    assert store.hours.closed == ()


@pytest.mark.wide
def test_a_long_silence_while_the_process_lives_closes_the_house_too(client, party, later):
    """A laptop that slept, or a full disk: nobody could play."""
    people = party(SS, 2, clock=LIVE)
    actor, _other = whose(people)
    before = actor.time["until"]
    later.passed[0] += 3 * HOUR
    until(lambda: actor.time["until"] > before, bool)
    assert 3 * HOUR <= actor.time["until"] - before < 3 * HOUR + MINUTE
    assert actor.time["missed"] == 0


def test_a_replay_from_disk_is_exact(client, party, restarted):
    people = party(SS, 3, clock={"kind": "live", "turn": 5, "reserve": 900, "add": 2})
    for n in range(25):
        next(person for person in people if person.act())
        if n == 5:
            people[0].do("pause", pause=True)
        if n == 6:
            people[1].do("time", seat=3)
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
    record = absent.record
    written = [line for line in record.splitlines() if line.startswith("2 ")]
    if hidden == "no":
        assert len(written) == 5
        assert all("home" in line for line in written[:4]), written
        assert "9" in written[4], "the most valuable secret"
    else:
        assert [int(line.split()[-1]) for line in written] == [5] * 5 + [4] * 5
    text = f"{absent.name}'s time is up, and no orders came: the rules write them."
    assert ("late", text) in people[0].notices
    assert people[0].table["turn"] == [1, 2, 3]
    assert absent.time["until"]


def test_others_do_not_see_by_the_clock_who_has_begun_to_write(party):
    people = party("secrets", 3, clock=BY_DAYS)
    people[0].do("pause", pause=True)
    before = [people[0].table, people[1].page("/now")]
    for _ in range(4):
        assert people[2].act()
    assert people[0].table == before[0]
    assert without_time(people[1].page("/now")) == without_time(before[1])


def without_time(page):
    return re.sub(r">[\d dhmin:]+</b>|data-words>[^<]+<", ">", page)


def test_only_rules_that_know_absent_players_write_for_them(somebody):
    wish = TWO | {"clock": {**BY_DAYS, "late": "absent"}}
    answer = somebody().post("/api/games", wish)
    assert refused(answer, 422, "write nothing for an absent player")


# Clocks that leap while the house is open ---------------------------------------------------


@pytest.mark.wide
def test_a_machine_s_clock_that_jumps_ahead_and_back_moves_nobodys_time(
    fresh, client, party, monkeypatch
):
    people = party(SS, 2, clock={**LIVE, "turn": 90, "reserve": 0})
    actor, _ = whose(people)
    before, store, real = actor.time["until"], fresh.app.state.registry.store, time.time_ns
    for jump in (HOUR, 0, -HOUR):
        monkeypatch.setattr(time, "time_ns", lambda jump=jump: real() + 1_000_000 * jump)
        with fresh.portal() as portal:
            portal.call(Timekeeper(fresh.app.state.registry).beat)
        assert store.hours.closed == ()
        assert actor.time["until"] == before
        left = actor.time["until"] - store.hours.now()
        assert 60 * SECOND < left <= 90 * SECOND
    assert actor.time["missed"] == 0


@pytest.mark.wide
def test_a_database_s_clock_that_jumps_ahead_and_back_moves_nobodys_time(shared, monkeypatch):
    """Each process goes on by its own, and one that comes takes the time of the others."""
    database, hours = connected(shared), opening.Uptime()
    migrate(database)
    with database.engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO house (secret) VALUES ('')"))

    def beat(process, hours, *, first=False):
        sign = database.beat(process, 3.0, [], hours, first=first)[1]
        hours.note(sign)
        hours.sure(sign)
        return hours.now()

    beat("one", hours, first=True)
    right = {name: str(getattr(postgres, name)) for name in ("CLOCK", "ALIVE", "LIVING", "FORGET")}
    for jump in (HOUR, -HOUR, 0):
        for what, said in right.items():
            there = sa.text(said.replace(postgres.NOW, f"({postgres.NOW} + {jump})"))
            monkeypatch.setattr(postgres, what, there)
        monkeypatch.setattr(postgres.Postgres, "clock", postgres.CLOCK)
        other = opening.Uptime()
        beat("one", hours)
        for now in (beat("one", hours), beat("two", other, first=True), beat("two", other)):
            assert abs(now - opening.here()) < MINUTE
        assert hours.closed == other.closed == ()
        assert sorted(database.beat("one", 3.0, [], hours)[0]) == ["one", "two"]
        database.leave("two", other)
    database.engine.dispose()
