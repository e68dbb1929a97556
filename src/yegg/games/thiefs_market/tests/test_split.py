"""TM-1 … TM-15: set-up and the first phase."""

import pytest

from yegg.engine import Refused
from yegg.games.thiefs_market.cards import LETTER, N_CARDS, PROMO, SLUGS

FIVE_A = "deal A fence | deal A tailor | deal A glamer | deal A necklace | deal A pawnbroker"
FACES = {f"roll {face}" for face in ("red", "white", "blue", "green", "bag", "mask")}


def rolled(table, faces, players=4):
    """A first round: the market is dealt and the dice show these faces."""
    t = table(players).play(FIVE_A)
    names = {"R": "red", "W": "white", "B": "blue", "G": "green", "b": "bag", "m": "mask"}
    return t.play(*(f"roll {names[face]}" for face in faces))


# --- set-up


@pytest.mark.parametrize("players", [3, 4, 5])
def test_tm_1_seat_1_begins_and_everybody_has_one_gold(table, players):
    t = table(players).play(FIVE_A)
    while t.actor == "*":
        t.play("roll bag")
    assert t.actor == 1
    assert [t.has(seat) for seat in range(1, players + 1)] == [(1, 0)] * players


def test_tm_1_gold_and_infamy_are_unlimited(table):
    t = table().evening("bbbbbb*", "mmmmmm").gold(5000).infamy(0, 900).finish_round()
    assert (t.has(1), t.has(2)[1]) == ((5006, 0), 906)


@pytest.mark.parametrize(("players", "dice"), [(3, 10), (4, 11), (5, 13)])
def test_tm_2_so_many_dice(table, players, dice):
    t = table(players).play(FIVE_A)
    for _ in range(dice):
        assert (t.actor, t.texts) == ("*", FACES)
        t.play("roll mask")
    assert (t.actor, t.centre) == (1, "m" * dice + "*")


def test_tm_2_the_option_sets_the_dice(table):
    t = table(3, dice=6).play(FIVE_A, *["roll red"] * 6)
    assert t.centre == "RRRRRR*"
    with pytest.raises(Refused, match="6 to 20"):
        table(3, dice=5)


@pytest.mark.parametrize("players", [2, 6])
def test_tm_2_three_to_five_players(table, players):
    with pytest.raises(Refused, match="3 to 5"):
        table(players)


def test_tm_3_every_card_of_the_letter_may_be_turned_up_the_removed_ones_too(table):
    t = table()
    ours = {SLUGS[c] for c in range(N_CARDS) if LETTER[c] == 0}
    assert len(ours) == 16
    assert t.texts == {f"deal A {slug}" for slug in ours}
    assert t.state.left.tolist() == [13, 12, 11]
    t.play("deal A fence")
    assert t.texts == {f"deal A {slug}" for slug in ours - {"fence"}}
    assert t.why_not("deal A fence").startswith("TM-3: Fence has been turned up already")
    assert t.why_not("deal A crown").startswith("TM-3: Crown is a card of C")


def test_tm_3_promos_join_their_decks_before_cards_are_removed(table):
    without, with_them = table(), table(promos="yes")
    assert with_them.state.left.tolist() == [13, 12, 11]
    promos = [SLUGS[c] for c in range(N_CARDS) if PROMO[c]]
    assert sorted(promos) == ["mimetic-stew", "narrow-alleyway", "purported-curse", "wut"]
    for t, there in ((without, False), (with_them, True)):
        t.deck("B").state.due = 1
        assert ("deal B wut" in t.edited().texts) == there
        t.deck("C").state.due = 1
        assert ("deal C purported-curse" in t.edited().texts) == there


def test_tm_3_exactly_13_12_and_11_cards_can_come(table):
    for letter, n in (("A", 13), ("B", 12), ("C", 11)):
        t = table().market().deck(letter)
        t.state.due = n
        t.edited()
        for _ in range(n):
            assert t.phase.name == "DEAL"
            t.match.play(t.match.choices[0])
        assert t.phase.name == "ROLL"
        assert len(t.for_sale()) == n


