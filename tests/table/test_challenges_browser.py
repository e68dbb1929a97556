"""A challenge in a browser: made at the end of a game, taken by a friend on a phone, compared."""

import pytest

from .browsing import SIZES
from .page_checks import found, missed, shot

pytestmark = pytest.mark.browser
PHONE = {"width": 360, "height": 740}
# Play a game to its end through the API, by the first button, or by others in turn.
PLAY = """async (which) => {
    const api = `/api/games/${document.body.dataset.table}`;
    const mark = document.querySelector("meta[name=csrf]").content;
    const head = {"Content-Type": "application/json", "X-CSRF-Token": mark};
    let now, refused = "";
    for (const end = Date.now() + 150_000; Date.now() < end;) {
        now = await (await fetch(api)).json();
        if (now.over) return "";
        if (!now.choices.length) { await new Promise(done => setTimeout(done, 20)); continue; }
        const {text} = now.choices[(which && which + now.number) % now.choices.length];
        const body = JSON.stringify({choice: text, after: now.number});
        const answer = await fetch(`${api}/choices`, {method: "POST", headers: head, body});
        if (!answer.ok) refused = await answer.text();
    }
    return `${refused} ${JSON.stringify(now.turn)} ${now.question}`;
}"""
WIDER = "document.documentElement.scrollWidth > innerWidth"


def fits(page, name):
    """Shots of a page on both sizes; nothing is wrong there."""
    for width, height in ((PHONE["width"], PHONE["height"]), SIZES["desktop"]):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        shot(page, f"{name}-{width}")
        assert not page.evaluate(WIDER), (name, width)
        assert found(page, name) == []
        assert width > PHONE["width"] or missed(page) == []


def test_a_friend_takes_a_challenge_on_a_phone_and_both_games_stand_side_by_side(visitor):
    ann, ben = visitor("phone"), visitor("desktop")
    ann.goto("/")
    ann.fill("label.me input", "Ann")
    ann.click("li.second-story button.go")
    ann.wait_for_url("**/t/*")
    assert ann.evaluate(PLAY, 0) == ""
    ann.wait_for_selector("[data-over=yes]")
    ann.click("text=Challenge a friend")
    ann.wait_for_url("**/challenge/*")
    link = ann.url
    assert link in ann.locator("#result").input_value()
    fits(ann, "challenge-made")
    ben.set_viewport_size(PHONE)
    ben.goto(link)
    fits(ben, "challenge-taken")
    ben.set_viewport_size(PHONE)
    ben.fill("label.me input", "Ben")
    ben.click("text=Play this deal")
    ben.wait_for_url("**/t/*")
    assert ben.evaluate(PLAY, 1) == ""
    ben.wait_for_selector("[data-over=yes]")
    ben.click("text=Compare the games")
    ben.wait_for_url(link)
    assert ben.locator("table.all tbody tr").count() == 2
    assert ben.locator("table.all tr.mine").count() == 1
    assert ben.locator("h3").inner_text() == "Where you first chose differently"
    fits(ben, "challenge-compared")
    ann.goto("/")
    assert "has played your challenge: Second Story." in ann.locator(".answered").inner_text()
