"""A finger meets everything to press on a phone: in play, in menus, in lessons, in the lobby."""

import pytest

from .browsing import at, sit
from .moments import MOMENTS
from .targets import missed
from .test_lessons_browser import LESSONS

pytestmark = pytest.mark.browser
FEW = ("second-story-plan", "thiefs-market-market", "magnate-card", "secrets-policeman")
OPENED = "() => { for (const part of document.querySelectorAll('main details')) part.open = true; }"
CHOSEN = "input:is([name=way], [name=who], [name=pick])"


@pytest.mark.parametrize(
    "moment",
    [pytest.param(m, marks=() if str(m) in FEW else pytest.mark.wide, id=str(m)) for m in MOMENTS],
)
def test_a_finger_meets_everything_on_a_table(window, server, moment):
    page = window
    at(page, "phone", "light")
    sit(page, server, moment)
    assert not missed(page)
    page.evaluate(OPENED)
    assert not missed(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for choice in page.query_selector_all(f"#live {CHOSEN}"):
        choice.evaluate("e => e.click()")
        assert not missed(page)
    page.click(".menu summary")
    assert not missed(page)


@pytest.mark.parametrize(
    "path", ["/", "/?game=thiefs-market", "/me", "/rules/secrets", "/learn/magnate"]
)
def test_a_finger_meets_everything_on_other_pages(window, path):
    at(window, "phone", "light")
    window.goto(path)
    assert not missed(window)
    window.evaluate(OPENED)
    assert not missed(window)


@pytest.mark.wide
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.game.name}-{one.number}")
def test_a_finger_meets_everything_in_a_lesson(window, lesson):
    at(window, "phone", "light")
    for n in range(len(lesson.steps)):
        window.goto(f"/learn/{lesson.game.name}/{lesson.key}?at={n}")
        assert not missed(window), n
