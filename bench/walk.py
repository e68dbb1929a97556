"""What a choice calls on its way from the request to every seat's view, counted.

    python bench/walk.py                    Second Story, a stream for each player, JSON
    python bench/walk.py secrets --html     … another game, the pages' views
    python bench/walk.py --time             … what the loop's thread computes for it, in µs

Each choice comes as a request with a token, as scripts send it.  Counted are the calls of yegg's
own functions in the loop's thread until all streams have the new view: all of them, and those of
some functions by name.  Dice differ, so medians are printed, by how many events a choice brought.
"""

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

import msgspec

import yegg
from yegg import games
from yegg.table.app import application
from yegg.table.http.event_stream import Listener, stream
from yegg.table.render import html_view, json_view
from yegg.table.settings import Settings

OURS = str(Path(yegg.__file__).parent)
NAMED = "acting", "look", "encode"
CHOICES = 400


class Calls:
    """Counts calls of yegg's own functions, without comprehensions, while it is on."""

    def __init__(self, *, timed=False):
        self.made, self.timed = Counter(), timed

    def __enter__(self):
        self.made.clear()
        if not self.timed:
            sys.setprofile(self)
        self.begun = time.thread_time()
        return self.made

    def __exit__(self, *_):
        self.made["us"] = round(1e6 * (time.thread_time() - self.begun))
        sys.setprofile(None)

    def __call__(self, frame, event, what):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS):
            if not code.co_name.startswith("<"):
                self.made[code.co_name] += 1
        elif event == "c_call" and "encode" in what.__name__ and "msgspec" in str(what.__module__):
            self.made["encode"] += 1


async def asked(app, method, path, token="", body=None):
    """A request without a network; its answer."""
    raw = b"" if body is None else msgspec.json.encode(body)
    head = {
        "host": "localhost",
        "content-length": str(len(raw)),
        "content-type": "application/json",
    }
    head |= {"authorization": f"Bearer {token}"} if token else {}
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method}
    scope |= {"scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"root_path": "", "client": ("127.0.0.1", 9), "server": ("localhost", 80)}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in head.items()]
    came = []

    async def receive():
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message):
        came.append(message.get("body", b""))

    await app(scope, receive, send)
    return msgspec.json.decode(b"".join(came))


class Ear:
    """A stream, and the number of the newest view that came."""

    def __init__(self, table, person, draw):
        self.number, self.news = -1, asyncio.Event()
        self.task = asyncio.create_task(
            self.hear(stream(table, Listener(person, draw, -1, phrases=False)))
        )

    async def hear(self, pieces):
        async for piece in pieces:
            if piece.startswith(b"id: "):
                self.number = int(piece[4 : piece.index(b"\n")])
                self.news.set()

    async def hears(self, number):
        while self.number < number:
            self.news.clear()
            await self.news.wait()


async def counted(game, draw, folder, *, timed=False):
    """What each of many choices has called, or how long it took."""
    app, found = application(Settings(db=f"sqlite:///{folder}/t.db", limits=False, warm=False)), []
    registry, dice, calls = app.state.registry, random.Random(1), Calls(timed=timed)
    async with app.lifespan():
        while len(found) < CHOICES:
            others = games.find(game).usual - 1
            wish = {"game": game, "seats": ["me", *["open"] * others], "listed": False}
            opened = await asked(app, "POST", "/api/games", body=wish)
            key, tokens = opened["id"], [opened["token"]]
            for _ in range(others):
                joined = await asked(app, "POST", f"/api/games/{key}/join", body={})
                tokens.append(joined["token"])
            table = registry.tables[key]
            ears = [Ear(table, seat.person, draw) for seat in table.now.seats]
            while not table.now.over and len(found) < CHOICES:
                seat = table.now.waited_for()[0]
                texts = list(table.now.turn_of(seat).texts)
                text = "continue" if "continue" in texts else dice.choice(texts)
                body = {"choice": text, "after": table.now.seen[seat]}
                with calls as made:
                    path = f"/api/games/{key}/choices"
                    await asked(app, "POST", path, tokens[seat], body)
                    for i, ear in enumerate(ears):
                        await ear.hears(table.now.seen[i])
                found.append(made.copy())
            for ear in ears:
                ear.task.cancel()
    return found


def main():
    """Count, and print."""
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("game", nargs="?", default="second-story")
    ask.add_argument("--html", action="store_true")
    ask.add_argument("--time", action="store_true")
    how = ask.parse_args()
    gc.set_threshold(50_000, 20, 100)  # as the server has it
    draw = html_view.living if how.html else json_view.as_json
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(counted(how.game, draw, folder, timed=how.time))
    print(f"{how.game}, {len(found)} choices, {'pages' if how.html else 'JSON'}")
    if how.time:
        times = sorted(made["us"] for made in found)
        print(f"p10 {times[len(times) // 10]} µs, p50 {times[len(times) // 2]} µs")
        return
    print("events  choices  calls  " + "  ".join(NAMED))
    for events in sorted({made["apply"] for made in found}):
        some = [made for made in found if made["apply"] == events]
        named = (f"{median(made[name] for made in some):{len(name)}.0f}" for name in NAMED)
        calls = median(made.total() - made["us"] for made in some)
        print(f"{events:6}  {len(some):7}  {calls:5.0f}  " + "  ".join(named))


if __name__ == "__main__":
    main()
