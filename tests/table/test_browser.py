"""Real people's way: a real browser, headless, at a real server."""

import random
from pathlib import Path

import pytest

from yegg import games

from .browsing import bots, may_act, number, over, press, shot, until_changed

pytestmark = pytest.mark.browser
GAMES = games.names()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_clicks_with_bots(visitor, game):
    page, dice = visitor(), random.Random(game)
    bots(page, game)
    for step in range(600):
        if step in (0, 3, 9, 27):
            shot(page, f"{game}-{step}")
        if not press(page, dice):
            break
    assert over(page)
    shot(page, f"{game}-over")
    page.locator("#at").fill("3")
    page.wait_for_function("document.querySelector('output').textContent.startsWith('3 ')")
    with page.expect_download() as record:
        page.click(".next a:has-text('Record')")
    assert f"game: {game}" in Path(record.value.path()).read_text()
    page.click("button:has-text('Rematch')")
    page.wait_for_url(lambda url: "/t/" in url)


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_shows_line_and_dock_without_scrolling_sideways(visitor, game):
    page = visitor("phone", color_scheme="light")
    bots(page, game)
    page.wait_for_selector("button[name=choice]:not([aria-disabled]):visible")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page, f"{game}-phone")


def test_friends_at_one_table_see_each_other_s_moves(visitor):
    host, friend, spectator = visitor(), visitor("phone"), visitor()
    host.goto("/?game=second-story")
    host.select_option("select[name=seat3]", "")
    host.click("button:has-text('Open the table')")
    link = host.input_value("#link")
    friend.goto(link)
    friend.fill("input[name=you]", "Frieda")
    friend.click("button:has-text('Sit down')")
    host.wait_for_selector(".lairs")
    spectator.goto(link)
    people, dice = [host, friend], random.Random(5)
    for _ in range(12):
        mine = next((p for p in people if p.query_selector("button[name=choice]")), None)
        assert mine, "nobody may act"
        before = number(mine)
        press(mine, dice)
        for page in (host, friend, spectator):
            page.wait_for_function(
                "n => document.querySelector('#live [data-number]').dataset.number != n", arg=before
            )
    assert number(host) == number(friend) == number(spectator)
    assert not spectator.query_selector("button[name=choice]")


def test_a_lost_connection_comes_back(visitor, house):
    page, dice = visitor(), random.Random(2)
    bots(page, "second-story")
    press(page, dice)
    page.context.set_offline(True)
    page.locator("button[name=choice]:not([aria-disabled])").first.click()
    page.wait_for_function("document.getElementById('said').textContent.includes('reached')")
    page.context.set_offline(False)
    house.kill()
    house.start()
    page.wait_for_timeout(2500)
    for _ in range(3):
        press(page, dice)


def test_the_keyboard_alone(visitor):
    page = visitor()
    bots(page, "second-story")
    for _ in range(25):
        page.wait_for_selector("[data-over=yes], button[name=choice]:not([aria-disabled]):visible")
        button = page.query_selector("button[name=choice]:not([aria-disabled])[data-key]")
        before = number(page)
        page.keyboard.press(button.get_attribute("data-key"))
        page.wait_for_function(
            "n => document.querySelector('#live [data-number]').dataset.number != n", arg=before
        )
        focused = page.evaluate("document.activeElement.id")
        assert focused, "the focus is kept on the table"
    page.keyboard.press("r")
    page.wait_for_selector("dialog[open] .prose li")
    page.keyboard.press("Escape")
    assert page.get_attribute("#odds", "aria-pressed") == "true"
    page.keyboard.press("o")
    assert page.get_attribute("#odds", "aria-pressed") == "false"


def test_it_works_without_scripts(visitor):
    page = visitor(java_script_enabled=False)
    bots(page, "second-story")
    for _ in range(4):
        for _ in range(100):
            button = page.query_selector("button[name=choice]:not([aria-disabled])")
            if button:
                break
            page.wait_for_timeout(100)
            page.reload()
        button.click()
        page.wait_for_load_state()
    assert page.query_selector("button[name=choice], .idle, [data-over=yes]")
