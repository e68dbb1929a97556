"""Hidden hands: what a seat may know, and that it is enough to play on from."""

import random

import numpy as np
import pytest

from yegg.engine import CHANCE, Match
from yegg.engine.notation import write
from yegg.engine.secrecy import Teller
from yegg.games.magnate import GAME
from yegg.games.magnate.pile import in_hand
from yegg.games.magnate.state import Phase, Place
from yegg.parts.decktet import KIND, N_CARDS, SLUGS, Kind

from .reference import Magnate
from .setting import PLAIN, Table
from .test_reference import lively

GAMES = [{}, {"courts": "yes", "districts": "aces"}, {"automa": "hard"}]


def positions(options, seed, events=10_000):
    """A random game, its positions one by one."""
    match = Match(GAME, GAME.seats(options)[0], options)
    dice = random.Random(seed)
    for _ in range(events):
        yield match, dice
        if match.over:
            return
        texts = match.texts
        match.play(texts[lively(dice, texts)])


def hidden(states, seat):
    view = states.copy()
    PLAIN.hide(view[0], seat)
    return view


def choices(s):
    out = np.zeros(GAME.choices, np.int32)
    return out[: PLAIN.legal(s, out)].tolist()


def dealt_out(view, owed, dice):
    """Chance deals what the view lacks, down to the cards that it owed anyway."""
    full = view.copy()
    while full[0].owed.sum() > owed:
        PLAIN.play(full[0], dice.choice(choices(full[0])))
    return full


def holds(s, seat):
    return [card for card in range(N_CARDS) if in_hand(s, seat, card)]


@pytest.mark.wide(but=["{}"])
@pytest.mark.parametrize("options", GAMES, ids=str)
def test_hidden_twice_is_as_once_and_dealt_out_hides_to_the_same_bytes(options):
    for match, dice in positions(options, 1):
        settled = match.state.owed.sum() == 0 or match.state.phase == Phase.DEAL
        for seat in range(match.players):
            view = hidden(match.states, seat)
            assert hidden(view, seat).tobytes() == view.tobytes()
            if settled and match.state.phase != Phase.CROWN:
                owed = match.state.owed.sum()
                full = dealt_out(view, owed, dice)
                if match.state.phase != Phase.DEAL:
                    assert hidden(full, seat).tobytes() == view.tobytes()


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_two_states_that_differ_in_the_others_cards_hide_alike(options):
    tried = 0
    for match, dice in positions(options, 2):
        s = match.state
        for seat in range(match.players):
            theirs = [c for c in holds(s, 1 - seat) if s.where[c] < Place.OPEN]
            pile = np.flatnonzero(s.where == Place.PILE)
            if theirs and pile.size and s.phase not in (Phase.CROWN, Phase.OVER):
                other = match.states.copy()
                a, b = dice.choice(theirs), dice.choice(pile.tolist())
                other[0].where[[a, b]] = other[0].where[[b, a]]
                assert other.tobytes() != match.states.tobytes()
                assert hidden(other, seat).tobytes() == hidden(match.states, seat).tobytes()
                tried += 1
    assert tried > 50


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_a_view_holds_no_card_of_the_other_hand_but_all_that_was_seen(options):
    for match, _ in positions(options, 3):
        s = match.state
        if s.phase == Phase.OVER:
            continue
        for seat in range(match.players):
            view = hidden(match.states, seat)[0]
            for card in range(N_CARDS):
                secret = s.where[card] == Place.HAND + 1 - seat
                assert view.where[card] == (Place.PILE if secret else s.where[card])
            assert view.owed.sum() == s.owed.sum() + (s.where == Place.HAND + 1 - seat).sum()
            for name in match.game.state.dtype.names:
                if name not in ("where", "owed"):
                    assert (view[name] == s[name]).all()


@pytest.mark.wide(but=["{}"])
@pytest.mark.parametrize("options", GAMES, ids=str)
def test_the_actors_choices_are_the_same_in_the_state_and_in_the_view(options):
    for match, dice in positions(options, 4):
        if match.actor >= 0:
            view = dealt_out(hidden(match.states, match.actor), 0, dice)
            assert PLAIN.actor(view[0]) == match.actor
            assert choices(view[0]) == match.choices
            texts = [GAME.words.say(view[0], choice) for choice in choices(view[0])]
            assert texts == list(match.texts)


@pytest.mark.wide(but=["{}"])
@pytest.mark.parametrize("options", GAMES, ids=str)
def test_a_hidden_position_plays_to_the_same_last_turn(options):
    for match, dice in positions(options, 5):
        if match.actor == CHANCE or dice.random() > 0.03:
            continue
        real, view = match.states.copy(), hidden(match.states, match.actor)
        assert turns_to_the_end(view, dice) == turns_to_the_end(real, dice)


def turns_to_the_end(states, dice):
    s, ends = states[0], 0
    while PLAIN.actor(s) != -2:
        texts = {GAME.words.say(s, choice): choice for choice in choices(s)}
        sales = sorted(text for text in texts if text.startswith("sell")) or sorted(texts)
        ends += (text := "end" if "end" in texts else dice.choice(sales)) == "end"
        PLAIN.play(s, texts[text])
    return ends


