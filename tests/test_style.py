"""Style of the whole project: names that say something, functions and files that fit on a page."""

import ast
import re
from pathlib import Path

import yegg

ROOT = Path(__file__).parents[1]
SRC = Path(yegg.__file__).parent
SAY_NOTHING = {
    "utils",
    "util",
    "helpers",
    "helper",
    "manager",
    "managers",
    "common",
    "base",
    "misc",
}
LONGEST_FUNCTION = 60
LONGEST_FILE = 400
WRITTEN = {".py", ".md", ".html", ".css", ".js", ".toml", ".yml", ""}
NOT_OURS = {"LICENSE", ".venv", "build", "dist", "artefacts"}


def written_by_us():
    """Every text of the project, generated and hidden folders left out."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part not in {".github", ".ci"} for part in parts)
        ours = path.is_file() and not hidden and not NOT_OURS & set(parts)
        if ours and path.suffix in WRITTEN and "__pycache__" not in parts:
            yield path


TEXTS = list(written_by_us())
SOURCES = [path for path in TEXTS if path.suffix == ".py"]


def short(path):
    return path.relative_to(ROOT).as_posix()


def test_all_files_are_looked_through():
    some = {"README.md", "pyproject.toml", ".ci/run", "tests/test_style.py"}
    assert some <= set(map(short, TEXTS))
    assert SRC / "engine" / "compiler.py" in TEXTS


def test_a_module_is_named_for_what_it_is():
    names = {short(path): path.relative_to(ROOT).with_suffix("").parts for path in SOURCES}
    assert not [path for path, parts in names.items() if SAY_NOTHING & set(parts)]


def test_a_file_is_one_noun():
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in TEXTS}
    long = [f"{short(path)} has {n} lines" for path, n in lines.items() if n > LONGEST_FILE]
    assert not long


def long_functions(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = node.end_lineno - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{short(path)}:{node.lineno} {node.name} has {lines} lines"


def test_a_function_does_one_thing():
    assert not [long for path in SOURCES if SRC in path.parents for long in long_functions(path)]


TESTS = [path for path in SOURCES if path.name.startswith("test_")]
CHECKS = ("raises", "warns"), ("check_", "assert_")
"""What fails a test by itself: these, and whatever has a name that begins so."""


def called(node):
    """The names of what is called in a piece of code, each with what it is called of."""
    for call in [one for one in ast.walk(node) if isinstance(one, ast.Call)]:
        if isinstance(call.func, ast.Attribute):
            yield call.func.attr, call
        elif isinstance(call.func, ast.Name):
            yield call.func.id, call


def checks(test):
    """Whether something in a test can fail it, beside an error in what it calls."""
    names, begin = CHECKS
    return any(isinstance(node, ast.Assert) for node in ast.walk(test)) or any(
        name in names or name.startswith(begin) for name, _ in called(test)
    )


def each_test(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        functions = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if functions and node.name.startswith("test_"):
            yield f"{short(path)}:{node.lineno} {node.name}", node


def test_every_test_looks_at_something():
    """One without an assertion of its own passes whatever is found, as long as nothing raises."""
    found = [one for path in TESTS for one in each_test(path)]
    assert len(found) > 1000
    blind = [where for where, test in found if not checks(test)]
    assert not blind, "these check nothing: assert what they find, or call a check_…"


def naps(path):
    """Where a file of tests sleeps for a time; 0 only lets others go on."""
    for name, call in called(ast.parse(path.read_text(encoding="utf-8"))):
        nothing = [ast.unparse(one) for one in call.args] == ["0"]
        if name == "sleep" and not nothing:
            yield f"{short(path)}:{call.lineno} {ast.unparse(call)}"


def test_no_test_sleeps_for_a_time():
    """It would be too short on a busy machine, and too long on every other."""
    tests = [path for path in SOURCES if "tests" in path.relative_to(ROOT).parts]
    ours = [path for path in tests if path.name != "waiting.py"]
    slept = [nap for path in ours for nap in naps(path)]
    assert not slept, "wait for what you look for, by `until` of tests/waiting.py"


def test_versions_are_pinned_by_name_alone():
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert pins
    assert not [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)]
