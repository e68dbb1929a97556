"""Two servers on one PostgreSQL behind one address, for trying: `make house`.

Everything is kept in the folder `.house`, with what each server says.  Each connection goes to the
next server that answers, so that two tabs of a browser may well talk to different ones.  Ctrl-C
ends all of it.
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


async def open_now(servers):
    """Say when all servers answer, or which one does not start."""
    for number, (port, server) in enumerate(servers.items(), 1):
        while server.poll() is None:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            await asyncio.sleep(0.1)
        else:
            print(f"A server does not start; {log_of(number)} says why.   (Ctrl-C ends the rest)")
            return
    print(f"Both servers are open at http://localhost:{PORT}/   (Ctrl-C ends everything)")


async def stand_before(servers):
    """Serve one address with these servers, by their ports."""
    ports = list(servers)
    turns = itertools.cycle(range(len(ports)))

    async def serve(reader, writer):
        first = next(turns)
        for port in ports[first:] + ports[:first]:
            try:
                there = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue  # it has not started yet, or it has died
            with suppress(asyncio.CancelledError):  # everything ends
                await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))
            return
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", PORT):
        opening = asyncio.create_task(open_now(servers))
        await ended()
        opening.cancel()


def log_of(number):
    """Where a server writes what it has to say."""
    return FOLDER / f"server-{number}.log"


def main():
    """Start everything, and end it again."""
    if not postgresql.program("postgres"):
        raise SystemExit(postgresql.MISSING)
    with socket.socket() as ours:
        if ours.connect_ex(("127.0.0.1", PORT)) == 0:
            raise SystemExit(f"something else listens at port {PORT} already; end that first")
    cluster = postgresql.Cluster(FOLDER / "data").start()
    url, servers = cluster.database("yegg"), {}
    print(f"PostgreSQL: {url}")
    try:
        for number in (1, 2):
            port = free_port()
            run = [str(Path(sys.executable).with_name("yegg")), "serve", "--port", str(port)]
            with log_of(number).open("w") as log:
                servers[port] = subprocess.Popen([*run, "--db", url], stdout=log, stderr=log)
        asyncio.run(stand_before(servers))
    finally:
        for server in servers.values():
            server.terminate()
        for server in servers.values():
            server.wait()
        cluster.close()


if __name__ == "__main__":
    main()
