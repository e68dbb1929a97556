"""Bots at a table: who is let in, what happens when one fails, and how they share the threads."""

import asyncio
import threading
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from waiting import takes, until

from yegg import games, players
from yegg.engine import Match, Refused
from yegg.players.policy_net import policy_function
from yegg.players.policy_net.policy_function import Learned
from yegg.table.service import bots, compiling
from yegg.table.service.bots import LINES, SECONDS, Bots, SeatedBot

from .people import SS, finish, refused, whose
from .serving import awaited

GAMES = games.names()


# Who is let in ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_only_bots_that_can_play_a_game_are_offered_for_it(client, somebody, game):
    about = client.get("/api/about").json()
    able = about["games"][game]["bots"]
    assert "exact" in about["bots"]
    assert "exact" not in able, "too much can happen in all of these, or something is hidden"
    assert {"easy", "medium", "hard", "expert", "uniform"} <= set(able)
    page = client.get(f"/?game={game}").text
    assert 'value="medium"' in page
    assert 'value="exact"' not in page
    client.cookies.clear()
    usual = games.find(game).usual
    me = somebody().open(game, ["me"] + ["open"] * (usual - 1))
    menu = me.page()
    assert "<option>easy</option>" in menu
    assert "exact" not in menu


def test_a_bot_that_cannot_play_is_refused_with_those_that_can(party, somebody):
    wish = {"game": "secrets", "seats": ["me", "exact", "uniform"]}
    answer = somebody().post("/api/games", wish)
    refused(answer, 422, "exact cannot play here: it needs to see everything, and in Secrets")
    refused(answer, 422, "easy, medium, hard, expert")
    one, _ = party("secrets", 3)[:2]
    assert one.do("hand", bot="exact").status_code == 422


@pytest.mark.parametrize("budget", [f"{LINES + 1}", "100000000", f"{SECONDS + 1}s", "9999.5s"])
def test_a_budget_that_would_hold_the_threads_is_refused_with_the_largest(party, somebody, budget):
    bot = f"search:{budget}"
    wish = {"game": SS, "seats": ["me", bot]}
    one, _ = party(SS, 2)
    for answer in (
        somebody().post("/api/games", wish),
        one.do("hand", bot=bot),
    ):
        largest = f"the largest are search:{LINES} and search:{SECONDS}s"
        assert refused(answer, 422, f"{bot} would think too long for a table; {largest}")


def test_the_largest_allowed_budget_is_accepted(party):
    one, two = party(SS, 2)
    other = one if two.table["choices"] else two  # nothing is thought yet
    for bot in (f"search:{LINES}", f"search:{SECONDS}s", "search"):
        assert other.do("hand", bot=bot).status_code == 200


# Who fails --------------------------------------------------------------------------------


def raises(_):
    raise Refused("it cannot do this")


FAULTS = {"raises": raises, "illegal": lambda _: 10_000, "nothing": lambda _: None}


@pytest.fixture
def faulty(fresh, monkeypatch):
    """Make bots of some names do something wrong."""
    good = SeatedBot.choose

    def spoil(how, *names):
        def choose(self, match, *how):
            return how(match) if self.name in names else good(self, match, *how)

        monkeypatch.setattr(SeatedBot, "choose", choose)
        monkeypatch.setattr(bots, "SUBSTITUTES", ("easy", "uniform"))  # little to compile

    return spoil


def failed(person):
    return [text for kind, text in person.notices if kind == "failed"]


def played_until(me, so):
    """Play until something is so, and it is my turn."""
    until(lambda: (so() and me.table["choices"]) or (not so() and me.act() and False))


@pytest.mark.wide(but=["raises"])
@pytest.mark.parametrize("how", FAULTS.values(), ids=FAULTS)
def test_a_bot_that_fails_is_replaced_and_everybody_is_told(somebody, faulty, restarted, how):
    faulty(how, "greedy")
    me = somebody().open(SS, ["greedy", "me"])
    played_until(me, lambda: failed(me))
    seat = me.table["seats"][0]
    assert seat["bot"] == "easy"
    assert failed(me) == [f"{seat['name']} (greedy) failed; easy plays on."]
    page = me.page()
    assert f"{seat['name']} (greedy) failed; easy plays on." in page
    assert "<option>greedy</option>" not in page, "here it is not offered any more"
    refused(me.do("hand", bot="greedy"), 422, "failed at this table")
    before = me.table
    restarted(me)
    assert me.table == before
    assert me.do("hand", bot="greedy").status_code == 422


