"""On the end page one goes on from the position that the slider shows, with scripts and without."""

import pytest

from .browsing import found, may_act, sit
from .moments import MOMENTS

pytestmark = pytest.mark.browser
OVER = next(moment for moment in MOMENTS if str(moment) == "second-story-over")


def seen(page):
    """The new table as the API shows it."""
    return page.evaluate("""async () => (await fetch(
        "/api" + location.pathname.replace("/t/", "/games/"))).json()""")


def test_go_on_from_here_means_the_position_on_the_slider(window, server):
    sit(window, server, OVER)
    old = window.url.partition("#")[0]
    most = int(window.get_attribute("#at", "max"))
    window.fill("#at", str(most // 2))
    window.wait_for_selector(f"#moment[data-at='{most // 2}']")
    window.keyboard.press("g")
    window.wait_for_url(lambda url: not url.startswith(old))
    window.wait_for_selector("#live .table[data-begun=yes]")
    may_act(window)  # nothing moves while axe looks
    table = seen(window)
    assert table["origin"].endswith(f"?at={most // 2}")
    assert table["seat"]
    assert all(seat["bot"] for seat in table["seats"] if seat["seat"] != table["seat"])
    assert not found(window, "go-on")
    window.click(".menu summary")
    window.click("a:has-text('Where this game was begun')")
    window.wait_for_url(f"**?at={most // 2}*")


def test_without_scripts_one_looks_first_and_then_goes_on(visitor, server):
    page = visitor(java_script_enabled=False)
    laid = server.laid[str(OVER)]
    page.context.add_cookies([{"name": "yegg", "value": laid.cookie, "url": server.base}])
    page.goto(f"{laid.path}?at=5")
    page.click("#go-on")
    page.wait_for_load_state()
    assert page.url.partition("#")[0] != f"{server.base}{laid.path}"
    page.click(".menu summary")
    assert page.get_attribute("a:has-text('Where this game was begun')", "href").endswith("?at=5")
