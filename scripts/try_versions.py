"""Play, serve, learn and report with the lowest versions that are allowed, and on each Python.

`make versions`: with the oldest Python and the lowest versions of all that pyproject.toml names,
then with each other Python and the newest versions.  A Python that is not found is named.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from try_package import HERE, Away

CLASSIFIER = re.compile(r"Python :: (3\.\d+)\"")
EXTRAS = "lab,gym,told,postgres"
MODULES = "altair, gymnasium, optuna, pettingzoo, polars, psycopg, py_vapid, tomli_w, vl_convert"
UV = Path(sys.executable).with_name("uv")


def pythons():
    """The versions of Python that the package is said to work with, the oldest first."""
    return CLASSIFIER.findall((HERE / "pyproject.toml").read_text(encoding="utf-8"))


def found(version):
    """Where a Python of this version is, on the path or of pyenv; None if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = shutil.which(f"python{version}")
    for python in (named, *pyenv.glob(f"versions/{version}.*/bin/python")):
        words = [python or "false", "-V"]  # a name on the path may be a mere pointer to nothing
        if subprocess.run(words, capture_output=True, check=False).returncode == 0:
            return python
    print(f"Python {version} is not found here, so it is not tried")
    return None


def tried(python, resolution):
    """Install the package for the Python at a path, and use it."""
    with tempfile.TemporaryDirectory() as name:
        away = Away(Path(name))
        venv = away.folder / "venv"
        what = [f"{HERE}[{EXTRAS}]", "--python", away.bin / "python", "--resolution", resolution]
        subprocess.run(
            [UV, "venv", "-q", "--no-python-downloads", "--python", python, venv], check=True
        )
        subprocess.run([UV, "pip", "install", "-q", *what], check=True, cwd=name)
        there = [UV, "pip", "list", "--python", away.bin / "python"]
        listed = subprocess.run(there, check=True, capture_output=True, text=True).stdout
        chosen = re.findall(r"^(litestar|numba|numpy|polars) +(\S+)", listed, re.MULTILINE)
        print(f"{python}, {resolution}:", ", ".join(" ".join(one) for one in chosen))
        used(away)


def used(away):
    """Play in the terminal and at a table, learn a little, answer a question with a report."""
    away.simulated("second-story")
    away.run("yegg", "play", "second-story", "--seats", "you,uniform", typed="q\n")
    away.at_the_table()
    away.run("yegg", "train", "second-story", "--games", "40", "--out", "learned.npz")
    vary = ["--vary", "courts=no,yes", "-n", "20", "--report", "report.html"]
    away.run("yegg", "sim", "second-story", *vary)
    assert "<svg" in (away.folder / "report.html").read_text(encoding="utf-8")
    away.run("python", "-c", f"import {MODULES}")
    print("a game played, one served, a net learned, a report written, all extras imported")


if __name__ == "__main__":
    if not UV.exists():
        raise SystemExit(f"there is no uv beside {sys.executable}: make versions installs it")
    there = [python for version in sys.argv[1:] or pythons() if (python := found(version))]
    for number, python in enumerate(there):
        tried(python, "highest" if number else "lowest-direct")
