"""A game by post: the folder with its record, orders and reports.

``secrets.game`` is the game.  Every other file follows from it, or holds orders for the
next turn.  A turn is carried out at the moment when the record is replaced; if a command
crashes before or after that moment, `mend` repairs the folder.

    secrets.game                 the record of all turns carried out
    turn-2/due.txt               when the orders of turn 2 are due
    turn-2/orders-1-ann.txt      Ann's orders for turn 2
    turn-2/report.txt            what happened, for all
    turn-2/report-1-ann.txt      and for Ann alone
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from yegg import private
from yegg.engine import Match, Refused, notation
from yegg.games.secrets import GAME, absent, events, mail, orders, rules
from yegg.games.secrets.state import Choice, of
from yegg.games.secrets.words import hear, tell
from yegg.text.phrases import listing
from yegg.text.untrusted import shown

from . import deadlines, disk, record, reports
from .deadlines import Deadline

RECORD = "secrets.game"
POSITION = "# position "
LARGEST = 1_000_000  # bytes; a longer record is refused


class Folder:
    """A game by post; the caller holds the folder's lock while this object is in use."""

    def __init__(self, path: Path) -> None:
        """Read the game.  Raises Refused, BadRecord or OSError."""
        self.path = path
        self.text = self.record_text()
        self.match = record.read(self.text, str(path / RECORD))
        self.names = self.match.names
        self.done = record.turns(self.text, len(self.names))
        if sum(map(len, self.done)) != len(self.match.history):
            raise Refused(f"{path / RECORD} ends in the middle of a turn; delete the lines of it")
        self.first = 0 if self.match.options.get("hidden") == "yes" else 1

    def record_text(self) -> str:
        """The record as it is on disk.  Raises Refused, BadRecord or OSError."""
        path = self.path
        try:
            with (path / RECORD).open("rb") as file:
                raw = file.read(LARGEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise Refused(f"there is no game by post in {path}: no {RECORD}") from None
        if len(raw) > LARGEST:
            raise Refused(f"{path / RECORD} is larger than {LARGEST} bytes: no game is that long")
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise notation.BadRecord(str(path / RECORD), 1, "this is not UTF-8 text") from None

    @property
    def turn(self) -> int:
        """The turn whose orders are awaited; 0: the points of the hidden game."""
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
        plain = re.sub(r"[^a-z0-9]+", "-", mail.fold(self.names[seat])).strip("-")
        return f"{seat + 1}-{plain}".rstrip("-")

    def seat(self, name: str) -> int:
        """The seat of a player: the name, a beginning of it, or the number.  Raises Refused."""
        if name.isdecimal() and 1 <= int(name[:3]) <= len(self.names) and name not in self.names:
            return int(name) - 1
        wanted = mail.fold(name.strip())
        plain = [mail.fold(there) for there in self.names]
        found = [i for i, there in enumerate(plain) if there == wanted]
        found = found or [i for i, there in enumerate(plain) if wanted and there.startswith(wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            could = " or ".join(self.names[i] for i in found)
            raise Refused(f"{name!r} could be {could}")
        raise Refused(f"nobody here is called {name!r}; players: {', '.join(self.names)}")

    def deadline(self, turn: int) -> Deadline:
        """When a turn's orders are due."""
        try:
            return deadlines.kept((self.place(turn) / "due.txt").read_text("utf-8"))
        except (FileNotFoundError, UnicodeDecodeError):
            return Deadline()

    # --- orders

    def lines(self, turn: int, seat: int) -> list[str] | None:
        """A seat's orders for a turn as record words; None if none came for this position."""
        try:
            text = self.sheet(turn, seat).read_text("utf-8")
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        position = record.digest(self.done[: turn - self.first])
        if f"{POSITION}{position}" not in text.splitlines():
            return None
        return record.events(text)

    def missing(self, turn: int) -> list[int]:
        """The seats whose orders have not come."""
        return [seat for seat in range(len(self.names)) if self.lines(turn, seat) is None]

    def receive(self, seat: int, text: str, *, late: bool) -> tuple[str, list[str]]:
        """Check and keep a seat's orders.  Returns a receipt, or nothing and all faults."""
        self.check_going()
        deadline = self.deadline(self.turn)
        if deadline.passed() and not late:
            raise Refused(f"orders were due {deadline}; --late takes them anyway")
        found = orders.read(text, self.match.known_to(seat)[0], seat, self.names)
        if found.faults:
            return "", found.faults
        replaced = self.lines(self.turn, seat) is not None
        lines, told = self.written(seat, found.choices)
        kept = [
            f"# Orders of {self.names[seat]}, received {Deadline(deadlines.now())}",
            POSITION + record.digest(self.done),
            *lines,
            "#",
            *(f"#   {shown(line)}" for line in text.splitlines()),
        ]
        disk.put(self.sheet(self.turn, seat), "\n".join(kept) + "\n")
        stage = f"turn {self.turn} of {self.match.state.turns}" if self.turn else "the set-up"
        now = "changed" if replaced else "in"
        head = f"{of(self.names[seat])} orders for {stage} are {now}:"
        tail = f"They can be changed until the deadline ({deadline})."
        return "\n".join([head, *(f"  {line}" for line in told), tail]), []

    def written(self, seat: int, choices: Sequence[int]) -> tuple[list[str], list[str]]:
        """A seat's choices as record words and as sentences; no other orders are filled in."""
        s = self.match.state.copy()
        for other in range(seat):
            s.given[other] = rules.sheet(s)
        lines, told = [], []
        for choice in choices:
            lines.append(GAME.words.say(s, choice))
            told.append(tell(s, choice, self.names))
            if s.turn == 0:
                s.value[seat, s.given[seat]] = choice - Choice.ALLOCATE
                s.given[seat] += 1
            else:
                rules.write(s, seat, choice)
        return lines, told

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
            disk.put(self.place(self.turn + 1) / "due.txt", due.text())
        self.become(record.continued(self.text, self.match, lines))

    def carried_out(self, seat: int) -> list[str]:
        """Play a seat's orders, or those that SE-15 gives a seat that sent none."""
        kept = self.lines(self.turn, seat)
        if kept is None:
            kept = []
        elif not kept:
            raise Refused(f"{self.sheet(self.turn, seat)} holds no orders; ask for them again")
        missing = not kept
        lines = []
        while self.match.actor == seat and (missing or kept):
            s = self.match.state
            choice = absent.choice(s, seat) if missing else hear(s, kept[0])
            line = "" if choice is None else self.match.say(choice)
            try:
                if choice is None or not (missing or line == kept.pop(0)):
                    raise Refused("these are no orders for this turn")
                self.match.follow([choice])
            except Refused as error:
                raise Refused(f"{self.sheet(self.turn, seat)}: {error}") from None
            lines.append(line)
        if kept or self.match.actor == seat:
            raise Refused(f"{self.sheet(self.turn, seat)} is not one full set of orders")
        return lines

    def become(self, text: str) -> None:
        """Replace the record; every other file follows from it."""
        disk.put(self.path / RECORD, text)
        self.text, self.done = text, record.turns(text, len(self.names))
        self.mend()

    def undo(self) -> int:
        """Take the last adjudication back; the turn that is open again.  Raises Refused."""
        if not self.done:
            raise Refused("nothing has been carried out yet")
        before = self.match.again()
        before.follow(self.match.history[: sum(map(len, self.done[:-1]))])
        self.match = before
        self.become(record.cut(self.text, before))
        return self.turn

    # --- what follows from the record

    def mend(self) -> None:
        """Write the reports that are missing; delete those of turns that are not in the record."""
        for fresh in self.path.rglob(f".*{disk.FRESH}"):
            disk.drop(fresh)
        for place in self.path.glob("turn-*"):
            number = place.name[5:]
            if number.isdecimal() and int(number) >= self.turn and not place.is_symlink():
                for report in sorted(place.glob("report*.txt")):
                    disk.drop(report)
        for turn in range(self.first, self.turn):
            if not all(path.exists() for path in self.report_paths(turn)):
                self.report(turn)

    def report_paths(self, turn: int) -> list[Path]:
        """Where a turn's reports are: the public one, then each seat's own."""
        own = [f"report-{self.slug(seat)}.txt" for seat in range(len(self.names))]
        return [self.place(turn) / name for name in ["report.txt", *own]]

    def report(self, turn: int) -> None:
        """Write a turn's reports, the public one last."""
        told = self.told(turn)
        everybody, *own = self.report_paths(turn)
        for seat, path in enumerate(own):
            disk.put(path, reports.private(told, seat))
        disk.put(everybody, reports.public(told))

    def told(self, turn: int) -> reports.Turn:
        """What the reports of a turn are made from."""
        end = sum(map(len, self.done[: turn - self.first + 1]))
        after = self.match.again()
        after.follow(self.match.history[: end - 1])
        last = self.match.history[end - 1]
        before = after.state.copy()
        full = events.sealed(before, last) if turn else None
        after.follow([last])
        return reports.Turn(
            number=turn,
            names=self.names,
            full=after.state.copy() if full is None else full,
            after=after,
            absent=self.missing(turn),
            due=str(self.deadline(turn + 1)),
        )


def create(
    path: Path, names: Sequence[str], options: Mapping[str, str], deadline: Deadline
) -> Folder:
    """Start a game in a new folder, all or nothing.  Raises Refused."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Refused(f"{path} is there already and not empty")
    check_distinct(names)
    match = Match(GAME, len(names), options, names=names, how="plain")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}{disk.FRESH}")
    fresh.mkdir(private.FOLDER, exist_ok=True)
    disk.put(fresh / f"turn-{match.state.turn}" / "due.txt", deadline.text())
    disk.put(fresh / RECORD, notation.write(match))
    fresh.replace(path)
    disk.settle(path.parent)
    return Folder(path)


def check_distinct(names: Sequence[str]) -> None:
    """Names that orders can tell apart.  Raises Refused."""
    plain = [tuple(re.findall(r"\d+|[^\W\d_]+", mail.fold(name))) for name in names]
    for i, name in enumerate(names):
        if not plain[i]:
            raise Refused(f"{name!r} has no letter or number, so orders could not name this player")
        for other in range(i):
            if plain[i] == plain[other]:
                raise Refused(f"{names[other]!r} and {name!r} would be the same name in orders")
        if len(plain[i]) == 1 and (why := mail.why_no_name(plain[i][0])):
            raise Refused(f"nobody can be called {name!r} by post: {why}")
