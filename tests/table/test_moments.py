"""Every moment of every game as it looks: large and small, by night and by day."""

from functools import cache

import pytest

from .browsing import HIDDEN, SIZES, shot
from .moments import MOMENTS

pytestmark = pytest.mark.browser
WAYS = [("desktop", "dark"), ("phone", "light")]
MORE = [(size, scheme) for size in SIZES for scheme in ("dark", "light")]
ALL = [pytest.param(WAYS, id="a"), pytest.param(MORE, id="b", marks=pytest.mark.wide)]
SOME = ("suit", "tenement", "over", "gold", "split", "market", "card", "automa", "orders", "hidden")
EACH = [
    pytest.param(m, marks=() if m.name in SOME else pytest.mark.wide, id=str(m)) for m in MOMENTS
]


@cache
def axe():
    """What finds pages that somebody could not use."""
    made = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    return made.Axe()


def found(page, where):
    """What axe finds on the page as it is."""
    return [
        f"{where}: {fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in axe().run(page).response["violations"]
    ]


def at(page, size, scheme):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    return f"{size}-{scheme}"


@pytest.fixture(scope="module")
def window(browser, house):
    """One window for all moments."""
    context = browser.new_context(base_url=house.base, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(300_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    context.close()


def sit(page, house, moment):
    """Look at a laid table with the eyes of its moment."""
    laid = house.laid[str(moment)]
    page.context.clear_cookies()
    if laid.cookie:
        page.context.add_cookies([{"name": "yegg", "value": laid.cookie, "url": house.base}])
    page.goto(laid.path)
    page.wait_for_selector("#live .table")


@pytest.mark.parametrize("ways", ALL)
@pytest.mark.parametrize("moment", EACH)
def test_a_moment_can_be_seen_and_played_by_everybody(window, house, moment, ways):
    page, faults = window, window.faults
    faults.clear()
    sit(page, house, moment)
    for i, way in enumerate(ways):
        where = at(page, *way)
        shot(page, f"{moment}-{where}")
        if ways == MORE or i == MOMENTS.index(moment) % 2:
            faults += found(page, where)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > SIZES[way[0]][0]:
            faults.append(f"{where}: the page is {wide} wide")
        faults += [f"{where}: {choice} cannot be pressed" for choice in page.evaluate(HIDDEN)]
    if moment.eyes == "actor" and moment.name not in ("over", "policeman", "ready"):
        assert page.query_selector("button[name=choice]:not([aria-disabled])")
    if moment.name == "over":
        assert "is to act" not in page.text_content("body")
        assert "are to act" not in page.text_content("body")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("ways", ALL)
@pytest.mark.parametrize(("path", "name"), [("/", "lobby"), ("/rules/secrets", "rules")])
def test_the_other_pages_are_for_everybody(window, path, name, ways):
    page, faults = window, []
    page.context.clear_cookies()
    page.goto(path)
    for way in ways:
        where = at(page, *way)
        shot(page, f"{name}-{where}")
        faults += found(page, where)
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[way[0]][0]
    assert not faults, "\n".join(faults)
