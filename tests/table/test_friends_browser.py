"""Friends at a table, each in a browser: names, leaving, being away, clocks, phrases, a rematch."""

import random
import re

import chromium
import pytest

from yegg import games

from .browsing import FLAGS, LISTEN, SIZES, friends, number, press, seated, seen, there
from .conftest import a_context, opened_page
from .page_checks import found, shot
from .people import BY_DAYS, LIVE, SS, Player
from .serving import running

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.wide
@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=WIDE)])
def test_who_has_no_name_is_asked_and_then_never_again_and_the_level_is_kept(visitor, scripts):
    page = visitor("phone", called="", java_script_enabled=scripts)
    page.goto("/")
    page.focus("[name=level]:checked")
    page.keyboard.press("ArrowLeft")
    page.locator(f"button[name=play][value={SS}]").click()
    there(page)
    assert "Guest" in page.inner_text("#live"), "against bots nobody is asked"
    page.goto(f"/?game={SS}")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector(".ask")
    if scripts:
        assert not found(page, "ask")
        page.wait_for_function("() => document.activeElement.matches('.ask [name=you]')")
        page.keyboard.type("Ann")
        page.keyboard.press("Enter")
    else:
        page.fill(".ask input[name=you]", "Ann")
        page.click(".ask button")
    there(page)
    assert "Ann" in page.inner_text("#live")
    page.goto("/")
    assert page.input_value("[name=level]:checked") == "easy"
    page.locator(f"button[name=play][value={SS}]").click()
    page.wait_for_selector("#live .table")


@pytest.mark.wide
@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=WIDE)])
def test_a_name_that_is_typed_in_the_lobby_goes_along(visitor, scripts):
    page = visitor(called="", java_script_enabled=scripts)
    page.goto("/")
    page.fill(".me input", "Dee")
    page.click(f".game.{SS} button:has-text('With friends')")
    page.wait_for_url("**/?game=*")
    assert page.input_value(".me input") == "Dee"
    page.select_option("select[name=seat3]", "")
    page.click("button:has-text('Open the table')")
    there(page)
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


@pytest.mark.wide
def test_who_leaves_is_asked_first_and_the_others_go_on_with_a_bot(visitor):
    gone, one, other = friends(visitor(), visitor("phone"), visitor())
    one.evaluate(LISTEN)
    gone.click(".menu summary")
    assert not gone.is_visible("button:has-text('Yes, leave')")
    gone.click(".leave summary")
    gone.click("button:has-text('Yes, leave')")
    gone.wait_for_selector(".join")
    for page in (one, other):
        page.wait_for_selector(".gone:has-text('is free')")
    assert not found(one, "gone")
    one.wait_for_function("() => told.some(text => text.includes('leaves the table'))")
    shot(one, "seats-gone")
    one.select_option("#which-bot", "uniform")
    one.click(".gone .put button")
    there(one)
    other.wait_for_selector(".gone", state="detached")


@WIDE
def test_without_scripts_one_leaves_and_another_puts_a_bot_there(visitor):
    ann, ben = (visitor(java_script_enabled=False) for _ in range(2))
    people = Player(ann.server.client).open(), Player(ann.server.client)
    people[1].join(people[0].key)
    for page, person in zip((ann, ben), people, strict=True):
        seated(page, person)
    ben.click(".menu summary")
    ben.click(".leave summary")
    ben.click("button:has-text('Yes, leave')")
    ben.wait_for_selector(".join")
    ann.reload()
    assert "is in the table menu" in ann.inner_text(".gone")
    ann.select_option("#which-bot", "uniform")
    ann.click(".gone .put button")
    ann.wait_for_load_state()
    assert not ann.query_selector(".gone")


@pytest.mark.wide
def test_a_bot_plays_for_me_until_i_play_again_and_i_call_myself_something_else(visitor):
    mine, other = friends(visitor(), visitor())
    mine.click(".menu summary")
    mine.select_option(".menu select[name=bot]", "uniform")
    mine.click("button:has-text('Hand over')")
    mine.wait_for_selector("#play-again")
    assert "A bot (uniform) is playing for you." in mine.inner_text(".gone")
    other.wait_for_selector(".log .bot")
    mine.click("#play-again")
    mine.wait_for_selector(".gone", state="detached")
    mine.click(".menu summary")
    mine.click(".seldom summary")
    mine.fill(".menu input[name=you]", "Morgan")
    mine.click("button:has-text('Change the name')")
    other.wait_for_selector(".log li:has-text('is now called Morgan.')")


