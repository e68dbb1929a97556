"""How many tables the server holds: scripted players over HTTP and server-sent events.

    python bench/table.py                          1,000 tables, JSON views
    python bench/table.py --html                   1,000 tables, the pages' views
    python bench/table.py --html --highest         … and how often they may choose
    python bench/table.py --tables 1               a table alone
    python bench/table.py --postgresql             … on a PostgreSQL of its own
    python bench/table.py --postgresql --processes 2    … the players of a table at different ones
    python bench/table.py --postgresql --processes 2 --led    … all of a table at the same one
    python bench/table.py --page                   the first page: its bytes, and when it is usable

Two players a table, a choice a second each table.  They play by what their streams tell them.  The
time runs from the moment a choice is sent to its arrival in the other player's stream.  The
database is on disk, and every choice is synced before it is acknowledged.  What other programs
used of the processors meanwhile is printed too: without it the figures mean little.
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
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import httptools
import msgspec
import numpy as np

from yegg.table.service.compiling import RULES, warm

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
import postgresql

BUTTON = re.compile(rb'name="choice" value="([^"]+)"([^>]*)>')
ENOUGH = 0.2  # seconds that 99 of 100 choices may take
LONG = 10  # seconds after which a choice is lost
SETTLE = 10  # seconds between the last table's opening and the first choice that counts


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
            if not (data := await self.reader.read(65536)):
                raise ConnectionResetError(path)
            parser.feed_data(data)
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

    def __init__(self, ports, how):
        self.ports, self.how = ports, how
        self.times, self.lost, self.measuring, self.over = [], 0, False, False

    async def table(self, i):
        """One game after another at a table, a choice every so often."""
        dice = random.Random(i)
        due = time.monotonic() + dice.random() * self.how.every
        while not self.over:
            due = await self.game(dice, due)

    async def game(self, dice, due):
        """One game; when its table's next choice is due."""
        door = await Line().open(dice.choice(self.ports))
        wish = {"game": "second-story", "seats": ["me", "open"], "listed": False}
        _, opened = await door.ask("/api/games", **wish)
        door.close()
        path = f"/api/games/{opened['id']}"
        led = [crc32(opened["id"].encode())] * 4 if self.how.led else (0, 1, 0, 1)
        lines = [await Line().open(self.ports[one % len(self.ports)]) for one in led]
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


def used(pids):
    """Seconds of processor and megabytes of memory of some programs."""
    ticks = sum(sum(map(int, stat(pid)[11:13])) for pid in pids)
    memory = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return ticks / os.sysconf("SC_CLK_TCK"), memory * os.sysconf("SC_PAGE_SIZE") / 1e6


def of_database(pid):
    """Seconds of processor of PostgreSQL's programs, those that have ended too; 0 without one."""
    ticks = sum(map(int, stat(pid)[11:15])) if pid else 0
    for other in Path("/proc").glob("[0-9]*") if pid else ():
        with suppress(FileNotFoundError, ProcessLookupError):
            ticks += (
                sum(map(int, found[11:15])) if (found := stat(other.name))[1] == str(pid) else 0
            )
    return ticks / os.sysconf("SC_CLK_TCK")


