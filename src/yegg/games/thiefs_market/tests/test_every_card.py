"""Each of the 53 cards: bought in every way there is, counted for the refill, scored."""

import csv

import pytest

from yegg.games.thiefs_market import deck
from yegg.games.thiefs_market.state import Phase

with deck.PUBLISHED.open(encoding="utf-8") as file:
    CARDS = list(csv.DictReader(file))
IDS = [card["slug"] for card in CARDS]
every_card = pytest.mark.parametrize("card", CARDS, ids=IDS)
DISCOUNT = "insurance-racket"
LEAVES = "unlabeled-potion"  # TM-70: out of the game at once


def shop(table, card, pile, gold, *owned):
    """Seat 1 before the market, where only this card is for sale; the decks are empty."""
    t = table(promos="yes").deck(card["deck"]).market(card["slug"]).gold(gold, 0, 0, 0)
    t.state.left[:] = 0
    return t.give(1, *owned).evening(pile + "*")


def paid(t):
    """Pay as little Gold as possible, waive the first that may be, copy nothing."""
    while t.phase in (Phase.WAIVE, Phase.GOLD):
        t.match.play(t.match.choices[0])
    return t


@every_card
def test_tm_21_bought_with_dice(table, card):
    t = shop(table, card, card["cost"] + "bm", 0).play(f"buy {card['slug']}")
    assert (t.phase, t.pile(1)) == (Phase.MARKET, "bm*")
    assert (t.state.loose, t.cards(1)) == (len(card["cost"]), {card["slug"]} - {LEAVES})
    assert (t.for_sale(), t.state.due) == (set(), 1)
    assert t.state.buys == (1 if card["slug"] == DISCOUNT else 0) + extra(card)


def extra(card):
    """TM-63: a card that lets a pile of its own cost buy once more."""
    kind, _, face = card["effect"].partition(":")
    return kind == "extra-purchase" and face[0].upper() in card["cost"]


@every_card
def test_tm_21_bought_with_gold_alone(table, card):
    n = len(card["cost"])
    t = shop(table, card, "bbmm", n).play(f"buy {card['slug']}")
    assert (t.has(1)[0], t.pile(1), t.cards(1)) == (0, "bbmm*", {card["slug"]} - {LEAVES})


@every_card
def test_tm_21_not_bought_when_one_is_short(table, card):
    t = shop(table, card, card["cost"][1:] + "bm", 0)
    assert t.beginning("buy") == set()
    assert ": 1 short" in t.why_not(f"buy {card['slug']}")


@pytest.mark.parametrize(
    "card", [c for c in CARDS if c["slug"] != DISCOUNT], ids=lambda c: c["slug"]
)
def test_tm_68_bought_with_the_discount_one_gem_less(table, card):
    t = shop(table, card, card["cost"][1:] + "bm", 0, DISCOUNT)
    paid(t.play(f"buy {card['slug']}"))
    assert t.pile(1) == "bm*"
    assert t.cards(1) - {card["slug"]} == {DISCOUNT}


@every_card
def test_tm_63_bought_as_an_extra_purchase(table, card):
    first, helper = "tailor", "executive-assistant"
    if card["slug"] in (first, helper):
        first, helper = "disgruntled-minion", "corrupt-official"
    t = table(promos="yes").deck(card["deck"], left=0).gold(0, 0, 0, 0)
    t.market(first, card["slug"]).give(1, helper)
    t.evening("RWG" + card["cost"] + "*").play(f"buy {first}")
    paid(t.play(f"buy {card['slug']}"))
    assert t.cards(1) >= {first, card["slug"]} - {LEAVES}


@every_card
def test_tm_42_printed_points(table, card):
    t = table(promos="yes").give(1, card["slug"])
    alone = {"buildings:1:2": 1, "buildings:2:4": 2, "treasure": 7}  # TM-71 of a card by itself
    assert t.card_points(1) == int(card["points"] or 0) + alone.get(card["effect"], 0)


@every_card
def test_tm_40_icons_of_henchmen(table, card):
    t = table(promos="yes").give(1, card["slug"])
    awards = [3, 0, 0, 0] if "henchman" in card["icons"] else [0, 0, 0, 0]
    assert t.awards()[0] == awards


def test_tm_3_49_cards_and_four_promos():
    decks = ["".join(c["deck"] for c in CARDS if c["promo"] == promo) for promo in ("", "yes")]
    assert [decks[0].count(letter) for letter in "ABC"] == [16, 19, 14]
    assert len(decks[0]) == 49
    assert sorted(decks[1]) == ["B", "B", "B", "C"]
