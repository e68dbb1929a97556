"""What every test of every game starts from, and what is said of tests that could not run."""

import gc
import io
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import NO_CARD, Terminal, has_card, installed, lay, python

from yegg import folders, players
from yegg.cli import main
from yegg.cli.new_game import write
from yegg.contract.cases import case, game

__all__ = ["case", "game"]

NOT_ALLOWED = "only root can mount a small file system"
"""Why a test may be left out although nothing is missing."""


@pytest.fixture(autouse=True)
def nobody_enrolled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Players that a test makes known are unknown to the next test."""
    monkeypatch.setattr(players, "_enrolled", {})
    yield
    players.find.cache_clear()


@pytest.fixture
def terminal(tmp_path):
    """Starts commands in a terminal; nothing of the user's is touched."""
    started = []

    def start(*words, **env):
        started.append(Terminal(*words, **{"XDG_DATA_HOME": str(tmp_path / "data")} | env))
        return started[-1]

    yield start
    for one in started:
        one.kill()


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Runs a command of yegg in this process; gives status, standard output, standard error."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "120")

    def command(line, *words):
        monkeypatch.setattr(sys, "argv", ["yegg", *line.split(), *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        try:
            status = main() or 0
        except SystemExit as ended:
            status = ended.code or 0
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return command


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test marked ``wide(but=[id, …])`` the named cases are not wide.

    A name that no case has is an error, unless only some cases are asked for.  Tests marked
    ``wide(minutes=n)`` come first, so that nobody waits for them alone at the end.
    """
    items.sort(key=minutes, reverse=True)
    named, found = set(), set()
    for item in items:
        for mark in [m for m in item.own_markers if m.name == "wide" and "but" in m.kwargs]:
            test = item.nodeid.partition("[")[0]
            named |= {f"{test}[{case}]" for case in mark.kwargs["but"]}
            if item.callspec.id in mark.kwargs["but"]:
                found.add(item.nodeid)
                item.own_markers.remove(mark)
    if named - found and not any("::" in word for word in config.args):
        raise pytest.UsageError(f"wide(but=…) names no case: {', '.join(sorted(named - found))}")


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: the tests and the libraries."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def minutes(item: pytest.Item) -> int:
    """How many minutes a test says that it takes."""
    return max((mark.kwargs.get("minutes", 0) for mark in item.iter_markers("wide")), default=0)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Let the last lines say what ran, what did not, and how to get what was missing.

    Where ``CI`` is set a run fails if anything that could be installed was missing.
    """
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(session.config, "workerinput"):
        return
    ran = Counter(area(report.nodeid) for report in reporter.stats.get("passed", ()))
    if len(ran) > 1:
        told = ", ".join(f"{many:,} of {name}" for name, many in ran.most_common())
        reporter.write_line(f"passed: {told}")
    if session.config.option.markexpr == "not wide":
        reporter.write_line("`make test-all` also runs the tests that are marked wide")
    skipped = Counter()
    for report in reporter.stats.get("skipped", ()):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        skipped[why.removeprefix("Skipped: ")] += 1
    for why, many in skipped.most_common():
        reporter.write_line(f"{many} left out: {why}", yellow=True)
    if session.config.args_source == pytest.Config.ArgsSource.TESTPATHS and not has_card():
        reporter.write_line(f"left out: {NO_CARD}")
    if os.environ.get("CI") and skipped.keys() - {NOT_ALLOWED} and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def area(test: str) -> str:
    """What a test is about: the folder of a game, or one below ``tests``; a browser's are apart."""
    path = Path(test.partition("::")[0])
    if path.stem.endswith("_browser"):
        return "pages in a browser"
    if path.parts[0] == "src":
        return path.parts[3].replace("_", " ")
    return path.parts[1] if len(path.parts) > 2 else "all games and pages"


LESSON = {
    "pig/lessons/1-first.lesson": """\
        # lesson: Roll or hold
        game: pig
        players: Ann, Bob

        # says: Roll the die.
        # look: roll
        # clause: PI-2
        # else: Roll first.
        1 roll
        * die 6
        # says: Six points are in the pot. Hold.
        # else: Hold this time.
        1 hold
        """,
    **installed("pig", "[yegg.games]\npig = pig\n"),
}


@pytest.fixture
def pig(tmp_path):
    """Python and yegg beside a game that `yegg new-game` has written, with a lesson."""
    write("pig", tmp_path / "made")
    shutil.copytree(tmp_path / "made" / "src", tmp_path, dirs_exist_ok=True)
    lay(tmp_path, LESSON)
    env = {"HOME": str(tmp_path), "YEGG_CACHE": str(folders.cache())}

    def run(*words):
        done = python(*words, paths=[tmp_path], env=env, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
