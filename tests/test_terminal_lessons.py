"""Lessons in the terminal, as learners type."""

import os
import sys

import pexpect
import pytest
from cases import EACH
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.lessons import lessons

PROMPT = "Guest > "
ON = "Enter goes on > "


@pytest.fixture
def learn(tmp_path):
    """Start `yegg learn`; returns the child."""
    children = []

    def start(*words):
        env = os.environ | {"USER": "root", "COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
        command = ["-m", "yegg.cli", "learn", *words]
        child = pexpect.spawn(
            sys.executable, command, env=env, encoding="utf-8", timeout=60, dimensions=(50, 100)
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def plain(text):
    return " ".join(text.split())


def test_a_lesson_by_typing(learn):
    child = learn("second-story", "1")
    child.expect(PROMPT)
    assert "You are a burglar" in plain(child.before)
    child.sendline("quick")  # another choice
    child.expect(PROMPT)
    assert "Quick is two dice" in plain(child.before)
    child.sendline("stop")  # not legal
    child.expect(PROMPT)
    assert "SS-18" in child.before
    child.sendline("r 13")
    child.expect(PROMPT)
    assert "choose before you roll" in plain(child.before)
    child.sendline("thor")
    child.expect(PROMPT)
    assert "A six." in plain(child.before)
    child.sendline("s")  # it could skip the lesson, or stop
    child.expect(PROMPT)
    assert "Do you mean skip or stop? Type more of it." in child.before
    child.sendline("b")
    child.expect(PROMPT)
    assert "You are a burglar" in plain(child.before)
    child.sendline("1")
    child.expect(PROMPT)
    child.sendline("stop")
    child.expect(ON)
    child.sendline("why?")
    child.expect(ON)
    assert "press Enter" in child.before
    child.sendline("s")
    child.expect("q leaves > ")
    assert "lesson 2" in plain(child.before) + child.after
    child.sendline("q")
    child.expect(pexpect.EOF)


def test_several_at_once_count_as_far_as_they_are_wanted(learn):
    child = learn("thiefs-market", "1")
    child.expect(PROMPT)
    child.sendline("bag white white")
    child.expect(PROMPT)
    assert "[W] [W] [bag]" in child.before
    child.sendline("done")
    child.expect(ON)


@pytest.mark.slow
@pytest.mark.parametrize("name", EACH)
def test_every_lesson_can_be_typed_to_its_end(name, monkeypatch):
    there = lessons(games.find(name))
    for lesson in there:
        waits = [lesson.wanted(n) or "" for n in range(len(lesson.steps) - 1)]
        typed = "\n".join([*waits, "q", ""])
        done = CliRunner().invoke(cli, ["learn", name, str(lesson.number)], input=typed)
        assert done.exception is None, done.output
        assert done.output.count("Nothing is to be chosen") == 0
        last = next(step.says for step in reversed(lesson.steps) if step.says)
        assert plain(last)[:30] in plain(done.output)


def test_what_can_be_learnt_is_listed():
    every = CliRunner().invoke(cli, ["learn"]).output
    for name in games.names():
        assert games.find(name).title in every
    one = CliRunner().invoke(cli, ["learn", "magnate"]).output
    assert "yegg learn magnate 1" in one
    assert "Second Story" not in one
    wrong = CliRunner().invoke(cli, ["learn", "magnate", "9"])
    assert "there is no lesson '9'; there are 1 to 5" in wrong.output
