"""A PostgreSQL of one's own: for trying, for tests, and for measuring.

Its data lie in a folder, and only the user who runs it reaches it, by a socket in a folder of its
own.  PostgreSQL refuses to run as root; then the user ``postgres``, who comes with it, runs it.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

USER = "postgres"
MISSING = "no PostgreSQL here: scripts/install-postgresql gets it"


def program(name):
    """Where a program of PostgreSQL is; None if it is not here."""
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: float(at.parent.name)
    )
    for folder in reversed(versions):
        if (folder / name).is_file():
            return str(folder / name)
    return shutil.which(name)


def user():
    """The user who runs PostgreSQL where we are root; None if there is none."""
    return next((one for one in pwd.getpwall() if one.pw_name == USER), None)


class Cluster:
    """A PostgreSQL with its data in a folder, which is made if there is none."""

    def __init__(self, data, *settings):
        """``settings``: as in its configuration, for example ``fsync=off``."""
        self.data, self.settings = Path(data), settings
        self.socket = Path(tempfile.mkdtemp(prefix="yegg-"))
        self.log = self.socket / "log"
        if os.geteuid() == 0:
            self.data.mkdir(parents=True, exist_ok=True)
            for folder in self.data, self.socket:
                os.chown(folder, user().pw_uid, user().pw_gid)
                folder.chmod(0o700)
        if not (self.data / "PG_VERSION").exists():
            how = ["--auth=trust", f"--username={USER}", "--encoding=UTF8", "--no-locale"]
            self.run("initdb", "-D", str(self.data), *how)

    def run(self, name, *args):
        """Run one of its programs as the user who may."""
        who = (
            {"user": USER, "group": user().pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        )
        line = [program(name), *args]
        done = subprocess.run(line, cwd="/", capture_output=True, text=True, check=False, **who)
        if done.returncode:
            raise SystemExit(f"{' '.join(line)}\n{done.stdout}{done.stderr}")

    def start(self):
        """Start it and wait until it answers."""
        how = ["listen_addresses=", f"unix_socket_directories={self.socket}", *self.settings]
        options = " ".join(f"-c {one}" for one in how)
        self.run("pg_ctl", "-w", "-D", str(self.data), "-l", str(self.log), "-o", options, "start")
        return self

    @property
    def pid(self):
        """The process that all others of it come from."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def stop(self, mode="fast"):
        """Stop it; ``immediate``: as if it had crashed."""
        self.run("pg_ctl", "-w", "-D", str(self.data), "-m", mode, "stop")

    def database(self, name):
        """The address of a database, which is made if there is none."""
        import sqlalchemy as sa

        engine = sa.create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            there = connection.execute(
                sa.text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}
            )
            if not there.scalar():
                connection.exec_driver_sql(f'CREATE DATABASE "{name}"')
        engine.dispose()
        return self.url(name)

    def url(self, name):
        """The address of a database."""
        return f"postgresql+psycopg://{USER}@/{name}?host={self.socket}"

    def close(self):
        """Stop it; its data stay."""
        self.stop()
        shutil.rmtree(self.socket)
