"""What the browser remembers for its owner: a name, and how strong the bots should be."""

from collections.abc import Mapping
from typing import Any

from litestar import Response

from yegg import players
from yegg.engine import Refused
from yegg.table.accounts.tokens import Person

from .actions import fit
from .requests import Asked
from .responses import page, you

LEVEL = "yegg-level"
LONGEST_SALT = 64


def named(request: Asked, form: dict[str, Any]) -> tuple[str, str]:
    """The sender's name, typed now or earlier, or ""; and what is wrong with it, or ""."""
    typed = str(form.get("you", "")).strip() or you(request).strip()
    try:
        return (fit(typed) if typed else ""), ""
    except Refused as refusal:
        return "", str(refusal)


def ask(request: Asked, me: Person | None, form: dict[str, Any], why: str) -> Response[bytes]:
    """A page that asks for a name, and sends the form again with it."""
    rest = {key: str(value) for key, value in form.items() if key not in ("you", "csrf")}
    typed = str(form.get("you", ""))[:40]
    to = request.url.path
    answer = page(request, "ask.html", me, rest=rest, to=to, why=why, you=typed)
    answer.status_code = 422 if why else 200
    return answer


def salt(form: Mapping[str, Any]) -> str:
    """What the sender of a form gives to the dice; "" for nothing."""
    return str(form.get("salt", ""))[: LONGEST_SALT + 1]


def levels() -> list[str]:
    """The levels that there are, from the easiest."""
    return [name for name in players.LEVELS if name in players.names()]


def level(request: Asked, form: dict[str, Any] | None = None) -> str:
    """The level of the bots that somebody has chosen now or the last time."""
    there = levels() or list(players.names())
    wanted = (str((form or {}).get("level", "")), request.cookies.get(LEVEL, ""), "medium")
    return next((name for name in wanted if name in there), there[0])
