"""How yegg grows: games, tables, logs and nodes against seconds and memory; figures and pictures.

    python bench/growth.py                    all curves; pictures into docs/pictures, some minutes
    python bench/growth.py --only tables      one of them: games, tables, disk, log, nodes
    python bench/growth.py --json             the points too, for programs
    python bench/growth.py --quick            fewer points, no pictures: to see that all runs
    python bench/growth.py --huge             10⁸ games too

Each point is measured; only the line to 100 nodes is reckoned, from the games that one node plays
and from those whose results one driver can take, and is named so.  Seconds are of the processor
where it says so.
"""

import argparse
import asyncio
import http.client
import json
import math
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import altair as alt
import polars as pl
import table

from yegg import games
from yegg.engine import Match
from yegg.lab.api import begun as started
from yegg.lab.api import varying
from yegg.lab.batch import Matchup
from yegg.lab.executors.ray import at_work
from yegg.lab.experiment.shards import DEALS
from yegg.lab.simulation import simulate
from yegg.table.service.registry import NewTable, Registry
from yegg.table.storage.migrate import migrate
from yegg.table.storage.store import Store
from yegg.text.json_writer import as_json

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
GAME = "second-story"
ASKED = 300  # choices or openings of a point
SEED_TABLES = 100  # that are really opened, and then copied on disk
RECKONED = (1, 2, 5, 10, 20, 50, 100)  # nodes


def main():
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", metavar="NAME", choices=CURVES)
    parser.add_argument("--quick", action="store_true", help="fewer points, no pictures")
    parser.add_argument("--huge", action="store_true", help="10⁸ games too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--games", type=int, help=argparse.SUPPRESS)  # a point, in its own process
    asked = parser.parse_args()
    if asked.games:
        print(as_json(played(asked.games)))
        return
    found = {}
    try:
        for name in asked.only or CURVES:
            print(f"{name} …", file=sys.stderr, flush=True)
            found[name] = []
            for point in CURVES[name][0](asked):
                found[name].append(point)
                print(f"  {as_text(point)}", file=sys.stderr, flush=True)
            if not asked.quick:
                draw(name, found[name])
    except KeyboardInterrupt:
        print("ended early; this is what there is", file=sys.stderr)
    print(as_json(found, indent=1) if asked.json else "\n\n".join(map(as_table, found.items())))


def many_games(asked):
    """Random games in one simulation, which keeps sums: its own process for each point."""
    most = 5 if asked.quick else 8 if asked.huge else 7
    for power in range(3, most + 1):
        run = [sys.executable, __file__, "--games", str(10**power)]
        yield json.loads(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout)


def played(many):
    """Play so many games; what that took."""
    game = games.find(GAME)
    setting = Matchup(game, game.usual, {}, ["uniform"] * game.usual, seed=1)
    simulate(setting, 1)
    idle, begun = most_memory(), time.process_time()
    _, seconds = simulate(setting, many)
    spent = time.process_time() - begun
    more = most_memory() - idle
    return {"games": many, "s": seconds, "processor s": spent, "MB": most_memory(), "MB more": more}


def most_memory():
    """Megabytes that this process has taken at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def open_tables(asked):
    """Tables that a server holds in memory: what a choice takes, asked over one connection."""
    table.warm(GAME, table.RULES)
    with tempfile.TemporaryDirectory() as folder, table.serving(f"{folder}/t.db") as served:
        there = []
        with closing(http.client.HTTPConnection("127.0.0.1", served.ports[0])) as line:
            for power in range(1, 4 if asked.quick else 5):
                while len(there) < 10**power:
                    there.append(opened(line))
                yield {"tables": len(there), **choices(line, served.pids, there)}


def opened(line):
    """A table with two people: its path, and their tokens."""
    body = {"game": GAME, "seats": ["me", "open"], "listed": False}
    first = ask(line, "POST", "/api/games", body=body)
    path = f"/api/games/{first['id']}"
    return path, [first["token"], ask(line, "POST", f"{path}/join", body={})["token"]]


def choices(line, pids, there):
    """What choices at tables drawn by lot take: the clock's median, and the server's processor."""
    times, spent = [], 0.0
    while len(times) < ASKED:
        todo = []
        for path, tokens in random.sample(there, min(len(there), ASKED - len(times))):
            for token in tokens:
                view = ask(line, "GET", path, token)
                if view["choices"]:
                    wanted = {"choice": view["choices"][0]["text"], "after": view["number"]}
                    todo.append((f"{path}/choices", token, wanted))
                    break
        if not todo:
            raise RuntimeError("all games are over")
        before = table.used(pids)[0]
        for path, token, body in todo:
            begun = time.perf_counter()
            ask(line, "POST", path, token, body)
            times.append(1000 * (time.perf_counter() - begun))
        spent += table.used(pids)[0] - before
    each = 1000 * spent / len(times)
    memory = table.used(pids)[1]
    return {"ms a choice": statistics.median(times), "processor ms": each, "MB": memory}


def ask(line, method, path, token="", body=None):
    """One request on a connection that stays; the answer's JSON."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    line.request(method, path, None if body is None else json.dumps(body), headers)
    answer = line.getresponse()
    said = answer.read()
    if answer.status not in {200, 201}:
        raise RuntimeError(f"{method} {path}: {answer.status} {said[:200]}")
    return json.loads(said)


