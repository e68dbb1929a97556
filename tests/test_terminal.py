"""The terminal, driven as a person drives it: through a pseudo-terminal."""

import os
import random
import re
import shlex
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
        words = ["-m", "yegg.cli", "play", *shlex.split(line)]
        child = pexpect.spawn(
            sys.executable, words, env=env, encoding="utf-8", timeout=120, dimensions=(50, 100)
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.kill(signal.SIGKILL)
        child.wait()  # a busy machine takes longer than `close` would wait
        child.close()


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
    assert re.search(r"\w+ wins\.|are tied for first\.", child.before)
    assert read(path).over


def test_odds_rules_help_and_mistakes_change_nothing(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,uniform --seed 1 --record {path}")
    child.expect(PROMPT)
    before = path.read_bytes()
    for typed, answer in (
        ("?", r"\d+ %"),
        ("r 17", "SS-17"),
        ("r 99", "there is no clause '99'"),
        ("h", "take back"),
        ("dance", "'dance' is not possible here; possible: "),
        ("thoruogh", "did you mean 'thorough'"),
        ("flip the-pact", "SS-"),
        ("99", "there is no choice '99': 1 to 2"),
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
    said = " ".join(child.before.split())
    assert ("the best of what was tried" in said) != ("cannot be told apart" in said)
    assert path.read_bytes() == before
    child.sendline(texts[0])
    child.expect([PROMPT, pexpect.EOF])
    assert read(path).texts != texts
    assert len(path.read_bytes()) > len(before)


def test_a_letter_that_may_mean_two_things_is_asked_about(sit, tmp_path):
    path = tmp_path / "a.game"
    path.write_text("game: second-story\nplayers: Guest, Uniform\n\n* flip the-mill\n")
    child = sit(f"--resume {path}")
    child.expect(PROMPT)
    child.sendline("q")
    child.expect_exact("Do you mean quit or quick? Type more of it.")
    child.expect(PROMPT)
    child.sendline("quit")
    child.expect("The game is kept")
    assert not any(actor == 0 for actor in read(path).actors)


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
def test_a_bot_that_thinks_sits_at_a_table_of_three(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats search:20,you,Search:30 --seed 2 --record {path}")
    for _ in range(3):
        child.expect(PROMPT, timeout=600)
        child.sendline("1")
    child.expect(PROMPT)
    assert {0, 1} <= set(read(path).actors)
    assert read(path).names == ["Search:20", "Guest", "Search:30"]
    child.sendline("quit")
    child.expect("The game is kept")
    child = sit(f"--resume {path}")
    child.expect(PROMPT, timeout=120)


def test_a_bot_that_cannot_play_is_refused_before_the_game_begins(sit, tmp_path):
    child = sit(f"secrets --seats exact,you,easy --record {tmp_path / 'a.game'}")
    child.expect("exact cannot play here: it needs to see everything")
    child.expect("these can: easy, expert, greedy, hard, medium, search and uniform")
    child.expect(pexpect.EOF)
    assert not (tmp_path / "a.game").exists()


def test_a_person_may_be_called_like_a_bot(sit, tmp_path):
    path = tmp_path / "a game"
    child = sit(f"second-story --seats person:hard,person:Ann --seed 1 --record '{path}'")
    child.expect("Hard > ")
    child.sendline("quit")
    child.expect(f"Go on with: yegg play --resume '{path}' --seats person:Hard,Ann")
    child = sit(f"--resume '{path}' --seats person:Hard,person:Ann")
    child.expect("Hard > ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.wide) for seed in (1, 2))]
)
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


def test_several_things_are_typed_in_one_line_and_late_ones_too(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"thiefs-market --seats you,uniform,uniform --seed 3 --record {path}")
    child.expect(PROMPT)
    assert "Several at once, in any order: take marker bag green" in child.before
    child.sendline("take marker bag")
    child.expect(PROMPT)
    said = " ".join(child.before.split())
    assert "take bag green blue (there are still red, white, blue, green and bag)" in said
    child.sendline("take mask and fish")
    child.expect("TM-11: no mask is in the centre")
    child.expect(PROMPT)
    child.sendline("2 white red done")
    child.expect([PROMPT, pexpect.EOF])
    mine = [line for line in path.read_text().splitlines() if line.startswith("1 ")]
    taken = ["red", "white", "white", "bag", "marker"]
    assert mine[:6] == [*(f"1 take {kind}" for kind in taken), "1 done"]
    assert read(path).actors, "it replays"


def test_ctrl_c_leaves_and_says_how_to_go_on(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,uniform --seed 1 --record {path}")
    child.expect(PROMPT)
    child.sendintr()
    child.expect("Go on with: yegg play --resume")
    child.expect(pexpect.EOF)
    assert "Traceback" not in child.before


FLIP, ROLL = r"\bflip > ", r"\broll > "


def test_what_was_typed_can_be_taken_back(sit, tmp_path):
    path = tmp_path / "a.game"

    def events():
        return path.read_text().split("\n\n")[1].splitlines()

    child = sit(f"second-story --seats you,Ann --chance typed --record {path}")
    child.expect(FLIP)
    child.sendline("u")
    child.expect("nothing to take back")
    child.sendline("pact")
    child.expect(PROMPT)
    child.sendline("u")  # the card at a person's prompt
    child.expect("Taken back: Chance: flip the-pact")
    child.expect(FLIP)
    assert events() == []
    child.sendline("mill")
    child.expect(PROMPT)
    child.sendline("thorough")
    child.expect(ROLL)
    child.sendline("u")  # a choice at the prompt for a die
    child.expect("Taken back: Guest: thorough")
    child.expect(PROMPT)
    assert events() == ["* flip the-mill"]
    child.sendline("quick")
    child.expect(ROLL)
    child.sendline("3")
    child.expect(ROLL)
    child.sendline("u")  # a die at the prompt for the next
    child.expect("Taken back: Chance: roll 3")
    child.expect(ROLL)
    child.sendline("0")
    child.expect("die shows 10")
    child.expect(ROLL)
    assert events() == ["* flip the-mill", "1 quick", "* roll 10"]


def test_a_die_typed_wrongly_goes_back_with_what_bots_made_of_it(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats uniform,you --seed 1 --chance typed --record {path}")
    child.expect(FLIP)
    child.sendline("mill")
    child.expect(r"(roll|flip) > ")
    assert read(path).actors == [-1, 0]
    child.sendline("u")
    child.expect("Taken back: Chance: flip the-mill")
    child.expect(FLIP)
    assert read(path).history == []


def test_what_dice_and_cards_can_show_is_listed(sit):
    child = sit("second-story --seats you,Ann --chance typed")
    child.expect(r"Type what your own dice and cards show")
    child.expect(r"Which card is turned up\?")
    child.expect(FLIP)
    child.sendline("?")
    child.expect("flip the-mill")
    child.expect(FLIP)
    child.sendline("mill")
    child.expect(PROMPT)
    child.sendline("h")
    child.expect(r"\? lists it, u takes the last back")
    child.expect(PROMPT)
    child.sendline("thorough")
    child.expect(ROLL)
    child.sendline("?")
    child.expect("roll 0 means roll 10")


def test_typed_chance_asks_again_until_it_can_be(sit, tmp_path):
    path = tmp_path / "a.game"
    child = sit(f"second-story --seats you,Ann --chance typed --record {path}")
    child.expect(FLIP)
    for wrong in ("eleven", "the-pactum", "roll 3"):
        child.sendline(wrong)
        child.expect("possible")
        child.expect(FLIP)
    child.sendline("mill")
    child.expect(PROMPT)
    child.sendline("thorough")
    for wrong in ("00", "11", "-1", "x"):
        child.expect(ROLL)
        child.sendline(wrong)
    child.expect(ROLL)
    child.sendline("10")
    child.expect(PROMPT)
    child.sendline("continue")
    child.expect(FLIP)
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
