"""SE-30 … SE-34 by example, and that what is hidden stays hidden."""

import random

import numpy as np
import pytest

from yegg.engine import CHANCE, Match, NotLegal
from yegg.engine.notation import body
from yegg.engine.secrecy import Teller
from yegg.games import find
from yegg.games.secrets import rules, words

from .hiding import EVEN, PUBLISHED, STEEP, hidden, veiled

# --- the clauses


def test_se_30_ten_lettered_secrets_and_exactly_45_points(table):
    t = hidden(table)
    assert t.state.value[:3].tolist() == [list(PUBLISHED), list(EVEN), list(STEEP)]
    assert "club steals J from 2" in t.texts
    assert len(t.texts) == 20


def test_se_30_any_part_of_what_is_left_and_the_last_secret_gets_the_rest(table):
    t = table(3, hidden="yes")
    assert t.texts == {f"allocate A {n}" for n in range(46)}
    t.play("allocate A 9", "allocate B 0")
    assert t.texts == {f"allocate C {n}" for n in range(37)}
    with pytest.raises(NotLegal, match="SE-30: 37 points, but only 36"):
        t.play("allocate C 37")
    with pytest.raises(NotLegal, match="SE-30: the next points are for C"):
        t.play("allocate D 1")
    t.play("allocate C 36", *(f"allocate {letter} 0" for letter in "DEFGHI"))
    assert t.texts == {"allocate J 0"}


def test_se_30_the_last_is_what_remains_but_is_still_written(table):
    t = table(3, hidden="yes", secrets=2).play("allocate A 5")
    assert t.texts == {"allocate B 40"}
    with pytest.raises(NotLegal, match="SE-30: the last secret gets all of the 40"):
        t.play("allocate B 39")


def test_se_30_first_all_of_seat_1_then_of_seat_2_and_no_orders_before(table):
    t = table(3, hidden="yes", secrets=2)
    with pytest.raises(NotLegal, match="SE-30"):
        t.play("club steals A from 2")
    t.allocate((5, 40))
    assert t.match.actor == 1
    t.allocate((6, 39), (7, 38))
    assert (t.match.actor, t.state.turn) == (0, 1)
    with pytest.raises(NotLegal, match="SE-30: points are spread before"):
        t.play("allocate A 4")


def test_se_30_no_points_to_spread_when_nothing_is_hidden(table):
    with pytest.raises(NotLegal, match="SE-30"):
        table(3).play("allocate A 4")


def test_se_34_at_the_end_everything_is_shown(table):
    t = hidden(table, spies=1, turns=1).turn("J@3 gA", "J@1 gA", "J@2 gA")
    assert t.match.over
    for seat in (0, 1, 2, -1):
        assert t.match.known_to(seat).tobytes() == t.match.states.tobytes()
    assert t.match.known_to(1)[0].value[0].tolist() == list(PUBLISHED)
    assert "3 guards A" in body(t.match, seat=0)


def test_se_15_in_the_hidden_game_the_owners_highest_of_equals_the_first(table):
    t = hidden(table, spies=1)
    t.play("club stays home")
    with pytest.raises(NotLegal):
        t.play("guards G")
    t.play("guards F")  # 0 0 0 0 0 9 9 9 9 9
    t.play("club stays home", "guards F", "club stays home", "guards J")
    t.play("club stays home", "guards G")  # F was guarded in vain


# --- the record as a seat sees it


def test_a_running_turn_is_dashes_and_posts_without_a_capture_stay_hidden(table):
    t = table(3, spies=1).turn("9@2 g5", "9@3 g9", "8@1 g9")
    t.play("guards 7", "guards 9")  # neither has a spy left; seat 3 has yet to order
    assert body(t.match, seat=2) == [
        "1 club steals 9 from 2",
        "1 guards -",
        "2 club steals 9 from 3",
        "2 guards 9",
        "3 club steals 8 from 1",
        "3 guards 9",
        "1 -",
        "2 -",
    ]
    assert body(t.match, seat=0)[1] == "1 guards 5"
    assert body(t.match, seat=-1)[6:] == ["1 -", "2 -"]


def test_stays_home_is_whole_but_the_post_is_not(table):
    t = table(3, spies=1).turn("home g9", "9@3 g1", "1@2 g1")
    assert body(t.match, seat=1)[:2] == ["1 club stays home", "1 guards -"]


def test_allocations_are_hidden_until_learnt(table):
    t = hidden(table, spies=1).turn("J@3 gA", "J@1 gA", "J@2 gA")
    lines = body(t.match, seat=1)
    assert lines[0:10] == [*(f"1 allocate {letter} -" for letter in "ABCDEFGHI"), "1 allocate J 9"]
    assert (lines[10], lines[29]) == ("2 allocate A 4", "3 allocate J -")
    assert body(t.match, seat=-1)[9] == "1 allocate J -"


