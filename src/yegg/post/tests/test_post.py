"""A game by post from its first letter to its last report, and what can go wrong on the way."""

import re
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from yegg import games
from yegg.engine import Refused, notation
from yegg.post import deadlines, disk
from yegg.post.commands import command
from yegg.post.folder import Folder, create

EXAMPLE = (
    "Club steals secret 2 from Bill, Diamond steals secret 9 from Charles, Heart steals secret 9 "
    "from Derek, and Spade steals Eric 8.\nPoliceman guards secret 7.\n"
)
NAMES = ["Ann", "Bill", "Charles", "Derek", "Eric"]


@pytest.fixture
def post(tmp_path, monkeypatch):
    """Run ``yegg post …``; standard input as ``said``."""
    monkeypatch.chdir(tmp_path)

    def run(*args, said="", status=0):
        done = CliRunner().invoke(command, list(args), input=said)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == status, done.output
        return done.output

    return run


@pytest.fixture
def game(post):
    post("new", "g", "--players", ",".join(NAMES))
    return Path("g")


def plain(turn=1):
    """Orders that are legal in the first turns whatever happened: low secrets, a moving post."""
    return lambda seat: (
        f"C {NAMES[seat - 1]} {turn}, D {NAMES[seat - 2]} {turn + 2}, "
        f"H {NAMES[seat - 1]} {turn + 4}, S {NAMES[seat - 2]} {turn + 6}. Police {10 - turn}"
    )


