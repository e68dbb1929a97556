"""Every moment of every game as it looks: large and small, by night and by day."""

import pytest

from .browsing import HIDDEN, KEYLESS, MORE, SIZES, at, found, looked_at, shot, sit
from .moments import MOMENTS

pytestmark = pytest.mark.browser
WAYS = [("desktop", "dark"), ("phone", "light")]
ALL = [pytest.param(WAYS, id="a"), pytest.param(MORE, id="b", marks=pytest.mark.wide)]
SOME = {
    "second-story-tenement",
    "thiefs-market-gold",
    "thiefs-market-market",
    "magnate-card",
    "magnate-over",
    "secrets-hidden",
}
EACH = [
    pytest.param(m, marks=() if str(m) in SOME else pytest.mark.wide, id=str(m)) for m in MOMENTS
]


@pytest.mark.parametrize("ways", ALL)
@pytest.mark.parametrize("moment", EACH)
def test_a_moment_can_be_seen_and_played_by_everybody(window, server, moment, ways):
    page, faults = window, window.faults
    sit(page, server, moment)
    for i, way in enumerate(ways):
        where = at(page, *way)
        shot(page, f"{moment}-{where}")
        if ways == MORE or i == MOMENTS.index(moment) % 2:
            faults += found(page, where)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > SIZES[way[0]][0]:
            faults.append(f"{where}: the page is {wide} wide")
        faults += [f"{where}: {choice} cannot be pressed" for choice in page.evaluate(HIDDEN)]
        if way[0] == "desktop":  # elsewhere there are hardly any keys
            faults += [f"{where}: {choice} has no key" for choice in page.evaluate(KEYLESS)]
    if moment.eyes == "actor" and moment.name not in ("over", "policeman", "ready"):
        assert page.query_selector("button[name=choice]:not([aria-disabled])")
    if moment.name == "over":
        assert "Waiting for" not in page.text_content("body")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("ways", ALL)
@pytest.mark.parametrize(("path", "name"), [("/", "lobby"), ("/rules/secrets", "rules")])
def test_the_other_pages_are_for_everybody(window, path, name, ways):
    page = window
    page.faults.clear()
    page.context.clear_cookies()
    page.goto(path)
    assert not looked_at(page, name, ways)
