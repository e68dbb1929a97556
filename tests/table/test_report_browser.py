"""A report in a real browser: everybody can read it, at every size, by night and by day."""

import pytest
from click.testing import CliRunner

pytest.importorskip("altair", reason="reports need yegg[lab]")

from yegg.cli import cli

from .browsing import SIZES
from .page_checks import found

pytestmark = pytest.mark.browser
FILE = """
question = "Does a shorter street make a shorter game?"
game = "second-story"
bots = ["uniform", "greedy"]
[vary]
rules = [{ name = "ten" }, { name = "nine chips of each of the suits", chips = "9" }]
[sample]
deals = 20
[measure]
events = { of = "events", title = "events of a game" }
share_1 = "share_1"
ends = { title = "how it ends", parts = { "one winner" = "winners = 1", tied = "winners > 1" } }
[[claim]]
events = "nine chips of each of the suits < ten"
"""
# Words of a plot that do not lie in its panel, or that cover each other.
CUT = """() => {
    const cut = [];
    for (const svg of document.querySelectorAll("figure svg")) {
        const room = svg.closest(".panel").getBoundingClientRect();
        if (!svg.getBoundingClientRect().width) continue;
        const texts = [...svg.querySelectorAll("text")].filter(t => t.textContent.trim());
        const boxes = texts.map(t => [t.textContent, t.getBoundingClientRect()]);
        for (const [words, box] of boxes)
            if (box.left < room.left || box.right > room.right) cut.push(`${words} is cut`);
        for (const [a, p] of boxes) for (const [b, q] of boxes)
            if (a < b && p.left < q.right - 1 && q.left < p.right - 1
                && p.top < q.bottom - 2 && q.top < p.bottom - 2) cut.push(`${a} covers ${b}`);
    }
    return cut;
}"""


WIDTHS = """() => ({
    page: document.documentElement.scrollWidth,
    scrolls: [...document.querySelectorAll(".scroll, pre")]
        .filter(e => e.scrollWidth > e.clientWidth + 1).length,
    rows: [...document.querySelectorAll(".drawn")].map(drawn => {
        const there = [...drawn.querySelectorAll("svg")].map(e => e.getBoundingClientRect())
            .filter(r => r.width);
        const widths = there.map(r => r.width);
        return [drawn.getBoundingClientRect().width, Math.min(...widths), Math.max(...widths),
                Math.max(...there.map(r => r.right))];
    }),
    clear: document.querySelector(".findings li").getBoundingClientRect().bottom,
})"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    (folder / "street.toml").write_text(FILE)
    result = CliRunner().invoke(cli, ["lab", "run", str(folder / "street.toml"), "--json"])
    assert result.exit_code == 0, result.output
    return folder / "street" / "report.html"


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("phone", "dark"),
        pytest.param("desktop", "light", marks=pytest.mark.wide),
        pytest.param("desktop", "dark", marks=pytest.mark.wide),
        pytest.param("phone", "light", marks=pytest.mark.wide),
    ],
)
def test_a_report_can_be_read_by_everybody(browser, page_file, size, scheme):
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=False
    )
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.goto(page_file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []
    assert said == []
    context.close()
    # axe is a script, which the page's policy forbids
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    page.goto(page_file.as_uri())
    for drawer in page.locator("summary").all():
        drawer.click()
    assert found(page, f"{size}-{scheme}") == []
    context.close()


@pytest.mark.wide
def test_in_print_the_figures_are_open(browser, page_file):
    context = browser.new_context()
    page = context.new_page()
    page.goto(page_file.as_uri())
    hidden = page.locator("details td").first
    assert not hidden.is_visible()
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    assert hidden.bounding_box()["height"] > 0
    context.close()


@pytest.mark.wide
def test_the_page_fits_a_desk_a_phone_and_paper(browser, page_file):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.evaluate(WIDTHS)["clear"] <= 800, "what changed clearly stands in the first screen"
    for shown in (False, True):
        page.evaluate(f"document.querySelectorAll('details').forEach(d => d.open = {int(shown)})")
        for media, width, height in (
            ("screen", 1280, 800),
            ("screen", 360, 740),
            ("print", 688, 970),
        ):
            page.emulate_media(media=media)
            page.set_viewport_size({"width": width, "height": height})
            one = page.evaluate(WIDTHS)
            assert one["page"] <= width
            assert not (shown and one["scrolls"])
            assert one["rows"]
            for room, narrowest, widest, right in one["rows"]:
                assert right <= width
                assert narrowest >= 0.95 * room
                assert widest <= room + 1
    context.close()
