"""Evenings: several rounds over one link, which open by themselves and add up."""

import re

import pytest
import sqlalchemy as sa
from waiting import until

from yegg.table.domain.evening import Plan
from yegg.table.service import evening_keeper
from yegg.table.service.block_list import BlockList
from yegg.table.storage.schema import closed, evening_members, evening_tables, evenings
from yegg.table.storage.uptime import Uptime, here

from .devices import Device
from .serving import running

SS = "second-story"
PAIRS = {
    "game": SS,
    "opt-chips": "3",
    "seats": "2",
    "kind": "swiss",
    "rounds": "2",
    "minutes": "45",
    "counts": "on",
}
MAGNATE = {"game": "magnate", "opt-chips": ""}


def opened(host, **fields):
    """Open an evening by the form; its key."""
    answer = host.post("/evening", **{**PAIRS, "plays": "on", **fields})
    assert answer.status_code == 303, answer.text
    return re.fullmatch(r"/evening/([\w-]{22})", answer.headers["location"])[1]


def joined(client, key, *names):
    people = [Device(client, name=name) for name in names]
    for one in people:
        assert one.post(f"/evening/{key}/join").status_code == 303
    return people


def begun(client, *names, **fields):
    """An evening whose first round is open; its key, and its people, the host first."""
    host = Device(client, name="Ann")
    key = opened(host, **fields)
    people = [host, *joined(client, key, *names)]
    assert host.post(f"/evening/{key}/begin").status_code == 303
    round_open(host, key, 1)
    return key, people


def seen(device, key):
    return device.get(f"/api/evenings/{key}").json()


def view(device, table):
    return device.get(f"/api/games/{table}").json()


def round_open(device, key, number):
    """Wait until all tables of a round can be played at, and whoever asks is told theirs."""

    def there():
        now = seen(device, key)
        tables = of_round(now, number)
        told = any(now["you"] in table["members"] for table in tables) == bool(now["table"])
        return tables and told and all(view(device, table["game"]).get("begun") for table in tables)

    until(there)


def play(people, key):
    """Everybody plays as long as it is their turn."""
    for device in people:
        table, mark = seen(device, key)["table"], {"X-CSRF-Token": device.csrf()}
        while table and (now := view(device, table))["choices"]:
            body = {"choice": now["choices"][-1]["text"], "after": now["number"]}
            sent = device.ask("POST", f"/api/games/{table}/choices", json=body, headers=mark)
            assert sent.status_code == 200, sent.text


def played(people, key, done=lambda now: now["over"]):
    """Play until the evening is over, or until something else."""
    for _ in range(2000):
        if done(now := seen(people[0], key)):
            return now
        play(people, key)
    raise AssertionError("the evening does not end")


def of_round(now, number):
    return [table for table in now["tables"] if table["round"] == number]


def let_bots_play(device, key):
    """Everybody's bot plays on at their table."""
    table = seen(device, key)["table"]
    assert device.post(f"/t/{table}/hand", bot="uniform").status_code == 303


@pytest.fixture
def clock(monkeypatch):
    """A list of one number: so many ms later than in truth it is at the server."""
    later = [0]
    monkeypatch.setattr(Uptime, "read", lambda hours: here() + hours.ahead + later[0])
    return later


def test_two_rounds_open_by_themselves_and_all_points_are_given_out(fresh):
    key, people = begun(fresh, "Ben", "Cy", "Dee")
    page = people[1].get(f"/evening/{key}").text
    assert "Your table is open" in page
    end = played(people, key)
    assert end["round"] == 2
    pairs = [tuple(sorted(table["members"])) for table in end["tables"]]
    assert len(pairs) == len(set(pairs)) == 4, "nobody meets twice"
    assert sum(one["points"] for one in end["members"]) == 2 * 2 * 12
    assert "The evening is over" in people[0].get(f"/evening/{key}").text
    table = people[0].get(f"/t/{end['tables'][0]['game']}").text
    assert f'href="/evening/{key}"' in table, "one comes back from the table"
    season = people[0].get(f"/season?game={SS}").text
    assert all(name in season for name in ("Ann", "Ben", "Cy", "Dee"))


def test_two_of_one_name_are_two_members(fresh):
    ann = Device(fresh)
    key = opened(ann)
    joined(fresh, key, "Ann", "ann")
    assert [one["name"] for one in seen(ann, key)["members"]] == ["Ann", "Ann (2)", "ann (3)"]
    ann.post(f"/evening/{key}/join")
    assert len(seen(ann, key)["members"]) == 3, "who presses twice has joined once"