def test_counting_at_the_reshuffle_opens_the_hands_and_later_cards_are_secret_again():
    table = Table().set(
        hand="the-mill the-pact the-cave",
        theirs="the-author the-desert the-castle",
        pile="",
        discards="the-forest the-market the-sailor the-battle",
    )
    table.do("sell the-mill", "end", "draw 1 the-forest")
    theirs = [SLUGS.index(slug) for slug in ("the-author", "the-desert", "the-castle")]
    mine = [SLUGS.index(slug) for slug in ("the-pact", "the-cave")]
    assert (table.s.where[theirs] == Place.OPEN + 1).all()
    assert (table.s.where[mine] == Place.OPEN).all()
    view = hidden(table.states, 1)
    assert (view[0].where[mine] == Place.OPEN).all(), "seat 2 has counted"
    assert view[0].where[SLUGS.index("the-forest")] == Place.PILE, "but not seen the draw"
    assert hidden(table.states, 0)[0].owed.sum() == 0


@pytest.mark.parametrize("options", GAMES[:2], ids=str)
def test_mg_50_what_is_shown_by_counting_is_all_that_a_player_cannot_see_elsewhere(options):
    """At the shuffle: what lies neither on the table nor among the discards nor in one's hand."""
    for seed in range(4):
        before = None
        for match, _ in positions(options, seed):
            s = match.state
            if s.shuffled:
                break
            before = match.states.copy()[0]
        lies_open = {c for c in range(N_CARDS) if before.where[c] >= Place.ROW}
        elsewhere = (before.where == Place.DISCARD) | (before.where < Place.PILE)
        lies_open |= set(np.flatnonzero(elsewhere))
        lies_open |= {c for c in range(N_CARDS) if KIND[c] > Kind.NUMBER and not dealt(c, before)}
        for seat in range(2):
            unseen = set(range(N_CARDS)) - lies_open - set(holds(before, seat))
            says, cards = GAME.words.by_counting(s, seat, 1 - seat, match.names)
            assert (says, set(cards)) == ("You can know this by counting", unseen)
            assert set(cards) == set(holds(s, 1 - seat)), "and it is the whole hand"
            assert GAME.words.by_counting(s, -1, seat, match.names)[0].startswith("Both players")


def dealt(card, s):
    """Whether a card is one of the deck's in this game."""
    return KIND[card] == Kind.COURT and s.courts


def test_ending_the_turn_in_a_view_at_the_reshuffle_gives_what_is_left_to_the_other_hand():
    table = Table().set(
        hand="the-mill the-pact the-cave",
        theirs="the-author the-desert the-castle",
        pile="",
        discards="the-forest the-market",
    )
    table.do("sell the-mill")
    view = Table()
    view.states = hidden(table.states, 0)
    view.s = view.states[0]
    PLAIN.play(view.s, table.legal["end"])
    table.do("end")
    assert view.states.tobytes() == table.states.tobytes()


def events(match, **how):
    return write(match, **how).partition("\n\n")[2].splitlines()


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_a_seats_record_names_no_card_of_the_other_hand_since_it_was_drawn(options):
    checked = 0
    for match, dice in positions(options, 6):
        if match.over or dice.random() > 0.006:
            continue
        whole, other = events(match), Magnate(match.options)
        for line in whole:
            other.play(line.partition(" ")[2])
        for seat in range(-1, match.players):
            lines = events(match, seat=seat)
            for who in {1, 2} - {seat + 1}:
                for slug in other.hands[who]:
                    last = max(i for i, line in enumerate(whole) if line.endswith(f" {who} {slug}"))
                    assert lines[last] == whole[last].replace(slug, "-")
                    assert not any(slug in line for line in lines[last:])
                    checked += 1
            asked = [line[0] for line in events(match, seat=seat, legal=True)]
            after = {asked[i + 1] for i, mark in enumerate(asked) if mark == "?"}
            assert after <= {str(seat + 1)}, "legal events only before the seat's own"
    assert checked > 3


def test_the_words_of_a_draw_as_each_seat_knows_it():
    match = Match(GAME, 2, {}, how="plain")
    for _ in range(14):
        match.play(match.choices[0])
    past = Teller(match).past
    lines = [[GAME.words.seen(past, i, seat) for i in range(14)] for seat in (-1, 0, 1)]
    assert lines[0][6:12] == ["deal 1 -"] * 3 + ["deal 2 -"] * 3
    assert (
        lines[1][6:12]
        == [f"deal 1 ace-of-{x}" for x in ("moons", "suns", "waves")] + ["deal 2 -"] * 3
    )
    assert (lines[2][6:9], lines[2][9]) == (["deal 1 -"] * 3, "deal 2 ace-of-leaves")
    assert [line[:6] for line in lines] == [list(map(str, lines[0][:6]))] * 3
    assert lines[0][12:] == ["roll 1", "roll 1"]
