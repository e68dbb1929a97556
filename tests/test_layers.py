"""Imports between the folders: all of them point down."""

import ast
from pathlib import Path

import pytest

import yegg

SRC = Path(yegg.__file__).parent
BELOW = {"engine", "games", "observations", "players", "parts", "stats", "text"}
MAY_IMPORT = {  # beside itself
    "text": set(),
    "stats": {"text"},
    "engine": {"text"},
    "parts": set(),
    "games": {"engine", "parts", "stats", "text"},
    "observations": {"engine"},
    "players": {"engine", "observations", "stats", "text"},
    "client": {"engine", "players", "text"},
    "coach": BELOW,
    "lab": BELOW | {"coach", "lessons"},
    "training": BELOW | {"envs"},
    "lessons": {"engine", "games", "text"},
    "table": BELOW | {"coach", "lessons"},
    "envs": BELOW,
    "post": BELOW,
    "contract": BELOW,
    "assistant": BELOW | {"client", "envs"},
    "cli": BELOW | {"assistant", "client", "coach", "lab", "lessons", "post", "table", "training"},
}
NEVER = {  # inside packages: what a folder imports in no file
    "lab/analyses": {"lab/report", "lab/questions"},
    "lab/experiment": {"lab/report", "lab/questions"},
}
TABLE = {  # inside `table`: which other folders of it each may import; single modules all may
    "domain": set(),
    "storage": {"domain"},
    "accounts": {"storage"},
    "render": {"domain"},
    "service": {"accounts", "domain", "storage"},
    "notifications": {"accounts", "domain", "render", "service", "storage"},
    "letters": {"accounts", "domain", "notifications", "render", "service", "storage"},
    "http": {"accounts", "domain", "notifications", "render", "service", "storage"},
    "admin": {"domain", "service", "storage"},
    "app.py": {
        "http",
        "letters",
        "notifications",
        "service",
        "storage",
    },  # other modules: no folder
}
FOREIGN = {  # libraries, and the folders of `table` that alone know them
    "sqlalchemy": {
        "accounts",
        "admin",
        "app.py",
        "http",
        "letters",
        "notifications",
        "service",
        "storage",
    },
    "jinja2": {"render"},
    "litestar": {"app.py", "http"},
}
MODULES = sorted(
    path for path in SRC.glob("*/**/*.py") if "tests" not in path.relative_to(SRC).parts
)


def imports(path):
    """Every module of yegg that a file imports anywhere, by its name below ``yegg``."""
    yield from (name[1:] for name in imported(path) if name[0] == "yegg" and len(name) > 1)


