"""Whole games in a real browser at a real server: by clicks, by keys alone, without scripts."""

import random
from pathlib import Path

import pytest

from yegg import games

from .browsing import (
    LISTEN,
    READ_OUT,
    TO_ACT,
    bots,
    click,
    friends,
    keys,
    looked_again,
    making_a_choice,
    may_act,
    number,
    over,
    pick,
    press,
    seal,
    seated,
    seen,
)
from .by_keys import bots_by_keys, press_keys, tab_to
from .page_checks import shot
from .people import SS, Player

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide
GAMES = games.names()
SOON = ("stop", "end", "sell", "deed", "done", "+ done", "take-all", "steal", "keep")


def few(*names):
    return [pytest.param(game, marks=() if game in names else WIDE) for game in GAMES]


@pytest.mark.parametrize(
    ("game", "short"),
    [(SS, True), *(pytest.param(name, False, marks=WIDE) for name in ("magnate", "thiefs-market"))],
)
def test_a_whole_game_by_clicks_with_bots(visitor, game, short):
    page, dice = visitor(), random.Random(game)
    bots(page, game, short=short)
    link = page.url.partition("#")[0]
    while press(page, dice, SOON):
        pass
    assert over(page)
    shot(page, f"{game}-end")
    page.locator("#at").fill("3")
    page.wait_for_function("() => document.querySelector('output').textContent.startsWith('3 ')")
    with page.expect_download() as record:
        page.click(".next a:has-text('Record')")
    assert f"game: {game}" in Path(record.value.path()).read_text()
    page.click("button:has-text('Rematch')")
    page.wait_for_url(lambda url: "/t/" in url and link not in url)


@pytest.mark.wide
@pytest.mark.parametrize("game", [SS, "secrets"])
def test_keys_alone_play_a_whole_game(visitor, game):
    page, dice = visitor(), random.Random(game)
    bots_by_keys(page, game, short=False)
    link = page.url.partition("#")[0]
    page.evaluate(LISTEN)
    while press_keys(page, dice, SOON):
        assert page.evaluate("document.activeElement.id"), "the focus is kept on the table"
        page.wait_for_function(READ_OUT)
        page.evaluate("told.splice(0)")
    assert over(page)
    assert page.text_content("#now") in page.text_content("#told")
    assert page.evaluate("document.activeElement.id") == "now"
    keys(page, ["s", "Home", "ArrowRight"])  # the slider
    page.wait_for_function("() => document.querySelector('output').textContent.startsWith('1 ')")
    keys(page, "m")  # once more
    page.wait_for_url(lambda url: "/t/" in url and link not in url)


@pytest.mark.wide(but=["magnate"])
@pytest.mark.parametrize("game", few("magnate", "thiefs-market"))
def test_it_works_without_scripts(visitor, game):
    page, dice = visitor(java_script_enabled=False), random.Random(game)
    bots(page, game)
    choices = "button[name=choice]:not([aria-disabled]):visible"
    for _ in range(4):
        buttons = looked_again(page, page.locator(f"{choices}, [data-over=yes]").all)
        if over(page):
            break
        pick(page, dice)
        dice.choice(buttons).click()
        page.wait_for_load_state()
        assert not page.text_content("#said").strip()
    assert page.query_selector("button[name=choice], .idle, [data-over=yes]")


@pytest.mark.parametrize("game", few("magnate"))
def test_one_click_from_the_lobby_somebody_plays(visitor, game):
    page = visitor("phone")
    page.goto("/")
    page.locator(f"button[name=play][value={game}]").click()
    page.wait_for_selector(f".table.{game} #now")
    page.wait_for_load_state()  # with its style sheets
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.wide
def test_friends_at_one_table_see_each_other_s_moves(visitor):
    pages = visitor(), visitor("phone")
    mine, other = friends(*pages)
    spectator = visitor()
    spectator.goto(mine.url)
    spectator.wait_for_selector("#live .table")
    dice = random.Random(5)
    for _ in range(4):
        may = mine if mine.query_selector(".turn.mine") else other
        press(may, dice)
        for page in (mine, other, spectator):
            seen(page, number(may))
    assert number(mine) == number(other) == number(spectator)
    assert not spectator.query_selector("button[name=choice]")


