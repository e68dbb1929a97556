"""What people and bots are shown: screen, odds, lore, tally."""

import random
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from yegg.engine import Match
from yegg.games.magnate import GAME, lore, odds, screen, tally
from yegg.games.magnate.pile import in_hand
from yegg.games.magnate.state import DISTRICT, Phase, Place
from yegg.parts.decktet import N_CARDS, NAMES, SLUGS
from yegg.stats.intervals import Results
from yegg.stats.sums import Tallied

from .setting import PLAIN, Table
from .test_reference import lively


def shown(s, seat, names=("Morgan", "Siveny"), width=80):
    out = StringIO()
    Console(file=out, width=width, color_system=None).print(screen.draw(s, list(names), seat))
    return out.getvalue()


@pytest.fixture
def table():
    return Table().set(
        "1 the-harvest: the-mountain the-diplomat",
        "1 the-excuse: the-sailor (2 waves 1 leaves)",
        "2 the-harvest: the-forest",
        "2 the-light-keeper: the-betrayal",
        hand="the-mill ace-of-moons the-painter",
        theirs="the-cave the-pact the-castle",
        tokens="2 moons 1 waves 4 leaves",
        their_tokens="5 suns",
        discards="the-author",
        turn=2,
    )


# The screen


def test_the_screen_shows_all_that_one_plans_with(table):
    lines = shown(table.s, 0).splitlines()
    assert "Siveny's turn" in lines[0]
    assert lines[1] == "discards: Author 2MK"
    text = "\n".join(lines)
    for piece in (
        "12 leads",
        "8 leads",
        "(4 Sailor VL)",
        "3/4 2V1L",
        "8 Diplomat MS",
        "Harvest MSL",
        "Excuse any",
        "Crowns MSV",
        "Crowns LYK",
        "8, 3 short",
        "3, 1 short",
    ):
        assert piece in text, piece
    assert all(len(line) <= 80 for line in lines)


def test_the_hand_with_prices_and_places(table):
    lines = shown(table.s, 0).splitlines()
    mill = next(line for line in lines if "8 Mill VL" in line)
    assert "yes" in mill
    assert "Borderland" in mill
    assert "Light Keeper" in mill
    assert "Excuse" not in mill, "a deed lies there (MG-31)"
    assert "Harvest" not in mill, "no suit in common with the Diplomat (MG-30)"
    assert "2M" in next(line for line in lines if "A Ace M" in line)


def test_own_row_lies_below_whoever_looks(table):
    for seat, above, below in ((0, "Siveny", "Morgan"), (1, "Morgan", "Siveny")):
        lines = shown(table.s, seat).splitlines()
        heads = [i for i, line in enumerate(lines) if "Crowns" in line]
        assert lines[heads[0]].startswith(above)
        assert lines[heads[1]].startswith(below)
    assert "your hand" not in shown(table.s, -1)


@pytest.mark.wide(but=["{}"])
@pytest.mark.parametrize("options", [{}, {"districts": "aces", "courts": "yes"}], ids=str)
def test_no_screen_shows_a_card_of_the_other_hand(options):
    match, dice = Match(GAME, 2, options, how="plain"), random.Random(7)
    while not match.over:
        if match.actor >= 0 and dice.random() < 0.1:
            for seat in (-1, 0, 1):
                text = shown(match.known_to(seat)[0], seat)
                assert max(map(len, text.splitlines())) <= 80
                for other in {0, 1} - {seat}:
                    for card in range(N_CARDS):
                        if match.state.where[card] == Place.HAND + other:
                            assert screen.short(card) not in text
                            full = f"{screen.rank(card)} {screen.name(card)} {screen.letters(card)}"
                            assert full not in text
        texts = match.texts
        match.play(texts[lively(dice, texts)])


@pytest.mark.parametrize(
    ("viewer", "who"), [(0, "You"), (1, "Morgan"), (-1, "Both players")], ids=str
)
def test_the_screen_says_that_a_card_can_be_known_by_counting_and_by_whom(table, viewer, who):
    assert "by counting" not in shown(table.s, viewer)
    table.s.where[[i for i in range(N_CARDS) if in_hand(table.s, 1, i)]] = Place.OPEN + 1
    text = shown(table.s, viewer)
    assert f"{who} can know this by counting: Castle 7SK, Cave 7VY, Pact 9MS" in text
    assert max(map(len, text.splitlines())) <= 80
    table.s.phase = Phase.OVER
    assert "by counting" not in shown(table.s, viewer), "nothing is hidden any more"


def test_the_automas_side_and_the_end():
    table = Table(players=1, automa="easy").set("2 the-excuse: the-mill")
    text = shown(table.s, 0, ["Morgan", "Automa"])
    assert "Automa 1 district   Crowns LYK" in text
    assert "Morgan 0 districts" in text
    table.s.pile = 1
    assert "1 card until the pile" in shown(table.s, 0, ["Morgan", "Automa"])
    table.set(hand="the-sailor", discards="the-pact").do("sell the-sailor")
    assert "discards: Pact 9MS\n" in shown(table.s, 0, ["Morgan", "Automa"])
    table.s.phase = 9
    assert shown(table.s, 0, ["Morgan", "Automa"]).startswith("The Grand Duke is dead.")


