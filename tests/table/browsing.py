"""A person at a browser: what they see, press and wait for."""

import os
from pathlib import Path

from yegg import games

SHOTS = Path(os.environ.get("YEGG_SHOTS", "shots"))
SIZES = {"desktop": (1280, 800), "tablet": (820, 1100), "phone": (360, 740)}
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

TO_ACT = "[data-over=yes], button[name=choice]:not([aria-disabled])"
NUMBER = "document.querySelector('#live [data-number]').dataset.number"
# Every choice that can be pressed now, or after its drawer has been opened.
LEGAL = """() => [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")]
    .filter(b => b.checkVisibility() || b.closest("details:not([open])")?.checkVisibility())
    .map(b => b.value)"""
# Choices that cannot be pressed with a finger, whatever is scrolled, opened or chosen before.
HIDDEN = """() => {
    const all = [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")];
    const missing = new Set(all.map(b => b.value));
    const look = () => {
        for (const b of all.filter(b => missing.has(b.value) && b.checkVisibility())) {
            b.scrollIntoView({block: "center", inline: "center"});
            const r = b.getBoundingClientRect();
            const at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
            if (b.contains(at)) missing.delete(b.value);
        }
    };
    look();
    for (const drawer of document.querySelectorAll("#live details")) {
        drawer.open = true;
        look();
        drawer.open = false;
    }
    const radios = [...document.querySelectorAll("#live input[type=radio]")];
    const chosen = radios.find(r => r.checked);
    for (const radio of radios) {
        radio.click();
        look();
    }
    chosen?.click();
    scrollTo(0, 0);
    return [...missing];
}"""


def number(page):
    return page.evaluate(NUMBER)


def over(page):
    return page.query_selector("[data-over=yes]") is not None


def until_changed(page, before):
    """Wait until the view is another, or something was said."""
    page.wait_for_function(
        f"n => {NUMBER} != n || document.getElementById('said').textContent", arg=before
    )


def may_act(page):
    """Wait for one's turn; whether the game goes on."""
    page.wait_for_function(
        """wanted => [...document.querySelectorAll(wanted)].some(e => e.checkVisibility())""",
        arg=TO_ACT,
    )
    return not over(page)


def bots(page, game, bot="uniform"):
    """Open a table against simple bots and sit at it."""
    page.goto(f"/?game={game}")
    for select in page.query_selector_all("select[name^=seat]"):
        values = [o.get_attribute("value") for o in select.query_selector_all("option")]
        seat = int(select.get_attribute("name")[4:])
        if seat > 1:
            no_seat = seat > games.find(game).usual and "" in values
            select.select_option("" if no_seat else bot)
    page.click("button:has-text('Open the table')")
    page.wait_for_selector(".at-table")


def press(page, dice):
    """Press any legal choice where it lies; whether the game goes on."""
    if not may_act(page):
        return False
    before, legal = number(page), page.evaluate(LEGAL)
    if legal:
        click(page, dice.choice(legal), before)
    return True


def click(page, value, before):
    """Press a choice, in its drawer if it lies in one."""
    from playwright.sync_api import Error

    button = page.locator(f'button[name=choice][value="{value}"]:not([aria-disabled])')
    try:
        if not button.locator("visible=true").count():
            page.locator("#live details", has=button).locator("summary").first.click(timeout=5000)
        button.locator("visible=true").first.click(timeout=5000)
    except Error:
        assert number(page) != before, f"{value} cannot be pressed"
        return  # another's event came between: look again
    until_changed(page, before)


def shot(page, name):
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)
