"""What every bot promises: the bots that ``YEGG_BOTS`` names, ``mybots:Bold,mybots:Shy``."""

import os

import pytest

from yegg import players
from yegg.engine import Match

from .cases import FEW

BOTS = os.environ.get("YEGG_BOTS", "uniform").split(",")


@pytest.fixture(params=BOTS)
def bot(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a bot; nobody knows it after the test."""
    monkeypatch.setattr(players, "_enrolled", {})
    return players.enrol(request.param)


@pytest.fixture(params=FEW, ids=str)
def match(request: pytest.FixtureRequest, bot: str) -> Match:
    """A game that the bot can play, at its beginning."""
    match = request.param.match()
    if why := players.objection(match.game, bot, match.players, match.options):
        pytest.skip(f"{bot} does not play {match.game.name}: {why}")
    return match


def played(bot: str, match: Match, events: int) -> list[int]:
    """All choices of a game whose seats are all the bot's; chance's follow from its length."""
    seats = [players.Bot(bot, 1 + seat) for seat in range(match.players)]
    match = match.fork()
    while not match.over and len(match.history) < events:
        if match.actor < 0:
            match.play(match.choices[(7 * len(match.history)) % len(match.choices)])
        else:
            choice = seats[match.actor].choose(match.view())
            assert choice in match.choices
            match.play(choice)
    return match.history


def test_it_makes_legal_choices(bot: str, match: Match) -> None:
    assert played(bot, match, 400)


def test_the_same_seed_gives_the_same_game(bot: str, match: Match) -> None:
    assert played(bot, match, 60) == played(bot, match, 60)
