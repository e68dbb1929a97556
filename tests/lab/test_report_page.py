"""Reports as a publisher reads them: plain sentences, whole intervals, plots that fit the page."""

import json
import re
from dataclasses import replace

import msgspec
import numpy as np
import pytest

pytest.importorskip("altair", reason="reports need yegg[lab]")

from rich.console import Console

from yegg import games
from yegg.lab import plots
from yegg.lab.cells import Cell, Variant
from yegg.lab.experiment import findings
from yegg.lab.experiment.findings import Difference, Findings, Measured
from yegg.lab.experiment.rules_in_words import in_words, value_in_words
from yegg.lab.experiment.schema import parsed
from yegg.lab.experiment.spreads import Spreads
from yegg.lab.plots import Mark
from yegg.lab.report import narrative
from yegg.lab.report.changes import changed, changes
from yegg.lab.report.worded import worded
from yegg.lab.terminal import Prose, table
from yegg.stats.intervals import Apart, Figure, Section

from .files import yegg

OPERATORS = re.compile(r"\w=\w|[<>]")
FILE = """
game = "second-story"
question = "What does a shorter game change?"
seed = 3
bots = ["uniform"]
[vary]
chips = ["10", "8", "6"]
[sample]
deals = 60
[measure]
"winners > 1" = "winners > 1"
length = "length-in-minutes"
nights = "nights"
crowns = { of = "robbed_crown / tried_crown", kind = "part", title = "Crowns robbed" }
suit = "decided-by"
"""


def found_of(values, vary=None, claims=(), p=0.0001, answers=()):
    """Findings of three sets of rules with these values of a share, each ``p`` off the first."""
    experiment = parsed(
        {
            "game": "second-story",
            "vary": vary or {"chips": ["10", "8", "6"]},
            "measure": {"robbed": {"of": "by_second", "title": "Crowns robbed"}},
            "claim": list(claims),
            "answer": list(answers),
        }
    )
    names = [one.name for one in experiment.variants]
    measured = tuple(
        Measured(
            name, "medium", "robbed", Figure(value, value - 0.02, value + 0.02, True), *4 * (9,)
        )
        for name, value in zip(names, values, strict=True)
    )
    measured = tuple(replace(one, unfinished=0) for one in measured)
    apart = [Apart(value - values[0], value - values[0], value, True) for value in values]
    differences = tuple(
        Difference("robbed", "medium", name, names[0], figure, p, None)
        for name, figure in zip(names[1:], apart[1:], strict=True)
    )
    return Findings(experiment, measured, differences, ())


def test_what_changed_is_a_sentence_with_every_value_in_words():
    found = found_of([0.2, 0.38, 0.53])
    said = (
        "Crowns robbed rose from 20 % (10 chips of each suit) to 38 % (8 chips of each suit) and "
    )
    said += "53 % (6 chips of each suit)"
    assert narrative.answer(found) == f"{said}."
    (one,) = changes(worded(found))
    assert one.says == said
    assert "+33.0 points" in one.figures
    assert next(one.says for one in narrative.findings(found)) == said


def test_what_did_not_change_clearly_is_not_told_as_changed():
    found = worded(found_of([0.2, 0.21, 0.22], p=0.4))
    assert changes(found) == []
    assert changed(found).startswith("Crowns robbed did not change clearly: Crowns robbed came to")


def test_the_sentence_of_the_file_comes_first():
    told = {
        "claim": "robbed",
        "higher": "Yes: {left} of the Crowns are robbed.",
        "lower": "No, {left}.",
        "equal": "As many.",
        "open": "Open.",
    }
    claim = {"robbed": "chips=6 > chips=10", "margin": 0.03}
    found = found_of([0.2, 0.38, 0.53], claims=[claim], answers=[told])
    (first,) = found.experiment.claims
    off = Difference(
        "robbed", "medium", "chips=6", "chips=10", Apart(0.33, 0.3, 0.36, True), 0, None
    )
    found = replace(found, tested=(findings.Tested(first, "medium", off, 0.001, "clear"),))
    assert narrative.answer(found) == "Yes: 53 % of the Crowns are robbed."
    silent = msgspec.structs.replace(found.experiment.file, answer=[])
    without = replace(found, experiment=replace(found.experiment, file=silent))
    plain = "As claimed, Crowns robbed rose from 20 % (10 chips of each suit) to 53 % "
    assert narrative.answer(without) == plain + "(6 chips of each suit)."


