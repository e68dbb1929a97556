"""What the command line says of a record, and of who sits at a table."""

import random
from types import SimpleNamespace

import pytest

from yegg import games
from yegg.cli.play.seats import as_typed, known, sitters
from yegg.cli.play.terminal import scene
from yegg.cli.records import summary
from yegg.engine import Match, notation
from yegg.text.untrusted import as_text


@pytest.fixture
def record(tmp_path):
    """A game with hidden hands, in which both have made some choices."""
    match, dice = Match(games.find("magnate"), 2, names=["Ann", "Bill"], seed=4), random.Random(4)
    while len(match.history) < 60:
        match.play(dice.choice(match.choices))
    path = tmp_path / "a.game"
    path.write_text(notation.write(match), encoding="utf-8")
    return match, path


def shown(out):
    return [line.rstrip() for line in out.splitlines() if line.strip()]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_position_is_shown_as_the_seat_saw_it_and_0_is_a_spectator(run, record, seat):
    match, path = record
    seen = {one: shown(as_text(scene(match, one - 1))) for one in (0, 1, 2)}
    assert seen[0] != seen[1] != seen[2] != seen[0]
    _, out, _ = run("replay", path, "--seat", seat)
    assert shown(out) == seen[seat]


def test_the_event_that_is_named_is_the_one_after_which_the_position_is_shown(run, record):
    match, path = record
    lines = notation.body(match)
    for at in (1, 17, 60):
        _, out, _ = run("replay", path, "--at", at)
        assert f"event {at} of 60: {lines[at - 1]}\n" in out
        match.back(at)
        assert shown(out)[1:] == shown(as_text(scene(match, -2)))
        match = notation.read_file(path, games.find)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([1, 2, 3], "won by Ann"),
        ([2, 1, 2], "won by Bill"),
        ([1, 1, 3], "shared by Ann and Bill"),
        ([1, 1, 1], "shared by Ann, Bill and Cy"),
    ],
)
def test_a_finished_game_says_who_won_or_shared_it(places, said):
    names = ["Ann", "Bill", "Cy"]
    game = SimpleNamespace(title="Secrets")
    match = SimpleNamespace(
        game=game, players=3, history=[0] * 9, over=True, places=places, side_names=lambda: names
    )
    assert summary(match) == f"Secrets, 3 players, 9 events, {said}"
    match.over = False
    assert summary(match).endswith("9 events, still going on")


def test_bots_of_one_name_are_counted_from_1_and_found_again_by_it():
    seated = sitters(["greedy", "person:Ann", "greedy", "easy", "greedy"])
    assert [one.name for one in seated] == ["Greedy 1", "Ann", "Greedy 2", "Easy", "Greedy 3"]
    assert [one.bot for one in seated] == ["greedy", "", "greedy", "easy", "greedy"]
    assert [one.bot for one in known([one.name for one in seated])] == [one.bot for one in seated]
    assert as_typed(seated) == "greedy,Ann,greedy,easy,greedy"


def test_a_person_called_like_a_bot_is_written_so_that_it_stays_a_person():
    (hard, ann) = sitters(["person:hard", "Ann"])
    assert (hard.name, hard.bot) == ("Hard", "")
    assert as_typed([hard, ann]) == "person:Hard,Ann"
    assert as_typed(sitters(as_typed([hard, ann]).split(","))) == "person:Hard,Ann"


def test_a_number_of_seats_is_you_and_so_many_bots_in_any_order():
    seated = [sitters(["4"]) for _ in range(40)]
    assert {len(table) for table in seated} == {4}
    assert {sum(not one.bot for one in table) for table in seated} == {1}
    assert len({[not one.bot for one in table].index(True) for table in seated}) > 1
