"""Copies of a house are made while people play; a restored house goes on with all tables."""

import io
import json
import sqlite3
import threading

import httpx
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient
from waiting import until

from yegg import games
from yegg.cli.admin import command
from yegg.engine import Refused, notation
from yegg.engine.promised import Earlier, check_dice, pledged
from yegg.table.admin.backups import backup, backup_into, restore
from yegg.table.app import application
from yegg.table.settings import Settings

from .conftest import Player, finish
from .old_server import change
from .serving import Served

HOST = "http://testserver.local"


def serving(db):
    how = {"limits": False, "pace": 0.0, "warm": False, "hosts": ("testserver.local",)}
    return TestClient(application(Settings(db=db, **how)), base_url=HOST)


def records(people):
    return [person.get(f"/api/games/{person.key}/record").text for person in people]


def goes_on(text, then):
    """Whether a record begins with what was told before, where nothing was hidden then."""
    now, before = (one.partition("\n\n")[2].splitlines() for one in (text, then))
    assert len(now) > len(before) > 6
    return all(old.endswith(" -") or old == new for old, new in zip(before, now, strict=False))


def rows_of(copy, table):
    """Rows of a table; JSON is read, since databases write it with blanks and without."""
    for row in sqlite3.connect(copy).execute(f"SELECT * FROM {table}"):  # noqa: S608
        yield [
            json.loads(what) if isinstance(what, str) and what[:1] in ("[", "{") else what
            for what in row
        ]


def go_on(db, before, acts=None):
    """Open a house and let everybody play their game to its end, or so far."""
    with serving(db) as client:
        people = [Player(client, token, seed) for seed, (token, _) in enumerate(before)]
        for person, (_, key) in zip(people, before, strict=True):
            person.key = key
        for first, second in zip(people[::2], people[1::2], strict=True):
            if acts is None:
                finish([first, second])
            for _ in range(acts or 0):
                assert first.act() or second.act()
        return records(people)


def played(db, games=("second-story", "magnate")):
    """Tables in the middle of a game: the token and key of everybody, and the records."""
    with serving(db) as client:
        people = []
        for game in games:
            first, second = Player(client, seed=1), Player(client, seed=2)
            first.open(game, ["me", "open"])
            assert second.join(first.key).status_code == 200
            for _ in range(6):
                assert first.act() or second.act()
            people += [first, second]
        return [(person.token, person.key) for person in people], records(people)


def test_a_restored_house_goes_on_with_all_tables(tmp_path):
    db = f"sqlite:///{tmp_path}/t.db"
    before, told = played(db)
    made = backup(db, tmp_path / "copy.db")
    assert (made.games, made.path) == (2, str(tmp_path / "copy.db"))
    restored = f"sqlite:///{tmp_path}/new/t.db"
    assert restore(tmp_path / "copy.db", restored)[1:] == made[1:]
    after = go_on(restored, before)
    for text, then in zip(after, told, strict=True):
        assert goes_on(text, then)
        assert "places:" in text


def seeds(path):
    rows = sqlite3.connect(path).execute("SELECT promise, seed, game FROM dice ORDER BY game")
    return [*rows]


def judged(text, *earlier):
    texts = [notation.read(io.BytesIO(one.encode()), "a", games.find) for one in (text, *earlier)]
    first, *others = map(Earlier, texts, (pledged(one, "a") for one in (text, *earlier)))
    return check_dice(*first, earlier=others)


