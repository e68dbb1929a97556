"""What the browser shows: failed nights above all, odds, standings, what may be left."""

import random

import pytest

from yegg.engine import CHANCE
from yegg.games.second_story.face import face
from yegg.parts.decktet import SUIT_NAMES

from .burgling import begin, go, lay

NAMES = ["Morgan", "Siveny", "Jorge", "Ana", "Tom"]


def told(match):
    """The newest events as the table hands them to a face."""
    return match.told[-80:]


def scene(match, seat=0):
    return face.scene(match.state, NAMES[: match.players], seat, told(match))


def fallen(match):
    """Who failed, where, by which dice against what, and what was lost."""
    return [
        (n["name"], n["house"]["name"], n["dice"], n["need"], n["lost"])
        for n in scene(match)["fallen"]
    ]


def acts(match):
    return face.acts(match.state, int(match.actor), match.texts)


# --- a failed roll is shown before the turn passes ---------------------------------------------


def test_a_failed_night_is_news_until_somebody_chooses_and_told_until_the_second_house():
    match = go(begin(), "the-origin", "thorough", 5, "continue", "the-castle", "thorough", 6)
    go(match, "the-mill")
    news = ("Morgan", "The Castle", [6], 7, ["waves", "leaves"])
    assert fallen(match) == [news]
    assert scene(match)["fresh"]
    assert face.pause(match.state, told(match)) > 2, "bots wait"
    go(match, "quick", 9, 1)
    assert fallen(match) == [news]
    assert not scene(match)["fresh"]
    assert face.pause(match.state, told(match)) == 1
    go(match, "take waves", "continue", "the-cave")
    assert fallen(match) == []


def test_a_crown_that_fails_at_once_is_shown_after_what_failed_before_it():
    match = go(begin(), "the-castle", "quick", 6, 1, "the-sea", 9, 2, "the-mill")
    assert fallen(match) == [
        ("Morgan", "The Castle", [6, 1], 7, []),
        ("Siveny", "The Sea", [9, 2], 10, []),
    ]
    go(match, "thorough", 7, "the-cave")
    assert fallen(match) == [("Jorge", "The Mill", [7], 8, [])], "what was seen is not shown again"


def test_who_fled_and_who_risked_chips_is_shown_with_all_that_is_lost():
    match = lay(begin(), lair={"waves": 2}, bank={"waves": 8})
    go(match, "the-origin", "thorough", 5, "continue", "the-sea", 1, 2, "risk", 3, 4, "flee")
    go(match, "the-mill")
    assert fallen(match) == [("Morgan", "The Sea", [3, 4], 10, ["waves", "waves", "leaves"])]
    match = lay(begin(), lair={"waves": 1}, bank={"waves": 9})
    go(match, "the-sea", 1, 2, "risk", 3, 4, "the-mill")
    assert fallen(match) == [("Morgan", "The Sea", [3, 4], 10, ["waves"])]


def test_who_used_the_excuse_in_vain_is_shown_with_the_second_roll():
    match = begin(2, excuse="yes")
    go(match, "the-excuse", "the-mill", "thorough", 8, "stop", "the-pact", "thorough", 1)
    go(match, "the-cave", "thorough", 6, "excuse", 5, "the-castle")
    assert fallen(match) == [("Morgan", "The Cave", [5], 7, [])]


def test_who_went_home_has_not_failed():
    match = go(begin(), "the-origin", "thorough", 5, "stop", "the-mill")
    assert fallen(match) == []
    assert face.pause(match.state, told(match)) == 1


def test_at_the_end_it_is_shown_how_the_last_night_failed():
    match = go(lay(begin(2), bank={"waves": 1}), "the-mill", "thorough", 8, "stop")
    go(match, "the-pact", "thorough", 1, "the-cave", "thorough", 6)
    assert match.over
    assert fallen(match) == [("Morgan", "The Cave", [6], 7, [])]
    assert not scene(match)["fresh"]


