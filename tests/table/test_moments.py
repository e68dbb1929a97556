"""Every moment of every game as it looks: large and small, by night and by day."""

from functools import cache

import pytest

from .browsing import HIDDEN, SIZES, shot
from .moments import MOMENTS

pytestmark = pytest.mark.browser
WAYS = [("desktop", "dark"), ("phone", "light")]
MORE = [("desktop", "light"), ("phone", "dark"), ("tablet", "dark"), ("tablet", "light")]
ALL = [pytest.param(WAYS, id="a"), pytest.param(MORE, id="b", marks=pytest.mark.wide)]


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


def sit(page, house, moment):
    """Look at a laid table with the eyes of its moment."""
    laid = house.laid[str(moment)]
    if laid.cookie:
        page.context.add_cookies([{"name": "yegg", "value": laid.cookie, "url": house.base}])
    page.goto(laid.path)
    page.wait_for_selector("#live .table")


@pytest.mark.parametrize("ways", ALL)
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_a_moment_can_be_seen_and_played_by_everybody(visitor, house, moment, ways):
    page, faults = visitor(), []
    sit(page, house, moment)
    for way in ways:
        where = at(page, *way)
        shot(page, f"{moment}-{where}")
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
def test_the_other_pages_are_for_everybody(visitor, path, name, ways):
    page, faults = visitor(), []
    page.goto(path)
    for way in ways:
        where = at(page, *way)
        shot(page, f"{name}-{where}")
        faults += found(page, where)
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[way[0]][0]
    assert not faults, "\n".join(faults)
