"""The table in the browser: nothing that lies face down, and everything that may be done."""

import random

import pytest

from yegg.engine import CHANCE, NOBODY, Match
from yegg.games import find
from yegg.games.thiefs_market.events import event
from yegg.games.thiefs_market.face import face
from yegg.games.thiefs_market.state import Phase
from yegg.table.domain import faces

NAMES = ["Morgan", "Siveny", "Shar", "Quill", "Vex"]


def seen(t, seat=-1):
    return face.scene(t.state, NAMES, seat, [])


def values(thing):
    """Every text and number of the fields, however deep."""
    if isinstance(thing, dict):
        return [x for part in thing.values() for x in values(part)]
    if isinstance(thing, list | tuple):
        return [x for part in thing for x in values(part)]
    return [thing]


def pressed(fields, listed):
    """The texts that the template can put on a button: on pieces, cards, piles, or in the dock."""
    found = {act["text"] for act in listed if act["at"] in ("dock", "pile")}
    on = {act["text"]: act for act in listed if act["at"] not in ("dock", "pile")}
    found |= {pick["text"] for pick in fields["picks"]}
    if fields["phase"] == "luck":
        found |= {f"reroll {kind}" for kind in fields["pile"]}
    for row in fields["stalls"]:
        found |= {f"buy {card['slug']}" for card in row["cards"]}
    own = {card["slug"] for card in fields["cards"]}
    found |= {text for text, act in on.items() if act["at"] == "own" and act["card"] in own}
    return found


def test_tm_6_others_infamy_does_not_occur(table):
    t = table().gold(0, 0, 0, 0).infamy(771, 772, 773, 774).evening("R*")
    for seat in range(-1, 4):
        there = [x for x in values(seen(t, seat)) if str(x) in ("771", "772", "773", "774")]
        assert there == ([771 + seat] if seat >= 0 else [])


def test_tm_6_infamy_lies_open_by_the_option_and_at_the_end(table):
    t = table(open_infamy="yes").infamy(41, 42, 43, 44).evening("R*")
    assert [p["infamy"] for p in seen(t)["seats"]] == [41, 42, 43, 44]
    t = table().infamy(41, 42).deck("C", left=0).market("crown").gold(3).evening("b*")
    t.play("buy crown").finish_round()
    fields = seen(t, 3)
    assert t.phase == Phase.OVER
    assert [p["infamy"] for p in fields["seats"]] == [41, 42, 0, 0]
    assert [sum(row["parts"]) for row in fields["notoriety"]] == [
        row["total"] for row in fields["notoriety"]
    ]
    assert face.verdict(t.state, NAMES[:4]).startswith("Morgan has")


