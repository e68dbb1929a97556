"""What a teacher makes of choices."""

import pytest

from yegg.lessons import answer, filled, read
from yegg.lessons.answer import ENDED, READ_ON

LESSON = """\
# lesson: The loot
game: thiefs-market
players: Morgan, Siveny, Quill

* deal A tailor
* deal A necklace
* deal A corrupt-official
* deal A glamer
* deal A nearby-safehouse
* roll red
* roll red
* roll white
* roll white
* roll blue
* roll green
* roll bag
* roll bag
* roll mask
* roll mask
# says: Take a white gem.
# also take bag: As good. Take the gem.
# or steal 2: There is nobody to rob.
# else: The Necklace wants white ones.
1 take white
# says: And the other.
# or done: Not yet.
# else: White.
1 take white
1 take bag
1 done
2 take red
# says: Siveny takes a red gem.
# says: She goes on.
2 take blue
"""


@pytest.fixture
def lesson(tmp_path):
    path = tmp_path / "1-loot.lesson"
    path.write_text(LESSON)
    return read(path)


TAKE, STEAL = ["take white"], "There is nobody to rob."
BAG, WHITE = "As good. Take the gem.", "The Necklace wants white ones."


@pytest.mark.parametrize(
    ("step", "texts", "then", "says"),
    [
        (0, TAKE, 1, ""),
        (1, TAKE, 2, ""),
        (0, ["take bag"], 0, BAG),
        (0, ["steal 2"], 0, STEAL),
        (0, ["take red"], 0, WHITE),
        (0, ["sing"], 0, WHITE),
        (0, ["take green"], 0, WHITE),  # it is possible: the table has a green die
        (0, ["take bag", *TAKE, *TAKE, "done"], 2, ""),
        (0, [*TAKE, "done"], 1, ""),  # the rest is asked for next
        (0, [*TAKE, *TAKE, "done"], 2, ""),
        (0, [*TAKE, *TAKE, "take bag"], 2, ""),
        (0, [*TAKE, "take red", "done"], 0, "White."),
        (2, [], 3, ""),
        (3, [], 4, ""),
        (4, [], 4, ""),  # there is nothing after the end
        (0, [], 0, ""),  # a choice is waited for
        (2, TAKE, 2, READ_ON),
        (3, TAKE, 3, READ_ON),
        (4, TAKE, 4, ENDED),
    ],
)
def test_what_follows_from_choices_which_are_in_no_order(lesson, step, texts, then, says):
    found = answer(lesson, step, texts)
    assert (found.step, found.says) == (then, says)


def test_what_is_not_possible_is_answered_by_the_rules(lesson):
    found = answer(lesson, 0, ["done"])
    assert (found.step, "TM-" in found.says) == (0, True)


def test_only_the_last_step_at_a_place_waits_for_a_choice(lesson):
    assert [step.at for step in lesson.steps] == [15, 16, 20, 20, 21]
    assert [lesson.wanted(n) for n in range(5)] == ["take white", "take white", None, None, None]


def test_figures_are_those_of_the_buttons(tmp_path):
    path = tmp_path / "1-house.lesson"
    path.write_text(
        "# lesson: House\ngame: second-story\nplayers: Ann, Ben\n\n* flip the-mill\n"
        "# says: {thorough}, {quick}, {sing}.\n1 quick\n"
    )
    lesson = read(path)
    assert filled(lesson.steps[0].says, lesson.position(1)) == "30 %, 51 %, sing."


def test_the_learner_has_the_name_of_the_reader(lesson):
    assert lesson.called("Vera") == ["Vera", "Siveny", "Quill"]
    assert lesson.called("") == ["Morgan", "Siveny", "Quill"]
    assert lesson.called("siveny") == ["siveny (you)", "Siveny", "Quill"]
