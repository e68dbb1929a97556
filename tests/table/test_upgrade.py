"""A house that 1.0 left goes on: its seats, orders, clocks and promised dice.

``older/house_1_0.sql`` is what lay on its disk, ``older/house_1_0.json`` who sits at its tables and
what their records said.
"""

import json
import sqlite3
import time
from pathlib import Path

import pytest
from waiting import until

from yegg.engine import Refused
from yegg.table.admin.backups import backup, restore
from yegg.table.storage.migrate import VERSION, migrate
from yegg.table.storage.store import connected

from .conftest import opened
from .people import Player, finish
from .test_promised_dice import verdict

FOLDER = Path(__file__).with_name("older")
TABLES = json.loads((FOLDER / "house_1_0.json").read_text("utf-8"))


@pytest.fixture
def disk(tmp_path):
    """The file that 1.0 left."""
    path = tmp_path / "t.db"
    file = sqlite3.connect(path)
    file.executescript((FOLDER / "house_1_0.sql").read_text("utf-8"))
    file.close()
    return path


@pytest.fixture
def sat(settings, disk):
    """Whoever sits at a table, by the table's name."""
    with opened(settings) as client:
        yield lambda name: [
            Player(client, token, seed=i, key=TABLES[name]["key"])
            for i, token in enumerate(TABLES[name]["tokens"])
        ]


@pytest.mark.parametrize("name", TABLES)
def test_every_record_says_what_it_said(sat, name):
    assert sat(name)[0].record == TABLES[name]["record"]


def test_a_game_with_a_bot_is_played_to_its_end_with_the_promised_dice(sat):
    people = sat("with_a_bot")
    promise = people[0].ask("dice").json()["promise"]
    finish(people)
    assert people[0].ask("dice").json()["promise"] == promise
    assert verdict(people[0].record).faults == []


def test_nobody_was_late_while_it_was_closed(sat):
    people = sat("by_days")
    table = people[0].table
    assert [seat["bot"] for seat in table["seats"]] == [None, None]
    assert table["clock"]["times"][0]["until"] > 1000 * time.time()
    assert any(person.act() for person in people)


def test_orders_under_seal_stand_and_are_seen_by_nobody_else(sat):
    ann, ben, cleo = sat("sealed")
    assert [len(one.table["orders"]) for one in (ann, ben, cleo)] == [5, 2, 0]
    assert not ann.table["choices"]
    while ben.act() or cleo.act():
        pass
    until(lambda: ann.table["choices"])


def test_a_game_that_is_over_can_be_looked_at_and_played_again(sat):
    ann, _ = sat("finished")
    assert (ann.table["over"], ann.table["places"]) == (True, [1, 2])
    assert ann.do("again").status_code == 200


def test_whoever_was_invited_then_may_come_now(sat):
    (ann,) = sat("waiting")
    for name in ("Ben", "Cleo"):
        assert Player(ann.client).join(ann.key, you=name).status_code == 200
    assert ann.table["begun"]


def test_its_copy_can_be_restored(settings, disk, tmp_path):
    with opened(settings):
        pass
    copied = backup(settings.db, tmp_path / "copy.db")
    restored = restore(tmp_path / "copy.db", f"sqlite:///{tmp_path / 'new.db'}")
    assert (copied.games, copied.events) == (restored.games, restored.events)


def test_a_house_of_before_1_0_is_refused(disk):
    database = connected(f"sqlite:///{disk}")
    with database.engine.begin() as connection:
        connection.execute(VERSION.update().values(version_num="0009_house"))
    with pytest.raises(Refused, match=r"of a version before 1\.0; start yegg 1\.0 with it once"):
        migrate(database)
    database.engine.dispose()
