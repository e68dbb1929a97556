"""Orders as people write them: what is understood, and every fault with its words and reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yegg.engine import Match
from yegg.games import find
from yegg.games.secrets.orders import read
from yegg.games.secrets.state import Choice

GAME = find("secrets")
NAMES = ["Ann", "Bill", "Charles", "Derek", "Eric"]
EXAMPLE = (
    "Club steals secret 2 from Bill, Diamond steals secret 9 from Charles, Heart steals secret 9 "
    "from Derek, and Spade steals Eric 8. Policeman guards secret 7."
)
MEANT = ["2 from Bill", "9 from Charles", "9 from Derek", "8 from Eric", "guards 7"]


def match_of(names, **options):
    return Match(GAME, len(names), options, names=names, how="plain")


FRESH = match_of(NAMES)


def understood(text, seat=0, match=FRESH):
    """The orders as short texts; the faults must be none."""
    found = read(text, match.known_to(seat)[0], seat, match.names)
    assert found.faults == []
    return [in_words(choice, match) for choice in found.choices]


def in_words(choice, match):
    name = GAME.words.secret_name
    if choice < Choice.IDLE:
        return f"{name(match.state, choice % 10)} from {match.names[choice // 10]}"
    if Choice.GUARD <= choice < Choice.GUARD_NOTHING:
        return f"guards {name(match.state, choice - Choice.GUARD)}"
    return Choice(choice).name


def faults(text, seat=0, match=FRESH):
    found = read(text, match.known_to(seat)[0], seat, match.names)
    assert found.choices == []
    assert found.faults
    return found.faults


def only_fault(text, seat=0, match=FRESH):
    found = faults(text, seat, match)
    assert len(found) == 1, found
    return found[0]


def with_club(order):
    """A full set in which the Club's order is the one in question."""
    return EXAMPLE.replace("Club steals secret 2 from Bill", order)


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        EXAMPLE.upper(),
        EXAMPLE.lower(),
        EXAMPLE.replace(", ", "\n").replace(". ", "\n"),
        "C Bill 2, D Char 9, H Der 9, S Eric 8, P 7",
        "c: b 2\nd: c 9\nh: d 9\ns: e 8\np: 7",
        "♣ Bill 2\n♦ Charles 9\n♥ Derek 9\n♠ Eric 8\nguards 7",
        "Club 2 Bill Diamond 9 Charles Heart 9 Derek Spade 8 Eric Policeman 7",
        (
            "Policeman guards secret 7. Spade steals Eric 8, Heart Derek 9, Club Bill 2, "
            "Diamond Charles 9"
        ),
        (
            "Steal Bill 2 with Club, Charles 9 with Diamond, Derek 9 with Heart, Eric 8 with "
            "Spade.\nI guard 7."
        ),
        (
            "- Club: Bill's secret 2\n- Diamond: Charles's secret 9\n- Heart: Derek #9\n"
            "- Spade: Eric no. 8\n- Police: 7"
        ),
        (
            "1. Club to Bill 2\n2) Diamond to Charles 9\n3. Heart to Derek 9\n4. Spade to Eric 8\n"
            "5. Cop on 7"
        ),
        (
            "Club steals secret\n2 from Bill, Diamond\nsteals secret 9 from Charles, Heart steals\n"
            "secret 9 from\nDerek, and Spade steals Eric\n8. Policeman guards\nsecret 7."
        ),
        (
            "The clubs go to Bill for secret two, the diamonds to Charles for secret nine, hearts "
            "want Derek's secret nine, spades want Eric's secret eight; my policeman protects "
            "secret seven."
        ),
    ],
)
def test_the_published_example_however_it_is_written(text):
    assert understood(text) == MEANT


def test_a_mail_full_of_other_text():
    mail = f"""Hello Bill, hello all,

what a turn 1 that was! On 12 May I lost 3 games. With all my heart I hope this
arrives in time. My orders for turn 2:

{EXAMPLE}

Bill's Club was lucky, I think. See you on turn 3!
Best wishes, Ann
--
Sent from my phone 17
> Club steals secret 3 from Eric
"""
    assert understood(mail) == MEANT


def test_a_quoted_report_is_not_read():
    assert understood(f"> Club steals secret 1 from Bill\n{EXAMPLE}") == MEANT
    assert "quoted" in only_fault("> " + EXAMPLE)