@pytest.mark.wide
def test_the_bot_of_somebody_fails_and_the_seat_stays_theirs(party, faulty):
    faulty(raises, "greedy")
    people = party(SS, 2)
    me = whose(people)[0]
    seat = me.table["seat"]
    me.do("hand", bot="greedy")
    until(lambda: failed(me))
    name = me.table["seats"][seat - 1]["name"]
    assert failed(me) == [f"{name}'s bot (greedy) failed; easy plays on."]
    assert me.do("hand", bot=None).status_code == 200
    assert me.table["seats"][seat - 1]["bot"] is None


@pytest.mark.wide
def test_when_all_fail_the_game_goes_on_all_the_same(somebody, faulty):
    faulty(raises, "greedy", "easy", "uniform")
    me = somebody().open(SS, ["greedy", "me"])
    played_until(me, lambda: failed(me)[1:])
    assert [text.partition("(")[2] for text in failed(me)] == [
        "greedy) failed; easy plays on.",
        "easy) failed; uniform plays on.",
    ]


@pytest.mark.wide
def test_a_budget_from_before_there_was_a_bound_holds_no_thread(
    client, somebody, settings, restarted
):
    me = somebody().open(SS, ["search:10", "me", "open"])  # it has not begun
    engine = sa.create_engine(settings.db)
    with engine.begin() as connection:
        huge = "UPDATE sittings SET bot = 'search:100000000' WHERE bot = 'search:10'"
        assert connection.execute(sa.text(huge)).rowcount == 1
    engine.dispose()
    restarted(me)
    me.do("hand", bot="uniform", seat=3)
    played_until(me, lambda: failed(me))
    assert failed(me)[0].endswith("(search:100000000) failed; medium plays on.")


# How they share the threads -----------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves only when a test says so."""
    passed = [0.0]
    monkeypatch.setattr(bots, "time", SimpleNamespace(monotonic=lambda: passed[0]))
    return passed


@pytest.fixture
def thinkers(monkeypatch, clock):
    monkeypatch.setattr(bots.os, "cpu_count", lambda: 2)
    made = Bots()
    yield made
    made.close()


def thought(table, seconds, clock, order):
    """A job for a table."""

    def think():
        clock[0] += seconds
        order.append(table)

    return think


def run(made):
    return awaited(asyncio.wait_for(made(), 30))


def test_a_table_with_many_jobs_does_not_block_the_others(thinkers, clock):
    order = []

    async def all_at_once():
        wanted = ["slow"] * 8 + ["one", "two"]
        jobs = [thinkers.think(t, thought(t, 0.02, clock, order)) for t in wanted]
        await asyncio.gather(*map(asyncio.ensure_future, jobs))

    run(all_at_once)
    assert order == ["slow", "one", "two"] + ["slow"] * 7


def test_a_table_of_slow_bots_is_served_less_often(thinkers, clock):
    order = []

    async def both():
        jobs = [thinkers.think("long", thought("long", 0.2, clock, order)) for _ in range(4)]
        jobs += [thinkers.think("short", thought("short", 0.03, clock, order)) for _ in range(12)]
        await asyncio.gather(*map(asyncio.ensure_future, jobs))

    run(both)
    assert order[:9] == ["long", *["short"] * 7, "long"], "seven short ones make up for a long one"


def test_time_used_alone_is_not_charged_later(thinkers, clock):
    order = []

    async def alone_then_not():
        for _ in range(6):
            await thinkers.think("old", thought("old", 0.03, clock, order))
        order.clear()
        wanted = ["new"] * 3 + ["old"] * 3
        jobs = [thinkers.think(t, thought(t, 0.03, clock, order)) for t in wanted]
        await asyncio.gather(*map(asyncio.ensure_future, jobs))

    run(alone_then_not)
    assert order == ["new", "old"] * 3, "it need not wait until the new one has had as much"


def test_quick_bots_do_not_wait_for_slow_ones(thinkers):
    go, begun = threading.Event(), threading.Event()

    async def quick_beside_slow():
        for _ in range(3):  # it gets to be known as quick
            await thinkers.think("mine", int, "quick")
        held = asyncio.ensure_future(
            thinkers.think("slow", lambda: (begun.set(), go.wait(30)), "slow")
        )
        assert await asyncio.to_thread(begun.wait, 20)
        await asyncio.wait_for(thinkers.think("mine", int, "quick"), 20)
        go.set()
        await held

    run(quick_beside_slow)


