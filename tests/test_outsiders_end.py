"""Players from outside end with their game: they leave no thread and no open file behind."""

import gc
import threading
import time
from pathlib import Path

import pytest
from test_outsiders import Cheats, Leaves, Loops, Loses, Mumbles, Raises, chooses

import yegg
from yegg import games, players
from yegg.engine import Failed
from yegg.players import outside

GAMES, SECONDS = 200, 0.002


NEVER = threading.Event()  # what never comes, waited for where no exception reaches
Waits = chooses("Waits", lambda view: NEVER.wait())


def here():
    """The threads of players, and how many files are open."""
    threads = [one.name for one in threading.enumerate() if "player " in one.name]
    files = Path("/proc/self/fd")
    return threads, sum(1 for _ in files.glob("*"))


def settled(before):
    """What is here once the threads that were told to end have ended."""
    late = time.monotonic() + 30
    while (now := here()) != before and time.monotonic() < late:
        time.sleep(0.01)
    return now


@pytest.fixture(scope="module", autouse=True)
def warm():
    yegg.simulate("second-story", [Loses, "uniform"], games=2)


@pytest.fixture
def before(warm):
    gc.collect()  # errors that earlier tests kept, and with them their players
    threads, files = settled(([], here()[1]))
    assert threads == []
    return threads, files


def asked(player, seed, seconds):
    """What a player answers at its first decision.  Raises Failed."""
    match = yegg.Match("second-story", players=2, seed=0, how="plain")
    view = match.view()
    guest = outside.Outsider(match.game, "guest", player, seed, seconds)
    return guest.choose(view.states, view.seat, view.choices)


@pytest.mark.parametrize("player", [Loses, Raises, Cheats, Mumbles, Leaves])
def test_200_games_leave_nothing_of_a_player_behind(player, before):
    run = yegg.simulate("second-story", [player, "uniform"], games=GAMES)
    assert len(run.events) == GAMES
    assert settled(before) == before


def test_200_games_of_an_arena_leave_nothing_of_its_players_behind(before):
    yegg.arena("second-story", [Loses, Cheats], games=GAMES, players=2)
    assert settled(before) == before


def test_200_games_of_a_player_that_never_answers_leave_nothing_behind(before):
    for seed in range(GAMES):
        with pytest.raises(Failed, match="had not answered"):
            asked(Loops, seed, SECONDS)
        settled(before)  # loops that turn side by side leave the next no time
    assert settled(before) == before


def test_of_a_player_that_cannot_be_stopped_few_threads_stay(before):
    said = set()
    for seed in range(GAMES):
        with pytest.raises(Failed) as failed:
            asked(Waits, seed, SECONDS)
        said.add(failed.value.why)
    assert len(here()[0]) == outside.STUCK
    assert said == {
        "had not answered after 0.002 s",
        f"is not asked, since {outside.STUCK} of its earlier decisions have not ended yet",
    }
    NEVER.set()
    assert settled(before) == before
    assert asked(Loses, 0, 30) >= 0


def test_a_bot_that_is_warmed_or_moves_to_another_game_ends_its_player(before):
    bot = players.Bot(players.enrol(Loses))
    bot.warm(games.find("magnate"))
    for game in ("second-story", "magnate"):
        view = yegg.Match(game, players=2, seed=0, how="plain").to_decision().view()
        bot.choose(view)
    assert len(settled(([f"player {bot.name}"], before[1]))[0]) == 1
    del bot
    assert settled(before) == before
