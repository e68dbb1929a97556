"""The options of `yegg serve` about telling people, and letters with orders."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import unquote, urlsplit

import click

if TYPE_CHECKING:
    from yegg.table.settings import Mail, Telling

F = TypeVar("F", bound=Callable[..., Any])
PORTS = {"smtp": 587, "smtps": 465}
OPTIONS = [
    click.option(
        "--address",
        envvar="YEGG_ADDRESS",
        metavar="URL",
        help="Where people reach the server: https://games.example/, for links in letters.",
    ),
    click.option(
        "--mail",
        envvar="YEGG_MAIL",
        metavar="URL",
        help="A mail server: smtp://user:password@mail.example:587, smtps://…; tells by mail.",
    ),
    click.option(
        "--mail-from",
        envvar="YEGG_MAIL_FROM",
        metavar="ADDRESS",
        help="Where letters come from.",
    ),
    click.option(
        "--letters",
        envvar="YEGG_LETTERS",
        metavar="HOST:PORT",
        help="Take letters with orders there, by LMTP from your mail server.",
    ),
    click.option("--push", is_flag=True, envvar="YEGG_PUSH", help="Tell browsers, by Web Push."),
    click.option("--hooks", is_flag=True, envvar="YEGG_HOOKS", help="Tell programs, by webhooks."),
    click.option(
        "--inside",
        multiple=True,
        metavar="HOST",
        help="A host that webhooks may reach although it is not on the open internet.",
    ),
]


def telling_options(command: F) -> F:
    """Give a command the options."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def settings_of(said: Mapping[str, Any]) -> "Telling | None":
    """What the options say; None if nobody is to be told.  Raises UsageError."""
    if not any(said.get(name) for name in ("mail", "push", "hooks", "letters")):
        return None
    from yegg.engine import Refused
    from yegg.table.notifications.settings import checked
    from yegg.table.settings import Telling

    mail = _mail(said["mail"], said["mail_from"] or "") if said["mail"] else None
    letters = _door(said["letters"]) if said["letters"] else None
    inside = tuple(said["inside"])
    how = Telling(said["address"] or "", mail, said["push"], said["hooks"], inside, letters)
    try:
        return checked(how)
    except Refused as error:
        raise click.UsageError(f"{error} (--address, --mail, --mail-from)") from None


def _mail(said: str, sender: str) -> "Mail":
    from yegg.table.settings import Mail

    where = urlsplit(said)
    try:
        port = where.port
    except ValueError:
        port = 0
    if where.scheme not in PORTS or not where.hostname or port == 0:
        raise click.UsageError("--mail is like smtp://user:password@mail.example:587, or smtps://…")
    here = where.hostname in ("localhost", "127.0.0.1", "::1")
    security: Literal["tls", "none", "starttls"] = "none" if here else "starttls"
    if where.scheme == "smtps":
        security = "tls"
    user, password = unquote(where.username or ""), unquote(where.password or "")
    return Mail(where.hostname, port or PORTS[where.scheme], sender, security, user, password)


def _door(said: str) -> tuple[str, int]:
    host, _, port = said.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise click.UsageError("--letters is like 127.0.0.1:2424")
    return host.strip("[]"), int(port)