def contents(folder):
    """Every file with its text, times of receipt left out."""
    return {
        str(path.relative_to(folder)): re.sub(r"received .*", "", path.read_text())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def test_a_turn_of_the_published_example(post, game):
    receipt = post("orders", "g", "Ann", "-", said=EXAMPLE)
    assert "Ann's Spade goes for Eric's secret 8." in receipt
    assert "Ann's policeman guards secret 7." in receipt
    status = post("status", "g")
    assert "Ann: in" in status
    assert "Bill: missing" in status
    assert "secret" not in status
    with pytest.raises(Refused, match="missing from Bill, Charles, Derek and Eric"):
        post("adjudicate", "g")
    told = post("adjudicate", "g", "--now")
    assert "No orders received from Bill: the spies stayed at home." in told
    assert "Ann's Diamond" in told
    lines = (game / "secrets.game").read_text().splitlines()
    assert lines[3:9] == [
        "1 club steals 2 from 2",
        "1 diamond steals 9 from 3",
        "1 heart steals 9 from 4",
        "1 spade steals 8 from 5",
        "1 guards 7",
        "2 club stays home",
    ]
    assert "Your policeman stood at secret 7" in (game / "turn-1/report-1-ann.txt").read_text()
    assert "secret 7" not in (game / "turn-1/report.txt").read_text()


def test_a_whole_game_replays(post, game):
    for turn in range(1, 6):
        if turn < 3:
            for seat, name in enumerate(NAMES):
                post("orders", "g", name, "-", said=plain(turn)(seat))
        told = post("adjudicate", "g", *(["--now"] if turn > 2 else []))
        assert f"turn {turn} of 5" in told
    assert "That was the last turn." in told
    match = notation.read_file(game / "secrets.game", games.find, how="plain")
    assert match.over
    text = (game / "secrets.game").read_text()
    assert text == notation.write(match)
    assert "That was the last turn." in post("status", "g")
    for args in (["adjudicate", "g", "--now"], ["orders", "g", "Ann", "-"]):
        with pytest.raises(Refused, match="is over"):
            post(*args, said="x")
    post("undo", "g")
    assert "turn 5 of 5" in post("status", "g")
    assert "places" not in (game / "secrets.game").read_text()


def test_a_later_set_replaces_an_earlier_one_and_bad_orders_replace_nothing(post, game):
    post("orders", "g", "Ann", "-", said=EXAMPLE)
    assert "are changed" in post(
        "orders", "g", "Ann", "-", said=EXAMPLE.replace("Eric 8", "Eric 7")
    )
    said = post(
        "orders", "g", "Ann", "-", said="Club steals Bill 12. Heart goes to Ann 3", status=1
    )
    assert "there is no secret 12" in said
    assert "your own" in said
    assert "Spade has no order" in said
    assert "spade steals 7 from 5" in (game / "turn-1/orders-1-ann.txt").read_text()


def test_deadlines(post, monkeypatch):
    post("new", "g", "--players", "Ann,Bill,Cy", "--deadline", "3d")
    with pytest.raises(Refused, match=r"due .* UTC; --now"):
        post("adjudicate", "g")
    later = deadlines.now() + timedelta(days=3, minutes=1)
    monkeypatch.setattr(deadlines, "now", lambda: later)
    orders = "C Bill 1, D Bill 2, H Cy 3, S Cy 4, P 5"
    with pytest.raises(Refused, match="--late"):
        post("orders", "g", "Ann", "-", said=orders)
    post("orders", "g", "Ann", "-", "--late", said=orders)
    post("adjudicate", "g")  # the deadline has passed: no --now is needed
    assert f"{later + timedelta(days=3):%H:%M}" in post("status", "g")
    post("adjudicate", "g", "--now", "--deadline", "2100-01-01 20:00")
    assert "1 January 2100, 20:00 UTC" in post("status", "g")
    post("adjudicate", "g", "--now")
    assert "whenever all orders are in" in post("status", "g")


@pytest.mark.parametrize("text", ["soon", "3", "0x3d", "2020-01-01", "9999999d", "2026-13-01", ""])
def test_a_deadline_that_is_none_gets_one_line(text):
    with pytest.raises(Refused):
        deadlines.begin(text)


def test_the_hidden_game_by_post(post):
    post("new", "g", "--players", "Ann,Bill,Cy", "--option", "hidden=yes", "--option", "turns=2")
    receipt = post("orders", "g", "Ann", "-", said="(0, 0, 0, 0, 0, 9, 9, 9, 9, 9)")
    assert "Ann puts nine points on secret J." in receipt
    post("orders", "g", "Bill", "-", said="A 45")
    told = post("adjudicate", "g", "--now")
    assert "No points came from Cy" in told
    assert "3 allocate A 5" in Path("g/secrets.game").read_text()
    assert "3 allocate J 4" in Path("g/secrets.game").read_text()
    post("orders", "g", "Ann", "-", said="C: Bill A, D: Bill B, H: Cy C, S: Cy C. Police: A")
    post("orders", "g", "Bill", "-", said="C: Ann J, D: Ann B, H: Cy D, S: Cy E. Police: B")
    post("orders", "g", "Cy", "-", said="C: Ann I, D: Ann H, H: Bill H, S: Bill I. Police: J")
    told = post("adjudicate", "g")
    assert "Bill's secret A" in told
    assert "45" not in told
    own = {name: Path(f"g/turn-1/report-{name}.txt").read_text() for name in ("1-ann", "3-cy")}
    assert "Bill: A 45, B 0" in own["1-ann"]  # stolen, and captured for all to see
    assert "You have 45 points." in own["1-ann"]
    assert "A 45" not in own["3-cy"]
    assert "Cy: C 5" in own["1-ann"]  # SE-32: her own spies met there
    told = post("adjudicate", "g", "--now")
    assert "Bill: A 45, B 0" in told  # SE-34
    assert "A 5, B 5" in told


def test_undo_keeps_the_orders_and_forgets_those_for_later_turns(post, game):
    for seat, name in enumerate(NAMES):
        post("orders", "g", name, "-", said=plain()(seat))
    post("adjudicate", "g")
    post("orders", "g", "Ann", "-", said=plain(2)(0))
    assert "Ann: in" in post("status", "g")
    assert "Turn 1 is open again" in post("undo", "g")
    assert not list(game.glob("turn-*/report*"))
    assert post("status", "g").count(": in") == 5
    post("orders", "g", "Bill", "-", said=EXAMPLE.replace("Bill", "Ann"))
    post("adjudicate", "g")
    assert "Ann: missing" in post("status", "g")  # her letter was for another position
    post("undo", "g")
    with pytest.raises(Refused, match="nothing has been carried out"):
        post("undo", "g")


def test_undo_and_the_same_again_is_the_same_folder(post, game):
    for seat, name in enumerate(NAMES):
        post("orders", "g", name, "-", said=plain()(seat))
    post("adjudicate", "g")
    once = contents(game)
    post("undo", "g")
    post("adjudicate", "g")
    assert contents(game) == once


# --- crashes


class Crash(Exception):
    """The machine stops here."""


def crashing(monkeypatch, steps):
    """Let the machine stop at the given write, sync or rename; returns what counts them."""
    done = [0]

    def counted(real):
        def step(*args, **kwargs):
            done[0] += 1
            if done[0] == steps:
                raise Crash
            return real(*args, **kwargs)

        return step

    monkeypatch.setattr(disk.os, "fsync", counted(disk.os.fsync))
    monkeypatch.setattr(Path, "replace", counted(Path.replace))
    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))
    monkeypatch.setattr(Path, "open", counted(Path.open))
    monkeypatch.setattr(Path, "mkdir", counted(Path.mkdir))
    return done


