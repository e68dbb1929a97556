"""What a person sets in the browser: day or night, sounds, the menu; the form of a new table."""

import random

import pytest

from .browsing import bots, friends, may_act, press, there
from .page_checks import found
from .people import SS, Player

pytestmark = pytest.mark.browser

# What can be pressed or set in the menu as it opens; a label and its button are one thing.
THINGS = """() => [...document.querySelectorAll(
    ".menu .panel > :is(form, section:not(.seeing), a, details), .seeing > label"
)].filter(e => e.checkVisibility()).length"""
NIGHT = "getComputedStyle(document.body).backgroundColor"
BUSY = "document.getElementById('why-%s').textContent"


def test_what_cannot_go_together_is_grey_and_says_why(visitor):
    page = visitor()
    page.goto("/?game=magnate")
    page.click("#house-rules summary")
    automa = page.locator("[name=opt-automa]")
    assert automa.locator("option:disabled").count() == 2
    assert "for 1 player" in page.inner_text("#why-automa")
    page.select_option("[name=seat2]", "")
    assert automa.input_value() == "easy", "alone one plays against the automa"
    assert "for 2 players" in page.inner_text("#why-automa")
    page.select_option("[name=seat2]", "open")
    assert automa.input_value() == "no"
    page.select_option("[name=opt-districts]", "4")
    assert page.is_disabled("[name=opt-excuse-start]")
    assert "the Excuse is no district" in page.inner_text("#why-excuse-start")
    assert not found(page, "house-rules")
    page.select_option("[name=opt-districts]", "5")
    assert page.is_enabled("[name=opt-excuse-start]")
    assert not page.inner_text("#why-excuse-start")


def test_day_and_night_are_chosen_in_the_menu_and_hold_on_every_page(visitor):
    page = visitor(color_scheme="dark")
    bots(page)
    night = page.evaluate(NIGHT)
    page.click(".menu > summary")
    page.select_option("#theme", "light")
    day = page.evaluate(NIGHT)
    assert day != night
    assert not found(page, "day")
    page.goto("/")
    assert page.evaluate(NIGHT) == day
    page.emulate_media(color_scheme="light")
    page.evaluate("localStorage.setItem('yegg-theme', 'dark')")
    page.reload()
    assert page.evaluate(NIGHT) == night
    page.evaluate("localStorage.removeItem('yegg-theme')")
    page.reload()
    assert page.evaluate(NIGHT) == day


def test_the_menu_has_ten_things_at_most_and_phrases_where_somebody_reads_them(visitor):
    mine, other = friends(visitor(), visitor())
    mine.click(".menu > summary")
    assert mine.is_visible("#say")
    assert mine.evaluate(THINGS) <= 10
    assert "Close the table" in mine.inner_text(".menu .panel")
    other.goto("/")
    bots(other)
    other.click(".menu > summary")
    assert not other.is_visible("#say")
    assert 5 < other.evaluate(THINGS) <= 10
    assert "Resign" in other.inner_text(".menu .panel")
    assert not found(other, "menu")
    other.click(".seldom summary")
    assert not found(other, "menu-more")


@pytest.mark.wide
def test_phrases_come_when_somebody_sits_down(visitor):
    page = visitor()
    host = Player(page.server.client).open(SS, ["me", "open"], you=page.called)
    page.context.add_cookies([{"name": "yegg", "value": host.token, "url": page.server.base}])
    page.goto(f"/t/{host.key}")
    there(page)
    page.click(".menu > summary")
    assert not page.is_visible("#say")
    Player(page.server.client).join(host.key, you="Ben")
    page.wait_for_selector("#say", state="visible")


def test_sounds_are_offered_once_at_the_first_roll(visitor):
    page = visitor()
    bots(page)
    dice = random.Random(5)
    while not page.query_selector(".offer"):
        may_act(page)
        assert press(page, dice), "nobody has rolled"
    assert not found(page, "offer")
    page.click(".offer button:has-text('Yes')")
    assert not page.query_selector(".offer")
    assert page.input_value("#sound") == "50"
    assert page.evaluate("localStorage['yegg-sound']") == "on"
    page.evaluate("localStorage.removeItem('yegg-sound')")
    page.reload()
    there(page)
    for _ in range(3):
        may_act(page)
        press(page, dice)
    assert not page.query_selector(".offer")


SPOKEN = "<h2>Coach</h2><p class='spoken'>Stop.</p>"


def first_game(page, advice):
    """From the last lesson to the first game, whose coach's answers are given by ``advice``."""
    page.route("**/advice*", advice)
    page.goto("/learn/second-story/")
    page.goto(f"{page.locator('.lessons a').last.get_attribute('href')}?at=999")
    page.click("#play-now")
    there(page)
    page.wait_for_selector(".newhere:has-text('the coach speaks in your first two turns')")


def test_after_the_last_lesson_the_coach_speaks_in_two_turns_and_not_in_the_third(visitor):
    page, asked = visitor(called=""), []

    def advice(route):
        asked.append(route.request.url)
        route.fulfill(content_type="text/html", body=SPOKEN)

    first_game(page, advice)
    dice, turns = random.Random(3), []
    while len(turns) < 3:
        may_act(page)
        left = page.evaluate("JSON.parse(sessionStorage.getItem('yegg-coached'))?.left ?? -1")
        if turns[-1:] != [left]:
            turns.append(left)
            before = len(asked)
        if left >= 0:
            page.wait_for_selector("#said:has-text('Stop.'), #coach:has-text('Stop.')")
            assert asked
        else:
            assert len(asked) == before, "from the third turn on it speaks if it is asked"
        press(page, dice, ("stop",))
    assert turns == [1, 0, -1]


def test_a_coach_whose_answer_comes_too_late_is_asked_again(visitor):
    page, asked = visitor(called=""), []

    def advice(route):
        asked.append(route)
        if len(asked) > 1:  # the first answer comes after a choice was made
            route.fulfill(content_type="text/html", body=SPOKEN)

    first_game(page, advice)
    dice = random.Random(3)
    while len(asked) < 2:
        assert press(page, dice, ("stop",)), "the game is over, and the coach was asked only once"
    asked[0].fulfill(content_type="text/html", body=SPOKEN.replace("Stop", "Too late"))
    page.wait_for_selector("#coach:has-text('Stop.')")


def test_the_teacher_says_what_is_shown_meanwhile(visitor):
    page = visitor("phone", pace="slow")
    page.goto("/learn/second-story/")
    page.wait_for_load_state()
    page.evaluate("""() => {
        [window.said, window.high] = [[], []];
        const speech = document.getElementById("teacher");
        const hear = () => {
            said.push(speech.querySelector(".speech").textContent.trim());
            high.push(speech.offsetHeight);
        };
        hear();
        new MutationObserver(hear).observe(speech, {childList: true, subtree: true});
    }""")
    page.click("#live button[data-ring]")
    page.wait_for_function("() => document.body.dataset.step === '1'")
    said, high = page.evaluate("[said, high]")
    shown = [i for i, text in enumerate(said) if "is thorough at" in text]
    assert shown
    assert all(high[i] >= high[0] for i in shown), "the table below stays where it is"
