"""Wrong letters, names, folders and records are refused."""

import pytest

from yegg import games
from yegg.engine import Refused, notation
from yegg.post import deadlines
from yegg.post.folder import create


def test_letters_that_cannot_be_read(post, game, tmp_path, example):
    cases = {
        "latin.txt": ("Müller 5".encode("latin-1"), "is not UTF-8"),
        "utf16.txt": (example.encode("utf-16"), "is not UTF-8"),
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
    (tmp_path / "bom.txt").write_bytes(b"\xef\xbb\xbf" + example.encode())
    post("orders", "g", "Ann", "bom.txt")
    with pytest.raises(FileNotFoundError):
        post("orders", "g", "Ann", "nowhere.txt")


def test_a_file_that_is_no_record_is_refused(post, game):
    record = game / "secrets.game"
    text = record.read_text()
    cases = {
        "\n" + text: "secrets.game:1: the head has no line 'game",
        "game: second-story\nplayers: A, B\n\n": "a game of Second Story, not of Secrets",
        "x" * 1_000_001: "larger than 1000000 bytes",
    }
    for bad, reason in cases.items():
        record.write_text(bad)
        with pytest.raises(Refused, match=reason):
            post("status", "g")


def test_a_turns_folder_leads_nowhere_else(post, game, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "report.txt").write_text("precious")
    for turn in (2, 7):
        (game / f"turn-{turn}").symlink_to(elsewhere)
    with pytest.raises(Refused, match="is a link"):
        post("adjudicate", "g", "--now")
    assert [path.name for path in elsewhere.iterdir()] == ["report.txt"]
    assert (elsewhere / "report.txt").read_text() == "precious"


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


def test_a_folder_without_a_game_is_refused(post, tmp_path):
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


def test_stored_orders_spoilt_by_hand_change_nothing(post, game, example):
    post("orders", "g", "Ann", "-", said=example)
    sheet = game / "turn-1/orders-1-ann.txt"
    before = (game / "secrets.game").read_text()
    for bad in ("club steals 2 from 1", "club flies", "diamond steals 2 from 2"):
        sheet.write_text(sheet.read_text().replace("club steals 2 from 2", bad))
        with pytest.raises(Refused, match="orders-1-ann"):
            post("adjudicate", "g", "--now")
        assert (game / "secrets.game").read_text() == before
        post("orders", "g", "Ann", "-", said=example)
