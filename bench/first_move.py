"""How long a person waits for a bot's first answer on a machine that has never run yegg.

    python bench/first_move.py             every game, in the browser and in the terminal
    python bench/first_move.py --json      the same, for programs: seconds by game

Nothing is compiled: each measurement has an empty YEGG_CACHE.  In the browser the time runs from
opening a table, a bot at the first seat, to the bot's first choice in the stream of events; the
server has just started, compiles meanwhile, and lets bots answer as soon as they can (--pace 0).
In the terminal it runs from the command to the bot's first choice, or to the person's first prompt
where that choice is secret.
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from yegg import games

BOT = "hard"
LONG = 300  # seconds after which a measurement is given up


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--bot", default=BOT, help=f"the bot that answers (default {BOT})")
    asked = parser.parse_args()
    found = {}
    for name in games.names():
        found[name] = {
            "browser": round(fresh(in_browser, name, asked.bot), 2),
            "terminal": round(fresh(in_terminal, name, asked.bot), 2),
        }
        if not asked.json:
            took = found[name]
            print(f"{name:15} browser {took['browser']:5.2f} s, terminal {took['terminal']:5.2f} s")
    if asked.json:
        print(json.dumps({"bot": asked.bot, "seconds": found}, indent=2))


def fresh(measure, name, bot):
    """A measurement in a folder of its own, where nothing is compiled."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        own = {"YEGG_CACHE": f"{folder}/cache", "XDG_DATA_HOME": folder, "USER": "root"}
        return measure(name, bot, folder, os.environ | own)


def seats(name, bot):
    """The bot first, then a person, then further bots."""
    count = games.find(name).usual
    return [bot, "me", *[bot] * (count - 2)]


def in_browser(name, bot, folder, env):
    """Seconds from opening a table to the bot's first choice."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    base = f"http://localhost:{port}"
    line = ["serve", "--port", str(port), "--db", f"{folder}/t.db", "--pace", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "yegg.cli", *line],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            until_open(base)
            begun = time.perf_counter()
            body = json.dumps({"game": name, "seats": seats(name, bot)}).encode()
            opened = json.load(ask(f"{base}/api/games", body))
            token = {"Authorization": f"Bearer {opened['token']}"}
            with ask(f"{base}/api/games/{opened['id']}/events", headers=token) as stream:
                for row in stream:
                    if row.startswith(b"data:") and answered(json.loads(row[5:])):
                        return time.perf_counter() - begun
            raise AssertionError("the stream ended")
        finally:
            server.terminate()


def until_open(base):
    """Wait until the server answers."""
    for _ in range(10 * LONG):
        try:
            ask(f"{base}/health").close()
        except urllib.error.HTTPError:
            return  # it compiles
        except OSError:
            time.sleep(0.1)
        else:
            return


def ask(url, body=None, headers=None):
    """Get a page, or post a body."""
    headers = {"Content-Type": "application/json"} | (headers or {})
    return urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=LONG)


def answered(view):
    """Whether the bot at the first seat has chosen; secret orders count when all are given."""
    first = view["seats"][0]
    return first["ready"] or any(event["seat"] == 1 for event in view["happened"])


def in_terminal(name, bot, folder, env):
    """Seconds from the command to the bot's first choice, or to a prompt after a secret one."""
    told = re.compile(
        rf"^  {bot.partition(':')[0]}(?! plays like).*\n|Guest > ", re.IGNORECASE | re.MULTILINE
    )
    there = ",".join("you" if seat == "me" else seat for seat in seats(name, bot))
    line = ["play", name, "--seats", there, "--record", f"{folder}/a.game"]
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "yegg.cli", *line],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as child:
        said = ""
        while not told.search(said):
            more = child.stdout.read1().decode()
            if not more:
                raise AssertionError(said)
            said += more
        took = time.perf_counter() - begun
        child.stdin.close()
    return took


if __name__ == "__main__":
    main()
