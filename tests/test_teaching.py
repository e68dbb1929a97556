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


def test_the_wanted_choice_leads_to_the_next_step(lesson):
    assert answer(lesson, 0, ["take white"]).step == 1
    assert answer(lesson, 1, ["take white"]).step == 2


def test_other_choices_are_answered_and_the_step_stays(lesson):
    for text, says in (
        ("take bag", "As good. Take the gem."),
        ("steal 2", "There is nobody to rob."),
        ("take red", "The Necklace wants white ones."),
        ("sing", "The Necklace wants white ones."),
    ):
        said = answer(lesson, 0, [text])
        assert (said.step, said.says) == (0, says), text


def test_what_is_not_possible_is_answered_by_the_rules(lesson):
    said = answer(lesson, 0, ["take green"])
    assert said.step == 0
    assert "The Necklace" in said.says, "it is possible: the table has a green die"
    assert "TM-" in answer(lesson, 0, ["done"]).says


def test_several_choices_are_in_no_order_and_count_as_far_as_they_are_wanted(lesson):
    assert answer(lesson, 0, ["take bag", "take white", "take white", "done"]).step == 2
    assert answer(lesson, 0, ["take white", "done"]).step == 1, "the rest is asked for next"
    assert answer(lesson, 0, ["take white", "take white", "done"]).step == 2
    assert answer(lesson, 0, ["take white", "take white", "take bag"]).step == 2
    wrong = answer(lesson, 0, ["take white", "take red", "done"])
    assert (wrong.step, wrong.says) == (0, "White.")


def test_going_on_passes_one_step_at_a_time(lesson):
    assert [step.at for step in lesson.steps] == [15, 16, 20, 20, 21]
    assert [lesson.wanted(n) for n in range(5)] == ["take white", "take white", None, None, None]
    assert answer(lesson, 2, []).step == 3
    assert answer(lesson, 3, []).step == 4
    assert answer(lesson, 4, []).step == 4, "there is nothing after the end"
    assert answer(lesson, 0, []).step == 0, "a choice is waited for"


def test_a_choice_while_one_only_reads_is_answered(lesson):
    for n, says in ((2, READ_ON), (3, READ_ON), (4, ENDED)):
        said = answer(lesson, n, ["take white"])
        assert (said.step, said.says) == (n, says)


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
