"""SE-1 … SE-21 by example."""

import pytest

from yegg.engine import NOBODY, NotLegal, Refused
from yegg.games import find

# --- set-up and orders


def test_se_1_nine_secrets_worth_their_number_four_spies_one_policeman(table):
    t = table(3)
    assert t.state.value[:3, :9].tolist() == [list(range(1, 10))] * 3
    assert t.texts == {f"club steals {n} from {seat}" for n in range(1, 10) for seat in (2, 3)}
    t.play("club steals 1 from 2", "diamond steals 1 from 2", "heart steals 1 from 2")
    t.play("spade steals 1 from 2")
    assert t.texts == {f"guards {n}" for n in range(1, 10)}


def test_se_1_options_make_fewer_spies_and_secrets(table):
    t = table(3, spies=2, secrets=2)
    assert t.texts == {f"club steals {n} from {seat}" for n in (1, 2) for seat in (2, 3)}
    t.turn("1@2 1@3 g1", "1@1 1@3 g2", "2@1 2@2 g1")
    assert t.state.turn == 2


@pytest.mark.parametrize("players", [2, 7])
def test_se_1_three_to_six_players(table, players):
    with pytest.raises(Refused, match="3 to 6"):
        table(players)


def test_se_2_all_orders_are_carried_out_at_once(table):
    t = table(3, spies=1)
    t.play("club steals 9 from 2", "guards 1", "club steals 9 from 3", "guards 1")
    assert not t.state.thief.any()
    assert t.scores == [0, 0, 0]
    t.play("club steals 9 from 1", "guards 1")
    assert (t.thief(2, 9), t.thief(3, 9), t.thief(1, 9)) == (1, 2, 3)


def test_se_2_orders_of_one_turn_do_not_change_what_the_next_seat_may_order(table):
    t = table(3, spies=1).play("club steals 9 from 2", "guards 1")
    assert "club steals 9 from 1" in t.texts
    assert t.texts == {f"club steals {n} from {seat}" for n in range(1, 10) for seat in (1, 3)}


def test_se_3_two_spies_may_visit_the_same_player_and_the_same_secret(table):
    t = table(3).turn("5@2 5@2 6@2 7@2 g1", "1@3 1@3 1@3 1@3 g1", "2@1 2@1 2@1 2@1 g2")
    assert (t.thief(2, 6), t.thief(2, 7), t.thief(2, 5)) == (1, 1, 0)


def test_se_3_no_spy_goes_for_an_own_secret(table):
    t = table(3)
    with pytest.raises(NotLegal, match="SE-3: a spy is sent to another player's secret"):
        t.play("club steals 2 from 1")


def test_se_3_seat_that_does_not_exist_and_secret_that_does_not(table):
    t = table(3)
    with pytest.raises(NotLegal, match="SE-3: there is no seat 4"):
        t.play("club steals 2 from 4")
    with pytest.raises(NotLegal, match="SE-1: there is no secret 10"):
        t.play("club steals 10 from 2")


def test_se_4_nobody_idles_by_choice(table):
    t = table(3)
    with pytest.raises(NotLegal, match="SE-4"):
        t.play("club idles")
    t.play(*(f"{spy} steals 1 from 2" for spy in ("club", "diamond", "heart", "spade")))
    with pytest.raises(NotLegal, match="SE-4"):
        t.play("guards nothing")


def test_se_5_a_stolen_secret_is_neither_target_nor_guarded(table):
    t = table(3, spies=1).turn("9@2 g1", "9@3 g1", "9@1 g1")
    assert "club steals 9 from 2" not in t.texts
    with pytest.raises(NotLegal, match="SE-5: secret 9 is stolen"):
        t.play("club steals 9 from 2")
    t.play("club steals 8 from 2")
    with pytest.raises(NotLegal, match="SE-5: secret 9 is stolen"):
        t.play("guards 9")


def last_secrets(table, turns=5):
    """One spy and two secrets each; after a turn everybody has secret 1 and may not guard it."""
    return table(3, spies=1, secrets=2, turns=turns).turn("2@2 g1", "2@3 g1", "2@1 g1")


