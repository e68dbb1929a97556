"""Who watches is told later, if the table says so: every byte is of the position of then."""

import itertools
import re
import time

import pytest
import sqlalchemy as sa
from twins import elsewhere
from waiting import until

from yegg import games
from yegg.table.service import challenges, presence
from yegg.table.service.delays import UNSEEN, DelayedTable
from yegg.table.storage import uptime

from .people import LIVE, SS, Player, finish, refused
from .serving import running
from .test_secrecy import LOOKED, SECRET, SENT, as_if, ready

LATE = {"who": "link", "later": 60}
TABLE = ("", "/now", "/steps?after=0", "/steps", "/record", "/dice", "/marks", "/course", "/review")
TABLE += ("/at/3", "?at=3")
API = ("", "/record", "/dice", "/review", "/advice", "/odds")
TO_DO = ("join", "fork", "choices", "undo", "hand", "again", "phrases", "watch")


def bodies(what):
    """A body that might be done."""
    return {"fork": {"at": 2}, "choices": {"choice": 1, "after": 1}, "phrases": {"phrase": 1}}.get(
        what, {}
    )


def scrubbed(answer):
    """What was sent, but for what is new in each answer: salts, marks of forms, the time."""
    text = re.sub(r'(name="(salt|csrf|ticket)"|data-promise=)[^>]*', "", answer.text)
    text = re.sub(r'data-moment="\d+"', "", text)
    head = {key: answer.headers.get(key) for key in ("etag", "cache-control", "content-type")}
    return answer.status_code, head, text


