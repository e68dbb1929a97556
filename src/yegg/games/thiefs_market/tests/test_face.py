"""The table in the browser: nothing that lies face down, and everything that may be done."""

import random

import pytest

from yegg.engine import CHANCE, NOBODY, Match
from yegg.games import find
from yegg.games.thiefs_market.face import face
from yegg.games.thiefs_market.table import Phase

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
    words = {"split": "take", "take": "take", "return": "return", "luck": "reroll"}
    word = words.get(fields["phase"])
    for kind in fields["centre"] if word == "take" else fields["pile"]:
        found.add(f"{word} {kind}")
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


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_legal_choice_can_be_pressed(players):
    match = Match(find("thiefs-market"), players, {"promos": "yes"}, how="plain")
    dice = random.Random(players)
    told, phases = [], set()
    while match.actor != NOBODY:
        texts = match.texts
        if match.actor != CHANCE:
            view = match.known_to(match.actor)[0]
            fields = face.scene(view, NAMES[:players], match.actor, told[-80:])
            listed = face.acts(view, match.actor, texts)
            assert [act["text"] for act in listed] == list(texts)
            assert set(texts) <= pressed(fields, listed), fields["phase"]
            keys = [act["key"] for act in listed if act.get("key")]
            assert len(keys) == len(set(keys)), keys
            assert not set(keys) & {"o", "r", "u"}
            phases.add(fields["phase"])
        told.append((match.actor, dice.choice(list(texts))))
        match.follow([texts[told[-1][1]]])
    assert {"split", "take", "return", "market", "gold"} <= phases


def test_what_goes_back_is_shown_and_not_counted_twice(table):
    t = table().split("RR", "WWB*", turn=2)
    events = ["steal 1", "return white", "return marker"]
    t.play(*events)
    fields = face.scene(t.state, NAMES, 1, [(1, text) for text in events])
    assert fields["back"] == ["white", "marker"]
    assert fields["loose"] == 0
    assert fields["robbed"] == 0
    assert sorted(fields["centre"]) == ["marker", "red", "red"]


def test_tm_21_each_card_says_how_far_dice_and_gold_reach(table):
    t = table().market("necklace", "brooch", "tailor", "bookie").gold(1, 0).evening("RW*")
    cards = {card["slug"]: card for row in seen(t, 0)["stalls"] for card in row["cards"]}
    assert cards["tailor"]["reach"] == "dice"
    for slug in ("necklace", "brooch", "bookie"):
        assert (cards[slug]["reach"], cards[slug]["coins"]) == ("gold", 1)
    poor = {card["slug"]: card for row in seen(t, 1)["stalls"] for card in row["cards"]}
    assert (poor["brooch"]["reach"], poor["brooch"]["short"]) == ("short", 2)
