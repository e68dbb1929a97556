"""Play, serve, learn and report with the lowest versions that are allowed, and on each Python.

`make versions`: with the oldest Python and the lowest versions of all that pyproject.toml names,
then with each other Python and the newest versions.  A Python that is not found is named.
Last comes Numba's newest, be it a candidate and beyond our bound: it may fail, and a line says so.
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
MODULES = (
    "altair, gymnasium, http_ece, optuna, pettingzoo, polars, psycopg, py_vapid, tomli_w, "
    "vl_convert"
)
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


def made(away, python):
    """An empty environment for the Python at a path."""
    venv = away.folder / "venv"
    subprocess.run(
        [UV, "venv", "-q", "--no-python-downloads", "--python", python, venv], check=True
    )


def installed(away, *what):
    """Install something there, and return the versions that matter."""
    python = away.bin / "python"
    words = [UV, "pip", "install", "-q", "--python", python, *what]
    subprocess.run(words, check=True, cwd=away.folder)
    there = [UV, "pip", "list", "--python", python]
    listed = subprocess.run(there, check=True, capture_output=True, text=True).stdout
    return dict(re.findall(r"^(litestar|numba|numpy|polars) +(\S+)", listed, re.MULTILINE))


def tried(python, resolution):
    """Install the package for the Python at a path, and use it."""
    with tempfile.TemporaryDirectory() as name:
        away = Away(Path(name))
        made(away, python)
        versions = installed(away, f"{HERE}[{EXTRAS}]", "--resolution", resolution)
        said = ", ".join(" ".join(one) for one in versions.items())
        print(f"{python}, {resolution}: {said}")
        used(away)


def tried_ahead(python):
    """Use the package with Numba's newest, candidates too; say what became of it."""
    with tempfile.TemporaryDirectory() as name:
        away = Away(Path(name))
        made(away, python)
        bound = installed(away, f"{HERE}[{EXTRAS}]")["numba"]
        newest = "its newest"
        try:
            newest = installed(away, "--upgrade", "--prerelease", "allow", "numba")["numba"]
            if newest == bound:
                print(f"Numba ahead: nothing is newer than {bound}, not even a candidate")
                return
            used(away)
        except Exception as error:  # noqa: BLE001  whatever it is, CI says it and goes on
            print(f"Numba ahead: {newest} fails, which is allowed: {error}")
        else:
            print(f"Numba ahead: {newest} works, where {bound} is the newest within our bound")


def used(away):
    """Play in the terminal and at a table, learn a little, answer a question with a report."""
    away.simulated("second-story")
    away.run("yegg", "play", "second-story", "--seats", "you,uniform", typed="q\n")
    away.at_the_table()
    away.run("yegg", "train", "second-story", "--decisions", "40", "--out", "net.npz")
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
    for python in there[-1:]:
        tried_ahead(python)
