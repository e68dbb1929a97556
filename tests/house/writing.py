"""The store's writer and its disk: when it writes, and what a house that dies leaves."""

from types import SimpleNamespace

from yegg.table.storage import store as stores

WHEN = BEFORE, TORN, AFTER = "before", "torn", "after"
"""When a house may die: before a write, in its midst, or once it is on disk, unacknowledged."""

PAGE = 4096  # bytes
FULL = 2  # of `PRAGMA synchronous`


class Disk:
    """A file of SQLite with its log, as a process that dies leaves them."""

    def __init__(self, path):
        self.path, self.kept = path, None

    @property
    def files(self):
        return [self.path, self.path.with_name(self.path.name + "-wal")]

    def read(self):
        """What would be left now."""
        return [path.read_bytes() if path.exists() else b"" for path in self.files]

    def lay(self, kept):
        """Begin with what another one has left."""
        for path, data in zip(self.files, kept, strict=True):
            if data:
                path.touch(0o600)
                path.write_bytes(data)

    def remove(self):
        for path in self.path.parent.glob(self.path.name + "*"):
            path.unlink()


def torn(before, after, part):
    """The midst of a write: a part of what is new in the log is there; the file follows later."""
    (file, log), (newer, longer) = before, after
    if file != newer:  # the log was written to the file meanwhile, so it is whole
        return after
    pages = range(0, len(log), PAGE)
    same = next((i for i in pages if log[i : i + PAGE] != longer[i : i + PAGE]), len(log))
    there = same + int(part * (len(longer) - same))
    return [file, longer[:there] + log[there:]]


class Writer:
    """Stands for the store's thread and its queue: the loop writes, when chance says."""

    def __init__(self, store, loop, disk, death):
        store.queue.put(None)
        store.thread.join()
        store.queue = self
        store.thread = SimpleNamespace(join=self.write)
        self.store, self.loop, self.disk, self.death = store, loop, disk, death
        self.waiting, self.busy, self.dead, self.due = [], False, False, None

    def dies(self, how, nth):
        """The house is to die at the nth write from now."""
        self.due = how, nth

    def qsize(self):
        return len(self.waiting)

    def put(self, one):
        """Take something to be written; None: no more comes."""
        if one is not None:
            self.waiting.append(one)
            if not self.busy:
                self.busy = True
                self.loop.soon(self.write)

    def write(self):
        """Write what waits, as one group."""
        group, self.waiting = self.waiting, []
        if self.dead or not group:
            return
        how, nth = self.due or ("", 0)
        self.due = how, nth - 1
        before = self.disk.read() if nth == 1 else None
        shared = self.store.database.shared  # it takes a transaction as a whole, or not at all
        if nth == 1 and (how == BEFORE or (shared and how == TORN)):
            self.die(before)
            return
        answers = self.store._settle([write for _, write in group])
        if nth == 1:
            after = self.disk.read()
            part = self.loop.chance.random()
            self.die(torn(before, after, part) if how == TORN else after)
            return
        self.loop.soon(self.answer, [done for done, _ in group], answers)

    def left(self):
        """What another house finds: what SQLite was not asked to keep at each commit is lost."""
        file, log = self.disk.kept or self.disk.read()
        with self.store.database.reading.connect() as connection:
            lasting = connection.exec_driver_sql("PRAGMA synchronous").scalar() == FULL
        return [file, log if lasting else b""]

    def die(self, kept):
        """The process is no more: nobody is told anything; others may go on with the disk."""
        self.dead = True
        self.disk.kept = None if self.store.database.shared else kept
        self.death.set_result(None)

    def answer(self, waiters, answers):
        """Tell those who wait, and write what has come meanwhile."""
        if self.dead:
            return
        stores._answer(waiters, answers)
        self.busy = bool(self.waiting)
        if self.busy:
            self.loop.soon(self.write)
