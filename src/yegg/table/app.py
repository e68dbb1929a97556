"""The web server: its application, what it does in the background, how it starts and stops."""

import asyncio
import gc
import logging
import os
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import sqlalchemy as sa
import structlog
import uvicorn
from litestar import Litestar, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.types import Scope

import yegg
from yegg.engine import Refused, earlier

from . import metrics, networks
from .http import responses
from .http.bodies import KEY
from .http.connections import allow_more
from .http.fast_choices import FastChoices
from .http.form_answers import by_form, refused_form
from .http.middleware import Guarded
from .http.openapi import Contract
from .http.protocol_limits import LimitedProtocol
from .http.requests import Asked, Heard, registry_of, visitor
from .http.routes import routers
from .notifications.notifier import Notifier
from .rate_limits import Limits
from .refusals import HttpRefusal, as_refusal
from .service.best_game import BestGame
from .service.cluster_membership import Cluster
from .service.evening_keeper import EveningKeeper
from .service.processes import SeveralProcesses, processes_of
from .service.registry import Registry
from .service.timekeeper import Timekeeper
from .settings import Settings
from .storage.migrate import migrate
from .storage.sqlite_file import path_of
from .storage.store import Store, Unread, connected, mended

STARTING = 30  # seconds that a database may take to answer at the start
LOOK = 3  # seconds
BEAT = 15  # seconds; every proxy allows this much silence
LARGEST = 16_384  # bytes of a request's body
log = structlog.get_logger()


async def fetch(request: Asked) -> None:
    """Have the table here that a request names, before its handler looks for it."""
    if found := KEY.match(request.path_params.get("key", "")):
        await registry_of(request).fetch(found[0])


async def fetch_for(_: Exception, scope: Scope) -> None:
    """Have the table here to whose link something was added, so that no handler was found."""
    found = responses.TABLE.match(scope["path"])
    if found and "route_handler" not in scope:
        with suppress(Unread, HttpRefusal):
            await scope["litestar_app"].state.registry.fetch(found[1])


def unread(request: Asked, _: Unread) -> Response[Any]:
    """The database does not answer: 503."""
    why = "the tables cannot be read just now; try again in a moment"
    return refused(request, HttpRefusal(503, why))


def refused(
    request: Asked, error: HttpRefusal | Refused, more: Mapping[str, str] | None = None
) -> Response[Any]:
    """A refusal, as a page or as JSON, with ``more`` headers."""
    said = as_refusal(error)
    metrics.refused.labels(said.status).inc()
    headers = dict(more or {})
    if said.status in (429, 503):
        headers["Retry-After"] = str(said.more.get("after", 1))
    if request.url.path.startswith("/api"):
        return Response(said.body, status_code=said.status, headers=headers)
    if by_form(request):
        return refused_form(request, said)
    return responses.error_page(request, said, headers)


def mistaken(request: Asked, error: HTTPException) -> Response[Any]:
    """A refusal by the framework: pages say it plainly, the API names the field and the reason."""
    if not request.url.path.startswith("/api"):
        plain = responses.in_plain_words(request, error.status_code)
        return refused(request, plain, error.headers)
    extra = error.extra
    large = error.status_code == 413
    why = f"at most {LARGEST} bytes fit into a request" if large else str(error.detail)
    if isinstance(extra, list) and extra:
        why = "; ".join(f"{e.get('key', 'body')}: {e['message']}" for e in extra if "message" in e)
    return refused(request, HttpRefusal(error.status_code, why), error.headers)


def broken(request: Asked, error: Exception) -> Response[Any]:
    """An error in the server: it is logged, and its details are not shown."""
    metrics.broken.inc()
    log.error("broken", path=request.url.path, exc_info=error)
    return refused(request, HttpRefusal(500, "something is broken here; it has been noted"))


TROUBLE: dict[int | type[Exception], Any] = {
    HttpRefusal: refused,
    Refused: refused,
    Unread: unread,
    HTTPException: mistaken,
    Exception: broken,
}


def application(settings: Settings) -> Litestar:
    """The whole server as an ASGI application."""
    prepare(settings.db)
    if settings.rules:
        earlier.use(Path(settings.rules))
    store = Store(settings.db)
    registry = Registry(store, settings.pace, settings.patience, processes_of(store))
    limits = Limits(on=settings.limits)
    notifier = Notifier(registry, settings.telling) if settings.telling else None
    timekeeper, keeper = Timekeeper(registry), EveningKeeper(registry)
    cluster = cluster_of(registry, timekeeper, limits)

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        if settings.warm:
            registry.thinkers.compiling.everything()
        chores = [asyncio.create_task(chore(registry)) for chore in (sweep, beat, look_around)]
        try:
            async with with_others(cluster), people_told(notifier):
                await timekeeper.start()
                keeper.start()
                yield
        finally:
            timekeeper.close()
            keeper.close()
            for chore in chores:
                chore.cancel()
            registry.close()
            registry.thinkers.close()
            registry.store.close()

    app = Litestar(
        routers(),
        dependencies={"who": Provide(visitor)},
        lifespan=[running],
        exception_handlers=TROUBLE,
        before_request=fetch,
        after_exception=[fetch_for],
        request_class=Heard,
        request_max_body_size=LARGEST,
        openapi_config=OpenAPIConfig(
            "yegg",
            yegg.__version__,
            description="Tables of four games, for pages, bots and scripts.",
            path="/api/schema",
            render_plugins=[Contract()],
            use_handler_docstrings=True,
        ),
        debug=False,
        logging_config=None,
    )
    app.state.registry, app.state.limits, app.state.settings = registry, limits, settings
    app.state.notifier, app.state.cluster = notifier, cluster
    app.state.best_game = BestGame(registry)
    app.state.evenings = keeper
    inside = FastChoices(app.asgi_handler, registry, limits)
    app.asgi_handler = Guarded(inside, settings, registry.guests)
    return app


