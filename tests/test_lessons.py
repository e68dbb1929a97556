"""Lessons cannot rot: each is legal, short, complete, and points at things that are there."""

import re
from functools import cache
from pathlib import Path

import pytest

from yegg import games
from yegg.coach.advice import advise
from yegg.engine import Refused, notation
from yegg.engine.notation import BadRecord
from yegg.lessons import lesson as lessons_module
from yegg.lessons import lessons, minutes, read
from yegg.lessons.answer import FIGURE, beyond, figure
from yegg.lessons.lesson import LEARNER
from yegg.players.thinking.plan import Plan
from yegg.table.render import lessons as teaching

FILES = [
    path for name in games.names() for path in games.find(name).folder.glob("lessons/*.lesson")
]
CLAUSE = re.compile(r"\*\*([A-Z]{2}-\d+)\*\*")
WORDS, STEPS, SECONDS = 48, 12, 300
POSITIONS = 20_000
COSTS = 0.02  # of the win
FUTURES = 4000  # that the coach weighs a choice in


def named(path):
    return f"{path.parent.parent.name}-{path.stem}"


learned = cache(read)


@pytest.fixture(params=sorted(FILES), ids=named)
def lesson(request):
    return learned(request.param)


@cache
def clauses(game):
    return set(CLAUSE.findall((game.folder / "RULES.md").read_text(encoding="utf-8")))


def positions(lesson):
    """Each step with its number and the game as it stands there."""
    for n, step in enumerate(lesson.steps):
        yield n, step, lesson.position(step.at)


def where(lesson, step):
    return f"{lesson.path}:{step.line}"


def spoken(step):
    """What the teacher may say at a step."""
    return step.says, step.otherwise, *step.replies.values(), *step.also.values()


def test_a_lesson_is_a_legal_record(lesson):
    assert lesson.texts, "something happens in it"
    along = zip(notation.steps(lesson.match), lesson.match.history, strict=False)
    assert lesson.texts == [before.say(choice) for before, choice in along]


def test_every_choice_of_the_learner_is_asked_for_and_every_other_one_is_answered(lesson):
    asked = {step.at for n, step in enumerate(lesson.steps) if lesson.wanted(n)}
    along = zip(notation.steps(lesson.match), lesson.match.history, strict=False)
    for at, (before, choice) in enumerate(along):
        if before.actor == LEARNER and before.decides(choice) and at >= lesson.steps[0].at:
            assert at in asked, f"{lesson.path}: nothing is said before '1 {lesson.texts[at]}'"
    for n, step, match in positions(lesson):
        wanted = lesson.wanted(n)
        others = set(match.texts) - {wanted} if wanted else set()
        silent = others - step.replies.keys() - step.also.keys()
        assert step.otherwise or not silent, f"{where(lesson, step)}: no answer to {silent}"


def test_what_is_answered_can_be_said_there(lesson):
    for n, step, match in positions(lesson):
        here = where(lesson, step)
        replies = {*step.replies, *step.also, *step.see}
        assert lesson.wanted(n) or not replies, f"{here}: nothing is chosen there"
        assert lesson.wanted(n) not in replies, f"{here}: that is what is wanted"
        for text in replies - match.texts.keys():
            why = match.game.voice.why_not(match.state, text)
            assert why, f"{here}: {text!r} is no sentence of the game"
            assert re.fullmatch(r"[A-Z]{2}-\d+", why.clause), f"{here}: {text!r}: {why}"
            assert text in step.replies, f"{here}: {text!r} is not legal, so only 'or' may name it"
        for text, events in step.see.items():
            assert text in step.replies or step.otherwise, f"{here}: 'see' without words"
            try:
                assert beyond(match, [f"{LEARNER + 1} {text}", *events])
            except Refused as error:
                pytest.fail(f"{here}: see {text}: {error}")


def test_the_clauses_are_there(lesson):
    for step in lesson.steps:
        missing = set(step.clauses) - clauses(lesson.game)
        assert not missing, f"{where(lesson, step)}: the rules have no {missing}"


@pytest.mark.wide(
    but=[
        "magnate-1-the-first-property",
        "second_story-1-one-house",
        "secrets-1-four-spies",
        "thiefs_market-1-a-pile-of-your-own",
    ]
)
def test_what_is_pointed_at_is_on_the_page(lesson):
    for step in lesson.steps:
        page = teaching.view(lesson, step.at)
        for look in step.look:
            there = any(mark in page for mark in teaching.marks(look))
            assert there, f"{where(lesson, step)}: nothing to point at: {look}"


def test_figures_in_the_words_are_those_of_the_buttons(lesson):
    for _, step, match in positions(lesson):
        for text in FIGURE.findall(" ".join(spoken(step))):
            assert figure(match, text), f"{where(lesson, step)}: no button {text!r}"


def test_it_is_short(lesson):
    assert len([step for step in lesson.steps if step.says]) <= STEPS
    for step in lesson.steps:
        words = max(len(said.split()) for said in spoken(step))
        assert words <= WORDS, f"{where(lesson, step)}: {words} words"


