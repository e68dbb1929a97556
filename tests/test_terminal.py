"""The terminal, driven as a person drives it: through a pseudo-terminal."""

import random
import re
import shlex

import pexpect
import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.coach import preparation
from yegg.contract.cases import EACH
from yegg.engine import notation
from yegg.lessons import lessons, puzzles

PROMPT, FLIP, ROLL = r"Guest > ", r"\bflip > ", r"\broll > "
SEEN = "game: second-story\nplayers: Guest, Uniform\n\n* flip the-mill\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.game"


@pytest.fixture
def sit(terminal, path):
    """Start `yegg play` with a record, or with another file; returns the terminal."""

    def start(line, keep=("--record",)):
        return terminal("play", *shlex.split(line), *((*keep, str(path)) if keep else ()))

    return start


def read(path):
    return notation.read_file(path, games.find, "plain")


def test_a_whole_game_by_words_and_numbers(sit, path):
    talk, dice = sit("second-story --seats you,uniform --option chips=4 --seed 7"), random.Random(7)
    while talk.child.expect([PROMPT, pexpect.EOF]) == 0:
        match = read(path)
        assert match.actor == 0, "every event is on disk before the prompt"
        text = dice.choice(list(match.texts))
        number = str(list(match.texts).index(text) + 1)
        talk(dice.choice([text, number, " ".join(w[:4] for w in text.split())]))
    assert re.search(r"\w+ wins\.|are tied for first\.", talk.child.before)
    assert read(path).over


def test_odds_rules_help_and_mistakes_change_nothing(sit, path):
    talk = sit("second-story --seats you,uniform --seed 1")
    talk(None, PROMPT)
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
        talk(typed, answer, PROMPT)
    assert path.read_bytes() == before


@pytest.mark.wide
def test_the_coach_tells_what_each_choice_is_worth_and_changes_nothing(sit, path):
    preparation.load(games.find("second-story"), preparation.COACH)
    talk = sit("second-story --seats you,uniform --seed 1")
    talk(None, PROMPT)
    before, texts = path.read_bytes(), list(read(path).texts)
    assert len(texts) > 1
    said = talk("!", "Guest to move", PROMPT)
    for text in texts:
        assert re.search(rf"{text}\W.*\d+.*%", said)
    best = "the best of what was tried" in said or "better than" in said
    assert best != ("cannot be told apart" in said)
    assert path.read_bytes() == before
    talk(texts[0], [PROMPT, pexpect.EOF])
    assert read(path).texts != texts
    assert len(path.read_bytes()) > len(before)


@pytest.mark.wide
def test_a_letter_that_may_mean_two_things_is_asked_about(sit, path):
    path.write_text(SEEN)
    talk = sit("", ["--resume"])
    talk(None, PROMPT)
    talk("q", r"Do you mean quit or quick\? Type more of it\.", PROMPT)
    talk("quit", "The game is kept")
    assert not any(actor == 0 for actor in read(path).actors)


@pytest.mark.wide
def test_undo_takes_back_a_choice_in_the_middle_of_two(sit, path):
    head = "game: second-story\nplayers: Guest, Uniform\noptions: pawns=yes\n\n"
    events = "* flip the-watchman\n1 several-flats\n* roll 6\n"
    path.write_text(head + events)
    talk = sit("", ["--resume"])
    talk(None, PROMPT)
    talk("take moons", "take knots", PROMPT)
    talk("u", "take moons", PROMPT)
    assert path.read_text() == head + events
    talk("q", "The game is kept")


@pytest.mark.wide
def test_a_bot_that_thinks_sits_at_a_table_of_three(sit, path):
    preparation.load(games.find("second-story"), "search:20")
    talk = sit("second-story --seats search:20,you,Search:30 --seed 2")
    for _ in range(3):
        talk(None, PROMPT)
        talk("1")
    talk(None, PROMPT)
    assert {0, 1} <= set(read(path).actors)
    assert read(path).names == ["Search:20", "Guest", "Search:30"]
    talk("quit", "The game is kept")
    sit("", ["--resume"])(None, PROMPT)