def test_a_night_longer_than_what_is_told_loses_all_that_was_in_the_bag():
    match = begin(chips="20")
    while len(match.history) < 90:
        dull = ("continue", "thorough", "roll 10", *(t for t in match.texts if t[:4] == "flip"))
        go(match, next(t for t in match.texts if t in dull))
    assert scene(match)["bag"]
    while match.state.turn == 0:
        dull = ("continue", "thorough", "roll 1", *(t for t in match.texts if t[:4] == "flip"))
        bag = scene(match)["bag"]
        go(match, next(t for t in match.texts if t in dull))
    go(match, next(text for text in match.texts if "ace" not in text))
    assert [(name, dice, lost) for name, _, dice, _, lost in fallen(match)] == [
        ("Morgan", [1], bag)
    ]


OPTIONS = {"excuse": "yes", "pawns": "yes", "courts": "yes", "decline": "yes"}


@pytest.mark.wide(but=["0", "5"])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_shown_to_be_lost_is_what_went_back_to_the_bank(seed):
    dice = random.Random(seed)
    match = begin(2 + seed % 4, **OPTIONS, chips="345678"[seed % 6])
    failed, shown = [], 0  # nights, since somebody chose something
    while not match.over:
        s = match.state
        seat, bag = int(s.turn), s.bag.copy()
        if match.actor != CHANCE:
            if scene(match)["fresh"]:
                assert [(n["seat"], n["lost"]) for n in scene(match)["fallen"]] == failed[-3:]
                shown += len(failed)
            failed = []
        liked = [text for text in match.texts if text in ("continue", "risk", "quick")]
        text = dice.choice(liked if liked and dice.random() < 0.6 else list(match.texts))
        go(match, text)
        if match.state.turn != seat:
            lost = [SUIT_NAMES[suit] for suit in range(6) for _ in range(bag[suit])]
            failed = [] if text == "stop" else [*failed, (seat, lost)]
    assert shown > 2


# --- the words of the page ---------------------------------------------------------------------


def test_who_is_level_with_somebody_is_tied():
    places = [lair["place"] for lair in scene(begin())["lairs"]]
    assert places == ["tied for first"] * 3
    match = lay(begin(), lair={"waves": 2, "suns": 1})
    places = [lair["place"] for lair in scene(match)["lairs"]]
    assert places == ["first", "tied for second", "tied for second"]


def test_what_going_home_would_make_of_a_lair():
    match = go(begin(), "the-origin", "thorough", 5)
    assert scene(match)["hint"] == "Home with the bag you would score 1 and be first."
    match = go(begin(), "the-sea", 10, 5)
    assert scene(match)["hint"] == "Home with the bag you would score 0 and be tied for first."
    assert scene(match, seat=1)["hint"] == ""


def test_ss_37_what_may_be_left_has_a_button():
    match = go(begin(decline="yes", pawns="yes"), "the-watchman", "several-flats", 6)
    assert [act["text"] for act in acts(match)] == list(match.texts)
    assert acts(match)[-1] == {
        "text": "leave",
        "verb": "Leave it",
        "key": "e",
        "says": "and take nothing here",
    }
    assert acts(go(match, "take moons"))[-1]["says"] == "and take no more here"
    assert len({act["key"] for act in acts(match)}) == len(acts(match))


def test_the_sorts_of_houses_that_may_come_are_those_in_the_pile():
    basic = dict(scene(go(begin(), "the-origin", "thorough", 5))["ahead"])
    assert list(basic) == ["Ace", "rank 2 to 5", "rank 6 to 9", "Crown"]
    assert basic["Ace"] == pytest.approx(6 / 35)
    match = go(begin(excuse="yes", pawns="yes"), "the-origin", "thorough", 5)
    assert {"Excuse", "tenement"} <= set(dict(scene(match)["ahead"]))
    go(match, "stop", "the-excuse", "the-mill")
    assert "Excuse" not in dict(scene(match)["ahead"]), "it lies beside the bag"
