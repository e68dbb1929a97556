"""A game by post: the folder with its record, orders and reports.

``secrets.game`` is the game.  Every other file follows from it, or holds orders for the
next turn.  A turn is carried out at the moment when the record is replaced; if a command
crashes before or after that moment, `mend` repairs the folder.

    secrets.game                 the record of all turns carried out
    turn-2/due.txt               when the orders of turn 2 are due
    turn-2/orders-1-ann.txt      Ann's orders for turn 2
    turn-2/report.txt            what happened, for all
    turn-2/report-1-ann.txt      and for Ann alone

What a letter means and what a report says is up to the game: its parts ``names``, ``orders``,
``absent`` and ``reports``.
"""

import fcntl
import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

from yegg import games
from yegg.engine import Match, Refused, notation
from yegg.engine.orders import absent_choice, ahead, read
from yegg.files import PART, PRIVATE_FOLDER, check_kind, open_private, sync, write_atomic
from yegg.text.phrases import fold, listing
from yegg.text.untrusted import shown

from . import deadlines
from .deadlines import Deadline

GAME = "secrets"  # whose folder has those parts
RECORD = f"{GAME}.game"
POSITION = "# position "
LARGEST = 1_000_000  # bytes; a longer record is refused
PATIENCE = 10.0  # seconds to wait for another command