def with_orders(path):
    made = create(path, NAMES, {}, deadlines.Deadline(rhythm="3d"))
    for seat in range(4):
        made.receive(seat, plain()(seat), late=False)
    return made


def crash_everywhere(monkeypatch, folder, work, goal):
    """Stop ``work`` at each of its steps in turn; after each crash, ``goal`` must come out."""
    steps = 0
    while True:
        steps += 1
        assert steps < 200
        path = folder(steps)
        with monkeypatch.context() as patch:
            crashing(patch, steps)
            try:
                work(path)
                finished = True
            except Crash:
                finished = False
        goal(path)
        if finished:
            return steps


def test_adjudication_may_be_interrupted_at_any_write(tmp_path, monkeypatch):
    now = deadlines.now()
    monkeypatch.setattr(deadlines, "now", lambda: now)
    whole = with_orders(tmp_path / "whole")
    whole.adjudicate(anyway=True, following="")
    wanted = contents(tmp_path / "whole")

    def folder(steps):
        with_orders(tmp_path / str(steps))
        return tmp_path / str(steps)

    def work(path):
        Folder(path).adjudicate(anyway=True, following="")

    def goal(path):
        after = Folder(path)
        after.mend()
        if after.turn == 1:  # the record was not replaced: nothing has happened
            assert not list(path.glob("turn-1/report*"))
            after.adjudicate(anyway=True, following="")
        assert contents(path) == wanted

    assert crash_everywhere(monkeypatch, folder, work, goal) > 30


def test_undo_may_be_interrupted_at_any_write(tmp_path, monkeypatch):
    now = deadlines.now()
    monkeypatch.setattr(deadlines, "now", lambda: now)
    whole = with_orders(tmp_path / "whole")
    whole.adjudicate(anyway=True, following="")
    whole.undo()
    wanted = contents(tmp_path / "whole")

    def folder(steps):
        made = with_orders(tmp_path / str(steps))
        made.adjudicate(anyway=True, following="")
        return tmp_path / str(steps)

    def goal(path):
        after = Folder(path)
        after.mend()
        if after.turn == 2:
            assert (path / "turn-1/report.txt").exists()
            after.undo()
        assert contents(path) == wanted

    assert crash_everywhere(monkeypatch, folder, lambda path: Folder(path).undo(), goal) > 5


def test_orders_may_be_interrupted_at_any_write(tmp_path, monkeypatch):
    def folder(steps):
        create(tmp_path / str(steps), NAMES, {}, deadlines.Deadline())
        return tmp_path / str(steps)

    def goal(path):
        after = Folder(path)
        after.mend()
        kept = after.lines(1, 0)
        assert kept is None or len(kept) == 5
        assert not list(path.rglob(".*.new"))
        after.receive(0, plain()(0), late=False)
        assert len(after.lines(1, 0)) == 5

    def work(path):
        Folder(path).receive(0, plain()(0), late=False)

    assert crash_everywhere(monkeypatch, folder, work, goal) > 4


def test_new_may_be_interrupted_at_any_write(tmp_path, monkeypatch):
    def work(path):
        create(path, NAMES, {}, deadlines.Deadline())

    def goal(path):
        if not path.exists():
            work(path)
        assert Folder(path).turn == 1
        assert (path / "turn-1/due.txt").exists()

    assert crash_everywhere(monkeypatch, lambda n: tmp_path / str(n), work, goal) > 8


