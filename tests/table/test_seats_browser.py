"""Friends come, go and are called something, each in a browser of their own."""

import random

import pytest

from .browsing import LISTEN, found, press, shot, still, there
from .serving import Served

pytestmark = pytest.mark.browser
SS = "second-story"
WIDE = pytest.mark.wide


def opened(page, seats=2):
    """Open a table for friends; the link to send them."""
    page.goto(f"/?game={SS}")
    for seat in range(2, 6):
        page.select_option(f"select[name=seat{seat}]", "open" if seat <= seats else "")
    page.click("button:has-text('Open the table')")
    return page.input_value("#link")


def joined(page, link, name):
    page.goto(link)
    page.fill("input[name=you]", name)
    page.click("button:has-text('Sit down')")
    page.wait_for_selector("#choose", state="attached")
    there(page)


def whose(*pages):
    """Whose turn it is, and the others."""
    for page in pages:
        page.wait_for_selector("#live .table[data-begun=yes] .turn")
        page.wait_for_load_state()
    for _ in range(200):
        mine = next((page for page in pages if page.query_selector(".turn.mine")), None)
        if mine:
            return mine, [page for page in pages if page is not mine]
        still(pages[0])  # what others did is still being shown
    raise AssertionError("it is nobody's turn")


@pytest.mark.parametrize("scripts", [True, False])
def test_who_has_no_name_is_asked_and_then_never_again(visitor, scripts):
    page = visitor("phone", called="", java_script_enabled=scripts)
    page.goto("/")
    page.locator(f"button[name=play][value={SS}]").click()
    page.wait_for_selector(".ask")
    if scripts:
        assert not found(page, "ask")
        page.wait_for_function("() => document.activeElement.matches('.ask [name=you]')")
        page.keyboard.type("Ann")
        page.keyboard.press("Enter")
    else:
        page.fill(".ask input[name=you]", "Ann")
        page.click(".ask button")
    page.wait_for_selector("#live .table")
    assert "Ann" in page.inner_text("#live")
    page.goto("/")
    page.locator(f"button[name=play][value={SS}]").click()
    page.wait_for_selector("#live .table")


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=WIDE)])
def test_a_name_that_is_typed_in_the_lobby_goes_along(visitor, scripts):
    page = visitor(called="", java_script_enabled=scripts)
    page.goto("/")
    page.fill(".me input", "Dee")
    page.click(f".game.{SS} button:has-text('New table')")
    page.wait_for_url("**/?game=*")
    assert page.input_value(".me input") == "Dee"
    page.select_option("select[name=seat3]", "")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector("#live .table")
    assert page.locator(".me .who", has_text="Dee").count()
    page.goto("/")
    if scripts:
        page.fill(".me input", "Delia")
        page.click(".pick a:has-text('Secrets')")
        page.wait_for_url("**/?game=secrets*")
        assert page.input_value(".me input") == "Delia"
        page.goto("/")
    page.fill(".me input", "Dora")
    page.press(".me input", "Enter")
    page.wait_for_load_state()
    assert page.input_value(".me input") == "Dora", "and no game has begun"


def test_the_level_is_chosen_by_keys_and_remembered(visitor):
    page = visitor()
    page.goto("/")
    page.focus("[name=level]:checked")
    page.keyboard.press("ArrowLeft")
    page.click(f"button[name=play][value={SS}]")
    page.wait_for_selector("#live .table")
    page.goto("/")
    assert page.input_value("[name=level]:checked") == "easy"


def test_who_leaves_is_asked_first_and_the_others_go_on_with_a_bot(visitor):
    ann, ben, cid = visitor(), visitor("phone"), visitor()
    link = opened(ann, 3)
    joined(ben, link, "Ben")
    joined(cid, link, "Ben")
    gone, (one, other) = whose(ann, ben, cid)
    one.evaluate(LISTEN)
    gone.click(".menu summary")
    assert not gone.is_visible("button:has-text('Yes, leave')")
    gone.click(".leave summary")
    gone.click("button:has-text('Yes, leave')")
    gone.wait_for_selector(".join")
    for page in (one, other):
        page.wait_for_selector(".gone")
        assert "is free" in page.inner_text(".gone")
    assert not found(one, "gone")
    one.wait_for_function("() => told.some(text => text.includes('leaves the table'))")
    shot(one, "seats-gone")
    one.select_option("#which-bot", "uniform")
    one.click(".gone .put button")
    there(one)
    other.wait_for_selector(".gone", state="detached")
    press(whose(one, other)[0], random.Random(1))


@WIDE
def test_without_scripts_one_leaves_and_another_puts_a_bot_there(visitor):
    ann, ben = visitor(java_script_enabled=False), visitor(java_script_enabled=False)
    link = opened(ann)
    joined(ben, link, "Ben")
    ben.click(".menu summary")
    ben.click(".leave summary")
    ben.click("button:has-text('Yes, leave')")
    ben.wait_for_selector(".join")
    ann.goto(link)
    assert "is in the table menu" in ann.inner_text(".gone")
    ann.select_option("#which-bot", "uniform")
    ann.click(".gone .put button")
    ann.wait_for_load_state()
    assert not ann.query_selector(".gone")


def test_a_bot_plays_for_me_until_i_play_again_and_i_call_myself_something_else(visitor):
    ann, ben = visitor(), visitor()
    joined(ben, opened(ann), "Ben")
    mine, (other,) = whose(ann, ben)
    mine.click(".menu summary")
    mine.select_option(".menu select", "uniform")
    mine.click("button:has-text('Hand over')")
    mine.wait_for_selector("#play-again")
    assert "A bot (uniform) is playing for you." in mine.inner_text(".gone")
    other.wait_for_selector(".log .bot")
    mine.click("#play-again")
    mine.wait_for_selector(".gone", state="detached")
    mine.click(".menu summary")
    mine.fill(".menu input[name=you]", "Morgan")
    mine.click("button:has-text('Change the name')")
    other.wait_for_selector(".log li:has-text('is now called Morgan.')")


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    """A server where one is away at once, and which looks for that all the time."""
    often = "from yegg.table import app; app.BEAT = 2"
    served = Served(tmp_path_factory.mktemp("impatient"), "--away", "0.05", first=often).start()
    yield served
    served.close()


def test_who_is_away_is_said_so_and_comes_back_to_a_seat_that_is_still_theirs(visitor, impatient):
    ann, ben = visitor(base_url=impatient.base), visitor("phone", base_url=impatient.base)
    link = opened(ann)
    joined(ben, link, "Ben")
    away, (there,) = whose(ann, ben)
    away.goto("about:blank")
    there.wait_for_selector(".gone:has-text('is away')")  # within the pulse of the server
    assert there.is_visible("[data-copy]")
    there.select_option("#which-bot", "uniform")
    there.click(".gone .put button")
    there.wait_for_load_state()
    there.wait_for_selector(".log li:has-text('who is away')")
    away.goto(link)
    away.click("#play-again")
    away.wait_for_selector(".gone", state="detached")
    there.wait_for_selector(".log li:has-text('plays again.')")
