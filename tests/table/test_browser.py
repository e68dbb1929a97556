"""Real people's way: a real browser, headless, at a real server."""

import os
import random
import shutil
from pathlib import Path

import httpx
import pytest

from yegg import games

from .serving import Served

sync = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if not CHROMIUM:
    pytest.skip("no chromium here: scripts/install-chromium gets it", allow_module_level=True)

pytestmark = pytest.mark.browser
GAMES = games.names()
SHOTS = Path(os.environ.get("YEGG_SHOTS", "shots"))
SIZES = {"desktop": (1280, 800), "phone": (360, 740)}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    house = Served(tmp_path_factory.mktemp("house")).start()
    for name in GAMES:  # compiled now, so that no page waits for it
        seats = ["me"] + ["uniform"] * (games.find(name).usual - 1)
        wish = {"game": name, "seats": seats}
        assert httpx.post(f"{house.base}/api/games", json=wish, timeout=600).status_code == 201
    yield house
    house.close()


@pytest.fixture(scope="module")
def browser():
    with sync.sync_playwright() as play:
        made = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def visitor(browser, served):
    """Make somebody with a browser of their own; what goes wrong in it is the test's fault."""
    contexts, faults = [], []

    def make(size="desktop", **how):
        width, height = SIZES[size]
        how.setdefault("reduced_motion", "reduce")
        context = browser.new_context(
            base_url=served.base, viewport={"width": width, "height": height}, **how
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda m: faults.append(m.text) if "Content Security" in m.text else 0)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not faults


def bots(page, game, bot="uniform"):
    """Open a table against simple bots and sit at it."""
    page.goto(f"/?game={game}")
    for select in page.query_selector_all("select[name^=seat]"):
        values = [o.get_attribute("value") for o in select.query_selector_all("option")]
        number = int(select.get_attribute("name")[4:])
        usual = games.find(game).usual
        if number > 1:
            select.select_option(bot if number <= usual or "" not in values else "")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector(".at-table")


def over(page):
    return page.query_selector("[data-over=yes]") is not None


def number(page):
    return page.evaluate("document.querySelector('#live [data-number]').dataset.number")


def press(page, dice):
    """Press any legal button in the dock or the scene; whether the game goes on."""
    page.wait_for_selector("[data-over=yes], button[name=choice]:not([aria-disabled]):visible")
    if over(page):
        return False
    before = number(page)
    legal = page.eval_on_selector_all(
        "button[name=choice]:not([aria-disabled])",
        "all => all.filter(b => b.offsetParent).map(b => b.value)",
    )
    if not legal:
        return True  # another's event came between: look again
    wanted = page.locator(f"button[name=choice][value='{dice.choice(legal)}']:visible").first
    try:
        wanted.click(timeout=3000)
    except sync.TimeoutError:
        return True  # likewise
    page.wait_for_function(
        "n => document.querySelector('#live [data-number]').dataset.number != n", arg=before
    )
    return True


def shot(page, name):
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png")


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


def test_a_lost_connection_comes_back(visitor, served):
    page, dice = visitor(), random.Random(2)
    bots(page, "second-story")
    press(page, dice)
    page.context.set_offline(True)
    page.locator("button[name=choice]:not([aria-disabled])").first.click()
    page.wait_for_function("document.getElementById('said').textContent.includes('reached')")
    page.context.set_offline(False)
    served.kill()
    served.start()
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


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing(visitor, scheme, size):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page, found = visitor(size, color_scheme=scheme), []

    def look(where):
        result = axe.run(page)
        found.extend(
            f"{where}: {v['id']}: {v['nodes'][0]['html'][:160]}"
            for v in result.response["violations"]
        )

    page.goto("/")
    look("lobby")
    page.goto("/rules/second-story")
    look("rules")
    page.goto("/?game=second-story")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector(".share")
    look("waiting")
    for game in GAMES:
        bots(page, game)
        page.wait_for_selector("button[name=choice]:not([aria-disabled]):visible")
        look(game)
    assert not found