def test_a_bot_that_cannot_play_is_refused_before_the_game_begins(sit, path):
    talk = sit("secrets --seats exact,you,easy")
    others = "these can: easy, medium, hard, expert, greedy, search and uniform"
    talk(None, "exact cannot play here: it needs to see everything", others, pexpect.EOF)
    assert not path.exists()


@pytest.mark.wide
def test_a_person_may_be_called_like_a_bot(sit, tmp_path):
    path = tmp_path / "a game"
    talk = sit(f"second-story --seats person:hard,person:Ann --seed 1 --record '{path}'", [])
    talk(None, "Hard > ")
    talk("quit", f"Go on with: yegg play --resume '{path}' --seats person:Hard,Ann")
    sit(f"--resume '{path}' --seats person:Hard,person:Ann", [])(None, "Hard > ")
    assert read(path).names == ["Hard", "Ann"]


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.wide) for seed in (1, 2))]
)
def test_kill_9_in_mid_game_loses_nothing(sit, path, seed):
    dice, kept, line, keep = random.Random(seed), 0, "second-story --seats you,uniform", "--record"
    for _ in range(3):
        talk = sit(f"{line} --seed {seed}", [keep])
        for _ in range(dice.randrange(2, 7)):
            talk(None, PROMPT)
            match = read(path)
            assert len(match.history) >= kept
            kept = len(match.history)
            talk(dice.choice(list(match.texts)))
        talk.kill()
        assert not notation.mend(path), "a line is written whole"
        assert len(read(path).history) >= kept
        kept, line, keep = len(read(path).history), "", "--resume"


def test_a_torn_last_line_is_dropped_with_a_word(sit, path):
    path.write_text(SEEN + "1 thor")
    sit("", ["--resume"])(None, "only half written", PROMPT)
    assert path.read_text() == SEEN


@pytest.mark.wide
def test_several_things_are_typed_in_one_line_and_late_ones_too(sit, path):
    talk = sit("thiefs-market --seats you,uniform,uniform --seed 3")
    assert "Several at once, in any order: take marker bag green" in talk(None, PROMPT)
    still = "take bag green blue (there are still red, white, blue, green and bag)"
    assert still in talk("take marker bag", PROMPT)
    talk("take mask and fish", "TM-11: no mask is in the centre", PROMPT)
    talk("2 white red done", [PROMPT, pexpect.EOF])
    mine = [line for line in path.read_text().splitlines() if line.startswith("1 ")]
    taken = ["red", "white", "white", "bag", "marker"]
    assert mine[:6] == [*(f"1 take {kind}" for kind in taken), "1 done"]
    assert read(path).actors, "it replays"


def test_ctrl_c_leaves_and_says_how_to_go_on(sit):
    talk = sit("second-story --seats you,uniform --seed 1")
    talk(None, PROMPT)
    talk.child.sendintr()  # readline may just be getting ready; then it counts with the next key
    assert "Traceback" not in talk("", "Go on with: yegg play --resume", pexpect.EOF)


@pytest.mark.wide
def test_what_was_typed_can_be_taken_back(sit, path):
    def events():
        return path.read_text().split("\n\n")[1].splitlines()

    talk = sit("second-story --seats you,Ann --chance typed")
    talk(None, FLIP)
    talk("u", "nothing to take back")
    talk("pact", PROMPT)
    talk("u", "Taken back: Chance: flip the-pact", FLIP)  # the card at a person's prompt
    assert events() == []
    talk("mill", PROMPT)
    talk("thorough", ROLL)
    talk("u", "Taken back: Guest: thorough", PROMPT)  # a choice at the prompt for a die
    assert events() == ["* flip the-mill"]
    talk("quick", ROLL)
    talk("3", ROLL)
    talk("u", "Taken back: Chance: roll 3", ROLL)  # a die at the prompt for the next
    talk("0", "die shows 10", ROLL)
    assert events() == ["* flip the-mill", "1 quick", "* roll 10"]


