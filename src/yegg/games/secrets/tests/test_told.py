"""SE-31 … SE-33: who is told what a hidden secret is worth."""

from yegg.engine import notation, secrecy
from yegg.engine.notation import body
from yegg.games import find
from yegg.games.secrets import rules, words
from yegg.games.secrets.state import EVERYBODY

from .hiding import hidden


def test_se_31_only_thief_and_owner_know_the_value(table):
    t = hidden(table, spies=1)
    t.turn("J@3 gA", "J@1 gA", "J@2 gA")  # 9, 9 and 5 points
    assert t.scores == [9, 9, 5]
    values = [
        [int(t.match.known_to(seat)[0].value[owner, 9]) for owner in range(3)] for seat in range(3)
    ]
    assert values == [[9, -1, 9], [9, 5, -1], [-1, 5, 9]]
    assert [rules.score(t.match.known_to(0)[0], seat) for seat in range(3)] == [9, 9, 0]
    assert [rules.score(t.match.known_to(-1)[0], seat) for seat in range(3)] == [0, 0, 0]


def test_se_32_those_who_met_are_told_others_are_not(table):
    t = hidden(table, players=4, spies=1).turn("J@4 gA", "J@1 gA", "J@1 gA", "A@3 gA")
    told = int(t.state.told[0, 9])
    assert told == 0b0110
    assert (t.match.known_to(1)[0].value[0, 9], t.match.known_to(3)[0].value[0, 9]) == (9, -1)


def test_se_32_a_player_whose_own_spies_met_and_nobody_elses_is_told_nothing(table):
    t = hidden(table, spies=2).turn("J@2 J@2 gA", "A@1 B@1 gA", "A@2 C@1 gB")
    assert (t.thief(2, 10), t.state.told[1, 9]) == (0, 0)
    assert [int(t.match.known_to(seat)[0].value[1, 9]) for seat in (0, 2, -1)] == [-1, -1, -1]
    assert "2 allocate J -" in body(t.match, seat=0)


def test_se_32_own_spies_beside_those_of_another_player_bring_home_the_value(table):
    t = hidden(table, players=4, spies=2)
    t.turn("J@2 J@2 gA", "A@1 B@1 gA", "J@2 C@1 gB", "D@1 E@1 gB")
    assert t.state.told[1, 9] == 0b101
    known = [int(t.match.known_to(seat)[0].value[1, 9]) for seat in (0, 2, 3, -1)]
    assert known == [5, 5, -1, -1]
    assert "2 allocate J 5" in body(t.match, seat=0)
    assert "2 allocate J -" in body(t.match, seat=-1)


def test_se_32_what_was_told_before_stays_known_when_own_spies_meet(table):
    t = hidden(table, spies=2).turn("J@2 B@2 gA", "A@3 B@3 gA", "J@2 C@1 gC")
    assert t.state.told[1, 9] == 0b101
    t.turn("J@2 J@2 gB", "D@1 E@1 gC", "C@2 F@1 gD")
    assert t.match.known_to(0)[0].value[1, 9] == 5


def test_se_32_what_all_players_know_each_by_themselves_is_not_told_to_those_who_watch(table):
    t = hidden(table, spies=1)
    t.turn("J@2 gA", "J@1 gA", "J@1 gA")  # 2 and 3 meet at 1's J: then all three know it
    assert [int(t.match.known_to(seat)[0].value[0, 9]) for seat in (0, 1, 2, -1)] == [9, 9, 9, -1]
    assert "1 allocate J -" in body(t.match, seat=-1)
    t.turn("A@2 gJ", "J@1 gB", "A@1 gB")  # SE-33: 1 captures 2's spy there
    assert int(t.match.known_to(-1)[0].value[0, 9]) == 9
    assert "1 allocate J 9" in body(t.match, seat=-1)


def test_whoever_is_not_told_something_reads_where_it_would_stand(table):
    t = hidden(table, spies=1)
    t.turn("J@3 gA", "J@1 gA", "J@2 gA")  # 9, 9 and 5 points
    names = ["Ann", "Bill", "Cass"]
    told = secrecy.Teller(t.match).hear(t.match, 1, None, lambda _: names)
    said = [line for one in told for line in (one.prose, *one.news)]
    assert "Ann puts points on secret A; how many is not told." in said
    assert "Ann puts 9 points on secret J." in said
    assert "Ann's policeman guards a secret; which one is not told." in said
    assert "Cass' policeman guards a secret; which one is not told." in said
    assert "Ann's Club steals Cass' secret J; how many points it brings is not told." in said
    assert "Bill's Club steals Ann's secret J: 9 points." in said
    assert not [line for line in said if "hidden" in line or line.endswith("-.")]


def test_se_32_in_a_golden_record_own_spies_alone_read_no_value():
    """In its first turn 3's Heart and Spade meet at D of 2, and 1's Club and Spade at G of 4."""
    game = find("secrets")
    whole = notation.read_file(game.folder / "records/hidden.game", find, how="plain")
    match = whole.again()
    while match.state.turn < 2:
        match.follow([whole.history[len(match.history)]])
    for owner, letter, thief in ((2, "D", 3), (4, "G", 1)):
        lines = body(match, seat=thief - 1)
        assert f"{owner} allocate {letter} -" in lines
        sent = [x for x in lines if x.startswith(str(thief)) and f"{letter} from {owner}" in x]
        assert len(sent) == 2


def test_se_32_nobody_reads_of_a_value_that_own_spies_did_not_learn(table):
    names = ["Ann", "Bill", "Cy"]
    for third, told in (("A@2 C@1", []), ("J@2 C@1", [0, 2])):
        t = hidden(table, spies=2)
        t.play(*t.lines(0, "J@2 J@2 gA"), *t.lines(1, "A@1 B@1 gA"))
        *before, last = t.lines(2, f"{third} gB")
        t.play(*before)
        choice = t.match.hear(last)
        heard = {
            seat: [line for line in words.news(t.state, choice, names, seat) if "secret J" in line]
            for seat in (-1, 0, 1, 2)
        }
        assert [seat for seat in (-1, 0, 2) if "worth" in heard[seat][0]] == told
        assert "worth 5 points" in heard[1][0], "the owner wrote it"


def test_se_33_own_spies_who_are_captured_together_make_it_public(table):
    t = hidden(table, spies=2).turn("J@2 J@2 gA", "A@1 B@1 gJ", "A@2 C@1 gB")
    assert (t.state.told[1, 9], t.match.known_to(2)[0].value[1, 9]) == (EVERYBODY, 5)


def test_se_33_a_capture_makes_the_value_public(table):
    t = hidden(table, players=4, spies=1).turn("J@2 gA", "A@3 gJ", "A@4 gB", "B@1 gB")
    assert t.state.told[1, 9] == EVERYBODY
    assert all(t.match.known_to(seat)[0].value[1, 9] == 5 for seat in (0, 2, 3, -1))


def test_se_33_captured_in_company_makes_it_public_too(table):
    t = hidden(table, players=4, spies=1).turn("J@2 gA", "A@3 gJ", "J@2 gB", "J@2 gB")
    assert t.match.known_to(-1)[0].value[1, 9] == 5
    assert t.scores == [0, 30, 0, 0]  # seat 3's A, worth nothing, was stolen
