"""Checksums of a run's files, in its manifest and its journal: what they do not name is not read.

A library that reads tables fast may end the process over damaged bytes, so it is only given bytes
that are as they were written.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from yegg.engine import Refused


class Manifest(msgspec.Struct):
    """What `manifest.json` holds."""

    made_by: dict[str, Any]
    """What the games depend on."""
    machines: list[dict[str, str]] = []
    parts: dict[str, str] = {}
    """Checksums by name, below ``parts``."""
    files: dict[str, str] = {}
    """Checksums of what was asked; versions before 1.1 wrote none."""


class Noted(msgspec.Struct):
    """A line of `journal.jsonl`, as far as it tells of parts."""

    parts: dict[str, str] = {}


def manifest(folder: Path) -> Manifest | None:
    """The manifest of a run or a search; None if there is none.  Raises Refused."""
    path = folder / "manifest.json"
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Refused(f"{path} is damaged: {error}") from None


def checksum(data: bytes) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(data).hexdigest()


class Checksums:
    """The checksums of a run's parts, by their names below ``parts``."""

    def __init__(self, folder: Path) -> None:
        """As manifest and journal have them; of a new run there are none.  Raises Refused."""
        self.folder = folder / "parts"
        self._noted: dict[str, set[str]] = {}
        """A part has several if more deals were played later."""
        self.good: dict[str, str] = {}
        """Of the parts that were looked at and are as they were written."""
        kept = manifest(folder)
        self.note(kept.parts if kept else {})
        for line in _lines(folder / "journal.jsonl"):
            self.note(line.parts)

    def note(self, parts: dict[str, str]) -> None:
        """Remember how parts were written."""
        for name, digest in parts.items():
            self._noted.setdefault(name, set()).add(digest)
            self.good.pop(name, None)

    def name(self, path: Path) -> str:
        """The name of a part."""
        return str(path.relative_to(self.folder))

    def known(self, path: Path) -> bool:
        """Whether a part was written, be it damaged or gone since."""
        return self.name(path) in self._noted

    def whole(self, path: Path) -> bool:
        """Whether a part is there as it was written."""
        if self.name(path) not in self.good and path.is_file():
            self._look(path)
        return self.name(path) in self.good

    def read(self, path: Path) -> bytes:
        """The bytes of a part.  Raises Refused if they are not as they were written."""
        data = self._look(path)
        if self.name(path) not in self.good:
            raise Refused(f"{path} is damaged: it is not what the manifest says")
        return data

    def _look(self, path: Path) -> bytes:
        data, name = path.read_bytes(), self.name(path)
        self.good.pop(name, None)
        if (digest := checksum(data)) in self._noted.get(name, ()):
            self.good[name] = digest
        return data

    def all(self) -> dict[str, str]:
        """The checksums of all parts that are as they were written."""
        there = (name for name in sorted(self._noted) if (self.folder / name).is_file())
        return {name: self.good[name] for name in there if self.whole(self.folder / name)}


def _lines(path: Path) -> list[Noted]:
    """The lines of a journal; one that cannot be read tells of nothing, and is played again."""
    lines = []
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            lines.append(msgspec.json.decode(line, type=Noted))
        except (msgspec.MsgspecError, UnicodeError):
            continue
    return lines
