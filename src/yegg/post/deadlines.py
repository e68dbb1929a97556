"""Deadlines of orders: one moment, or a rhythm that every turn follows."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from yegg.engine import Refused

RHYTHM = re.compile(r"(\d{1,4})\s*(m|h|d|w)")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
HOW = "3d, 12h, 45m or 1w for every turn, or a moment like 2026-12-01 20:00 (UTC)"


def now() -> datetime:
    """The current time, UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Deadline:
    """When a turn's orders are due, and how long every further turn has."""

    due: datetime | None = None
    rhythm: str = ""

    def passed(self) -> bool:
        """Whether it is too late."""
        return self.due is not None and now() >= self.due

    def following(self) -> "Deadline":
        """The deadline of the next turn, which begins now."""
        return begin(self.rhythm) if self.rhythm else Deadline()

    def __str__(self) -> str:
        if self.due is None:
            return "whenever all orders are in"
        return f"{self.due:%A} {self.due.day} {self.due:%B %Y, %H:%M} UTC"

    def text(self) -> str:
        """The deadline as it is kept in a file."""
        due = self.due.isoformat(timespec="seconds") if self.due else "none"
        return f"due: {due}\nevery: {self.rhythm or 'none'}\n"


def from_text(text: str) -> Deadline:
    """A deadline from its file.  Raises Refused."""
    lines = dict(line.partition(": ")[::2] for line in text.splitlines() if ": " in line)
    rhythm = lines.get("every", "none")
    due = lines.get("due", "none")
    rhythm = "" if rhythm == "none" else rhythm
    return Deadline(None if due == "none" else moment(due), rhythm)


def begin(text: str) -> Deadline:
    """The deadline that a text asks for, counted from now.  Raises Refused."""
    if found := RHYTHM.fullmatch(text.strip()):
        return Deadline(now() + timedelta(**{UNITS[found[2]]: int(found[1])}), found[0])
    due = moment(text)
    if due <= now():
        raise Refused(f"{text} is in the past")
    return Deadline(due)


def moment(text: str) -> datetime:
    """A date and time, UTC unless it says otherwise.  Raises Refused."""
    try:
        due = datetime.fromisoformat(text.strip())
        due = due if due.tzinfo else due.replace(tzinfo=UTC)
        return due.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(f"{text!r} is no deadline; write {HOW}") from None
