"""Two servers on one PostgreSQL behind one address, for trying: `make house`.

Everything is kept in the folder `.house`.  Each connection goes to the next server that answers,
so that two tabs of a browser may well talk to different ones.  Ctrl-C ends all of it.
"""

import asyncio
import itertools
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import postgresql

PORT = 8000
FOLDER = Path(__file__).parents[1] / ".house"


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def pass_on(reader, writer):
    """Hand on what comes, until one side ends."""
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with suppress(ConnectionError):
        writer.close()


async def ended():
    """Wait until somebody ends this."""
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in signal.SIGINT, signal.SIGTERM:
        loop.add_signal_handler(sign, end.set)
    await end.wait()


async def stand_before(ports):
    """Serve one address with the servers at these ports."""
    turns = itertools.cycle(range(len(ports)))

    async def serve(reader, writer):
        first = next(turns)
        for port in ports[first:] + ports[:first]:
            try:
                there = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue  # it has not started yet, or it has died
            await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))
            return
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", PORT):
        print(f"One address for both: http://localhost:{PORT}/   (Ctrl-C ends everything)")
        await ended()


def main():
    """Start everything, and end it again."""
    if not postgresql.program("postgres"):
        raise SystemExit(postgresql.MISSING)
    cluster = postgresql.Cluster(FOLDER / "data").start()
    url, ports, servers = cluster.database("yegg"), [free_port(), free_port()], []
    print(f"PostgreSQL: {url}")
    try:
        for port in ports:
            run = [str(Path(sys.executable).with_name("yegg")), "serve", "--port", str(port)]
            servers.append(subprocess.Popen([*run, "--db", url]))
        asyncio.run(stand_before(ports))
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait()
        cluster.close()


if __name__ == "__main__":
    main()
