"""The real application in this process: time, dice, threads and bots are the test's.

All runs in one loop whose time is virtual, which stands still between two requests; so a script
gives the same games each time.  A house can die: it is thrown away with all that it was about to
do, and another one opens what was on disk.
"""

import asyncio
import gc
import json
import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import httpx

from house.history import History, person
from house.loop import Loop
from house.world import World
from house.writing import Disk, Writer
from yegg.engine import promised
from yegg.table.app import application
from yegg.table.domain.dice import Promised
from yegg.table.refusals import HttpRefusal
from yegg.table.service import registry as registries
from yegg.table.service.timekeeper import Timekeeper
from yegg.table.settings import Settings

HOST = "testserver.local"
SOON = 120  # seconds after which something that is waited for does not come any more
SOON_HEARD = 0.1  # seconds after which a stream has sent what there is
STEP = 10  # seconds of a wait that go by at once: signs of life are not further apart


def bots_choice(match):
    """What every bot does here: it follows from how many events there were."""
    return match.choices[len(match.history) % len(match.choices)]


class Server:
    """The application of one folder, asked without a network."""

    def __init__(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # quicker than a disk
        self.folder = tempfile.TemporaryDirectory(prefix="house-", dir=memory)
        self.loop, self.world = Loop(), World()
        self.loop.set_task_factory(self._task)
        self.world.put(registries, "promised_anew", self._promise)
        self.ears, self.tasks, self.lives, self.app = [], {}, 0, None
        transport = httpx.ASGITransport(self._asked, client=("127.0.0.1", 50_000))
        self.client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")

    @property
    def now(self):
        """The house's time in milliseconds since 1970; it stands still but for `wait`."""
        return self.world.now

    # A life

    def restart(self, seed=0):
        """Begin a new evening: an empty disk, dice as in every evening, and nobody listens."""
        self._end()
        self.seed, self.lives, self.dealt = seed, 0, 0
        self.world.begin(seed)
        self.ears, self.history = [], History()
        self._live()

    def _live(self):
        """Open the house."""
        self.lives += 1
        self.loop.chance.seed(f"{self.seed} {self.lives}")
        self.disk = Disk(Path(self.folder.name) / f"{self.seed}-{self.lives}.db")
        self.death = self.loop.create_future()
        self.app = application(
            Settings(
                db=f"sqlite:///{self.disk.path}", limits=False, pace=0.0, hosts=(HOST,), warm=False
            )
        )
        self.registry = self.app.state.registry
        self.registry.thinkers.choose = self._think
        compiling = self.registry.thinkers.compiling  # as if all of it were done
        compiling.prepare, compiling.cold = lambda game: None, lambda game, bot: game.kept
        compiling.how = lambda game: "plain" if game.kept else "compiled"
        self.writer = Writer(self.registry.store, self.loop, self.disk, self.death)
        self.keeper = Timekeeper(self.registry)
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        self.life = self.loop.create_task(self._living())
        self.run(self.begun.wait())

    async def _living(self):
        async with self.app.lifespan():
            self.begun.set()
            await self.ended.wait()

    def _end(self):
        """Throw the house away; whatever it still does, nobody hears of it."""
        if self.app is None:
            return
        self.writer.dead = True
        while left := [task for task in self.tasks if not task.done()]:
            for task in left:
                task.cancel()
            self.loop.run_until_complete(asyncio.wait(left))
        self.tasks.clear()
        self.disk.remove()
        self.app = None
        gc.collect(0)

    def die(self, seconds):
        """The house dies, and somebody opens another one some seconds later on what is on disk.

        Whoever listened listens again, and says what they have heard last.
        """
        kept = self.writer.left()
        self._end()
        self.world.now += seconds * 1000
        self.loop.leap(seconds)
        Disk(Path(self.folder.name) / f"{self.seed}-{self.lives + 1}.db").lay(kept)
        self._live()

    def _task(self, loop, what, **how):
        task = asyncio.Task(what, loop=loop, **how)
        self.tasks[task] = None
        task.add_done_callback(lambda done: self.tasks.pop(done, None))
        return task

    async def _asked(self, scope, receive, send):
        await self.app(scope, receive, send)

    def run(self, what):
        """Let the house run until something is done."""
        return self.loop.run_until_complete(asyncio.wait_for(what, SOON))

    async def _think(self, table, seat, bot, match, payer="", seed=None):
        return bots_choice(match)

    def _promise(self, after=0, *, early=False, origin=None):
        self.dealt += 1
        seed = sha256(f"table {self.dealt}".encode()).digest()[: promised.SEED]
        return Promised(seed, after, early, origin)

    # Requests

    def ask(self, method, path, token=None, body=None, *, lost=False):
        """One request and its answer, once bots have done what they do.

        ``lost``: nobody gets the answer.
        """
        answer = self.run(self._ask(method, path, token, body, lost=lost))
        if method == "POST":
            self.run(self._settled())
        return answer

    async def _ask(self, method, path, token, body, *, lost=False):
        head = {"Authorization": f"Bearer {token}"} if token else {}
        since = len(self.history.lines)
        about = self.now, since, method, path, token, body
        try:
            answer = await self.client.request(method, path, json=body, headers=head)
        except asyncio.CancelledError:
            self.history.asked(*about, None)
            raise
        self.history.asked(*about, None if lost else answer)
        return answer

    def ask_twice(self, method, path, token, body):
        """The same sent twice at once; both answers."""

        async def both():
            two = [self._delayed(method, path, token, body) for _ in range(2)]
            return await asyncio.gather(*two)

        answers = self.run(both())
        self.run(self._settled())
        return answers

    async def _delayed(self, *request):
        await self.loop.goes_by(self.loop.chance.uniform(0, 0.02))
        return await self._ask(*request)

    def ask_dying(self, how, nth, seconds, *request):
        """A request at whose nth write the house dies; None without an answer before that."""
        self.writer.dies(how, nth)
        answer = self.loop.run_until_complete(self._until_death(request))
        self.die(seconds)
        return answer

    async def _until_death(self, request):
        asked = asyncio.ensure_future(self._ask(*request))
        await asyncio.wait([asked, self.death], return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            asked.cancel()
            with suppress(asyncio.CancelledError):
                await asked
            return None
        settling = asyncio.ensure_future(self._settled())
        await asyncio.wait([settling, self.death], return_when=asyncio.FIRST_COMPLETED)
        return asked.result()

    async def _settled(self):
        """Wait until no bot has anything to do."""
        for table in list(self.registry.tables.values()):
            while table.driver.busy:
                await asyncio.wait([table.driver.task])
                table.driver.kick()

    def wait(self, seconds):
        """Let time go by at once, and the house look whose time is up."""
        self.world.now += seconds * 1000
        self.loop.leap(seconds)
        self.run(self._look())

    async def _look(self):
        await self.keeper.beat()
        await self.keeper.wake()
        await self.keeper.look()
        await self._settled()

    # What is there

    def fetch(self, keys):
        """Have tables here, and let their bots go on."""
        for key in keys:
            with suppress(HttpRefusal):
                self.run(self.registry.fetch(key))
        self.run(self._settled())

    def forget(self, key):
        """Have a table read from disk when somebody comes next."""
        for ear in self.ears:
            if ear.key == key:
                ear.ends()
        if table := self.registry.tables.get(key):
            table.close()
            self.registry.forget(table)

    def events(self, key):
        """The events of a table on disk."""
        return self.registry.store.whole(key)[1]

    def choices_of_chance(self, key):
        """Everything that has happened in a game, of which the model takes chance's choices."""
        match = self.run(self.registry.fetched(key)).now.match
        return list(zip(match.actors, match.history, strict=True))

    def times(self, key):
        """Everybody's time as the house has it, in seconds."""
        for time in self.registry.tables[key].now.clock.times:
            mark, reserve, used = time.ended
            yield time.reserve // 1000, time.used // 1000, (mark, reserve // 1000, used // 1000)

    def listen(self, key, token, heard=None):
        """Open a stream of events; ``heard``: an older one that has ended, which goes on."""
        self.ears.append(Ear(self, key, token, heard))
        return self.ears[-1]

    def close(self):
        """End it, and let the modules be as they were."""
        self._end()
        self.loop.run_until_complete(self.client.aclose())
        self.loop.close()
        self.world.close()
        self.folder.cleanup()


class Ear:
    """Somebody who listens to the stream of a table."""

    def __init__(self, server, key, token, heard=None):
        self.server, self.key, self.token = server, key, token
        self.text, self.phrases, self.seen = "", [], heard and heard.seen
        self.number = heard.number if heard else len(server.ears)
        self.gone = asyncio.Event()
        self.task = server.loop.create_task(self._listen())

    async def _listen(self):
        head = [(b"host", HOST.encode())]
        if self.token:
            head.append((b"authorization", f"Bearer {self.token}".encode()))
        if self.seen:
            head.append((b"last-event-id", b"%d" % self.seen["number"]))
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
        self.server.run(self.server.loop.goes_by(SOON_HEARD))

    def ends(self):
        """Go away, and expect nothing more."""
        self.gone.set()
        self.server.history.note(self.server.now, "ends", ear=self.number)