def test_keys_of_every_table_and_tab_and_enter_alone_are_enough(visitor):
    page = visitor()
    bots(page)
    may_act(page)
    for _ in range(3):
        page.keyboard.down("o")  # from the second time on the browser says that it repeats
    page.keyboard.up("o")
    assert page.get_attribute("#odds", "aria-pressed") == "false", "held down it counts once"
    with making_a_choice(page):
        keys(page, page.get_attribute("button[name=choice]:not([aria-disabled])", "data-key"))
    page.wait_for_function("() => document.getElementById('told').textContent.length > 10")
    page.click(".menu summary")
    page.click(".seldom summary")
    page.uncheck("#keys")
    for _ in range(3):
        if not may_act(page):
            break
        tab_to(page, TO_ACT)
        with making_a_choice(page):
            page.keyboard.press("Enter")


@pytest.mark.wide
def test_what_is_new_in_the_log_is_read_out_once(window):
    bots(window)
    news = """async (logs) => {
        const here = document.querySelector("script[src*='table.js']").src;
        const { news } = await import(new URL("screen_reader.js", here));
        return news(...logs.map(log => [...log]));
    }"""
    for before, now, fresh in (
        ("ba", "cba", "c"),
        ("ba", "ba", ""),
        ("aba", "baba", "b"),  # as two lines before
        ("aa", "aaa", "a"),
        ("xyz", "abcdxyz", "dcba"),
        ("cba", "ba", ""),  # taken back
        ("hgfedc", "jihgfe", "ij"),  # old ones go
        ("hgfedc", "gfedcb", ""),
        ("a", "nmlkjihgfedcb", "cdefghijklmn"),
    ):
        assert "".join(window.evaluate(news, [before, now])) == fresh


# All that is said on the page from now on.
HEARD = """() => {
    window.heard = [];
    const said = document.getElementById("said");
    new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
}"""


def test_orders_can_be_changed_until_all_are_in(visitor):
    page = visitor()
    host, *others = (Player(page.server.client, seed=seed) for seed in range(3))
    host.open("secrets", ["me", "open", "open"])
    for i, other in enumerate(others):
        assert other.join(host.key, you=f"Friend {i}").status_code == 200
    seated(page, host)
    may_act(page)
    for secret in "3456":
        click(page, f"* steals {secret} from 2")
    click(page, "guards 9")
    page.evaluate(HEARD)  # what others do may take a sentence away at once
    with making_a_choice(page):
        keys(page, "c23")
    page.wait_for_function("heard.some(text => text.includes('chosen that already'))")
    with making_a_choice(page):
        keys(page, "d38")  # Diamond: seat 3, secret 8
    click(page, "guards 7")
    page.click("#back")
    page.wait_for_selector("#guard-7:not(.on)")
    click(page, "guards 5")
    for other in others:
        for _ in range(5):
            assert other.act()
    page.wait_for_selector(".scores li:nth-child(3) .tag.good")
    assert page.inner_text("#now") == "Your sheet is full, Guest", "it waits to be sealed"
    seal(page)
    page.wait_for_selector("#report:has-text('Report of turn 1')")
    trips = page.locator(".report tr", has_text="Diamond").first.text_content()
    assert "Friend 1 8" in " ".join(trips.split())


@pytest.mark.wide
@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=WIDE)])
def test_points_of_hidden_secrets_can_be_written_anew(visitor, scripts):
    page = visitor(java_script_enabled=scripts)
    bots(page, "secrets", hidden="yes")
    page.wait_for_selector("#who-a")
    for i, n in enumerate((9, 8, 7)):
        page.click(f"#points-{n}")
        page.wait_for_selector(f".home li:nth-child({i + 1}) .worth")
    page.click("label[for=who-b]")
    assert page.inner_text("#targets") == "Points on B"
    assert not page.is_visible("#points-37"), "nine of the 45 lie on A"
    if scripts:
        page.click("label[for=who-d]")
        page.evaluate(LISTEN)  # what others do may take a sentence away at once
        keys(page, "b12")
    else:
        page.click("#points-12")
    page.wait_for_selector(".home li:nth-child(2) .worth:has-text('12')")
    if scripts:
        page.wait_for_function("() => told.some(text => text.includes('Secret B: 12.'))")
    assert page.inner_text(".home h3 small") == "17 of 45 points left"
    assert page.is_checked("#who-d"), "the next secret is asked for"
    worth = page.locator(".home li:nth-child(2) .worth").bounding_box()
    letter = page.locator(".home li:nth-child(2) .sec").bounding_box()
    assert letter["x"] < worth["x"] < worth["x"] + worth["width"] < letter["x"] + letter["width"]
