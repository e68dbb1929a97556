"""Build the wheel and the sdist, and try them in an empty environment: `make package`.

What is installed there is the wheel made from the sdist alone, without the checkout in reach.
"""

import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import venv
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
GAMES = "magnate", "secrets", "second-story", "thiefs-market"
LEFT_OUT = re.compile(  # only tests read these
    r"^yegg/(games/)?\w+/(tests|records)/|/__pycache__/|^yegg/games/\w+/perft\.csv$"
)
PROGRAM = """
import yegg
match = yegg.Match("second-story", players=2, seed=7)
bots = [yegg.Bot("uniform", seed=1), yegg.Bot("uniform", seed=2)]
while not match.over:
    match.play(bots[match.actor].choose(match.view()))
yegg.simulate("second-story", games=4)
print(yegg.__file__, match.places)
"""


BOT = {
    "pyproject.toml": """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "bold-bots"
version = "0.1"
dependencies = ["yegg"]
""",
    "bold_bots/__init__.py": """
import yegg


class Bold(yegg.Player):
    def choose(self, view):
        return view.choices[0]
""",
}


def built(folder, *targets):
    """Have hatchling build a folder; what came of it."""
    words = ["build", *(f"-t{target}" for target in targets)]
    build = [sys.executable, "-m", "hatchling", *words]
    subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return [max(folder.glob(f"dist/*.{end}")) for end in ("whl", "tar.gz")[: len(targets)]]


def packed(away):
    """The wheel that comes of the sdist, which must hold the same as that of the checkout."""
    for old in HERE.glob("dist/*"):
        old.unlink()
    wheel, sdist = built(HERE, "wheel", "sdist")
    with tarfile.open(sdist) as tar:
        tar.extractall(away, filter="data")
    (folder,) = away.iterdir()
    (again,) = built(folder, "wheel")
    there = set(zipfile.ZipFile(again).namelist())
    assert there == set(zipfile.ZipFile(wheel).namelist())
    sources = {
        path.relative_to(folder / "src").as_posix()
        for path in (folder / "src").rglob("*")
        if path.is_file()
    }
    wanted = {path for path in sources if not LEFT_OUT.search(path)}
    assert wanted == {path for path in there if path.startswith("yegg/")}
    kinds = sorted({Path(path).suffix for path in wanted})
    print(f"{wheel.name} and {sdist.name}: {len(wanted)} files, {' '.join(kinds)}")
    return again


class Away:
    """An empty environment with the package in it, and nothing of ours around it."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = folder / "venv" / "bin"
        kept = {"PATH", "LANG", "YEGG_CACHE"}
        self.env = {name: value for name, value in os.environ.items() if name in kept}
        self.env |= {"HOME": str(folder), "NO_COLOR": "1"}
        self.env.setdefault("YEGG_CACHE", str(folder / "cache"))

    def install(self, *words):
        """Have pip install something, in an environment that is made for it."""
        if not self.bin.exists():
            venv.create(self.folder / "venv", with_pip=True)
        pip = [self.bin / "python", "-m", "pip", "-q", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, *words], cwd=self.folder, check=True)

    def run(self, program, *words, typed=""):
        """What a program prints."""
        return subprocess.run(
            [self.bin / program, *words],
            cwd=self.folder,
            env=self.env,
            input=typed,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
        ).stdout

    def in_the_terminal(self):
        """Rules, card files, simulations, a game at the prompt, and the Python interface."""
        with ThreadPoolExecutor(2) as pool:  # each compiles its game
            list(pool.map(self.simulated, GAMES))
        print("rules and simulations of all games")
        assert "Second Story" in self.run(
            "yegg", "play", "second-story", "--seats", "you,uniform", typed="q\n"
        )
        said = self.run("python", "-c", PROGRAM)
        assert str(self.folder) in said, said
        print("a game in the terminal and one from Python:", said.split(maxsplit=1)[1].strip())

    def simulated(self, game):
        """The rules of a game, and how twenty of them go."""
        assert len(self.run("yegg", "rules", game)) > 3000, game
        run = json.loads(self.run("yegg", "sim", game, "-n", "20", "--seed", "1", "--json"))
        assert run["finished"] == 20, game

    def at_the_table(self):
        """Every page of a server, and a bot that plays a game at it."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        base = f"http://localhost:{port}"
        words = ["serve", "--port", str(port), "--no-warm", "--pace", "0", "--db", "table.db"]
        server = subprocess.Popen(
            [self.bin / "yegg", *words],
            cwd=self.folder,
            env=self.env,
            stdout=(self.folder / "log").open("w"),
        )
        try:
            until_it_answers(base)
            served(base)
            seats = ["open", "uniform", "uniform"]
            opened = asked(base, "/api/games", {"game": "second-story", "seats": seats})
            link = f"{base}/t/{json.loads(opened)['id']}"
            assert "places [" in self.run("yegg", "sit", link, "--bot", "uniform")
            print("a bot at the table by HTTP")
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=30) in (0, -signal.SIGTERM)

    def of_others(self):
        """A game that `yegg new-game` writes, and a bot: installed, played, contract kept."""
        self.run("yegg", "new-game", "lucky-dice")
        for name, text in BOT.items():
            path = self.folder / "bold-bots" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.install("-c", HERE / "constraints.txt", "hatchling", "pytest")
        self.install("--no-build-isolation", "--no-deps", "./lucky-dice", "./bold-bots")
        assert "lucky-dice" in self.run("yegg")
        bots = "bold_bots:Bold,uniform"
        told = json.loads(
            self.run("yegg", "arena", "lucky-dice", "--bots", bots, "-n", "40", "--json")
        )
        assert told["pairs"][0]["games"] >= 40
        assert " passed" in self.run("pytest", "-q", "lucky-dice")
        self.env["YEGG_BOTS"] = bots
        kept = self.run("pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "yegg.contract")
        assert not re.search("failed|skipped|warning", kept), kept
        print("a game and a bot of others:", kept.strip().splitlines()[-1])


def asked(base, path, body=None):
    """The answer to a request, a text."""
    return read(base, path, body).decode()


def read(base, path, body=None):
    """The bytes of the answer to a request."""
    head = {"content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, head)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def until_it_answers(base):
    for _ in range(300):
        try:
            asked(base, "/health")
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server does not start")


def served(base):
    """The lobby, all that it loads, and the rules and a table of every game."""
    loaded = set()
    pages = [asked(base, "/")]
    games = json.loads(asked(base, "/api/about"))["games"]
    assert sorted(games) == sorted(GAMES)
    for name, game in games.items():
        pages.append(asked(base, f"/rules/{name}"))
        assert len(pages[-1]) > 3000, name
        seats = ["me", *["uniform"] * (game["usual"] - 1)]
        wish = {"game": name, "seats": seats, "you": "Ann"}
        table = json.loads(asked(base, "/api/games", wish))["id"]
        pages.append(asked(base, f"/t/{table}"))
        assert game["title"] in html.unescape(pages[-1]), name
    for page in pages:
        loaded |= set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
    assert loaded
    assert all(read(base, path) for path in loaded)
    print(f"the lobby, rules and tables of all games, and {len(loaded)} files that they load")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "sdist").mkdir()
        (folder / "away").mkdir()
        wheel = packed(folder / "sdist")
        away = Away(folder / "away")
        away.install("-c", HERE / "constraints.txt", f"yegg @ {wheel.as_uri()}")
        away.in_the_terminal()
        away.at_the_table()
        away.of_others()