# The odds


def test_the_next_rolls_income_suit_by_suit(table):
    text = odds.outlook(table.s, 0)
    # Mountain 4 and Diplomat 8 pay moons and suns, the Crowns moons, suns, waves
    assert "Chances: moons 41 %, suns 41 %, waves 19 %, a token of your choice 7 %." in text
    assert "nothing 59 % of the time" in text
    mean = (3 * 19 + 2 * 15 + 2 * 7 + 7) / 100
    assert f"{mean:.2f} tokens" in text
    assert text.endswith("Tax risk: 1 moon or 3 leaves (3.2 % each).")


def test_the_tax_risk_is_told_in_moons_and_moon(table):
    table.s.tokens[0] = [2, 2, 3, 1, 0, 0]
    text = odds.tax_line(table.s, 0)
    assert text == "Tax risk: 1 moon, 1 sun or 2 waves (3.2 % each)."
    table.s.tokens[0] = [1, 2, 0, 0, 0, 0]
    assert odds.tax_line(table.s, 0) == "Tax risk: 1 sun (3.2 %)."
    table.s.tokens[0] = 1
    assert odds.tax_line(table.s, 0) == "Tax risk: none."


def test_there_is_no_risk_and_no_outlook_where_nobody_rolls_again():
    table = Table().set(hand="the-mill", tokens="4 waves 4 leaves")
    table.s.final_turns = 1
    assert odds.outlook(table.s, 0) == ""
    assert odds.odds(table.s, table.legal["develop the-mill at the-excuse"]) == ""
    table.do("sell the-mill")
    assert odds.odds(table.s, table.legal["end"]) == ""
    table.s.final_turns = 2
    assert odds.odds(table.s, table.legal["end"]).startswith("Tax risk: 4 waves or 4 leaves")


def test_the_odds_of_the_other_ways_of_income():
    rows = {(1, "the-excuse"): "the-mill"}
    one = Table(income="one-die").set(rows=rows)
    assert odds.numbers(one.s) == pytest.approx(dict.fromkeys(range(1, 11), 0.1))
    assert "leaves 10 %" in odds.outlook(one.s, 0)
    fall = Table(income="fallback").set(rows=rows)
    # an 8 under a 9, or an 8 as the higher die
    assert odds.numbers(fall.s)[8] == pytest.approx(0.15 + 0.02)
    assert sum(odds.numbers(fall.s).values()) == pytest.approx(1)


def test_the_odds_behind_choices():
    table = Table(courts="yes").set(
        hand="the-mill the-window", tokens="4 waves 4 leaves 4 suns 4 knots"
    )
    legal = table.legal
    assert odds.odds(table.s, legal["develop the-mill at the-excuse"]) == (
        "The Mill pays 2 tokens on 15 % of all rolls."
    )
    assert "pays 1 token on 15 %" in odds.odds(table.s, legal["deed the-mill at the-excuse"])
    assert odds.odds(table.s, legal["deed the-window at the-excuse"]) == "A Court never pays."
    assert odds.odds(table.s, legal["sell the-mill"]) == ""
    table.do("sell the-mill")
    assert "5 waves" not in odds.odds(table.s, table.legal["end"])
    assert "4 waves" in odds.odds(table.s, table.legal["end"])


# The lore


def test_lore_likes_what_is_good():
    def worth(*laid, tokens=""):
        return lore.evaluate(Table().set(*laid, tokens=tokens, hand="the-cave").s, 0)

    assert worth("1 the-excuse: the-mill") > worth() > worth("2 the-excuse: the-mill")
    assert worth(tokens="2 waves") > worth(tokens="1 waves") > worth()
    spread = worth(tokens="1 waves 1 wyrms")
    assert spread > worth(tokens="2 waves"), "the tax takes hoards"
    assert worth("1 the-excuse: the-pact") > worth("1 the-excuse: the-author")


def test_lore_knows_who_has_won():
    table = Table().set("2 the-excuse: the-mill")
    table.s.phase = 9
    assert (lore.evaluate(table.s, 0), lore.evaluate(table.s, 1)) == (-1000, 1000)


def test_lore_does_not_look_at_what_is_hidden(table):
    swapped = table.states.copy()
    cave, origin = NAMES.index("The Cave"), NAMES.index("The Origin")
    swapped[0].where[[cave, origin]] = [Place.PILE, Place.HAND + 1]
    for states in (swapped, table.states):
        PLAIN.hide(states[0], 0)
    assert lore.evaluate(swapped[0], 0) == lore.evaluate(table.s, 0)


# The tally


def counted(match, dice):
    count = np.zeros(tally.COUNTS, np.int32)
    lines = []
    while not match.over:
        texts = match.texts
        text = lively(dice, texts)
        tally.count_event(match.state, texts[text], count)
        lines.append(text.split()[0])
        match.play(texts[text])
    tally.count_end(match.state, count)
    return count, lines


