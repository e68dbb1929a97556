"""The real application in this process: its time, its dice and its bots do as the test says.

All runs in one event loop, which stands still between two requests; so a script gives the same
games each time.
"""

import asyncio
import json
import os
import tempfile
from hashlib import sha256
from types import SimpleNamespace

import httpx
import sqlalchemy as sa

from house.history import History, person
from yegg.engine import promised
from yegg.table.app import application
from yegg.table.domain import phrases
from yegg.table.domain.dice import Promised
from yegg.table.service import registry as registries
from yegg.table.service.timekeeper import Timekeeper
from yegg.table.settings import Settings
from yegg.table.storage import schema
from yegg.table.storage.uptime import here

HOST = "testserver.local"
SOON = 120  # seconds after which something that is waited for does not come any more


def bots_choice(match):
    """What every bot does here: it follows from how many events there were."""
    return match.choices[len(match.history) % len(match.choices)]


class Server:
    """The application of one folder, asked without a network."""

    def __init__(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # quicker than a disk
        self.folder = tempfile.TemporaryDirectory(prefix="house-", dir=memory)
        how = {"limits": False, "pace": 0.0, "hosts": (HOST,), "warm": False}
        self.app = application(Settings(db=f"sqlite:///{self.folder.name}/t.db", **how))
        self.registry = self.app.state.registry
        self.dealt, self.now, self.ears, self.history = 0, here(), [], History()
        self.registry.store.hours.now = lambda: self.now
        self.registry.store.hours.note = lambda sign: None  # it is never closed
        self.registry.thinkers.choose = self._think
        self.before = registries.promised_anew, phrases.time
        registries.promised_anew = self._promise
        phrases.time = SimpleNamespace(monotonic=lambda: self.now / 1000)
        self.keeper = Timekeeper(self.registry)
        self.runner = asyncio.Runner()
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        self.life = self.runner.get_loop().create_task(self._live())
        self.run(self.begun.wait())
        transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 50_000))
        self.client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")

    async def _live(self):
        async with self.app.lifespan():
            self.begun.set()
            await self.ended.wait()

    def run(self, what):
        """Let the house run until something is done."""
        return self.runner.run(asyncio.wait_for(what, SOON))

    async def _think(self, table, seat, bot, match, payer="", seed=None):
        return bots_choice(match)

    def _promise(self, after=0, *, early=False, origin=None):
        self.dealt += 1
        seed = sha256(f"table {self.dealt}".encode()).digest()[: promised.SEED]
        return Promised(seed, after, early, origin)

    def restart(self):
        """Begin a new evening: dice as in every evening, and nobody listens."""
        self.dealt = 0
        for ear in self.ears:
            ear.close()
        self.ears, self.history = [], History()
        self.run(self._settled())
        for table in list(self.registry.tables.values()):
            self.registry.forget(table)
        with self.registry.store.engine.begin() as disk:  # no two tables have the same seed
            disk.execute(sa.delete(schema.dice))

    def ask(self, method, path, token=None, body=None):
        """One request and its answer, once bots have done what they do."""
        return self.run(self._ask(method, path, token, body))

    async def _ask(self, method, path, token, body):
        head = {"Authorization": f"Bearer {token}"} if token else {}
        since = len(self.history.lines)
        answer = await self.client.request(method, path, json=body, headers=head)
        self.history.asked(self.now, since, method, path, token, body, answer)
        if method == "POST":
            await self._settled()
        return answer

    async def _settled(self):
        """Wait until no bot has anything to do."""
        for table in list(self.registry.tables.values()):
            while table.driver.busy:
                await asyncio.wait([table.driver.task])
                table.driver.kick()

    def wait(self, seconds):
        """Let time go by, and the house look whose time is up."""
        self.now += seconds * 1000
        self.run(self._look())

    async def _look(self):
        await self.keeper.look()
        await self._settled()

    def forget(self, key):
        """Have a table read from disk when somebody comes next."""
        for ear in self.ears:
            if ear.key == key:
                ear.ends()
        if table := self.registry.tables.get(key):
            table.close()
            self.registry.forget(table)

    def choices_of_chance(self, key):
        """Everything that has happened in a game, of which the model takes chance's choices."""
        match = self.run(self.registry.fetched(key)).now.match
        return list(zip(match.actors, match.history, strict=True))

    def times(self, key):
        """Everybody's time as the house has it, in seconds."""
        for time in self.registry.tables[key].now.clock.times:
            mark, reserve, used = time.ended
            yield time.reserve // 1000, time.used // 1000, (mark, reserve // 1000, used // 1000)

    def listen(self, key, token):
        """Open a stream of events."""
        self.ears.append(Ear(self, key, token))
        return self.ears[-1]

    def close(self):
        """End it, and let the modules be as they were."""
        self.restart()
        self.run(self.client.aclose())
        self.ended.set()
        self.run(asyncio.wait([self.life]))
        self.runner.close()
        registries.promised_anew, phrases.time = self.before
        self.folder.cleanup()


class Ear:
    """Somebody who listens to the stream of a table."""

    def __init__(self, server, key, token):
        self.server, self.key, self.token = server, key, token
        self.text, self.phrases, self.seen = "", [], None
        self.number = len(server.ears)
        self.gone = asyncio.Event()
        self.task = server.runner.get_loop().create_task(self._listen())

    async def _listen(self):
        head = [(b"host", HOST.encode())]
        if self.token:
            head.append((b"authorization", f"Bearer {self.token}".encode()))
        path = f"/api/games/{self.key}/events"
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1"}
        scope |= {"method": "GET", "scheme": "http", "path": path, "raw_path": path.encode()}
        scope |= {"query_string": b"phrases=true", "root_path": "", "headers": head}
        scope |= {"client": ("127.0.0.1", 50_000), "server": (HOST, 80), "state": {}}
        await self.server.app(scope, self._receive, self._send)

    async def _receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        self.text += message.get("body", b"").decode()
        *whole, self.text = self.text.split("\n\n")
        for event in whole:
            data = "\n".join(line[6:] for line in event.split("\n") if line.startswith("data: "))
            if "event: view" in event:
                self.seen = json.loads(data)
                about = {"who": person(self.token), "table": self.key, "ear": self.number}
                self.server.history.note(self.server.now, "told", **about, got=self.seen)
            elif "event: phrase" in event:
                said = json.loads(data)
                self.phrases.append((said["seat"], said["text"]))

    def hear(self):
        """Wait until all that was sent is here."""
        for _ in range(3):
            self.server.run(asyncio.sleep(0))

    def ends(self):
        """Expect nothing more."""
        self.server.history.note(self.server.now, "ends", ear=self.number)

    def close(self):
        """Go away."""
        self.task.cancel()
        self.server.run(asyncio.wait([self.task]))