def test_tm_4_five_cards_of_a_are_the_market(table):
    t = table().play(FIVE_A)
    assert t.for_sale() == {"fence", "tailor", "glamer", "necklace", "pawnbroker"}
    assert t.texts == FACES


def test_tm_6_infamy_is_face_down_on_the_screen_and_known_to_the_machine(table):
    t = table(3).infamy(4, 5, 6)
    before = t.match.states.tobytes()
    for seat in (-1, 0, 1, 2):
        assert t.match.known_to(seat).tobytes() == before


# --- the first phase


def test_tm_10_dice_and_marker_lie_in_the_centre(table):
    t = rolled(table, "RWBGbmRRRmm")
    assert (t.centre, t.actor) == ("RRRRWBGbmmm*", 1)
    assert [t.pile(seat) for seat in (1, 2, 3, 4)] == ["", "", "", ""]


def test_tm_10_players_without_a_pile_take_turns_clockwise(table):
    t = rolled(table, "RWBGbmRRRmm")
    order = []
    for kind in ("red", "white", "blue"):
        order.append(t.actor)
        t.play(f"take {kind} | done")
    assert [*order, t.actor] == [1, 2, 3, 4]


def test_tm_10_the_marker_holder_begins_the_next_round(table):
    t = table().evening("R", "W", "B*", "G")
    assert t.actor == 3
    t.finish_round().play(*["roll bag"] * 4)
    assert (t.actor, t.centre) == (3, "bbbb*")


def test_tm_11_any_number_of_objects_at_least_one_faces_unchanged(table):
    t = table().split("RRWb*")
    assert t.texts == {"take red", "take white", "take bag", "take marker"}
    assert t.why_not("done").startswith("TM-11: at least one object")
    t.play("take red")
    assert t.texts == {"take red", "take white", "take bag", "take marker", "done"}
    t.play("take bag | take marker")
    assert (t.pile(1), t.centre) == ("Rb*", "RW")


def test_tm_11_everything_may_be_taken_by_the_first(table):
    t = table().split("Rb*").play("take red | take bag | take marker")
    assert t.texts == {"done"}
    t.play("done")
    assert (t.actor, t.texts) == (2, {"steal 1"})
    assert t.why_not("take red").startswith("TM-11: no red is in the centre")


def test_tm_11_objects_are_taken_in_order(table):
    t = table().split("RWm*").play("take white")
    assert t.texts == {"take mask", "take marker", "done"}
    assert "after white no red" in t.why_not("take red")
    assert "TM-11: no blue is in the centre" in t.why_not("take blue")


def test_tm_11_the_whole_pile_is_stolen(table):
    t = table().split("RW", "BBm*", turn=2).play("steal 1")
    assert (t.pile(1), t.pile(2), t.centre) == ("", "BBm*", "RW")


def test_tm_11_one_cannot_steal_what_is_not_there(table):
    t = table().split("RW", "BBm*", "", "G", turn=2)
    assert t.beginning("steal") == {"steal 1"}
    assert t.why_not("steal 3").startswith("TM-12: a pile of one")
    assert t.why_not("steal 4").startswith("TM-11: seat 4 has no pile")
    assert t.why_not("steal 2").startswith("TM-11: the pile of another")
    assert t.why_not("steal 9").startswith("TM-11: there is no seat 9")


def test_tm_12_at_least_one_goes_back_and_at_least_one_stays(table):
    t = table().split("RW", "BBm*", turn=2).play("steal 1")
    assert t.texts == {"return blue", "return mask", "return marker"}
    assert t.why_not("done").startswith("TM-12: at least one object must go back")
    t.play("return blue")
    assert t.texts == {"return blue", "return mask", "return marker", "done"}
    t.play("return mask")
    assert t.texts == {"return marker", "done"}
    assert "after mask no red, white, blue" in t.why_not("return blue")
    t.play("return marker")
    assert (t.texts, t.pile(2)) == ({"done"}, "B")


def test_tm_12_the_last_object_cannot_be_returned(table):
    t = table().split("RW", "BB", turn=2).play("steal 1 | return blue")
    assert t.texts == {"done"}
    assert t.why_not("return blue").startswith("TM-12: one object must be kept")


