"""The report of an experiment: what is drawn, what is said, and that the page needs no more."""

import html
import json
import re
from itertools import product

import pytest

pytest.importorskip("altair", reason="reports need yegg[lab]")

from yegg.engine import Refused
from yegg.lab import plots
from yegg.lab.experiment.schema import read
from yegg.lab.plots import Mark

from .files import yegg

FILE = """
question = "Do <b>nine</b> chips of each suit & a Court make a shorter game?"
game = "second-story"
seed = 5
bots = ["uniform", "greedy"]

[vary]
rules = [{ name = "ten" }, { name = "nine </script> | chips", chips = "9" }]

[sample]
deals = 60
greedy = 40

[measure]
events = { of = "events", title = "events of a game" }
tied = "winners > 1"
ends = { title = "how it ends", parts = { "one winner" = "winners = 1", tied = "winners > 1" } }
share_1 = "share_1"

[[claim]]
events = "nine </script> | chips < ten"
margin = 0.5
[[claim]]
share_1 = "ten != nine </script> | chips"
margin = 0.5
"""
TEN = "\n".join(f'm{i} = {{ of = "events + {i}", title = "events and {i}" }}' for i in range(7))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    (folder / "chips.toml").write_text(FILE)
    yegg("lab", "run", folder / "chips.toml", "--out", folder / "run", "--json")
    return folder / "run"


def page_of(run):
    return (run / "report.html").read_text(encoding="utf-8")


def sheet_of(run):
    return json.loads((run / "report.json").read_text(encoding="utf-8"))


def cells(page):
    """Every cell of every table, as it is read."""
    found = re.findall(r"<t[dh](?: [^>]*)?>(.*?)</t[dh]>", page, re.DOTALL)
    return [spaced(html.unescape(cell)) for cell in found]


def spaced(said):
    """A text with usual spaces, as the data have them."""
    return said.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.wide
def test_every_figure_of_the_page_is_in_the_data_and_equal(run):
    page, sheet = page_of(run), sheet_of(run)
    spreads = [plot["spread"] for plot in sheet["plots"] if plot["spread"]]
    tables = [*sheet["plots"], *spreads, *sheet["by_seat"], sheet["tested"], sheet["compared"]]
    there = [cell for table in tables for cell in table["columns"]]
    for table in tables:
        for row in table["rows"]:
            there += [cell["text"] if isinstance(cell, dict) else str(cell) for cell in row]
    assert sorted(cells(page)) == sorted(map(spaced, there))
    figures = [c for t in tables for row in t["rows"] for c in row if isinstance(c, dict)]
    assert len(figures) > 20
    for cell in figures:
        numbers = [float(n) for n in re.findall(r"[+-]?\d+\.\d+", cell["text"])]
        scale = 100 if "%" in cell["text"] or "points" in cell["text"] else 1
        expected = [cell["value"], *cell["interval"]]
        assert numbers == pytest.approx([scale * n for n in expected], abs=0.0501)
    said = [sheet["answer"], *(one["figures"] for one in sheet["findings"])]
    words = spaced(html.unescape(page))
    assert all(one in words for one in said)


def test_the_tables_hold_what_was_measured(run):
    sheet = sheet_of(run)
    measured = {
        (one["variant"], one["level"]): one["value"]
        for one in sheet["figures"]
        if one["measure"] == "events"
    }
    (plot,) = [one for one in sheet["plots"] if one["title"] == "Events of a game"]
    for variant, *values in plot["rows"]:
        for level, cell in zip(("uniform", "greedy"), values, strict=True):
            assert cell["value"] == measured[variant, level]