def on_disk(asked):
    """Tables in the database, none in memory: what opening one takes after a start."""
    table.warm(GAME, table.RULES)
    with tempfile.TemporaryDirectory() as folder:
        db = f"{folder}/t.db"
        with (
            table.serving(db) as served,
            closing(http.client.HTTPConnection("127.0.0.1", served.ports[0])) as line,
        ):
            there = [opened(line) for _ in range(SEED_TABLES)]
            choices(line, served.pids, there)
        for power in range(2, 4 if asked.quick else 6):
            keys = copied(db, 10**power)
            size = Path(db).stat().st_size / 1e6
            yield {"tables": len(keys), "file MB": size, **openings(db, keys)}


def copied(db, wanted):
    """Copy the first tables in the file until there are so many; the keys of all."""
    with closing(sqlite3.connect(db)) as file:
        (have,) = file.execute("SELECT count(*) FROM games").fetchone()
        for later in range(have, wanted, SEED_TABLES):
            copy(file, later)
        file.commit()
        return [key for (key,) in file.execute("SELECT key FROM games")]


def copy(file, later):
    """Copy the first tables under later numbers, and with keys and promises of their own."""
    for name in ("games", "events", "sittings", "dice"):
        columns = [row[1] for row in file.execute(f"PRAGMA table_info({name})")]
        new = {
            "id": f"id + {later}",
            "game": f"game + {later}" if name != "games" else "game",
            "key": f"substr(key, 1, 14) || printf('%08d', id + {later})",
            "promise": f"substr(promise, 1, 52) || printf('%012d', game + {later})",
        }
        whose = "id" if name == "games" else "game"
        some = ", ".join(new.get(column, column) for column in columns)
        file.execute(
            f"INSERT INTO {name} ({', '.join(columns)}) SELECT {some} FROM {name}"
            f" WHERE {whose} <= {SEED_TABLES}"
        )


def openings(db, keys):
    """What the first view of tables drawn by lot takes, and the memory before it."""
    with (
        table.serving(db) as served,
        closing(http.client.HTTPConnection("127.0.0.1", served.ports[0])) as line,
    ):
        first, *some = random.sample(keys, min(len(keys), ASKED))
        ask(line, "GET", f"/api/games/{first}")
        before, memory = table.used(served.pids)
        times = []
        for key in some:
            begun = time.perf_counter()
            ask(line, "GET", f"/api/games/{key}")
            times.append(1000 * (time.perf_counter() - begun))
        each = 1000 * (table.used(served.pids)[0] - before) / len(some)
        return {"ms to open": statistics.median(times), "processor ms": each, "MB": memory}


def logs(asked):
    """The processor time in which a table is read from disk and played up to its last event."""
    return asyncio.run(fetched(3 if asked.quick else 30))


async def fetched(times):
    """Tables of one long game, each broken off elsewhere."""
    table.warm("thiefs-market", table.RULES)
    with tempfile.TemporaryDirectory() as folder:
        store, points = Store(f"sqlite:///{folder}/t.db"), []
        migrate(store.database)
        registry = Registry(store, 0)
        try:
            match = longest(games.find("thiefs-market"))
            events = list(zip(match.actors, match.history, strict=True))
            for part in (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.99):
                some = events[: int(part * len(events))]
                seats = ["open"] * match.players
                wish = NewTable("thiefs-market", seats, "Guest", played=some, listed=False)
                opened_here = await registry.open(wish, "nobody")
                spent = []
                for _ in range(times):
                    registry.forget(opened_here)
                    begun = time.process_time()
                    await registry.fetch(opened_here.key)
                    spent.append(1000 * (time.process_time() - begun))
                points.append({"events": len(some), "processor ms": statistics.median(spent)})
        finally:
            registry.close()
            store.close()
        return points


