"""Emotes in browsers: shown at the crest of whoever makes one, and not sent to who wants none."""

import random

import pytest

from .browsing import friends, number, press, seen, whose
from .page_checks import SHOTS, found, shot
from .test_friends_browser import HEARD

pytestmark = pytest.mark.browser
# The seats of the crests over whose middle the sign lies.
ANCHORED = """() => {
    const middle = (part) => {
        const box = part.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(document.querySelector(".emote"));
    const crests = [...document.querySelectorAll("#live [data-crest]")].filter((crest) => {
        const [left, top] = middle(crest);
        const near = Math.hypot(left - x, top - y) < 4;
        return near && crest.checkVisibility({visibilityProperty: true});
    });
    return crests.map((crest) => crest.dataset.crest);
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
        page.wait_for_selector("#heard p:has-text('Vera laughs')", state="attached")
        page.wait_for_selector(".emote, #heard p:not(.vh) svg")
        if page.query_selector(".emote"):  # a phone may have no room for the crests of all
            assert page.evaluate(ANCHORED) == ["1"], "whose seat is the first"
        else:
            assert game == "second-story"
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/emote-{game}-{page.viewport_size['width']}.png")
    first = whose(*pages)[0]
    press(first, random.Random(2))
    for page in (mine, hears):
        page.wait_for_selector(".emote, #heard p", state="detached")
    if deaf:
        seen(deaf, number(first))
        assert not deaf.evaluate("phrases")
