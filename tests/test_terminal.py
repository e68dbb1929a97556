"""The terminal, driven as a person drives it: through a pseudo-terminal."""

import os
import random
import re
import signal
import sys

import pexpect
import pytest

from yegg import games
from yegg.engine import notation

PROMPT = r"Guest > "


@pytest.fixture
def sit(tmp_path):
    """Start `yegg play`; returns the child.  Nothing of the user's is touched."""
    children = []

    def start(line):
        env = os.environ | {
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "USER": "root",
            "COLUMNS": "100",
            "TERM": "dumb",
            "NO_COLOR": "1",
        }
        words = ["-m", "yegg.cli", "play", *line.split()]
        child = pexpect.spawn(
            sys.executable, words, env=env, encoding="utf-8", timeout=120, dimensions=(50, 100)
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def read(path):
    return notation.read_file(path, games.find, "plain")


def test_a_whole_game_by_words_and_numbers(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,uniform --seed 7 --record {path}")
    dice = random.Random(7)
    while True:
        if child.expect([PROMPT, pexpect.EOF]) == 1:
            break
        match = read(path)
        assert match.actor == 0, "every event is on disk before the prompt"
        text = dice.choice(list(match.texts))
        number = str(list(match.texts).index(text) + 1)
        child.sendline(dice.choice([text, number, " ".join(w[:4] for w in text.split())]))
    assert "The end" in child.before
    assert read(path).over


def test_odds_rules_help_and_mistakes_change_nothing(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,uniform --seed 1 --record {path}")
    child.expect(PROMPT)
    before = path.read_bytes()
    for typed, answer in (
        ("?", r"\d+%"),
        ("r 17", "SS-17"),
        ("r 99", "there is no clause '99'"),
        ("h", "take back"),
        ("dance", "'dance' is not possible here; possible: "),
        ("flip the-pact", "SS-"),
        ("99", "not possible here"),
        ("u", "nothing to take back"),
    ):
        child.sendline(typed)
        child.expect(answer)
        child.expect(PROMPT)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_the_coach_tells_what_each_choice_is_worth_and_changes_nothing(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,uniform --seed 1 --record {path}")
    child.expect(PROMPT)
    before = path.read_bytes()
    texts = list(read(path).texts)
    assert len(texts) > 1
    child.sendline("!")
    child.expect("Guest to move", timeout=600)
    child.expect(PROMPT, timeout=600)
    for text in texts:
        assert re.search(rf"{text}\W.*\d+.*%", child.before), child.before
    assert "the best of what was tried" in " ".join(child.before.split())
    assert path.read_bytes() == before
    child.sendline(texts[0])
    child.expect([PROMPT, pexpect.EOF])
    assert read(path).texts != texts
    assert len(path.read_bytes()) > len(before)


def test_undo_takes_back_a_choice_in_the_middle_of_two(sit, tmp_path):
    path = tmp_path / "a.game"
    head = "game: second-story\nplayers: Guest, Uniform\noptions: pawns=yes\n\n"
    events = "* flip the-watchman\n1 several-flats\n* roll 6\n"
    path.write_text(head + events)
    child = sit(f"--resume {path}")
    child.expect(PROMPT)
    child.sendline("take moons")
    child.expect("take knots")
    child.expect(PROMPT)
    assert read(path).history != []
    child.sendline("u")
    child.expect("take moons")
    child.expect(PROMPT)
    assert path.read_text() == head + events
    child.sendline("q")
    child.expect("The game is kept")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_kill_9_in_mid_game_loses_nothing(sit, tmp_path, seed):
    path = tmp_path / "a.game"
    dice = random.Random(seed)
    line = f"second-story --seats you,uniform --seed {seed} --record {path}"
    kept = 0
    for _ in range(3):
        child = sit(line)
        for _ in range(dice.randrange(2, 7)):
            child.expect(PROMPT)
            match = read(path)
            assert len(match.history) >= kept
            kept = len(match.history)
            child.sendline(dice.choice(list(match.texts)))
        child.kill(signal.SIGKILL)
        child.wait()
        assert not notation.mend(path), "a line is written whole"
        assert len(read(path).history) >= kept
        kept = len(read(path).history)
        line = f"--resume {path} --seed {seed}"


def test_a_torn_last_line_is_dropped_with_a_word(sit, tmp_path):
    path = tmp_path / "a.game"
    text = "game: second-story\nplayers: Guest, Uniform\n\n* flip the-mill\n"
    path.write_text(text + "1 thor")
    child = sit(f"--resume {path}")
    child.expect("only half written")
    child.expect(PROMPT)
    assert path.read_text() == text


def test_ctrl_c_leaves_and_says_how_to_go_on(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,uniform --seed 1 --record {path}")
    child.expect(PROMPT)
    child.sendintr()
    child.expect("Go on with: yegg play --resume")
    child.expect(pexpect.EOF)
    assert "Traceback" not in child.before


def test_typed_chance_asks_again_until_it_can_be(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,Ann --chance typed --record {path}")
    child.expect(r"flip: what does your table show\?")
    for wrong in ("eleven", "the-pactum", "roll 3"):
        child.sendline(wrong)
        child.expect("possible")
        child.expect(r"flip: what does your table show\?")
    child.sendline("mill")
    child.expect(PROMPT)
    child.sendline("thorough")
    for wrong in ("0", "11", "-1", "x"):
        child.expect(r"roll: what does your table show\?")
        child.sendline(wrong)
    child.expect(r"roll: what does your table show\?")
    child.sendline("10")
    child.expect(PROMPT)
    child.sendline("continue")
    child.expect(r"flip: what does your table show\?")
    child.sendline("the-mill")
    child.expect("SS-11: The Mill is not in the draw pile")
    events = path.read_text().split("\n\n")[1]
    assert events == "* flip the-mill\n1 thorough\n* roll 10\n1 continue\n"


def test_an_existing_record_is_not_overwritten(sit, tmp_path):
    path = tmp_path / "a.game"
    path.write_text("precious")
    child = sit(f"second-story --record {path}")
    child.expect("exists; go on with it by --resume")
    child.expect(pexpect.EOF)
    assert path.read_text() == "precious"


def test_without_a_name_the_game_is_kept_in_the_users_data_folder(sit, tmp_path):
    child = sit("second-story --seats you,uniform")
    child.expect(r"kept in (\S+\.game)")
    path = child.match[1]
    assert re.fullmatch(rf"{tmp_path}/data/yegg/second-story-\d+-\d+\.game", path)


def test_a_record_of_another_game_is_refused(sit, tmp_path):
    path = tmp_path / "a.game"
    path.write_text("game: second-story\nplayers: Guest, Uniform\n\n* flip the-mill\n")
    child = sit(f"magnate --resume {path}")
    child.expect("is a game of second-story, not of magnate")
