"""Two processes on one PostgreSQL, which fail in turn while scripts play.

    python bench/faults.py                              50 kills, 10 restarts, about 15 minutes
    python bench/faults.py --kills 6 --restarts 2       a look
    python bench/faults.py --kills 0 --restarts 0 --stops 5 --drops 5
    python bench/faults.py --led                        all of a table at the same process

Players choose at one process and listen at the other; whoever gets no answer turns to the other
one, and whoever hears nothing for as long as a page would wait.  One process or the other is
killed (`kill -9`) or stands still for a while (`kill -STOP`); PostgreSQL stops at once and comes
back, or ends all connections.  Everything acknowledged and every view is noted, and in the end
compared with the disk: whether each acknowledged choice is there once, whether every view follows
from it, whether each finished deal of the day counts once, and how long each table stood still.
"""

import argparse
import asyncio
import hashlib
import json
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import httpx
import msgspec
from faults_daily import Deals
from faults_house import PATIENT, House

from yegg import games as known
from yegg.client.seat import TIMES
from yegg.table.domain.seats import Kind
from yegg.table.render.json_view import as_json
from yegg.table.service import house
from yegg.table.service.bot_driver import BotDriver
from yegg.table.service.bots import Bots
from yegg.table.service.table import Table
from yegg.table.storage import schema
from yegg.table.storage.store import EVENTS, WITH_DICE, connected
from yegg.table.storage.uptime import Uptime

SEATS = [
    ("second-story", ["me", "open"]),
    ("secrets", ["me", "open", "open"]),
    ("second-story", ["me", "uniform"]),
    ("magnate", ["me", "open"]),
]
SIGNED = ("position", "choices", "happened", "turn", "scores", "orders", "over")
GOES_ON = {"kill": 10, "restart": 10, "stop": 25, "drop": 10}  # seconds
STANDS = 20  # seconds that a process stands still


class Notes:
    """Everything that anybody was told."""

    def __init__(self):
        self.acks = defaultdict(list)  # by table: seat, after, text, number
        self.views = defaultdict(set)  # by table, seat and number: each view in short
        self.refused, self.unsure = Counter(), 0
        self.last = {}  # when each table that goes on was last chosen at
        self.over = False
        self.deals = Deals()


def sign(view):
    """A view in short."""
    what = json.dumps([view[name] for name in SIGNED], sort_keys=True)
    return hashlib.sha256(what.encode()).hexdigest()[:16]


class Player:
    """Somebody at a table, who listens at one process and chooses at the other."""

    def __init__(self, house, notes, key, token, seat):
        self.house, self.notes, self.key, self.seat = house, notes, key, seat
        led = zlib.crc32(key.encode()) % 2
        self.home = led if house.led else seat % 2
        self.ear = led if house.led else 1 - self.home
        self.view, self.news = None, asyncio.Event()
        head = {"Authorization": f"Bearer {token}"}
        self.client = httpx.AsyncClient(timeout=PATIENT, headers=head)

    @property
    def done(self):
        return self.notes.over or (self.view is not None and self.view["over"])

    def url(self, at, what):
        return f"http://localhost:{self.house.ports[at]}/api/games/{self.key}/{what}"

    async def listen(self):
        at = self.ear
        while not self.done:
            try:
                url = self.url(at, "events")
                async with self.client.stream("GET", url, timeout=TIMES) as stream:
                    async for line in stream.aiter_lines():
                        if line.startswith("data: "):
                            self.see(msgspec.json.decode(line[6:]))
                        if self.done:
                            return
            except (httpx.TransportError, httpx.StreamError):
                pass
            at = 1 - at
            await asyncio.sleep(0.1)

    def see(self, view):
        self.notes.views[self.key, view["seat"], view["number"]].add(sign(view))
        if self.view is None or view["number"] >= self.view["number"]:
            self.view = view
        self.news.set()

    async def play(self, every):
        dice = random.Random(f"{self.key}{self.seat}")
        while not self.done:
            await asyncio.sleep(every * (0.5 + dice.random()))
            view = self.view
            if view and view["choices"] and not self.done:
                text = dice.choice(view["choices"])["text"]
                number = await self.choose(text, view["number"])
                while number and self.view["number"] < number and not self.done:
                    await self.wait()
            elif not self.done:
                await self.wait()

    async def wait(self):
        """Until there is something new, or for a while."""
        self.news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), 2)

    async def choose(self, text, after):
        """The number of an acknowledged choice, else None."""
        body = {"choice": text, "after": after}
        try:
            answer = await self.client.post(self.url(self.home, "choices"), json=body)
        except httpx.TransportError as error:
            self.notes.unsure += not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            self.home = 1 - self.home
            await asyncio.sleep(0.1)
            return None
        if answer.status_code == 200:
            number = answer.json()["number"]
            self.notes.acks[self.key].append((self.seat, after, text, number))
            self.notes.last[self.key] = time.monotonic()
            return number
        self.notes.refused[answer.status_code] += 1
        if answer.status_code not in (409, 503):
            raise AssertionError(answer.text)
        await asyncio.sleep(0.1)
        return None


