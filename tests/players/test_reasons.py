"""Reasons: what the coach says of a choice, in the game's words, by what its player may know."""

import itertools

import numpy as np
import pytest
from twins import elsewhere, swapped

from yegg import games
from yegg.coach.advice import advise, sentence
from yegg.coach.called import called
from yegg.coach.reasons import CLEAR, STAGES, in_words, reasons
from yegg.engine import Match
from yegg.players import Bot
from yegg.players.policy_net import policy_function
from yegg.players.policy_net.policy_function import Learned
from yegg.players.thinking.evaluation import Sheets, reckoned, weigh
from yegg.players.thinking.knowledge import reasoned
from yegg.players.thinking.mixtures import sealed
from yegg.players.thinking.plan import Plan, Reckoned
from yegg.players.thinking.rollouts import REASONS

NAMES = games.names()


def later(game, events, options=None, seed=3):
    """A decision of a game between medium bots."""
    match = Match(game, game.usual, options, seed=seed)
    bot = Bot("medium", seed=seed)
    while len(match.history) < events or len(match.choices) < 2 or match.actor < 0:
        match.play(bot.choose(match.view()))
    return match


def spoken(match, how="compiled"):
    """What each seat could speak of."""
    every = np.zeros((match.players, REASONS))
    engine = match.game.engine("lore", "reasons", how=how)
    engine.kernel(reckoned)(match.states.copy(), every)
    return every


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_eight_to_twelve_reasons_in_words(name):
    known = reasons(games.find(name))
    assert 8 <= len(known) <= 12
    assert len({reason.phrase(2.0) for reason in known}) == len(known)
    for reason in known:
        assert len(reason.worth) == len(STAGES)
        assert min(reason.worth) >= 0, "of each more is better"
        assert reason.phrase(2.0) != reason.phrase(-2.0)
        assert "two " in reason.phrase(2.0 / reason.scale), "it says how much"
    assert sum(max(reason.worth) > 0 for reason in known) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_reasons_are_reckoned_alike_plain_and_compiled(name):
    game = games.find(name)
    seen = []
    for events in (0, 60):
        match = later(game, events)
        every = spoken(match)
        assert every == pytest.approx(spoken(match, "plain"))
        assert not every[:, len(reasons(game)) : -1].any(), "each number has its words"
        assert all(0 <= left <= 1 for left in every[:, -1])
        seen.append(every[0, -1])
    assert seen[0] > seen[1], "less and less of the game is to come"


ORDERED = 47  # events after which in Secrets one has ordered, and the next one has begun to
SPREAD = 40  # events after which the points of hidden secrets are spread
HIDES = [("magnate", {}, 40), ("secrets", {}, ORDERED), ("secrets", {"hidden": "yes"}, SPREAD)]


@pytest.mark.parametrize(("name", "options", "events"), HIDES, ids=str)
def test_what_is_hidden_from_a_seat_changes_no_reason(name, options, events):
    """Other cards, orders or points that it cannot see: the same sentences to the last letter."""
    match = later(games.find(name), events, options)
    hidden = swapped if options else elsewhere
    twins = [match, *itertools.islice(hidden(match, match.actor), 2)]
    assert len({twin.states.tobytes() for twin in twins}) == 3
    assert len({str(advise(twin, Plan(40 * len(twin.choices)))) for twin in twins}) == 1


def test_whom_one_may_steal_from_is_called_by_name():
    match = Match(games.find("thiefs-market"), 3, names=["Ann", "Ben", "Cid"], seed=1)
    while "steal 2" not in match.texts:
        match.play(match.choices[0])
    assert called(match)["steal 2"] == "Steal from Ben"


def test_every_order_is_tried_wherever_it_stands_on_the_sheet():
    match = later(games.find("secrets"), ORDERED)
    assert match.state.given[match.actor] > 0, "it is not the first"
    words = advise(match, Plan(100 * len(match.choices))).words
    assert all(word.tried and word.speaks is not None for word in words)
    assert {word.choice for word in words} == set(match.choices)


def test_orders_are_tried_against_what_was_learnt_of_the_others(monkeypatch):
    """The third one's Club always goes for the second one's 9: whoever else does gets nothing.

    So it is where no policy net covers the game.
    """
    monkeypatch.setattr(policy_function, "learned", lambda game: Learned())
    match = Match(games.find("secrets"), 3)
    nine, eight = (match.texts[f"club steals {secret} from 2"] for secret in (9, 8))
    learnt = sealed(match.game.state.dtype, match.game.choices)
    view, both, none_better = match.known_to(0), [nine, eight], np.ones(2)
    even = weigh(match.game, view, 0, both, Plan(400), 0, 1, Sheets(learnt, view, none_better))
    learnt.share[2, 0, nine] = 1.0
    met = weigh(match.game, view, 0, both, Plan(400), 0, 1, Sheets(learnt, view, none_better))
    assert even.values[0] > even.values[1]
    assert met.values[0] < met.values[1]
    assert met.shares is none_better, "how often to play them is what was learnt"


@pytest.mark.parametrize("name", ["second-story", "thiefs-market"])
def test_where_nothing_is_hidden_a_seat_knows_the_whole_state(name):
    """Its rules hide nothing, so nothing hidden could change a reason."""
    game = games.find(name)
    for option, made in game.options.items():
        for value in made.values:
            match = later(game, 40, {option: value})
            for seat in range(-1, match.players):
                assert match.known_to(seat).tobytes() == match.states.tobytes()


def test_better_and_worse_meet_the_same_futures():
    """A difference that is the same in every future is beyond doubt, however futures differ."""
    dice = np.random.default_rng(1)
    luck = dice.normal(50, 20, (12, 1, 3))
    sums = np.concatenate([luck + np.array([4.0, 0.0, -8.0]), luck], axis=1)
    more, doubts = Reckoned(np.full(12, 4), sums).between(0, 1)
    assert more == pytest.approx([1, 0, -2])
    assert doubts == pytest.approx([0, 0, 0], abs=1e-9)


def test_what_may_be_chance_is_not_told():
    known = reasons(games.find("magnate"))
    much, doubt = np.full(len(known), 2.0), np.full(len(known), 2.1 / CLEAR)
    assert in_words(known, much, doubt, 0.4) == ""
    assert in_words(known, much, doubt / 2, 0.4)


def test_what_is_worth_most_is_told_and_not_what_differs_most():
    """Tokens to spend decide Magnate's middle, and not how many the tax could take."""
    known = reasons(games.find("magnate"))
    names = [reason.more for reason in known]
    much = np.zeros(len(known))
    much[names.index("{} more to spend")] = 2.0
    much[names.index("{} fewer that the tax could take")] = 9.0
    assert in_words(known, much, much / 100, 0.4).startswith("two tokens more to spend")


def test_a_sentence_never_tells_the_cost_alone_where_reasons_are_known():
    better = sentence("“Sell the Author”", 0.04, "", speaks="2.9 tokens more to spend")
    assert better == (
        "“Sell the Author” is better: 2.9 tokens more to spend. That wins 4 games more in 100"
    )
    small = sentence("thorough", 0.04, "", speaks="")
    assert small == "wins 4 games fewer in 100 than thorough; no single reason stands out"


def test_the_coach_and_the_script_reckon_by_the_same_kernel():
    game = games.find("secrets")
    match = later(game, 30)
    every = np.zeros((match.players, REASONS))
    reasoned(game).kernel(reckoned)(match.states, every)
    assert every == pytest.approx(spoken(match))