def test_each_but_the_first_asks_something_without_pointing(lesson):
    unaided = [
        step
        for n, step in enumerate(lesson.steps)
        if lesson.wanted(n) and all(look.startswith("#") for look in step.look)
    ]
    assert unaided or lesson.number == 1


def test_a_game_is_learnt_in_five_minutes(game):
    there = lessons(game)
    assert [lesson.number for lesson in there] == list(range(1, len(there) + 1))
    assert sum(lesson.seconds for lesson in there[:3]) <= SECONDS


def test_the_core_of_the_rules_is_taught(game):
    core = game.folder / "lessons" / "core.txt"
    if not lessons(game):
        pytest.skip("no lessons")
    wanted = set(core.read_text(encoding="utf-8").split())
    steps = [step for lesson in lessons(game) for step in lesson.steps]
    taught = {clause for step in steps for clause in step.clauses}
    assert wanted <= clauses(game), f"{core}: the rules have no {wanted - clauses(game)}"
    assert wanted <= taught, f"no lesson of {game.title} names {wanted - taught}"


@pytest.mark.wide
def test_the_coach_agrees(lesson):
    """No choice that is taught costs more than 2 % of the win, or than its ``dare``.

    The coach lets everybody play on as usual. A choice after which the learner can win for certain
    is as good as any, however seldom that is found.
    """
    against = []
    for n, step, match in positions(lesson):
        if not (wanted := lesson.wanted(n)) or not match.decides(match.texts[wanted]):
            continue
        words = {word.text: word for word in advise(match, Plan(iterations=FUTURES)).words}
        for text in (wanted, *step.also):
            cost = 0.0 if words[text].alike else words[text].cost
            if cost > max(COSTS, step.dare) and not wins_for_certain(match, text):
                against.append(f"{where(lesson, step)}: {text} costs {cost:.1%}")
    assert not against, "\n".join(against)


def wins_for_certain(match, text):
    """Whether after a choice only its player acts until the end, and can be the only winner."""
    seat, after = match.actor, match.fork()
    after.play(after.texts[text])
    left, seen = [after], set()
    while left:
        now = left.pop()
        if now.over:
            if now.places[seat] == 1 and now.places.count(1) == 1:
                return True
        elif now.actor == seat and now.states.tobytes() not in seen:
            seen.add(now.states.tobytes())
            assert len(seen) < POSITIONS, "too much can happen to look at all of it"
            for choice in now.choices:
                left.append(now.fork())
                left[-1].play(choice)
    return False


# The reader -------------------------------------------------------------------------------

GOOD = """\
# lesson: One house
game: second-story
players: Morgan, Siveny

* flip the-desert
# says: Be thorough: {thorough}.
#   Take your time.
# look: thorough
# clause: SS-13 SS-15
# or quick: That is surer.
# see quick: * roll 2 | * roll 7
# dare: 3 %
1 thorough
* roll 6
1 stop
# play: easy, easy
"""


@pytest.fixture
def write(tmp_path):
    def made(text):
        path = tmp_path / "1-one-house.lesson"
        path.write_text(text)
        return path

    return made


def test_a_lesson_is_read_whole(write):
    lesson = read(write(GOOD))
    first, end = lesson.steps
    assert (lesson.title, lesson.key, lesson.number) == ("One house", "1-one-house", 1)
    assert lesson.play == ["easy", "easy"]
    assert (first.at, first.line, first.look) == (1, 6, ["thorough"])
    assert first.says == "Be thorough: {thorough}. Take your time."
    assert first.clauses == ["SS-13", "SS-15"]
    assert (first.replies, first.dare) == ({"quick": "That is surer."}, 0.03)
    assert first.see == {"quick": ["* roll 2", "* roll 7"]}
    assert lesson.wanted(0) == "thorough"
    assert (end.at, end.says, lesson.wanted(1)) == (4, "", None)
    assert (lesson.words, minutes([lesson])) == (6, 1)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("# dare: 3 %", "# dear: 3 %", 12, "is no line of a lesson|comments begin with"),
        ("# dare: 3 %", "# dare: much", 12, "a share is written as in '3 %'"),
        ("# dare: 3 %", "# or quick: Again.", 12, "a second line"),
        ("# says: Be", "# look: Be", 6, "needs a line '# says"),
        ("# lesson: One house\n", "", 1, "# lesson: TITLE"),
        ("1 thorough", "1 thoroughly", 13, "thoroughly"),
        ("* roll 6", "2 roll 6", 14, "it is for chance"),
    ],
)
def test_a_wrong_line_is_named(write, old, new, line, why):
    with pytest.raises(BadRecord, match=why) as error:
        read(write(GOOD.replace(old, new)))
    assert error.value.line == line


def test_lessons_have_numbers(tmp_path, monkeypatch):
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "first.lesson").write_text(GOOD)
    game = type("Made", (), {"folder": Path(tmp_path)})()
    with pytest.raises(BadRecord, match="NUMBER-NAME"):
        lessons_module.lessons(game)
