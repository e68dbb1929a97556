"""What is said: every choice one text, every refusal a reason, every event a story."""

import random
from pathlib import Path

import pytest

from yegg.engine import NotLegal, NotUnderstood
from yegg.games.thiefs_market import texts, words
from yegg.games.thiefs_market.cards import CARDS, N_CARDS, SLUGS
from yegg.games.thiefs_market.cards import NAMES as NAMES_OF
from yegg.games.thiefs_market.deck import FACES, GEMS, Effect
from yegg.games.thiefs_market.state import Phase

NAMES = ["Morgan", "Siveny", "Shar", "Quill", "Vex"]


def tell(t, choice):
    """The sentence of a choice that is about to be made."""
    return t.match.game.voice.sentence(t.state, t.match.actor, choice, NAMES).prose


def sentences():
    """One of each kind, for any card."""
    for slug in SLUGS[::7]:
        yield from (f"deal A {slug}", f"buy {slug}", f"copy {slug} of 2", f"exchange with {slug}")
        yield from (f"turn red to white with {slug}", f"spend mask with {slug}")
    for face in FACES:
        yield from (f"roll {face}", f"take {face}", f"return {face}", f"reroll {face}")
    for gem in GEMS:
        yield from (f"waive {gem}", f"gold 1 for {gem}")
    yield from ("take marker", "take-all", "done", "keep", "steal 1", "steal 3", "steal 12")


def games(table, seed):
    dice = random.Random(seed)
    t = table(4, promos="yes")
    while not t.match.over:
        yield t
        t.match.play(dice.choice(t.match.choices))


@pytest.mark.parametrize("seed", range(2))
def test_every_sentence_that_is_not_legal_has_a_reason_with_its_clause(table, seed):
    for step, t in enumerate(games(table, seed)):
        if step % 11:
            continue
        for text in sentences():
            if text not in t.match.texts:
                assert t.why_not(text)[:3] == "TM-", (text, t.phase)


@pytest.mark.parametrize(
    "text", ["", "buy", "buy fish", "take purple", "steal", "turn red to", "x"]
)
def test_what_is_no_sentence_is_not_understood(table, text):
    t = table().market("tailor").evening("RR*")
    with pytest.raises(NotUnderstood):
        t.match.hear(text)


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ("take bag, take bag, take bag", "takes three bags"),
        ("take red, take mask, take red, take marker", "takes two red gems, a mask and the marker"),
        ("return white, return marker", "returns a white gem and the marker"),
        ("roll mask, roll blue, roll mask", "The dice show a blue gem and two masks"),
        ("deal A fence, deal A tailor", ""),
    ],
)
def test_what_is_done_several_times_is_told_by_number(events, says):
    assert words.tell_row(events.split(", ")) == says


def test_a_refusal_changes_nothing_and_names_what_is_possible(table):
    t = table().market("tailor").evening("RR*")
    before = t.match.states.tobytes()
    with pytest.raises(NotLegal, match="possible: buy tailor, done"):
        t.match.hear("take red")
    assert t.match.states.tobytes() == before


def test_every_event_is_told_and_every_question_asked(table):
    told, asked = set(), set()
    for seed in range(2):
        for t in games(table, seed):
            for choice in t.match.choices[:6]:
                said = tell(t, choice)
                assert said[0].isupper()
                assert said.endswith(".")
                assert "None" not in said
                told.add(said)
            asked.add(words.ask(t.state))
    assert len(told) > 150
    assert any("do you pay in Gold" in question for question in asked)


def test_some_stories(table):
    t = table(promos="yes").market("unlabeled-potion").split("RW", "BBm*", turn=2)
    assert tell(t, t.match.hear("steal 1")) == (
        "Siveny steals the pile of Morgan: 2 blue, 1 mask and the marker."
    )
    t.play("steal 1")
    assert tell(t, t.match.hear("return mask")) == "Siveny returns a mask."
    t.gold(2).evening("RB*")
    assert tell(t, t.match.hear("buy unlabeled-potion")) == (
        "Morgan buys Unlabeled Potion, which costs 1 red and 1 blue."
    )
    t.play("buy unlabeled-potion")
    assert words.ask(t.state) == (
        "Unlabeled Potion still costs 1 red: how much of it do you pay in Gold?"
    )
    assert tell(t, t.match.hear("gold 0 for red")) == ("Morgan pays red without Gold.")
    assert tell(t, t.match.hear("gold 1 for red")) == ("Morgan pays 1 Gold for red.")


