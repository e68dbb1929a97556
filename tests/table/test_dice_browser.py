"""A browser notes what it was promised, gives salt of its own, and checks the dice by itself."""

import json
import random

import pytest
from test_promised import SALTS, SEED, played

from yegg.contract.cases import FEW, Case
from yegg.engine.promised import Pledge, compared, draws, has_chance, key, promise
from yegg.table.render import static_files

from .browsing import press, there
from .page_checks import found

pytestmark = pytest.mark.browser

CHECK = """async ([script, dice]) => {
    const made = await import(script);
    const key = [...(await made.keyOf(dice))].map((b) => b.toString(16).padStart(2, "0")).join("");
    return [await made.promiseOf(dice.seed), key, await made.check(dice)];
}"""


def as_sent(match, salts, after=0):
    """A finished game's dice as the server tells them."""
    told = [draw._asdict() for draw in draws(match) if draw.event > after]
    return {
        "promise": promise(SEED),
        "after": after,
        "salts": {str(seat): salt for seat, salt in salts.items()},
        "seed": SEED.hex(),
        "draws": told,
    }


def both(page, match, pledge, dice):
    """What the browser and what Python find in the same dice."""
    script = static_files.address("checking.js")
    said, made, wrong = page.evaluate(CHECK, [script, dice])
    assert said == promise(bytes.fromhex(dice["seed"]))
    assert made == pledge.key.hex()
    due = [fault.event for fault in compared(match, pledge)[1]]
    return [event for event in wrong if event], due


def test_a_browser_notes_the_promise_and_checks_the_game_at_its_end(visitor):
    page = visitor()
    page.goto("/?game=second-story")
    promised = page.get_attribute("#quick [data-salt]", "data-promise")
    mine = page.input_value("#quick [data-salt]")
    again = visitor()
    again.goto("/")
    assert again.input_value("#quick [data-salt]") != mine, "it is a throw of dice, too"
    for seat, sits in enumerate(("me", "uniform", "", "", ""), 1):
        page.select_option(f"select[name=seat{seat}]", sits)
    page.click("details.houserules summary")
    page.select_option("[name=opt-chips]", "3")
    page.click("details.salt summary")
    assert promised in page.inner_text("details.salt")
    page.fill("details.salt input", "my-own-word")
    assert not found(page, "lobby-salt")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector(".newhere:has-text('These dice were sealed before you sat down')")
    page.click(".newhere a:has-text('What that means')")
    page.wait_for_selector("#noted:has-text('This browser noted this promise before you sat down')")
    assert "Your salt is the one that it gave" in page.inner_text("#noted")
    assert promised in page.inner_text(".dicing")
    assert "my-own-word" in page.inner_text(".dicing")
    assert not found(page, "dice-going")
    page.go_back()
    there(page)
    dice = random.Random(2)
    while press(page, dice, ("stop",)):
        pass
    page.click("a:has-text('Check the dice')")
    page.click("#check-here")
    page.wait_for_selector("#checked.good")
    page.click("#steps summary")
    signs = page.locator("[data-good]").all_text_contents()
    assert signs == ["✓"] * len(signs)
    assert len(signs) > 3
    assert not found(page, "dice-over")


@pytest.mark.wide
def test_a_browser_that_was_promised_other_dice_says_so(visitor):
    """The server shows one promise before, and keeps another: nothing was noted of that one."""
    page = visitor()
    page.goto("/?game=magnate")
    page.evaluate("document.querySelector('#quick [name=ticket]').value = ''")
    page.click("button[value=magnate]:has-text('Against bots')")
    page.wait_for_selector(".at-table")
    page.goto(page.get_attribute("#dice a", "href"))
    assert "did not see the promise before you sat down" in page.inner_text("#noted")


@pytest.mark.wide
def test_python_and_the_browser_find_the_same_in_twenty_records(visitor):
    page, dice = visitor(), random.Random(7)
    page.goto("/")
    few = [case for case in FEW if has_chance(case.game)]
    few.append(Case("second-story", 4, (("chips", "3"),)))
    for n in range(20):
        case, after = few[n % 4], 0 if n % 3 else 10
        salts = {} if n % 5 == 0 else SALTS
        match = played(case, n, salts, after)
        sent = as_sent(match, salts, after)
        pledge = Pledge(promise(SEED), salts, after, SEED.hex())
        assert both(page, match, pledge, sent) == ([], [])
        # a salt that was changed, and a die
        other = Pledge(promise(SEED), {**salts, 1: "other"}, after, SEED.hex())
        wrong, due = both(page, match, other, {**sent, "salts": {**sent["salts"], "1": "other"}})
        assert wrong == due
        assert len(due) > 5
        bent = json.loads(json.dumps(sent))
        draw = dice.choice([draw for draw in bent["draws"] if len(draw["texts"]) > 1])
        draw["drawn"] = (draw["drawn"] + 1) % len(draw["texts"])
        assert both(page, match, pledge, bent)[0] == [draw["event"]]
        bent["seed"] = bytes(32).hex()
        script = static_files.address("checking.js")
        assert page.evaluate(CHECK, [script, bent])[2][0] is None, (
            "the seed is not the one promised"
        )
        assert key(bytes(32), salts).hex() != pledge.key.hex()
