"""Emotes in browsers: shown at the crest of whoever makes one, and not sent to who wants none."""

import random

import pytest

from .browsing import friends, number, press, seen, whose
from .page_checks import SHOTS, found, shot
from .test_friends_browser import HEARD

pytestmark = pytest.mark.browser
# The seat of the crest that is nearest to the corner of the sign.
ANCHORED = """() => {
    const sign = document.querySelector(".emote").getBoundingClientRect();
    const away = (crest) => {
        const box = crest.getBoundingClientRect();
        return Math.hypot(box.right - sign.left - 7, box.top - sign.bottom + 8);
    };
    const crests = [...document.querySelectorAll("#live [data-crest]")];
    const there = crests.filter((crest) => crest.checkVisibility());
    return there.sort((a, b) => away(a) - away(b))[0].dataset.crest;
}"""


@pytest.mark.wide
@pytest.mark.parametrize("game", ["second-story", "magnate", "thiefs-market"])
def test_an_emote_is_seen_at_the_crest_by_all_but_who_wants_none(visitor, game):
    pages = [visitor("phone"), visitor(), *([visitor()] if game != "magnate" else [])]
    friends(*pages, game=game)
    mine, hears = pages[:2]
    deaf = pages[2] if game != "magnate" else None
    if deaf:
        deaf.click(".menu summary")
        with deaf.expect_navigation():
            deaf.click("button:has-text('Hear no phrases')")
        deaf.wait_for_selector("#live .table")
        deaf.evaluate(HEARD)
    mine.click(".menu summary")
    assert not found(mine, "emotes")
    shot(mine, f"emotes-{game}")
    mine.click("#emotes button[title='Laughs']")
    for page in (mine, hears):
        page.wait_for_selector(".emote", state="attached")
        page.wait_for_selector("#heard p:has-text('Vera laughs')", state="attached")
        assert page.evaluate(ANCHORED) == "1", "whose seat is the first"
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/emote-{game}-{page.viewport_size['width']}.png")
    first = whose(*pages)[0]
    press(first, random.Random(2))
    for page in (mine, hears):
        page.wait_for_selector(".emote", state="detached")
    if deaf:
        seen(deaf, number(first))
        assert not deaf.evaluate("phrases")