def everything(client, key, token=None):
    """All that somebody without a seat can have of a table, by its address."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    sent = {}
    for path in [f"/t/{key}{p}" for p in TABLE] + [f"/api/games/{key}{p}" for p in API]:
        sent[path] = scrubbed(client.get(path, headers=headers))
        client.cookies.clear()
    for what in TO_DO:
        sent[what] = scrubbed(client.post(f"/api/games/{key}/{what}", json=bodies(what)))
    lobby = client.get("/api/lobby").json()
    return sent | {"lobby": [lobby["tables"], lobby["watch"]]}


@pytest.fixture
def later(fresh, monkeypatch):
    """Time stands until it is let pass; the house is open meanwhile."""
    now = [time.time_ns() // 1_000_000]
    monkeypatch.setattr(uptime, "here", lambda: now[0])
    monkeypatch.setattr(presence, "COUNTING", 0.0)

    def skip(ms, client=fresh):
        now[0] += ms
        store = client.app.state.registry.store
        with store.engine.begin() as connection:  # else the house would have been closed
            connection.execute(sa.text("UPDATE house SET open_at = :now"), {"now": now[0]})
        store.hours.seen += ms

    return skip


@pytest.fixture
def stranger(client):
    return Player(client)


def test_by_default_whoever_has_the_link_sees_it_as_it_happens(party, stranger):
    people = party(SS, 2)
    stranger.key = people[0].key
    for _ in range(5):
        any(person.act() for person in people)
        assert stranger.table["number"] == people[0].table["number"]
    assert stranger.table["watch"] == {"who": "link", "later": 0}


@pytest.mark.parametrize("game", games.names())
def test_who_is_told_later_gets_nothing_of_what_has_happened_since(game, fresh, party, later):
    terms = LATE | {"who": "lobby"}
    people = party(
        game, min(n for n in games.find(game).seats({}) if n > 1), watch=terms, clock=LIVE
    )
    key = people[0].key
    later(1000)
    opening = Player(fresh, key=key).table
    for _ in range(12):
        assert [person.act() for person in people]
    later(59_000)
    assert Player(fresh, key=key).table == opening, "nothing is told yet"
    later(2000)  # orders of one seat are a millisecond apart, also where time stands still
    then = Player(fresh, key=key).table
    assert then["happened"] != opening["happened"]
    before = everything(fresh, key)
    assert before["lobby"][1]["id"] == key
    for _ in range(8):
        any(person.act() for person in people)
    people[1].do("phrases", phrase=1)
    people[1].do("name", you="Somebody Else")
    people[0].do("pause", pause=True)
    people[1].do("leave")
    assert people[0].table["number"] > then["number"]
    table, delays = fresh.app.state.registry.tables[key], fresh.app.state.registry.delays
    with table.watching("cid"), delays.seen_by(table, None).watching("dora"):
        table.look_round()
        assert people[0].table["guests"] == 2, "those who play read how many watch"
        assert everything(fresh, key) == before


def playing(people, times):
    """So many rounds of choices."""
    for _ in range(times):
        any(person.act() for person in people)


def test_a_player_sees_it_live_and_in_another_browser_as_others_do(fresh, party, later):
    people = party(SS, 2, watch=LATE)
    later(1000)
    playing(people, 4)
    stranger = Player(fresh, key=people[0].key)
    assert stranger.table["number"] < people[0].table["number"]
    assert stranger.table["seat"] is None
    assert people[0].table["seat"] == 1
    later(60_000)
    assert stranger.table["number"] == people[0].table["number"]
    assert stranger.table["position"] == people[1].table["position"]


def test_whoever_left_the_table_watches_like_everybody(fresh, party, later):
    people = party(SS, 2, watch=LATE)
    later(1000)
    playing(people, 4)
    assert people[1].do("leave").status_code == 200
    assert people[1].table["number"] < people[0].table["number"]
    assert people[1].table["seat"] is None, "not even then"
    refused(people[1].choose("stop", 1), 401)


def test_until_it_is_over_only_the_beginning_is_shown(fresh, party, later):
    people = party(SS, 2, watch={"who": "lobby", "later": None})
    stranger = Player(fresh, key=people[0].key)
    later(1000)
    opening = stranger.table
    playing(people, 6)
    later(50_000_000)
    assert stranger.table == opening
    assert stranger.get("/api/lobby").json()["watch"] is None
    finish(people)
    assert stranger.table["over"]
    assert stranger.table["places"] == people[0].table["places"]


def test_where_nobody_may_watch_only_those_who_can_sit_down_look(fresh, party, somebody):
    one = somebody(0).open(watch={"who": "nobody"})
    stranger = Player(fresh, key=one.key)
    assert stranger.table["seats"][1]["free"]
    other = somebody(1)
    assert other.join(one.key).status_code == 200
    refused(stranger.get(f"/api/games/{one.key}"), 403, UNSEEN)
    assert stranger.get(f"/t/{one.key}").status_code == 403
    assert f'href="/t/{one.key}"' not in stranger.get(f"/t/{one.key}").text, "it leads nowhere"
    assert one.table["seat"] == 1
    other.do("leave")
    assert stranger.table["seats"][1]["free"]


def test_only_whoever_opened_the_table_says_who_may_watch_and_all_are_told(fresh, party, later):
    people = party(SS, 2)
    refused(people[1].do("watch", who="nobody"), 403, "only whoever opened this table")
    refused(Player(fresh, key=people[0].key).do("watch", who="nobody"), 401)
    assert people[0].do("watch", who="link", later=7).status_code == 400
    assert people[0].do("watch", **LATE).json() == LATE
    assert people[1].table["watch"] == LATE
    said = "whoever has the link may watch, told a minute later."
    assert people[1].notices[-1] == ("watch", f"Guest has changed who may watch: {said}")
    later(1000)
    playing(people, 3)
    stranger = Player(fresh, key=people[0].key)
    assert stranger.table["number"] < people[0].table["number"]
    people[0].do("watch", who="link")
    assert stranger.table["number"] == people[0].table["number"]


def test_the_page_says_how_much_later_it_is_told(fresh, party, later):
    people = party(SS, 2, watch=LATE)
    stranger = Player(fresh, key=people[0].key)
    assert "told a minute later" in stranger.page()
    assert 'name="later"' not in stranger.page()
    assert 'name="later"' in people[0].page()
    assert 'name="later"' not in people[1].page()
    assert "Whoever has the link may watch, told a minute later." in people[1].page()


def test_a_restarted_server_tells_the_same(fresh, party, later, restarted):
    people = party(SS, 2, watch=LATE | {"who": "lobby"})
    later(1000)
    playing(people, 6)
    later(30_000)
    playing(people, 4)
    later(30_000)
    before = everything(fresh, people[0].key)
    again = restarted(*people)
    assert everything(again, people[0].key) == before
    assert before["lobby"][1]["id"] == people[0].key


def test_who_sits_down_where_a_place_was_told_is_refused_without_news(
    fresh, party, later, somebody
):
    people = party(SS, 2, watch=LATE)
    later(1000)
    people[1].do("leave")
    stranger = somebody(7)
    later(1000)
    refused(stranger.join(people[0].key), 409)
    later(60_000)
    playing(people, 1)
    people[0].do("hand", bot="uniform", seat=2)
    late = stranger.join(people[0].key)
    assert late.json() == {"why": "there is no place any more"}


def test_streams_of_those_told_later_wake_by_time_alone(fresh, party, later, looked, monkeypatch):
    monkeypatch.setattr(DelayedTable, "beat", lambda _: None)  # that wakes by the clock, too
    people = party(SS, 2, watch=LATE)
    stranger, registry = Player(fresh, key=people[0].key), fresh.app.state.registry
    table = registry.tables[people[0].key]
    later(1000)
    number = stranger.table["number"]
    seen = registry.delays.seen_by(table, None)
    assert isinstance(seen, DelayedTable)
    with seen.watching() as awake:
        awake.clear()
        playing(people, 4)
        people[1].do("phrases", phrase=1)
        looked()
        assert not awake.is_set(), "what happens now wakes nobody"
        later(60_000)
        until(awake.is_set)
        until(lambda: seen.now.number > number)
    assert seen.now.number == table.now.number


@pytest.mark.parametrize("terms", [LATE, LATE | {"later": 0}])
def test_a_stream_ends_when_friends_play_the_same_deal(terms, fresh, later, looked, monkeypatch):
    monkeypatch.setattr(DelayedTable, "beat", lambda _: None)  # that wakes by the clock, too
    ann, registry = Player(fresh).open(SS, ["me", "greedy"], watch=terms), fresh.app.state.registry
    until(lambda: ann.table["begun"])
    later(1000)
    table = registry.tables[ann.key]
    seen, person = registry.delays.seen_by(table, None), table.now.seats[0].person
    assert isinstance(seen, DelayedTable) == bool(terms["later"])
    until(lambda: not (ann.act() or not ann.table["over"]))
    with seen.watching() as awake, fresh.portal() as portal:
        looked()
        assert challenges.still_shown(registry, seen, None)
        awake.clear()
        portal.call(challenges.challenge, table, 0)
        until(awake.is_set)
        assert not challenges.still_shown(registry, seen, None)
        assert challenges.still_shown(registry, table, person), "whoever played sees their game"


@pytest.mark.parametrize("game", SECRET)
def test_what_nobody_who_watches_may_know_is_not_told_later_either(game, fresh, party, later):
    """Games that differ in a card in somebody's hand, or an order under seal, are sent alike."""
    people = party(game, min(n for n in games.find(game).seats({}) if n > 1), watch=LATE)
    registry, compared = fresh.app.state.registry, 0
    for _ in range(12):
        later(1000)
        assert [person.act() for person in people]
    later(55_000)
    for _ in range(4):
        later(1000)
        stranger = Player(fresh, key=people[0].key)
        assert stranger.table["number"] < people[0].table["number"]
        seen = registry.delays.seen_by(registry.tables[people[0].key], None)
        assert isinstance(seen, DelayedTable)
        for twin in itertools.islice(elsewhere(seen.now.match, -1), 3):
            there = as_if(seen, twin)
            if ready(there) == ready(seen):
                assert [d(there, -1) for d in SENT + LOOKED] == [d(seen, -1) for d in SENT + LOOKED]
                compared += 1
    assert compared > 1, "nothing was compared"


