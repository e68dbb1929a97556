"""What is written for people is true: examples run, links lead somewhere, clauses are tested."""

import ast
import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest
from programs import command

import yegg

ROOT = Path(__file__).parents[1]
SRC = Path(yegg.__file__).parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *SRC.rglob("*.md")])
CLAUSE = re.compile(r"^\s*- \*\*([A-Z]{2,3})-(\d+)\*\*", re.MULTILINE)
VERSION = re.compile(r"^## (\d+)\.(\d+)\.(\d+) \((not released|\d{4}-\d\d-\d\d)\)$", re.MULTILINE)
FOLDERS = {ROOT, ROOT / "docs", ROOT / "docs" / "decisions"}
WIDEST = 120


def short(path):
    return path.relative_to(ROOT).as_posix()


def text(*path):
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


def clauses(game):
    """A game's clauses as (prefix, number)."""
    return {(prefix, int(n)) for prefix, n in CLAUSE.findall(text(game.folder, "RULES.md"))}


def test_a_game_has_a_rules_page_with_clauses_of_one_prefix(game):
    found = CLAUSE.findall(text(game.folder, "RULES.md"))
    assert found
    assert len({prefix for prefix, _ in found}) == 1
    twice = [f"{p}-{n}" for p, n in found if found.count((p, n)) > 1]
    assert not twice


def test_every_clause_has_a_test(game):
    tested = set()
    for path in (game.folder / "tests").glob("test_*.py"):
        for node in ast.walk(ast.parse(text(path))):
            name = node.name if isinstance(node, ast.FunctionDef) else ""
            if found := re.match(r"test_([a-z]{2,3})_(\d+)_", name):
                tested.add((found[1].upper(), int(found[2])))
    bare = [f"{prefix}-{number}" for prefix, number in sorted(clauses(game) - tested)]
    assert not bare, f"clauses without a test: {', '.join(bare)}"
    unknown = [f"{prefix}-{number}" for prefix, number in sorted(tested - clauses(game))]
    assert not unknown, f"tests of clauses that the rules page lacks: {', '.join(unknown)}"


def test_every_clause_quoted_anywhere_exists(game):
    there = clauses(game)
    prefix = next(iter(there))[0]
    quoted = re.compile(rf"\b{prefix}-(\d+)")
    for path in [*PAGES, *SRC.rglob("*.py")]:
        for number in quoted.findall(text(path)):
            assert (prefix, int(number)) in there, f"{short(path)} quotes {prefix}-{number}"


def test_every_option_is_on_the_rules_page(game):
    page = text(game.folder, "RULES.md")
    assert not [option for option in game.options if f"`{option}`" not in page]


@pytest.mark.parametrize("path", PAGES, ids=short)
def test_links_lead_somewhere(path):
    page = text(path)
    links = re.findall(
        r"\]\(([^)#\s]+)|^\[[^]]+\]: (\S+)|src(?:set)?=\"([^\"]+)\"", page, re.MULTILINE
    )
    for link in map("".join, links):
        if "://" not in link:
            assert (path.parent / link).exists(), f"{short(path)} links to {link}"


def test_the_page_about_the_pages_lists_each_of_them():
    docs = ROOT / "docs"
    listed = set(re.findall(r"\]\(([^)#\s]+)", text("docs", "index.md")))
    there = {path.name for path in docs.iterdir() if path.suffix in {".md", ".rst"}}
    assert there - {"index.md"} <= listed


@pytest.mark.parametrize(
    "path", [p for p in PAGES if p.parent in FOLDERS and p.name != "CHANGELOG.md"], ids=short
)
def test_a_line_can_be_read_without_scrolling(path):
    lines = enumerate(text(path).splitlines(), 1)
    long = [f"{short(path)}:{number}" for number, line in lines if len(line) > WIDEST]
    assert not long


def test_pictures_are_small():
    pictures = list((ROOT / "docs" / "pictures").iterdir())
    assert pictures
    assert not [path.name for path in pictures if path.stat().st_size > 300_000]


def test_every_public_name_is_in_the_reference():
    page = text("docs", "reference", "index.rst")
    there = set(re.findall(r"^\.\. (?:auto)?\w+:: yegg\.(\w+)$", page, re.MULTILINE))
    assert there == set(yegg.__all__)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "```pycon" in page.read_text("utf-8")], ids=short
)
def test_python_examples_of_a_page_run(page):
    how = {"module_relative": False, "optionflags": doctest.ELLIPSIS, "encoding": "utf-8"}
    result = doctest.testfile(str(page), **how)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize(
    "path", [p for p in sorted(SRC.rglob("*.py")) if ">>> " in p.read_text("utf-8")], ids=short
)
def test_examples_in_docstrings_run(path):
    name = ".".join(("yegg", *path.relative_to(SRC).with_suffix("").parts))
    module = importlib.import_module(name.removesuffix(".__init__"))
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


def console_examples(page):
    """Commands (``$ …``) of console blocks with what they are said to print."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            yield command, output


@pytest.mark.parametrize(
    ("line", "output"),
    [example for page in PAGES for example in console_examples(page.read_text("utf-8"))],
)
def test_console_examples_of_a_page_print_what_they_say(line, output):
    yegg_, *words = shlex.split(line)
    assert yegg_ == "yegg"
    done = command(*words, env={"COLUMNS": "80"})
    assert done.returncode == 0, done.stderr
    printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
    assert re.fullmatch(shape(output), printed), f"{line} prints\n{printed}"


def shape(output):
    """A line of ``…`` stands for any lines, ``…`` in a line for anything there."""
    lines = [
        "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n"
        for line in output.strip("\n").split("\n")
    ]
    return "".join(lines)


def test_the_changes_are_told_by_version_the_newest_first():
    page = text("CHANGELOG.md")
    heads = VERSION.findall(page)
    assert len(heads) == page.count("\n## ")
    numbers = [tuple(map(int, head[:3])) for head in heads]
    assert numbers == sorted(set(numbers), reverse=True)
    assert ".".join(heads[0][:3]) == yegg.__version__
    assert set(re.findall(r"^### (.*)$", page, re.MULTILINE)) == {"Added", "Changed", "Fixed"}


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "decisions").glob("0*.md")), ids=short)
def test_a_decision_tells_context_choice_and_price(path):
    page = text(path)
    assert page.startswith(f"# {path.name[:4]} ")
    for heading in ("## Context", "## Choice", "## Price"):
        assert page.count(heading) == 1, f"{short(path)} needs one {heading!r}"


@pytest.mark.parametrize("path", PAGES, ids=short)
def test_backticks_come_in_pairs(path):
    words = re.sub(r"^(`{3,}).*?^\1`*$", "", text(path), flags=re.MULTILINE | re.DOTALL)
    assert not [part for part in words.split("\n\n") if part.count("`") % 2]


def test_every_decision_stands_in_the_list():
    folder = ROOT / "docs" / "decisions"
    page = text(folder, "README.md")
    listed = re.findall(r"^\| \[\d{4}\]\((0[^)]*)\) \| \S", page, re.MULTILINE)
    assert listed == sorted(path.name for path in folder.glob("0*.md"))
    assert [name[:4] for name in listed] == [f"{n:04}" for n in range(1, len(listed) + 1)]


NUMBERED = re.compile(r"\[(?:decision\s+)?(\d+)\]\([^)]*?(\d{4})-[^)]*\)", re.IGNORECASE)


def test_a_decision_is_called_by_its_own_number():
    found = [(short(path), *said) for path in PAGES for said in NUMBERED.findall(text(path))]
    assert len(found) > 75
    assert not [each for each in found if int(each[1]) != int(each[2])]