def test_tm_12_a_single_object_cannot_be_stolen(table):
    assert table().split("RW", "B", turn=2).beginning("steal") == set()
    assert table().split("RW", "*", turn=2).beginning("steal") == set()


def test_tm_12_nothing_is_taken_from_the_centre_on_a_turn_of_stealing(table):
    t = table().split("RW", "BB*", turn=2).play("steal 1 | return marker")
    assert t.beginning("take") == set()
    assert t.why_not("take red").startswith("TM-12")


def test_tm_13_returned_dice_are_rolled_again_and_the_marker_is_not(table):
    t = table().split("RW", "BBm*", turn=2)
    t.play("steal 1 | return blue | return mask | return marker | done")
    assert t.centre == "RW*"
    for face in ("green", "bag"):
        assert (t.actor, t.texts) == ("*", FACES)
        t.play(f"roll {face}")
    assert (t.centre, t.actor) == ("RWGb*", 3)


def test_tm_13_only_the_marker_goes_back_and_nothing_is_rolled(table):
    t = table().split("RW", "BB*", turn=2).play("steal 1 | return marker | done")
    assert (t.actor, t.centre) == (3, "RW*")


@pytest.mark.parametrize(
    ("events", "kept", "dice"),
    [
        ("return marker", "RB", 0),
        ("return blue", "R*", 1),
        ("return red", "B*", 1),
        ("return red | return blue", "*", 2),
        ("return red | return marker", "B", 1),
        ("return blue | return marker", "R", 1),
    ],
)
def test_tm_13_the_rulebooks_example_of_stealing(table, events, kept, dice):
    """Erin has a red and a blue gem and the marker; Michael steals: four outcomes."""
    t = table().split("WGbm", "RB*", turn=2).play("steal 1", events, "done")
    assert (t.pile(2), t.state.loose) == (kept, dice)
    t.play(*["roll mask"] * dice)
    assert t.actor == 3
    back = "*" if "*" not in kept else ""
    assert t.centre == "WGb" + "m" * (1 + dice) + back


def test_tm_13_the_example_has_no_other_outcome(table):
    outcomes = set()
    todo = [("steal 1",)]
    while todo:
        events = todo.pop()
        t = table().split("WGbm", "RB*", turn=2).play(*events)
        outcomes |= {t.pile(2)} if "done" in t.texts else set()
        todo += [(*events, text) for text in t.beginning("return")]
    assert outcomes == {"RB", "R*", "B*", "R", "B", "*"}


def test_tm_14_the_victim_is_next_when_nobody_else_is_without_a_pile(table):
    t = table(3).split("R", "WW", "b", "", turn=3).play("steal 1 | return white | done | roll mask")
    assert (t.actor, t.texts) == (1, {"take-all"})


def test_tm_14_clockwise_from_the_thief_over_those_who_have_a_pile(table):
    t = table().split("R", "WW", "b", "", "", turn=3).play("steal 1 | return white | done")
    t.play("roll mask")
    assert t.actor == 4
    t.play("take red | done")
    assert t.actor == 1


def test_tm_15_the_last_player_takes_everything(table):
    t = table(3).split("RRm", "WW", "b*", "", turn=3)
    assert t.texts == {"take-all", "steal 1", "steal 2"}
    assert t.why_not("take red").startswith("TM-15: the last player takes all")
    t.play("take-all")
    assert (t.pile(3), t.centre, t.phase.name) == ("RRm", "", "MARKET")


def test_tm_15_it_is_for_the_last_only(table):
    t = table(3).split("RRm*", "WW", turn=2)
    assert "take-all" not in t.texts
    assert t.why_not("take-all").startswith("TM-15: only the last")


def test_tm_15_an_empty_centre_leaves_only_stealing(table):
    t = table(3).split("", "WW", "b*", "", turn=3)
    assert t.texts == {"steal 1", "steal 2"}
    assert t.why_not("take-all").startswith("TM-15: nothing is in the centre")


def test_tm_15_the_marker_never_stays_unclaimed(table):
    t = table(3).split("*", "WW", "b", "", turn=3).play("take-all")
    assert (t.pile(3), t.actor) == ("*", 3)
