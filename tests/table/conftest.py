"""A server in a folder of its own, asked in the same process; scripts that play at its tables."""

import os
import shutil
import tempfile
import zlib
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import chromium
import postgresql
import pytest
import structlog
from litestar.testing import TestClient
from litestar.testing.transport import TestClientTransport
from waiting import until

from yegg.table.app import application
from yegg.table.service.timekeeper import Timekeeper
from yegg.table.settings import Mail, Notifications, Settings

from .browsing import FLAGS, SIZES, SOON
from .house import ann, house, opens, outside, post, telling, with_letters  # noqa: F401
from .laid import lay
from .moments import MOMENTS
from .people import Player, finish  # noqa: F401
from .serving import running, together

structlog.configure(  # as usual, but tracebacks without all variables, which take a second each
    [
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)
read = TestClientTransport.parse_request


def from_here(self, request):
    """A request as it would come from this machine."""
    return {**read(self, request), "client": ("127.0.0.1", 50_000)}


TestClientTransport.parse_request = from_here


@contextmanager
def opened(settings, **how):
    """A server in this process, asked without a network."""
    app = application(settings)
    with TestClient(app, base_url="http://testserver.local", **how) as client:
        yield client


def settings_for(folder, **more):
    """Settings of a server whose bots do not dawdle, and which refuses nobody."""
    how = {"limits": False, "pace": 0.0, "hosts": ("testserver.local",), "warm": False}
    return Settings(**{"db": f"sqlite:///{folder}/t.db"} | how | more)


def offering_all(folder):
    """Settings of a house with everything that can be offered."""
    mail = Mail("127.0.0.1", 9, "table@house.example", "none")
    how = Notifications("https://house.example/", mail, push=False, hooks=True)
    return settings_for(folder, telling=how)


@pytest.fixture
def settings(tmp_path):
    return settings_for(tmp_path)


@pytest.fixture(scope="module")
def for_all(tmp_path_factory):
    """One server for the tests of a file; whoever comes in each of them is somebody new."""
    with opened(settings_for(tmp_path_factory.mktemp("all"))) as client:
        yield client


@pytest.fixture
def fresh(settings):
    """A server of its own, for a test that changes it or looks at all of its tables."""
    with opened(settings) as client:
        yield client


@pytest.fixture
def client(request):
    """A server: a fresh one where a test knows its settings, or asks for it."""
    alone = {"fresh", "settings"} & set(request.fixturenames)
    client = request.getfixturevalue("fresh" if alone else "for_all")
    client.cookies.clear()
    return client


@pytest.fixture
def restarted(settings):
    """The same server opened again with the same database, for these players."""
    with ExitStack() as stack:

        def again(*people):
            client = stack.enter_context(opened(settings))
            for person in people:
                person.client = client
            return client

        yield again


@pytest.fixture
def looked(monkeypatch):
    """Wait until the server has looked twice more whose time is up."""
    looks, look = [0], Timekeeper.look

    async def counted(keeper):
        await look(keeper)
        looks[0] += 1

    monkeypatch.setattr(Timekeeper, "look", counted)

    def twice():
        wanted = looks[0] + 2  # the first may have begun before the time was another
        until(lambda: looks[0] >= wanted)

    return twice


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


@pytest.fixture(scope="session")
def lasting(tmp_path_factory):
    """A real server in a process of its own, which refuses nobody."""
    with running(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def served(lasting):
    """The same for each test; nobody is known there yet."""
    lasting.client.cookies.clear()
    return lasting


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A real server that keeps to its limits."""
    with running(tmp_path_factory.mktemp("strict"), limits=True) as server:
        yield server


# Several processes on one database ---------------------------------------------------------


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL of our own, with no data yet."""
    if not find_spec("psycopg"):
        pytest.skip("no driver of PostgreSQL here: pip install 'yegg[postgres]' gets it")
    if not postgresql.program("postgres"):
        pytest.skip(postgresql.MISSING)
    if os.geteuid() == 0 and not postgresql.user():
        pytest.skip(
            "PostgreSQL does not run as root, and there is no user postgres: useradd postgres"
        )
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


EXACT = "from yegg.table import metrics; metrics.STEP = 1"  # figures count one by one


@pytest.fixture(scope="module")
def two(request, postgres, tmp_path_factory):
    """Two processes on one database, where no other tests have left games of bots.

    Their figures count one by one.
    """
    db = postgres.database(f"two{zlib.crc32(request.node.nodeid.encode())}")
    with together(2, tmp_path_factory.mktemp("two"), db=db, first=EXACT) as served:
        yield served


@pytest.fixture
def two_alone(shared, tmp_path):
    """The same for one test.

    Elsewhere its figures would count the bots, too, that play for whoever was late in other tests.
    """
    with together(2, tmp_path, db=shared, first=EXACT) as served:
        yield served


# A real browser at a real server ----------------------------------------------------------


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server, open until all is done, with a table laid out for every moment."""
    folder = tmp_path_factory.mktemp("server")
    laid = lay(f"sqlite:///{folder}/t.db", MOMENTS)
    with running(folder) as server:
        server.laid = laid
        yield server


@pytest.fixture(scope="session")
def browser():
    """Chromium, without a window."""
    if not find_spec("playwright"):
        pytest.skip("no Playwright here: pip install 'yegg[browser]' gets it")
    if not (program := chromium.program()):
        pytest.skip(chromium.MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        made = play.chromium.launch(executable_path=program, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def visitor(browser, server):
    """Make somebody with a browser of their own; an error in it fails the test."""
    with ExitStack() as stack:
        pages = []

        def make(size="desktop", called="Vera", at=server, pace="at once", **how):
            context = stack.enter_context(a_context(browser, at, size, called, pace, **how))
            pages.append(opened_page(context, at, called))
            return pages[-1]

        yield make
    assert not [fault for page in pages for fault in page.faults]


@pytest.fixture(scope="module")
def window(browser, server):
    """One window for all moments."""
    with a_context(browser, server) as context:
        yield opened_page(context, server)


def a_context(browser, at, size="desktop", called="", pace="at once", **how):
    """A browser of somebody's own; tests that do not look at steps have them shown at once."""
    width, height = SIZES[size]
    alone = {"service_workers": "block"}  # else the app's worker answers, and keeps pages
    how = {"reduced_motion": "reduce", "base_url": at.base} | alone | how
    context = browser.new_context(viewport={"width": width, "height": height}, **how)
    if pace:
        context.add_init_script(set_pace(pace))
    if called:  # else they are asked
        url = how["base_url"]
        context.add_cookies([{"name": "yegg-name", "value": called, "url": url}])
    return context


def opened_page(context, server, called="Vera"):
    """A page, which notes what goes wrong on it."""
    page = context.new_page()
    page.set_default_timeout(SOON)
    page.server, page.called, page.faults = server, called, []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda m: page.faults.append(m.text) if "Content Security" in m.text else 0)
    return page


def set_pace(pace):
    """A script that sets the pace; an empty page keeps nothing."""
    return f"try {{ localStorage.setItem('yegg-pace', {pace!r}) }} catch {{ }}"