def test_se_5_without_a_target_the_spy_idles_and_without_a_secret_the_policeman(table):
    t = last_secrets(table).turn("1@2 g-", "1@3 g-", "1@1 g-")
    for _ in range(3):
        assert t.texts == {"club idles"}
        t.play("club idles")
        assert t.texts == {"guards nothing"}
        t.play("guards nothing", *["club idles", "guards nothing"] * 2)
    assert t.match.over
    assert t.scores == [3, 3, 3]


def test_se_6_a_policeman_who_captured_nobody_must_move(table):
    t = table(3, spies=1).turn("9@2 g5", "9@3 g5", "9@1 g5").play("club steals 1 from 2")
    assert t.texts == {f"guards {n}" for n in (1, 2, 3, 4, 6, 7, 8)}
    with pytest.raises(NotLegal, match="SE-6: the policeman captured nobody at 5"):
        t.play("guards 5")


def test_se_6_only_last_turns_post_is_forbidden(table):
    t = table(3, spies=1).turn("9@2 g5", "9@3 g5", "9@1 g5")
    t.turn("8@2 g6", "8@3 g6", "8@1 g6").play("club steals 1 from 2")
    assert "guards 5" in t.texts
    assert "guards 6" not in t.texts


def test_se_6_a_policeman_who_captured_may_stay(table):
    t = table(3, spies=1).turn("5@2 g5", "9@3 g5", "9@1 g5")
    assert t.caught(0, 0)
    t.play("guards 4", "club steals 1 from 3")
    assert "guards 5" in t.texts


def test_se_6_the_only_secret_left_is_the_forbidden_one_he_idles_and_is_then_free(table):
    t = last_secrets(table).play("club steals 1 from 2")
    assert t.texts == {"guards nothing"}
    with pytest.raises(NotLegal, match="SE-6"):
        t.play("guards 1")
    t.play("guards nothing")
    t.play("club steals 1 from 1", "guards nothing", "club steals 1 from 1", "guards nothing")
    assert (t.thief(1, 1), t.thief(2, 1), t.thief(3, 1)) == (0, 1, 0)
    t.play("club steals 1 from 3")
    assert t.texts == {"guards 1"}
    t.play("guards 1", "club steals 1 from 1")
    assert t.texts == {"guards nothing"}


# --- what happens to each theft


def test_se_10_a_policeman_captures_every_spy_at_the_secret_he_guards_ten_points_each(table):
    t = table(4)
    t.turn(
        "1@2 2@2 3@2 4@2 g9",
        "9@1 8@1 7@1 6@1 g5",
        "9@1 9@1 9@2 9@4 g5",
        "9@1 1@3 1@3 2@3 g5",
    )
    assert [t.caught(1, 0), t.caught(2, 0), t.caught(2, 1), t.caught(3, 0)] == [True] * 4
    assert (t.state.captor > 0).sum() == 4
    assert (t.scores[0], t.thief(1, 9)) == (1 + 2 + 3 + 4 + 40, 0)


def test_se_10_a_captured_spy_is_gone_for_good(table):
    t = table(3).turn("9@2 1@3 2@3 3@3 g1", "1@3 2@3 3@3 4@3 g9", "2@1 3@1 4@1 5@1 g5")
    assert t.caught(0, 0)
    assert all(text.startswith("diamond") for text in t.texts)
    with pytest.raises(NotLegal, match="SE-10: Club is captured"):
        t.play("club steals 8 from 2")
    t.turn("8@2 8@2 8@2 g7", "6@3 6@3 6@3 6@3 g1", "6@1 6@1 6@1 6@1 g6")
    assert all(text.startswith("diamond") for text in t.texts)


def test_se_10_who_has_lost_every_spy_still_orders_the_policeman(table):
    t = table(3, spies=1).turn("9@2 g1", "1@3 g9", "2@1 g5")
    assert t.texts == {f"guards {n}" for n in (3, 4, 5, 6, 7, 8, 9)}  # 1 stood, 2 stolen


def test_se_11_two_spies_of_different_players_frustrate_each_other(table):
    t = table(3, spies=1).turn("9@2 g1", "8@3 g1", "9@2 g1")
    assert (t.thief(2, 9), t.thief(3, 8), t.scores) == (0, 2, [0, 8, 0])
    assert not t.state.captor.any()