@pytest.mark.wide
def test_a_die_typed_wrongly_goes_back_with_what_bots_made_of_it(sit, path):
    talk = sit("second-story --seats uniform,you --seed 1 --chance typed")
    talk(None, FLIP)
    talk("mill", r"(roll|flip) > ")
    assert read(path).actors == [-1, 0]
    talk("u", "Taken back: Chance: flip the-mill", FLIP)
    assert read(path).history == []


@pytest.mark.wide
def test_what_dice_and_cards_can_show_is_listed(sit, path):
    talk = sit("second-story --seats you,Ann --chance typed")
    talk(None, r"Type what your own dice and cards show", r"Which card is turned up\?", FLIP)
    talk("?", "flip the-mill", FLIP)
    talk("mill", PROMPT)
    talk("h", r"\? lists it, u takes the last back", PROMPT)
    talk("thorough", ROLL)
    talk("?", "roll 0 means roll 10")
    assert len(read(path).history) == 2, "a question is no event"


@pytest.mark.wide
def test_typed_chance_asks_again_until_it_can_be(sit, path):
    talk = sit("second-story --seats you,Ann --chance typed")
    talk(None, FLIP)
    for wrong in ("eleven", "the-pactum", "roll 3"):
        talk(wrong, "possible", FLIP)
    talk("mill", PROMPT)
    talk("thorough", ROLL)
    for wrong in ("00", "11", "-1", "x"):
        talk(wrong, ROLL)
    talk("10", PROMPT)
    talk("continue", FLIP)
    talk("the-mill", "SS-11: The Mill is not in the draw pile")
    assert (
        path.read_text().split("\n\n")[1] == "* flip the-mill\n1 thorough\n* roll 10\n1 continue\n"
    )


@pytest.mark.wide
def test_an_existing_record_is_not_overwritten(sit, path):
    path.write_text("precious")
    sit("second-story")(None, "exists; go on with it by --resume", pexpect.EOF)
    assert path.read_text() == "precious"


def test_without_a_name_the_game_is_kept_in_the_users_data_folder(sit, tmp_path):
    talk = sit("second-story --seats you,uniform", [])
    talk(None, r"kept in (\S+\.game)")
    assert re.fullmatch(rf"{tmp_path}/data/yegg/second-story-\d+-\d+\.game", talk.child.match[1])


@pytest.mark.wide
def test_a_record_of_another_game_is_refused(sit, path):
    path.write_text(SEEN)
    sit("magnate", ["--resume"])(None, "is a game of second-story, not of magnate")
    assert path.read_text() == SEEN, "and left as it was"


# Two people at one keyboard: each reads the report of the turn, and no other's

SHEETS = {
    "Ann": ("club steals C from 2", "diamond steals C from 2", "guards A"),
    "Bill": ("club steals C from 3", "diamond steals B from 1", "guards A"),
    "Cy": ("club steals C from 1", "diamond steals B from 1", "guards A"),
}
NEXT = {
    "Ann": ("club steals A from 2", "diamond steals A from 2", "guards B"),
    "Bill": ("club steals A from 1", "diamond steals A from 1", "guards B"),
    "Cy": (),
}
POINTS = ("allocate A 1", "allocate B 7", "allocate C 37")


