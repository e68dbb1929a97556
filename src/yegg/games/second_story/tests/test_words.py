"""What is said of a game: the story, the reasons, the odds, the screen."""

from io import StringIO

import pytest
from rich.console import Console

from yegg.engine import NotLegal
from yegg.games.second_story import odds, screen, words

from .burgling import begin, go, lay

NAMES = ["Ann", "Ben", "Cid"]


def told(match, *events):
    """The sentences of some events; the last ones' if there are more than asked for."""
    said = []
    for event in events:
        again = match.fork()
        go(match, event)
        said.append(words.tell(again.state, match.history[-1], NAMES))
    return said


def odds_of(match, text):
    return odds.odds(match.state, match.hear(text))


# --- the story ---------------------------------------------------------------------------------


def test_a_failed_roll_says_the_die_and_what_was_needed_and_what_is_lost():
    match = go(begin(), "the-origin", "thorough", 5, "continue", "the-castle")
    assert told(match, "thorough", 6) == [
        "Ann is thorough at the Castle.",
        "The die shows 6, and the Castle needs 7: Ann is detected and drops a wave and a leaf.",
    ]
    assert told(match, "the-sea", 9, 2) == [
        "Ben comes to the Sea, the Crown of waves: one of two dice must show a ten.",
        "The first die shows 9.",
        "The second die shows 2, and the Sea needs 10: Ben is detected with an empty bag.",
    ]


def test_a_failed_roll_with_a_way_out_is_not_the_end():
    match = go(lay(begin(), lair={"waves": 2}), "the-sea", 3)
    assert told(match, 4, "risk", 3, 4, "flee")[::2] == [
        "The second die shows 4, and the Sea needs 10: Ann is detected, but can try again.",
        "The first die shows 3.",
        "Ann flees and drops a wave.",
    ]


def test_what_must_not_be_missed_is_marked():
    match = go(lay(begin(), lair={"waves": 1}), "the-sea", 3)
    assert words.alarm(match.state, match.hear("roll 4"))
    assert not words.alarm(match.state, match.hear("roll 10"))
    go(match, 4)
    assert words.alarm(match.state, match.hear("flee"))
    assert not words.alarm(match.state, match.hear("risk"))
    assert not words.alarm(go(match, "risk").state, match.hear("roll 1")), "a die is still to come"


def test_chips_are_told_one_by_one_in_the_singular():
    match = go(begin(), "the-mill", "quick", 8, 1)
    assert told(match, "take leaves", "continue", "ace-of-leaves") == [
        "Ann takes a leaf.",
        "Ann goes on to another house.",
        "Ace of Leaves: a leaf falls out of Ann's bag.",
    ]
    match = go(begin(), "the-mill", "thorough")
    assert told(match, 8) == ["The die shows 8: Ann robs the Mill of a wave and a leaf."]
    match = go(lay(begin(), bank={"waves": 0, "leaves": 0}), "the-mill", "thorough")
    said = "The die shows 8: Ann robs the Mill, but the bank has nothing of what is in it."
    assert told(match, 8) == [said]


def test_who_goes_home_is_told_with_all_that_comes_along():
    match = go(begin(excuse="yes"), "the-excuse", "the-mill", "thorough", 8)
    go(match, "continue", "ace-of-suns", "the-origin", "thorough", 8)
    assert told(match, "stop") == [
        "Ann goes home with a sun, two waves, two leaves and the Excuse."
    ]


def test_ss_37_what_is_left_is_told():
    match = go(begin(decline="yes", pawns="yes"), "the-watchman", "all-flats", 9)
    assert told(match.fork(), "leave") == ["Ann takes nothing from the Watchman."]
    said = ["Ann takes a moon.", "Ann takes no more from the Watchman."]
    assert told(match, "take moons", "leave") == said


# --- reasons -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("risk", "SS-23: a second chance is for a Crown"),
        ("stop", "SS-17: the roll failed; excuse or flee"),
    ],
)
def test_ss_42_why_not_after_a_failed_roll(text, why):
    match = begin(2, excuse="yes")
    go(match, "the-excuse", "the-mill", "thorough", 8, "stop", "the-pact", "thorough", 1)
    go(match, "the-cave", "thorough", 6)
    with pytest.raises(NotLegal, match=why):
        go(match, text)


def test_ss_42_the_excuse_must_lie_in_ones_own_lair():
    match = go(lay(begin(excuse="yes"), lair={"waves": 1}), "the-sea", 1, 1)
    with pytest.raises(NotLegal, match="SS-42: the Excuse does not lie in your lair"):
        go(match, "excuse")
    assert words.clauses(match.state) == (17, 23, 24), "nothing of an Excuse that is not there"


# --- odds --------------------------------------------------------------------------------------


def test_odds_are_sentences_with_percents():
    match = go(begin(), "the-castle")
    assert odds_of(match, "thorough") == "One die, 7 or more: 40 % for two chips."
    assert odds_of(match, "quick") == "Two dice, one of them 7 or more: 64 % for one chip."
    go(match, "thorough", 7, "continue", "the-sea", 10, 1, "continue", "the-mill")
    assert odds_of(match, "thorough") == (
        "One die, 8 or more: 30 % for two chips; failing costs 3 chips."
    )
    match = go(lay(begin(), lair={"waves": 1}), "the-sea", 1, 1)
    assert odds_of(match, "risk") == "Works 19 % of the time; failing costs 1 chip."
    assert odds_of(match, "flee") == ""


def test_even_the_safest_job_fails_as_often_as_counting_says():
    match = go(begin(), "the-origin", "thorough", 5)
    ranks = [rank for rank in range(2, 10) for _ in range(3)]
    ranks.remove(2)
    missed = [((rank - 1) / 10) ** 2 for rank in ranks] + [0.81] * 6
    share = round(100 * sum(missed) / len(missed))
    said = f"The next house fails you {share} % of the time, however careful you are."
    assert (odds_of(match, "continue"), odds_of(match, "stop")) == (said, "")


def test_the_excuse_is_said_only_where_it_can_be_turned_up():
    basic = go(begin(), "the-origin", "thorough", 5)
    shown = odds.outlook(basic.state, 0)
    assert shown.startswith("The next card: Ace 17 %, rank 2 to 5 31 %")
    assert "Excuse" not in shown
    extended = go(begin(excuse="yes"), "the-origin", "thorough", 5)
    assert "Ace 17 %, Excuse 3 %" in odds.outlook(extended.state, 0)
    assert odds.outlook(basic.state, 1) == "", "it is not their choice"


# --- the screen --------------------------------------------------------------------------------


def test_the_screen_says_who_is_tied():
    paper = StringIO()
    match = lay(begin(), lair={"waves": 2, "suns": 1})
    Console(file=paper, width=90, color_system=None).print(screen.draw(match.state, NAMES, 0))
    rows = [line.split() for line in paper.getvalue().splitlines()]
    ends = {row[0]: row[-2:] for row in rows if row and row[0] in NAMES}
    assert ends == {"Ann": ["1", "1"], "Ben": ["2,", "tied"], "Cid": ["2,", "tied"]}
