"""An evening of a club: thirty scripted people, several rounds, in each game, over HTTP.

    python bench/evening.py                                        all games, thirty people
    python bench/evening.py magnate --people 7 --rounds 3          one of them, fewer people
    python bench/evening.py --url http://localhost:8000            at a server that runs

Everybody joins over one link, waits to be led to a table, and plays by lot until the evening is
over.  Then it is checked that all points were given out.  Any answer of the server of 500 or more
ends the bench with an error, and so does a game that does not end.
"""

import argparse
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx

from yegg import games
from yegg.client.seat import Gone, Seat, Server
from yegg.table.domain.evening import OUT, WIN

LIMIT = 550.0  # seconds for the evening of a game
AGAIN = 0.5  # seconds between two looks at the evening


@contextmanager
def serving():
    """A server of its own, in an empty folder; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", str(port), "--db", f"{folder}/t.db", "--no-limits", "--pace", "0"]
        log = Path(folder) / "log"
        with log.open("w") as to:
            words = [sys.executable, "-m", "yegg.cli", "serve", "--no-warm", *options]
            process = subprocess.Popen(words, stdout=to, stderr=to)
        url = f"http://localhost:{port}"
        try:
            for _ in range(600):
                try:
                    if httpx.get(f"{url}/health").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait(20)


class Guest:
    """Somebody who has joined: they look where they sit, and play there."""

    def __init__(self, url, evening, name, seed):
        self.server, self.evening, self.dice = Server(url), evening, random.Random(seed)
        self.http = httpx.Client(base_url=url, timeout=60)
        self.name, self.statuses, self.waits = name, Counter(), []
        joined = self.ask("POST", "/join", {"you": name})
        self.token, self.number = joined["token"], joined["you"]

    def ask(self, method, path="", body=None):
        """Ask something about the evening; each status is counted."""
        token = getattr(self, "token", "")
        head = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.http.request(
            method, f"/api/evenings/{self.evening}{path}", json=body, headers=head
        )
        self.statuses[answer.status_code] += 1
        answer.raise_for_status()
        return answer.json()

    def evening_long(self, until):
        """Play at one table after another until the evening is over."""
        played = set()
        while time.monotonic() < until:
            now = self.ask("GET")
            if now["over"]:
                return
            if now["table"] and now["table"] not in played:
                played.add(now["table"])
                self.play(Seat(self.server, now["table"], self.token), until)
            else:
                time.sleep(AGAIN)
        raise TimeoutError(f"{self.name} still plays after {LIMIT:.0f} seconds")

    def play(self, seat, until):
        """Play by lot to the end of a game, or of the time."""
        for table in seat.news():
            if time.monotonic() > until:
                return
            if table.choices:
                begun = time.perf_counter()
                try:
                    choice = self.dice.choice(table.choices)
                    seat.choose(choice.choice, table.number)
                    self.statuses[200] += 1
                except Gone as gone:  # something has happened meanwhile: the next news asks again
                    self.statuses[gone.status] += 1
                self.waits.append(time.perf_counter() - begun)


def evening(url, game, people, rounds):
    """One evening; prints its figures.  Raises AssertionError where they do not add up."""
    host = httpx.Client(base_url=url, timeout=60)
    wish = {"game": game.name, "seats": game.usual, "rounds": rounds, "minutes": 30}
    opened = host.post("/api/evenings", json=wish)
    opened.raise_for_status()
    key, token = opened.json()["id"], opened.json()["token"]
    guests = [Guest(url, key, f"Guest {n}", n) for n in range(1, people + 1)]
    head = {"Authorization": f"Bearer {token}"}
    begun = time.monotonic()
    host.post(f"/api/evenings/{key}/begin", headers=head).raise_for_status()
    with ThreadPoolExecutor(people) as pool:
        ends = [pool.submit(one.evening_long, begun + LIMIT) for one in guests]
        for end in ends:
            end.result()
    took, last = time.monotonic() - begun, guests[0].ask("GET")
    statuses = sum((one.statuses for one in guests), Counter())
    waits = sorted(wait for one in guests for wait in one.waits)
    given = sum(one["points"] for one in last["members"])
    print(
        f"{game.title}: {people} people, {last['round']} rounds, {len(last['tables'])} tables, "
        f"{len(waits)} choices in {took:.0f} s; a choice took {1000 * waits[len(waits) // 2]:.0f}"
        f" ms (95 of 100: {1000 * waits[len(waits) * 95 // 100]:.0f} ms); points {given:g} of "
        f"{float(OUT) * people * rounds:g}; answers {dict(sorted(statuses.items()))}",
        flush=True,
    )
    assert last["round"] == rounds, last["round"]
    assert all(table["over"] for table in last["tables"])
    assert abs(given - float(OUT) * people * rounds) < 1e-6, given
    assert max(one["points"] for one in last["members"]) <= WIN * rounds
    assert not [status for status in statuses if status >= 500], statuses


def main():
    """Play the evenings that were asked for."""
    told = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    told.add_argument("games", nargs="*", help="by default all")
    told.add_argument("--people", type=int, default=30)
    told.add_argument("--rounds", type=int, default=2)
    told.add_argument("--url", help="a server that runs; by default one is started")
    asked = told.parse_args()
    chosen = [games.find(name) for name in asked.games or games.names()]
    if asked.url:
        for game in chosen:
            evening(asked.url, game, asked.people, asked.rounds)
    else:
        with serving() as url:
            for game in chosen:
                evening(url, game, asked.people, asked.rounds)


if __name__ == "__main__":
    main()