async def patient(house, path, body=None, token=""):
    """Post until there is an answer, here or there."""
    head = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(timeout=PATIENT, headers=head) as client:
        for i in range(1000):
            try:
                url = f"http://localhost:{house.ports[i % 2]}{path}"
                answer = await client.post(url, json=body)
                if answer.status_code < 500:
                    return answer
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)
    raise AssertionError("nobody answers any more")


async def table(house, notes, i, every):
    """One game after another at a table."""
    game, seats = SEATS[i % len(SEATS)]
    while not notes.over:
        opened = (await patient(house, "/api/games", {"game": game, "seats": seats})).json()
        key, tokens = opened["id"], [opened["token"]]
        for _ in range(seats.count("open")):
            joined = await patient(house, f"/api/games/{key}/join", {})
            tokens += [joined.json()["token"]] if joined.status_code == 200 else []
        if len(tokens) <= seats.count("open"):
            continue  # a seat was taken, but the answer was lost
        await sit(house, notes, key, tokens, every)


async def sit(house, notes, key, tokens, every):
    """Play at a table to its end; who played."""
    players = [Player(house, notes, key, token, seat) for seat, token in enumerate(tokens)]
    notes.last[key] = time.monotonic()
    ears = [asyncio.create_task(player.listen()) for player in players]
    await asyncio.gather(*(player.play(every) for player in players))
    del notes.last[key]
    for ear, player in zip(ears, players, strict=True):
        ear.cancel()
        await player.client.aclose()
    return players


async def daily(house, notes, every):
    """One person after another plays the deal of the day."""
    while not notes.over:
        await notes.deals.play(
            lambda path, token: patient(house, path, token=token or ""),
            lambda key, token: sit(house, notes, key, [token], every),
        )


async def goes_on(notes, since):
    """Wait until every table has gone on; the seconds that the slowest took."""
    while any(last < since for last in notes.last.values()):
        if time.monotonic() > since + 2 * PATIENT:
            raise AssertionError(
                f"these do not go on: {[k for k, t in notes.last.items() if t < since]}"
            )
        await asyncio.sleep(0.05)
    return time.monotonic() - since


async def begun(notes, playing):
    """Wait until a choice has been made at as many tables as there are."""
    for _ in range(200 * PATIENT):
        if len(notes.acks) >= len(playing):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("not all tables have begun")


async def broken(house, notes, fault, dice):
    """Let something fail; the seconds until the slowest table has gone on."""
    since, victim = time.monotonic(), dice.randrange(2)
    process = house.processes[victim]
    if fault == "kill":
        house.kill(victim)
        slow = await goes_on(notes, since)
        house.start(victim)
    elif fault == "stop":
        process.send_signal(signal.SIGSTOP)
        waking = asyncio.create_task(asyncio.sleep(STANDS))
        waking.add_done_callback(lambda _: process.send_signal(signal.SIGCONT))
        slow = await goes_on(notes, since)
        await waking
    else:
        away = dice.choice([0, 0, 1, 3])
        await asyncio.to_thread(house.drop if fault == "drop" else partial(house.restart, away))
        return await goes_on(notes, time.monotonic())
    await house.ready(victim, list(notes.last))
    return slow


async def play(house, notes, how):
    """Let scripts play while everything fails in turn; how long tables stood still, by fault."""
    dice, stood = random.Random(how.seed), []
    faults = [fault for fault in GOES_ON for _ in range(getattr(how, f"{fault}s"))]
    dice.shuffle(faults)
    for i in (0, 1):
        house.start(i)
    await asyncio.gather(house.ready(0), house.ready(1))
    playing = [asyncio.create_task(table(house, notes, i, how.every)) for i in range(how.tables)]
    playing += [asyncio.create_task(daily(house, notes, how.every)) for _ in range(how.deals)]
    await begun(notes, playing)
    for n, fault in enumerate(faults, 1):
        await asyncio.sleep(dice.random() * 2)
        for task in playing:
            if task.done():
                task.result()
        slow = await broken(house, notes, fault, dice)
        stood.append((fault, slow))
        acknowledged = sum(map(len, notes.acks.values()))
        print(f"{n}. {fault}: all go on after {slow:.1f} s;", end=" ")
        print(f"{acknowledged} acknowledged, refused {dict(notes.refused)}", flush=True)
    await asyncio.sleep(3)
    notes.over = True
    await asyncio.gather(*playing)
    return stood, *await notes.deals.histograms(house)


