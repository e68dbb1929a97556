"""The house of `faults.py`: PostgreSQL and two processes, each of which can be made to fail."""

import asyncio
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import sqlalchemy as sa

from yegg.table.storage.store import connected

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
import postgresql

PATIENT = 30  # seconds that a request may take; a process that is dead refuses it at once
THERE = 200, 403  # a deal of the day is shown to its player alone
DROP = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


class House:
    """PostgreSQL and two processes."""

    def __init__(self, folder):
        self.log = (folder / "log").open("wb")
        self.cluster = postgresql.Cluster(folder / "data").start()
        self.db, self.ports, self.processes = self.cluster.database("yegg"), [], []
        for _ in range(2):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.ports.append(free.getsockname()[1])
            self.processes.append(None)

    def start(self, i):
        """Start a process."""
        code = "from yegg.cli.serve import command; command()"
        how = ["--port", str(self.ports[i]), "--db", self.db, "--no-limits", "--no-warm"]
        run = [sys.executable, "-c", code, *how, "--pace", "0"]
        self.processes[i] = subprocess.Popen(run, stdout=self.log, stderr=self.log)

    def kill(self, i):
        """End it as a crash would."""
        self.processes[i].kill()
        self.processes[i].wait()

    def restart(self, away):
        """PostgreSQL stops without tidying up, and comes back after some seconds."""
        self.cluster.stop("immediate")
        time.sleep(away)
        self.cluster.start()

    def drop(self):
        """PostgreSQL ends all connections."""
        engine = connected(self.db).engine
        with engine.begin() as disk:
            disk.execute(sa.text(DROP))
        engine.dispose()

    async def ready(self, i, tables=()):
        """Wait until a process serves these tables."""
        async with httpx.AsyncClient(base_url=f"http://localhost:{self.ports[i]}") as client:
            for path in ("/health", *(f"/api/games/{key}" for key in tables)):
                while True:
                    try:
                        if (await client.get(path, timeout=PATIENT)).status_code in THERE:
                            break
                    except httpx.TransportError:
                        pass
                    await asyncio.sleep(0.1)

    def close(self):
        """Stop everything."""
        for process in self.processes:
            process.terminate()
            process.wait()
        self.cluster.close()
        self.log.close()