@pytest.mark.wide(but=["file"])
@pytest.mark.parametrize("there", ["file", "shared"])
def test_a_restored_house_goes_on_with_dice_that_nobody_knows(there, tmp_path, request):
    """The house that was copied may have opened the seeds since."""
    db, copy, restored = f"sqlite:///{tmp_path}/t.db", tmp_path / "copy.db", tmp_path / "new.db"
    to = f"sqlite:///{restored}" if there == "file" else request.getfixturevalue("shared")
    before, _ = played(db)
    with serving(db) as client:
        over = Player(client).open("second-story", ["me", "open"], options={"chips": "3"})
        other = Player(client, seed=1)
        other.join(over.key)
        finish([over, other])
        waits = Player(client).open("magnate", ["open", "me"])
        early = Player(client).open("magnate", ["open", "open"])
    backup(db, copy)
    first = [text for text in go_on(db, before) if "# seed: " in text]
    assert len(first) == 4, "two games, two players"
    restore(copy, to)
    if there == "shared":
        backup(to, restored)
    old, new = seeds(copy), seeds(restored)
    assert len(old) == len(new) == 5
    assert [one == two for one, two in zip(old, new, strict=True)] == [False] * 2 + [
        True, False, False]  # fmt: skip
    lost = {seed for _, seed, _ in old} - {seed for _, seed, _ in new}
    assert len(lost) == 4
    assert not any(seed.encode() in restored.read_bytes() for seed in lost)
    assert sqlite3.connect(restored).execute("SELECT dice FROM house").fetchone() == (None,)
    rows = sqlite3.connect(restored).execute("SELECT early FROM dice ORDER BY game DESC LIMIT 2")
    assert rows.fetchall() == [(1,), (0,)], "somebody sat at one of them, and saw another promise"
    for text, other, (promise, _, _) in zip(go_on(to, before), first, [*old[:1] * 2, *old[1:2] * 2],
                                            strict=True):  # fmt: skip
        pledge = pledged(text, "a")
        assert pledge.origin == promise == pledged(other, "a").promise
        assert pledge.after > 6
        (fault,) = judged(text).faults
        assert "no record of that promise was given" in fault.why
        assert judged(text, other).faults == []
    assert {waits.key, early.key} & {key for _, key in before} == set()


def test_a_game_whose_rules_are_gone_keeps_no_seed(tmp_path):
    db, copy, restored = f"sqlite:///{tmp_path}/t.db", tmp_path / "copy.db", tmp_path / "new.db"
    played(db)
    change(tmp_path / "t.db", "UPDATE games SET game = 'gone' WHERE id = 1")
    backup(db, copy)
    restore(copy, f"sqlite:///{restored}")
    assert [game for _, _, game in seeds(restored)] == [2]


@pytest.mark.wide(but=["file"])
@pytest.mark.parametrize("there", ["file", "shared"])
def test_a_copy_made_while_people_play_holds_all_that_was_acknowledged_before_it(
    there, tmp_path, request
):
    db = None if there == "file" else request.getfixturevalue("shared")
    served = Served(tmp_path, db=db).start()
    try:
        people = [Player(served.client) for _ in range(2)]
        key = people[0].open().key
        assert people[1].join(key).status_code == 200
        kept, stop, faults = [0], threading.Event(), []

        def play():
            try:
                while not stop.is_set():
                    views = [person.table for person in people]
                    seat = next((i for i in (0, 1) if views[i]["choices"]), None)
                    if seat is None:
                        return
                    view = views[seat]
                    text = view["choices"][0]["text"]
                    answer = people[seat].choose(text, view["number"])
                    assert answer.status_code == 200, answer.text
                    kept.append(answer.json()["number"])
            except BaseException as fault:  # noqa: BLE001  told by the test
                faults.append(fault)

        player = threading.Thread(target=play)
        player.start()
        copies = []
        for n in range(3):
            begun = len(kept)
            until(lambda n=begun: len(kept) >= n + 3 or not player.is_alive())
            acknowledged = kept[-1]
            words = ["backup", str(tmp_path / f"{n}.db"), "--db", db or str(tmp_path / "t.db")]
            done = CliRunner().invoke(command, words)
            assert done.exit_code == 0, (done.output, done.exception)
            copies.append((tmp_path / f"{n}.db", acknowledged))
        stop.set()
        player.join()
        assert not faults
        for path, acknowledged in copies:
            (newest,) = sqlite3.connect(path).execute("SELECT max(number) FROM events").fetchone()
            assert newest >= acknowledged > 0
    finally:
        served.close()
    again = f"sqlite:///{tmp_path}/again.db"
    restore(copies[-1][0], again)
    assert len(go_on(again, [(person.token, key) for person in people], 4)) == 2