def test_whoever_comes_late_plays_from_the_next_round_on_and_whoever_sits_out_gets_half(fresh):
    key, people = begun(fresh, "Ben", "Cy", **MAGNATE)
    first = seen(people[0], key)
    assert sorted(one["points"] for one in first["members"]) == [0, 0, 6]
    people += joined(fresh, key, "Dee")
    for one in first["tables"][0]["members"]:  # their bots are quicker
        let_bots_play(people[one - 1], key)
    round_open(people[0], key, 2)
    now = seen(people[0], key)
    assert len(of_round(now, 2)) == 2
    assert 4 in [m for table in of_round(now, 2) for m in table["members"]]
    for one in people:
        let_bots_play(one, key)
    end = until(lambda: (now := seen(people[0], key))["over"] and now)
    assert sum(one["points"] for one in end["members"]) == 12 + 6 + 24


def test_whoever_goes_is_in_no_further_round_until_they_are_back(fresh):
    key, people = begun(fresh, "Ben", "Cy", "Dee", rounds="3")
    assert people[3].post(f"/evening/{key}/leave").status_code == 303
    now = played(people, key, lambda now: now["round"] == 2 and now["tables"][2]["members"])
    assert 4 not in [m for table in of_round(now, 2) for m in table["members"]]
    assert people[3].post(f"/evening/{key}/join").status_code == 303
    now = played(people, key, lambda now: now["round"] == 3)
    assert 4 in [m for table in of_round(now, 3) for m in table["members"]]


def test_once_a_round_is_late_a_bot_plays_for_whom_a_table_waits_for(fresh, clock):
    key, people = begun(fresh, "Ben", rounds="1")
    clock[0] = 44 * 60_000
    table = seen(people[0], key)["table"]
    looks = fresh.app.state.evenings.look
    with fresh.portal() as portal:
        portal.call(looks)
    assert not any(seat["bot"] for seat in view(people[0], table)["seats"])
    clock[0] = 46 * 60_000

    def some_time_later():  # each of the two is waited for
        clock[0] += evening_keeper.GRACE
        return (now := seen(people[0], key))["over"] and now

    end = until(some_time_later)
    assert sum(one["points"] for one in end["members"]) == 12
    assert "a bot played" in people[0].get(f"/evening/{key}").text


def test_a_restart_makes_no_round_longer_however_long_the_house_was_closed(
    client, restarted, clock
):
    key, people = begun(client, "Ben", rounds="1")
    with client.portal() as portal:
        portal.call(client.app.state.evenings.close)
    since = client.app.state.registry.store.hours.now()
    with client.app.state.registry.store.engine.begin() as connection:
        connection.execute(sa.insert(closed).values(since=since, until=since + 30 * 60_000))
    clock[0] = 44 * 60_000
    again = restarted(*people)
    table = seen(people[0], key)["table"]
    with again.portal() as portal:
        portal.call(again.app.state.evenings.look)
    assert not any(seat["bot"] for seat in view(people[0], table)["seats"])
    clock[0] = 45 * 60_000 + evening_keeper.GRACE
    until(lambda: any(seat["bot"] for seat in view(people[0], table)["seats"]))


@pytest.mark.parametrize("missing", ["bot", "out"])
def test_for_whoever_is_missing_a_bot_plays_on_or_they_are_left_out(fresh, missing):
    key, people = begun(fresh, "Ben", "Cy", "Dee", missing=missing)
    let_bots_play(people[1], key)
    now = played([people[0], *people[2:]], key, lambda now: now["round"] == 2 or now["over"])
    ben = now["members"][1]
    if missing == "bot":
        (table,) = [t["game"] for t in of_round(now, 2) if 2 in t["members"]]
        until(lambda: "begun" in view(people[0], table))
        bots = [seat["bot"] for seat in view(people[0], table)["seats"] if seat["name"] == "Ben"]
        assert bots == ["medium"]
        assert not ben["away"]
    else:
        assert ben["away"]
        assert ben["points"] == 0
        assert 2 not in [m for t in of_round(now, 2) for m in t["members"]]


def test_only_the_host_begins_and_only_with_enough_people(fresh):
    ann = Device(fresh)
    key = opened(ann)
    assert "a table needs 2 people" in ann.sent(f"/evening/{key}/begin").text.lower()
    (ben,) = joined(fresh, key, "Ben")
    assert "only whoever opened" in ben.sent(f"/evening/{key}/begin").text.lower()
    assert not seen(ben, key)["begun"]


