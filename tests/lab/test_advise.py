"""The coach: advice uses what a seat may know, and a review adds up."""

import json
import random
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.cli.coach import show_review
from yegg.coach.advice import (
    advise,
    first_sight,
    praise,
    round_of,
    sentence,
    undecided,
)
from yegg.coach.review import Review, Slip, explained, judged, review, to_dict
from yegg.engine import Match, Refused, kernels, notation
from yegg.players.thinking.plan import Evaluation, Plan, apart, in_pairs
from yegg.table.render import svg

GAME = games.find("second-story")


def played(events, seed=1, game=GAME):
    """A match of random play, then to the next decision."""
    match, dice = Match(game, game.usual), random.Random(seed)
    for _ in range(events):
        if not match.over:
            match.play(dice.choice(match.choices))
    return match.to_decision(seed)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "short.game"
    path.write_text(notation.write(played(30)))
    return path


def test_every_choice_gets_a_word_the_best_first():
    match = played(30)
    advice = advise(match, Plan(iterations=300))
    assert {word.choice for word in advice.words} == set(match.choices)
    assert advice.words[0].why.startswith(("the best", "nothing was clearly better"))
    assert sum(word.policy for word in advice.words) == pytest.approx(1)
    for word in advice.words:
        assert 0 <= word.win.low <= word.win.value <= word.win.high <= 1


def test_without_a_decision_there_is_no_advice():
    with pytest.raises(Refused, match="chance's turn"):
        advise(Match(GAME, 3), Plan(iterations=10))


def test_a_sentence_says_what_a_choice_costs():
    said = sentence("thorough", 0.071, "fails 5 times in 10")
    assert said == "wins 7 games fewer in 100 than thorough; fails 5 times in 10"
    assert sentence("thorough", 0.011, "") == "wins 1 game fewer in 100 than thorough"


def evaluated(monkeypatch, values, doubts, shares=None):
    """Advice on a decision between two, when thinking finds these values."""
    found = Evaluation(
        shares=np.array(shares or values),
        values=np.array(values),
        tries=np.array([50, 50]),
        sample=np.array([50.0, 50.0]),
        doubts=np.array(doubts),
        worth=np.full(3, 1 / 3),
        iterations=100,
    )
    monkeypatch.setattr("yegg.coach.advice.think", lambda *_: found)
    match = played(30)
    assert len(match.choices) == 2
    return match, advise(match, Plan(iterations=1))


def test_choices_that_cannot_be_told_apart_are_told_so(monkeypatch):
    match, advice = evaluated(monkeypatch, [0.5, 0.45], [0.0, 0.03])
    better, worse = match.texts
    assert advice.undecided == f"These two cannot be told apart: {better} and {worse}."
    assert str(advice).startswith(advice.undecided)
    assert [word.alike for word in advice.words] == [True, True]
    assert advice.words[0].why.startswith("nothing was clearly better")
    assert advice.words[1].why.startswith(f"cannot be told apart from {better}")
    assert judged(match, match.texts[worse], 0, advice) is None, "that is no slip"


def test_a_choice_that_is_clearly_best_is_named(monkeypatch):
    match, advice = evaluated(monkeypatch, [0.5, 0.45], [0.0, 0.02])
    better, worse = match.texts
    assert (advice.undecided, advice.alike) == ("", [])
    assert advice.words[0].why.startswith(("the best of what was tried", "better than "))
    assert advice.words[1].why.startswith(f"wins 5 games fewer in 100 than {better}")
    assert judged(match, match.texts[worse], 0, advice).cost == pytest.approx(0.05)


def test_of_two_that_cannot_be_told_apart_it_says_what_the_best_means():
    said = praise("stop", "two chips more", "", alike=True)
    assert said == "nothing was clearly better; beside stop it means two chips more"
    assert praise("stop", "", "", alike=False).endswith("no single reason stands out")


def test_at_first_sight_no_price_is_told():
    match = played(30, game=games.find("magnate"))
    found = first_sight(match)
    assert found.at_first_sight
    whys = [word.why for word in found.words]
    assert all("at first sight" in why and "in 100" not in why for why in whys)
    assert any("first sight: " in why or "better: " in why for why in whys), "some have a reason"


def test_what_does_better_than_the_best_of_a_mixture_is_no_worse(monkeypatch):
    """Secret orders: the best is what is given most often, and not what tries say is worth most."""
    _, found = evaluated(monkeypatch, [0.5, 0.55], [0.0, 0.01], shares=[0.9, 0.1])
    assert [word.alike for word in found.words] == [True, True]
    assert found.words[0].best
    assert "cannot be told apart" in found.words[1].why


def test_many_that_cannot_be_told_apart_are_counted():
    said = undecided(["a", "b", "c", "d", "e"], 9)
    assert said == "No choice is clearly best: 5 of 9 cannot be told apart."


def test_the_same_futures_tell_choices_apart_that_independent_ones_could_not():
    """One choice always wins a little more in the same futures, whose luck is far greater."""
    dice = np.random.default_rng(1)
    slices, luck = np.full(40, 25), dice.normal(12, 3, 40)
    gains = np.stack([luck + 1 + dice.normal(0, 0.1, 40), luck], axis=1)
    doubts = in_pairs(slices, gains, 0)
    assert doubts[0] == 0
    assert 0 < doubts[1] < 0.001
    values = gains.sum(axis=0) / slices.sum()
    assert values[0] - values[1] > 10 * doubts[1]
    assert apart(values, np.full(2, 1000.0), 0)[1] > 0.02


