"""Outputs that users and programs rely on, byte for byte; `test_outputs.py` compares their digests.

`python tests/outputs.py FOLDER` writes them all, so that `diff -r` compares two versions; without
a folder it prints the digests, for `tests/outputs.json`.  Figures are compared at ten digits, for
NumPy rounds the last ones differently on some processors.  The games are the same everywhere.
"""

import json
import re
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import click
from click.testing import CliRunner

from yegg.cli import cli

MEASURES = """
question = "Do nine chips of each suit make a shorter game?"
game = "second-story"
seed = 5
bots = ["uniform", ["greedy", "uniform", "uniform"]]
[vary]
rules = [{ name = "ten" }, { name = "nine", chips = "9" }]
[sample]
deals = 300
"greedy uniform uniform" = 60
[measure]
events = { of = "events", title = "events of a game" }
tied = "winners > 1"
share_1 = "share_1"
ends = { title = "how it ends", parts = { "one winner" = "winners = 1", tied = "winners > 1" } }
[[claim]]
events = "nine < ten"
margin = 0.5
[[claim]]
share_1 = "nine != ten"
margin = 0.05
"""

ANALYSES = """
question = "What do choices do in Second Story?"
game = "second-story"
players = 3
seed = 6
bots = ["easy", ["bold", "easy", "easy"]]
[sample]
deals = 200
[[habit]]
name = "bold"
like = "easy"
avoid = ["stop"]
[[fork]]
name = "jobs"
where = ["quick", "thorough"]
each = true
[[fork]]
name = "on offer"
offer = "flip *"
each = true
[trace]
deals = 60
pilots = 60
[choices]
deals = 20
every = 20
tries = 10
[clauses]
deals = 40
"""

TUNING = """
question = "How many chips make 15 minutes?"
game = "second-story"
players = 3
seed = 4
bots = ["uniform"]
[tune]
chips = { from = 3, to = 20 }
courts = ["no", "yes"]
[target]
minutes = { is = 15 }
tied = { of = "winners > 1", below = 0.03, weight = 2 }
[sample]
games = 800
final = 60
"""

SHORT = "second-story", "-p", "3"
COMMANDS = {
    "sim.json": ("sim", *SHORT, "--bots", "greedy,uniform,uniform", "-n", "60", "--seed", "3"),
    "sim-magnate.json": ("sim", "magnate", "-n", "40", "--seed", "3"),
    "sim-thiefs-market.json": ("sim", "thiefs-market", "-n", "40", "--seed", "3"),
    "sim-secrets.json": ("sim", "secrets", "--option", "hidden=yes", "-n", "40", "--seed", "3"),
    "arena.json": ("arena", *SHORT, "--bots", "greedy,uniform", "-n", "60", "--seed", "3"),
    "calibrate.json": ("calibrate", *SHORT, "--bots", "easy", "-n", "30", "--seed", "3"),
    "counter.json": (
        *("counter", "secrets", "-p", "3", "--option", "secrets=3", "--option", "spies=1"),
        *("--option", "turns=1", "--bots", "easy", "-n", "40", "--seed", "3"),
    ),
}
# How fast a machine is, and when something was made.
TIMES = re.compile(
    r'("(?:seconds|events_per_second|median|worst)": )[^,\n}]+|'
    r'("(?:seconds_per_decision|decisions_per_second)": )\{(?:[^{}]|\{[^}]*\})*\}'
)
LONG = re.compile(rb"\d+\.\d{8,}(?:e-?\d+)?")
LESSON = "/learn/second-story/1-one-house"
PATHS = (
    *("/", "/me", "/me/take", "/me/guests", "/learn/secrets", "/rules/secrets", "/t/nowhere"),
    *("/print/secrets/orders", "/api/lobby", "/api/about", "/api/nothing"),
)
# Proofs of forms, the time, dice promised for the next table, and digests of files beside pages.
CHANGING = re.compile(
    rb'(name="csrf" (?:content|value)=")[^"]*|(?:data-moment|data-promise)="[^"]*"|'
    rb'(?:name="(?:ticket|salt)" value="[^"]*")|\?[0-9a-f]{8}\b|\b[0-9a-f]{64}\b'
)


def command(*words: str) -> str:
    """What a command of yegg prints, without times."""
    result = CliRunner().invoke(cli, words)
    if result.exit_code:
        raise SystemExit(f"yegg {' '.join(words)}: {result.output}") from result.exception
    return TIMES.sub(r"\1\2…", result.stdout)


