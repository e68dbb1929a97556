"""Nothing lies about: files at the root, paths of machines, names of what is not there any more."""

import importlib
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

import yegg

ROOT = Path(__file__).parents[1]
SRC = Path(yegg.__file__).parent
FOLDERS = {".ci", ".github", "bench", "deploy", "docs", "examples", "scripts", "src", "tests"}
PAGES = {
    "CITATION.cff",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "CREDITS.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
}
TOOLS = {".containerignore", ".gitignore", ".readthedocs.yaml", "Makefile", "constraints.txt"}
AT_THE_ROOT = FOLDERS | PAGES | TOOLS | {"pyproject.toml"}
# written so that this file does not contain them
FORBIDDEN = re.compile(
    r"py[p]i\.|pythonhost[e]d|npm[j]s|/w[o]rk/|/r[o]ot/|/ho[m]e/\w|/Us[e]rs/\w|/t[m]p/\w|[A-Z]:\\Us[e]rs",
    re.IGNORECASE,
)
NO_PROSE = {".json", ".svg", ".game", ".lesson", ".csv", ".sql", ".png", ".webp", ".npz"}
TELLS = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)  # docstrings and comments of a program
PROGRAM = re.compile(r"(?<![\w./<>*{%-])([\w-]+(?:/[\w-]+)*\.py)\b")
MODULE = re.compile(r"(?<![\w./-])yegg\.([a-z_]\w*(?:\.[A-Za-z_]\w*)*)")
PLACE = re.compile(
    r"(?<![\w./:-])((?:src/yegg|tests|docs|scripts|bench|deploy|examples)/[\w./@-]*\w)(?![\w*{]|\.\*)"
)
EXAMPLES = {"mybots.py", "careful.py"}
"""Programs of a reader, in examples."""
NO_MODULES = {"analyses", "conf", "stdin", "stdout", "toml", "yml"}
"""What else follows ``yegg.``: an entry point, files of hosts, a running program."""


@cache
def tracked():
    """The path of every file of the project; in a source package, of all that is there."""
    git = ["git", "-C", str(ROOT), "ls-files", "-z"]
    try:
        found = subprocess.run(git, capture_output=True, check=True, text=True).stdout
        return tuple(path for path in found.split("\0") if path and (ROOT / path).exists())
    except (OSError, subprocess.CalledProcessError):
        there = [path for part in AT_THE_ROOT for path in [ROOT / part, *(ROOT / part).rglob("*")]]
        return tuple(path.relative_to(ROOT).as_posix() for path in there if path.is_file())


@cache
def text(path):
    """What a file says; nothing if it is no text."""
    try:
        return (ROOT / path).read_text("utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def ends():
    """How the path of any file or folder may be said: whole, or from a folder on."""
    paths = {at for path in tracked() for at in (path, *map(str, Path(path).parents))}
    return {"/".join(path.split("/")[n:]) for path in paths for n in range(path.count("/") + 1)}


def told(pattern):
    """Where pages, docstrings and comments match, and what they say there."""
    for path in tracked():
        if Path(path).suffix in NO_PROSE or path.startswith("docs/answers/"):
            continue
        said = " ".join(TELLS.findall(text(path))) if path.endswith(".py") else text(path)
        yield from ((path, found) for found in pattern.findall(said) if "NAME" not in found)


def test_only_what_is_known_lies_at_the_root():
    assert {path.partition("/")[0] for path in tracked()} == AT_THE_ROOT


def test_nothing_points_to_where_it_was_made():
    found = {path: FORBIDDEN.search(text(path)) for path in tracked()}
    assert not [f"{path} says {said.group()}" for path, said in found.items() if said]


def test_files_that_are_named_are_there():
    programs = [where for where in told(PROGRAM) if where[1] not in ends() | EXAMPLES]
    places = [where for where in told(PLACE) if where[1] not in ends()]
    assert not programs + places


def is_there(name):
    """Whether ``yegg.NAME`` is a module, or something in one."""
    parts = name.split(".")
    for n in range(len(parts), -1, -1):
        at = SRC.joinpath(*parts[:n])
        if at.is_dir() or at.with_suffix(".py").is_file():
            if n == len(parts):
                return True  # some can be imported only where an extra is
            thing = importlib.import_module(".".join(["yegg", *parts[:n]]))
            for part in parts[n:]:
                if not hasattr(thing, part):
                    return False
                thing = getattr(thing, part)
            return True
    return False


def test_modules_that_are_named_are_there():
    names = {name for _, name in told(MODULE) if name.split(".")[0] not in NO_MODULES}
    assert len(names) > 20
    lost = {name for name in names if not is_there(name)}
    assert not [where for where in told(MODULE) if where[1] in lost]


@pytest.mark.parametrize("name", ["files", "engine.Match.view", "table.app.application"])
def test_a_module_or_what_is_in_it_is_found(name):
    assert is_there(name)


@pytest.mark.parametrize("name", ["nowhere", "engine.nowhere", "engine.Match.nothing"])
def test_what_is_not_there_is_noticed(name):
    assert not is_there(name)


@cache
def pages():
    """All that draws pages, but style sheets."""
    kinds = {".html", ".js", ".py", ".svg", ".txt"}
    return {
        path: text(path)
        for path in tracked()
        if path.startswith("src/") and Path(path).suffix in kinds
    }


def test_every_template_and_static_file_is_used():
    for path in tracked():
        if (
            "/templates/" in path
            or "/static/" in path
            or ("/face/" in path and path.endswith(".html"))
        ):
            said = re.compile(rf"""["'/]{re.escape(Path(path).name)}""")
            assert any(said.search(page) for at, page in pages().items() if at != path), path


def test_every_class_that_has_a_style_is_used():
    """``p3`` and ``who-club`` are made of what stands there as ``p{`` and ``who-{``."""
    drawn = "\n".join(pages().values())
    words = set(re.findall(r"[\w-]+", drawn))
    for path in tracked():
        if path.startswith("src/") and path.endswith(".css"):
            selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", text(path), flags=re.DOTALL)
            for name in set(re.findall(r"[.#]([a-z_][\w-]*)", selectors)) - words:
                stem = re.sub(r"\d+$|(?<=-)[a-z]+$|(?<=-)\d-[a-z]+$", "", name)
                assert f"{stem}{{" in drawn, f"{path} has a style for {name}"