def test_orders_are_advised_from_before_ones_own_first():
    """In Secrets, thinking starts where I had ordered nothing yet, or others would know."""
    match = Match(games.find("secrets"), 3)
    start = match.known_to(match.actor).tobytes()
    seat = match.actor
    match.play(match.choices[0])
    assert match.actor == seat
    assert round_of(match)[0].tobytes() == start


@pytest.mark.wide
def test_luck_and_decisions_add_up_to_the_result():
    match = played(10_000)
    found = review(match, Plan(iterations=60))
    moved = found.curve[-1] - found.curve[0]
    assert np.allclose(found.luck + found.decisions, moved)
    assert found.curve.shape == (len(match.history) + 1, 3)
    assert np.allclose(found.curve.sum(axis=1), 1)
    assert found.slips
    assert found.slips == sorted(found.slips, key=lambda slip: (slip.seat, -slip.cost))
    assert max(Counter(slip.seat for slip in found.slips).values()) <= 3
    worst = found.slips[0]
    assert worst.cost > 0
    who = f"event {worst.event}, {match.names[worst.seat]}: "
    assert str(worst).startswith(f"{who}{worst.chosen} gave away ")
    assert f" of the win; {worst.better} was best" in str(worst)


ABSENT = games.find("secrets").folder / "records" / "absent.game"


def missed(events):
    """A game of five in which Bill missed the first deadline, so far."""
    whole = notation.read_file(ABSENT, games.find)
    match = whole.again()
    match.follow(whole.history[:events])
    return match


@pytest.mark.wide
def test_orders_that_did_not_come_are_nobodys_choice_in_a_review():
    """SE-15: the record holds them, but the player who missed the deadline chose nothing."""
    match = missed(20)
    found = review(match, Plan(iterations=200))
    assert found.curve.shape == (21, 5)
    homes = {i for i, choice in enumerate(match.history) if match.actors[i] == 1 and i < 10}
    assert len(homes) == 5
    assert not {slip.event - 1 for slip in found.slips} & homes


def test_where_only_the_adjudicator_writes_there_is_nothing_to_advise():
    """In the middle of the orders of somebody who missed the deadline."""
    with pytest.raises(Refused, match="Bill's orders did not come in time"):
        advise(missed(6), Plan(iterations=5))
    said = CliRunner().invoke(cli, ["advise", str(ABSENT), "--at", "6"])
    assert "nobody has a choice here: Bill's orders did not come in time" in said.output
    assert "--at 5" in said.output, "the last choice before"
    assert advise(missed(5), Plan(iterations=5)).seat == 1, "he could still have ordered here"


RECORDS = sorted(
    path for name in games.names() for path in (games.find(name).folder / "records").glob("*.game")
)


@pytest.mark.wide
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_every_golden_record_can_be_looked_back_on(path):
    match = notation.read_file(path, games.find)
    found = review(match, Plan(iterations=2))
    assert found.curve.shape == (len(match.history) + 1, len(match.scores))
    assert json.loads(json.dumps(to_dict(match, found)))["sides"] == match.side_names()
    show_review(match, found)


def test_the_commands_speak_json(file):
    said = CliRunner().invoke(cli, ["advise", str(file), "--seconds", "0.1", "--json"])
    data = json.loads(said.output)
    for choice in data["choices"]:
        low, high = choice["interval"]
        assert low <= choice["win"] <= high
        assert choice["why"]
    said = CliRunner().invoke(cli, ["review", str(file), "--seconds", "0.01", "--json"])
    data = json.loads(said.output)
    assert data["luck"].keys() == data["decisions"].keys() == set(data["sides"])


def test_advice_beyond_the_record_or_at_chance_says_where(file):
    said = CliRunner().invoke(cli, ["advise", str(file), "--at", "9999"])
    assert "beyond" in said.output
    said = CliRunner().invoke(cli, ["advise", str(file), "--at", "0"])
    assert "chance's turn" in said.output


@pytest.mark.wide
def test_what_futures_say_uses_nothing_hidden():
    """Magnate: other hands, the same words; all choices tried alike, the best one first."""
    match, said = played(60, game=games.find("magnate")), set()
    for seed in range(2):
        other = match.again()
        other.follow(match.history)
        other.states[:] = match.known_to(match.actor)
        dice = np.full(1, seed, np.uint64)
        match.game.engine().kernel(kernels.settle)(other.states, dice, np.zeros(500, np.int32))
        other._refresh()
        advice = advise(other, Plan(iterations=20 * len(match.choices)))
        assert advice.iterations == 20 * len(match.choices)
        assert advise(other, Plan(iterations=2)).iterations == len(match.choices)  # each once
        values = [word.win.value for word in advice.words]
        assert values == sorted(values, reverse=True)
        assert all(word.win.low <= word.win.value <= word.win.high for word in advice.words)
        said.add(str(advice))
    assert len(said) == 1


def test_a_jump_to_a_theft_says_the_player_s_name():
    match = Match(games.find("thiefs-market"), 3, names=["Ann", "seat 1", "Cid"])
    dice = random.Random(1)
    while "steal 2" not in match.texts or len(match.texts) < 2:
        match.play(dice.choice(match.choices))
    better = next(text for text in match.texts if text != "steal 2")
    seat, name = match.actor, match.names[match.actor]
    match.play(match.texts["steal 2"])
    slip = Slip(len(match.history), seat, name, "steal 2", better, cost=0.2)
    told = [explained(match, slip, Plan(iterations=40))]
    flat = np.zeros((len(match.history) + 1, 3))
    (jump,) = svg.jumps(Review(match.names, flat, np.zeros(3), np.zeros(3), told, np.zeros(3)))
    assert jump["chosen"] == "Steal from seat 1", "a name is no number of a seat"