def commands():
    for name, words in COMMANDS.items():
        yield name, command(*words, "--json").encode()


def helps():
    """What each command says of itself: its name, options and examples."""

    def under(one, words):
        yield words
        if isinstance(one, click.Group):
            context = click.Context(one)
            for name in one.list_commands(context):
                yield from under(one.get_command(context, name), (*words, name))

    for words in under(cli, ()):
        yield f"help/{'-'.join(words) or 'yegg'}.txt", command(*words, "--help").encode()


def experiments():
    """The folders of three small experiments: their parts, reports and what is printed of them."""
    for name, text, verb in (
        ("measures", MEASURES, "run"),
        ("analyses", ANALYSES, "run"),
        ("tuning", TUNING, "tune"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            file, out = Path(folder, f"{name}.toml"), Path(folder, "out")
            file.write_text(text, encoding="utf-8")
            printed = command("lab", verb, str(file), "--out", str(out), "--threads", "1", "--json")
            yield f"{name}/printed.json", printed.replace(folder, "").encode()
            shown = command("lab", "show", str(out / "final" if verb == "tune" else out))
            yield f"{name}/shown.txt", shown.replace(folder, "").encode()
            for path in sorted(out.rglob("*")):
                if path.is_file() and path.name not in {"manifest.json", "journal.jsonl"}:
                    data = path.read_bytes()
                    if path.suffix in {".json", ".html", ".md"}:
                        data = TIMES.sub(r"\1\2…", data.decode().replace(folder, "")).encode()
                    yield f"{name}/{path.relative_to(out).as_posix()}", data


def pages():
    """The API's text, and a page of each kind."""
    from litestar.testing import TestClient

    from yegg.table.app import application
    from yegg.table.settings import Settings

    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.table.laid import lay
    from tests.table.moments import MOMENTS

    with tempfile.TemporaryDirectory() as folder:
        db = f"sqlite:///{folder}/t.db"
        laid = lay(db, MOMENTS)
        how = {"limits": False, "pace": 0.0, "warm": False, "hosts": ("testserver.local",)}
        with TestClient(
            application(Settings(db=db, **how)), base_url="http://testserver.local"
        ) as client:
            yield "openapi.json", client.get("/api/schema").content
            for path in PATHS:
                yield f"pages{path.replace('/', '-')}.html", neutral(client.get(path).content)
            csrf = re.search(r'name="csrf" value="([^"]+)"', client.get(f"{LESSON}?at=2").text)[1]
            ask, script = {"csrf": csrf, "at": "2", "go": "yes"}, {"Accept": "application/json"}
            answer = client.post(LESSON, data=ask, headers=script)
            yield "pages-lesson-answer.json", neutral(answer.content)
            client.cookies.clear()
            for moment in MOMENTS:
                where = laid[str(moment)]
                cookies = {"Cookie": f"yegg={where.cookie}"} if where.cookie else {}
                client.cookies.clear()
                page = client.get(where.path, headers=cookies)
                yield f"pages/{moment}.html", neutral(page.content)
                client.cookies.clear()
                found = client.get(f"/api/games/{moment.key}", headers=cookies)
                yield f"tables/{moment}.json", neutral(found.content)
                if moment.name == "over":
                    for more in ("steps", "at/5", "dice"):
                        page = client.get(f"{where.path}/{more}", headers=cookies)
                        yield f"pages/{moment}-{more.replace('/', '-')}", neutral(page.content)


def neutral(data: bytes) -> bytes:
    """A page without what differs from start to start."""
    return CHANGING.sub(rb"\1", data)


def ten_digits(data: bytes) -> bytes:
    """A text whose long figures have ten digits."""
    return LONG.sub(lambda figure: b"%.10g" % float(figure[0]), data)


def outputs():
    """Yield all outputs, as a name and bytes."""
    yield from helps()
    for name, data in (*commands(), *experiments()):
        yield name, ten_digits(data)
    yield from pages()


def digests():
    """The digest of each output, by its name."""
    return {name: sha256(data).hexdigest()[:16] for name, data in outputs()}


def write(folder: Path) -> None:
    """Write all outputs into a folder."""
    for name, data in outputs():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    if sys.argv[1:]:
        write(Path(sys.argv[1]))
    else:
        sys.stdout.write(json.dumps(digests(), indent=1, sort_keys=True) + "\n")
