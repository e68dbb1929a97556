"""What bench/compare.py says of two runs: slower, faster, neither, or that they do not fit."""

import importlib.util
import json
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "bench" / "compare.py"
spec = importlib.util.spec_from_file_location("compare", PATH)
compare = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compare)

STEADY = [100.0, 101.0, 99.0, 100.5, 99.5]
MACHINE = {"model": "a", "processor": "b", "cores": 2, "python": "3.11.7"}


def figure(repeats, *, name="rules", unit="events/s", better="larger"):
    return {"name": name, "unit": unit, "better": better, "repeats": repeats}


def run(tmp_path, name, *figures, **more):
    path = tmp_path / f"{name}.json"
    whole = {"machine": MACHINE, "quick": False, "figures": figures}
    path.write_text(json.dumps(whole | more), encoding="utf-8")
    return str(path)


def times(factor):
    return [factor * value for value in STEADY]


@pytest.mark.parametrize(
    ("better", "factor", "verdict", "status"),
    [
        ("larger", 0.8, "slower", 1),
        ("larger", 1.25, "faster", 0),
        ("smaller", 0.8, "faster", 0),
        ("smaller", 1.25, "slower", 1),
        ("smaller", 1.03, "as fast", 0),
        ("larger", 0.97, "as fast", 0),
    ],
)
def test_what_became_slower_is_said_and_is_the_exit_status(
    tmp_path, capsys, better, factor, verdict, status
):
    before = run(tmp_path, "before", figure(STEADY, better=better))
    after = run(tmp_path, "after", figure(times(factor), better=better))
    assert compare.main([before, after]) == status
    assert capsys.readouterr().out.startswith(verdict)


def test_what_varies_too_much_is_not_called_slower(tmp_path):
    before = run(tmp_path, "before", figure([50.0, 80.0, 100.0, 120.0, 200.0]))
    after = run(tmp_path, "after", figure([40.0, 60.0, 80.0, 110.0, 190.0]))
    assert compare.main([before, after]) == 0


def test_of_few_repeats_nothing_is_said(tmp_path, capsys):
    before = run(tmp_path, "before", figure(STEADY[:2]))
    after = run(tmp_path, "after", figure(times(0.5)))
    assert compare.main([before, after]) == 0
    assert capsys.readouterr().out.startswith("too few repeats")


def test_of_figures_that_are_zero_nothing_is_said(tmp_path, capsys):
    both = [run(tmp_path, name, figure([0.0] * 5, better="smaller")) for name in ("a", "b")]
    assert compare.main(both) == 0
    assert capsys.readouterr().out.startswith("cannot be told")


def test_a_figure_of_one_run_is_named(tmp_path, capsys):
    before = run(tmp_path, "before", figure(STEADY))
    after = run(tmp_path, "after", figure(STEADY), figure(STEADY, name="new"))
    assert compare.main([before, after]) == 0
    assert "only in one" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("figures", "more", "said"),
    [
        ([figure(STEADY, unit="s")], {}, "its unit differs"),
        ([figure(STEADY, name="other")], {}, "no figure in common"),
        (
            [figure(STEADY)],
            {"machine": {**MACHINE, "cores": 8}},
            "cores differs: 2 before",
        ),
        ([figure(STEADY)], {"quick": True}, "quick differs"),
        ([{"name": "rules"}], {}, "was not written by bench/all.py"),
        ([figure([])], {}, "was not written by bench/all.py"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path, capsys, figures, more, said):
    before = run(tmp_path, "before", figure(STEADY))
    assert compare.main([before, run(tmp_path, "after", *figures, **more)]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path, capsys):
    before = run(tmp_path, "before", figure(STEADY))
    assert compare.main([before, str(tmp_path / "none.json")]) == 2
    assert "none.json cannot be read" in capsys.readouterr().err
