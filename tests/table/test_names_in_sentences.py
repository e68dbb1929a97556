"""Players may be called like words of our sentences: nobody is taken for somebody else.

Each game is told twice, to people with such names and to people whose names are no words at all.
Both must be the same but for the names.
"""

import random
import re

import pytest

from yegg import games
from yegg.engine import Match
from yegg.table.domain.shown_position import ShownPosition, staged
from yegg.table.render import html_view, steps

WORDS = [
    ("A", "The", "Two", "Nobody", "House"),
    ("1", "Ann robs", "3", "Ann", "Ann robs the"),
    ("A die shows", "Die", "The dice", "Shows 3", "You"),
    ("Bob takes it", "Bob", "Bob takes", "Is dealt a card", "Chance"),
    ("A b c", "A b d", "Policeman", "Club", "Secret 2"),
]
SOME = (("secrets", {"hidden": "yes"}),)
CASES = [*((name, {}) for name in games.names()), *SOME]


def unlike(names):
    """Names that are no words, with the same genitive."""
    return [f"Qx{'uvwyz'[i]}{'s' if name.endswith('s') else 'q'}" for i, name in enumerate(names)]


def played(game, options):
    match, dice = Match(game, game.usual, options, how="plain"), random.Random(5)
    said = []
    while not match.over and len(said) < 130:
        choice = dice.choice(match.choices)
        said.append(match.say(choice))
        match.play(choice)
    return match, said


def told(match, said, names):
    """All that pages say of a match: its log, and the headline of each step with its seat."""
    match = match.fork()
    match.names = names
    now = staged(match, said, names)
    lines = ShownPosition(match.game, "", "", now).heard(-1)
    found = [html_view.logged(lines)]
    at = now.earlier(0)
    for step in steps.at_once(match.again(), match, [line.text for line in lines], 0):
        at.follow(match.history[step.first : step.last])
        made = steps.headline(at, lines[step.first : step.last])
        found.append([made["seat"], str(made["line"]), str(made["asks"])])
    return found


def renamed(found, names):
    """The same for people of other names."""
    if isinstance(found, list):
        return [renamed(one, names) for one in found]
    if not isinstance(found, str):
        return found
    others = dict(zip(unlike(names), names, strict=True))
    return re.sub("|".join(others), lambda name: others[name[0]], found)


@pytest.mark.wide(but=["secrets-options2-1"])
@pytest.mark.parametrize("names", WORDS, ids=lambda names: names[0])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_nobody_is_taken_for_somebody_else(name, options, names):
    game = games.find(name)
    match, said = played(game, game.chosen(game.usual, options))
    names = list(names[: match.players])
    assert len(names) == match.players
    plain = told(match, said, unlike(names))
    assert renamed(told(match, said, names), names) == renamed(plain, names)
    assert name == "secrets" or len({seat for seat, *_ in plain[1:]}) > 1
