"""A person at a browser: what they see, press and wait for."""

import os
from contextlib import contextmanager
from pathlib import Path

from yegg import games

SHOTS = Path(os.environ.get("YEGG_SHOTS", "shots"))
SIZES = {"desktop": (1280, 800), "tablet": (820, 1100), "phone": (360, 740)}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

TO_ACT = "[data-over=yes], button[name=choice]:not([aria-disabled])"
NUMBER = "document.querySelector('#live [data-number]').dataset.number"
# Every choice that can be pressed now, or after its drawer has been opened.
LEGAL = """() => [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")]
    .filter(b => !b.value.includes("*") || document.querySelector("[name=who]:checked"))
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
    for (const radio of radios) radio.checked = radio === chosen;
    scrollTo(0, 0);
    return [...missing];
}"""


def number(page):
    return page.evaluate(NUMBER)


def over(page):
    return page.query_selector("[data-over=yes]") is not None


def until(page, event):
    """Wait until the view knows of an event."""
    page.wait_for_function(f"n => {NUMBER} >= n", arg=event)


@contextmanager
def making_a_choice(page):
    """What is done now makes a choice: wait until it is on the disk and in the view."""
    with page.expect_response(lambda r: r.url.endswith("/choices")) as answer:
        yield
    assert answer.value.ok, answer.value.text()
    until(page, answer.value.json()["number"])


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


def press(page, dice, likes=()):
    """Press any legal choice where it lies, mostly one that is liked; whether the game goes on."""
    if not may_act(page):
        return False
    legal = page.evaluate(LEGAL)
    liked = [value for value in legal if value.startswith(likes)] if likes else []
    click(page, dice.choice(liked if liked and dice.random() < 0.7 else legal))
    return True


def click(page, value):
    """Press a choice, in its drawer if it lies in one."""
    button = page.locator(f'button[name=choice][value="{value}"]:not([aria-disabled])')
    if not button.locator("visible=true").count():
        page.locator("#live details", has=button).locator("summary").first.click()
    with making_a_choice(page):
        button.locator("visible=true").first.click()


def shot(page, name):
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


# What can be pressed by its key now: the keys of each choice, and of what comes before it.
KEYED = """() => [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")]
    .filter(b => !b.value.includes("*") || document.querySelector("[name=who]:checked"))
    .filter(b => b.checkVisibility())
    .map(b => (b.dataset.key ? b : b.querySelector("[data-key]"))?.dataset.key)
    .filter(Boolean)"""


def keys(page, typed):
    for key in typed:
        page.keyboard.press(key)


def press_keys(page, dice):
    """Make a choice by its keys; whether the game goes on."""
    if not may_act(page):
        return False
    cards = page.evaluate(
        "[...document.querySelectorAll('label.card [data-key]')].map(k => k.dataset.key)"
    )
    if cards:  # first a card of the hand
        keys(page, dice.choice(cards))
    found = page.evaluate(KEYED)
    assert found, "no choice has a key"
    with making_a_choice(page):
        keys(page, dice.choice(found))
    return True