def test_tm_21_gold_is_named_wherever_it_is_paid(table):
    t = table().market("fence").gold(1).evening("W*")
    assert tell(t, t.match.hear("buy fence")) == (
        "Morgan buys Fence, which costs 2 white, and pays 1 Gold."
    )
    t = table().market("rumor-monger").gold(3).evening("WG*")
    assert tell(t, t.match.hear("buy rumor-monger")) == (
        "Morgan buys Rumor-Monger, which costs 1 white and 2 green."
    )
    t.play("buy rumor-monger")
    assert tell(t, t.match.hear("gold 0 for white")) == ("Morgan pays white without Gold.")
    t = table().market("rumor-monger").gold(2).evening("W*")
    assert tell(t, t.match.hear("buy rumor-monger")) == (
        "Morgan buys Rumor-Monger, which costs 1 white and 2 green, and pays 2 Gold."
    )


def test_without_a_purchase_nothing_to_buy_is_asked_for(table):
    t = table().market("fence").gold(0).evening("WWW*")
    assert words.ask(t.state) == "What do you buy or use?"
    t.play("buy fence")
    assert words.ask(t.state) == (
        "You have no purchase left. Do you use a card, or leave the market?"
    )
    t.play("turn white to bag with fence")
    assert words.ask(t.state) == "You can buy nothing and use no card: leave the market."


def test_more_than_one_is_said_so(table):
    assert texts.heap_text([1, 0, 0, 2, 3, 5, 1]) == (
        "1 red, 2 green, 3 bags, 5 masks and the marker"
    )
    assert texts.heap_text([0, 0, 0, 0, 1, 1, 0]) == "1 bag and 1 mask"
    assert texts.heap_text([0] * 7) == "nothing"
    assert texts.icon_text(SLUGS.index("executive-assistant")) == "2 henchmen"


def test_stealing_is_asked_about_only_when_a_pile_can_be_stolen(table):
    def asked(*split, turn):
        return words.ask(table(3).split(*split, turn=turn).state)

    assert asked("RW", turn=1) == "What do you take from the centre?"
    assert asked("RW", "B", turn=2) == "What do you take from the centre?"  # TM-12: one alone
    assert asked("RW", "BB", turn=2) == "Do you take from the centre, or steal a whole pile?"
    assert asked("RW", "B", "*", turn=3) == "You take all of the centre."
    assert asked("RW", "BB", "*", turn=3) == (
        "Do you take all of the centre, or steal a whole pile?"
    )
    assert asked("", "BB*", turn=2) == "Which pile do you steal?"


def test_a_copy_is_told(table):
    t = table(promos="yes").market("mimetic-stew").give(3, "crown").gold(0).evening("BG*")
    t.play("buy mimetic-stew")
    assert tell(t, t.match.hear("copy crown of 3")) == (
        "Morgan makes Mimetic Stew a copy of Crown, which Shar has."
    )


@pytest.mark.parametrize("card", range(N_CARDS), ids=SLUGS)
def test_every_card_says_what_it_does_with_its_clause(card):
    said = texts.card_text(card)
    assert "TM-" in said
    assert "{" not in said
    points = CARDS[card].points
    assert (f"{points} Notoriety" in said) == (points > 0)
    assert said.count("(TM-") == 1
    if CARDS[card].effect not in (Effect.NONE, Effect.FREE_CARD, Effect.COPY, Effect.DISCOUNT):
        assert len(texts.effect_text(card)) > 12


def test_a_sequence_can_be_taken_back_in_the_middle(table):
    """Undo to the last roll: in the middle of picking dice."""
    t = table(3)
    t.play("deal A fence | deal A tailor | deal A glamer | deal A necklace | deal A pawnbroker")
    t.play(*["roll red", "roll bag"] * 5, "take red | take bag | take marker")
    for pile in ("Rb", "R", ""):
        assert t.match.undo(0)
        assert t.pile(1) == pile
    assert t.phase == Phase.SPLIT
    assert not t.match.undo(0)


@pytest.mark.parametrize("card", range(N_CARDS), ids=SLUGS)
def test_the_rules_page_has_every_card(card):
    page = Path(words.__file__).with_name("RULES.md").read_text(encoding="utf-8")
    cells = (NAMES_OF[card], texts.cost_text(card), texts.icon_text(card), texts.card_text(card))
    assert f"| {' | '.join(cells)} |\n" in page
