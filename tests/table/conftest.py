"""A server in a folder of its own, asked in the same process; scripts that play at its tables."""

import os
import random
import shutil
import tempfile
import time
import zlib
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the table needs yegg[table]")

import chromium
import postgresql
from litestar.testing import TestClient
from litestar.testing.transport import TestClientTransport

from yegg.table.app import application
from yegg.table.settings import Settings

from .browsing import FLAGS, SIZES, SOON
from .house import ann, house, opens, outside, post, telling, with_letters  # noqa: F401
from .laid import lay
from .moments import MOMENTS
from .serving import Served, together

read = TestClientTransport.parse_request


def from_here(self, request):
    """A request as it would come from this machine."""
    return {**read(self, request), "client": ("127.0.0.1", 50_000)}


TestClientTransport.parse_request = from_here


@pytest.fixture
def settings(tmp_path):
    return Settings(
        db=f"sqlite:///{tmp_path}/t.db",
        limits=False,
        pace=0.0,
        hosts=("testserver.local",),
        warm=False,
    )


@pytest.fixture
def client(settings):
    with TestClient(application(settings), base_url="http://testserver.local") as client:
        yield client


@pytest.fixture(scope="session")
def open_always(tmp_path_factory):
    """A server for all tests that only look at pages, or at a table of their own."""
    db = f"sqlite:///{tmp_path_factory.mktemp('open')}/t.db"
    how = {"limits": False, "pace": 0.0, "warm": False, "hosts": ("testserver.local",)}
    with TestClient(
        application(Settings(db=db, **how)), base_url="http://testserver.local"
    ) as client:
        yield client


@pytest.fixture
def visited(open_always):
    """That server, for somebody new."""
    open_always.cookies.clear()
    return open_always


@pytest.fixture
def restarted(settings):
    """The same server opened again with the same database, for these players."""
    opened = []

    def again(*people):
        client = TestClient(application(settings), base_url="http://testserver.local")
        opened.append(client.__enter__())
        for person in people:
            person.client = client
        return client

    yield again
    for client in opened:
        client.__exit__(None, None, None)


def until(look, wanted=bool):
    """Wait until something is so."""
    for _ in range(2400):
        if wanted(found := look()):
            return found
        time.sleep(0.05)
    raise AssertionError(found)


class Player:
    """Somebody with a token."""

    def __init__(self, client, token=None, seed=0):
        self.client, self.token, self.dice = client, token, random.Random(seed)
        self.bytes = b""  # everything that was sent to them

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path):
        answer = self.client.get(path, headers=self.headers)
        self.bytes += answer.content
        return answer

    def post(self, path, body=None):
        answer = self.client.post(path, json=body, headers=self.headers)
        self.bytes += answer.content
        return answer

    def open(self, game, seats, **more):
        answer = self.post("/api/games", {"game": game, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"] or self.token
        self.key = answer.json()["id"]
        return self

    def join(self, key, **more):
        answer = self.post(f"/api/games/{key}/join", more)
        if answer.status_code == 200:
            self.token, self.key = answer.json()["token"] or self.token, key
        return answer

    @property
    def table(self):
        return self.get(f"/api/games/{self.key}").json()

    def choose(self, choice, after=None):
        after = self.table["number"] if after is None else after
        return self.post(f"/api/games/{self.key}/choices", {"choice": choice, "after": after})

    def act(self):
        """Make any legal choice; return whether there was one."""
        table = self.table
        if not table["choices"]:
            return False
        choice = self.dice.choice(table["choices"])["text"]
        answer = self.choose(choice, table["number"])
        assert answer.status_code == 200, answer.text
        return True


@pytest.fixture
def somebody(client):
    """Make players of this server."""
    return lambda seed=0: Player(client, seed=seed)


@pytest.fixture
def party(somebody):
    """Open a table for so many people, all of whom have sat down."""

    def gather(game, n, **more):
        first = somebody(0).open(game, ["me"] + ["open"] * (n - 1), **more)
        others = [somebody(i) for i in range(1, n)]
        for other in others:
            assert other.join(first.key).status_code == 200
        return [first, *others]

    return gather


def finish(people, limit=5000):
    """Play at random until the game is over."""
    for _ in range(limit):
        if not any(person.act() for person in people) and people[0].table["over"]:
            return
    raise AssertionError("the game does not end")


# Several processes on one database ---------------------------------------------------------


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL of our own, with no data yet."""
    pytest.importorskip("psycopg", reason="PostgreSQL needs yegg[postgres]")
    if not postgresql.program("postgres"):
        pytest.skip(postgresql.MISSING)
    if os.geteuid() == 0 and not postgresql.user():
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    folder = Path(tempfile.mkdtemp(prefix="yegg-"))
    folder.chmod(0o711)  # only the user who runs it may look inside its data
    cluster = postgresql.Cluster(folder / "data").start()
    yield cluster
    cluster.close()
    shutil.rmtree(folder)


@pytest.fixture
def shared(postgres, request):
    """The address of an empty database that processes can share."""
    return postgres.database(f"t{zlib.crc32(request.node.nodeid.encode())}")


@pytest.fixture(scope="module")
def two(request, postgres, tmp_path_factory):
    """Two processes on one database, where no other tests have left games of bots.

    Their figures count one by one.
    """
    db = postgres.database(f"two{zlib.crc32(request.node.nodeid.encode())}")
    exact = "from yegg.table import metrics; metrics.STEP = 1"
    with together(2, tmp_path_factory.mktemp("two"), db=db, first=exact) as served:
        yield served


# A real browser at a real server ----------------------------------------------------------


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server, open until all is done, with a table laid out for every moment."""
    folder = tmp_path_factory.mktemp("server")
    laid = lay(f"sqlite:///{folder}/t.db", MOMENTS)
    served = Served(folder).start()
    served.laid = laid
    yield served
    served.close()


@pytest.fixture(scope="session")
def browser():
    """Chromium, without a window."""
    sync = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    if not (program := chromium.program()):
        pytest.skip(chromium.MISSING)
    with sync.sync_playwright() as play:
        made = play.chromium.launch(executable_path=program, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def visitor(browser, server):
    """Make somebody with a browser of their own; an error in it fails the test."""
    contexts, faults = [], []

    def make(size="desktop", called="Vera", **how):
        width, height = SIZES[size]
        how.setdefault("reduced_motion", "reduce")
        how.setdefault("base_url", server.base)
        pace = how.pop("pace", "at once")  # tests that do not look at steps need none
        context = browser.new_context(viewport={"width": width, "height": height}, **how)
        if pace:
            context.add_init_script(set_pace(pace))
        contexts.append(context)
        if called:  # else they are asked
            url = how["base_url"]
            context.add_cookies([{"name": "yegg-name", "value": called, "url": url}])
        page = context.new_page()
        page.set_default_timeout(SOON)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda m: faults.append(m.text) if "Content Security" in m.text else 0)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not faults


def set_pace(pace):
    """A script that sets the pace; an empty page keeps nothing."""
    return f"try {{ localStorage.setItem('yegg-pace', {pace!r}) }} catch {{ }}"


@pytest.fixture(scope="module")
def window(browser, server):
    """One window for all moments."""
    context = browser.new_context(base_url=server.base, reduced_motion="reduce")
    context.add_init_script(set_pace("at once"))
    page = context.new_page()
    page.set_default_timeout(SOON)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    context.close()
