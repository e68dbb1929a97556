"""How long somebody waits between their own turns, at the usual pace, in a real browser.

    python bench/tempo.py                                every game, with its numbers of players
    python bench/tempo.py secrets --players 4 --turns 6  one of them, a few turns
    python bench/tempo.py --beside ../before             the same, beside an earlier checkout

One person sits with bots and presses a choice as soon as there is one.  A wait begins when the page
shows that others play, and ends when one's own choices can be pressed again, all that happened
having been shown.  What is left is the person's own turn.
"""

import argparse
import contextlib
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from first_move import ask
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

from yegg import games
from yegg.cli.output import progress
from yegg.text.json_writer import as_json

HERE = Path(__file__).resolve().parents[1]
sys.path.append(str(HERE / "scripts"))
import chromium  # noqa: E402

BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
CHOICES = "#live button[name=choice]:not([aria-disabled])"
LIMIT = 90.0  # seconds that a wait may take

# Notes, whenever the page changes, whether others were seen to play.
WATCH = """() => {
    window.others = false;
    const look = () => {
        if (document.querySelector("#live .turn:not(.mine)")) window.others = true;
    };
    new MutationObserver(look).observe(document.getElementById("live"), {childList: true});
}"""
NUMBER = "() => document.querySelector('#live [data-number]').dataset.number"
READY = f"""() => {{
    const behind = document.body.matches(".behind, .playing");
    const over = document.querySelector("#live [data-over=yes]");
    const mine = document.querySelector("#live .turn.mine") && document.querySelector("{CHOICES}");
    return !behind && (over ? "over" : mine ? "mine" : "");
}}"""
PRESS = f"""dice => {{
    const boxes = [...document.querySelectorAll("#live input[type=radio]")];
    for (const name of new Set(boxes.map(box => box.name))) {{
        const some = boxes.filter(box => box.name === name);
        if (!some.some(r => r.checked)) some[Math.floor(dice * some.length)].click();
    }}
    const more = [...document.querySelectorAll("#live input[type=checkbox]:enabled")];
    const free = more.filter(box => box.checkVisibility() && !box.checked);
    free[Math.floor(dice * free.length)]?.click();
    window.others = false;
    const seal = document.querySelector("#seal-now");
    const all = seal ? [seal] : [...document.querySelectorAll("{CHOICES}")];
    const there = all.filter(button => button.checkVisibility());
    there[Math.floor(dice * there.length)].click();
}}"""


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default all games")
    parser.add_argument("--players", type=int, help="by default every number of them")
    parser.add_argument("--turns", type=int, default=12, help="own turns of each game")
    parser.add_argument("--bots", default="medium", help="who plays the other seats")
    parser.add_argument("--beside", type=Path, help="an earlier checkout, measured the same way")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    if unknown := set(asked.games) - set(games.names()):
        parser.error(f"{', '.join(unknown)}: choose from {', '.join(games.names())}")
    found = []
    for called, folder in (("before", asked.beside), ("now", HERE)):
        if folder:
            with serving(folder) as base, sync_playwright() as play:
                browser = play.chromium.launch(executable_path=chromium.program(), args=BROWSER)
                found += [one | {"of": called} for one in measured(browser, base, asked)]
    if asked.json:
        print(as_json(found, indent=2))
        return
    print(f"{'':24}{'waits':>7}{'median':>8}{'95 %':>8}{'longest':>9}{'waited':>9}{'own':>8}  s")
    for one in sorted(found, key=lambda row: (row["game"], row["players"])):
        line = f"{one['game']}, {one['players']}, {one['of']}"
        figures = (one[name] for name in ("median", "most", "longest", "waited", "own"))
        print(f"{line:24}{one['waits']:>7}" + "".join(f"{each:8.1f}" for each in figures))


def measured(browser, base, asked):
    """The rows of a table of waits, by game and number of players."""
    for name in asked.games or games.names():
        game = games.find(name)
        for players in [asked.players] if asked.players else game.players:
            if players not in game.players or players < 2:
                continue
            with progress(f"{game.title}, {players}", asked.turns, quiet=asked.json) as update:
                waits, own = played(browser, base, name, players, asked, update)
            yield {
                "game": name,
                "players": players,
                "waits": len(waits),
                "median": statistics.median(waits) if waits else 0.0,
                "most": sorted(waits)[int(0.95 * (len(waits) - 1) + 0.5)] if waits else 0.0,
                "longest": max(waits, default=0.0),
                "waited": sum(waits),
                "own": own,
            }


def played(browser, base, name, players, asked, update):
    """Seconds of each wait of a game, and of one's own turns in all."""
    body = {"game": name, "seats": ["me", *[asked.bots] * (players - 1)], "you": "Vera"}
    opened = json.load(ask(f"{base}/api/games", json.dumps(body).encode()))
    dice, waits, own = random.Random(f"{name} {players}"), [], 0.0
    with contextlib.closing(browser.new_context(viewport={"width": 1280, "height": 800})) as here:
        here.add_cookies([{"name": "yegg", "value": opened["token"], "url": base}])
        page = here.new_page()
        page.goto(f"{base}/t/{opened['id']}")
        page.evaluate(WATCH)
        while len(waits) < asked.turns:
            begun = time.perf_counter()
            state = page.wait_for_function(READY, timeout=1000 * LIMIT, polling=20).json_value()
            took = time.perf_counter() - begun
            if page.evaluate("() => window.others"):
                waits.append(took)
                update(completed=len(waits))
            else:
                own += took
            if state == "over":
                break
            number = page.evaluate(NUMBER)
            while page.evaluate(NUMBER) == number:  # what was pressed may lack something else
                page.evaluate(PRESS, dice.random())
                with contextlib.suppress(PlaywrightTimeout):
                    page.wait_for_function(f"n => ({NUMBER})() !== n", arg=number, timeout=3000)
    return waits, own


@contextlib.contextmanager
def serving(folder):
    """The address of a server of a checkout, once all is compiled."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as there:
        words = ["serve", "--port", str(port), "--db", f"{there}/games.db", "--no-limits"]
        env = os.environ | {"PYTHONPATH": str(folder / "src")}
        server = subprocess.Popen(
            [sys.executable, "-m", "yegg.cli", *words], env=env, stdout=subprocess.DEVNULL
        )
        base = f"http://127.0.0.1:{port}"
        try:
            while not healthy(base):
                if server.poll() is not None:
                    sys.exit(f"the server of {folder} has ended with status {server.returncode}")
                time.sleep(0.2)
            yield base
        finally:
            server.terminate()
            server.wait()


def healthy(base):
    """Whether a server is there, and has compiled everything."""
    try:
        return ask(f"{base}/health").status == 200
    except OSError:
        return False


if __name__ == "__main__":
    main()