def test_a_house_moves_from_a_file_to_postgresql_and_back(tmp_path, shared):
    db = f"sqlite:///{tmp_path}/t.db"
    before, told = played(db)
    backup(db, tmp_path / "one.db")
    restore(tmp_path / "one.db", shared)
    restore(tmp_path / "one.db", f"sqlite:///{tmp_path}/other.db")
    with pytest.raises(Refused, match="there are games in that database already"):
        restore(tmp_path / "one.db", shared)
    backup(shared, tmp_path / "two.db")
    tables = [
        name
        for (name,) in sqlite3.connect(tmp_path / "one.db").execute(
            "SELECT name FROM sqlite_master"
            " WHERE type = 'table' AND name NOT IN ('processes', 'checksums')"
        )
    ]
    assert "events" in tables
    for name in tables:
        files = ("one.db", "two.db") if name not in ("dice", "house") else ("other.db", "two.db")
        rows = [sorted(rows_of(tmp_path / copy, name), key=repr) for copy in files]
        if name == "dice":  # sealed anew, so each has its own
            rows = [[(game, *how) for game, _, _, *how in some] for some in rows]
        assert rows[0] == rows[1], name
    with serving(shared) as client:
        new = Player(client).open("magnate", ["me", "open"])
        assert new.key not in {key for _, key in before}
    assert all(map(goes_on, go_on(shared, before, 20), told))


def test_nothing_is_restored_below_a_running_server(tmp_path, shared):
    backup_of = f"sqlite:///{tmp_path}/t.db"
    played(backup_of, ["magnate"])
    backup(backup_of, tmp_path / "copy.db")
    served = Served(tmp_path, db=shared).start()
    try:
        with pytest.raises(Refused, match="a server is running"):
            restore(tmp_path / "copy.db", shared)
        assert httpx.get(served.base + "/api/lobby").json()["tables"] == []
    finally:
        served.close()


def test_what_is_there_is_never_overwritten_and_what_is_no_copy_never_restored(tmp_path):
    db, copy = f"sqlite:///{tmp_path}/t.db", tmp_path / "copy.db"
    played(db, ["magnate"])
    backup(db, copy)
    bytes_before = copy.read_bytes()
    with pytest.raises(Refused, match="exists already"):
        backup(db, copy)
    with pytest.raises(Refused, match="exists already"):
        restore(copy, db)
    assert copy.read_bytes() == bytes_before
    (tmp_path / "letter.txt").write_text("Dear Ann, " * 500)
    (tmp_path / "cut.db").write_bytes(bytes_before[: len(bytes_before) // 2])
    (tmp_path / "empty.db").write_bytes(b"")
    for name in ("letter.txt", "cut.db", "empty.db"):
        with pytest.raises(Refused, match=r"no copy of a house|damaged"):
            restore(tmp_path / name, f"sqlite:///{tmp_path}/new.db")
        assert not (tmp_path / "new.db").exists()
    with pytest.raises(Refused, match="there is no house at"):
        backup(f"sqlite:///{tmp_path}/none.db", tmp_path / "x.db")
    assert not list(tmp_path.glob("*.part*"))
    assert not (tmp_path / "none.db").exists()


def test_a_copy_is_for_its_owner_only_and_old_ones_go(tmp_path):
    db, folder = f"sqlite:///{tmp_path}/t.db", tmp_path / "copies"
    played(db, ["magnate"])
    made = [backup_into(db, folder, keep=2).path for _ in range(4)]
    assert sorted(map(str, folder.iterdir())) == made[2:]
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in folder.iterdir())


def test_a_copy_of_another_version_is_refused(tmp_path):
    db, copy = f"sqlite:///{tmp_path}/t.db", tmp_path / "copy.db"
    played(db, ["magnate"])
    backup(db, copy)
    disk = sqlite3.connect(copy)
    disk.execute("UPDATE alembic_version SET version_num = '9999_future'")
    disk.commit()
    disk.close()
    with pytest.raises(Refused, match="newer version of yegg"):
        restore(copy, f"sqlite:///{tmp_path}/new.db")
    with pytest.raises(Refused, match="another version of yegg"):
        backup(f"sqlite:///{copy}", tmp_path / "x.db")


def test_the_command_says_what_it_needs(tmp_path):
    for words in ([], ["x.db", "--to", "y"], ["x.db", "--keep", "2"]):
        done = CliRunner().invoke(command, ["backup", *words])
        assert done.exit_code == 2, done.output


def test_somebody_who_had_a_seat_has_it_in_the_restored_house(tmp_path):
    db = f"sqlite:///{tmp_path}/t.db"
    before, _ = played(db, ["magnate"])
    backup(db, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", f"sqlite:///{tmp_path}/new.db")
    with serving(f"sqlite:///{tmp_path}/new.db") as client:
        for token, key in before:
            assert Player(client, token, key=key).seat in (1, 2)
