"""How forms are answered: by a redirect, so that a browser can go back without sending again.

A refusal goes along in the address, signed for whoever sent the form, and the page there tells it.
"""

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from litestar.response import Redirect

from yegg.table.refusals import HttpRefusal

from .requests import Asked, Visitor, registry_of

SAID = "said"
LASTS = 3600
"""For so many seconds a page tells a refusal; whoever comes back later sees the page alone."""
MOST, LONGEST = 40, 200  # fields of a form that go along, and characters of each


def see(path: str, /, **fields: Any) -> Redirect:
    """Redirect a browser to a page (303), after what a form has done."""
    query = f"?{urlencode(fields, doseq=True)}" if fields else ""
    return Redirect(f"{path}{query}", status_code=303)


def told_at(request: Asked, path: str, refusal: HttpRefusal) -> Redirect:
    """Redirect to a page that tells the sender of a form why it was refused."""
    at = int(time.time())
    mark = _mark(request, request.state.sender, path, f"{at}.{refusal.status}", refusal.why)
    return see(path, **{SAID: f"{at}.{refusal.status}.{mark}.{refusal.why}"})


def answer_for(who: Visitor) -> HttpRefusal | None:
    """What the page that is asked for is to tell, if this server has said so just now."""
    at, _, rest = who.request.query_params.get(SAID, "").partition(".")
    status, _, rest = rest.partition(".")
    mark, _, why = rest.partition(".")
    if not (at + status).isdecimal() or not at.isascii():
        return None
    good = _mark(
        who.request, who.me.key if who.me else "", who.request.url.path, f"{at}.{status}", why
    )
    fresh = time.time() - int(at[:12]) < LASTS
    same = who.registry.signer.same(mark, good)
    return HttpRefusal(int(status), why) if fresh and same else None


def _mark(request: Asked, person: str, path: str, when: str, why: str) -> str:
    return registry_of(request).signer.mac("said", f"{person} {path} {when} {why}")


def by_form(request: Asked) -> bool:
    """Whether a form was sent, by no other site's page, and a browser will show the answer."""
    accepts = request.headers.get("accept", "")
    return getattr(request.state, "sender", None) is not None and "json" not in accepts


def refused_form(request: Asked, refusal: HttpRefusal) -> Redirect:
    """Redirect the sender of a form to a page of its own that tells why it was refused."""
    key = request.path_params.get("key", "") if request.url.path.startswith("/t/") else ""
    return told_at(request, f"/t/{key}/refused" if key else "/refused", refusal)


def fields_of(form: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form that go along to a page, without its mark."""
    kept = {key: str(value)[:LONGEST] for key, value in form.items() if key != "csrf"}
    return dict(list(kept.items())[:MOST])