def test_legal_lines_only_before_own_events_and_never_stays_home(table):
    t = table(3, spies=1).turn("home g9", "9@3 g1", "1@2 g1")
    whole = body(t.match, legal=True)
    assert whole[:3] == ["1 club stays home", "1 guards 9", whole[2]]
    assert whole[2].startswith("? club steals 1 from 1 | ")
    assert not any("home" in line for line in whole if line.startswith("?"))
    seat = body(t.match, legal=True, seat=1)
    assert [i for i, line in enumerate(seat) if line.startswith("?")] == [2, 4]


# --- views


def deal_out(view, rng, owners=6):
    """Chance remembers what is unknown (of the first owners); nothing else happens."""
    out = np.zeros(rules.CHOICES, np.int32)
    events = 0
    while rules.actor(view) == CHANCE and view.owed[:owners].any() | (view.stood < 0).any():
        k = rules.legal(view, out)
        assert len({words.say(view, int(c)) for c in out[:k]}) == k
        rules.play(view, rng.choice(out[:k].tolist()))
        events += 1
        assert events < 6 * 50
    return view


OPTIONS = [
    {},
    {"secrets": "2", "spies": "2"},
    {"hidden": "yes"},
    {"hidden": "yes", "secrets": "3", "turns": "4"},
    {"posts": "open"},
    {"posts": "open", "hidden": "yes", "secrets": "3"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [3, pytest.param(6, marks=pytest.mark.wide)])
def test_views_along_random_games(play_random, players, options):
    """Hidden twice is once; filled and hidden again is the same; own choices stay the same."""
    match = play_random(players, 11, options, absent=0.1)
    rng = random.Random(3)
    out, again = np.zeros(rules.CHOICES, np.int32), np.zeros(rules.CHOICES, np.int32)
    states = Teller(match).past.states
    for s in rng.sample(states, 5):
        assert rules.actor(s) != CHANCE
        for seat in {max(0, rules.actor(s)), rng.randrange(players)}:
            view = veiled(s, seat)
            assert veiled(view, seat).tobytes() == view.tobytes()
            filled = deal_out(view.copy(), rng)
            other = deal_out(view.copy(), rng)
            assert veiled(filled, seat).tobytes() == view.tobytes() == veiled(other, seat).tobytes()
            if rules.actor(s) == seat:
                k = rules.legal(s, out)
                filled.given[:] = other.given[:] = s.given  # the others' sheets are complete
                for sheet in (filled, other):
                    assert rules.legal(sheet, again) == k
                    assert again[:k].tolist() == out[:k].tolist()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_view_plays_to_its_end(play_random, options):
    match = play_random(4, 5, options, absent=0.1)
    rng = random.Random(8)
    out = np.zeros(rules.CHOICES, np.int32)
    states = Teller(match).past.states
    for s in rng.sample(states[:-1], 4):
        view = veiled(s, rng.randrange(4))
        events = 0
        while rules.actor(view) != -2:
            k = rules.legal(view, out)
            rules.play(view, int(rng.choice(out[:k])))
            events += 1
            assert events < 1000
        assert view.turn == view.turns + 1
        if view.hidden:
            assert (view.value[:4].sum(axis=1) == 45).all()


def test_what_a_seat_cannot_tell_apart_becomes_the_same_bytes(table):
    """Other posts where nobody came, other points nobody was told, other orders under the seal."""
    one, two = hidden(table, spies=1), table(3, hidden="yes", spies=1)
    two.allocate((9, 0, 0, 0, 9, 0, 9, 0, 9, 9), EVEN, STEEP)
    for t, post in ((one, "gB"), (two, "gC")):
        t.turn(f"J@3 {post}", "J@1 gA", "J@2 gA")
        t.play(*t.lines(0, "I@2 gD" if t is one else "H@3 gE"))
    assert one.match.states.tobytes() != two.match.states.tobytes()
    for seat in (1, 2, -1):
        assert one.match.known_to(seat).tobytes() == two.match.known_to(seat).tobytes()
    assert one.match.known_to(0).tobytes() != two.match.known_to(0).tobytes()


def test_no_secret_in_the_bytes_of_a_view(table):
    """45 ways to spread the points of seats 1 and 2 leave the same view to seat 3 and to nobody."""
    views = set()
    for n in range(0, 46, 5):
        t = table(3, hidden="yes", secrets=2).allocate((n, 45 - n), (45 - n, n), (1, 44))
        views.add((t.match.known_to(2).tobytes(), t.match.known_to(-1).tobytes()))
    assert len(views) == 1


@pytest.mark.wide
def test_allocations_agree_with_what_was_told_and_all_are_equally_likely(table):
    """Two spies met at a secret of 40 points: six ways for the five points of the other two."""
    t = table(3, hidden="yes", secrets=3, spies=1).allocate((40, 2, 3), (45, 0, 0), (45, 0, 0))
    t.turn("A@2 gC", "A@1 gB", "A@1 gB")  # seats 2 and 3 met at A and know: 2 points
    rng = random.Random(1)
    seen = np.zeros(6, int)
    for _ in range(600):
        view = deal_out(veiled(t.state, 2), rng, owners=1)
        assert (view.value[0, 0], view.value[0].sum()) == (40, 45)
        seen[view.value[0, 1]] += 1
    assert seen.min() > 65  # 100 each; less than 65 comes once in 10,000 tries
    assert seen.max() < 140


def test_all_points_told_leaves_no_point_to_chance(table):
    t = table(4, hidden="yes", secrets=3, spies=1)
    t.allocate((45, 0, 0), (45, 0, 0), (45, 0, 0), (45, 0, 0))
    t.turn("A@4 gC", "A@1 gB", "A@1 gB", "B@2 gC")
    view = veiled(t.state, 1)
    assert view.value[0].tolist()[:3] == [45, -1, -1]
    view = deal_out(view, random.Random(0))
    assert view.value[0].tolist()[:3] == [45, 0, 0]
    stranger = t.match.known_to(-1)[0]
    assert stranger.value[0].tolist()[:3] == [-1, -1, -1]


def test_where_a_policeman_stood_is_recalled_only_where_he_may_have_stood(table):
    t = table(3, spies=2).turn("9@2 8@2 g5", "1@1 2@1 g7", "3@1 9@2 g7")
    posts = set()
    rng = random.Random(0)
    for _ in range(200):
        view = deal_out(veiled(t.state, 1), rng)
        posts.add(int(view.stood[0]))
        assert view.stood[1] == 7
    assert posts == {4, 5, 6, 7, 8, 9}  # no spy came there; 1, 2, 3 were visited


def test_what_logic_leaves_is_known(table):
    """Two secrets: where a policeman was not visited and could stand only once is no secret."""
    t = table(3, spies=1, secrets=2)
    t.turn("1@2 g2", "1@1 g2", "1@1 g2")  # spies came to 1 of seats 1 and 2: there they stood not
    assert veiled(t.state, 2).stood[0] == 2
    assert veiled(t.state, 0).stood[2] == -1  # nobody came to seat 3


def test_the_standing_order_is_known_to_all_in_the_open_game(table):
    t = table(3, spies=1).turn("home g9", "8@3 g1", "1@2 g5")
    assert t.caught(2, 0)
    for seat in (1, 2):
        assert veiled(t.state, seat).stood[0] == 9
    t.turn("7@2 g4", "9@3 g2", "g4")
    assert veiled(t.state, 1).stood[0] == -1


def test_the_standing_order_leaves_a_doubt_where_the_post_before_was_secret(table):
    t = table(3, spies=1).turn("9@2 g5", "9@3 g1", "1@2 g5")
    t.turn("home g9", "8@3 g2", "g6")  # 9 for all that others know, or 8 had he stood at 9
    assert veiled(t.state, 1).stood[0] == -1
    assert t.state.rumour[0] == 1 << 8 | 1 << 7


def test_nothing_is_kept_that_no_rule_reads(play_random):
    """At the end neither orders, posts nor what was told distinguish equal results."""
    for options in OPTIONS:
        s = play_random(3, 2, options).state
        for name in ("order", "given", "stood", "rumour", "told", "owed"):
            assert not s[name].any(), name


def test_a_real_game_never_offers_chance(play_random):
    for seed in range(3):
        match = play_random(3, seed, {"hidden": "yes"})
        assert CHANCE not in match.actors


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_invariants_of_random_games(play_random, options):
    """Points are conserved: every score is stolen values plus ten a captured spy."""
    for seed in range(4):
        match = play_random(5, seed, options, absent=0.05)
        s = match.state
        stolen = int(s.value[s.thief > 0].sum())
        assert sum(match.scores) == stolen + 10 * int((s.captor > 0).sum())
        assert (s.thief[np.arange(6), :] != np.arange(1, 7)[:, None]).all()  # nobody robs himself
        assert s.turn == s.turns + 1


def test_the_compiled_twin_agrees_in_views_too(play_random):
    plain = play_random(4, 9, {"hidden": "yes"}, absent=0.1)
    fast = Match(find("secrets"), 4, {"hidden": "yes"})
    slow = Match(find("secrets"), 4, {"hidden": "yes"}, how="plain")
    for i, choice in enumerate(plain.history):
        fast.follow([choice])
        slow.follow([choice])
        assert fast.states.tobytes() == slow.states.tobytes()
        for seat in [i % 4, -1]:
            assert fast.known_to(seat).tobytes() == slow.known_to(seat).tobytes()
