"""A real server in a process of its own: started, killed, started again."""

import asyncio
import os
import random
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cached_property

import httpx
from click.testing import CliRunner
from programs import FORKS
from waiting import until


def awaited(coroutine):
    """What a coroutine returns; in a thread, since Playwright keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def free_port():
    """A port that nobody listens at, and that no connection is given while nobody does."""
    for port in random.SystemRandom().sample(range(12_000, 32_000), 100):
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def serve(options, env, log, first):
    """What a server's process does: `yegg serve` in this environment, writing to this file."""
    os.environ.clear()
    os.environ.update(env)
    with open(log, "ab") as file:  # noqa: PTH123
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    exec(first)  # noqa: S102
    from yegg.cli.serve import command

    command(options)


class Served:
    """`yegg serve` on a port of its own."""

    def __init__(self, folder, *more, db=None, limits=False, pace=0, first="pass"):
        """``db``: a folder for its file, or the address of a database; ``first``: done before."""
        self.port = free_port()
        self.base = f"http://localhost:{self.port}"
        db = db if "://" in str(db) else f"{db or folder}/t.db"
        options = ["--port", str(self.port), "--db", db, "--pace", str(pace)]
        options += [] if limits else ["--no-limits"]
        self.options = ["--no-warm", *options, *more]
        self.log = folder / "serve.log"
        self.env = dict(os.environ)
        self.first = first
        self.process = None

    @cached_property
    def client(self):
        """Whoever asks it."""
        return httpx.Client(base_url=self.base, timeout=30, verify=False)  # noqa: S501  no https

    def start(self):
        self.open()
        return self.ready()

    def open(self):
        how = self.options, self.env, self.log, self.first
        self.process = FORKS.Process(target=serve, args=how)
        self.process.start()

    def ready(self):
        until(lambda: self.asked("/health") == 200)
        return self

    def asked(self, path):
        """The status of an answer; None without one."""
        with suppress(httpx.TransportError):
            return self.client.get(path, timeout=5).status_code

    def kill(self):
        self.process.kill()
        self.process.join()

    def close(self):
        self.kill()
        self.client.close()

    def stop(self):
        self.process.terminate()
        self.process.join(20)
        return self.process.exitcode


@contextmanager
def running(folder, *more, **how):
    """A server, until it is no longer needed."""
    with together(1, folder, *more, **how) as (server,):
        yield server


@contextmanager
def together(many, folder, *more, **how):
    """So many servers, which start at the same moment."""
    served = [Served(folder, *more, **how) for _ in range(many)]
    try:
        for server in served:
            server.open()
        for server in served:
            server.ready()
        yield served
    finally:
        for server in served:
            server.close()


@contextmanager
def waiting_at(client, table):
    """Nothing happens at a table meanwhile, and whatever is asked for there waits in a row."""
    with client.portal() as portal:
        portal.call(table.lock.acquire)
        try:
            yield lambda: len(table.lock._waiters or ())
        finally:
            portal.call(table.lock.release)


def raw_request(method, path, headers=(), body=b"", host="localhost"):
    """A request whose texts may be any bytes: each character is one."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers]
    lines += [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def exchanged(port, raw, own="127.0.0.1"):
    """All that is answered to some bytes, until the server hangs up."""
    heard = b""
    address = "127.0.0.1", port
    with socket.create_connection(address, 30, source_address=(own, 0)) as line:
        with suppress(ConnectionError):
            line.sendall(raw)
        with suppress(ConnectionError):
            while piece := line.recv(1 << 16):
                heard += piece
    return heard


def statuses(heard):
    """The statuses of all answers."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", heard)]


def body_of(heard):
    return heard.partition(b"\r\n\r\n")[2].decode("latin-1")


def house_says(db, *words):
    """What a command of the house prints; it hears nothing of houses open on this machine."""
    from yegg.cli.admin import command

    words = [*words, "--db", db.removeprefix("sqlite:///")]
    done = CliRunner().invoke(command, words, env={"YEGG_PORT": str(free_port())})
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output
