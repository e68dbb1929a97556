"""Puzzles: those that are shipped are legal and consistent; what a file must say; verdicts."""

from datetime import date, timedelta

import pytest

from yegg import games
from yegg.engine import Match
from yegg.engine.notation import BadRecord
from yegg.lessons import puzzles, verdict
from yegg.lessons.daily_puzzles import A_DAY, of_day
from yegg.lessons.puzzle import COSTLY, Worth, at_once, read, written

WITH = [name for name in games.names() if puzzles(games.find(name))]
SS = games.find("second-story")


@pytest.mark.parametrize("name", WITH)
def test_every_puzzle_is_legal_and_says_something_of_every_choice(name):
    game = games.find(name)
    for puzzle in puzzles(game):
        checked = read(puzzle.path, "compiled")
        legal = set(checked.match.texts)
        assert checked.match.game is game, puzzle.path
        assert checked.best.text in legal, puzzle.path
        assert {one.text for one in checked.also} <= legal, puzzle.path
        assert checked.worths.keys() == legal, puzzle.path
        cost = checked.best.value - min(one.value for one in checked.worths.values())
        assert cost > COSTLY - 0.001, f"{puzzle.path}: no mistake is worth a question"


@pytest.mark.parametrize("name", WITH)
def test_puzzles_are_numbered_without_gaps(name):
    there = puzzles(games.find(name))
    assert [puzzle.number for puzzle in there] == list(range(1, len(there) + 1))


def test_only_whole_positions_are_kept():
    """Other threads may ask for one at any moment."""

    class Kept(dict):
        def __setitem__(self, at, match):
            assert len(match.history) == at
            super().__setitem__(at, match)

    puzzle = read(puzzles(SS)[0].path)
    puzzle.known = Kept()
    assert len(puzzle.position(9).history) == 9
    assert [*puzzle.known] == [9]


@pytest.fixture
def match():
    return Match(SS, 2, seed=0)


RIGHT, WORSE = [Worth("thorough", 0.6, 0.58, 0.62)], [Worth("quick", 0.5, 0.48, 0.52)]


@pytest.fixture
def file(tmp_path, match):
    """Write a puzzle, perhaps with something else in place of a part."""

    def write(old="", new=""):
        text = written(match, 3, RIGHT, WORSE, {"quick": "one chip more"}, "by hand")
        assert old in text
        path = tmp_path / "0001.puzzle"
        path.write_text(text.replace(old, new, 1))
        return path

    return write


def test_what_is_written_is_read(file, match):
    puzzle = read(file())
    assert (puzzle.difficulty, puzzle.best, puzzle.next) == (3, *RIGHT, *WORSE)
    assert (puzzle.why, puzzle.judged) == ({"quick": "one chip more"}, "by hand")
    assert (puzzle.seat, puzzle.decision.history) == (match.actor, match.history)


@pytest.mark.parametrize(
    ("old", "new", "why", "at"),
    [
        ("# puzzle: 3\n", "", "a puzzle has a line '# puzzle: …'", "game: "),
        ("# puzzle: 3", "# puzzle: 9", "a number from 1 to 5, not '9'", "# puzzle"),
        ("# judged: by hand\n", "", "a puzzle has a line '# judged: …'", "game: "),
        ("# judged", "# remarks", "a puzzle's comments begin with", "# remarks"),
        ("best: thorough", "best: slowly", "'slowly' is not legal here", "# best"),
        ("next: quick", "next: stop", "'stop' is not legal here", "# next"),
        ("0.600", "60", "as in 'stop 0.61 0.58 0.64'", "# best"),
        ("0.600", "0.700", "0.7 does not lie in its interval", "# best"),
        ("0.520", "0.590", "'quick' overlaps with that of the best choice", "# next"),
        ("next: quick", "also: quick", "a puzzle has a line '# next: …'", "game: "),
        (
            "# judged",
            "# also: quick 0.5 0.4 0.6\n# judged",
            "a second line for the choice",
            "# also",
        ),
        ("# judged", "# puzzle: 4\n# judged", "a second line 'puzzle'", "# puzzle: 4"),
        ("why quick", "why stop", "'stop' is not legal here", "# why"),
    ],
)
def test_a_wrong_line_is_named(file, old, new, why, at):
    path = file(old, new)
    lines = path.read_text().splitlines()
    with pytest.raises(BadRecord) as wrong:
        read(path)
    assert why in wrong.value.reason
    assert lines[wrong.value.line - 1].startswith(at), str(wrong.value)
    assert str(wrong.value).startswith(f"{path}:{wrong.value.line}: ")


def test_nothing_may_be_missing_of_the_choices(tmp_path, match):
    match.play(match.texts["thorough"])
    match.to_decision()
    one, other, *rest = match.texts
    told = [Worth(one, 0.6, 0.58, 0.62)], [Worth(other, 0.5, 0.48, 0.52)]
    path = tmp_path / "0001.puzzle"
    path.write_text(written(match, 1, *told, {}, "by hand"))
    if rest:
        with pytest.raises(BadRecord, match="nothing is said of the choice"):
            read(path)
    else:
        assert set(read(path).worths) == {one, other}


def test_verdicts(file):
    puzzle = read(file())
    wrong, right = verdict(puzzle, "quick"), verdict(puzzle, "thorough")
    assert (wrong.right, wrong.beside, wrong.why) == (False, *WORSE, "one chip more")
    assert (right.right, right.beside) == (True, *WORSE), "the best is compared with the next"
    assert right.cost == wrong.cost == pytest.approx(0.1)
    assert verdict(puzzle, "stop") is None


def test_what_is_chosen_in_any_order_is_no_puzzle(tmp_path):
    match = Match("thiefs-market", 3, seed=0)
    while not at_once(match):
        match.play(match.choices[0])
    one, *rest = match.texts
    worse = [Worth(text, 0.5, 0.48, 0.52) for text in rest]
    path = tmp_path / "0001.puzzle"
    path.write_text(written(match, 1, [Worth(one, 0.6, 0.58, 0.62)], worse, {}, "by hand"))
    with pytest.raises(BadRecord, match="here several choices are made at once"):
        read(path)


@pytest.mark.parametrize("name", WITH)
def test_everybody_has_the_same_puzzles_on_a_day_and_all_come_in_turn(name):
    game, day = games.find(name), date(2026, 11, 22)
    many = len(puzzles(game))
    numbers = [
        one.number
        for i in range(-(-many // len(of_day(game, day))))
        for one in of_day(game, day + timedelta(days=i))
    ]
    assert of_day(game, day) == of_day(game, day)
    assert set(numbers) == set(range(1, many + 1))
    assert len(set(numbers[:many])) == many, "none comes again before all have come"
    tomorrow = of_day(game, day + timedelta(days=1))
    assert len(of_day(game, day)) <= A_DAY
    assert of_day(game, day) != tomorrow, "the next day asks something else"
