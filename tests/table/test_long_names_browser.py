"""Whatever people are called, every page fits its window, and no name turns a sentence round."""

from urllib.parse import quote

import pytest

from yegg import games

from .browsing import seated
from .people import SS, Player, finish

pytestmark = pytest.mark.browser
WIDTHS = (320, 390, 1000)
NAMES = {
    "widest": "W" * 40,
    "digits": "﷽" * 8 + "W" * 20,
    "right-to-left": "\u05de" * 40,
    "arabic": "محمد عبد الرحمن الفيلسوف المتواضع جدا",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 5,
}
# What reaches beyond the window, and is not in something that scrolls by itself.
OUTSIDE = """() => {
    const wide = document.documentElement.scrollWidth;
    if (wide <= innerWidth) return [];
    const scrolls = (e) => e && (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX)
        && e !== document.documentElement && e !== document.body || scrolls(e.parentElement));
    const out = [...document.querySelectorAll("body *")]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5)
        .filter(e => !scrolls(e.parentElement));
    const named = (e) => `${e.localName}.${e.className}`;
    return [`${wide} wide`, ...out.map(e => `${named(e)} in ${named(e.parentElement)}`)];
}"""


def fits(page, path):
    """What sticks out of a page at each width."""
    page.goto(path)
    page.wait_for_load_state()
    if page.query_selector(".menu summary"):
        page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found += [f"{path} at {width}: {one}" for one in page.evaluate(OUTSIDE)[:6]]
    return found


def company(page, name, game):
    """As many people at a table as a game takes, all of them called so; the last seat is free."""
    host = Player(page.server.client)
    host.open(game, ["me"] + ["open"] * (games.find(game).usual - 1), you=name)
    others = [Player(page.server.client) for _ in range(games.find(game).usual - 1)]
    for other in others[:-1]:
        assert other.join(host.key, you=name).status_code == 200
    return host, others


@pytest.mark.wide(but=["widest-second-story", "right-to-left-secrets", "emoji-magnate"])
@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("name", NAMES)
def test_every_page_of_a_table_fits_its_window(visitor, name, game):
    page = visitor(called="Vera")
    host, others = company(page, NAMES[name], game)
    seated(page, host)
    found = fits(page, f"/t/{host.key}")
    assert others[-1].join(host.key, you=NAMES[name]).status_code == 200
    for _ in range(12):
        if not any(person.act() for person in (host, *others)):
            break
    pages = ["", "/record", "/dice", "/steps"]
    found += [fault for what in pages for fault in fits(page, f"/t/{host.key}{what}")]
    assert not found, "\n".join(found)


@pytest.mark.wide(but=["widest", "right-to-left"])
@pytest.mark.parametrize("name", NAMES)
def test_the_lobby_lists_and_the_review_fit_their_window(visitor, name):
    page = visitor(called="Vera")
    open_one, _ = company(page, NAMES[name], SS)
    host, others = company(page, NAMES[name], SS)
    others[-1].join(host.key, you=NAMES[name])
    host.do("block", seat=2, blocked=True)
    seated(page, open_one)
    finish([host, *others])
    seated(page, host)
    page.context.add_cookies(
        [{"name": "yegg-name", "value": quote(NAMES[name]), "url": page.server.base}]
    )
    found = []
    for path in ("/", "/me", "/me/guests", f"/t/{host.key}", f"/t/{host.key}/review"):
        found += fits(page, path)
    assert not found, "\n".join(found)
