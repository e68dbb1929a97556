"""What the laboratory counts of a game, told once more by the record and the tokens in hand."""

import random
from functools import cache

import numpy as np
import pytest

from yegg.engine import Match
from yegg.games.magnate import GAME, tally
from yegg.games.magnate.state import Place
from yegg.parts.decktet import KIND, RANK, SLUGS, SUIT_COUNT, SUIT_NAMES, Kind

from .test_reference import lively

DISTRICTS = ("the-watchman", "the-borderland", "the-excuse", "the-harvest", "the-light-keeper")


class Recount:
    """The same figures from the words of the record, and from how many tokens players hold."""

    def __init__(self):
        self.got = dict.fromkeys(tally.SOURCES, 0)
        self.faces, self.aces, self.turn = [], [0, 0], 0
        self.built, self.brought = {}, {}

    def see(self, text, before, after):
        """An event, and the tokens by seat and suit before and after it."""
        verb, *rest = text.split()
        more = int(after.sum() - before.sum())
        match verb:
            case "deal" | "draw":
                self.aces[int(rest[0]) - 1] += KIND[SLUGS.index(rest[1])] == Kind.ACE
            case "roll":
                self.faces.append(int(rest[0]))
                self.income(more)
            case "tax":
                suit = before[:, SUIT_NAMES.index(rest[0])]
                self.income(more + int(np.maximum(suit - 1, 0).sum()))
            case "collect" | "sell":
                self.got["deeds" if verb == "collect" else "sales"] += more
            case "develop":
                self.built[SLUGS.index(rest[0])] = self.turn

    def income(self, more):
        """What a roll brought before anybody chose; a taxed one brings nothing at first."""
        self.turn = len(self.faces) // 2
        number = max(self.faces[-2:])
        self.got["crowns" if number == 10 else "properties"] += more
        for card in self.built if more else ():
            if RANK[card] == number and KIND[card] == Kind.NUMBER:
                self.brought[card] = self.brought.get(card, 0) + int(SUIT_COUNT[card])


def eager(dice, texts):
    """Somebody who builds at once wherever that is possible."""
    builds = [text for text in texts if text.startswith("develop")]
    return dice.choice(builds) if builds else lively(dice, texts)


@cache
def told(seed, income="higher"):
    """A game of eager builders: the match, what the tally counted, and the recount."""
    match = Match(GAME, 2, {"courts": "yes", "income": income}, how="plain")
    dice, count, again = random.Random(seed), np.zeros(tally.COUNTS, np.int32), Recount()
    while not match.over:
        texts = match.texts
        text = eager(dice, texts)
        before = match.state.tokens.copy()
        tally.count_event(match.state, texts[text], count)
        match.play(texts[text])
        again.see(text, before, match.state.tokens)
    tally.count_end(match.state, count)
    assert not count[len(tally.COLUMNS) :].any(), "what is only remembered is gone in the end"
    return match, dict(zip(tally.COLUMNS, count.tolist(), strict=False)), again


@pytest.mark.parametrize("seed", range(2))
def test_tokens_are_counted_by_where_they_come_from(seed):
    _, there, again = told(seed)
    got = dict(again.got)
    deeds_of_aces = there["from_deeds"] - got["deeds"]
    got["deeds"] += deeds_of_aces  # they leave no choice, and come with the properties'
    got["properties"] -= deeds_of_aces
    assert got == {source: there[f"from_{source}"] for source in tally.SOURCES}
    assert 0 <= deeds_of_aces <= 2
    assert min(got[source] for source in ("crowns", "properties", "sales")) > 0


def test_the_lower_die_brings_tokens_too_where_it_is_the_fallback():
    _, there, again = told(2, "fallback")
    brought = ("crowns", "properties", "deeds")
    assert sum(again.got[source] for source in brought) == sum(
        there[f"from_{source}"] for source in brought
    )
    assert again.got["crowns"] <= there["from_crowns"]


@pytest.mark.parametrize("seed", range(2))
def test_what_a_property_brings_is_counted_by_rank_and_by_the_turns_that_were_left(seed):
    _, there, again = told(seed)
    expected = {name: 0 for name in there if name.startswith(("early_", "late_"))}
    for card, turn in again.built.items():
        if KIND[card] == Kind.NUMBER:
            when = "late" if again.turn - turn <= 25 else "early"
            expected[f"{when}_built_{RANK[card]}"] += 1
            expected[f"{when}_earned_{RANK[card]}"] += again.brought.get(card, 0)
    assert expected == {name: there[name] for name in expected}
    assert sum(expected.values()) > 10


@pytest.mark.parametrize("seed", range(2))
def test_aces_that_are_drawn_and_districts_that_are_contested(seed):
    match, there, again = told(seed)
    assert [there["drawn_aces_1"], there["drawn_aces_2"]] == again.aces
    s, sides = match.state, [set(), set()]
    for card in np.flatnonzero(s.where >= Place.ROW):
        seat, district = divmod(int(s.where[card]) - Place.ROW, 6)
        if not (s.deed[seat, district] and s.last[seat, district] == card):
            sides[seat].add(DISTRICTS[district])
    assert there["contested"] == len(sides[0] & sides[1])
    assert there["no_excuse"] == sum("the-excuse" not in side for side in sides)
