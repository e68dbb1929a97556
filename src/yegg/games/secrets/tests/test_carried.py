"""A turn carried out event by event: first all spies come, then it is settled secret by secret."""

import random
from itertools import pairwise

import pytest

from yegg.engine.secrecy import Teller
from yegg.games.secrets.face.face import parts, scene

from .conftest import random_match

NAMES = ["Ann", "Bill", "Cy", "Dot"]


def carried(match, seat):
    """The newest event of a match part by part, as a seat sees it."""
    before = match.again()
    before.follow(match.history[:-1])
    told = [one for one in Teller(match).hear(match, seat, None, lambda _: NAMES) if one.event]
    states = (at.known_to(seat)[0] for at in (before, match))
    names, events = NAMES[: match.players], [one.event for one in told]
    return list(parts(*states, names, seat, events, told[-1].news))


def letter(made, owner, secret):
    houses = {place["seat"]: place["secrets"] for place in made["rivals"]}
    return (houses.get(owner) or made["home"]["secrets"])[secret - 1]


def points(made):
    return [one["points"] for one in made["points"]]


def test_theft_capture_and_frustration_come_one_after_the_other(table):
    t = table(spies=2).turn("7@2 9@3 g1", "5@3 4@1 g2", "5@1 5@1 g9")
    come, four, five, seven, meet, caught = carried(t.match, 0)
    assert come[1] == "All orders are in. The spies come to the secrets."
    assert points(come[0]) == [0, 0, 0]
    assert letter(come[0], 1, 7)["came"] == [{"seat": 0, "spy": "club"}]
    assert letter(come[0], 1, 7)["fate"] == ""
    assert four[1:] == ("Bill's Diamond steals Ann's secret 4: 4 points.", 1)
    assert points(four[0]) == [0, 4, 0]
    assert five[1:] == ("Cy's Club and Cy's Diamond frustrate each other at Ann's secret 5.", 2)
    assert letter(five[0], 0, 5)["fate"] == "frustrated"
    assert points(five[0]) == [0, 4, 0]
    assert seven[1:] == ("Ann's Club steals Bill's secret 7: 7 points.", 0)
    assert points(seven[0]) == [7, 4, 0]
    assert meet[1] == "Bill's Club steals Cy's secret 5: 5 points."
    assert caught[1:] == ("Cy's policeman captures Ann's Diamond at secret 9: 10 points.", 2)
    assert letter(caught[0], 2, 9)["fate"] == "captured"
    assert points(caught[0]) == [7, 9, 10] == t.scores


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_while_a_turn_is_shown_policemen_are_told_of_as_they_capture(table, seat):
    """SE-21: that somebody caught nobody is known once all spies have been settled."""
    t = table(spies=2).turn("7@2 9@3 g1", "5@3 4@1 g2", "5@1 5@1 g9")
    *before, caught = (made["report"] for made, _, _ in carried(t.match, seat)[1:])
    assert not [one["untold"] + one["posts"] for one in before if one["untold"] or one["posts"]]
    assert caught["untold"] == []
    assert [(one["name"], one["post"]) for one in caught["posts"]] == [("Cy", "9")]
    told = Teller(t.match).hear(t.match, seat, 1, lambda _: NAMES)[0].event
    after = scene(t.match.known_to(seat)[0], NAMES[:3], seat, [told])["report"]
    others = {"Ann", "Bill"} - {NAMES[seat] if seat >= 0 else ""}
    assert set(after["untold"]) == others, "afterwards it is told that they caught nobody"


def test_who_was_on_the_way_is_at_home_again(table):
    t = table(spies=1).turn("8@2 g1", "3@3 g1", "3@1 g1")
    come, *_, last = carried(t.match, 1)
    assert come[0]["rivals"][0]["spies"][0]["out"]
    assert "out" not in last[0]["rivals"][0]["spies"][0] or letter(last[0], 1, 8).get("came")
    assert last[0]["rivals"][0]["secrets"][2]["by"] == "Cy"


@pytest.mark.wide(but=["-1-options0", "0-options1", "2-options2"])
@pytest.mark.parametrize("options", [{}, {"hidden": "yes"}, {"hidden": "yes", "posts": "open"}])
@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_the_last_part_is_what_the_seat_knows_afterwards(options, seat):
    """And no part shows more: points and values only come to what is known in the end."""
    whole = random_match(3, 5, options)
    match, seen = whole.again(), 0
    for choice in whole.history:
        turn = match.state.turn
        match.follow([choice])
        settled = match.over or match.state.turn > turn
        if not settled or not Teller(match).hear(match, seat, 1)[0].event:
            continue
        after = scene(match.known_to(seat)[0], NAMES[:3], seat, [])
        made = [part for part, _, _ in carried(match, seat)]
        for before, later in pairwise(made):
            pairs = zip(points(before), points(later), strict=True)
            assert all(one <= other for one, other in pairs)
        if match.over:  # all is shown then, and there is no order sheet any more
            assert options or points(made[-1]) == match.scores
            continue
        assert points(made[-1]) == points(after)
        for then, now in zip(made[-1]["rivals"], after["rivals"], strict=True):
            assert [c["by"] for c in then["secrets"]] == [c["by"] for c in now["secrets"]]
            assert [c["worth"] for c in then["secrets"]] == [c["worth"] for c in now["secrets"]]
        seen += 1
    assert seen == 4


def test_posts_that_nobody_may_know_make_no_difference():
    """SE-21: two turns that differ only in where others' policemen stood in vain look the same."""
    dice, pairs = random.Random(3), 0
    for seed in range(6):
        whole = random_match(3, seed)
        match = whole.again()
        while match.state.turn < 2:
            match.follow([whole.history[len(match.history)]])
        others = [i for i, c in enumerate(match.history) if match.actors[i] == 2][-1:]
        twin = whole.again()
        twin.follow(match.history[: others[0]])
        twin.follow([dice.choice(twin.choices)])
        events = [Teller(one).hear(one, 0, 1)[0].event for one in (match, twin)]
        if events[0] != events[1]:
            continue
        pairs += match.history != twin.history
        assert str(carried(match, 0)) == str(carried(twin, 0))
    assert pairs