class Folder:
    """A game by post; the caller holds the folder's lock while this object is in use."""

    def __init__(self, path: Path) -> None:
        """Read the game.  Raises Refused, BadRecord or OSError."""
        self.path = path
        raw = self.record()
        self.match = notation.read(BytesIO(raw), str(path / RECORD), games.find, how="plain")
        self.game = games.find(GAME)
        if self.match.game is not self.game:
            reason = f"this is a game of {self.match.game.title}, not of {self.game.title}"
            raise notation.BadRecord(str(path / RECORD), 1, reason)
        self.text = raw.decode()
        self.names = self.match.names
        self.done = turns(self.text, len(self.names))
        if sum(map(len, self.done)) != len(self.match.history):
            raise Refused(f"{path / RECORD} ends in the middle of a turn; delete the lines of it")
        self.reports = part("reports")
        self.first: int
        self.first, self.turns = self.reports.stage(self.match.again().state)

    def record(self) -> bytes:
        """The record as it is on disk.  Raises Refused or OSError."""
        try:
            with (self.path / RECORD).open("rb") as file:
                raw = file.read(LARGEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise Refused(f"there is no game by post in {self.path}: no {RECORD}") from None
        if len(raw) > LARGEST:
            where = self.path / RECORD
            raise Refused(f"{where} is larger than {LARGEST} bytes: no game is that long")
        return raw

    @property
    def turn(self) -> int:
        """The turn whose orders are awaited; 0: the set-up."""
        return self.first + len(self.done)

    def place(self, turn: int) -> Path:
        """The folder of a turn's files.  Raises Refused if it is a link."""
        place = self.path / f"turn-{turn}"
        if place.is_symlink():
            raise Refused(f"{place} is a link: a game by post keeps to its own folder")
        return place

    def sheet(self, turn: int, seat: int) -> Path:
        """Where a seat's orders for a turn are kept."""
        return self.place(turn) / f"orders-{self.slug(seat)}.txt"

    def slug(self, seat: int) -> str:
        """The part of a file's name that stands for a seat."""
        plain = re.sub(r"[^a-z0-9]+", "-", fold(self.names[seat])).strip("-")
        return f"{seat + 1}-{plain}".rstrip("-")

    def seat(self, name: str) -> int:
        """The seat of a player: the name, a beginning of it, or the number.  Raises Refused."""
        if name.isdecimal() and 1 <= int(name[:3]) <= len(self.names) and name not in self.names:
            return int(name) - 1
        wanted = fold(name.strip())
        plain = [fold(known) for known in self.names]
        fit = [i for i, known in enumerate(plain) if known == wanted]
        fit = fit or [i for i, known in enumerate(plain) if wanted and known.startswith(wanted)]
        if len(fit) == 1:
            return fit[0]
        if fit:
            raise Refused(f"{name!r} could be {' or '.join(self.names[i] for i in fit)}")
        raise Refused(f"nobody here is called {name!r}; players: {', '.join(self.names)}")

    def deadline(self, turn: int) -> Deadline:
        """When a turn's orders are due."""
        try:
            return deadlines.from_text(_text(self.place(turn) / "due.txt"))
        except (FileNotFoundError, UnicodeDecodeError):
            return Deadline()

    # --- orders

    def lines(self, turn: int, seat: int) -> list[str] | None:
        """A seat's orders for a turn as record words; None if none came for this position."""
        try:
            text = _text(self.sheet(turn, seat))
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        position = digest(self.done[: turn - self.first])
        return events(text) if f"{POSITION}{position}" in text.splitlines() else None

    def missing(self, turn: int) -> list[int]:
        """The seats whose orders have not come."""
        return [seat for seat in range(len(self.names)) if self.lines(turn, seat) is None]

    def receive(self, seat: int, text: str, *, late: bool) -> str:
        """Check and keep a seat's orders.  Returns a receipt; raises Refused, Faulty."""
        self.check_going()
        deadline = self.deadline(self.turn)
        if deadline.passed() and not late:
            raise Refused(f"orders were due {deadline}; --late takes them anyway")
        orders = read(ahead(self.match, seat) or self.match, seat, text, self.names)
        changed = "changed" if self.lines(self.turn, seat) is not None else "in"
        sheet = [
            f"# Orders of {self.names[seat]}, received {Deadline(deadlines.now())}",
            POSITION + digest(self.done),
            *(order.text for order in orders),
            "#",
            *(f"#   {shown(line)}" for line in text.splitlines()),
        ]
        put(self.sheet(self.turn, seat), "\n".join(sheet) + "\n")
        stage = f"turn {self.turn} of {self.turns}" if self.turn else "the set-up"
        head = f"{self.reports.of(self.names[seat])} orders for {stage} are {changed}:"
        tail = f"They can be changed until the deadline ({deadline})."
        return "\n".join([head, *(f"  {order.prose}" for order in orders), tail])

    def check_going(self) -> None:
        """Raises Refused when the game is over."""
        if self.match.over:
            raise Refused(f"the game in {self.path} is over")

    # --- adjudication

    def adjudicate(self, *, anyway: bool, following: str) -> None:
        """Carry out the turn.  Raises Refused; in that case nothing has changed."""
        self.check_going()
        missing, deadline = self.missing(self.turn), self.deadline(self.turn)
        if missing and not anyway and not deadline.passed():
            who = listing([self.names[seat] for seat in missing])
            when = f"due {deadline}" if deadline.due else "and there is no deadline"
            raise Refused(f"orders are missing from {who}, {when}; --now goes on without them")
        lines: list[str] = []
        for seat in range(len(self.names)):
            lines += [f"{seat + 1} {line}" for line in self.carried_out(seat)]
        due = deadlines.begin(following) if following else deadline.following()
        if not self.match.over:
            put(self.place(self.turn + 1) / "due.txt", due.text())
        self.become(self.whole(self.text.partition("\n\n")[2].splitlines() + lines))

    def carried_out(self, seat: int) -> list[str]:
        """Play a seat's orders, or those that the rules give a seat that sent none."""
        kept = self.lines(self.turn, seat)
        if kept == []:
            raise Refused(f"{self.sheet(self.turn, seat)} holds no orders; ask for them again")
        lines: list[str] = []
        while self.match.actor == seat and (kept is None or len(lines) < len(kept)):
            try:
                if kept is None:
                    choice = absent_choice(self.match)
                else:
                    choice = self.match.hear_recorded(kept[len(lines)])
                lines.append(self.match.say(choice))
                self.match.follow([choice])
            except Refused as error:
                raise Refused(f"{self.sheet(self.turn, seat)}: {error}") from None
        if self.match.actor == seat or (kept is not None and len(lines) < len(kept)):
            raise Refused(f"{self.sheet(self.turn, seat)} is not one full set of orders")
        return lines

    def whole(self, lines: Sequence[str]) -> str:
        """The record of the game as it is now, with these lines after its head."""
        return "\n".join([*notation.head(self.match), "", *lines]) + "\n"

    def become(self, text: str) -> None:
        """Replace the record; every other file follows from it."""
        put(self.path / RECORD, text)
        self.text, self.done = text, turns(text, len(self.names))
        self.mend()

    def undo(self) -> int:
        """Take the last adjudication back; the turn that is open again.  Raises Refused."""
        if not self.done:
            raise Refused("nothing has been carried out yet")
        left = sum(map(len, self.done[:-1]))
        self.match.back(left)
        kept = []
        for line in self.text.partition("\n\n")[2].splitlines():
            left -= bool(events(line))
            if left < 0:
                break
            kept.append(line)
        self.become(self.whole(kept))
        return self.turn

    # --- what follows from the record

    def mend(self) -> None:
        """Write the reports that are missing; delete those of turns that are not in the record."""
        for part in self.path.rglob(f".*{PART}"):
            drop(part)
        for place in self.path.glob("turn-*"):
            number = place.name[5:]
            if number.isdecimal() and int(number) >= self.turn and not place.is_symlink():
                for report in sorted(place.glob("report*.txt")):
                    drop(report)
        for turn in range(self.first, self.turn):
            if not all(path.exists() for path in self.report_paths(turn)):
                self.report(turn)

    def report_paths(self, turn: int) -> list[Path]:
        """Where a turn's reports are: the public one, then each seat's own."""
        own = [f"report-{self.slug(seat)}.txt" for seat in range(len(self.names))]
        return [self.place(turn) / name for name in ["report.txt", *own]]

    def report(self, turn: int) -> None:
        """Write a turn's reports, the public one last."""
        end = sum(map(len, self.done[: turn - self.first + 1]))
        after = self.match.again()
        after.follow(self.match.history[: end - 1])
        before, last = after.state.copy(), self.match.history[end - 1]
        after.follow([last])
        absent, due = self.missing(turn), str(self.deadline(turn + 1))
        told = self.reports.Turn(turn, self.names, before, last, after, absent, due)
        everybody, *own = self.report_paths(turn)
        for seat, path in enumerate(own):
            put(path, self.reports.private(told, seat))
        put(everybody, self.reports.public(told))


def part(name: str) -> Any:
    """A module of the game that is played: ``orders`` or ``reports``."""
    return games.find(GAME).part(name)


def create(
    path: Path, names: Sequence[str], options: Mapping[str, str], deadline: Deadline
) -> Folder:
    """Start a game in a new folder, all or nothing.  Raises Refused."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Refused(f"{path} is there already and not empty")
    game = games.find(GAME)
    match = Match(game, len(names), options, names=names, how="plain")
    part("names").check_names(match.names)
    part("names").check_named(match.names, [match.known_to(seat)[0] for seat in range(len(names))])
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}{PART}")
    fresh.mkdir(PRIVATE_FOLDER, exist_ok=True)
    put(fresh / f"turn-{part('reports').stage(match.state)[0]}" / "due.txt", deadline.text())
    put(fresh / RECORD, notation.write(match))
    fresh.replace(path)
    sync(path.parent)
    return Folder(path)


# --- the lines of a record


def events(body: str) -> list[str]:
    """The lines that are events."""
    return [line for line in body.splitlines() if line and line[0] not in "#?"]


def turns(text: str, players: int) -> list[list[str]]:
    """The events of every turn that is carried out, the set-up first: all seats, one by one."""
    found: list[list[str]] = [[]]
    body = events(text.partition("\n\n")[2])
    for line, following in zip_longest(body, body[1:], fillvalue="1"):
        found[-1].append(line)
        if line[0] == str(players) and following[0] == "1":
            found.append([])
    return found[:-1]


def digest(turns_before: list[list[str]]) -> str:
    """A short name of a position: orders are for one position and for no other."""
    lines = "\n".join(line for turn in turns_before for line in turn)
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


# --- files


def _text(path: Path) -> str:
    check_kind(path)
    return path.read_text("utf-8-sig")


def put(path: Path, text: str) -> None:
    """Replace the text of a file, whole or not at all."""
    path.parent.mkdir(PRIVATE_FOLDER, exist_ok=True)
    write_atomic(path, text.encode(), private=True)


def drop(path: Path) -> None:
    """Delete a file, if it is there."""
    path.unlink(missing_ok=True)
    sync(path.parent)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock the folder.  Raises Refused if another command keeps it locked."""
    check_kind(folder / ".lock")
    with open_private(folder / ".lock", "wb") as lock:
        last = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > last:
                    raise Refused(f"another command is at work in {folder}; try again") from None
                time.sleep(0.02)
        yield
