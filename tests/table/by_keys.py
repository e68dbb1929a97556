"""A person at a browser who has no mouse."""

from yegg import games

from .browsing import (
    KEYLESS,
    LEGAL,
    NUMBER,
    SHORT,
    StaleWrite,
    keys,
    making_a_choice,
    may_act,
    number,
    pick,
    there,
    unless_overtaken,
)

# What can be pressed by its key now: the key of each choice, and what it is.
KEYED = """() => [...document.querySelectorAll("button[name=choice]:not([aria-disabled])")]
    .filter(b => !b.value.includes("*") || document.querySelector("[name=who]:checked"))
    .filter(b => b.checkVisibility())
    .map(b => [(b.dataset.key ? b : b.querySelector("[data-key]"))?.dataset.key, b.value])
    .filter(([key]) => key)"""
# Keys that only open or choose something: a card, a spy, a drawer.
OPENING = """() => [...document.querySelectorAll(
    "#live :is(summary[data-key], input[type=radio][data-key], label [data-key])")]
    .filter(e => e.checkVisibility() || e.type === "radio").map(e => e.dataset.key)"""


def tab_to(page, wanted):
    """Press Tab until the focus is on something."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"Tab does not come to {wanted}")


def bots_by_keys(page, game, bot="uniform", *, short=False):
    """Open a table against simple bots and sit at it, without a mouse."""
    page.goto(f"/?game={game}")
    tab_to(page, "select[name=seat2]")
    for seat in range(2, games.find(game).players[-1] + 1):
        wanted = "" if seat > games.find(game).usual else bot
        page.keyboard.press("Home")
        while page.input_value(f"select[name=seat{seat}]") != wanted:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
    if short:
        option, value = SHORT[game]
        tab_to(page, "#house-rules summary")
        page.keyboard.press("Enter")
        tab_to(page, f"[name=opt-{option}]")
        while page.input_value(f"[name=opt-{option}]") != value:
            page.keyboard.press("ArrowUp")
    tab_to(page, "button.act")
    page.keyboard.press("Enter")
    there(page)


def press_keys(page, dice, likes=()):
    """Make a choice by its keys, mostly one that is liked; whether the game goes on."""
    if not may_act(page):
        return False
    before, legal, missing = page.evaluate(f"() => [{NUMBER}, ({LEGAL})(), ({KEYLESS})()]")
    assert not missing, f"no key for {missing}"
    if page.query_selector("#seal-now"):
        with making_a_choice(page):
            keys(page, "l")
        return True
    if not legal:  # the others were ready between two looks
        return press_keys(page, dice, likes)
    for box in pick(page, dice, pressed=True):
        assert box.is_checked(), "a key picks"
    opening = page.evaluate(OPENING)
    if opening and dice.random() < 0.6:
        keys(page, dice.choice(opening))
        now, on = page.evaluate(f"() => [{NUMBER}, document.activeElement.localName]")
        assert on in ("input", "summary") or now > before, "what was chosen is not read out"
    found = page.evaluate(KEYED)
    assert found or number(page) > before, "no choice has a key"
    liked = [pair for pair in found if pair[1].startswith(likes)] if likes else []
    with unless_overtaken(page, before):
        if not found:
            raise StaleWrite("between two looks")
        key, _ = dice.choice(liked if liked and dice.random() < 0.7 else found)
        with making_a_choice(page):
            keys(page, key)
    return True
