"""The board, one's own hand, every choice: on the screen at every moment, with long names."""

import pytest

from . import on_a_phone
from .browsing import all_shown, sit
from .conftest import a_context, opened_page
from .in_view import faults
from .laid import LONGEST, lay
from .moments import MOMENTS
from .serving import running

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide
FEW = "magnate-full", "thiefs-market-crowded", "secrets-posts", "second-story-over"


def each(*few):
    """All moments, of which only a few are looked at in the short tests."""
    return [pytest.param(m, marks=() if str(m) in few else WIDE, id=str(m)) for m in MOMENTS]


EACH = each(*FEW)
SMALL = each("thiefs-market-copy", "magnate-courts")
PHONE = each("thiefs-market-split", "magnate-full", "second-story-decline")


@pytest.fixture(scope="module")
def long_names(browser, tmp_path_factory):
    """A window at a server where everybody has the longest name there may be."""
    folder = tmp_path_factory.mktemp("long")
    laid = lay(f"sqlite:///{folder}/t.db", MOMENTS, LONGEST)
    with running(folder) as server:
        server.laid = laid
        with a_context(browser, server) as context:
            yield opened_page(context, server)


def looks(page, moment, width, height):
    """Look at a moment through a window of this size, when all has been shown."""
    page.set_viewport_size({"width": width, "height": height})
    sit(page, moment)
    all_shown(page)
    return page


@pytest.mark.parametrize("moment", EACH)
def test_all_that_one_needs_is_on_a_screen_of_1280_by_800(long_names, moment):
    assert not faults(looks(long_names, moment, 1280, 800), moment.game)


@pytest.mark.parametrize("moment", SMALL)
def test_all_that_one_needs_is_on_a_screen_of_1024_by_768(long_names, moment):
    assert not faults(looks(long_names, moment, 1024, 768), moment.game)


@pytest.mark.parametrize("moment", PHONE)
@pytest.mark.parametrize("size", [(360, 740), pytest.param((390, 844), marks=WIDE)], ids=str)
def test_a_phone_shows_what_one_decides_about_with_the_decision(long_names, moment, size):
    page = looks(long_names, moment, *size)
    assert not on_a_phone.faults(page, moment.game)
    page.click(".menu summary")
    for drawer in page.locator(".menu details > summary").all():
        drawer.click()
    assert not on_a_phone.faults(page, moment.game, about=".menu .panel h2")