def stat(pid):
    """What the system says of a program, from its state on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


async def measured(served, how, spans=1):
    """Open the tables and let them run; what was seen in each of several spans of time."""
    bench = Bench(served.ports, how)
    warm = 5 + how.tables / 100
    tasks = []
    for i in range(how.tables):
        tasks.append(asyncio.create_task(bench.table(i)))
        await asyncio.sleep(warm / how.tables)
    await asyncio.sleep(SETTLE)
    seen = [await span(bench, served, how) for _ in range(spans)]
    bench.over = True
    for fault in await asyncio.gather(*tasks, return_exceptions=True):
        if fault:
            raise fault
    return seen


async def span(bench, served, how):
    """What is seen while the tables run for some seconds; cores are those kept busy."""
    pids, bench.times, bench.lost = served.pids, [], 0
    before, mine, all_ = used(pids)[0], time.process_time(), busy()
    base = of_database(served.database)
    begun, bench.measuring = time.monotonic(), True
    await asyncio.sleep(how.seconds)
    bench.measuring = False
    took = time.monotonic() - begun
    (after, memory), mine, all_ = used(pids), time.process_time() - mine, busy() - all_
    base = (of_database(served.database) - base) / took
    ms = np.array(bench.times or [float("nan")]) * 1000
    p50, p95, p99 = np.percentile(ms, [50, 95, 99])
    server, done = (after - before) / took, len(bench.times)
    return {
        "rate": done / took,
        "lost": bench.lost,
        "p50": p50,
        "p95": p95,
        "p99": p99,
        "worst": ms.max(),
        "server": server,
        "memory": memory,
        "each": 1000 * server * took / max(done, 1),
        "database": base,
        "load": mine / took,
        "others": all_ / took - server - base - mine / took,
    }


async def load(served, how):
    """Measure once, print what was seen; whether all was in time."""
    (seen,) = await measured(served, how)
    where = f"PostgreSQL, {len(served.pids)} processes" if served.database else "SQLite"
    views = "HTML" if how.html else "JSON"
    print(
        f"{where}, {how.tables} tables, {views} views, "
        f"{seen['rate']:.0f} of {how.tables / how.every:.0f} choices/s, lost {seen['lost']}: "
        f"p50 {seen['p50']:.1f}  p95 {seen['p95']:.1f}  p99 {seen['p99']:.1f}  "
        f"worst {seen['worst']:.0f} ms\n"
        f"  server {seen['server']:.2f} cores and {seen['memory']:.0f} MB, "
        f"{seen['each']:.2f} ms a choice; database {seen['database']:.2f}; "
        f"load {seen['load']:.2f}, others {seen['others']:.2f} of {os.cpu_count()} cores",
        flush=True,
    )
    kept_up = seen["rate"] > 0.97 * how.tables / how.every
    return kept_up and not seen["lost"] and seen["p99"] < 1000 * ENOUGH


class Served(NamedTuple):
    """Servers that run: their ports and processes, and PostgreSQL's process if there is one."""

    ports: list[int]
    pids: list[int]
    database: int | None


@contextmanager
def server(how):
    """Servers of our own, with their database on disk."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as last:
        Path(folder).chmod(0o711)  # PostgreSQL may run as another user
        db, pid = f"{folder}/t.db", None
        if how.postgresql:
            cluster = postgresql.Cluster(f"{folder}/data").start()
            last.callback(cluster.close)
            db, pid = cluster.database("yegg"), cluster.pid
        yield last.enter_context(serving(db, how.processes, pid))


@contextmanager
def serving(db, processes=1, database=None):
    """Servers of a database: its path or address, and its process if it has one."""
    ports, made = [], []
    with ExitStack() as last:
        for _ in range(processes):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                ports.append(free.getsockname()[1])
            line = ["--port", str(ports[-1]), "--db", db, "--no-limits", "--no-warm"]
            code = "from yegg.cli.serve import command; command()"
            run = [sys.executable, "-c", code, *line]
            made.append(subprocess.Popen(run, stdout=subprocess.DEVNULL))
            last.callback(made[-1].wait)
            last.callback(made[-1].terminate)
        for port in ports:
            answers(port)
        yield Served(ports, [one.pid for one in made], database)


def answers(port):
    """Wait until something listens there."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)


def highest(how):
    """How often the tables may choose: rates a tenth apart, until one is too much."""
    rate, held = how.tables / how.every * 0.3, 0
    while rate < 4 * how.tables:
        how.every = how.tables / rate
        with server(how) as served:
            if not asyncio.run(load(served, how)):
                break
        held, rate = rate, rate + 0.1 * how.tables
    print(f"the highest rate with 99 of 100 under {1000 * ENOUGH:.0f} ms: {held:.0f} choices/s")


def main():
    """Start a server, load it, stop it."""
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--tables", type=int, default=1000)
    ask.add_argument("--seconds", type=float, default=20)
    ask.add_argument("--every", type=float, default=1, help="seconds between choices of a table")
    ask.add_argument("--postgresql", action="store_true")
    ask.add_argument("--processes", type=int, default=1, help="of the server; more need PostgreSQL")
    ask.add_argument("--led", action="store_true", help="a table's requests all go to one process")
    ask.add_argument("--html", action="store_true")
    ask.add_argument("--highest", action="store_true")
    ask.add_argument("--page", action="store_true")
    how = ask.parse_args()
    if how.processes > 1 and not how.postgresql:
        ask.error("several processes need --postgresql: SQLite's file is served by one")
    if how.page:
        from firstpage import first_page

        with server(how) as served:
            first_page(served.ports[0])
        return
    warm("second-story", RULES)  # compiled and kept, for the server to find
    gc.disable()
    if how.highest:
        highest(how)
        return
    with server(how) as served:
        asyncio.run(load(served, how))


if __name__ == "__main__":
    main()