@asynccontextmanager
async def people_told(notifier: Notifier | None) -> AsyncIterator[None]:
    """Tell people, and take letters with orders, as far as the settings say so."""
    if notifier is None:
        yield
        return
    telling_them = asyncio.create_task(notifier.running())
    try:
        async with AsyncExitStack() as parts:
            if notifier.how.letters and notifier.how.mail:
                from .letters.inbox import Inbox

                inbox = Inbox(notifier, notifier.how.mail)
                await parts.enter_async_context(inbox.open(*notifier.how.letters))
            yield
    finally:
        telling_them.cancel()
        notifier.close()


def prepare(db: str) -> None:
    """Bring the database up to date, once it answers: it may be starting just now.  Raises Unread.

    It is given half a minute.
    """
    for why in mended(db):
        log.warning("mended", why=why)
    database, begun, told = connected(db), time.monotonic(), False
    while True:
        try:
            migrate(database)
        except sa.exc.DBAPIError as error:
            if not database.away(error):
                raise
            if time.monotonic() - begun > STARTING:
                raise Unread(str(error.orig)) from error
            if not told:
                log.warning("waiting", why=str(error.orig))
            told = True
            time.sleep(0.5)
        else:
            database.engine.dispose()
            return


def cluster_of(registry: Registry, timekeeper: Timekeeper, limits: Limits) -> Cluster | None:
    """The other processes that share the database; None where it cannot be shared."""
    if not isinstance(registry.processes, SeveralProcesses):
        return None
    limits.share()
    return Cluster(registry.processes, registry, timekeeper, limits=limits)


@asynccontextmanager
async def with_others(cluster: Cluster | None) -> AsyncIterator[None]:
    """Be one of the processes that share the database, if it can be shared."""
    if cluster is None:
        yield
        return
    await cluster.start()
    try:
        yield
    finally:
        await cluster.close()


async def sweep(registry: Registry) -> None:
    """Forget idle tables once a minute."""
    while True:
        await asyncio.sleep(60)
        registry.evict()


async def look_around(registry: Registry) -> None:
    """See every few seconds what those who look after the house have changed."""
    while True:
        await asyncio.sleep(LOOK)
        with suppress(Unread):
            await registry.look_around()


async def beat(registry: Registry) -> None:
    """Send something through each stream every `BEAT` seconds, not to all at the same moment."""
    for tick in count():
        slept = time.monotonic()
        await asyncio.sleep(1)
        metrics.late.set(time.monotonic() - slept - 1)
        for table in list(registry.tables.values()):
            if table.id % BEAT == tick % BEAT:
                table.beat()
                registry.delays.beat(table.id)


class Server(uvicorn.Server):
    """Says when it serves, and ends its streams before it stops: uvicorn would wait for them."""

    def __init__(self, config: uvicorn.Config, settings: Settings) -> None:
        """``settings`` are those of the application that ``config`` names."""
        super().__init__(config)
        self.settings = settings

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so.  Raises OSError where that cannot be."""
        if len(doors := networks.doors(self.settings.host)) > 1:
            sockets = [
                socket.create_server(
                    (host, self.settings.port),
                    family=socket.AF_INET6 if ":" in host else socket.AF_INET,
                    backlog=self.config.backlog,
                )
                for host in doors
            ]
        await super().startup(sockets)
        if self.started:
            how = self.settings
            db = str(path_of(how.db) or sa.make_url(how.db).render_as_string())  # no password
            log.info("open", host=how.host, port=how.port, db=db)
            tell_systemd()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams, then stop."""
        app = self.config.app
        app.state.registry.close()  # type: ignore[union-attr]
        super().handle_exit(sig, frame)


def tell_systemd() -> None:
    """Say by sd_notify(3) that requests are answered, if systemd has started this process."""
    address = os.environ.pop("NOTIFY_SOCKET", "")  # no child shall speak for this process
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.connect(address.replace("@", "\0", 1) if address.startswith("@") else address)
            notify.sendall(b"READY=1")


class Lines(logging.Handler):
    """Makes what other parts of yegg say a line of the server's log."""

    def emit(self, record: logging.LogRecord) -> None:
        """A line of the same level."""
        log.log(record.levelno, record.getMessage(), of=record.name)


def serve(settings: Settings) -> None:
    """Run until a signal comes, then end the streams and stop."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ]
    )
    allow_more()
    others = logging.getLogger("yegg")
    others.addHandler(Lines())
    others.setLevel(logging.INFO)
    gc.set_threshold(50_000, 20, 100)  # thousands of streams are many objects: collect rarely
    config = uvicorn.Config(
        application(settings),
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=LimitedProtocol,
        ws="none",
        access_log=False,
        server_header=False,
        log_level="error",  # strangers could fill the disk with warnings
        backlog=4096,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
    )
    Server(config, settings).run()
    log.info("closed")
