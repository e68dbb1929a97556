"""Games in words: whole games, refusals, who is told what, and how long it is."""

import random

import pytest

import yegg
from yegg import games
from yegg.engine import Match, briefing
from yegg.envs.text import TextEnv

SS = "second-story"
LONGEST = {"magnate": 3500, "second-story": 3500, "secrets": 4500, "thiefs-market": 4500}
"""Characters of a question, of our own games."""


def played(env, answers, seed=1):
    """Play a game to its end; ``answers`` is a function of the environment."""
    env.reset(seed)
    while not env.over:
        env.step(answers(env))
    return env


def any_number(seed):
    """A model that talks, and then takes any choice by its number."""
    dice = random.Random(seed)
    return lambda env: f"Maybe [none]? No: [{dice.randrange(len(env.match.choices)) + 1}]"


def in_words(env):
    """A model that takes the last choice by its words."""
    return f"I think that **[{list(env.match.texts)[-1]}]** is best."


@pytest.mark.wide(but=[SS, "secrets"])
@pytest.mark.parametrize("name", games.names())
def test_every_game_is_played_to_its_end_in_words(name):
    env = played(TextEnv(name), any_number(5))
    assert env.match.over
    assert env.forfeited is None
    assert sum(env.rewards) == pytest.approx(0)
    assert max(env.rewards) > 0
    assert all(one.decisions and not one.illegal for one in env.counts)
    assert env.ending().startswith("The game is over.\n1. ")
    assert env.observe() == []


def test_a_game_of_another_package_is_played_in_words(pig):
    said = pig(
        "-c",
        "from yegg.envs.text import TextEnv\n"
        "env = TextEnv('pig', goal=50)\n"
        "print(env.reset(seed=1)[-1]['content'])\n"
        "while not env.over: env.step('[1]' if len(env.match.choices) == 1 else '[hold]')\n"
        "print(env.rewards)",
    )
    assert "Do you roll or hold?\n1. " in said or "in the pot" in said


def test_rules_are_told_once_to_each_seat_and_a_question_has_all_its_parts():
    env = TextEnv(SS, 2)
    messages = env.reset(seed=4)
    assert [one["role"] for one in messages] == ["system", "user"]
    rules, question = (one["content"] for one in messages)
    assert "**SS-23**" in rules
    assert "Seat 1 to Seat 2" in rules
    assert "How the position is written: ▲ is the house" in rules
    for part in ("You are Seat 1.", "The position:\nSeat 1's night", "1. thorough\n2. quick"):
        assert part in question
    told = {0: 1}
    while not env.over:
        env.step(in_words(env))
        asked = env.observe()
        if asked:
            told[env.seat] = told.get(env.seat, 0) + (asked[0]["role"] == "system")
    assert told == {0: 1, 1: 1}


def test_short_rules_are_the_aim_and_the_steps():
    short, full = (
        TextEnv(SS, 2, rules=how).reset(seed=4)[0]["content"] for how in ("short", "full")
    )
    assert "## In four steps" in short
    assert "SS-23" not in short
    assert len(short) < 1600 < len(full)


def test_what_happened_since_ones_last_choice_is_told_in_sentences():
    env = TextEnv(SS, 2, seats=[0], others="greedy")
    env.reset(seed=1)
    while "stop" not in env.match.texts:
        env.step("[1]")
    env.step("[stop]")
    told = env.observe()[-1]["content"].partition("The position:")[0]
    assert "Since your last choice:\nSeat 2 " in told


def test_an_answer_without_a_choice_is_refused_with_what_is_possible_and_counted():
    env = TextEnv(SS, 2)
    env.reset(seed=4)
    before = env.match.history[:]
    for answer, why in (
        ("I would rather not say.", "there is no choice in square brackets"),
        ("[dance]", "'dance' is not possible here; possible: thorough, quick"),
        ("[3]", "there is no choice '3': 1 to 2"),
    ):
        env.tries = 9
        outcome = env.step(answer)
        assert not outcome.legal
        assert why in outcome.refusal
        assert "1. thorough\n2. quick" in outcome.refusal
        assert env.observe() == [{"role": "user", "content": outcome.refusal}]
    assert env.match.history == before
    assert env.counts[0].illegal == 3
    assert env.step("[Thorough]").choices == ("thorough",)


def test_a_refusal_names_the_clause_that_forbids_it():
    env = TextEnv(SS, 2)
    env.reset(seed=4)
    outcome = env.step("[stop]")
    assert outcome.clause == "SS-18"
    assert "SS-18: " in outcome.refusal