@pytest.mark.parametrize(
    ("game", "option", "value", "said"),
    [
        ("second-story", "chips", "9", "9 chips of each suit"),
        ("second-story", "players", "3", "3 players"),
        ("magnate", "districts", "aces", "districts: the six Aces"),
        ("magnate", "courts", "yes", "with the four Courts"),
        ("second-story", "excuse", "no", "without the Excuse"),
        ("thiefs-market", "dice", "12", "12 loot dice on the table"),
        ("thiefs-market", "cards", "my", "the deck my"),
        ("secrets", "reward", "2", "2 points for a captured spy"),
    ],
)
def test_a_value_of_an_option_is_told_in_words(game, option, value, said):
    game = games.find(game)
    assert value_in_words(game, option, value) == said
    assert in_words(game, f"rare, {option}={value}", {option: value}) == f"rare, {said}"


FIGURES = [Figure(0.375, 0.311, 0.444, percent=True), Figure(12.34, 11.22, 13.46)]
ROWS = [["a set of rules with a long name", "random play", *FIGURES * 3, "open"]]


@pytest.mark.parametrize("width", [80, 60, 36])
def test_no_interval_is_broken_however_narrow_the_terminal_is(width):
    columns = ["rules", "players", *(f"seat {i}, a long head" for i in range(6)), "answer"]
    section = Section("A table", columns, ROWS, note=f"a note about {FIGURES[0]} and {FIGURES[1]}")
    sentence = " ".join(f"{'x' * n} {FIGURES[n % 2]}" for n in range(1, 30))
    console = Console(width=width, file=None, record=True, color_system=None)
    with console.capture() as caught:
        console.print(table(section))
        console.print(Prose(sentence))
    lines = caught.get().splitlines()
    assert max(map(len, lines)) <= width
    assert all(line.count("[") == line.count("]") for line in lines)
    assert sum(line.count("[") for line in lines) == 6 + 2 + 29
    assert "".join(caught.get().split()).count("37.5%[31.1,44.4]") == 3 + 1 + 14


@pytest.mark.parametrize(
    ("ends", "zero"),
    [((0.2, 0.53), True), ((0.0, 0.02), True), ((0.91, 0.94), False), ((-0.1, 0.2), True)],
)
def test_an_axis_begins_at_0_or_says_that_it_does_not(ends, zero):
    low, high = ends
    marks = [Mark("one", low, low, low), Mark("two", high, high, high)]
    for kind in (plots.dots, plots.ladder, plots.caterpillar):
        more = {"fair": None} if kind is plots.caterpillar else {}
        svg = plots.inline(kind(marks, "a share", share=True, **more), "one", "t", "d")
        assert (plots.CUT not in svg) == zero
        ticks = re.findall(r">(−?[\d.]+) %<", svg)
        assert ("0" in ticks or "0.0" in ticks) == zero


def test_games_are_counted_in_round_steps_and_none_is_lost():
    cell = Cell(Variant("ten", 3, ()), ("easy",) * 3)
    spreads, draw = Spreads(), np.random.default_rng(1)
    whole, parts = draw.integers(20, 90, 5000).astype(float), draw.random(5000)
    for half in (slice(0, 2500), slice(2500, 5000)):
        spreads.add(cell, "nights", whole[half])
        spreads.add(cell, "part", np.append(parts[half], np.nan))
    nights, part = spreads.every()
    assert nights.games == part.games == 5000
    assert (nights.step, part.step) == (5, 0.05)
    for begin, many in nights.bins:
        assert many == np.sum((whole >= begin) & (whole < begin + 5))
    assert nights.quantiles()[2] == pytest.approx(np.median(whole), abs=5)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "chips.toml").write_text(FILE)
    said = yegg("lab", "run", folder / "chips.toml", "--out", folder / "run")
    (folder / "run" / "said.txt").write_text(said)
    return folder / "run"


def test_a_report_speaks_in_words_and_shows_how_games_spread(run):
    sheet = json.loads((run / "report.json").read_text())
    told = [sheet["answer"], *(one["says"] + one["figures"] for one in sheet["findings"])]
    told += [cell for plot in sheet["plots"] for cell in (plot["title"], plot["rows"][0][0])]
    assert not [said for said in told if OPERATORS.search(said)]
    assert "measures changed clearly: " in sheet["answer"]
    titles = ("Length in minutes", "Nights", "Crowns robbed")
    for title in titles:
        (plot,) = [one for one in sheet["plots"] if one["title"] == title]
        assert len(plot["spread"]["rows"]) == 3
    assert {one["measure"] for one in sheet["spreads"]} == {"length", "nights", "crowns"}
    page = (run / "report.html").read_text()
    assert len(re.findall(r'class="drawn"><figure>.*?</figure><figure>', page)) == 3
    assert "winners > 1" in sheet["measures"], "the data keep the names of the file"
    assert not OPERATORS.search((run / "said.txt").read_text().replace("p <", ""))