def test_talk_about_the_others_is_no_order():
    assert (
        understood(EXAMPLE + " I bet Bill guards 2. Eric's Spade steals 4 from Charles.") == MEANT
    )


# --- names


def test_names_with_accents_spaces_and_the_same_beginning():
    match = match_of(["Zoë", "Anna Maria", "Anna Lena", "Bill", "Bill Smith"])
    text = "Club Anna M 1, Diamond Anna Lena 2, Heart Bill 3, Spade Bill Smith 4, police 5"
    assert understood(text, 0, match) == [
        "1 from Anna Maria", "2 from Anna Lena", "3 from Bill", "4 from Bill Smith", "guards 5",
    ]  # fmt: skip
    text = "Club zoe 1, Diamond ZOË 2, Heart Zo 3, Spade Lena 4, police 5"
    assert understood(text, 1, match)[:4] == [
        "1 from Zoë", "2 from Zoë", "3 from Zoë", "4 from Anna Lena",
    ]  # fmt: skip
    text = "Club Anna 1, Diamond Zoe 2, Heart Zoe 3, Spade Zoe 4, police 5"
    assert only_fault(text, 3, match).endswith("“Anna” could be Anna Maria or Anna Lena")


@pytest.mark.parametrize("name", ["St. John", "M. C. Ann-Lee", "J.R.", "Will & Co."])
def test_a_dot_within_a_name_ends_no_order(name):
    match = match_of(["Ann", name, "Charles"])
    text = f"Club steals 2 from {name}, Diamond takes {name} 9. Heart Charles 3. Spade {name} 4."
    assert understood(f"{text} Guard 7.", 0, match) == [
        f"2 from {name}", f"9 from {name}", "3 from Charles", f"4 from {name}", "guards 7",
    ]  # fmt: skip
    text = "Club 2 from St. Diamond 9 from Bill. Heart Derek 9, Spade Eric 8. P 7"
    assert "“Club 2 from St”" in faults(text)[0], "elsewhere a dot ends it"


def test_names_that_are_english_words_count_only_as_they_are_written():
    match = match_of(["Ann", "Will", "May"])
    text = "Club will steal May 1, Diamond May 2, Heart steals 3 from Will, S Will 4. P 5"
    assert understood(text, 0, match)[:4] == [
        "1 from May",
        "2 from May",
        "3 from Will",
        "4 from Will",
    ]


def test_an_unknown_player_is_named_with_the_nearest():
    said = only_fault(with_club("Club steals secret 2 from Bil1y"))
    assert "Bil" in said
    said = only_fault(with_club("Club steals secret 2 from Charels"))
    assert "no player “Charels”: the others are Bill, Charles, Derek and Eric" in said
    assert "did you mean Charles?" in said


# --- each fault


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("Club steals secret 2 from Ann", "not to your own (SE-3)"),
        ("Club steals my secret 2", "no player is named"),
        ("Club steals secret 12 from Bill", "there is no secret 12; they are 1 to 9 (SE-1)"),
        ("Club steals secret 0 from Bill", "there is no secret 0"),
        ("Club steals secret 99999999999999999999 from Bill", "there is no secret"),
        ("Club goes to Bill", "which secret of Bill's? They are 1 to 9"),
        ("Club steals secret 2 or 3 from Bill", "“or” leaves it open"),
        ("Club steals secret 2, 3 from Bill", "more than one secret: 2 and 3"),
        ("Club steals secret 2 from Bill or Eric", "“or” leaves it open"),
        ("Club steals secret 2 from Bill/Eric", "more than one player: Bill and Eric"),
        ("Club does not steal secret 2 from Bill", "“not” leaves it open"),
        ("Club doesn't steal secret 2 from Bill", "leaves it open"),
        ("If Eric is away Club steals secret 2 from Bill", "“If” leaves it open"),
        ("Club idles", "nobody idles while there is something to do (SE-4)"),
        ("Club stays home", "nobody idles while there is something to do (SE-4)"),
        ("Club to nowhere in particular", "nobody idles"),
        ("Club steals secret 2.5 from Bill", "which secret of Bill's?"),
    ],
)
def test_each_fault_of_a_spys_order(order, reason):
    said = only_fault(with_club(order))
    assert reason in said
    assert "lub" in said  # the words are named


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("Policeman guards secret 12", "there is no secret 12"),
        ("Policeman guards Bill 7", "your own secrets only (SE-4)"),
        ("Policeman guards 7 and 8", "more than one secret: 7 and 8"),
        ("Policeman guards nothing", "nobody idles"),
        ("Policeman sleeps", "Policeman has no order"),
        ("", "Policeman has no order"),
    ],
)
def test_each_fault_of_the_policemans_order(order, reason):
    assert reason in only_fault(EXAMPLE.replace("Policeman guards secret 7", order))