def test_the_page_runs_nothing_and_fetches_nothing(run):
    page = page_of(run)
    assert "<script" not in page.lower()
    assert "</script" not in page.lower()
    assert not re.findall(r"\son\w+=", page)
    assert set(re.findall(r"https?://[^\"' <]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert " style=" not in page  # the page's policy allows no more than its own style sheet
    assert "Do &lt;b&gt;nine&lt;/b&gt; chips" in page
    assert "Do &lt;b>nine" in (run / "report.md").read_text()


def test_ids_in_the_page_are_unique_and_lead_somewhere(run):
    page = page_of(run)
    ids = re.findall(r"""\sid=["']([^"']+)""", page)
    assert len(ids) == len(set(ids))
    wanted = [one for many in re.findall(r'aria-labelledby="([^"]+)', page) for one in many.split()]
    wanted += re.findall(r"url\(#([^)]+)\)", page)
    assert wanted
    assert set(wanted) <= set(ids)


@pytest.mark.wide
def test_the_same_games_give_the_same_bytes(run):
    names = ("report.html", "report.md", "report.json")
    before = [(run / name).read_bytes() for name in names]
    assert yegg("lab", "report", run).strip() == str(run / "report.html")
    assert [(run / name).read_bytes() for name in names] == before


@pytest.mark.wide
def test_two_runs_give_the_same_page_and_ten_plots_are_small(tmp_path):
    (tmp_path / "ten.toml").write_text(FILE.replace("[measure]", f"[measure]\n{TEN}"))
    for name, threads in (("one", 1), ("two", 2)):
        yegg(
            "lab",
            "run",
            tmp_path / "ten.toml",
            "--out",
            tmp_path / name,
            "--threads",
            threads,
            "--json",
        )
    page = page_of(tmp_path / "one")
    assert page.count('<section class="panel" aria-labelledby="plot-') >= 10
    assert len(page.encode()) < 600_000
    for name in ("report.html", "report.md", "report.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_answer_comes_from_the_first_claim(run):
    sheet = sheet_of(run)
    (claim, *_) = [one for one in sheet["claims"] if one["level"] == "greedy"]
    assert claim["answer"] == "clear"
    number = r"\d+(\.\d)?"
    assert re.fullmatch(
        rf"As claimed, events of a game fell from {number} \(ten\) "
        rf"to {number} \(nine </script> \| chips\)\.",
        sheet["answer"],
    )
    assert "equal within 50 points" in sheet["findings"][1]["figures"]


@pytest.mark.wide
def test_without_a_claim_the_page_describes(tmp_path):
    text = 'game = "secrets"\n[sample]\ndeals = 20\n[measure]\ntied = "winners > 1"\n'
    (tmp_path / "one.toml").write_text(text)
    yegg("lab", "run", tmp_path / "one.toml", "--json")
    sheet = sheet_of(tmp_path / "one")
    (finding,) = sheet["findings"]
    assert finding["says"].lower() == sheet["answer"].removeprefix("At random play ")
    assert re.fullmatch(r"At random play tied came to \d+\.\d %\.", sheet["answer"])
    assert "What was claimed" not in page_of(tmp_path / "one")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('{ off = "events" }', "no key 'off'"),
        ('{ title = "no expression" }', "either of"),
        ('{ of = "events", parts = { a = "events" } }', "either of"),
        ('{ of = "evnts" }', "did you mean 'events'"),
        ('{ parts = { a = "evnts" } }', "did you mean 'events'"),
        ('{ of = "events", fair = "even" }', "fair is a number"),
        ("7", "in quotes"),
    ],
)
def test_a_measure_that_cannot_be_is_refused(tmp_path, entry, said):
    path = tmp_path / "wrong.toml"
    path.write_text(f'game = "secrets"\n[measure]\nlong = {entry}\n')
    with pytest.raises(Refused, match=re.escape(said)):
        read(path)


ROWS = ["five (published)", "six, the Aces", "a <name> & more"]
MARKS = [
    Mark(row, 0.1 * i + 0.2, 0.1 * i + 0.1, 0.1 * i + 0.25, series, i == 1)
    for (i, row), series in product(enumerate(ROWS), ("random play", "medium players"))
]


@pytest.mark.wide(but=["dots", "ladder", "stacked"])
@pytest.mark.parametrize("kind", ["dots", "ladder", "caterpillar", "stacked", "heat"])
def test_a_plot_names_all_its_rows_in_colours_that_follow_the_theme(kind):
    marks = MARKS if kind in {"dots", "stacked", "heat"} else MARKS[::2]
    more = {} if kind == "stacked" else {"share": True}
    chart = getattr(plots, kind)(marks, "share of games", **more)
    svg = plots.inline(chart, "one", "A title <&>", "What is drawn")
    texts = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    for row in ROWS:
        assert html.escape(row, quote=False) in texts
    assert "var(--a)" in svg or "var(--b)" in svg
    assert not re.findall(r"(?:fill|stroke)=\"#(?!000\b)\w+", svg)  # no colour of a theme's own
    assert "<title id='one-t'>A title &lt;&amp;&gt;</title>" in svg
    assert svg.startswith("<svg")
    assert svg.count('role="img"') == 1


@pytest.mark.wide
def test_what_is_not_known_is_not_drawn():
    nan = float("nan")
    marks = [*MARKS[:2], Mark("none ended", nan, nan, nan), Mark("one", 0.5, -1e400, 1e400)]
    for kind in (plots.dots, plots.caterpillar, plots.ladder):
        svg = plots.inline(kind(marks, "share"), "one", "t", "d")
        assert "NaN" not in svg
        assert "Infinity" not in svg
