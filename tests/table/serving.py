"""A real server in a process of its own: started, killed, started again."""

import asyncio
import os
import random
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress


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


class Served:
    """`yegg serve` on a port of its own."""

    def __init__(self, folder, *more, db=None, limits=False, pace=0, first="pass"):
        """``db``: a folder for its file, or the address of a database; ``first``: done before."""
        self.port = free_port()
        self.base = f"http://localhost:{self.port}"
        code = f"{first}; from yegg.cli.serve import command; command()"
        db = db if "://" in str(db) else f"{db or folder}/t.db"
        options = ["--port", str(self.port), "--db", db, "--pace", str(pace)]
        options += [] if limits else ["--no-limits"]
        self.line = [sys.executable, "-c", code, "--no-warm", *options, *more]
        self.log = (folder / "serve.log").open("ab")
        self.env = dict(os.environ)
        self.process = None

    def start(self):
        self.open()
        return self.ready()

    def open(self):
        self.process = subprocess.Popen(self.line, stdout=self.log, stderr=self.log, env=self.env)

    def ready(self):
        for _ in range(600):
            try:
                with urllib.request.urlopen(self.base + "/health", timeout=2) as answer:  # noqa: S310
                    if answer.status == 200:
                        return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise AssertionError("the server does not start")

    def wait(self):
        time.sleep(0.1)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        self.log.close()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=20)


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
