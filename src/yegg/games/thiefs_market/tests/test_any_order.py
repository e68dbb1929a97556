"""TM-11, TM-12 as people play: objects in any order, several at once; the record sorts them."""

import pytest

from yegg.engine import Ambiguous, Match, NotLegal, Refused
from yegg.engine.sequence import in_row, late
from yegg.engine.typed import several
from yegg.games import find

START = "deal A fence | deal A tailor | deal A glamer | deal A necklace | deal A pawnbroker"
ROLLS = ["red", "red", "white", "blue", "green", "bag", "bag", "mask", "mask", "mask"]


@pytest.fixture
def match():
    """A first turn: two red, a white, a blue, a green, two bags, three masks and the marker."""
    made = Match(find("thiefs-market"), 3, how="plain")
    for text in [*START.split(" | "), *(f"roll {face}" for face in ROLLS)]:
        made.play(made.hear(text))
    return made


def row(match, *texts):
    """Say these one after the other; what the record has of the seat's turn then."""
    before = match.history[:]
    back, choices = in_row(match, texts)
    assert match.history == before, "to ask changes nothing"
    for _ in range(back):
        assert match.undo(match.actor)
    match.follow(choices)
    return spoken(match)


def spoken(match):
    """All that players have said, in the words of the record."""
    again, texts = match.again(), []
    for choice, actor in zip(match.history, match.actors, strict=True):
        if actor >= 0:
            texts.append(again.say(choice))
        again.follow([choice])
    return texts


def test_tm_11_objects_are_said_in_any_order_and_recorded_in_one(match):
    said = row(match, "take marker", "take mask", "take red", "take bag", "take red", "done")
    assert said == ["take red", "take red", "take bag", "take mask", "take marker", "done"]


def test_tm_11_one_that_comes_late_goes_before_those_already_taken(match):
    assert row(match, "take marker") == ["take marker"]
    assert row(match, "take red") == ["take red", "take marker"]
    assert row(match, "take bag", "done") == ["take red", "take bag", "take marker", "done"]


def test_tm_11_what_is_not_there_is_refused_and_nothing_changes(match):
    with pytest.raises(NotLegal, match="TM-11: no blue is in the centre"):
        in_row(match, ["take marker", "take blue", "take blue"])
    with pytest.raises(NotLegal, match="TM-11: at least one object is taken"):
        in_row(match, ["done"])
    assert spoken(match) == []


def test_tm_12_what_goes_back_too(match):
    row(match, "take marker", "take mask", "take red", "take white", "done")
    said = row(match, "steal 1", "return marker", "return white", "return red", "done")
    assert said[-5:] == ["steal 1", "return red", "return white", "return marker", "done"]


def test_tm_12_one_object_is_kept(match):
    row(match, "take marker", "take red", "done")
    row(match, "steal 1")
    with pytest.raises(NotLegal, match="TM-12: one object must be kept"):
        in_row(match, ["return marker", "return red", "done"])


def test_what_follows_the_end_of_a_turn_is_refused(match):
    with pytest.raises(NotLegal, match="comes too late"):
        in_row(match, ["take red", "done", "take white"])


def test_other_verbs_keep_their_order(match):
    """A theft is not put before what was taken."""
    row(match, "take marker", "take mask", "done")
    with pytest.raises(Refused):
        in_row(match, ["take red", "steal 1"])


def test_tm_11_what_may_still_be_said_is_known(match):
    assert late(match) == []
    row(match, "take bag")
    row(match, "take mask")
    assert late(match) == ["take red", "take white", "take blue", "take green", "take bag"]
    row(match, "take red")
    assert "take bag" in late(match)
    row(match, "done")
    assert late(match) == []


# --- typed


def typed(match, line):
    back, choices = several(match, line)
    for _ in range(back):
        match.undo(match.actor)
    match.follow(choices)
    return spoken(match)


@pytest.mark.parametrize(
    "line",
    [
        "take mask red marker",
        "take the marker, a mask and red",
        "mask red marker",
        "Take mar mas red",
        "take marker red 1 mask",
    ],
)
def test_tm_11_several_are_typed_in_one_line(match, line):
    assert typed(match, line) == ["take red", "take mask", "take marker"]


def test_tm_11_with_numbers_and_done(match):
    assert typed(match, "take 3 mask 2 red done") == [*["take red"] * 2, *["take mask"] * 3, "done"]
    assert match.actor == 1


def test_tm_11_typed_late(match):
    typed(match, "take marker")
    assert typed(match, "red") == ["take red", "take marker"]


def test_tm_12_several_go_back(match):
    typed(match, "take marker mask red white done")
    match.play(match.hear("steal 1"))
    assert typed(match, "marker red")[-2:] == ["return red", "return marker"]
    assert typed(match, "return white done")[-4:] == [
        "return red",
        "return white",
        "return marker",
        "done",
    ]


@pytest.mark.parametrize("line", ["take m red", "take red m"])
def test_a_beginning_of_two_words_is_asked_about(match, line):
    with pytest.raises(Ambiguous, match="take mask, take marker"):
        several(match, line)


@pytest.mark.parametrize("line", ["done", "steal 1", "1", "hello", "buy fence", "take-all", ""])
def test_other_lines_are_not_for_it(match, line):
    assert several(match, line) is None


@pytest.mark.parametrize("line", ["take blue blue", "take red hat", "take 99 red"])
def test_a_row_that_cannot_be_is_refused_with_the_reason(match, line):
    with pytest.raises(Refused):
        several(match, line)
    assert spoken(match) == []
