"""`yegg sim --device cuda`: the games and the figures of the processor, in batches of any size."""

import json

import numpy as np
import pytest

from yegg import games
from yegg.contract.cases import NAMES
from yegg.engine import Refused, cuda
from yegg.lab import on_a_card, simulation
from yegg.lab.batch import Matchup, Rows

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.mark.parametrize(
    "how",
    [
        "second-story -n 5 -p 2 --seed 3",
        "second-story -n 4 --max-events 200",
        *[pytest.param(f"{name} -n 5", marks=pytest.mark.wide) for name in NAMES],
        pytest.param("magnate -n 3 --option districts=4", marks=pytest.mark.wide),
        pytest.param("secrets -n 3 -p 4 --option hidden=yes", marks=pytest.mark.wide),
    ],
)
def test_a_card_tells_what_the_processor_tells(run, untimed, how):
    status, here, err = run(f"sim {how} --json")
    assert (status, err) == (0, "")
    status, there, err = run(f"sim {how} --json --bots uniform --device cuda")
    assert (status, err) == (0, "")
    assert untimed(there) == untimed(here)


@pytest.fixture
def deck(tmp_path):
    """The published cards, but one is worth ten more, does nothing, and costs other dice."""
    path = tmp_path / "deck.csv"
    lines = (games.find("thiefs-market").folder / "cards.csv").read_text().splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("alchemical-lab,")]
    lines[at] = "alchemical-lab,Alchemical Lab,A,,RRW,finery,10,"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_deck_of_one_s_own_is_played_on_a_card_too(run, untimed, deck):
    words = "sim thiefs-market -n 4 -p 3 --seed 2 --json"
    here, there = (
        run(f"{words} --cards {deck} --device {device}")[1] for device in ("cpu", "cuda")
    )
    assert untimed(there) == untimed(here)
    assert json.loads(there)["cards"].startswith("deck ")
    assert untimed(there) != untimed(run(f"{words} --device cuda")[1]), "not the published cards"


def setting(**more):
    return Matchup(games.find("second-story"), 2, {}, ["uniform"] * 2, seed=4, **more)


def check_alike(one, other):
    """Every number of every game is the same."""
    for name in ("seating", "lengths", "over", "scores", "counts", "failed", "won"):
        assert (np.asarray(getattr(one, name)) == np.asarray(getattr(other, name))).all(), name


def test_batches_of_every_size_play_the_same_games(monkeypatch):
    processors, heard = simulation.run(setting(), 0, 5), []
    for size, done in ((1, [1, 2, 3, 4, 5]), (2, [2, 4, 5]), (64, [5])):
        monkeypatch.setattr(on_a_card, "AT_ONCE", size)
        card = on_a_card.Card(setting())
        heard.clear()
        rows = Rows()
        simulation.simulate(setting(), 5, by=card, progress=heard.append, batches=rows.add)
        assert heard == done
        check_alike(rows.together(), processors)


def test_so_many_games_are_played_at_once_as_there_is_memory_for(monkeypatch):
    each = 1e6 / on_a_card.Card(setting()).each
    monkeypatch.setattr(cuda, "free_memory", lambda: 1e6)
    assert 0.8 * each < on_a_card.Card(setting()).most <= each
    monkeypatch.setattr(cuda, "free_memory", lambda: 100)
    with pytest.raises(Refused, match="has not the memory for a single game"):
        on_a_card.Card(setting())


def test_what_was_played_is_told_when_it_is_stopped(run, untimed, monkeypatch):
    monkeypatch.setattr(on_a_card, "AT_ONCE", 2)
    play = on_a_card.Card.run

    def stopped(card, first, many):
        if first == 4:
            raise KeyboardInterrupt
        return play(card, first, many)

    monkeypatch.setattr(on_a_card.Card, "run", stopped)
    status, told, err = run("sim second-story -n 100 -p 2 --json --device cuda")
    assert status == 130
    assert "Stopped: this is what had been played." in err
    assert json.loads(told)["games"] == 4
    assert untimed(told) == untimed(run("sim second-story -n 4 -p 2 --json")[1])


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ("--bots greedy", "greedy does not play on a card; of the bots uniform does"),
        ("--bots uniform,medium", "medium does not play on a card"),
        ("--threads 2", "leave it out to have the processor play"),
        ("--records kept", "keeps no records"),
        ("--vary stash=1,2", "it takes none of --threads"),
        ("--report page.html", "it takes none of --threads"),
    ],
)
def test_what_a_card_cannot_is_refused_before_anything_is_laid_out(run, monkeypatch, wish, why):
    monkeypatch.setattr(cuda, "lifted", None)  # whoever lays out fails
    status, told, err = run(f"sim second-story -n 5 --device cuda {wish}")
    assert (status, told) == (2, "")
    assert why in " ".join(err.split())