@pytest.mark.wide
def test_who_gets_the_keyboard_reads_the_report_first_and_then_is_asked(sit):
    options = "hidden=yes secrets=3 spies=2 turns=2 posts=open"
    chosen = " ".join(f"--option {option}" for option in options.split())
    talk, shown = sit(f"secrets --seats Ann,Bill,Cy {chosen}"), {}
    for sheets in (dict.fromkeys(SHEETS, POINTS), SHEETS, NEXT):
        for name, orders in sheets.items():
            talk(None, f"Hand the keyboard to {name}, who presses Enter")
            shown[name] = talk("", f"{name} > ")
            for n, order in enumerate(orders, 1):
                talk(order, *([f"{name} > "] if n < len(orders) else []))
    for name, told in shown.items():
        report, turn, after = told.partition("Turn 2 of 2, the last")
        assert turn, "which turn it is"
        assert f"{name}: Whose secret does Club go for?" in after
        assert "Report of turn 1 of 2: " in report
        assert "Policemen stood at Ann's secret A, Bill's secret A and Cy's secret A." in report
    met = "Bill's Diamond and Cy's Diamond frustrate each other at Ann's secret B."
    alone = "Ann's Club and Ann's Diamond frustrate each other at Bill's secret C."
    assert f"{met} The secret is worth 7 points." in shown["Bill"]
    assert f"{met} The secret is worth 7 points." in shown["Cy"]
    assert f"{alone} The secret is worth 37 points." in shown["Bill"], "it is his own"
    for name in ("Ann", "Cy"):
        assert alone in shown[name]
        assert f"{alone} The secret" not in shown[name]
    untold = "Cy's Club steals Ann's secret C; how many points it brings is not told."
    assert untold in shown["Bill"]
    assert "Cy's Club steals Ann's secret C: 37 points." in shown["Cy"]


# Lessons

ON = "Enter goes on > "


def test_a_lesson_by_typing(terminal):
    talk = terminal("learn", "second-story", "1")
    assert "You are a burglar" in talk(None, PROMPT)
    assert "Quick is two dice" in talk("quick", PROMPT)  # another choice
    assert "SS-18" in talk("stop", PROMPT)  # not legal
    assert "choose before you roll" in talk("r 13", PROMPT)
    assert "A six." in talk("thor", PROMPT)
    asked = "Do you mean skip or stop? Type more of it."
    assert asked in talk("s", PROMPT)
    assert "You are a burglar" in talk("b", PROMPT)
    talk("1", PROMPT)
    talk("stop", ON)
    assert "press Enter" in talk("why?", ON)
    assert "lesson 2" in talk("s", "q leaves > ") + talk.child.after
    talk("q", pexpect.EOF)


@pytest.mark.wide
def test_several_at_once_count_as_far_as_they_are_wanted(terminal):
    talk = terminal("learn", "thiefs-market", "1")
    talk(None, PROMPT)
    assert "[W] [W] [bag]" in talk("bag white white", PROMPT)
    talk("done", ON)


@pytest.mark.wide
@pytest.mark.parametrize("name", EACH)
def test_every_lesson_can_be_typed_to_its_end(name):
    for lesson in lessons(games.find(name)):
        waits = [lesson.wanted(n) or "" for n in range(len(lesson.steps) - 1)]
        typed = "\n".join([*waits, "q", ""])
        done = CliRunner().invoke(cli, ["learn", name, str(lesson.number)], input=typed)
        assert done.exception is None, done.output
        assert done.output.count("Nothing is to be chosen") == 0
        last = next(step.says for step in reversed(lesson.steps) if step.says)
        assert " ".join(last.split())[:30] in " ".join(done.output.split())


def test_a_puzzle_by_typing(terminal):
    first = puzzles(games.find("second-story"))[0]
    talk = terminal("puzzle", "second-story", "1")
    assert "What would you do?" in talk(None, PROMPT)
    assert "SS-18" in talk("stop", PROMPT)  # not legal: it is asked again
    after = talk(first.next.text, "q leaves > ")
    assert "there is a better choice" in after
    assert f"{first.best.text} wins {100 * first.best.value:.0f} %" in after
    assert "puzzle 2" in talk("", PROMPT)
    talk("q", pexpect.EOF)


def test_the_puzzles_of_today_are_listed(run):
    assert "yegg puzzle second-story   today" in run("puzzle")[1]
    many = len(puzzles(games.find("second-story")))
    assert f"there is no puzzle 9999; there are 1 to {many}" in run("puzzle second-story 9999")[2]


def test_what_can_be_learnt_is_listed(run):
    every = run("learn")[1]
    assert all(games.find(name).title in every for name in games.names())
    one = run("learn magnate")[1]
    assert "yegg learn magnate 1" in one
    assert "Second Story" not in one
    assert "there is no lesson '9'; there are 1 to 5" in run("learn magnate 9")[2]
