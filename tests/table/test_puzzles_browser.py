"""Puzzles in a real browser: by keys, on a phone, and with nothing that axe objects to."""

import pytest

from yegg import games
from yegg.lessons import puzzles

from .browsing import still
from .page_checks import found, shot

pytestmark = pytest.mark.browser
NAMES = [name for name in games.names() if puzzles(games.find(name))]
PUZZLE = puzzles(games.find("second-story"))[0]
HERE = "/puzzles/second-story/1"


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_puzzle_is_answered_on_its_page_and_enter_leads_to_the_next(visitor, size):
    page = visitor(size)
    page.goto(HERE)
    page.wait_for_selector("#teacher :text('What would you do?')")
    page.click(f"button[value={PUZZLE.next.text}]")
    page.wait_for_selector("#teacher :text('there is a better choice')")
    assert page.url.endswith(f"{HERE}?choice={PUZZLE.next.text}")
    still(page)
    assert found(page, size) == []
    shot(page, f"puzzle-{size}")
    page.keyboard.press("Enter")
    page.wait_for_url("**/puzzles/second-story/2")


def test_a_puzzle_is_answered_by_a_key_and_the_back_button_asks_it_again(visitor):
    page = visitor()
    page.goto(HERE)
    page.keyboard.press(PUZZLE.best.text[0])
    page.wait_for_selector("#teacher :text('that is the best choice')")
    assert page.url.endswith(f"?choice={PUZZLE.best.text}")
    page.go_back()
    page.wait_for_selector("#teacher :text('What would you do?')")
    assert page.url.endswith(HERE)


@pytest.mark.wide
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("name", NAMES)
def test_every_game_asks_its_first_puzzle(visitor, name, size):
    page = visitor(size)
    page.goto(f"/puzzles/{name}/1")
    still(page)
    assert found(page, size) == []
    page.goto("/puzzles")
    assert found(page, size) == []
    shot(page, f"puzzles-{size}")