def test_a_spy_ordered_twice_and_one_without_an_order():
    said = faults(EXAMPLE.replace("Heart", "Club"))
    assert said == [
        (
            "Club is ordered more than once: “Club steals secret 2 from Bill” and "
            "“Club steals secret 9 from Derek”"
        ),
        "Heart has no order",
    ]
    assert "more than once" in only_fault(EXAMPLE + " Policeman guards 8.")


def test_all_faults_at_once():
    said = faults(
        "Club steals 12 from Zed, Diamond steals 3 from Ann; Heart Bill 2 3. Cop guards 10"
    )
    assert len(said) == 6
    assert "no player “Zed”" in said[0]
    assert "no secret 12" in said[1]
    assert "(SE-3)" in said[2]
    assert "2 and 3" in said[3]
    assert "no secret 10" in said[4]
    assert said[5] == "Spade has no order"


@pytest.mark.parametrize("text", ["", "   \n", "Hello there!", "Club", "7", "😀", "Bill 7"])
def test_no_orders_at_all(text):
    assert faults(text)


# --- orders that depend on the position


def test_captured_spies_stolen_secrets_and_a_policeman_who_must_move(table):
    t = table(3, spies=2)
    t.match.names[:] = ["Ann", "Bill", "Cy"]
    t.turn("9@2 8@2 g5", "9@3 1@3 g9", "1@1 1@2 g9")
    said = faults("Club Bill 1, Diamond Bill 8, Heart Cy 1, police 5", 0, t.match)
    assert said == [
        "“Club Bill 1”: Club was captured by Bill's policeman and is gone for good (SE-10)",
        "“Diamond Bill 8”: Bill's secret 8 is gone: Ann has it (SE-5)",
        "“Heart Cy 1”: nobody has a Heart in this game (SE-1)",
        "“police 5”: the policeman captured nobody at 5 and must move (SE-6)",
    ]
    assert understood("Diamond Bill 7. Police 6", 0, t.match) == ["7 from Bill", "guards 6"]
    assert "is stolen" in only_fault("Diamond Bill 7. Police 1", 0, t.match)


def test_who_can_do_nothing_needs_no_orders(table):
    t = table(3, spies=1, secrets=2)
    t.match.names[:] = ["Ann", "Bill", "Cy"]
    t.turn("2@2 g1", "2@3 g1", "2@1 g1")
    assert understood("Club to Bill 1", 0, t.match) == ["1 from Bill", "GUARD_NOTHING"]
    t.turn("1@2 g-", "1@3 g-", "1@1 g-")
    assert understood("Club idles, policeman guards nothing", 0, t.match) == [
        "IDLE", "GUARD_NOTHING",
    ]  # fmt: skip
    assert "is gone" in faults("Club steals Bill 1", 0, t.match)[0]


# --- the hidden game


HIDDEN = match_of(NAMES, hidden="yes")
STARTED = match_of(NAMES, hidden="yes")
for _ in NAMES:
    for points in (0, 0, 0, 0, 0, 9, 9, 9, 9, 9):
        STARTED.follow([Choice.ALLOCATE + points])


@pytest.mark.parametrize(
    "text",
    [
        ("Club steals A from Bill, Diamond steals secret B from Charles, Heart Derek C, "
        "Spade Eric's I. Police D"),
        ("club steals a from bill, diamond steals secret b from charles, heart derek c, "
        "spade eric i. police at D"),
        "C: Bill A\nD: Charles B\nH: Derek C\nS: Eric I\nP: D",
        ("I send Club to Bill A, and a second spy, Diamond, to Charles B. Heart: Derek C; "
        "Spade: Eric I. I guard D."),
    ],
)  # fmt: skip
def test_lettered_secrets(text):
    meant = ["A from Bill", "B from Charles", "C from Derek", "I from Eric", "guards D"]
    assert understood(text, 0, STARTED) == meant


