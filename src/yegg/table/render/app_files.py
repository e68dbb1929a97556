"""yegg as an app: its manifest, and the service worker with what it keeps (decision 0109)."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

import yegg
from yegg import games

from . import static_files

ICONS = {"icon-192.png": 192, "icon-512.png": 512}
"""The icons that phones want, by their width in pixels; `scripts/icons.py` draws them."""
NIGHT = "#11151b"  # `--night` of tokens.css
OFFLINE = "/offline"
TEXTS = (".html", ".md", ".lesson", ".svg")


@cache
def version() -> str:
    """A digest of everything that a kept page shows: with another one all is kept anew."""
    drawn = [path for path in Path(__file__).parent.rglob("*") if path.suffix in TEXTS]
    told = [
        path
        for name in games.names()
        for path in games.find(name).folder.rglob("*")
        if path.suffix in TEXTS
    ]
    made = sha256(yegg.__version__.encode())
    for name, (raw, _, _) in sorted(static_files.files().items()):
        made.update(name.encode() + raw)
    for path in sorted([*drawn, *told]):
        made.update(path.name.encode() + path.read_bytes())
    return made.hexdigest()[:16]


@cache
def manifest() -> bytes:
    """The web app manifest, as JSON."""
    drawings = [("icon-app.svg", "any", "image/svg+xml")]
    drawings += [(name, f"{size}x{size}", "image/png") for name, size in ICONS.items()]
    icons = [
        {"src": static_files.address(name), "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind in drawings
        for purpose in ("any", "maskable")
    ]
    said = {
        "id": "/",
        "name": "yegg: games for a night in Jacynth",
        "short_name": "yegg",
        "description": "Tabletop games with friends and bots.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "icons": icons,
    }
    return msgspec.json.encode(said)


@cache
def worker() -> bytes:
    """The service worker; it differs when anything differs that it keeps, so browsers renew it."""
    files = [static_files.address(name) for name in sorted(static_files.files())]
    pages = [OFFLINE, *(f"/rules/{name}" for name in games.names())]
    kept = {"version": version(), "offline": OFFLINE, "files": files, "pages": pages}
    script = static_files.files()["worker.js"][0]
    return b"const KEPT = %b;\n%b" % (msgspec.json.encode(kept), script)
