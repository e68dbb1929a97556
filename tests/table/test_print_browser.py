"""Each sheet fits one page of A4 and of Letter, as Chromium prints it."""

import re

import pytest

from yegg import games
from yegg.table.render import rulebook

from .page_checks import found, shot
from .test_print import SHEETS

pytestmark = pytest.mark.browser


def pages(page, paper_size):
    """How many pages a printed page has."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format=paper_size)))


EACH = [
    *((*one, "") for one in SHEETS),
    ("thiefs-market", "aid", "&promos=yes"),
    ("secrets", "aid", "&reward=3&hidden=yes"),
    ("secrets", "orders", "&hidden=yes"),
]
FULLEST = ("secrets", "orders", "&hidden=yes")


@pytest.mark.parametrize(
    ("game", "sheet", "options"),
    [pytest.param(*one, marks=() if one == FULLEST else pytest.mark.wide) for one in EACH],
)
def test_each_sheet_fits_one_page_of_a4_and_of_letter(visitor, game, sheet, options):
    page = visitor()
    most = games.find(game).players[-1]
    page.goto(f"/print/{game}/{sheet}?players={most}{options}")
    due = 1 if sheet == "aid" else len(rulebook.sheets(games.find(game), most)[sheet])
    assert [pages(page, size) for size in ("A4", "Letter")] == [due, due]
    assert not found(page, f"{game}-{sheet}")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 990})
    wide = "() => document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(wide), "nothing is cut off"
    shot(page, f"print-{game}-{sheet}{options.replace('&', '-')}")


def test_rules_are_printed_black_on_white_without_the_bar(visitor):
    page = visitor(color_scheme="dark")
    page.goto("/rules/secrets")
    assert page.is_visible(".bar")
    assert pages(page, "A4") < 6
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.is_visible(".bar")
    colours = page.evaluate("""() => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector(".prose")).color,
    ]""")
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