def test_two_commands_at_once_wait_for_each_other(tmp_path, monkeypatch):
    with_orders(tmp_path / "g")
    order = []

    def other():
        with disk.alone(tmp_path / "g"):
            order.append("second")

    with disk.alone(tmp_path / "g"):
        thread = threading.Thread(target=other)
        thread.start()
        time.sleep(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    monkeypatch.setattr(disk, "PATIENCE", 0.05)
    held, wanted = disk.alone(tmp_path / "g"), disk.alone(tmp_path / "g")
    with held, pytest.raises(Refused, match="another command"), wanted:
        pass


# --- bad input


def test_letters_that_cannot_be_read(post, game, tmp_path):
    cases = {
        "latin.txt": ("Müller 5".encode("latin-1"), "is not UTF-8"),
        "utf16.txt": (EXAMPLE.encode("utf-16"), "is not UTF-8"),
        "empty.txt": (b"", "is empty"),
        "blank.txt": (b" \n\n", "is empty"),
        "zero.txt": (b"Club\0", "zero byte"),
        "huge.txt": (b"x" * 300_000, "larger than"),
    }
    for name, (raw, reason) in cases.items():
        (tmp_path / name).write_bytes(raw)
        with pytest.raises(Refused, match=reason):
            post("orders", "g", "Ann", name)
    (tmp_path / "long.txt").write_bytes(b"Club " * 10_000)
    assert "longer than" in post("orders", "g", "Ann", "long.txt", status=1)
    (tmp_path / "bom.txt").write_bytes(b"\xef\xbb\xbf" + EXAMPLE.encode())
    post("orders", "g", "Ann", "bom.txt")
    with pytest.raises(FileNotFoundError):
        post("orders", "g", "Ann", "nowhere.txt")


def test_players_are_found_by_name_beginning_or_seat_and_ambiguity_is_named(tmp_path):
    made = create(tmp_path / "g", ["Ann Lee", "Ann Low", "Zoë"], {}, deadlines.Deadline())
    assert [made.seat(name) for name in ("ann lee", "Ann Lo", "zoe", "3")] == [0, 1, 2, 2]
    with pytest.raises(Refused, match="could be Ann Lee or Ann Low"):
        made.seat("ann")
    with pytest.raises(Refused, match="nobody here is called"):
        made.seat("Bill")
    assert made.slug(2) == "3-zoe"


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["Ann", "Bill"], "3 to 6"),
        (["Ann", "ann", "Bill"], "the same"),
        (["Zoe", "Zoë", "Bill"], "the same"),
        (["Ann", "Bill", "Club"], "spy"),
        (["Ann", "Bill", "C"], "single letter"),
        (["Ann", "Bill", "Nine"], "number"),
        (["Ann", "Bill", "!!"], "no letter"),
        (["Ann", "Bill", ""], "name"),
    ],
)
def test_names_that_orders_could_not_use(tmp_path, names, reason):
    with pytest.raises(Refused, match=reason):
        create(tmp_path / "g", names, {}, deadlines.Deadline())
    assert not (tmp_path / "g").exists()


def test_a_folder_that_is_none(post, tmp_path):
    with pytest.raises(Refused, match="no game by post"):
        post("status", "nowhere")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("x")
    with pytest.raises(Refused, match="not empty"):
        post("new", "full", "--players", "Ann,Bill,Cy")
    with pytest.raises(Refused, match="no option"):
        post("new", "g", "--players", "Ann,Bill,Cy", "--option", "jokers=yes")


def test_a_record_spoilt_by_hand_is_named_with_its_line(post, game):
    post("adjudicate", "g", "--now")
    record = game / "secrets.game"
    good = record.read_text()
    record.write_text(good.replace("2 club stays home", "2 diamond stays home"))
    with pytest.raises(notation.BadRecord, match=r"secrets\.game:9"):
        post("status", "g")
    record.write_text(good + "1 club steals 1 from 2\n")
    with pytest.raises(Refused, match="middle of a turn"):
        post("status", "g")
    record.write_text(good.replace("1 guards 9", "# a remark\n1 guards 9"))
    post("adjudicate", "g", "--now")
    assert "# a remark" in record.read_text()
    notation.read_file(record, games.find, how="plain")


def test_a_stored_sheet_spoilt_by_hand_changes_nothing(post, game):
    post("orders", "g", "Ann", "-", said=EXAMPLE)
    sheet = game / "turn-1/orders-1-ann.txt"
    before = (game / "secrets.game").read_text()
    for bad in ("club steals 2 from 1", "club flies", "diamond steals 2 from 2"):
        sheet.write_text(sheet.read_text().replace("club steals 2 from 2", bad))
        with pytest.raises(Refused, match="orders-1-ann"):
            post("adjudicate", "g", "--now")
        assert (game / "secrets.game").read_text() == before
        post("orders", "g", "Ann", "-", said=EXAMPLE)


def test_the_post_starts_without_compiling():
    """Nothing that is slow is imported: adjudication is a matter of a moment."""
    code = (
        "import sys, yegg.post.commands; assert 'numpy' not in sys.modules; "
        "import yegg.post.folder; assert 'numba' not in sys.modules and 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