def imported(path):
    """Every module that a file imports anywhere, or thing in a module, by its full name."""
    package = ("yegg", *path.relative_to(SRC).parent.parts)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (tuple(name.name.split(".")) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            start += tuple(node.module.split(".")) if node.module else ()
            yield from ((*start, name.name) for name in node.names)


def short(path):
    return path.relative_to(SRC).as_posix()


def test_a_folder_imports_only_what_lies_below():
    stand = {path.relative_to(SRC).parts[0] for path in MODULES}
    assert stand == MAY_IMPORT.keys(), f"where do these stand? say so in {Path(__file__).name}"
    found = {short(path): above(path) for path in MODULES}
    assert not [f"{path} imports {', '.join(names)}" for path, names in found.items() if names]


@pytest.mark.wide
def test_inside_a_package_imports_go_one_way_too():
    for path in MODULES:
        there = {"/".join(name[:2]) for name in imports(path)}
        above = there & NEVER.get("/".join(path.relative_to(SRC).parts[:2]), set())
        assert not above, f"{short(path)} imports {', '.join(sorted(above))}"


def test_inside_the_table_each_folder_imports_only_what_lies_below():
    inside = [path for path in MODULES if path.is_relative_to(SRC / "table")]
    stand = {layer_of(path) for path in inside}
    assert {layer for layer in stand if not layer.endswith(".py")} | {"app.py"} == TABLE.keys()
    assert not [line for path in inside for line in misplaced(path)]


def layer_of(path):
    """The folder of ``table`` in which a module lies, or its own name if it lies in none."""
    return path.relative_to(SRC).parts[1]


def misplaced(path):
    """What a module of ``table`` imports though it does not lie below, in sentences."""
    own = layer_of(path)
    allowed = TABLE.get(own, set())
    there = {name[1] for name in imports(path) if name[0] == "table" and len(name) > 1}
    for name in sorted((there & (TABLE.keys() | {"app"})) - allowed - {own}):
        yield f"{short(path)} imports table/{name}; it may import: {sorted(allowed) or 'none'}"
    for library in sorted({name[0] for name in imported(path)} & FOREIGN.keys()):
        if own not in FOREIGN[library]:
            yield f"{short(path)} imports {library}; only these may: {sorted(FOREIGN[library])}"


@pytest.mark.parametrize("own", [*TABLE, "settings.py"])
def test_an_import_from_above_is_seen_and_said(own, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "SRC", tmp_path)
    path = tmp_path / "table" / (own if own.endswith(".py") else f"{own}/planted.py")
    path.parent.mkdir(parents=True)
    others = (TABLE.keys() | {"app", "settings"}) - {own, "app.py"}
    named = others | FOREIGN.keys()
    for name in sorted(named):
        module = name if name in FOREIGN else f"yegg.table.{name}"
        path.write_text(f"def late():\n    from {module} import thing\n")
        may = (
            own in FOREIGN[name]
            if name in FOREIGN
            else name in TABLE.get(own, set()) | {"settings"}
        )
        said = list(misplaced(path))
        assert bool(said) != may, f"{own} and {name}"
        assert all(line.startswith(f"{short(path)} imports ") and name in line for line in said)


def above(path):
    """What a module imports though it does not lie below."""
    folder = path.relative_to(SRC).parts[0]
    own = set() if folder == "games" and strays(path) else {folder}
    names = {name for name, *_ in imports(path) if (SRC / name).is_dir()}
    return sorted(names - MAY_IMPORT[folder] - own)


def strays(path):
    """What a game imports from other games' folders."""
    game = path.relative_to(SRC).parts[1]
    return {name for name in imports(path) if name[0] == "games" and name[1:2] != (game,)}


def test_imports_are_seen_in_every_form(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "SRC", tmp_path)
    path = tmp_path / "games" / "one" / "rules.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "import yegg.lab.simulation\nfrom yegg import players as bots\n"
        "from yegg.engine import Game\n"
        "from ..two import deal\nfrom . import words\nfrom .words import say\nimport numpy\n"
        "def late():\n    from yegg.table.app import App\n"
    )
    assert set(imports(path)) == {
        ("lab", "simulation"),
        ("players",),
        ("engine", "Game"),
        ("games", "two", "deal"),
        ("games", "one", "words"),
        ("games", "one", "words", "say"),
        ("table", "app", "App"),
    }
    assert strays(path) == {("games", "two", "deal")}


def graph():
    """Which module imports which, anywhere in it, also for types alone."""
    there = {".".join(name_of(path)): path for path in MODULES}

    def module(part):
        """The module that is imported, or that contains the imported thing."""
        names = (".".join(part[:n]) for n in range(len(part), 0, -1))
        return next((name for name in names if name in there), None)

    return {
        name: {module(part) for part in imports(path)} - {name, None}
        for name, path in there.items()
    }


def name_of(path):
    parts = path.relative_to(SRC).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def circles(arrows):
    """Modules that import each other in a circle."""
    left = dict(arrows)
    while leaves := [name for name, others in left.items() if not others & set(left)]:
        for name in leaves:
            del left[name]
    return left


@pytest.mark.wide
def test_no_module_imports_itself_by_way_of_others():
    found = circles(graph())
    onto = {name: sorted(others & set(found)) for name, others in found.items()}
    assert not found, f"a circle is among these: {onto}"


def test_a_circle_is_seen():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}).keys() == {"a", "b", "c"}
