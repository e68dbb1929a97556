"""The option ``decline``: who may take a chip may leave it (SS-37)."""

import itertools

import pytest

from yegg.engine import NotLegal
from yegg.parts.decktet import KIND, SLUGS, SUIT_COUNT, SUIT_NAMES, SUITS, Kind

from .burgling import all_face_up, begin, chips, go, lay, legal

ON = {"decline": "yes", "pawns": "yes", "courts": "yes"}


def robbing(card, plan, *, gone=(), **options):
    """The first seat has rolled a ten at a house; the bank has none of some suits."""
    match = lay(begin(**ON | options), bank=dict.fromkeys(gone, 0))
    dice = [10, 1] if plan in ("quick", "") else [10]
    return go(match, card, *[plan] if plan else [], *dice)


DONE = ["continue", "stop"]


def test_ss_37_a_quick_job_asks_for_its_chip_or_to_leave_it():
    match = robbing("the-mill", "quick")
    assert legal(match) == ["leave", "take leaves", "take waves"]
    go(match, "take leaves")
    assert (legal(match), chips(match.state.bag)) == (DONE, {"leaves": 1})
    match = go(robbing("the-mill", "quick"), "leave")
    assert (legal(match), chips(match.state.bag)) == (DONE, {})
    assert match.state.bank.tolist() == [10] * 6


def test_ss_37_it_is_asked_where_a_chip_would_come_without_a_question():
    assert legal(robbing("the-mill", "quick", gone=["waves"])) == ["leave", "take leaves"]
    one = robbing("the-watchman", "one-flat", gone=["moons", "knots"])
    assert legal(one) == ["leave", "take wyrms"]
    both = robbing("the-watchman", "several-flats", gone=["moons"])
    assert legal(both) == ["leave", "take knots", "take wyrms"]
    assert legal(robbing("the-watchman", "all-flats")) == [
        "leave",
        "take knots",
        "take moons",
        "take wyrms",
    ]


def test_ss_37_nothing_is_asked_where_there_is_no_chip_to_be_had():
    assert legal(robbing("the-mill", "quick", gone=["waves", "leaves"])) == DONE
    assert legal(robbing("the-watchman", "all-flats", gone=["moons", "wyrms", "knots"])) == DONE


def test_ss_37_a_thorough_job_a_crown_and_an_ace_leave_no_choice():
    match = robbing("the-mill", "thorough")
    assert (legal(match), chips(match.state.bag)) == (DONE, {"waves": 1, "leaves": 1})
    match = robbing("the-sea", "")
    assert (legal(match), chips(match.state.bag)) == (DONE, {"waves": 1})
    assert chips(go(begin(**ON), "ace-of-suns").state.bag) == {"suns": 1}


def test_ss_37_chips_are_taken_in_suit_order_and_after_leave_the_house_gives_no_more():
    match = robbing("the-watchman", "several-flats")
    assert legal(match) == ["leave", "take knots", "take moons", "take wyrms"], "all three at once"
    assert legal(go(match, "take moons")) == ["leave", "take knots", "take wyrms"]
    assert legal(go(match, "leave")) == DONE
    assert chips(match.state.bag) == {"moons": 1}
    match = robbing("the-watchman", "several-flats", gone=["knots"])
    assert legal(go(match, "take moons")) == ["leave", "take wyrms"], "the last one is asked for"
    assert legal(go(match, "take wyrms")) == DONE
    match = go(robbing("the-watchman", "several-flats"), "take knots")
    assert (legal(match), chips(match.state.bag)) == (DONE, {"knots": 1}), "no later suit is left"
    match = go(robbing("the-watchman", "all-flats", gone=["knots"]), "take wyrms")
    assert (legal(match), chips(match.state.bag)) == (DONE, {"wyrms": 1})


def lines(suits, due, after=-1):
    """Every way that the record can go on, by the text of its second bullet."""
    later = [suit for suit in suits if suit > after]
    if not due or not later:
        return {()}
    ways = {("leave",)}
    for suit in later:
        taken = f"take {SUIT_NAMES[suit]}"
        ways |= {(taken, *rest) for rest in lines(suits, due - 1, suit)}
    return ways


def ways_of(match):
    """The same, as the game has them."""
    found = set()
    for text in match.texts:
        if text in DONE:
            return {()}
        found |= {(text, *rest) for rest in ways_of(go(match.fork(), text))}
    return found


HOUSES = [card for card in range(len(SLUGS)) if SUIT_COUNT[card] > 1]
JOBS = [
    *[(card, "quick", 1) for card in HOUSES if KIND[card] == Kind.NUMBER][::5],
    *[
        (card, f"{flats}-flat{'s' if due > 1 else ''}", due)
        for card in HOUSES
        if KIND[card] >= Kind.PAWN
        for due, flats in enumerate(("one", "several", "all"), 1)
    ][::2],
]


@pytest.mark.parametrize(("card", "plan", "due"), JOBS)
def test_ss_37_the_record_goes_on_in_every_way_that_the_text_allows_and_no_other(card, plan, due):
    suits = SUITS[card, : SUIT_COUNT[card]].tolist()
    for there in itertools.product([False, True], repeat=len(suits)):
        left = list(itertools.compress(suits, there))
        gone = [SUIT_NAMES[suit] for suit in set(suits) - set(left)]
        assert ways_of(robbing(SLUGS[card], plan, gone=gone)) == lines(left, due)


def test_ss_37_without_the_option_nothing_can_be_left():
    for card, plan in (("the-mill", "quick"), ("the-watchman", "several-flats")):
        match = robbing(card, plan, decline="no")
        assert "leave" not in match.texts
        with pytest.raises(NotLegal, match=r"SS-36: .* only the option decline"):
            go(match, "leave")


def test_ss_37_what_cannot_be_done_is_told_with_its_clause():
    match = go(robbing("the-watchman", "all-flats", gone=["knots"]), "take moons")
    for text, why in (
        ("take moons", "SS-37: .* suit order"),
        ("take knots", "SS-36: the bank has no knots left"),
        ("take suns", "SS-50: the Watchman has no suns"),
        ("stop", r"SS-36: first you take a chip, or leave it \(SS-37\)"),
    ):
        with pytest.raises(NotLegal, match=why):
            go(match, text)
    with pytest.raises(NotLegal, match="SS-16: the Mill has no suns"):
        go(robbing("the-mill", "quick"), "take suns")
    with pytest.raises(NotLegal, match="SS-18"):
        go(go(match, "leave"), "leave")


def test_ss_37_and_ss_12_who_leaves_the_last_chip_of_the_last_house_is_home():
    match = all_face_up(begin(decline="yes"), "the-origin")
    go(match, "the-origin", "quick", 2, 2, "leave")
    assert (match.state.turn, match.state.lair.sum()) == (1, 0)