def test_a_stream_brings_what_becomes_due_and_nothing_else(tmp_path):
    """A minute is a second here.  What is sent has the numbers of then, one after another."""
    quick = "from yegg.table.domain import watching; watching.SECOND = 17"
    with running(tmp_path, first=quick) as server:
        one = Player(server.client, seed=0).open(watch=LATE)
        other = Player(server.client, seed=1)
        assert other.join(one.key).status_code == 200
        begun = time.monotonic()
        playing([one, other], 5)
        played = time.monotonic()
        newest = one.table["number"]
        stranger = Player(server.client, key=one.key)
        numbers, came = [], 0.0
        for view in stranger.views():
            assert view["seat"] is None
            numbers.append(view["number"])
            if view["number"] == newest:
                came = time.monotonic()
                break
        assert numbers == sorted(set(numbers))
        assert came - begun > 1.0
        assert came - played < 5.0


def test_all_processes_tell_the_same(two_alone):
    here, there = two_alone
    one = Player(here.client, seed=0).open(watch=LATE)
    other = Player(there.client, seed=1)
    assert other.join(one.key).status_code == 200
    until(lambda: one.table["begun"])
    opening = [Player(server.client, key=one.key).table for server in two_alone]
    assert opening[0] == opening[1]
    playing([one, other], 4)
    until(lambda: one.table["number"] == other.table["number"] > opening[0]["number"])
    assert [Player(server.client, key=one.key).table for server in two_alone] == opening
    assert one.do("watch", who="link").status_code == 200
    newest = one.table["number"]
    until(lambda: Player(there.client, key=one.key).table["number"] == newest)
