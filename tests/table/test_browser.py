"""Real people's way: a real browser, headless, at a real server."""

import random
from pathlib import Path

import pytest

from yegg import games

from .browsing import (
    LISTEN,
    READ_OUT,
    TO_ACT,
    bots,
    bots_by_keys,
    click,
    keys,
    looked_again,
    making_a_choice,
    may_act,
    number,
    over,
    pick,
    press,
    press_keys,
    shot,
    tab_to,
    there,
    until,
)
from .test_lost_browser import SOONER
from .test_seats_browser import whose

pytestmark = pytest.mark.browser
GAMES = games.names()
SOON = ("stop", "end", "sell", "deed", "done", "+ done", "take-all", "steal", "keep")


WIDE = pytest.mark.wide


def whole(game):
    """A short game of this, and in the long tests whole games of all, by the published rules."""
    usual = [pytest.param(name, False, marks=WIDE, id=name) for name in GAMES]
    return [pytest.param(game, True, id=f"{game}-short"), *usual]


@pytest.mark.parametrize(("game", "short"), whole("second-story"))
def test_a_whole_game_by_clicks_with_bots(visitor, game, short):
    page, dice = visitor(), random.Random(game)
    bots(page, game, short=short)
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
    page.wait_for_url(lambda url: "/t/" in url)


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=() if g in ("magnate", "secrets") else WIDE) for g in GAMES]
)
def test_one_click_from_the_lobby_somebody_plays(visitor, game):
    page = visitor("phone")
    page.goto("/")
    page.locator(f"button[name=play][value={game}]").click()
    page.wait_for_selector(f".table.{game} #now")
    page.wait_for_load_state()  # with its style sheets
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_friends_at_one_table_see_each_other_s_moves(visitor):
    host, friend, spectator = visitor(), visitor("phone"), visitor()
    host.goto("/?game=second-story")
    host.select_option("select[name=seat3]", "")
    host.click("button:has-text('Open the table')")
    link = host.input_value("#link")
    friend.goto(link)
    friend.fill("input[name=you]", "Frieda")
    friend.click("button:has-text('Sit down')")
    there(friend)
    spectator.goto(link)
    dice = random.Random(5)
    for _ in range(6):
        mine, _ = whose(host, friend)
        press(mine, dice)
        for page in (host, friend, spectator):
            until(page, number(mine))
    assert number(host) == number(friend) == number(spectator)
    assert not spectator.query_selector("button[name=choice]")


@WIDE
def test_pieces_that_move_are_in_nobody_s_way(visitor):
    page, dice = visitor(reduced_motion="no-preference"), random.Random(8)
    bots(page, "second-story")
    page.evaluate(LISTEN)
    for _ in range(12):
        if not press(page, dice):
            break
    page.wait_for_function("() => told.length > 3")
    for _ in range(3):
        page.reload()
    page.wait_for_selector("#now")


def test_a_lost_connection_comes_back(visitor, server):
    page, dice = visitor(), random.Random(2)
    page.add_init_script(SOONER)
    bots(page, "second-story")
    press(page, dice)
    may_act(page)
    before = number(page)
    page.context.set_offline(True)
    page.locator(CHOICES).first.click()
    page.wait_for_function(
        "() => document.getElementById('said').textContent.includes('No connection')"
    )
    server.kill()
    page.context.set_offline(False)
    page.wait_for_selector("#away:visible")
    server.start()
    page.wait_for_selector("#away", state="hidden")
    assert number(page) == before, "what was not acknowledged was not done"
    for _ in range(3):
        press(page, dice)
    assert number(page) != before


@pytest.mark.parametrize(("game", "short"), whole("secrets"))
def test_keys_alone_play_a_whole_game(visitor, game, short):
    page, dice = visitor(), random.Random(game)
    bots_by_keys(page, game, short=short)
    link = page.url
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
    page.wait_for_url(lambda url: link not in url)


def test_keys_without_letters_are_enough(visitor):
    page = visitor()
    bots(page, "second-story")
    page.click(".menu summary")
    page.uncheck("#keys")
    for _ in range(6):
        if not may_act(page):
            break
        tab_to(page, TO_ACT)
        with making_a_choice(page):
            page.keyboard.press("Enter")


