"""Pages for refusals: the reason in plain words, and links to go on."""

import re

from litestar import Response

from yegg.table.refusals import HttpRefusal
from yegg.table.render import renderers

from .requests import Asked, registry_of

TABLE = re.compile(r"/t/([A-Za-z0-9_-]{22})")  # a full stop after the link does no harm
HEADS = {
    404: "Not found",
    410: "Not any more",
    429: "Too much at once",
    500: "Our mistake",
    503: "Not now",
}
LEADS_BACK = (400, 401, 403, 404, 405, 409, 413, 422)  # to the table, if there is one
NO_TABLE = "there is no such table: the link may be mistyped or cut off; ask for it once more"
NEARLY = "the end of this link is wrong, but its table is here"
NO_PAGE = "there is no such page: the address may be mistyped"


def in_plain_words(request: Asked, status: int) -> HttpRefusal:
    """The framework's refusal of an address or a form, in plain words."""
    if status == 405:
        return HttpRefusal(status, "there is nothing to see at this address")
    if status == 413:
        return HttpRefusal(status, "that is more than fits here")
    if status == 404 or (status == 400 and request.method == "GET"):
        return HttpRefusal(404, NO_TABLE if request.url.path.startswith("/t/") else NO_PAGE)
    return HttpRefusal(status, "this could not be understood; go back, and try again")


def page(request: Asked, error: HttpRefusal, headers: dict[str, str]) -> Response[bytes]:
    """The page for a refusal."""
    found = TABLE.match(request.url.path)
    there = found and error.status in LEADS_BACK and found[1] in registry_of(request).tables
    key = found[1] if found and there else None
    body = (
        renderers.env()
        .get_template("sorry.html")
        .render(
            head=HEADS.get(error.status, "That did not work"),
            why=(NEARLY if key else NO_TABLE) if error.status == 404 and found else error.why,
            key=key,
            csrf="",
        )
    )
    return Response(
        body.encode(), status_code=error.status, media_type="text/html", headers=headers
    )