def test_what_cannot_be_played_is_refused_in_words(fresh):
    ann = Device(fresh)
    page = ann.sent("/evening", **{**PAIRS, **MAGNATE, "seats": "3"}).text
    assert "tables for 2 people" in page
    assert "there is no such evening" in ann.get(f"/evening/{'x' * 22}").text.lower()


def test_people_who_keep_apart_join_no_evening_together(fresh):
    ann, ben = Device(fresh), Device(fresh, name="Ben")
    table = ann.open()
    ben.post(f"/t/{table}/join", you="Ben", seat="2")
    ann.post(f"/t/{table}/block", seat="2")
    key = opened(ann)
    assert "you cannot sit down" in ben.sent(f"/evening/{key}/join").text.lower()
    assert len(seen(ann, key)["members"]) == 1


def test_whoever_is_forgotten_leaves_points_and_no_name(fresh):
    key, people = begun(fresh, "Ben", rounds="1")
    played(people, key)
    before = seen(people[0], key)
    people[1].post("/me/forget")
    fresh.app.state.evenings.changed(key)
    now = seen(people[0], key)
    assert [one["name"] for one in now["members"]] == ["Ann", "Somebody"]
    assert [one["points"] for one in now["members"]] == [o["points"] for o in before["members"]]


def test_a_page_that_asks_again_is_answered_shortly_until_something_has_happened(fresh):
    ann = Device(fresh)
    key = opened(ann)
    first = ann.get(f"/evening/{key}/now")
    tag = {"If-None-Match": first.headers["etag"]}
    assert ann.ask("GET", f"/evening/{key}/now", headers=tag).status_code == 304
    joined(fresh, key, "Ben")
    assert ann.ask("GET", f"/evening/{key}/now", headers=tag).status_code == 200


def test_a_round_that_was_drawn_is_opened_after_a_kill_and_only_once(tmp_path):
    with running(tmp_path) as server:
        key, people = begun(server.client, "Ben", "Cy", "Dee")
        before = seen(people[0], key)["tables"]
        server.kill()
        with sa.create_engine(f"sqlite:///{tmp_path}/t.db").begin() as connection:
            games = sa.table("games", sa.column("key"), sa.column("id"))
            lost = before[0]["game"]
            number = connection.scalar(sa.select(games.c.id).where(games.c.key == lost))
            for name in ("sittings", "events", "dice"):  # as if it had not been opened yet
                of = sa.table(name, sa.column("game"))
                connection.execute(sa.delete(of).where(of.c.game == number))
            connection.execute(sa.delete(games).where(games.c.key == lost))
        server.start()
        round_open(people[0], key, 1)
        assert [t["game"] for t in seen(people[0], key)["tables"]] == [t["game"] for t in before]
        end = played(people, key)
        assert end["round"] == 2
        assert sum(one["points"] for one in end["members"]) == 48


def test_two_processes_open_each_table_of_a_round_once(two):
    ann = Device(two[0].client)
    key = opened(ann)
    others = [
        joined(two[i % 2].client, key, name)[0] for i, name in enumerate(("Ben", "Cy", "Dee"))
    ]
    assert ann.post(f"/evening/{key}/begin").status_code == 303
    end = played([ann, *others], key)
    assert [len(of_round(end, number)) for number in (1, 2)] == [2, 2]
    assert sum(one["points"] for one in end["members"]) == 48


def test_what_is_kept_fits_the_plan(fresh):
    key, _ = begun(fresh, "Ben", kind="round-robin", rounds="")
    store = fresh.app.state.registry.store
    with store.engine.connect() as connection:
        plan = connection.scalar(sa.select(evenings.c.plan).where(evenings.c.key == key))
        assert Plan(**plan).rounds is None
        assert len(list(connection.execute(sa.select(evening_tables)))) == 2
        assert connection.scalar(sa.select(sa.func.count()).select_from(evening_members)) == 2


def test_a_seat_of_an_evening_is_not_given_up_and_its_table_neither_paused_nor_hidden(fresh):
    key, people = begun(fresh, "Ben", clock="live", main="10")
    table = seen(people[0], key)["table"]
    head = {"X-CSRF-Token": people[0].csrf()}
    for path, body in (("leave", {}), ("pause", {"pause": True}), ("watch", {"who": "nobody"})):
        at = f"/api/games/{table}/{path}"
        answer = people[0].ask("POST", at, json=body, headers=head)
        assert answer.status_code == 409, (path, answer.text)


