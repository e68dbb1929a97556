"""What Magnate says: reasons, questions, the story."""

import pytest

from yegg.engine import Match, NotLegal, NotUnderstood, Refused
from yegg.games.magnate import GAME
from yegg.parts.decktet import SLUGS

from .setting import Table

ASK = GAME.words.ask


def told(table, text, names=("Morgan", "Siveny")):
    actor = int(GAME.rules.actor(table.s))
    return GAME.voice.sentence(table.s, actor, table.legal[text], names).prose


@pytest.fixture
def table():
    return Table(courts="yes").set(
        "1 the-harvest: the-pact",
        "1 the-excuse: the-sailor (2 waves)",
        "2 the-excuse: the-battle ()",
        hand="the-mill the-author the-window",
        theirs="the-cave the-pact",
        tokens="2 moons 1 waves 4 leaves 1 knots",
        their_tokens="5 suns",
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("deed the-mill at the-harvest", "MG-30: the Mill shares no suit with the Pact"),
        ("deed the-mill at the-watchman", "MG-30: the Mill shares no suit with the Watchman"),
        ("deed the-mill at the-sea", "MG-1: the Sea is no district of this game"),
        (
            "develop the-mill at the-excuse",
            "MG-31: at the Excuse the deed of the Sailor must be completed first",
        ),
        (
            "develop the-mill at the-borderland",
            (
                "MG-20: the Mill costs 8 tokens of waves and leaves, at least one of each; "
                "you have 1 wave and 4 leaves"
            ),
        ),
        (
            "deed the-window at the-light-keeper",
            (
                "MG-90: the deed of the Window costs a token of each of its suits, "
                "suns, leaves and knots; you have 0 suns, 4 leaves and 1 knot"
            ),
        ),
        ("develop the-cave at the-watchman", "MG-10: the Cave is not in your hand"),
        ("deed the-origin at the-borderland", "MG-10: the Origin is not in your hand"),
        ("sell the-bard", "MG-10: the Bard is not in your hand"),
        ("trade moons for suns", "MG-42: a trade takes three moons; you have 2"),
        ("trade leaves for leaves", "MG-42: a trade is for a token of another suit"),
        ("add moons to the-sailor", "MG-40: moons is no suit of the Sailor"),
        ("add wyrms to the-battle", "MG-40: the Battle is no incomplete deed of yours"),
        ("add leaves to the-pact", "MG-40: the Pact is no incomplete deed of yours"),
        ("pay 3 waves", "MG-20: nothing has to be paid now"),
        ("collect waves for the-sailor", "MG-14: no deed has a token to give now"),
        ("place the-mill at the-excuse", "MG-101: nothing is to be given to the automa now"),
        ("end", "MG-10: first play one card"),
        ("roll 4", "MG-10: the dice are rolled once, at the start of a turn"),
        ("tax moons", "MG-11: the tax follows a roll with a 1"),
        ("draw 1 the-cave", "MG-10: there is nothing to draw now"),
    ],
)
def test_why_not(table, text, reason):
    assert table.why(text) == reason


@pytest.mark.parametrize(
    "text", ["", "sell", "sell the-moon", "trade moons", "pay x waves", "Sell the-mill", "flip"]
)
def test_no_sentence_of_the_game(table, text):
    assert table.why(text) is None


def test_the_other_hand_and_the_pile_are_refused_alike(table):
    """No reason may tell where a card is that one cannot see."""
    reasons = {
        table.why(f"{verb} {slug}").replace(GAME.words.the(SLUGS.index(slug)), "X")
        for verb in ("sell",)
        for slug in ("the-cave", "the-origin", "ace-of-suns")
    }
    assert len(reasons) == 1


def test_why_not_after_the_card(table):
    table.do("sell the-author")
    assert table.why("sell the-mill") == "MG-10: exactly one card a turn, and it is played"


def test_why_not_while_paying():
    table = Table().set(hand="the-sailor the-mill", tokens="4 waves 4 leaves")
    table.do("develop the-sailor at the-borderland")
    assert table.why("pay 4 waves") == "MG-20: 1 to 3 of the 4 tokens due can be waves, not 4"
    assert table.why("pay 2 leaves") == "MG-20: waves is the suit to pay now"
    assert table.why("end") == "MG-20: the Sailor must be paid for first, now in waves"
    assert ASK(table.s) == "How many waves of the 4 tokens due for the Sailor?"
    assert told(table, "pay 3 waves") == "Morgan pays three waves and a leaf for the Sailor."


def test_why_not_while_a_deed_gives_its_token(table):
    table.rolls().do("roll 4", "roll 4")
    assert table.why("collect moons for the-sailor") == "MG-14: moons is no suit of the Sailor"
    assert "MG-16: the Sailor gives" in table.why("collect knots for the-battle")
    assert table.why("end") == "MG-16: the Sailor must give its token first"
    assert ASK(table.s) == "Which token do you collect for the deed of the Sailor?"
    text = "collect waves for the-sailor"
    assert told(table, text) == "Morgan collects a wave for the deed of the Sailor."