def test_numbers_in_the_hidden_game_and_letters_beyond():
    said = faults("Club Bill 2, Diamond Bill J, Heart Bill K, Spade Eric A, police B", 0, STARTED)
    assert "secrets have letters in this game: A to J (SE-30)" in said[0]
    assert "which secret of Bill's? They are A to J" in said[1]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("(0, 0, 0, 0, 0, 9, 9, 9, 9, 9 )", [0] * 5 + [9] * 5),
        ("(4, 4, 4, 4, 4, 5, 5, 5, 5, 5)", [4] * 5 + [5] * 5),
        ("Hi, mine are 0 0 0 0 0 9 9 9 9 9 please", [0] * 5 + [9] * 5),
        ("A 9, B 0, C 4, D 5, E 9, F 9, G 9, H 0, I 0, J 0", [9, 0, 4, 5, 9, 9, 9, 0, 0, 0]),
        ("a: 9\nb: 0\nc = 36", [9, 0, 36] + [0] * 7),
        ("J 45", [0] * 9 + [45]),
        ("9 points on A and 36 on C", [9, 0, 36] + [0] * 7),
    ],
)
def test_se_30_points_as_people_write_them(text, points):
    found = read(text, HIDDEN.known_to(0)[0], 0, NAMES)
    assert found.faults == []
    assert [choice - Choice.ALLOCATE for choice in found.choices] == points


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A 9, B 9", "they are 18 points together, not 45 (SE-30)"),
        ("(0, 0, 0, 0, 0, 9, 9, 9, 9, 10)", "46 points together"),
        ("9, 9, 9, 9, 9", "5 numbers, but there are 10 secrets, A to J (SE-30)"),
        ("A 9, A 36", "“A 36”: A has its points already"),
        ("K 45", "“K 45”: secrets are A to J"),
        ("A 50, B -5", "whole numbers of zero or more"),
        ("A 22.5, B 22.5", "whole numbers of zero or more"),
        ("Evenly, please", "no points are found"),
        ("A 99999999999999999999999", "whole numbers"),
    ],
)
def test_se_30_each_fault_of_an_allocation(text, reason):
    found = read(text, HIDDEN.known_to(0)[0], 0, NAMES)
    assert found.choices == []
    assert reason in " ".join(found.faults)


def test_option_secrets_makes_fewer_letters():
    match = match_of(["Ann", "Bill", "Cy"], hidden="yes", secrets="3")
    found = read("40, 5, 0", match.known_to(1)[0], 1, match.names)
    assert [choice - Choice.ALLOCATE for choice in found.choices] == [40, 5, 0]


# --- one order at the prompt


def test_one_order_for_the_piece_whose_turn_it_is():
    match = match_of(["Ann", "Bill", "Cy"], spies="2")
    meant = GAME.words.meant
    steal = 10 + 1
    for typed in ("Bill 2", "club steals secret 2 from bill", "b 2", "♣ -> Bill's 2"):
        assert meant(match.state, typed, match.names) == steal
    for typed in (
        "Diamond Bill 2",
        "Bill",
        "2",
        "Bill 2 3",
        "not Bill 2",
        "Cy or Bill 2",
        "guard 2",
    ):
        assert meant(match.state, typed, match.names) is None
    match.follow([steal, steal])
    assert meant(match.state, "I guard 7", match.names) == Choice.GUARD + 6
    assert meant(match.state, "police at 7", match.names) == Choice.GUARD + 6
    assert meant(match.state, "Bill 7", match.names) is None


# --- whatever comes in the mail

VOCABULARY = """club diamond heart spade police guards Ann Bill Charles Zed 2 9 12 from to
secret not and , . ; > -- A I steals ♣ 's #3 turn idles"""
WORDS = st.sampled_from([*VOCABULARY.split(), "\n"])


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=60).map(" ".join)))
def test_any_text_gets_a_full_legal_set_or_its_faults(text):
    for match in (FRESH, STARTED, HIDDEN):
        found = read(text, match.known_to(0)[0], 0, NAMES)
        assert bool(found.choices) != bool(found.faults)
        if found.choices:
            again = match.again()
            again.follow([*match.history, *found.choices])