@pytest.mark.wide
def test_who_is_away_is_said_so_and_comes_back_to_a_seat_that_is_still_theirs(
    visitor, tmp_path_factory
):
    often = "from yegg.table import app; app.BEAT = 2"  # looks for those who are away all the time
    folder = tmp_path_factory.mktemp("impatient")
    with running(folder, "--away", "0.05", first=often) as impatient:
        away, there = friends(visitor(at=impatient), visitor("phone", at=impatient))
        link = away.url
        away.goto("about:blank")
        there.wait_for_selector(".gone:has-text('is away')")  # within the pulse of the server
        assert there.is_visible("[data-copy]")
        there.select_option("#which-bot", "uniform")
        there.click(".gone .put button")
        there.wait_for_selector(".log li:has-text('who is away')")
        away.goto(link)
        away.click("#play-again")
        away.wait_for_selector(".gone", state="detached")
        there.wait_for_selector(".log li:has-text('plays again.')")
        there.close(), away.close()


# Clocks

CLOCK = "document.querySelector('.clocks li.me > b').textContent"
UNTIL = "Number(document.querySelector('.clocks li.me > b').dataset.until)"


@pytest.mark.wide
def test_clocks_run_on_the_page_and_in_its_title_and_stand_in_a_pause(visitor):
    clock = LIVE | {"turn": 30, "late": "medium"}
    mine, waits = friends(visitor(called="Ann"), visitor("phone", called="Ben"), clock=clock)
    asked = []
    mine.on("request", lambda request: asked.append(request.url))
    before = mine.evaluate(CLOCK)
    mine.wait_for_function(f"before => {CLOCK} !== before", arg=before)
    mine.wait_for_function(f"() => document.title.includes({CLOCK})")
    assert re.match(r"● \d+:\d\d ", mine.title())
    assert not asked, "no network is needed"
    assert waits.evaluate(CLOCK) == "10:30"
    assert "medium plays this turn" in mine.inner_text(".clocks")
    for page in (mine, waits):
        assert page.evaluate(FITS)
        assert not found(page, "clocks")
    mine.click("#ask-pause")
    waits.click("#agree-pause")
    for page in (mine, waits):
        page.wait_for_selector(".clocks.paused")
        assert not page.query_selector("button[name=choice]")
    waits.click("#end-pause")
    mine.wait_for_selector("button[name=choice]")
    until = mine.evaluate(UNTIL)
    waits.click("#give-time summary")
    waits.click("#give-time button")
    mine.wait_for_function(f"until => {UNTIL} === until + 30000", arg=until)


@WIDE
def test_without_scripts_a_clock_is_read_and_asked_for_by_forms(visitor):
    one, other = visitor(called="Ann", java_script_enabled=False), visitor("phone", called="Ben")
    friends(one, other, clock=BY_DAYS)
    assert "2 d 23 h" in one.inner_text(".clocks")
    one.click("#ask-pause")
    one.wait_for_selector(".clocks:has-text('Ann would like a pause.')")
    other.wait_for_selector("#agree-pause")
    one.goto("/")
    assert one.is_visible(".holiday")
    one.click("text=Go on holiday")
    other.wait_for_selector(".clocks:has-text('on holiday')")


@WIDE
@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("size", SIZES)
def test_a_clock_leaves_room_for_every_table(visitor, game, size):
    page, seats = visitor(size, called="Ann"), games.find(game).usual
    host = Player(page.server.client).open(game, ["me"] + ["open"] * (seats - 1), clock=BY_DAYS)
    for name in ("Ben", "Cid", "Dee", "Eve")[: seats - 1]:
        Player(host.client).join(host.key, you=name)
    seated(page, host)
    page.wait_for_selector(".clocks b")
    assert page.evaluate(FITS)
    shot(page, f"clock-{game}-{size}")
    if size == "desktop" and game != "secrets":
        assert page.is_visible(".newhere")
        below = "document.documentElement.scrollHeight - innerHeight"
        assert page.evaluate(below) <= 0, "not even with the line for newcomers"
    assert not found(page, "clocks")


@WIDE
def test_the_lobby_says_how_long_each_table_waits_and_asks_for_clocks(visitor):
    mine, _ = friends(visitor(called="Ann"), visitor("phone", called="Ben"), clock=BY_DAYS)
    mine.goto("/")
    assert mine.inner_text(".my .tag").split() == ["your", "turn,", "2", "d", "23", "h"]
    mine.goto("/?game=secrets")
    assert not mine.is_visible("input[name=clock-days]")
    mine.check("input[name=clock][value=days]")
    assert mine.is_visible("input[name=clock-days]")
    assert "SE-15" in mine.inner_text("select[name=clock-late]")
    assert mine.evaluate(FITS)
    assert not found(mine, "lobby")
    shot(mine, "clock-lobby")


# Sharing

PLAIN = "table.test"  # a name that browsers do not trust without https, as an address in a network


