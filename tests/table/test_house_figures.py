"""The commands that show a house to its host, with and without its server."""

import json

import pytest
from waiting import until

from .conftest import opened, settings_for
from .people import SS, Player, finish
from .serving import house_says


def of_json(db, *words):
    return json.loads(house_says(db, *words, "--json"))


@pytest.mark.parametrize("there", ["file", pytest.param("shared", marks=pytest.mark.wide)])
def test_the_commands_tell_of_a_house_with_and_without_its_server(there, tmp_path, request):
    db = f"sqlite:///{tmp_path}/t.db" if there == "file" else request.getfixturevalue("shared")
    with opened(settings_for(tmp_path, db=db)) as client:
        ann, ben = Player(client).open("magnate", you="Ann"), Player(client, seed=1)
        ben.join(ann.key, you="Ben")
        finish([ann, ben])
        table = ann.at(ann.key).open(SS, ["me", "open", "uniform"], you="Ann Lee")
        while_served = [of_json(db, what) for what in ("tables", "people")]
    (one,), people = [of_json(db, what) for what in ("tables", "people")]
    assert [[one], people] == while_served
    assert (one["id"], one["game"], one["daily"]) == (table.key, SS, False)
    seats = [(seat["name"], seat["bot"], seat["person"]) for seat in one["seats"]]
    assert seats[0] == ("Ann Lee", None, True)
    assert [bot for _, bot, _ in seats] == [None, None, "uniform"]
    known = {who["name"]: (who["games"], who["open"]) for who in people}
    assert known == {"Ann Lee": (2, [one["name"]]), "Ben": (1, [])}
    figures = of_json(db, "stats")
    assert [figures[what] for what in ("begun", "finished", "in_play", "people")] == [1, 1, 1, 2]
    for spans in (figures["days"], figures["weeks"]):
        assert sum(span["begun"] for span in spans) == 1
        assert sum(span["finished"] for span in spans) == 1
        assert max(span["people"] for span in spans) == 2
    assert figures["bytes"] > figures["daily_bytes"] > 0
    assert figures["load"] == {}
    for what, words in (
        ("tables", ["Second Story", "Ann Lee", "free", "[uniform]", one["id"], "1 table in play"]),
        ("people", ["Ann Lee", "just now", "2 people"]),
        ("stats", ["1 game begun and 1 finished", "MB on disk", "says nothing of its load"]),
    ):
        text = house_says(db, what)
        assert all(word in text for word in words), text


def test_whose_bot_plays_for_them_was_last_there_when_they_said_so(settings, party, monkeypatch):
    ann, ben = party(SS, 2, you="Ann")
    ann.do("hand", bot="uniform")
    hours = ann.client.app.state.registry.store.hours
    before = {who["name"]: who["seen"] for who in of_json(settings.db, "people")}
    later = hours.now() + 60_000
    monkeypatch.setattr(type(hours), "now", lambda _: later)
    until(lambda: ben.act() or ben.table["over"])
    after = {who["name"]: who["seen"] for who in of_json(settings.db, "people")}
    assert (after["Ann"], after["Guest"]) == (before["Ann"], later)


@pytest.mark.wide
def test_the_stats_tell_the_load_of_a_server_that_runs(served):
    served_db = served.options[served.options.index("--db") + 1]
    load = of_json(served_db, "stats", "--server", served.base)["load"]
    assert {"yegg_rooms", "yegg_streams", "yegg_late_seconds"} <= load.keys()
    assert "tables in memory" in house_says(served_db, "stats", "--server", served.base)


def test_orders_under_seal_are_no_news(settings, somebody, monkeypatch):
    ann = somebody().open("secrets", ["me", "open", "open", "open"], you="Ann")
    others = [somebody() for _ in range(3)]
    for other in others:
        other.join(ann.key)

    def told():
        (table,) = json.loads(house_says(settings.db, "tables", "--json"))
        people = json.loads(house_says(settings.db, "people", "--json"))
        return table["last"], sorted(one["seen"] for one in people)

    before = told()
    later = Player(ann.client).client.app.state.registry.store.hours.now() + 60_000
    monkeypatch.setattr(type(ann.client.app.state.registry.store.hours), "now", lambda _: later)
    assert ann.act()
    assert told() == before
    assert ann.do("name", you="Anna").status_code == 200
    assert told() != before