def longest(game):
    """The longest of some random games."""
    every = []
    for seed in range(60):
        match, dice = Match(game, game.players[-1], seed=seed), random.Random(seed)
        while not match.over:
            match.play(dice.choice(match.choices))
        every.append(match)
    return max(every, key=lambda match: len(match.history))


def nodes(asked):
    """Nodes of Ray with a core each: `greedy` games a second, and what a block costs the driver."""
    try:
        from ray.cluster_utils import Cluster
    except ModuleNotFoundError:
        print("  left out: no Ray here", file=sys.stderr)
        return
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    deals, rate, most = 500 if asked.quick else 20_000, 0.0, 0.0
    for many in (1, 2):
        node = {"num_cpus": 1, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=node)
        try:
            for _ in range(many - 1):
                cluster.add_node(**node)
            cluster.wait_for_nodes()
            os.environ["RAY_ADDRESS"] = cluster.address
            measured = on_nodes(many * deals)
        finally:
            os.environ.pop("RAY_ADDRESS", None)
            cluster.shutdown()
        rate, most = rate or measured["games/s"], 1e6 / measured["driver µs a game"]
        yield {"nodes": many, "how": "measured", **measured}
    for many in RECKONED:
        yield {"nodes": many, "how": "reckoned", "games/s": min(rate * many, most)}


def on_nodes(deals):
    """Play an experiment on the cluster at RAY_ADDRESS, once it has been played a little."""
    with at_work() as executor:
        for size in (500, deals):
            wanted = varying(games.find(GAME), {}, bots=["greedy"], sample={"deals": size})
            with tempfile.TemporaryDirectory() as folder:
                run = started(wanted, Path(folder) / "run")
                begun, busy = time.perf_counter(), time.process_time()
                run.play(executor=executor)
                took, busy = time.perf_counter() - begun, time.process_time() - busy
    return {
        "games/s": deals / took,
        "driver ms a block": 1000 * busy / math.ceil(deals / DEALS),
        "driver µs a game": 1e6 * busy / deals,
    }


def as_text(point):
    """A point as a line."""
    return ", ".join(f"{key} {number(value)}" for key, value in point.items())


def number(value):
    """Three digits that count; whole numbers as they are."""
    return (
        f"{value:.3g}"
        if isinstance(value, float) and abs(value) < 1000
        else (f"{value:,.0f}" if isinstance(value, (int, float)) else value)
    )


def as_table(found):
    """A curve's points as a table in Markdown."""
    name, points = found
    keys = list(dict.fromkeys(key for point in points for key in point))
    rows = [keys, ["---:"] * len(keys)]
    rows += [[number(point[key]) if key in point else "" for key in keys] for point in points]
    return "\n".join([f"{name}\n", *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def draw(name, points):
    """The picture of a curve: a panel for each of its columns, on logarithmic axes."""
    _, across, columns = CURVES[name]
    data = pl.DataFrame(points)
    panels = []
    for column in columns:
        x = alt.X(f"{across}:Q", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
        y = alt.Y(f"{column}:Q", scale=alt.Scale(type="log"), title=None)
        marks = alt.Chart(data.drop_nulls(column), title=column).encode(x=x, y=y)
        if "how" in data.columns:
            marks = marks.encode(color=alt.Color("how:N", title=None), strokeDash="how:N")
        panels.append(marks.mark_line(point=True).properties(width=210, height=180))
    alt.hconcat(*panels).configure(background="white").save(PICTURES / f"growth-{name}.svg")


CURVES = {
    "games": (many_games, "games", ("s", "processor s", "MB")),
    "tables": (open_tables, "tables", ("ms a choice", "processor ms", "MB")),
    "disk": (on_disk, "tables", ("ms to open", "processor ms", "MB")),
    "log": (logs, "events", ("processor ms",)),
    "nodes": (nodes, "nodes", ("games/s",)),
}
"""By name: what measures it, what is varied, and what is drawn."""


if __name__ == "__main__":
    main()
