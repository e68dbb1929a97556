"""A game by post from its first letter to its last report."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from yegg import games
from yegg.engine import Refused, notation
from yegg.post import deadlines


def test_a_turn_of_the_published_example(post, game, example):
    receipt = post("orders", "g", "Ann", "-", said=example)
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


def test_a_whole_game_replays(post, game, names, plain):
    for turn in range(1, 6):
        if turn < 3:
            for seat, name in enumerate(names):
                post("orders", "g", name, "-", said=plain(turn, seat))
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


def test_a_later_set_replaces_an_earlier_one_and_bad_orders_replace_nothing(post, game, example):
    post("orders", "g", "Ann", "-", said=example)
    assert "are changed" in post(
        "orders", "g", "Ann", "-", said=example.replace("Eric 8", "Eric 7")
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
    assert "Ann puts 9 points on secret J." in receipt
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
    assert "Cy:" not in own["1-ann"]  # SE-32: none but her own spies met at C
    told = post("adjudicate", "g", "--now")
    assert "Bill: A 45, B 0" in told  # SE-34
    assert "not told" not in told
    assert "A 5, B 5" in told


def test_se_21_open_posts_stand_in_the_public_report(post):
    orders = [
        "C Bill 1, D Bill 9, H Bill 3, S Bill 4. Police 5",
        "C Cy 1, D Cy 2, H Ann 3, S Ann 4. Police 9",
        "C Ann 1, D Ann 2, H Bill 5, S Bill 6. Police 9",
    ]
    told = {}
    for posts in ("secret", "open"):
        post("new", posts, "--players", "Ann,Bill,Cy", "--option", f"posts={posts}")
        for name, text in zip(("Ann", "Bill", "Cy"), orders, strict=True):
            post("orders", posts, name, "-", said=text)
        told[posts] = post("adjudicate", posts)
        assert "Police" not in told["secret"].split("Next orders")[0]
    heading = "Where the policemen stood\n"
    assert heading not in told["secret"]
    untold = "Where a policeman stood who captured nobody is not told."
    assert untold in told["secret"]
    assert untold not in told["open"]
    section = " ".join(told["open"].partition(heading)[2].partition("\n\n")[0].split())
    assert section == (
        "Ann's policeman stood at secret 5 and captured nobody; next turn he must guard another "
        "(SE-6). Bill's policeman stood at secret 9 and captured 1 spy. Cy's policeman stood at "
        "secret 9 and captured nobody; next turn he must guard another (SE-6)."
    )
    for posts in ("secret", "open"):
        text = Path(posts, "turn-1/report-1-ann.txt").read_text()
        assert "Your policeman stood at secret 5" in text
        assert "Cy's policeman" not in text


def test_se_32_only_the_own_report_of_those_who_met_others_tells_the_value(post):
    post("new", "g", "--players", "Ann,Bill,Cy,Dee", "--option", "hidden=yes")
    for name in ("Ann", "Bill", "Cy", "Dee"):
        post("orders", "g", name, "-", said="A 1, B 2, C 42")
    post("adjudicate", "g")
    post("orders", "g", "Ann", "-", said="C Bill C, D Bill C, H Cy B, S Cy B. Police J")
    post("orders", "g", "Bill", "-", said="C Cy D, D Cy E, H Dee D, S Dee E. Police J")
    post("orders", "g", "Cy", "-", said="C Bill C, D Bill D, H Dee F, S Dee G. Police J")
    post("orders", "g", "Dee", "-", said="C Bill E, D Bill F, H Cy F, S Cy G. Police J")
    told = post("adjudicate", "g")
    assert "42" not in told
    own = {name: Path(f"g/turn-1/report-{name}.txt").read_text() for name in ("1-ann", "3-cy")}
    assert "Bill: C 42" in own["1-ann"]  # Cy was there too
    assert "Bill: C 42" in own["3-cy"]
    assert "Cy:" not in own["1-ann"]  # only her own two spies met at B


def test_undo_keeps_the_orders_and_forgets_those_for_later_turns(post, game, example, names, plain):
    for seat, name in enumerate(names):
        post("orders", "g", name, "-", said=plain(1, seat))
    post("adjudicate", "g")
    post("orders", "g", "Ann", "-", said=plain(2, 0))
    assert "Ann: in" in post("status", "g")
    assert "Turn 1 is open again" in post("undo", "g")
    assert not list(game.glob("turn-*/report*"))
    assert post("status", "g").count(": in") == 5
    post("orders", "g", "Bill", "-", said=example.replace("Bill", "Ann"))
    post("adjudicate", "g")
    assert "Ann: missing" in post("status", "g")  # her letter was for another position
    post("undo", "g")
    with pytest.raises(Refused, match="nothing has been carried out"):
        post("undo", "g")


def test_undo_and_the_same_again_is_the_same_folder(post, game, names, plain, contents):
    for seat, name in enumerate(names):
        post("orders", "g", name, "-", said=plain(1, seat))
    post("adjudicate", "g")
    once = contents(game)
    post("undo", "g")
    post("adjudicate", "g")
    assert contents(game) == once


def test_the_post_starts_without_compiling():
    """Nothing that is slow is imported: adjudication is a matter of a moment."""
    code = (
        "import sys, yegg.post.commands; assert 'numpy' not in sys.modules; "
        "import yegg.post.folder; assert 'numba' not in sys.modules and 'rich' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