def test_why_not_before_the_dice(table):
    table.rolls()
    assert table.why("end") == "MG-10: the cards are dealt and the dice are rolled first"
    assert table.why("roll 11") == "MG-11: a die shows 1 to 10, not 11"
    assert table.why("tax suns") == "MG-11: the tax follows a roll with a 1"


def test_why_not_for_cards_that_are_dealt():
    table = Table()
    assert "MG-50" in table.why("crown 1 the-mill")
    assert table.why("crown 2 the-sea") == "MG-3: seat 1 gets the next card, not seat 2"
    assert table.why("deal 1 the-mill") == "MG-10: there is nothing to deal now"


def test_a_match_refuses_and_stays_as_it_was():
    match = Match(GAME, 2, {}, how="plain")
    for _ in range(12):
        match.play(match.choices[0])
    match.follow([match.hear("roll 2"), match.hear("roll 3")])
    before = match.states.tobytes()
    with pytest.raises(NotLegal, match="MG-10"):
        match.hear("end")
    with pytest.raises(NotUnderstood):
        match.hear("build a house")
    assert match.states.tobytes() == before


@pytest.mark.parametrize(
    ("text", "story"),
    [
        ("sell the-mill", "Morgan sells the Mill for a wave and a leaf."),
        (
            "deed the-mill at the-borderland",
            "Morgan buys the deed of the Mill at the Borderland for a wave and a leaf.",
        ),
        (
            "develop the-author at the-watchman",
            "Morgan develops the Author at the Watchman for a moon and a knot.",
        ),
        ("trade leaves for suns", "Morgan trades three leaves for a sun."),
        ("add leaves to the-sailor", "Morgan puts a leaf on the deed of the Sailor: 3 of 4."),
    ],
)
def test_the_story(table, text, story):
    assert told(table, text) == story


def test_the_story_of_the_dice(table):
    table.s.tokens[1, 1] = 3
    table.rolls().do("roll 10")
    assert ASK(table.s) == "What does the other die show?"
    assert told(table, "roll 2") == (
        "A die shows 2. Morgan collects a moon, a sun and a wave. "
        "Siveny collects a leaf, a wyrm and a knot."
    )
    table.do("roll 1")
    assert ASK(table.s) == "Which suit is taxed?"
    assert told(table, "tax suns").startswith("Taxation of suns. Siveny loses two suns. Morgan")
    assert told(table, "tax wyrms").startswith("Taxation of wyrms. Nobody has more than one.")


def test_the_story_of_a_deed_completed_and_of_the_end(table):
    table.do("add leaves to the-sailor")
    assert told(table, "add leaves to the-sailor").endswith("the Sailor: it is developed.")
    table.do("sell the-mill")
    assert told(table, "end") == "Morgan's turn ends."
    table.s.shuffled = table.s.pile = 1
    assert told(table, "end").endswith("The last card is drawn: the final turns begin.")
    table.s.final_turns = 1
    assert told(table, "end").endswith("the game is over.")


def test_a_draw_is_told_without_the_card():
    table = Table()
    assert told(table, "crown 1 the-sea") == "Morgan has the Sea."
    for _ in range(6):
        table.do(next(iter(table.legal)))
    assert told(table, "deal 1 the-mill") == "Morgan is dealt a card."
    table.set(hand="the-mill").do("sell the-mill", "end")
    assert told(table, "draw 1 the-cave") == "Morgan draws a card."


def test_the_automa_is_told_of():
    table = Table(players=1, automa="easy").set(hand="the-mill the-author")
    assert ASK(table.do("sell the-mill").s) == "In which district does the automa get the Mill?"
    text = "place the-mill at the-excuse"
    names = ["Morgan", "Automa"]
    assert told(table, text, names) == "Morgan gives the automa the Mill at the Excuse."
    only = {(2, home): "the-pact" for home in ("the-borderland", "the-excuse", "the-harvest")}
    table.set(hand="the-mill", rows=only)
    assert told(table, "sell the-mill", names).endswith("; the automa has it at the Light Keeper.")


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (1, {}, "MG-100: one player needs the automa"),
        (2, {"automa": "hard"}, "MG-100: automa=hard is a game for 1 player"),
        (3, {}, "1 to 2 players"),
    ],
)
def test_players_and_options_that_cannot_be(players, options, said):
    with pytest.raises(Refused, match=said):
        Match(GAME, players, options, how="plain")


def test_the_options_decide_how_many_sit_down():
    assert (GAME.seats({}), GAME.seats({"automa": "easy"})) == ([2], [1])


@pytest.mark.parametrize(
    ("tokens", "asked"),
    [
        ("1 moons 1 waves", "End your turn."),
        ("1 moons 1 waves 4 suns", "Do you trade or end your turn?"),
        ("1 moons 2 waves", "Do you add to a deed or end your turn?"),
        ("4 moons 4 waves", "Do you trade, add to a deed or end your turn?"),
    ],
)
def test_mg_40_mg_42_only_what_can_be_done_is_asked(tokens, asked):
    table = Table().set(
        hand="the-journey the-author", theirs="the-cave", tokens=tokens, their_tokens="1 suns"
    )
    table.do("deed the-journey at the-watchman")
    assert ASK(table.s) == f"Your card is played. {asked}"
