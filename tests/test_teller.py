"""What the teller says, event by event: to whom, how much of it, and again after an undo."""

import random

import pytest
from programs import lay

from yegg import games
from yegg.engine import CHANCE, Game, Match, notation
from yegg.engine.secrecy import Heard, Teller, hides

NAMES = ["Ann", "Bill", "Cy"]
WHISPER = {
    "__init__.py": '''
        """Whisper: everybody whispers a number after chance has thrown one."""
        from yegg.engine import Game
        GAME = Game(__name__, "Whisper", "Whisper.", players=range(2, 4), usual=3)
        ''',
    "rules.py": '''
        """Whisper."""
        from yegg.engine import CHANCE, NOBODY, Record, row
        CHOICES = 3
        class State(Record):
            players = turn = thrown = 0
            said = row(3)
        def deal(s):
            pass
        def actor(s):
            if not s.thrown:
                return CHANCE
            return NOBODY if s.turn == s.players else s.turn
        def legal(s, out):
            for n in range(3):
                out[n] = n
            return 3
        def play(s, choice):
            if not s.thrown:
                s.thrown = choice + 1
                return
            s.said[s.turn] = choice + 1
            s.turn += 1
        def hide(s, seat):
            pass
        def score(s, seat):
            return s.said[seat]
        def standing(s, seat):
            return s.said[seat]
        ''',
    "words.py": '''
        """How Whisper is written: others hear that one whispers, but not what; nobody a throw."""
        from yegg.engine import CHANCE
        def say(s, choice):
            return f"{'throws' if not s.thrown else 'whispers'} {choice + 1}"
        def seen(past, i, seat):
            text = say(past.states[i], past.choices[i])
            if past.actors[i] == CHANCE:
                return "-"
            return text if past.actors[i] == seat else "whispers -"
        def news(s, choice, names, seat):
            return [f"{names[0]} listens at {seat}."]
        ''',
}


@pytest.fixture
def whisper(tmp_path, monkeypatch):
    lay(tmp_path / "whisper", WHISPER)
    monkeypatch.syspath_prepend(tmp_path)
    game = Game("whisper", "Whisper", "Whisper.", players=range(2, 4), usual=3)
    match = Match(game, 3, names=NAMES, how="plain")
    for choice in (0, 2, 1):
        match.play(choice)
    return match


def test_a_part_of_an_event_is_told_as_a_part(whisper):
    heard = Teller(whisper).hear(whisper, 0)
    assert [one.text for one in heard] == ["-", "whispers 3", "whispers -"]
    assert heard[0].prose == "", "of hidden chance there is nothing to tell"
    assert heard[2].prose == "Bill: whispers; the rest is hidden."
    assert [one.hidden for one in heard] == [True, False, True]
    assert [one.actor for one in heard] == [CHANCE, 0, 1]
    assert [one.whose for one in heard] == [CHANCE, 0, 1]


def test_each_hears_its_own_and_a_spectator_none(whisper):
    teller = Teller(whisper)
    assert teller.texts(whisper, 1) == ["-", "whispers -", "whispers 2"]
    assert teller.texts(whisper, -1) == ["-", "whispers -", "whispers -"]
    assert teller.words == ["throws 1", "whispers 3", "whispers 2"]


def test_news_is_each_seats_own(whisper):
    for seat in (-1, 0, 2):
        heard = Teller(whisper).hear(whisper, seat)
        assert [list(one.news) for one in heard] == [[f"Ann listens at {seat}."]] * 3


def test_once_it_is_over_all_is_told(whisper):
    assert hides(whisper)
    whisper.play(0)
    assert not hides(whisper)
    heard = Teller(whisper).hear(whisper, -1)
    assert [one.text for one in heard] == ["throws 1", "whispers 3", "whispers 2", "whispers 1"]
    assert not any(one.hidden for one in heard)


def test_the_newest_events_are_the_last_of_all(whisper):
    teller = Teller(whisper)
    for seat in (-1, 1):
        texts, heard = teller.texts(whisper, seat), teller.hear(whisper, seat)
        for last in range(5):
            assert teller.texts(whisper, seat, last) == texts[max(0, 3 - last) :]
            assert teller.hear(whisper, seat, last) == heard[max(0, 3 - last) :]


def test_names_are_those_of_then(whisper):
    def called(event):
        return ["Old Ann", "Old Bill", "Cy"] if event < 2 else NAMES

    heard = Teller(whisper).hear(whisper, 2, names=called)
    assert heard[1].prose == "Old Ann: whispers; the rest is hidden."
    assert heard[2].prose == "Bill: whispers; the rest is hidden."


