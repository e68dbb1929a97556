"""How many tables the server holds: scripted players over HTTP and server-sent events.

    python bench/table.py                          1,000 tables, JSON views
    python bench/table.py --html                   1,000 tables, the pages' views
    python bench/table.py --html --highest         … and how often they may choose
    python bench/table.py --tables 1               a table alone
    python bench/table.py --page                   the first page: its bytes, and when it is usable

Two players a table, a choice a second each table.  They play by what their streams tell them.  The
time runs from the moment a choice is sent to its arrival in the other player's stream.  SQLite on
disk, every choice synced before it is acknowledged.  What other programs used of the processors
meanwhile is printed too: without it the figures mean little.
"""

import argparse
import asyncio
import gc
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httptools
import msgspec
import numpy as np

from yegg.table.compiling import RULES, warm

BUTTON = re.compile(rb'name="choice" value="([^"]+)"([^>]*)>')
ENOUGH = 0.2  # seconds that 99 of 100 choices may take
LONG = 10  # seconds after which a choice is lost


class Legal(msgspec.Struct):
    """What of a choice is read."""

    text: str


class View(msgspec.Struct):
    """What of a view is read."""

    over: bool
    choices: list[Legal]


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

    def send(self, method, path, token, raw=b""):
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(raw)}\r\n"
        head += "content-type: application/json\r\n"
        head += f"authorization: Bearer {token}\r\n" if token else ""
        self.writer.write(head.encode() + b"\r\n" + raw)

    async def ask(self, path, token=None, **body):
        """Post; the status and the answer."""
        self.send("POST", path, token, msgspec.json.encode(body))
        answer = Answer()
        parser = httptools.HttpResponseParser(answer)
        while not answer.done:
            parser.feed_data(await self.reader.read(65536))
        return parser.get_status_code(), msgspec.json.decode(b"".join(answer.body))

    def close(self):
        self.writer.close()


class Ear:
    """A player's stream: the newest view, and its number."""

    def __init__(self, line, path, token, view):
        self.line, self.number, self.event, self.tail = line, -1, b"", b""
        self.news = asyncio.Event()
        line.send("GET", f"{path}/events?view={view}", token)
        self.task = asyncio.create_task(self.listen())

    async def listen(self):
        parser = httptools.HttpResponseParser(Answer(self.chunk))
        while data := await self.line.reader.read(65536):
            parser.feed_data(data)

    def chunk(self, body):
        *events, self.tail = (self.tail + body).split(b"\n\n")
        for event in events:
            if event.startswith(b"id: "):
                self.number = int(event[4 : event.index(b"\n")])
                self.event = event
                self.news.set()

    def view(self):
        """Whether the game is over, and what may be chosen."""
        if b"\ndata: {" in self.event:
            view = msgspec.json.decode(self.event.partition(b"\ndata: ")[2], type=View)
            return view.over, [choice.text for choice in view.choices]
        found = [text for text, rest in BUTTON.findall(self.event) if b"disabled" not in rest]
        return b'data-over="yes"' in self.event, [text.decode() for text in found]

    async def hears(self, number):
        """Wait for an event."""
        async with asyncio.timeout(LONG):
            while self.number < number:
                self.news.clear()
                await self.news.wait()

    def close(self):
        self.task.cancel()
        self.line.close()