def test_a_bot_that_took_long_once_is_not_quick_for_a_while(thinkers, clock):
    async def now_and_then():
        for seconds in (0, 2.0, 0, 0, 0):
            await thinkers.think("one", thought("one", seconds, clock, []), "deep")

    run(now_and_then)
    assert thinkers.took["deep"] > bots.QUICK


def test_forced_choices_do_not_make_a_bot_quick(thinkers):
    match = Match(games.find("secrets"), 3, {"hidden": "yes"}, how="plain")
    while len(match.choices) > 1:
        match.play(match.choices[-1])

    async def forced():
        assert await thinkers.choose("one", 0, "search", match) == match.choices[0]

    run(forced)
    assert not thinkers.took
    assert not thinkers.bots


def test_a_job_that_nobody_waits_for_any_more_is_not_run(thinkers):
    go, begun, done = threading.Event(), threading.Event(), []

    async def given_up():
        held = asyncio.ensure_future(thinkers.think("one", lambda: begun.set() or go.wait(20)))
        gone = asyncio.ensure_future(thinkers.think("two", lambda: done.append("gone")))
        stays = asyncio.ensure_future(thinkers.think("three", lambda: done.append("stays")))
        assert await asyncio.to_thread(begun.wait, 20)
        assert len(thinkers.slow.waiting) == 2
        gone.cancel()
        go.set()
        await asyncio.gather(held, stays)

    run(given_up)
    assert done == ["stays"]
    assert (thinkers.slow.free, thinkers.slow.thinking) == (1, [])


def test_a_fault_reaches_who_asked_and_frees_the_thread(thinkers):
    async def fault():
        with pytest.raises(ZeroDivisionError):
            await thinkers.think("one", lambda: 1 // 0)
        assert await thinkers.think("one", lambda: 7) == 7

    run(fault)


@pytest.mark.wide
def test_tables_of_slow_bots_do_not_hold_another(fresh, somebody, monkeypatch):
    good, begun, slow = SeatedBot.choose, threading.Event(), []
    compiling.warm("secrets", "easy")

    def choose(self, match, *how):
        if self.name == "easy":
            begun.set()
            slow.append(takes(0.5))
            return match.choices[0]
        return good(self, match, *how)

    monkeypatch.setattr(SeatedBot, "choose", choose)
    for _ in range(2):  # 25 orders each, five bots at the same time
        somebody().open("secrets", ["easy"] * 5 + ["me"])
    assert begun.wait(30)
    me = somebody().open("secrets", ["uniform", "me", "uniform"])
    before = len(slow)
    until(lambda: [seat["ready"] for seat in me.table["seats"]] == [True, False, True])
    assert len(slow) - before < 40, "ten orders, each behind ten others, would be all of them"


def test_bots_remember_only_so_much_all_together(thinkers, monkeypatch):
    monkeypatch.setattr(bots, "REMEMBER", 2)
    first = thinkers.at("one", 0, "search:10")
    assert thinkers.at("one", 0, "search:10") is first
    assert thinkers.at("one", 0, "search:20") is not first, "another bot sits there"
    thinkers.at("two", 0, "search:10")
    thinkers.at("three", 0, "search:10")
    assert list(thinkers.bots) == [("two", 0), ("three", 0)]


@pytest.mark.wide
def test_the_bots_of_a_table_are_forgotten_when_its_game_is_over(fresh, client, somebody):
    remembered = client.app.state.registry.thinkers.bots
    going_on = somebody().open(SS, ["uniform", "me"])
    me = somebody().open(SS, ["me", "uniform"])
    played_until(me, lambda: (me.key, 1) in remembered)
    finish([me])
    assert until(lambda: me.key not in {table for table, _ in remembered})
    played_until(going_on, lambda: (going_on.key, 0) in remembered)


def test_a_substitute_is_the_first_that_has_not_failed():
    game = games.find("secrets")
    assert bots.substitute(game, 3, {}, ["hard"]) == "medium"
    assert bots.substitute(game, 3, {}, ["medium"]) == "easy"
    assert bots.substitute(game, 3, {}, [*players.names()]) == "uniform"


@pytest.mark.parametrize("game", games.names())
def test_a_table_says_once_which_bots_play_without_a_net(somebody, game, monkeypatch):
    seats = games.find(game).usual
    me = somebody().open(game, ["medium", *["me"] * 1, *["easy"] * (seats - 2)])
    assert "without the policy net" not in me.page()
    unusable = Learned(lacking="this file does not fit")
    monkeypatch.setattr(policy_function, "learned", lambda game: unusable)
    both = "medium plays" if seats == 2 else "medium and easy play"
    assert me.page().count(f"{both} without the policy net: this file does not fit") == 1
