"""How long a person waits for a bot's first answer on a machine that has never run yegg.

    python bench/first_move.py             every game, in the browser and in the terminal
    python bench/first_move.py --json      the same, for programs: seconds by game

Nothing is compiled: each measurement has an empty YEGG_CACHE.  In the browser the time runs from
opening a table, a bot at the first seat, to the bot's first choice in the stream of events; the
server has just started and compiles meanwhile.  Bots are asked not to wait for those who look on,
as they else do between two choices, and for seconds after a failed night.  In the terminal it runs
from the command to the bot's first choice, or to the person's next prompt where that choice is
secret.  Where the bot's turn passes without a choice, the person plays on at once.  In brackets:
processor seconds of the server or the command itself in this time, without the process that
compiles; on a busy machine they tell more.
"""

import argparse
import contextlib
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
from pathlib import Path

from yegg import games
from yegg.text.json_writer import as_json

BOT = "hard"
LONG = 300  # seconds after which a measurement is given up


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--bot", default=BOT, help=f"the bot that answers (default {BOT})")
    asked = parser.parse_args()
    waited, spent = {}, {}
    for name in games.names():
        browser, terminal = (fresh(way, name, asked.bot) for way in (in_browser, in_terminal))
        waited[name] = {"browser": browser[0], "terminal": terminal[0]}
        spent[name] = {"browser": browser[1], "terminal": terminal[1]}
        if not asked.json:
            told = "browser {:5.2f} s ({:.2f}), terminal {:5.2f} s ({:.2f})"
            print(f"{name:15} {told.format(*browser, *terminal)}")
    if asked.json:
        found = {"bot": asked.bot, "seconds": waited, "processor_seconds": spent}
        print(as_json(found, indent=2))


def fresh(measure, name, bot):
    """A measurement in a folder of its own, where nothing is compiled."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        own = {"YEGG_CACHE": f"{folder}/cache", "XDG_DATA_HOME": folder, "USER": "root"}
        return measure(name, bot, folder, os.environ | own)


class Clock:
    """Seconds from now on, and those that a process keeps a processor busy."""

    def __init__(self, process):
        """The process is running."""
        self.process, self.begun, self.before = process, time.perf_counter(), busy(process)

    def read(self):
        """Both, rounded."""
        waited = time.perf_counter() - self.begun
        return round(waited, 2), round(busy(self.process) - self.before, 2)


def busy(process):
    """Processor seconds of a process, without those of processes that it started (Linux)."""
    numbers = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, numbers[11:13])) / os.sysconf("SC_CLK_TCK")


def seats(name, bot):
    """The bot first, then a person, then further bots."""
    count = games.find(name).usual
    return [bot, "me", *[bot] * (count - 2)]


def in_browser(name, bot, folder, env):
    """From opening a table to the bot's first choice."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    base = f"http://localhost:{port}"
    line = ["serve", "--port", str(port), "--db", f"{folder}/t.db"]
    with subprocess.Popen(
        [sys.executable, "-m", "yegg.cli", *line],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            until_open(base)
            clock = Clock(server)
            body = json.dumps({"game": name, "seats": seats(name, bot)}).encode()
            opened = json.load(ask(f"{base}/api/games", body))
            wait_for_answer(f"{base}/api/games/{opened['id']}", opened["token"])
            return clock.read()
        finally:
            server.terminate()


def wait_for_answer(table, token):
    """Read a table's events until the bot has chosen."""
    headers = {"Authorization": f"Bearer {token}"}
    with ask(f"{table}/events?pace=0", headers=headers) as stream:
        for row in stream:
            if not row[5:].strip() or not row.startswith(b"data:"):
                continue  # a sign of life has no data
            view = json.loads(row[5:])
            if answered(view):
                return view
            if view["choices"] and 1 not in view["turn"]:
                made = {"choice": view["choices"][0]["text"], "after": view["number"]}
                with contextlib.suppress(urllib.error.HTTPError):  # there is a newer view
                    ask(f"{table}/choices", json.dumps(made).encode(), headers).close()
    raise AssertionError("the stream ended")


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
    """From the command to the bot's first choice, or to a prompt after a secret one."""
    told = re.compile(
        rf"^  {bot.partition(':')[0]}(?! plays like).*\n", re.IGNORECASE | re.MULTILINE
    )
    record = Path(folder, "a.game")
    there = ",".join("you" if seat == "me" else seat for seat in seats(name, bot))
    line = ["play", name, "--seats", there, "--record", str(record)]
    with subprocess.Popen(
        [sys.executable, "-m", "yegg.cli", *line],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as child:
        clock, said = Clock(child), ""
        while not told.search(said):
            more = child.stdout.read1().decode()
            if not more:
                raise AssertionError(said)
            said += more
            if said.endswith("Guest > "):
                if "\n1 " in record.read_text():
                    break
                child.stdin.write(b"1\n")
                child.stdin.flush()
                said = ""
        took = clock.read()
        child.stdin.close()
    return took


if __name__ == "__main__":
    main()
