"""The season: ratings of people by the games that count, with how sure they are."""

from types import SimpleNamespace

import sqlalchemy as sa

from yegg.table.domain.rating import START, Finished, reckoned
from yegg.table.service.season import Season, ranked
from yegg.table.storage.schema import games

from .devices import Device
from .people import SS, finish


def row(*people, places):
    return SimpleNamespace(people=[list(one) for one in people], result={"places": places})


ANN, OTHER_ANN, BEN = ("Ann", "a" * 64, None), ("Ann", "b" * 64, None), ("Ben", "c" * 64, None)
BOT = ("Lark", None, "medium")


def test_whoever_wins_stands_above_and_the_interval_grows_narrower():
    once = reckoned([Finished("ab", [1, 2])])
    often = reckoned([Finished("ab", [1, 2])] * 20)
    assert once["a"].rating > START > once["b"].rating
    assert often["a"].high - often["a"].low < once["a"].high - once["a"].low
    assert often["a"].low <= often["a"].rating <= often["a"].high
    assert (often["a"].games, often["a"].won, often["b"].won) == (20, 20, 0)
    assert len(often["a"].course) == 20


def test_a_shared_place_leaves_equals_equal():
    found = reckoned([Finished("abc", [1, 1, 3])])
    assert found["a"].rating == found["b"].rating > found["c"].rating
    assert found["a"].won == 0.5


def test_a_bot_that_sits_at_a_table_twice_is_one_in_the_ladder():
    found = reckoned([Finished(["ann", "medium", "medium"], [1, 2, 3])])
    assert found["medium"].games == 1
    assert found["ann"].rating > found["medium"].rating


def test_two_people_of_one_name_are_two():
    table = ranked([row(ANN, OTHER_ANN, places=[1, 2])] * 3, ANN[1])
    assert [(one.name, one.mine, one.skill.games) for one in table] == [
        ("Ann", True, 3),
        ("Ann (2)", False, 3),
    ]


def test_the_newest_name_is_shown_and_a_bots_level_stands_there_as_a_mark():
    games = [row(ANN, BEN, BOT, places=[1, 2, 3]), row(("Anna", *ANN[1:]), BEN, places=[1, 2])]
    table = ranked(games, None)
    assert [(one.name, one.bot) for one in table] == [
        ("Anna", False),
        ("Ben", False),
        ("medium", True),
    ]
    assert [one.place for one in table] == [1, 2, 3]


def test_a_seat_that_was_left_is_nobody_and_who_is_alone_then_is_not_rated():
    left = ("Seat 2", None, None)
    assert ranked([row(ANN, left, places=[1, 2])], None) == []
    table = ranked([row(ANN, left, BEN, places=[1, 2, 3])], None)
    assert [one.name for one in table] == ["Ann", "Ben"]


def test_the_game_is_still_theirs_for_whom_a_bot_plays_at_the_end():
    table = ranked([row(ANN, ("Ben", "c" * 64, "medium"), places=[1, 2])], None)
    assert [(one.name, one.bot) for one in table] == [("Ann", False), ("Ben", False)]


def test_a_season_is_a_quarter_and_they_follow_one_another():
    season = Season.read("2026-4")
    assert season.says == "October to December 2026"
    assert (season.before.name, season.after.name) == ("2026-3", "2027-1")
    assert Season.read("2026-1").before.name == "2025-4"
    assert Season.at(season.begins) == season
    assert Season.at(season.begins - 1) == season.before


def test_only_tables_that_were_opened_to_count_do(fresh, somebody):
    for counts in (True, False):
        ann = somebody(0).open(SS, ["me", "open"], counts=counts, you="Ann" if counts else "Una")
        ben = somebody(1)
        ben.join(ann.key, you="Ben" if counts else "Bo")
        finish([ann, ben])
    page = fresh.get(f"/season?game={SS}").text
    assert "Ann" in page
    assert "Ben" in page
    assert "Una" not in page
    assert "No game counted." in fresh.get(f"/season?game={SS}&of=2001-1").text
    assert "seasons are named as in" in fresh.get("/season?of=soon").text


def test_a_table_with_bots_only_never_counts(fresh):
    ann = Device(fresh)
    keys = [ann.open(seat1="me", seat2=other, counts="on") for other in ("uniform", "open")]
    with fresh.app.state.registry.store.engine.connect() as connection:
        found = {
            key: connection.scalar(sa.select(games.c.counts).where(games.c.key == key))
            for key in keys
        }
    assert list(found.values()) == [False, True]