def on_the_table(s):
    return s.tokens.sum(axis=0) + s.paid.sum(axis=(0, 1))


@pytest.mark.wide
def test_the_tally_remembers_the_most_tokens_of_each_suit():
    match, dice = Match(GAME, 2, {}, how="plain"), random.Random(4)
    count, most = np.zeros(tally.COUNTS, np.int32), on_the_table(match.state)
    while not match.over:
        texts = match.texts
        text = lively(dice, texts)
        tally.count_event(match.state, texts[text], count)
        match.play(texts[text])
        most = np.maximum(most, on_the_table(match.state))
    tally.count_end(match.state, count)
    assert count[tally.MOST : tally.MOST + 6].tolist() == most.tolist()


def test_the_tally_counts_what_the_record_shows():
    match = Match(GAME, 2, {}, how="plain")
    count, lines = counted(match, random.Random(3))
    assert count[tally.SOLD] == lines.count("sell")
    assert count[tally.DEVELOPED] == lines.count("develop")
    assert count[tally.DEEDS] == lines.count("deed")
    assert count[tally.TRADES] == lines.count("trade")
    assert count[tally.TAXES] == lines.count("tax")
    assert count[tally.ROLLS] == lines.count("roll") / 2
    left = int(match.state.deed.sum())
    assert count[tally.COMPLETED] == count[tally.DEEDS] - left
    built = count[tally.RANKS : tally.RANKS + 10].sum()
    assert built == count[tally.DEVELOPED] + count[tally.COMPLETED]
    assert count[tally.WON] == sum(match.scores)
    assert count[tally.DECIDED : tally.DECIDED + 4].sum() == 1


def test_the_tally_remembers_when_districts_were_begun():
    match, dice = Match(GAME, 2, {}, how="plain"), random.Random(3)
    count, begun, turn = np.zeros(tally.COUNTS, np.int32), {}, 0.0
    while not match.over:
        text = lively(dice, match.texts)
        verb, *words = text.split()
        turn += 0.5 * (verb == "roll")  # a die each
        if verb in {"develop", "deed"}:
            begun.setdefault((match.actor, words[-1]), turn)
        tally.count_event(match.state, match.texts[text], count)
        match.play(match.texts[text])
    tally.count_end(match.state, count)
    names = [SLUGS[card] for card in DISTRICT[0][:5]]
    turns = [[at for (_, where), at in begun.items() if where == name] for name in names]
    assert count[tally.BEGUN : tally.BEGUN + 5].tolist() == list(map(len, turns))
    assert count[tally.BEGUN_IN : tally.BEGUN_IN + 5].tolist() == list(map(sum, turns))
    assert len(begun) > 5


def test_the_tally_tells_the_ways_to_win():
    def by(**how):
        count = np.zeros(tally.COUNTS, np.int32)
        tally.count_end(Table().set(**how).s, count)
        return count[tally.DECIDED : tally.DECIDED + 4].tolist().index(1)

    one_each = {(1, "the-watchman"): "the-author", (2, "the-borderland"): "the-origin"}
    assert by(rows={(1, "the-excuse"): "the-mill"}) == 0
    assert by(rows={**one_each, (2, "the-borderland"): "the-mill"}) == 1
    assert (by(rows=one_each, tokens="1 moons"), by(rows=one_each)) == (2, 3)


def test_rolls_that_pay_nothing_and_tokens_taxed():
    table = Table().set("2 the-excuse: the-mill", tokens="4 moons", their_tokens="3 moons")
    count = np.zeros(tally.COUNTS, np.int32)
    for dice in ((8, 2), (7, 8), (9, 8), (3, 10)):
        table.rolls()
        for face in dice:
            tally.count_event(table.s, table.legal[f"roll {face}"], count)
            table.do(f"roll {face}")
    assert count[[tally.ROLLS, tally.PAID]].tolist() == [4, 3]
    table.rolls().do("roll 1", "roll 2")
    mine, theirs = table.s.tokens[:, 0]
    tally.count_event(table.s, table.legal["tax moons"], count)
    assert count[tally.TAXED] == mine - 1 + theirs - 1


def test_the_report_has_all_its_tables():
    counts = np.zeros((2, tally.COUNTS), np.int32)
    counts[:, tally.DECIDED] = 1
    counts[:, tally.ROLLS] = 40
    counts[:, tally.PAID] = 30
    results = Results(
        np.array([[2, 0], [0, 2]]), np.array([[3, 2], [1, 4]], np.int32), np.array([9, 9], "i4")
    )
    told = Tallied.of(tally, counts, results)
    sections = {section.title: section.rows for section in tally.report(told)}
    decided = sections["Decided by"]
    assert [row[0] for row in decided] == ["districts", "sum of totals", "tokens", "a draw"]
    assert [row[1] for row in decided] == [2, 0, 0, 0]
    way = {row[0]: row for row in sections["On the way"]}
    assert str(way["turns that paid nothing"][2]).startswith("25.0 %")
