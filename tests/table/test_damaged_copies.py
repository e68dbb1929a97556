"""A copy is judged before anything is written: what is damaged is refused, and never restored."""

import random
import shutil
import sqlite3
from contextlib import closing

import pytest

from yegg.engine import Refused
from yegg.table.admin.backups import backup, restore
from yegg.table.app import prepare

from .old_server import change, lay_old

PAGE = 4096
TEXT = b"0123456789abcZ[]{},'\""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A house of many versions ago, brought up to date."""
    path = tmp_path_factory.mktemp("house") / "t.db"
    lay_old(path)
    change(path, "UPDATE games SET ended = 1")  # a restored game that goes on has other dice
    prepare(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="module")
def copy(house):
    backup(f"sqlite:///{house}", house.with_name("copy.db"))
    return house.with_name("copy.db")


def unsealed(copy, path):
    """The copy as versions before 1.1 made it."""
    shutil.copy(copy, path)
    change(path, "DROP TABLE checksums")
    return path


def content(path):
    """Everything in a database, but what is made anew when it is restored."""
    with closing(sqlite3.connect(path)) as disk:
        assert disk.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        made = disk.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        tables = disk.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = {name: disk.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables}  # noqa: S608
    return made, rows


def restored(path, tmp_path):
    """What is restored of a copy; None if it is refused in a sentence, and nothing was written."""
    new = tmp_path / "new.db"
    new.unlink(missing_ok=True)
    there = sorted(tmp_path.iterdir())
    try:
        restore(path, f"sqlite:///{new}")
    except Refused as error:
        said = str(error)
    else:
        return content(new)
    assert str(path) in said
    assert sorted(tmp_path.iterdir()) == there
    return None


def standing(data, dice):
    """Where something stands, often in the page that says where everything lies."""
    within = data[: dice.choice([PAGE, len(data)])]
    return dice.choice([at for at, one in enumerate(within) if one])


def byte(data, dice):
    """A byte where something stands becomes another."""
    data[standing(data, dice)] = dice.randrange(256)


def bit(data, dice):
    """A bit turns round."""
    data[standing(data, dice)] ^= 1 << dice.randrange(8)


def letters(data, dice):
    """Some letters of texts become others."""
    for at in dice.sample([at for at, one in enumerate(data) if 32 < one < 127], 3):
        data[at] = dice.choice(TEXT)


def hole(data, dice):
    """A stretch is empty."""
    size = dice.choice([16, 100, PAGE])
    at = dice.randrange(len(data) - size)
    data[at : at + size] = bytes(size)


def end(data, dice):
    """The end is missing."""
    del data[dice.choice([1, PAGE]) * dice.randrange(len(data) // PAGE) :]


@pytest.mark.parametrize("damage", [byte, bit, letters, hole, end], ids=lambda how: how.__name__)
def test_a_damaged_copy_is_restored_as_it_was_or_refused(damage, copy, tmp_path):
    whole, refused = restored(copy, tmp_path), 0
    assert whole
    for seed in range(8):
        data = bytearray(copy.read_bytes())
        damage(data, random.Random(seed))
        path = tmp_path / "damaged.db"
        path.write_bytes(data)
        found = restored(path, tmp_path)
        refused += found is None
        assert found in (None, whole), f"restored as something else: {damage.__name__}, {seed}"
    assert refused, "nothing was damaged"


@pytest.mark.parametrize("name", ["games", "events", "sittings", "house", "contacts"])
def test_a_copy_that_was_changed_is_refused_by_its_checksums(name, copy, tmp_path):
    path = shutil.copy(copy, tmp_path / "copy.db")
    what = {"games": "name = 'x'", "sittings": "name = 'x'", "house": "secret = 'x'"}
    if name == "contacts":
        change(path, "INSERT INTO sqlite_sequence VALUES ('contacts', 9)")
        name = "sqlite_sequence"
    else:
        change(path, f"UPDATE {name} SET {what.get(name, 'at = 1')}")  # noqa: S608
    with pytest.raises(Refused, match=f"its table {name} is not as it was copied"):
        restore(path, f"sqlite:///{tmp_path}/new.db")
    assert not (tmp_path / "new.db").exists()


ONE = {"event": "WHERE game = 2 AND number = 7", "game": "WHERE id = 3"}
ODD = {
    "UPDATE events SET actor = 99 {event}": (
        "events, game 2, number 7: actor is 99, but it must be a seat from 0 to 2, or -1"
    ),
    "UPDATE events SET choice = -99 {event}": (
        "events, game 2, number 7: choice is -99, but it must be a choice, or the number of a kind"
    ),
    "UPDATE events SET at = 'noon' {event}": (
        "events, game 2, number 7: at is 'noon', but it must be a whole number from -9"
    ),
    "DELETE FROM events {event}": (
        "events, game 2: number is 8, but it must be 7, since events are numbered without a gap"
    ),
    "UPDATE events SET game = 77 WHERE game = 8": (
        "events, number 1: game is 77, but it must be the number of a game"
    ),
    "UPDATE games SET options = 'maybe' {game}": (
        "games, id 3: options is 'maybe', but it must be options by their names, as JSON"
    ),
    "UPDATE games SET people = '5' {game}": (
        "games, id 3: people is 5, but it must be a list of seats, as JSON"
    ),
    "UPDATE games SET people = '[]' {game}": "it must be a list of 3 seats, as JSON",
    "UPDATE games SET seats = 0 {game}": "seats is 0, but it must be from 1 to 15",
    "UPDATE games SET odds = 2 {game}": "games, id 3: odds is 2, but it must be 0 or 1",
    "UPDATE games SET name = CAST(x'ff' AS TEXT) {game}": "but it must be text in UTF-8",
    "UPDATE games SET key = 'a key that is far too long' {game}": "text of at most 22 characters",
    "INSERT INTO contacts VALUES (1, '', '', '', '{{}}', '[24]', 'UTC', 1, 1, 1, NULL, 0, 0)": (
        "contacts: hours is odd, but it must be hours of a day, as JSON"
    ),
    "INSERT INTO dice (game, promise, seed, after, early) VALUES (2, '1', '2', 0, 1)": (
        "dice: seed is odd, but it must be the one that was promised"
    ),
}


@pytest.mark.parametrize("line", ODD, ids=lambda line: " ".join(line.split()[1:4]))
def test_an_odd_value_is_refused_by_its_line(line, copy, tmp_path):
    path = unsealed(copy, tmp_path / "old.db")
    change(path, line.format(**ONE))
    with pytest.raises(Refused, match=ODD[line]):
        restore(path, f"sqlite:///{tmp_path}/new.db")
    assert not (tmp_path / "new.db").exists()


def test_an_odd_value_in_a_copy_with_checksums_is_refused_by_its_line_too(copy, tmp_path):
    path = shutil.copy(copy, tmp_path / "copy.db")
    change(path, next(iter(ODD)).format(**ONE))
    with pytest.raises(Refused, match="events, game 2, number 7: actor is 99"):
        restore(path, f"sqlite:///{tmp_path}/new.db")


def test_a_copy_without_checksums_is_still_restored(copy, tmp_path):
    path = unsealed(copy, tmp_path / "old.db")
    assert restored(path, tmp_path) == restored(copy, tmp_path) is not None


def test_a_house_of_an_older_version_is_still_restored(tmp_path):
    lay_old(tmp_path / "old.db")
    assert restored(tmp_path / "old.db", tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "CREATE TABLE notes (said TEXT)",
        "ALTER TABLE games RENAME COLUMN origin TO place",
        "DROP TABLE blocks",
        "DROP INDEX games_by_due",
    ],
)
def test_what_is_not_made_as_a_house_is_refused(line, copy, tmp_path):
    path = unsealed(copy, tmp_path / "old.db")
    change(path, line)
    with pytest.raises(Refused, match=r"table .* is not that of a house"):
        restore(path, f"sqlite:///{tmp_path}/new.db")


def test_a_copy_that_was_served_or_restored_is_no_copy_any_more(copy, tmp_path):
    """Its checksums go, since it changes; a copy of it has its own."""
    path = shutil.copy(copy, tmp_path / "served.db")
    restore(path, f"sqlite:///{tmp_path}/new.db")
    prepare(f"sqlite:///{path}")
    for one in (path, tmp_path / "new.db"):
        assert "checksums" not in content(one)[1]
        change(one, "UPDATE games SET name = 'Moth Court'")
        backup(f"sqlite:///{one}", one.with_suffix(".copy"))
        assert restored(one.with_suffix(".copy"), tmp_path / "..")


@pytest.mark.parametrize("words", [["backup", "new.db"], ["blocked"], ["dump", "new.jsonl"]])
def test_a_damaged_house_is_told_in_a_sentence(words, house, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = shutil.copy(house, tmp_path / "t.db")
    data = bytearray(path.read_bytes())
    for at in range(3 * PAGE, len(data), PAGE):
        data[at] ^= 0xFF
    path.write_bytes(data)
    status, _, said = run("house", *words, "--db", path)
    assert status == 2
    assert "malformed" in said or "damaged" in said
    assert not list(tmp_path.glob("new*"))
