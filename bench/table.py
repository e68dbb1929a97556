"""How many tables the server holds: scripted players over HTTP and server-sent events.

    python bench/table.py --tables 1000 --seconds 20          JSON views
    python bench/table.py --tables 1000 --seconds 20 --html   pages' views
    python bench/table.py --tables 1 --seconds 10             a table alone

Two players a table, a choice a second each table.  The time runs from the moment a choice is sent
to its arrival in the other player's stream.  SQLite on disk, every choice synced before it is
acknowledged.  What other programs used of the processors meanwhile is printed too: without it
the figures mean little.
"""

import argparse
import asyncio
import gc
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httptools
import msgspec
import numpy as np


class Answer:
    """What httptools tells of one answer, or of a stream that never ends."""

    def __init__(self, stream=None):
        self.body, self.done, self.stream = [], False, stream

    def on_body(self, body):
        self.stream(body) if self.stream else self.body.append(body)

    def on_message_complete(self):
        self.done = True


class Line:
    """One keep-alive connection."""

    async def open(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        return self

    async def ask(self, method, path, token=None, body=None):
        """Send a request; its status and body."""
        raw = msgspec.json.encode(body) if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(raw)}\r\n"
        head += "content-type: application/json\r\n" + (
            f"authorization: Bearer {token}\r\n" if token else ""
        )
        self.writer.write(head.encode() + b"\r\n" + raw)
        answer = Answer()
        parser = httptools.HttpResponseParser(answer)
        while not answer.done:
            parser.feed_data(await self.reader.read(65536))
        return parser.get_status_code(), b"".join(answer.body)

    async def listen(self, path, token, heard):
        """Read a stream for ever; ``heard`` gets every number that comes."""
        self.writer.write(
            f"GET {path} HTTP/1.1\r\nhost: localhost\r\n"
            f"authorization: Bearer {token}\r\n\r\n".encode()
        )
        tail = b""

        def chunk(body):
            nonlocal tail
            tail += body
            while (at := tail.find(b"id: ")) >= 0 and (end := tail.find(b"\n", at)) >= 0:
                heard(int(tail[at + 4 : end]))
                tail = tail[end:]
            tail = tail[-64:] if b"id: " not in tail else tail

        parser = httptools.HttpResponseParser(Answer(chunk))
        while data := await self.reader.read(65536):
            parser.feed_data(data)


class Bench:
    """All tables and what was measured."""

    def __init__(self, port, how):
        self.port, self.how = port, how
        self.times, self.sent, self.lost, self.measuring = [], 0, 0, False

    async def table(self, i, until):
        """One table: two players who do something legal, once a second together."""
        dice = random.Random(i)
        lines = [await Line().open(self.port) for _ in range(4)]
        wish = {"game": "second-story", "seats": ["me", "open"], "listed": False}
        _, body = await lines[0].ask("POST", "/api/games", body=wish)
        opened = msgspec.json.decode(body)
        path = f"/api/games/{opened['id']}"
        _, body = await lines[1].ask("POST", f"{path}/join", body={})
        tokens = [opened["token"], msgspec.json.decode(body)["token"]]
        heard, waits = [0, 0], [asyncio.Event(), asyncio.Event()]

        def hear(seat):
            def heard_now(number):
                heard[seat] = number
                waits[seat].set()

            return heard_now

        view = "html" if self.how.html else "json"
        ears = [
            asyncio.create_task(
                lines[2 + s].listen(f"{path}/events?view={view}", tokens[s], hear(s))
            )
            for s in (0, 1)
        ]
        await asyncio.sleep(dice.random())
        begun = time.monotonic()
        n = 0
        while time.monotonic() < until:
            n += 1
            await asyncio.sleep(max(0, begun + n - time.monotonic()))
            if not await self.choice(lines, path, tokens, heard, waits, dice):
                break
        for ear in ears:
            ear.cancel()

    async def choice(self, lines, path, tokens, heard, waits, dice):
        """Make one choice and wait until the other has heard of it; whether the game goes on."""
        for seat in (0, 1):
            _, body = await lines[seat].ask("GET", path, tokens[seat])
            table = msgspec.json.decode(body)
            if table["over"]:
                return False
            if table["choices"]:
                break
        texts = [choice["text"] for choice in table["choices"]]
        text = "continue" if "continue" in texts and dice.random() < 0.8 else dice.choice(texts)
        other = 1 - seat
        waits[other].clear()
        start = time.perf_counter()
        body = {"choice": text, "after": table["number"]}
        status, body = await lines[seat].ask("POST", f"{path}/choices", tokens[seat], body)
        if status != 200:
            self.lost += 1
            return True
        number = msgspec.json.decode(body)["number"]
        while heard[other] < number:
            try:
                await asyncio.wait_for(waits[other].wait(), 10)
            except TimeoutError:
                self.lost += 1
                return True
            waits[other].clear()
        if self.measuring:
            self.sent += 1
            self.times.append(time.perf_counter() - start)
        return True


def busy():
    """Seconds of processor that all programs together have used."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    ticks = [int(field) for field in fields]
    return (sum(ticks[:8]) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def used(pid):
    """Seconds of processor and megabytes of memory of one program."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds, pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def load(port, pid, how):
    """Open the tables, let them run, and print what was seen."""
    bench = Bench(port, how)
    warm = 5 + how.tables / 150
    until = time.monotonic() + warm + how.seconds
    tasks = []
    for i in range(how.tables):
        tasks.append(asyncio.create_task(bench.table(i, until)))
        await asyncio.sleep(warm * 0.7 / how.tables)
    await asyncio.sleep(max(0, until - how.seconds - time.monotonic()))
    before, mine, all_ = used(pid)[0], time.process_time(), busy()
    begun, bench.measuring = time.monotonic(), True
    await asyncio.sleep(how.seconds)
    bench.measuring = False
    span = time.monotonic() - begun
    (after, memory), mine, all_ = used(pid), time.process_time() - mine, busy() - all_
    await asyncio.gather(*tasks, return_exceptions=True)
    ms = np.array(bench.times or [float("nan")]) * 1000
    p50, p95, p99 = np.percentile(ms, [50, 95, 99])
    server = (after - before) / span
    others = all_ / span - server - mine / span
    print(f"{how.tables} tables, {'HTML' if how.html else 'JSON'} views", end=", ")
    print(f"{bench.sent / span:.0f} choices/s, lost {bench.lost}", end=": ")
    print(f"p50 {p50:.1f}  p95 {p95:.1f}  p99 {p99:.1f} ms")
    print(f"  server {server:.2f} cores and {memory:.0f} MB, load {mine / span:.2f}", end=", ")
    print(f"others {others:.2f} of {os.cpu_count()} cores")


def main():
    """Start a server, load it, stop it."""
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--tables", type=int, default=1000)
    ask.add_argument("--seconds", type=float, default=20)
    ask.add_argument("--html", action="store_true")
    how = ask.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        line = ["--port", str(port), "--db", f"{folder}/t.db", "--no-limits", "--no-warm"]
        code = "from yegg.table.commands import command; command()"
        server = subprocess.Popen([sys.executable, "-c", code, *line], stdout=subprocess.DEVNULL)
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.1)
            gc.disable()
            asyncio.run(load(port, server.pid, how))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