def test_after_the_end_nothing_is_drawn_but_late_tables_are_finished(fresh, clock):
    key, people = begun(fresh, "Ben")
    table = seen(people[0], key)["table"]
    assert people[0].post(f"/evening/{key}/end").status_code == 303
    clock[0] = 46 * 60_000

    def some_time_later():
        clock[0] += evening_keeper.GRACE
        return view(people[0], table)["over"]

    until(some_time_later, seconds=120)  # the bot that plays on may have to be compiled
    assert {one["round"] for one in seen(people[0], key)["tables"]} == {1}


def test_a_script_that_has_only_joined_can_be_forgotten(fresh):
    key, _ = begun(fresh, "Ben")
    joining = fresh.post(f"/api/evenings/{key}/join", json={"you": "Gone Soon"})
    head = {"Authorization": f"Bearer {joining.json()['token']}"}
    assert fresh.post("/api/me/forget", headers=head).status_code == 200
    until(lambda: "Gone Soon" not in fresh.get(f"/api/evenings/{key}").text)


@pytest.mark.parametrize("path", ["/evening/{}/leave", "/api/evenings/{}/leave"])
def test_whoever_is_blocked_can_leave_an_evening_and_not_come_back(client, monkeypatch, path):
    host = Device(client, name="Ann")
    key = opened(host)
    ben = joined(client, key, "Ben")[0]
    registry = client.app.state.registry
    person = registry.whose(registry.signer.token(ben.cookies["yegg"]), "")
    csrf = ben.csrf()
    listed = BlockList(people=frozenset({person}))
    monkeypatch.setattr(registry.guests, "check", listed.check)
    form, head = {"csrf": csrf}, {"X-CSRF-Token": csrf}
    assert "said=" not in sent(ben, path.format(key), form, head)
    assert [one["away"] for one in seen(host, key)["members"]] == [False, True]
    assert ".403." in sent(ben, f"/evening/{key}/join", form, head)


def sent(device, path, form, head):
    """Where a form leads; of JSON nothing."""
    api = path.startswith("/api")
    more = {"headers": head} if api else {"data": form}
    answer = device.ask("POST", path, told=False, **more)
    assert answer.status_code == (200 if api else 303), answer.text
    return answer.headers.get("location", "")


@pytest.mark.parametrize("what", ["leave", "begin", "end"])
def test_forms_of_an_evening_count_against_the_limits(fresh, monkeypatch, what):
    ann, limits = Device(fresh, name="Ann"), fresh.app.state.limits
    key, csrf = opened(ann), ann.csrf()
    monkeypatch.setattr(limits.asking, "rate", 0.001)
    monkeypatch.setattr(limits.asking, "burst", 2)
    monkeypatch.setattr(limits, "on", True)
    form = {"csrf": csrf}
    led = [sent(ann, f"/evening/{key}/{what}", form, {}) for _ in range(3)]
    assert [".429." in where for where in led] == [False, False, True]


def test_people_who_have_not_joined_before_count_as_if_they_opened_tables(fresh, monkeypatch):
    ann, limits = Device(fresh, name="Ann"), fresh.app.state.limits
    key, csrf = opened(ann), ann.csrf()
    monkeypatch.setattr(limits.opening, "rate", 0.001)
    monkeypatch.setattr(limits.opening, "burst", 3)
    monkeypatch.setattr(limits, "on", True)
    fresh.cookies.clear()
    scripts = [fresh.post(f"/api/evenings/{key}/join", json={}) for _ in range(3)]
    ben = Device(fresh, name="Ben")
    led = ben.ask("POST", f"/evening/{key}/join", data={"csrf": ben.csrf()}, told=False)
    assert [one.status_code for one in scripts] == [200, 200, 200]
    assert ".429." in led.headers["location"]
    assert fresh.post(f"/api/evenings/{key}/join", json={}).status_code == 429
    assert len(seen(ann, key)["members"]) == 4
    back = sent(ann, f"/evening/{key}/join", {"csrf": csrf}, {})
    assert "said=" not in back, "whoever comes back opens nothing"


def test_no_evening_whose_clock_names_nobody_who_can_play(client):
    wish = {"game": SS, "seats": 2, "clock": {"kind": "live", "late": "nobody"}}
    assert client.post("/api/evenings", json=wish).status_code == 422
