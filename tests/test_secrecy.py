"""Nothing that a seat hears depends on what it may not know: at the table and in the terminal.

A game is compared with others that the seat cannot tell from it.  Every line must be the same.
"""

import io
import itertools
import random
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from programs import SOURCE, lay
from twins import always_alike, elsewhere, swapped

from yegg import games
from yegg.cli.play.session import Session
from yegg.cli.screen import Screen
from yegg.engine import Game, Match, notation
from yegg.engine.secrecy import Teller

SECRET = [name for name in games.names() if games.find(name).secret]
OPTIONS = {"secrets": [{}, {"hidden": "yes"}, {"hidden": "yes", "posts": "open"}]}
CASES = [(name, options) for name in SECRET for options in OPTIONS.get(name, [{}])]
HUSH = {
    "__init__.py": '''
        """Hush: everybody picks a number, and all are shown at the end."""
        from yegg.engine import Game
        GAME = Game(__name__, "Hush", "Pick a number.", players=range(2, 4), usual=3)
        ''',
    "rules.py": '''
        """Hush."""
        from yegg.engine import CHANCE, NOBODY, Record, row
        CHOICES = 6
        class State(Record):
            players = turn = 0
            picked = row(3)
            lost = row(3)
        def deal(s):
            pass
        def actor(s):
            for seat in range(s.players):
                if s.lost[seat]:
                    return CHANCE
            return NOBODY if s.turn == s.players else s.turn
        def legal(s, out):
            for pick in range(3):
                out[pick] = pick + 3 * s.lost.any()
            return 3
        def play(s, choice):
            for seat in range(s.players):
                if s.lost[seat]:
                    s.picked[seat], s.lost[seat] = choice - 2, 0
                    return
            s.picked[s.turn] = choice + 1
            s.turn += 1
        def hide(s, seat):
            for other in range(s.turn if s.turn < s.players else 0):
                if other != seat:
                    s.picked[other], s.lost[other] = 0, 1
        def score(s, seat):
            return s.picked[seat]
        def standing(s, seat):
            return s.picked[seat]
        ''',
    "words.py": '''
        """How Hush is written."""
        def say(s, choice):
            return f"pick {choice + 1}" if choice < 3 else f"was {choice - 2}"
        def seen(past, i, seat):
            return say(past.states[i], past.choices[i]) if past.actors[i] == seat else "-"
        ''',
}


@pytest.fixture
def hush(tmp_path, monkeypatch):
    """A game of somebody else's that has secrets, and neither prose nor news."""
    lay(tmp_path / "hush", HUSH)
    monkeypatch.syspath_prepend(tmp_path)
    return Game("hush", "Hush", "Pick a number.", players=range(2, 4), usual=3)


def printed(match, seat):
    """What the terminal prints of a match where one person sits, or several (-1)."""
    people = [seat] if seat >= 0 else [0, 1]
    again = match.again()
    kept = SimpleNamespace(path=Path("a.game"), append=lambda *_: None)
    session = Session(again, SimpleNamespace(people=people), kept, seed=1, typed=False)
    session.screen = Screen(file=io.StringIO(), width=200)
    for choice in match.history:
        session.happen(choice)
    assert session.viewer == seat
    return session.screen.file.getvalue()


def compared(match, seat):
    """How many games were compared that the seat cannot tell from this one, and no line differs."""
    events = Teller(match).hear(match, seat)
    record, terminal = notation.body(match, seat=seat), printed(match, seat)
    count = [0, 0]
    found = (elsewhere(match, seat), swapped(match, seat))
    for twin in itertools.chain(*(itertools.islice(one, 4) for one in found)):
        assert Teller(twin).hear(twin, seat) == events
        assert notation.body(twin, seat=seat) == record
        count[0] += 1
        if always_alike(match, twin, seat):
            assert printed(twin, seat) == terminal
            count[1] += 1
    return count


def played(game, options, dice):
    """A match as it goes on, at a few moments."""
    match = Match(game, next(n for n in game.seats(options) if n > 1), options)
    while not match.over:
        match.play(dice.choice(match.choices))
        if dice.random() < 0.05 and not match.over:
            yield match


def of_all(game, options, seed, moments):
    """How much was compared in a match."""
    total, dice = [0, 0], random.Random(seed)
    for match in itertools.islice(played(game, options, dice), moments):
        for seat in range(-1, match.players):
            total = [a + b for a, b in zip(total, compared(match, seat), strict=True)]
    return total


@pytest.mark.parametrize("moments", [1, pytest.param(2, marks=pytest.mark.wide)])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_no_line_depends_on_what_the_seat_may_not_know(name, options, moments):
    whole, on_the_way = of_all(games.find(name), options, 5, moments)
    assert whole > 10
    assert on_the_way > 5


def test_the_same_holds_for_a_game_without_prose_of_its_own(hush):
    match = Match(hush, 3, names=["Ann", "Bill", "Cy"], how="plain")
    for choice in (2, 0):
        match.play(choice)
    assert compared(match, 2)[1] >= 4
    heard = [event.prose for event in Teller(match).hear(match, 1)]
    assert heard == ["Ann gives a secret order.", "Bill: pick 1."]
    assert "Ann gives a secret order." in printed(match, 1)
    assert "pick 3" not in printed(match, 1)
    match.play(1)
    assert [event.text for event in Teller(match).hear(match, -1)] == ["pick 3", "pick 1", "pick 2"]


def test_the_last_secret_gets_the_points_that_are_left_and_nobody_is_told_how_many():
    """There is one choice only, so that its sentence is no other than that of any choice."""
    options = {"hidden": "yes", "secrets": "3"}
    names = ["Ann", "Bill", "Cy"]
    match = Match(games.find("secrets"), 3, options, names=names, how="plain")
    for text in ("A 15", "B 18", "C 12", "A 23", "B 19", "C 3"):
        match.play(match.hear(f"allocate {text}"))
    shown = printed(match, 0)
    assert "Ann puts 12 points on secret C." in shown
    assert "Bill" not in shown
    assert "points on" not in printed(match, -1)


def test_a_draw_that_is_the_same_for_every_card_is_told_to_all():
    match = Match(games.find("magnate"), 2, names=["Ann", "Bill"], seed=1, how="plain")
    texts = Teller(match).texts(match, 0)
    hidden = [event for event in Teller(match).hear(match, 0) if event.text.endswith("-")]
    assert len(hidden) == sum(text.endswith("-") for text in texts) > 0
    assert {event.prose for event in hidden} == {"Bill is dealt a card."}


def test_nobody_but_the_teller_asks_a_game_what_a_seat_may_be_told():
    asked = re.compile(r"\b(?:voice|words)\.(?:seen|tell|sentence|news)\(")
    source = SOURCE / "yegg"
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if "games" not in path.relative_to(source).parts and asked.search(path.read_text("utf-8"))
    }
    # a seat's own orders are told to it by `engine/orders.py`
    assert found == {"engine/orders.py", "engine/secrecy.py", "engine/voice.py"}
