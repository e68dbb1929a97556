"""Routes of yegg as an app: the manifest, the service worker, the page for those without network.

What a browser keeps, and what never, is told in docs/decisions/0109-what-an-app-keeps.md.
"""

from litestar import Response, get

from yegg import games
from yegg.table.http.responses import render
from yegg.table.render import app_files

RENEWED = {"Cache-Control": "no-cache"}


@get("/manifest.webmanifest")
async def manifest() -> Response[bytes]:
    """The manifest, by which browsers install the table as an app."""
    kind = "application/manifest+json"
    return Response(app_files.manifest(), media_type=kind, headers=RENEWED)


@get("/worker.js")
async def worker() -> Response[bytes]:
    """The script that keeps pages and shows notifications; it must lie at the top."""
    return Response(app_files.worker(), media_type="text/javascript", headers=RENEWED)


@get(app_files.OFFLINE)
async def offline() -> Response[bytes]:
    """What a browser shows without network, in place of any page that it has not kept."""
    known = [games.find(name) for name in games.names()]
    return render("offline.html", games=known, csrf="")