@pytest.mark.wide(but=["3"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_legal_choice_can_be_pressed(players):
    match = Match(find("thiefs-market"), players, {"promos": "yes"}, how="plain")
    dice = random.Random(players)
    told, phases = [], set()
    while match.actor != NOBODY:
        texts = match.texts
        if match.actor != CHANCE:
            view = match.known_to(match.actor)[0]
            fields = face.scene(view, NAMES[:players], match.actor, told)
            listed = face.acts(view, match.actor, texts)
            if not fields["picks"]:
                assert {act["text"].removeprefix("+ ") for act in listed} == set(texts)
            missing = set(texts) - pressed(fields, listed)
            assert missing <= {"done"}, fields["phase"]
            assert not missing or "+ done" in [act["text"] for act in listed]
            keys = [act["key"] for act in [*listed, *fields["picks"]] if act.get("key")]
            assert len(keys) == len(set(keys)), keys
            assert not set(keys) & {"o", "r", "u"}
            phases.add(fields["phase"])
        choice = dice.choice(list(texts.values()))
        if happens := event(match.state, choice):
            told.append(happens)
        match.follow([choice])
    assert {"split", "take", "return", "market", "gold"} <= phases


def test_what_goes_back_is_shown_and_not_counted_twice(table):
    t = table().split("RR", "WWB*", turn=2)
    told = []
    for text in ("steal 1", "return white", "return marker"):
        told.append(event(t.state, t.match.hear(text)))
        t.play(text)
    fields = face.scene(t.state, NAMES, 1, told)
    assert (fields["back"], fields["loose"], fields["robbed"]) == (["white", "marker"], 0, 0)
    assert sorted(fields["centre"]) == ["marker", "red", "red"]


def test_tm_11_every_object_can_be_picked_whatever_was_taken_before(table):
    t = table().split("RRbm*", turn=1)
    objects = ["red", "red", "bag", "mask", "marker"]
    assert [pick["kind"] for pick in seen(t, 0)["picks"]] == objects
    t.play("take marker")
    assert [pick["text"] for pick in seen(t, 0)["picks"]] == [
        f"take {kind}" for kind in objects[:-1]
    ]
    assert [act["text"] for act in face.acts(t.state, 0, t.match.texts)] == ["+ done"]


def test_tm_12_every_object_of_the_pile_can_be_put_back_but_not_the_last(table):
    t = table(3).split("R", "WBm*", turn=2).play("steal 1")
    assert [pick["kind"] for pick in seen(t, 1)["picks"]] == ["white", "blue", "mask", "marker"]
    t = table(3).split("R", "W*", turn=2).play("steal 1 | return white")
    assert seen(t, 1)["picks"] == []
    assert [act["text"] for act in face.acts(t.state, 1, t.match.texts)] == ["+ done"]


def test_tm_15_the_last_player_picks_nothing(table):
    t = table(3).split("RRb", "W", "B*", turn=3)
    assert seen(t, 2)["picks"] == []
    assert [act["text"] for act in face.acts(t.state, 2, t.match.texts)] == [
        "steal 2",
        "take-all",
    ]


def test_tm_11_a_theft_shows_the_pile_and_taking_all_the_centre(table):
    t = table(3).split("RRb*", "WbbB", "G", turn=3)
    steal, take_all = face.acts(t.state, 2, t.match.texts)
    assert steal["loot"] == [("white", 1), ("blue", 1), ("bag", 2)]
    assert take_all["loot"] == [("red", 2), ("bag", 1), ("marker", 1)]
    assert take_all["says"] == "2 red, 1 bag and the marker"


def test_the_most_dice_there_can_be_have_a_key_each(table):
    t = table(3, dice=20).split("R" * 20 + "*", turn=1)
    keys = [pick["key"] for pick in seen(t, 0)["picks"]]
    assert len(set(keys)) == 21


def test_each_use_of_many_cards_has_a_key_of_its_own(owner):
    cards = "alchemical-lab", "bondsman", "fence", "glamer", "pawnbroker", "philosophers-stone"
    t = owner(*cards, "bookie", "deceptive-bits-of-colored-glass").evening("RRWWBBGGb*")
    listed = faces.acts(t.match.game, t.state, 0, t.match.texts)
    keys = [act["key"] for act in listed]
    assert len(keys) > 14
    assert all(keys)
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {"o", "r", "u"}


def test_the_round_and_the_decks_are_told(table):
    fields = seen(table().deck("B", left=4).split("RR*"))
    assert fields["round"] == 1
    assert [(d["letter"], d["left"], d["now"]) for d in fields["decks"]] == [
        ("A", 0, False),
        ("B", 4, True),
        ("C", 11, False),
    ]


def test_tm_21_each_card_says_how_far_dice_and_gold_reach(table):
    t = table().market("necklace", "brooch", "tailor", "bookie").gold(1, 0).evening("RW*")
    cards = {card["slug"]: card for row in seen(t, 0)["stalls"] for card in row["cards"]}
    assert cards["tailor"]["reach"] == "dice"
    for slug in ("necklace", "brooch", "bookie"):
        assert (cards[slug]["reach"], cards[slug]["coins"]) == ("gold", 1)
    poor = {card["slug"]: card for row in seen(t, 1)["stalls"] for card in row["cards"]}
    assert (poor["brooch"]["reach"], poor["brooch"]["short"]) == ("short", 2)


@pytest.mark.parametrize(
    ("pile", "says"),
    [("b*", ""), ("Rb*", "1 unspent gem is lost"), ("RW*", "2 unspent gems are lost")],
)
def test_tm_30_whoever_leaves_the_market_reads_what_becomes_of_gems(table, pile, says):
    t = table(3).market("tailor").evening(pile)
    leave = face.acts(t.state, 0, t.match.texts)[-1]
    assert (leave["text"], leave["says"]) == ("done", says)


def test_tm_20_cards_do_not_say_what_dice_pay_to_whoever_has_bought(table):
    t = table(3).market("tailor", "bookie").evening("RR*", "W", "B").play("buy tailor")

    def told(seat):
        fields = seen(t, seat)
        return fields["bought"], {c["reach"] for row in fields["stalls"] for c in row["cards"]}

    t.play("gold 0 for red")
    assert t.actor == 1
    assert told(0) == (True, {"past"})
    assert told(1)[0] is False, "their turn is still to come"
    t.play("done")
    assert t.actor == 2
    assert told(0) == (True, {"past"})
    assert told(1)[0] is False


def test_tm_20_a_card_keeps_its_place_until_all_have_bought():
    match = Match(find("thiefs-market"), 4, {}, how="plain")
    dice, told, lay, bought = random.Random(20), [], {}, 0
    while bought <= 20:
        s = match.state
        if match.actor != CHANCE:
            rows = face.scene(s, NAMES[:4], match.actor, told)["stalls"]
            cards = [card for row in rows for card in row["cards"]]
            if s.phase in (Phase.SPLIT, Phase.TAKE, Phase.RETURN):
                assert not any("sold" in card for card in cards)
                lay = {}
            else:
                now = {row["letter"]: [card["slug"] for card in row["cards"]] for row in rows}
                assert now == (lay := lay or now)
                bought += any("sold" in card for card in cards)
        choice = dice.choice(match.choices)
        if happens := event(s, choice):
            told.append(happens)
        match.follow([choice])


def test_tm_11_a_theft_gives_the_seat_and_says_no_number_of_it():
    """Pages and the coach have the players' names, and put that of the seat behind the verb."""
    match = Match(find("thiefs-market"), 3, seed=1)
    while "steal 2" not in match.texts:
        match.play(match.choices[0])
    listed = face.acts(match.known_to(match.actor)[0], match.actor, match.texts)
    (theft,) = [act for act in listed if act["text"] == "steal 2"]
    assert (theft["verb"], theft["whom"]) == ("Steal from", 1)
