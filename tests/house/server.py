"""The real application in this process: time, dice, threads and bots are the test's.

All runs in one loop whose time is virtual, which stands still between two requests; so a script
gives the same games each time.  A house can die: it is thrown away with all that it was about to
do, and another one opens what was on disk.
"""

import asyncio
import gc
import json
import os
import random
import re
import tempfile
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

import httpx

from house.history import History, person
from house.loop import Loop
from house.process import DOING, HOST, Process
from house.shared_database import Notices, Shared
from house.world import World
from house.writing import Disk
from yegg.engine import promised
from yegg.table import app as applications
from yegg.table.domain.dice import Promised
from yegg.table.service import registry as registries
from yegg.table.storage import store as stores
from yegg.table.storage.sqlite_file import path_of

SOON = 120  # seconds after which something that is waited for does not come any more
SOON_HEARD = 0.1  # seconds after which a stream has sent what there is, and processes have heard
SILENCE = 4  # seconds after which the other processes have noticed that one is dead
OF_TABLE = re.compile(r"/api/games/[^/]+(?=/)")
STEP = 10  # seconds of a wait that go by at once: signs of life are not further apart
LEAP = 2  # seconds of the loop meanwhile, where processes would else count each other as dead


class Server:
    """The processes of one house, asked without a network: one, or several on one database."""

    def __init__(self, log=None):
        self.log = [] if log is None else log
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # quicker than a disk
        self.folder = tempfile.TemporaryDirectory(prefix="house-", dir=memory)
        self.loop, self.world = Loop(), World()
        self.loop.set_task_factory(self._task)
        self.world.put(registries, "promised_anew", self._promise)
        for module in (applications, stores):
            self.world.put(module, "connected", partial(self._connected, stores.connected))
        self.ears, self.tasks, self.lives, self.processes = [], {}, 0, []
        self.fixed, self.routes = None, random.Random(0)
        transport = httpx.ASGITransport(self._asked, client=("127.0.0.1", 50_000))
        self.client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")

    @property
    def now(self):
        """The house's time in milliseconds since 1970; it stands still but for `wait`."""
        return self.world.now

    def errors(self):
        """What the house has said of its own faults since it was asked last."""
        found = [one for one in self.log if one["log_level"] == "error"]
        self.log.clear()
        return found

    @property
    def several(self):
        """Whether several processes serve one database."""
        return self.many > 1

    @property
    def registry(self):
        """The tables of one of the processes."""
        return self.processes[0].registry

    # A life

    def restart(self, seed=0, processes=1):
        """Begin a new evening: an empty disk, dice as in every evening, and nobody listens."""
        self._end()
        self.seed, self.lives, self.dealt, self.many = seed, 0, 0, processes
        self.world.begin(seed)
        self.routes.seed(seed)
        self.notices = Notices(self.loop)
        self.ears, self.history = [], History()
        self._live()

    def _live(self):
        """Open the house."""
        self.lives += 1
        self.loop.chance.seed(f"{self.seed} {self.lives}")
        self.disk = Disk(Path(self.folder.name) / f"{self.seed}-{self.lives}.db")
        for _ in range(self.many):
            self._opened()

    def _opened(self):
        self.processes.append(Process(self.loop, self.disk))
        self.run(self.processes[-1].begun.wait())

    def _connected(self, connected, url):
        return Shared(path_of(url), self.notices) if self.several else connected(url)

    def _end(self):
        """Throw the house away; whatever it still does, nobody hears of it."""
        if not self.processes:
            return
        for process in self.processes:
            process.end()
        self.disk.remove()
        self.processes.clear()
        gc.collect(0)

    def die(self, seconds):
        """The house dies, and somebody opens another one some seconds later on what is on disk.

        Whoever listened listens again, and says what they have heard last.
        """
        kept = self.processes[0].writer.left()
        self._end()
        self.world.now += seconds * 1000
        self.loop.leap(seconds)
        Disk(Path(self.folder.name) / f"{self.seed}-{self.lives + 1}.db").lay(kept)
        self._live()

    def _replace(self, dead, keys):
        """One process of several has died: the others notice, and another one comes."""
        dead.end()
        self.processes.remove(dead)
        self.run(self.loop.goes_by(SILENCE))
        self._opened()
        self.run(self.loop.goes_by(SILENCE))
        self.fetch(keys)

    def _task(self, loop, what, **how):
        tasks = (DOING.get() or self).tasks
        task = asyncio.Task(what, loop=loop, **how)
        tasks[task] = None
        task.add_done_callback(lambda done: tasks.pop(done, None))
        return task

    def route(self):
        """The process that is asked next."""
        return self.fixed or self.routes.choice(self.processes)

    @contextmanager
    def one_answers(self):
        """All is asked of one process, so that the others know only what they have heard."""
        self.fixed = self.route()
        try:
            yield
        finally:
            self.fixed = None

    async def _asked(self, scope, receive, send):
        await self.route().asked(scope, receive, send)

    def run(self, what):
        """Let the house run until something is done."""
        return self.loop.run_until_complete(asyncio.wait_for(what, SOON))

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
            if self.several and (table := OF_TABLE.match(path)):  # before the others have heard
                self.run(self._ask("GET", table[0], token, None, lost=False))
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

    def ask_dying(self, how, nth, seconds, keys, *request):
        """A request at whose nth write its process dies; None without an answer before that.

        If it is the only one, the house is there again after some seconds; else the others go on,
        and another process comes, which has the tables of these ``keys``.
        """
        with self.one_answers():
            doomed = self.fixed
            doomed.writer.dies(how, nth)
            answer = self.loop.run_until_complete(self._until(doomed.death, request))
        if self.several:
            self._replace(doomed, keys)
        else:
            self.die(seconds)
        return answer

    async def _until(self, death, request):
        asked = asyncio.ensure_future(self._ask(*request))
        await asyncio.wait([asked, death], return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            asked.cancel()
            with suppress(asyncio.CancelledError):
                await asked
            return None
        settling = asyncio.ensure_future(self._settled())
        await asyncio.wait([settling, death], return_when=asyncio.FIRST_COMPLETED)
        return asked.result()

    async def _settled(self):
        """Wait until no bot has anything to do, and all processes have heard all."""
        while True:
            told = self.notices.told
            busy = [await process.settled() for process in list(self.processes)]
            if not self.several:
                return
            await self.loop.goes_by(SOON_HEARD)
            listen = len(self.notices.lines) == len(self.processes)
            if told == self.notices.told and listen and not any(busy):
                return

    def wait(self, seconds):
        """Let time go by at once, and the house look whose time is up."""
        self.world.now += seconds * 1000
        self.loop.leap(min(seconds, LEAP) if self.several else seconds)
        self.run(self._look())

    async def _look(self):
        for process in list(self.processes):
            with process.work():
                await process.look()
        await self._settled()

    # What is there

    def fetch(self, keys):
        """Have tables in all processes, and let their bots go on."""
        for process in self.processes:
            with process.work():
                self.run(process.fetch(keys))
        self.run(self._settled())

    def everywhere(self, key):
        """Have a new table in all processes, if there are several."""
        if self.several:
            self.fetch([key])

    def forget(self, key):
        """Have a table read from disk when somebody comes next."""
        for ear in self.ears:
            if ear.key == key:
                ear.ends()
        for process in self.processes:
            process.forget(key)

    def looks_around(self):
        """Let all processes see what was changed beside tables: they look every few seconds."""
        if self.several:
            self.run(self.loop.goes_by(2 * applications.LOOK))

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
        self.gone, self.process = asyncio.Event(), server.route()
        with self.process.work():
            self.task = server.loop.create_task(self._listen())

    @property
    def deaf(self):
        """Whether the process has died that sent it."""
        return self.process not in self.server.processes

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
        await self.process.app(scope, self._receive, self._send)

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
