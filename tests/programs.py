"""Programs as users run them: commands, a terminal that is typed at, packages of other people."""

import importlib.util
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pexpect

import yegg

SOURCE = Path(yegg.__file__).parents[1]
FORKS = multiprocessing.get_context("forkserver")  # importing takes longer than all else at a start
FORKS.set_forkserver_preload(["yegg.cli.serve", "yegg.table.app", "yegg.lab.executors.threads"])
NO_CARD = "the graphics card's tests: `make test-gpu` runs them, on a card or in a simulator"
"""What is said of tests that need numba-cuda, or a card."""
PLAIN = {"NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"}


def has_card():
    """Whether kernels run here: on a graphics card, or in numba-cuda's simulator."""
    if importlib.util.find_spec("numba_cuda") is None:
        return False
    from numba import cuda

    return cuda.is_available()


def python(*words, paths=(), **how):
    """Run Python with yegg, and with more paths; the finished process, its output as text."""
    there = {"PYTHONPATH": os.pathsep.join(map(str, (*paths, SOURCE)))}
    env = os.environ | PLAIN | there | how.pop("env", {})
    how = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL} | how
    return subprocess.run([sys.executable, *words], env=env, check=False, **how)


def command(*words, **how):
    """Run `yegg` as a program of its own, as `python` does."""
    return python("-m", "yegg.cli", *words, **how)


def lay(folder, files):
    """Write files into a folder, each as it is indented here."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")


def installed(name, entry_points):
    """The files by which Python takes a package for installed."""
    return {
        f"{name}-1.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{name}-1.dist-info/entry_points.txt": entry_points,
    }


class Terminal:
    """A command in a pseudo-terminal, typed at as a person does."""

    def __init__(self, *words, **env):
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "yegg.cli", *words],
            env=os.environ | PLAIN | {"USER": "root"} | env,
            encoding="utf-8",
            timeout=30,
            dimensions=(50, 100),
        )

    def __call__(self, typed, *answers, timeout=-1):
        """Type a line (None: nothing) and wait for answers; what came before the last of them."""
        if typed is not None:
            self.child.sendline(typed)
        for answer in answers:
            self.child.expect(answer, timeout=timeout)
        return " ".join(self.child.before.split()) if answers else ""

    def kill(self):
        """End it as a crash does."""
        self.child.kill(signal.SIGKILL)
        self.child.wait()  # a busy machine takes longer than `close` would wait
        self.child.close()
