"""A server as the first version of all rules left it, opened by today's.

``older/server.sql`` is what lay on its disk, ``older/tables.json`` what its records said then.
"""

import io
import json
import sqlite3
import time
from pathlib import Path

from yegg import games
from yegg.engine import notation

from .people import Player

FOLDER = Path(__file__).with_name("older")
TABLES = {table["name"]: table for table in json.loads((FOLDER / "tables.json").read_text())}
WHOLE = [name for name in TABLES if name != "magnate-hard"]  # that today's rules follow to its end
BEGUN = "This game was begun under older rules (version 0); it can be looked at but not go on."
PLAYED = "This game was played under older rules (version 0); it can be looked at."


def change(path, *lines):
    """Write to a server's database while the server is closed."""
    disk = sqlite3.connect(path)
    for line in lines:
        disk.execute(*line) if isinstance(line, tuple) else disk.execute(line)
    disk.commit()
    disk.close()


def lay_old(path):
    """The old server; its rules are older than today's, whatever today's are."""
    disk = sqlite3.connect(path)
    disk.executescript((FOLDER / "server.sql").read_text("utf-8"))
    disk.close()
    change(path, ("UPDATE games SET version = 0, at = ?", (time.time_ns() // 1_000_000,)))


def people(client, name):
    """Everybody who sits at an old table."""
    table = TABLES[name]
    return [Player(client, token, key=table["key"]) for token in table["tokens"]]


def record(person):
    """The lines of a table's record."""
    return person.record.splitlines()


def events(lines):
    """The events of a record, without its head and its comments."""
    return [line for line in lines[lines.index("") + 1 :] if line[:1] != "#"]


def comments(lines):
    return [line for line in lines if line[:1] == "#"]


def read(lines):
    """The match of a record."""
    source = io.BytesIO(("\n".join(lines) + "\n").encode())
    return notation.read(source, "old.game", games.find, "plain")


def count(path):
    disk = sqlite3.connect(path)
    (n,) = disk.execute("SELECT count(*) FROM events").fetchone()
    disk.close()
    return n
