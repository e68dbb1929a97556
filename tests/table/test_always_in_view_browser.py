"""The board, one's own hand, every choice: on the screen at every moment, with long names."""

import pytest

from .browsing import sit
from .conftest import a_context, opened_page
from .in_view import faults
from .laid import LONGEST, lay
from .moments import MOMENTS
from .serving import running

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide
FEW = "magnate-full", "thiefs-market-crowded", "secrets-posts", "second-story-over"
EACH = [pytest.param(m, marks=() if str(m) in FEW else WIDE, id=str(m)) for m in MOMENTS]


@pytest.fixture(scope="module")
def long_names(browser, tmp_path_factory):
    """A window at a server where everybody has the longest name there may be."""
    folder = tmp_path_factory.mktemp("long")
    laid = lay(f"sqlite:///{folder}/t.db", MOMENTS, LONGEST)
    with running(folder) as server:
        server.laid = laid
        with a_context(browser, server) as context:
            yield opened_page(context, server)


@pytest.mark.parametrize("moment", EACH)
def test_all_that_one_needs_is_on_a_screen_of_1280_by_800(long_names, moment):
    page = long_names
    page.set_viewport_size({"width": 1280, "height": 800})
    sit(page, moment)
    assert not faults(page, moment.game)
