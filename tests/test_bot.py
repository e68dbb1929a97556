"""`yegg bot`: other programs play with our bots, by lines of a record."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from programs import python

from yegg import games
from yegg.cli import cli
from yegg.engine import notation

DOCS = Path(__file__).parents[1] / "docs" / "bot-protocol.md"
SS = "second-story"
OPENING = ["", "* flip ace-of-leaves", "* flip the-author"]  # then seat 1 has a choice


def told(line, *lines):
    """What `yegg bot` answers."""
    done = CliRunner().invoke(cli, ["bot", *line.split()], "".join(f"{said}\n" for said in lines))
    assert done.exception is None, done.output
    return done.stdout.splitlines()


def whole(name):
    """A golden record: its match, and its lines."""
    path = min((games.find(name).folder / "records").glob("*.game"))
    return notation.read_file(path, games.find, how="plain"), path.read_text().splitlines()


@pytest.mark.wide(minutes=2)
def test_the_program_in_the_docs_plays_whole_games_of_all_four(tmp_path):
    page = DOCS.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(import random.*?)```", page, re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 20
    path = tmp_path / "foreign.py"
    path.write_text(code, encoding="utf-8")
    found = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for name in games.names():
        done = python(path, name, "greedy", env=found)
        assert done.returncode == 0, done.stderr
        game = games.find(name)
        match = notation.Match(game, game.usual)
        for event in done.stdout.splitlines():
            who, _, text = event.partition(" ")
            assert who == notation.who(match.actor)
            match.play(match.hear(text))
        assert match.over
        assert 0 in match.actors, "the bot had a choice"


def test_the_example_of_the_docs_is_answered_as_it_says():
    page = DOCS.read_text(encoding="utf-8")
    (example,) = re.findall(r"```\n(>\n.*?)```", page, re.DOTALL)
    (line,) = re.findall(r"^\(`yegg bot (.*)`\.\)$", page, re.MULTILINE)
    said = [one[1:].strip() for one in example.splitlines() if one[0] == ">"]
    answers = [one[2:] for one in example.splitlines() if one[0] == "<"]
    assert told(line, *said) == answers
    assert len(answers) == 3


@pytest.mark.wide(but=["second-story", "secrets"])
@pytest.mark.parametrize("name", games.names())
def test_a_record_is_answered_at_each_choice_of_the_seat(name):
    match, lines = whole(name)
    answers = told(f"{name} --bots uniform --seat 2", *lines)
    acts = [
        before.texts
        for before, actor in zip(notation.steps(match), match.actors, strict=False)
        if actor == 1 and before.choices != before.specials  # else the adjudicator writes
    ]
    assert len(answers) == len(acts) > 0
    for said, texts in zip(answers, acts, strict=True):
        assert said[:2] == "2 "
        assert said[2:] in texts


def test_bots_of_several_seats_answer_for_each():
    match, lines = whole(SS)
    assert match.players == 3
    both = told(f"{SS} --bots uniform,medium --seat 1,3", *lines)
    assert {said[0] for said in both} == {"1", "3"}
    assert len(told(f"{SS} --bots uniform --seat 3", *lines)) < len(both)
    assert len(told(f"{SS} --bots uniform --seat 3,1", *lines)) > 0


def test_the_same_seed_gives_the_same_choices():
    _, lines = whole(SS)
    one, two, other = (told(f"{SS} --bots uniform --seed {n}", *lines) for n in (4, 4, 5))
    assert one == two != other


def test_an_error_is_one_line_and_changes_nothing():
    lines = [*OPENING, "1 swim", "2 quick", "* roll 2", "1 -", "", "\x07", "go", "1 quick", "legal"]
    first, *errors, again, legal = told(f"{SS} -p 2 --bots greedy", *lines)
    assert [said.partition(": ")[0] for said in errors] == ["error"] * 6
    assert [said.split(":")[1] for said in errors] == [f" line {n}" for n in range(4, 10)]
    assert "'swim' is not possible here; possible: thorough, quick" in errors[0]
    assert "it is for seat 1 to act" in errors[1]
    assert "only whole records replay" in errors[3]
    assert first == again
    assert legal.startswith("* ? roll 1 | roll 2")


def test_before_a_game_and_out_of_turn_go_is_refused():
    early, late = told(f"{SS} -p 2 --bots greedy", "go", "", "go")
    assert early == "error: line 1: no game has begun: an empty line closes the head"
    assert late == "error: line 3: none of the bots is to act: it is for * to act"


def test_several_games_go_on_in_one_process():
    lines = [*OPENING, "new", "players: Ann, Bob, Cid, Dee", *OPENING, "new", *OPENING]
    answers = told(f"{SS} -p 2 --bots greedy", *lines)
    assert [said[:2] for said in answers] == ["1 "] * 3
    lines = [*OPENING, "new", "legal"]
    assert "no game has begun" in told(f"{SS} -p 2 --bots greedy", *lines)[1]


def test_the_head_says_what_is_played_and_a_wrong_one_is_told():
    lines = ["players: Ann, Bob", "options: pawns=yes", "", "legal"]
    (said,) = told(f"{SS} --bots greedy", *lines)
    assert "flip the-watchman" in said
    lines = ["game: magnate", "", "pla: 3", f"game: {SS}", "players: Ann", "", "", "legal"]
    other, head, few, legal = told(f"{SS} --bots greedy", *lines)
    assert "these bots play second-story, not 'magnate'" in other
    assert "a head has lines game: …" in head
    assert "Second Story is for 2 to 5 players, not 1" in few
    assert legal.startswith("* ? flip"), "the wrong head is forgotten"
    assert "there is no seat 3" in told(f"{SS} --bots greedy --seat 3", "players: Ann, Bob", "")[0]


def test_a_player_that_fails_is_told_and_can_be_asked_again(tmp_path, monkeypatch):
    (tmp_path / "faulty.py").write_text(
        "class Faulty:\n    def choose(self, view):\n        raise KeyError('lost')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    answers = told(f"{SS} -p 2 --bots faulty:Faulty", *OPENING, "go", "1 quick", "legal")
    assert [said.partition(": ")[0] for said in answers[:2]] == ["error", "error"]
    assert "KeyError" in answers[0]
    assert answers[2].startswith("* ? roll")


def test_a_list_of_legal_events_and_comments_are_passed_over():
    lines = ["# by hand", *OPENING, "? thorough | quick", "# now", "1 quick", "legal"]
    _, legal = told(f"{SS} -p 2 --bots greedy", *lines)
    assert legal.startswith("* ? roll")


def test_the_head_of_a_finished_record_is_taken_and_its_result_passed_over():
    lines = ["players: Ann, Bob", "places: 1, 2", "score: 3, 4", *OPENING]
    assert told(f"{SS} --bots greedy", *lines) == ["1 thorough"]
    twice = told(
        f"{SS} --bots greedy", "players: Ann, Bob", "game: magnate", "? quick", "", "legal"
    )
    assert "'game' comes before 'players'" in twice[0]
    assert "a head has lines" in twice[1]
    assert twice[2].startswith("* ? flip"), "wrong lines of a head are passed over"


def test_a_last_line_without_an_end_is_told():
    done = CliRunner().invoke(cli, ["bot", SS, "-p", "2"], "\nlegal")
    assert done.exit_code == 0
    assert done.stdout.startswith("error: line 2: the last line is cut off")


def test_bots_and_seats_must_fit():
    for line in ("--bots uniform,greedy --seat 1", "--seat 0", "--seat two", "--seat 1,1"):
        done = CliRunner().invoke(cli, ["bot", SS, *line.split()])
        assert done.exit_code == 2, line


@pytest.mark.wide
def test_answers_come_at_once_and_the_end_of_the_input_ends_it():
    """Every line is flushed: the other program waits for it."""
    line = [sys.executable, "-m", "yegg.cli", "bot", SS, "-p", "2", "--bots", "uniform"]
    with subprocess.Popen(line, stdin=-1, stdout=-1, text=True, bufsize=1) as bot:
        for said in OPENING:
            bot.stdin.write(f"{said}\n")
        assert bot.stdout.readline()[:2] == "1 "
        bot.stdin.write("legal\n")
        assert bot.stdout.readline() == "1 ? thorough | quick\n"
        bot.stdin.close()
        assert bot.wait(30) == 0