# What is on disk ---------------------------------------------------------------------------


def compare(db, notes):
    """What was acknowledged and shown beside what is on disk: faults by kind."""
    faults, database, thinkers = Counter(), connected(db), Bots()
    nobody_hurries = SimpleNamespace(hours=Uptime(), database=SimpleNamespace(shared=True))
    with database.engine.connect() as disk:
        heads = list(disk.execute(WITH_DICE))
        for head in heads:
            events = list(disk.execute(EVENTS.where(schema.events.c.game == head.id)))
            faults["gaps"] += [e.number for e in events] != list(range(1, len(events) + 1))
            there = house.House(nobody_hurries, thinkers, BotDriver, secret_of_deals=b"")
            table = Table(head, known.find(head.game), there, None)
            replay(table, events, notes, faults)
    database.engine.dispose()
    thinkers.close()
    return len(heads), +faults


def replay(table, events, notes, faults):
    """Draw again what each seat was shown, and find what each was acknowledged."""
    shown = {k[1:]: signs for k, signs in notes.views.items() if k[0] == table.key}
    own = defaultdict(list)
    for event in events:
        if event.choice >= 0 or event.choice <= Kind.ORDER:
            own[event.actor].append((table.now.seen[event.actor], event.words))
        table.follow([event])
        for seat in range(-1, len(table.now.seats)):
            at = seat + 1 if seat >= 0 else None, table.now.seen[seat]
            if at in shown:
                drawn = sign(msgspec.json.decode(as_json(table.view(seat))))
                faults["views unlike the disk"] += shown.pop(at) != {drawn}
    faults["views ahead of the disk"] += len(shown)
    for seat, after, text, number in notes.acks[table.key]:
        fits = [one for one in own[seat] if one[1] == text and after <= one[0] < number]
        faults["acknowledged and lost"] += not fits
        if fits:
            own[seat].remove(fits[0])  # each event answers for one acknowledgement


def main():
    """Play, break things, compare."""
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--kills", type=int, default=50)
    ask.add_argument("--restarts", type=int, default=10)
    ask.add_argument("--stops", type=int, default=0)
    ask.add_argument("--drops", type=int, default=0)
    ask.add_argument("--tables", type=int, default=12)
    ask.add_argument("--deals", type=int, default=2, help="people who play the deal of the day")
    ask.add_argument("--every", type=float, default=0.4, help="seconds before a player chooses")
    ask.add_argument("--led", action="store_true", help="a table's requests all go to one process")
    ask.add_argument("--seed", type=int, default=1)
    how, notes = ask.parse_args(), Notes()
    folder = Path(tempfile.mkdtemp(prefix="yegg-"))
    folder.chmod(0o711)  # PostgreSQL may run as another user
    house = House(folder)
    house.led = how.led
    try:
        stood, unlike, counted = asyncio.run(play(house, notes, how))
        games, faults = compare(house.db, notes)
        faults += unlike + notes.deals.faults(house.db)
    finally:
        house.close()
    acknowledged, views = sum(map(len, notes.acks.values())), len(notes.views)
    print(f"{games} games, {acknowledged} acknowledged choices, {views} views;", end=" ")
    print(f"{notes.unsure} without an answer", end="; ")
    late, times = sum(slow > GOES_ON[fault] for fault, slow in stood), [slow for _, slow in stood]
    print(f"the slowest table of a fault stood still for {statistics.median(times):.1f} s", end=" ")
    print(f"in the median, {max(times):.1f} at most; {late} of {len(times)} too long")
    deals = notes.deals
    print(f"{len(deals.keys)} deals of the day begun, {len(deals.over)} finished", end="; ")
    print(f"both processes count {counted}")
    print("faults:", dict(faults) or "none")
    shutil.rmtree(folder)
    sys.exit(bool(faults) or late > 0)


if __name__ == "__main__":
    main()