class Bench:
    """All tables and what was measured."""

    def __init__(self, port, how):
        self.port, self.how = port, how
        self.times, self.lost, self.measuring, self.over = [], 0, False, False

    async def table(self, i):
        """One game after another at a table, a choice every so often."""
        dice = random.Random(i)
        due = time.monotonic() + dice.random() * self.how.every
        while not self.over:
            due = await self.game(dice, due)

    async def game(self, dice, due):
        """One game; when its table's next choice is due."""
        lines = [await Line().open(self.port) for _ in range(4)]
        wish = {"game": "second-story", "seats": ["me", "open"], "listed": False}
        _, opened = await lines[0].ask("/api/games", **wish)
        path = f"/api/games/{opened['id']}"
        _, joined = await lines[1].ask(f"{path}/join")
        tokens = [opened["token"], joined["token"]]
        view = "html" if self.how.html else "json"
        ears = [Ear(lines[2 + s], path, tokens[s], view) for s in (0, 1)]
        while not self.over:
            await asyncio.sleep(max(0, due - time.monotonic()))
            due += self.how.every
            if not await self.choice(lines, path, tokens, ears, dice):
                break
        for closed in (*ears, *lines[:2]):
            closed.close()
        return due

    async def choice(self, lines, path, tokens, ears, dice):
        """Make one choice and wait until the other has heard of it; whether the game goes on."""
        for seat in (0, 1):
            over, texts = ears[seat].view()
            if over:
                return False
            if texts:
                break
        else:
            await asyncio.sleep(0.02)  # the table was opened only now
            return True
        text = "continue" if "continue" in texts and dice.random() < 0.8 else dice.choice(texts)
        start = time.perf_counter()
        body = {"choice": text, "after": ears[seat].number}
        status, said = await lines[seat].ask(f"{path}/choices", tokens[seat], **body)
        try:
            if status != 200:
                raise ValueError(said)
            await ears[1 - seat].hears(said["number"])
        except (TimeoutError, ValueError) as error:
            print("lost:", error, file=sys.stderr)
            self.lost += 1
            return False
        if self.measuring:
            self.times.append(time.perf_counter() - start)
        await ears[seat].hears(said["number"])
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
    """Open the tables, let them run, print what was seen; whether all was in time."""
    bench = Bench(port, how)
    warm = 5 + how.tables / 100
    tasks = []
    for i in range(how.tables):
        tasks.append(asyncio.create_task(bench.table(i)))
        await asyncio.sleep(warm * 0.7 / how.tables)
    await asyncio.sleep(warm * 0.3)
    before, mine, all_ = used(pid)[0], time.process_time(), busy()
    begun, bench.measuring = time.monotonic(), True
    await asyncio.sleep(how.seconds)
    bench.measuring, bench.over = False, True
    span = time.monotonic() - begun
    (after, memory), mine, all_ = used(pid), time.process_time() - mine, busy() - all_
    for fault in await asyncio.gather(*tasks, return_exceptions=True):
        if fault:
            raise fault
    ms = np.array(bench.times or [float("nan")]) * 1000
    p50, p95, p99 = np.percentile(ms, [50, 95, 99])
    server, done = (after - before) / span, len(bench.times)
    others = all_ / span - server - mine / span
    print(f"{how.tables} tables, {'HTML' if how.html else 'JSON'} views", end=", ")
    print(f"{done / span:.0f} of {how.tables / how.every:.0f} choices/s", end=", ")
    print(f"lost {bench.lost}", end=": ")
    print(f"p50 {p50:.1f}  p95 {p95:.1f}  p99 {p99:.1f}  worst {ms.max():.0f} ms")
    print(f"  server {server:.2f} cores and {memory:.0f} MB", end=", ")
    print(
        f"{1000 * server * span / max(done, 1):.2f} ms a choice; load {mine / span:.2f}", end=", "
    )
    print(f"others {others:.2f} of {os.cpu_count()} cores", flush=True)
    kept_up = done / span > 0.97 * how.tables / how.every
    return kept_up and not bench.lost and p99 < 1000 * ENOUGH


@contextmanager
def server():
    """A server of its own, with its database on disk; its port and process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        line = ["--port", str(port), "--db", f"{folder}/t.db", "--no-limits", "--no-warm"]
        code = "from yegg.cli.serve import command; command()"
        made = subprocess.Popen([sys.executable, "-c", code, *line], stdout=subprocess.DEVNULL)
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield port, made.pid
        finally:
            made.terminate()
            made.wait()


def highest(how):
    """How often the tables may choose: rates a tenth apart, until one is too much."""
    rate, held = how.tables / how.every * 0.3, 0
    while rate < 4 * how.tables:
        how.every = how.tables / rate
        with server() as (port, pid):
            if not asyncio.run(load(port, pid, how)):
                break
        held, rate = rate, rate + 0.1 * how.tables
    print(f"the highest rate with 99 of 100 under {1000 * ENOUGH:.0f} ms: {held:.0f} choices/s")


def main():
    """Start a server, load it, stop it."""
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--tables", type=int, default=1000)
    ask.add_argument("--seconds", type=float, default=20)
    ask.add_argument("--every", type=float, default=1, help="seconds between choices of a table")
    ask.add_argument("--html", action="store_true")
    ask.add_argument("--highest", action="store_true")
    ask.add_argument("--page", action="store_true")
    how = ask.parse_args()
    if how.page:
        from firstpage import first_page

        with server() as (port, _):
            first_page(port)
        return
    warm("second-story", RULES)  # compiled and kept, for the server to find
    gc.disable()
    if how.highest:
        highest(how)
        return
    with server() as (port, pid):
        asyncio.run(load(port, pid, how))


if __name__ == "__main__":
    main()
