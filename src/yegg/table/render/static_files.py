"""Static files: style sheets, pictures and scripts, named by their content, sent compressed."""

import gzip
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from yegg import games
from yegg.table.refusals import HttpRefusal

HERE = Path(__file__).with_name("static")
IMPORTED = re.compile(
    rb"""^((?:(?:import|export) [^;]*?from|[^/\n]*\bimport\() ?["'])\./([\w-]+\.js)(?=["'])""",
    re.MULTILINE,
)
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@cache
def files() -> dict[str, tuple[bytes, bytes, str]]:
    """All files by path: the content, the compressed content, and the media type."""
    found = {path.name: path for path in HERE.iterdir() if path.suffix in KINDS}
    for name in games.names():
        for path in (games.find(name).folder / "face").glob("*"):
            if path.suffix in KINDS:
                found[f"{name}/{path.name}"] = path
    arts = [games.find(name).folder / "face" / "art.css" for name in games.names()]
    read = {name: (path.read_bytes(), KINDS[path.suffix]) for name, path in found.items()}
    pictures = b"".join(path.read_bytes() for path in arts if path.is_file())
    read["arts.css"] = (pictures, KINDS[".css"])
    for name in [name for name in read if name.endswith(".js")]:
        read[name] = (dated(name, read), KINDS[".js"])
    return {name: (raw, gzip.compress(raw, 9, mtime=0), kind) for name, (raw, kind) in read.items()}


def dated(name: str, read: Mapping[str, tuple[bytes, str]]) -> bytes:
    """A script that imports others by addresses that change with their content, as `address`."""

    def there(found: re.Match[bytes]) -> bytes:
        raw = dated(found[2].decode(), read)
        return b"%b./%b?%b" % (found[1], found[2], digest(raw))

    return IMPORTED.sub(there, read[name][0])


def digest(raw: bytes) -> bytes:
    """The digest of a file's content, which stands in its address."""
    return sha256(raw).hexdigest()[:8].encode()


@cache
def address(name: str) -> str:
    """The address of a file; it changes with the content, so browsers may keep it for ever."""
    return f"/static/{name}?{digest(files()[name][0]).decode()}"


def sheets(game: str) -> list[str]:
    """The style sheets of a game's face, in the order in which they are to be read."""
    return sorted(name for name in files() if name.startswith(f"{game}/face."))


def find(name: str) -> tuple[bytes, bytes, str]:
    """A file.  Raises HttpRefusal 404."""
    if name not in files():
        raise HttpRefusal(404, "there is no such file")
    return files()[name]