@pytest.mark.parametrize("name", games.names())
def test_what_is_taken_back_is_told_no_more_and_a_teller_follows(name):
    """One teller that follows a game says what a new one says, at each moment and seat."""
    game, dice = games.find(name), random.Random(3)
    match = Match(game, game.usual, names=["Ann", "Bill", "Cy", "Di", "Ed"][: game.usual])
    teller = Teller(match)
    for event in range(40):
        if match.over:
            break
        match.play(dice.choice(match.choices))
        if event % 7 == 6:
            match.back(len(match.history) - 3)
        if event % 4 == 0:
            fresh = Teller(match)
            for seat in range(-1, match.players):
                assert teller.texts(match, seat) == fresh.texts(match, seat)
                assert teller.hear(match, seat) == fresh.hear(match, seat)
                assert teller.hear(match, seat, 2) == fresh.hear(match, seat)[-2:]


def test_a_game_without_secrets_is_told_whole_to_everybody():
    match = Match(games.find("second-story"), 3, names=NAMES, seed=2).to_decision(2)
    match.play(match.choices[0])
    teller = Teller(match)
    assert teller.hear(match, -1) == teller.hear(match, 1)
    assert teller.hear(match, 0, 1) == teller.hear(match, 0)[-1:]
    assert not any(one.hidden for one in teller.hear(match, 0))
    assert teller.past.states == teller.past.states[:1], "no state is kept that nobody asks for"


def test_a_card_is_dealt_to_somebody_whom_it_concerns():
    match = Match(games.find("magnate"), 2, names=NAMES[:2], seed=1, how="plain").to_decision(1)
    heard = Teller(match).hear(match, 0)
    dealt = [one for one in heard if one.actor == CHANCE and "is dealt" in one.prose]
    assert {one.whose for one in dealt} == {0, 1}
    for one in dealt:
        assert one.prose.startswith(NAMES[one.whose])


def test_what_the_automa_is_dealt_is_told_by_its_name_where_people_alone_have_names():
    match = Match(games.find("magnate"), 1, {"automa": "hard"}, seed=1, how="plain").to_decision(1)
    heard = Teller(match).hear(match, 0, names=lambda _: ["Ann"])
    dealt = [one.prose for one in heard if one.whose == 1]
    assert "The automa is dealt a card." in dealt
    assert not [said for said in dealt if not said.startswith("The automa ")]


def test_a_die_concerns_whoever_rolls_it_though_no_sentence_names_them(monkeypatch):
    match = Match(games.find("second-story"), 2, names=NAMES[:2], seed=1, how="plain")
    while len(match.history) < 60:
        match.play(match.choices[0])
    then, heard = match.again(), Teller(match).hear(match, 0)
    for choice, one in zip(match.history, heard, strict=True):
        assert one.whose == then.state.turn, one.prose
        then.follow([choice])
    assert any(NAMES[0] not in one.prose and NAMES[1] not in one.prose for one in heard)
    monkeypatch.delattr(match.game.voice.words, "luck")
    silent = {one.whose for one in Teller(match).hear(match, 0) if one.actor == CHANCE}
    assert silent == {CHANCE}, "a game need not say"


def test_orders_that_the_rules_wrote_are_followed_and_told():
    record = games.find("secrets").folder / "records" / "absent.game"
    match = notation.read_file(record, games.find)
    heard = Teller(match).hear(match, -1)
    assert len(heard) == len(match.history)
    assert all(isinstance(one, Heard) for one in heard)


def test_where_one_choice_was_possible_its_sentence_is_not_told():
    """Whoever hears that a forced choice is discreet would hear which it was."""
    options = {"hidden": "yes", "secrets": "2"}
    match = Match(games.find("secrets"), 3, options, names=NAMES, how="plain")
    match.play(match.hear("allocate A 15"))
    assert len(match.choices) == 1
    match.play(match.choices[0])
    told = [one.prose for one in Teller(match).hear(match, 1)]
    assert not any("30" in prose for prose in told)


def test_of_a_hidden_event_others_hear_what_the_game_makes_of_the_words(tmp_path, monkeypatch):
    """Its sentence is the seat's own, whatever it says; whom chance concerns comes from `luck`."""
    words = WHISPER["words.py"].replace('return "-"', 'return "throws -"').rstrip() + (
        "\n        def tell(s, choice, names):\n"
        "            return f'{names[s.turn]} whispers.' if s.thrown else 'A number is thrown.'\n"
        "        def tell_part(text, name):\n"
        '            return f\'{name} {text.replace(" -", " something")}.\'\n'
        "        def luck(s):\n"
        "            return 2, False\n"
    )
    lay(tmp_path / "murmur", {**WHISPER, "words.py": words})
    monkeypatch.syspath_prepend(tmp_path)
    game = Game("murmur", "Murmur", "Murmur.", players=range(2, 4), usual=3)
    match = Match(game, 3, names=NAMES, how="plain")
    for _ in range(2):
        match.play(0)
    thrown, whispered = Teller(match).hear(match, 1)
    assert (thrown.prose, thrown.whose) == ("Cy throws something.", 2)
    assert (whispered.prose, whispered.whose) == ("Ann whispers something.", 0)
    assert thrown.hidden
    assert whispered.hidden
    assert Teller(match).hear(match, 0)[1].prose == "Ann whispers."