def test_se_11_own_spies_frustrate_each_other_too(table):
    t = table(3, spies=2).turn("9@2 9@2 g1", "1@3 2@3 g1", "2@1 3@1 g1")
    assert (t.thief(2, 9), t.scores[0]) == (0, 0)


@pytest.mark.parametrize("players", [5, 6])
def test_se_11_four_and_five_come_to_one_secret(table, players):
    t = table(players, spies=1).turn("9@2 g1", *["9@1 g1"] * (players - 1))
    assert (t.thief(1, 9), t.thief(2, 9), t.scores) == (0, 1, [9] + [0] * (players - 1))


def test_se_11_a_whole_gang_of_four_meets_itself(table):
    t = table(3).turn("9@2 9@2 9@2 9@2 g1", "1@3 2@3 3@3 4@3 g1", "2@1 3@1 4@1 5@1 g1")
    assert t.scores[0] == 0
    assert not any(t.caught(0, spy) for spy in range(4))


def test_se_12_one_spy_alone_steals_the_value_and_the_owner_has_it_no_more(table):
    t = table(3, spies=1).turn("8@2 g1", "7@3 g1", "6@1 g1")
    assert t.scores == [8, 7, 6]
    t.play("club steals 9 from 2", "guards 9")
    assert "club steals 6 from 1" not in t.texts


def test_se_12_a_stolen_secret_cannot_be_stolen_on(table):
    t = table(3, spies=1).turn("8@2 g1", "7@3 g1", "6@1 g1")
    t.play("club steals 9 from 2", "guards 9", "club steals 9 from 1", "guards 9")
    with pytest.raises(NotLegal, match="SE-5"):
        t.play("club steals 8 from 2")
    assert "club steals 8 from 1" in t.texts  # seat 1's own 8, not the one it stole


def test_se_13_a_guarded_secret_is_never_a_collision(table):
    t = table(4, spies=2).turn("9@2 9@2 g1", "1@3 2@3 g9", "9@2 1@1 g5", "9@2 2@1 g5")
    assert [t.caught(0, 0), t.caught(0, 1), t.caught(2, 0), t.caught(3, 0)] == [True] * 4
    assert t.scores == [10, 1 + 2 + 40, 0, 2]


def test_se_13_five_way_collision_under_guard(table):
    t = table(6, spies=1).turn("1@2 g9", *["9@1 g1"] * 5)
    assert t.scores == [50, 10, 0, 0, 0, 0]  # seat 1's own spy met the policeman at 1 of seat 2
    assert (t.state.captor > 0).sum() == 6


# --- missing orders


def test_se_15_spies_stay_home_and_the_policeman_guards_the_most_valuable(table):
    t = table(3)
    assert not any("home" in text for text in t.texts)
    t.play("club stays home", "diamond stays home", "heart stays home", "spade stays home")
    t.play("guards 9")
    assert t.match.actor == 1
    t.play(*t.lines(1, "9@1 1@3 2@3 3@3 g1"), *t.lines(2, "8@1 1@2 2@2 3@2 g5"))
    assert t.caught(1, 0)
    assert t.thief(1, 8) == 3


def test_se_15_he_guards_the_best_that_he_may(table):
    t = table(3, spies=1).turn("home g9", "9@3 g1", "1@1 g1").play("club stays home")
    with pytest.raises(Refused):
        t.play("guards 9")
    with pytest.raises(Refused):
        t.play("guards 7")
    t.play("guards 8")


def test_se_15_all_or_nothing(table):
    t = table(3).play("club stays home")
    for wrong in ("diamond steals 1 from 2", "club stays home", "diamond idles", "guards 9"):
        with pytest.raises(Refused):
            t.play(wrong)
    t.play("diamond stays home", "heart stays home", "spade stays home", "guards 9")
    t.play("club steals 1 from 1")
    with pytest.raises(Refused, match="SE-15"):
        t.play("diamond stays home")
    assert all(text.startswith("diamond steals") for text in t.texts)


def test_se_15_captured_spies_are_left_out_and_who_has_none_gets_an_ordinary_guard(table):
    t = table(3, spies=2).turn("9@2 1@3 g1", "9@3 1@1 g9", "2@1 3@1 g9")
    assert t.caught(0, 0)
    assert t.caught(1, 0)
    assert t.caught(1, 1)
    with pytest.raises(Refused):
        t.play("club stays home")
    t.play("diamond stays home", "guards 9")
    assert t.match.specials == []
    assert "guards 9" in t.texts


