"""SE-21: where policemen stood in vain, their owners' knowledge or everybody's."""

import pytest

from yegg.engine import NotLegal
from yegg.engine.notation import body
from yegg.games.secrets import lore, odds, words

from .hiding import hidden, veiled


def test_se_21_a_post_where_nobody_came_stays_hidden_and_a_capture_is_public(table):
    t = table(3, spies=1).turn("9@2 g5", "9@3 g9", "8@1 g9")
    for seat in (0, 1, 2, -1):
        view = t.match.known_to(seat)[0]
        assert view.captor[0, 0] == 2  # seat 1's Club was captured by seat 2
        assert (view.captor[1, 0], view.thief[0, 7]) == (3, 3)
        assert view.stood[1] == 0  # he captured: he may stay, and everybody knows it
        assert view.stood[0] == (5 if seat == 0 else -1)


def test_se_21_with_open_posts_everybody_is_told_where_every_policeman_stood(table):
    t = table(3, spies=1, posts="open").turn("9@2 g5", "9@3 g9", "8@1 g1")
    for seat in (0, 1, 2, -1):
        stood = t.match.known_to(seat)[0].stood
        assert stood[:3].tolist() == [5, 0, 1]  # seat 2's policeman captured: he may stay
    t.play("guards 4")
    assert not t.match.known_to(1)[0].order.any(), "where he stands now is told after the turn"


def test_se_21_open_posts_change_nothing_else(table):
    """SE-6 binds the policeman as ever; scores and captures are the same."""
    tables = [table(3, spies=1, posts=posts) for posts in ("secret", "open")]
    for t in tables:
        t.turn("9@2 g5", "9@3 g9", "8@1 g1")
        with pytest.raises(NotLegal, match="SE-6: the policeman captured nobody at 5"):
            t.play("guards 5")
        t.turn("g4", "8@3 g9", "9@1 g2")
    assert tables[0].scores == tables[1].scores
    assert tables[0].state.captor.tolist() == tables[1].state.captor.tolist()


def test_se_21_open_posts_are_whole_in_everybodys_record_once_the_turn_is_carried_out(table):
    t = table(3, spies=1, posts="open").turn("9@2 g5", "9@3 g9", "8@1 g9")
    t.play("guards 7", "guards 9")
    for seat in (0, 1, 2, -1):
        lines = body(t.match, seat=seat)
        assert lines[:6:2] == ["1 club steals 9 from 2", "2 club steals 9 from 3", lines[4]]
        assert lines[1:6:2] == ["1 guards 5", "2 guards 9", "3 guards 9"]
    assert body(t.match, seat=2)[6:] == ["1 -", "2 -"]
    assert body(t.match, seat=-1)[6:] == ["1 -", "2 -"]
    assert body(t.match, seat=1)[6:] == ["1 -", "2 guards 9"]


def test_se_21_open_posts_open_no_allocation(table):
    t = hidden(table, spies=1, posts="open").turn("J@3 gA", "J@1 gA", "J@2 gA")
    lines = body(t.match, seat=1)
    assert lines[0] == "1 allocate A -"
    assert [line for line in lines if "guards" in line] == [f"{n} guards A" for n in (1, 2, 3)]
    assert t.match.known_to(1)[0].value[0, 0] == -1, "nobody came: he knows where, not what"


def test_se_21_guards_nothing_is_told_too_where_posts_are_open(table):
    for posts, shown in (("secret", "-"), ("open", "nothing")):
        t = table(3, spies=1, secrets=2, posts=posts).turn("2@2 g1", "2@3 g1", "2@1 g1")
        t.turn("1@2 g-", "1@3 g-", "1@1 g-")
        assert body(t.match, seat=0)[9] == f"2 guards {shown}"


def test_se_21_with_open_posts_every_policeman_who_must_move_is_known(table):
    """Six secrets where he may have stood: a matter of guessing, unless posts are open."""
    for posts, known in (("secret", -1), ("open", 7)):
        t = table(3, spies=2, posts=posts).turn("9@2 8@2 g5", "1@1 2@1 g7", "3@1 9@2 g7")
        assert [int(veiled(t.state, seat).stood[1]) for seat in (0, 2, -1)] == [known] * 3
        assert veiled(t.state, 1).stood[1] == 7


def test_se_21_open_posts_are_open_after_an_absence_too(table):
    t = table(3, spies=1, posts="open").turn("9@2 g5", "9@3 g1", "1@2 g5")
    t.turn("home g9", "8@3 g2", "g6")
    assert veiled(t.state, 1).stood[0] == 9


def test_se_21_open_orders_of_a_running_turn_stay_under_seal(table):
    t = table(3, spies=1, posts="open").turn("9@2 g5", "9@3 g1", "1@2 g6")
    one, two = t.match.fork(), t.match.fork()
    for match, post in ((one, "guards 6"), (two, "guards 4")):
        for text in ("club steals 1 from 3", post):
            match.follow([match.hear_recorded(text)])
    assert one.states.tobytes() != two.states.tobytes()
    for seat in (1, 2, -1):
        assert one.known_to(seat).tobytes() == two.known_to(seat).tobytes()


def test_se_21_open_posts_are_known_to_bots_and_odds(table):
    """A policeman who must move guards nothing there, by the mixture and by the odds."""
    for posts, sure in (("secret", False), ("open", True)):
        t = table(4, posts=posts, spies=1).turn("1@2 g5", "9@3 g5", "9@4 g5", "9@1 g5")
        view = t.match.known_to(1)[0]
        _, guard = lore.weigh(view, 1)
        assert (guard[0, 4] == 0) == sure
        assert (odds.guarded(view, 0, 4) == 0) == sure
        assert (odds.guarded(view, 0, 5) == 1 / 7) == sure
        assert guard[1, 4] == 0, "one's own policeman's post is known anyway"


def test_se_21_news_tell_open_posts_when_the_turn_is_carried_out(table):
    names = ["Ann", "Bill", "Cy"]
    heard = {}
    for posts in ("secret", "open"):
        t = table(3, spies=1, secrets=2, posts=posts).turn("2@2 g1", "1@1 g1", "2@1 g2")
        *before, last = [*t.lines(0, "1@2 g1"), *t.lines(1, "g-"), *t.lines(2, "1@1 g1")]
        t.play(*before)
        heard[posts] = words.news(t.state, t.match.hear(last), names, -1)
    said = "Policemen stood at Ann's secret 1 and Cy's secret 1."
    assert heard["open"] == [*heard["secret"], said, "Bill's policeman had nothing to guard."]