def test_too_many_refused_answers_lose_the_game_or_are_drawn_for():
    env = played(TextEnv(SS, 3), lambda env: "[dance]")
    assert (env.forfeited, env.rewards) == (0, [-1.0, 0.5, 0.5])
    assert env.counts[0].forfeits == 1
    assert env.ending() == "Seat 1 has lost: its answers were no choices."
    env = TextEnv(SS, 2, on_illegal="random", tries=1)
    env.reset(seed=2)
    outcome = env.step("[dance]")
    assert not outcome.legal
    assert outcome.choices
    assert env.forfeited is None


def test_several_choices_may_be_answered_at_once_as_people_type_them():
    env = TextEnv("thiefs-market", 3)
    assert "Several at once, in any order: take " in env.reset(seed=3)[-1]["content"]
    outcome = env.step("[take marker and mask]")
    assert outcome.choices == ("take mask", "take marker")


def test_the_same_seed_and_answers_give_the_same_game_beside_bots():
    one, two = (played(TextEnv(SS, 3, seats=[1]), any_number(3), seed=8) for _ in range(2))
    assert one.match.history == two.match.history
    assert one.counts[1].decisions > 0 == one.counts[0].decisions


@pytest.mark.wide(but=["secrets"])
@pytest.mark.parametrize("name", ["magnate", "secrets", "thiefs-market"])
def test_nothing_that_a_seat_reads_depends_on_what_it_cannot_know(name):
    """Others' hands and orders are dealt and written anew; the words stay."""
    env, dice, looked = TextEnv(name), random.Random(2), 0
    env.reset(seed=6)
    for step in range(60):
        if env.over:
            break
        seat, view = env.seat, env.match.view()
        other = Match.imagined(view, seed=step)
        while other.actor != seat:
            other.play(dice.choice(other.choices))
        if other.known_to(seat).tobytes() == env.match.known_to(seat).tobytes():
            looked += 1
            assert briefing.decision(other.view()) == briefing.decision(view)
            assert refused(other) == refused(env.match)
        env.step(f"[{dice.randrange(len(env.match.choices)) + 1}]")
    assert looked > 20


def refused(match):
    """What a seat reads after answers that are no choice."""
    said = []
    for answer in ("[dance]", "[club steals 1 from 1]", "[sell the-origin]", "[buy tailor]"):
        try:
            said.append(briefing.meant(match.view(), answer))
        except yegg.Refused as error:
            said.append(briefing.refusal(error, match.view()))
    return said


def test_orders_that_others_write_are_told_to_nobody():
    one, two = TextEnv("secrets", 3), TextEnv("secrets", 3)
    for env in (one, two):
        env.reset(seed=1)
    while one.seat == 0:
        one.step("[1]")
        two.step(f"[{len(two.match.choices)}]")
    assert one.match.history != two.match.history
    assert one.observe() == two.observe()


@pytest.mark.wide(but=[SS])
@pytest.mark.parametrize("name", LONGEST)
def test_questions_are_as_short_as_the_page_says(name):
    env, longest, pick = TextEnv(name, games.find(name).players[-1]), 0, any_number(4)
    env.reset(seed=7)
    while not env.over:
        longest = max(longest, len(env.observe()[-1]["content"]))
        env.step(pick(env))
    assert longest < LONGEST[name]


def test_what_happened_is_cut_to_its_newest_lines():
    view = Match(SS, 2, seed=1, how="plain").view()
    told = briefing.decision(view, [f"line {n:03} {'-' * 91}" for n in range(100)])
    assert "(81 earlier lines left out)\nline 081 " in told
    assert "line 080 " not in told


@pytest.mark.parametrize(
    ("answer", "choice"),
    [
        ("[a] or rather [b]", "b"),
        ("x" * 9000 + "[late]", "late"),
        ("[[inner]]", "inner"),
        ("`Quick`.", "quick"),
        ("**quick**", "quick"),
    ],
)
def test_the_last_brackets_of_an_answer_hold_its_choice(answer, choice):
    assert briefing.bracketed(answer, ["quick"]) == choice


@pytest.mark.parametrize(
    "answer", ["", "quick, I say", "[early]" + "x" * 9000, "[" + "x" * 300 + "]"]
)
def test_an_answer_without_brackets_holds_none(answer):
    with pytest.raises(yegg.NotUnderstood, match="no choice in square brackets"):
        briefing.bracketed(answer, ["quick"])


def test_nobody_is_asked_before_a_game_is_dealt():
    with pytest.raises(yegg.Refused, match=r"call reset\(\) first"):
        TextEnv(SS, 2).step("[1]")


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": [2]},
        {"seats": []},
        {"seats": [0], "others": ["greedy", "greedy"]},
        {"seats": [0], "others": "grady"},
        {"on_illegal": "ignore"},
        {"rules": "long"},
        {"chips": 99},
        {"tries": 0},
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(yegg.Refused):
        TextEnv(SS, 2, **wrong)