def test_se_15_even_a_spy_who_would_idle_stays_home_and_the_policeman_guards_nothing(table):
    t = last_secrets(table).turn("1@2 g-", "1@3 g-", "1@1 g-")
    assert t.texts == {"club idles"}
    t.play("club stays home")
    assert (t.texts, t.match.specials) == ({"guards nothing"}, t.match.choices)
    t.play("guards nothing", "club idles", "guards nothing", "club stays home", "guards nothing")
    assert t.state.turn == 4


def test_se_15_only_the_forbidden_secret_left_and_no_orders(table):
    t = last_secrets(table).play("club stays home")
    with pytest.raises(Refused):
        t.play("guards 1")
    t.play("guards nothing")


def test_se_15_everybody_absent_for_the_whole_game(table):
    t = table(3, spies=1, turns=3).turn(*["home g9"] * 3)
    t.turn(*["home g8"] * 3).turn(*["home g9"] * 3)
    assert t.match.over
    assert (t.scores, t.match.places) == ([0, 0, 0], [1, 1, 1])


# --- the end


def test_se_20_five_turns_then_stolen_secrets_and_ten_a_spy(table):
    t = table(3, spies=1)
    for turn in range(5):
        assert t.state.turn == turn + 1
        assert not t.match.over
        home = ["home g9", "home g8"][turn % 2]
        t.turn(home, home, "1@1 g1" if turn == 0 else f"{turn + 1}@1 g{1 + turn % 2}")
    assert (t.match.actor, t.scores, t.match.places) == (NOBODY, [0, 0, 15], [2, 2, 1])


def test_se_20_never_earlier_even_when_nothing_can_happen(table):
    t = last_secrets(table, turns=20).turn("1@2 g-", "1@3 g-", "1@1 g-")
    for _ in range(18):
        t.turn("- g-", "- g-", "- g-")
    assert t.match.over


def test_se_20_option_turns(table):
    t = table(3, turns=1, spies=1).turn("9@2 g1", "9@3 g1", "8@1 g1")
    assert t.match.over
    assert t.match.places == [1, 1, 3]


def test_se_20_equal_totals_share_the_win(table):
    t = table(3, turns=1, spies=1).turn("9@2 g1", "9@3 g1", "9@1 g1")
    assert t.match.places == [1, 1, 1]


def test_se_21_who_stole_is_told_with_what_was_stolen_in_the_hidden_game_too(table):
    t = table(3, spies=1, secrets=2, hidden="yes").allocate((5, 40), (6, 39), (7, 38))
    t.turn("B@3 gA", "B@1 gA", "A@1 gA")
    for seat in (0, 1, 2, -1):
        assert t.match.known_to(seat)[0].thief[:3, :2].tolist() == t.state.thief[:3, :2].tolist()
        assert t.match.known_to(seat)[0].thief[2, 1] == 1


def test_se_21_nobody_sees_the_orders_of_a_running_turn(table):
    t = table(3, spies=1).play("club steals 9 from 2", "guards 5", "club steals 9 from 3")
    assert not t.match.known_to(2)[0].order.any()
    assert t.match.known_to(1)[0].order[1, 0] == 1 + 10 * 2 + 8
    assert not t.match.known_to(1)[0].order[0].any()
    assert t.match.known_to(0)[0].order[0].tolist() == [1 + 10 + 8, 0, 0, 0, 5]


def test_every_option_of_the_game():
    made = find("secrets").options
    assert set(made) == {"hidden", "turns", "posts", "spies", "secrets", "reward", "policeman"}
    assert find("secrets").defaults(4) == {
        "hidden": "no",
        "turns": "5",
        "posts": "secret",
        "spies": "4",
        "secrets": "9",
        "reward": "10",
        "policeman": "moves",
    }
    assert made["posts"].values == ("secret", "open")
    assert find("secrets").chosen(3, {"posts": "secret"}) == {}
    assert find("secrets").chosen(3, {"hidden": "yes"}) == {"hidden": "yes"}
    assert find("secrets").chosen(3, {"hidden": "yes", "secrets": "9"})["secrets"] == "9"