def test_keys_of_every_table(visitor):
    page = visitor()
    bots(page, "second-story")
    may_act(page)
    keys(page, "r")
    page.wait_for_selector("dialog[open] .prose li")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")
    assert page.get_attribute("#odds", "aria-pressed") == "true"
    keys(page, "o")
    assert page.get_attribute("#odds", "aria-pressed") == "false"
    with making_a_choice(page):
        keys(page, page.get_attribute("button[name=choice]:not([aria-disabled])", "data-key"))
    page.wait_for_function("() => document.getElementById('told').textContent.length > 10")


def test_what_is_new_in_the_log_is_read_out_once(visitor):
    page = visitor()
    bots(page, "second-story")
    news = """async (logs) => {
        const script = await import(document.querySelector("script[src*='table.js']").src);
        return script.news(...logs.map(log => [...log]));
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
        assert "".join(page.evaluate(news, [before, now])) == fresh


CHOICES = "button[name=choice]:not([aria-disabled]):visible"


FORMS = ("magnate", "thiefs-market")


@pytest.mark.parametrize("game", [pytest.param(g, marks=() if g in FORMS else WIDE) for g in GAMES])
def test_it_works_without_scripts(visitor, game):
    page, dice = visitor(java_script_enabled=False), random.Random(game)
    bots(page, game)
    for _ in range(4):
        buttons = looked_again(page, page.locator(f"{CHOICES}, [data-over=yes]").all)
        if over(page):
            break
        pick(page, dice)
        dice.choice(buttons).click()
        page.wait_for_load_state()
        assert not page.text_content("#said").strip()
    assert page.query_selector("button[name=choice], .idle, [data-over=yes]")


# All that is said on the page from now on.
HEARD = """() => {
    window.heard = [];
    const said = document.getElementById("said");
    new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
}"""


def test_orders_can_be_changed_until_all_are_in(visitor):
    first = visitor()
    first.goto("/?game=secrets")
    for seat in range(2, 7):
        first.select_option(f"select[name=seat{seat}]", "open" if seat < 4 else "")
    first.click("button:has-text('Open the table')")
    others = [visitor("phone"), visitor()]
    for i, other in enumerate(others):
        other.goto(first.input_value("#link"))
        other.fill("input[name=you]", f"Friend {i}")
        other.click("button:has-text('Sit down')")
    may_act(first)
    for secret in "3456":
        click(first, f"* steals {secret} from 2")
    click(first, "guards 9")
    others[0].wait_for_selector(".tag.good")
    first.evaluate(HEARD)  # what others do may take a sentence away at once
    with making_a_choice(first):
        keys(first, "c23")
    first.wait_for_function("heard.some(text => text.includes('chosen that already'))")
    with making_a_choice(first):
        keys(first, "d38")  # Diamond: seat 3, secret 8
    click(first, "guards 7")
    first.click("#back")
    first.wait_for_selector("#guard-7:not(.on)")
    click(first, "guards 5")
    dice = random.Random(1)
    for _ in range(5):
        for other in others:
            assert "8" not in (other.text_content("#report") or "")
            press(other, dice)
    first.wait_for_selector("#report:has-text('Report of turn 1')")
    told = first.text_content(".report")
    assert " ".join(told.split()).count("3") >= 1
    trips = first.locator(".report tr", has_text="Diamond").first.text_content()
    assert "Friend 1 8" in " ".join(trips.split())


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=WIDE)])
def test_points_of_hidden_secrets_can_be_written_anew(visitor, scripts):
    page = visitor(java_script_enabled=scripts)
    page.goto("/?game=secrets")
    page.click("#house-rules summary")
    page.select_option("[name=opt-hidden]", "yes")
    for seat in range(4, 7):
        page.select_option(f"select[name=seat{seat}]", "")
    for seat in (2, 3):
        page.select_option(f"select[name=seat{seat}]", "uniform")
    page.click("button:has-text('Open the table')")
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