def watched(ann, guest, way):
    """A guest watches by the link that Ann shares in mid-game."""
    ann.click(".menu summary")
    ann.click("#share-now")
    ann.wait_for_selector("#shared:not(:empty)")
    link = ann.input_value("#table-link")
    assert way in ann.inner_text("#shared")
    assert ann.evaluate("getSelection().toString()") == link or "copied" in way
    ann.keyboard.press("Escape")
    guest.goto(link)
    guest.wait_for_selector("#live .table[data-begun=yes]")
    assert "You are watching." in guest.inner_text("#live") or guest.query_selector(".turn")
    assert not guest.query_selector("button[name=choice]")
    ann.wait_for_selector(".where:has-text('one is watching')", state="attached")


@WIDE
def test_a_second_browser_watches_by_the_shared_link_in_mid_game(visitor):
    mine, _ = friends(visitor(), visitor())
    mine.context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched(mine, visitor("phone", called="Cid"), "The link is copied.")
    mine.click(".menu summary")
    assert "One is watching." in mine.inner_text(".sharing")
    assert not found(mine, "menu")
    shot(mine, "share-menu")


@WIDE
def test_the_same_over_plain_http(browser, tmp_path):
    flags = [*FLAGS, f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=chromium.program(), args=flags)
    with running(tmp_path, "--allow", PLAIN) as plain:
        plain.base = f"http://{PLAIN}:{plain.port}"
        pages = [opened_page(a_context(other, plain), plain) for _ in range(3)]
        mine, _ = friends(*pages[:2])
        assert not mine.evaluate("isSecureContext")
        mine.evaluate("() => { document.execCommand = () => false; }")
        watched(mine, pages[2], "The link is selected.")
        other.close()


# Keeps every phrase that is heard.
HEARD = """() => {
    window.phrases = [];
    const hear = (n) => phrases.push(n.textContent);
    const look = (seen) => seen.forEach(m => m.addedNodes.forEach(hear));
    new MutationObserver(look).observe(document.getElementById("heard"), {childList: true});
}"""


@pytest.mark.wide
def test_a_phrase_is_seen_by_all_who_like_it_until_something_happens(visitor):
    mine, hears, deaf = friends(visitor(), visitor("phone"), visitor())
    deaf.click(".menu summary")
    deaf.click(".seldom summary")
    with deaf.expect_navigation():
        deaf.click("button:has-text('Hear no phrases')")
    deaf.evaluate(HEARD)
    mine.click(".menu summary")
    mine.click("#say button:has-text('Well played')")
    for page in (mine, hears):
        page.wait_for_selector("#heard p:has-text('Well played')")
        assert not found(page, "heard")
        shot(page, f"phrase-{page.viewport_size['width']}")
    mine.evaluate("""() => {
        const say = document.getElementById("say");
        for (const phrase of [...say.elements.phrase].slice(0, 3)) say.requestSubmit(phrase);
    }""")
    mine.wait_for_selector("#said:has-text('One phrase in five seconds')")
    press(mine, random.Random(2))
    for page in (mine, hears):
        page.wait_for_selector("#heard p", state="detached")
    seen(deaf, number(mine))  # what was said would have come before this
    assert not deaf.evaluate("phrases")


def test_two_browsers_and_a_bot_sit_at_the_new_table_after_one_press_each(visitor):
    ann, ben = visitor(), visitor("phone", called="Ben")
    host, guest = (Player(ann.server.client, seed=seed) for seed in (1, 2))
    host.open(SS, ["me", "open", "uniform"], you="Vera", options={"chips": "3"})
    assert guest.join(host.key, you="Ben").status_code == 200
    while not host.table["over"]:
        host.act() or guest.act()
    for page, person in ((ann, host), (ben, guest)):
        seated(page, person)
    old = ann.url
    ann.click("button:has-text('Rematch')")
    ann.wait_for_url(lambda url: url.partition("#")[0] != old.partition("#")[0])
    assert "Ben can read it at the old table." in ann.inner_text("#live")
    shot(ann, "rematch-held")
    ben.wait_for_selector("#anew:has-text('Vera has set the table again.')")
    assert not found(ben, "anew")
    shot(ben, "rematch-anew")
    ben.click("#anew button:has-text('Sit down')")
    for page in (ann, ben):
        page.wait_for_selector("#live .table[data-begun=yes]")
        assert page.url.partition("#")[0] == ann.url.partition("#")[0]
    new = host.at(ann.url.partition("#")[0][-22:]).table["seats"]
    seats = [("Vera", None), ("Ben", None), (new[2]["name"], "uniform")]
    assert [(seat["name"], seat["bot"]) for seat in new] == seats
