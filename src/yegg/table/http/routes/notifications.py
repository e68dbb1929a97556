"""How you are told: addresses that you set up on your page, confirm, and stop by one click."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, TypeVar
from zoneinfo import available_timezones

import msgspec
import sqlalchemy as sa
from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from msgspec import Meta

from yegg.engine import Refused
from yegg.table.accounts import devices
from yegg.table.accounts.devices import Code
from yegg.table.accounts.tokens import Person
from yegg.table.http.requests import Asked, address, asker, limits_of, teller_of
from yegg.table.http.responses import HTML, page, person_of
from yegg.table.notifications import contacts, email, outgoing_requests, push
from yegg.table.notifications.contacts import HOOK, MAIL, PUSH, Contact
from yegg.table.notifications.notifier import Teller
from yegg.table.notifications.schedule import Rhythm
from yegg.table.refusals import HttpRefusal
from yegg.table.render import renderers, static_files
from yegg.table.settings import Mail
from yegg.table.storage.people import EVERYWHERE
from yegg.table.storage.store import Taken, Unwritten
from yegg.table.storage.writes import Tell

from .api import Me

LOST_FOR = 30 * 60_000  # ms for which a code for recovery is good
NOT_OFFERED = "whoever runs this server has not set this up"
T = TypeVar("T")
Mark = FromPath[str]


def teller(request: Asked) -> Teller:
    """What tells people here.  Raises HttpRefusal 404 where nobody is told anything."""
    there = teller_of(request)
    if there is None:
        raise HttpRefusal(404, NOT_OFFERED)
    return there


def mail_of(request: Asked) -> Mail:
    """The mail server.  Raises HttpRefusal 404 if there is none."""
    there = teller(request).how.mail
    if there is None:
        raise HttpRefusal(404, NOT_OFFERED)
    return there


async def changed(request: Asked, what: Callable[[sa.Connection], T]) -> T:
    """Change contacts on disk.  Raises HttpRefusal 503."""

    def work(connection: sa.Connection, _: Tell) -> T:
        return what(connection)

    try:
        return await teller(request).work(work)
    except (Taken, Unwritten):
        raise HttpRefusal(503, "this could not be saved; try again") from None


async def offered(request: Asked, me: Person | None) -> dict[str, Any]:
    """What your page says of being told; nothing where nothing is offered."""
    there = teller_of(request)
    if there is None:
        return {"telling": None, "recovery": False}
    mine = await there.read(lambda c: contacts.mine(c, me.id)) if me else []
    told = {
        "mail": there.how.mail is not None,
        "push": push.text(push.point(there.push_key)) if there.push_key else "",
        "hooks": there.how.hooks,
        "letters": there.how.letters is not None and there.how.mail is not None,
        "mine": mine,
        "zones": sorted(available_timezones()),
    }
    return {"telling": told, "recovery": told["mail"]}


def limited(request: Asked, *who: str) -> None:
    """Count a letter that somebody asks for.  Raises HttpRefusal 429."""
    limits = limits_of(request)
    for one in (address(request), *who):
        limits.take(limits.writing, one.replace(" ", ""))


def fresh(me: Person, kind: str, where: str, more: dict[str, Any], *, confirmed: bool) -> Contact:
    """A contact that is not kept yet."""
    return Contact(0, me.id, kind, where, more, Rhythm(), confirmed, None, 0, 0)


@post("/me/mail")
async def add_mail(request: Asked, me: Me) -> Redirect:
    """Set up a mail address: a letter goes there, and its link confirms it."""
    person, how, there = person_of(me), mail_of(request), teller(request)
    form = await request.form()
    to = contacts.fit_address(str(form.get("address", ""))[:400])
    limited(request, to.lower())
    new = fresh(person, MAIL, to, {}, confirmed=False)
    made = await changed(request, lambda c: contacts.add(c, there.now(), new))
    link = f"{there.how.address}me/mail/{there.mark('mail', made.id)}"
    text = (
        "Somebody, probably you, would like to be told here when a table waits for them.\n\n"
        f"If that was you, open this within two days and press the button there:\n{link}\n\n"
        "If it was not you, do nothing: no more letters come."
    )
    name = f"confirm.{made.id}.{there.now():x}"
    back = there.back(made.id)
    await sent(there, email.Letter(to, "Confirm your address", text, name=name, back=back), how)
    return Redirect("/me?note=confirm#telling", status_code=303)


async def sent(there: Teller, letter: email.Letter, how: Mail) -> None:
    """Send a letter now.  Raises HttpRefusal."""
    try:
        await there.beside(email.send, letter, how)
    except email.Refused as error:
        raise HttpRefusal(
            422, f"the mail server does not take letters for this address: {error}"
        ) from None
    except OSError:
        raise HttpRefusal(503, "the mail server does not answer; try again later") from None


@get("/me/mail/{mark:str}")
async def look_mail(request: Asked, me: Me, mark: Mark) -> Response[bytes]:
    """Confirm an address: opening the link is not enough, since machines open links, too."""
    number = teller(request).marked("mail", mark)
    found = await teller(request).read(lambda c: contacts.find(c, number))
    if found is None:
        raise HttpRefusal(404, "this link is too old; ask for another letter on your page")
    return page(request, "confirm.html", me, address=found.address, mark=mark)


@post("/me/mail/{mark:str}")
async def confirm_mail(request: Asked, me: Me, mark: Mark) -> Response[bytes]:
    """The owner of the address wants it."""
    person_of(me)
    there, number = teller(request), teller(request).marked("mail", mark)
    found = await changed(request, lambda c: contacts.confirm(c, there.now(), number))
    if found is None:
        raise HttpRefusal(404, "this link is too old; ask for another letter on your page")
    return page(request, "confirm.html", me, address=found.address, mark="")


class Browser(msgspec.Struct):
    """What a browser's `PushManager.subscribe` gives."""

    endpoint: Annotated[str, Meta(max_length=outgoing_requests.LONGEST)]
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=60)]


@post("/me/push", status_code=200)
async def add_push(request: Asked, me: Me, data: JSONBody[Browser]) -> dict[str, bool]:
    """Set up the asker's browser."""
    person, there = person_of(me), teller(request)
    if not there.push_key:
        raise HttpRefusal(404, NOT_OFFERED)
    limits = limits_of(request)
    limits.take(limits.opening, address(request))
    try:
        outgoing_requests.checked(data.endpoint, there.how.inside)
    except outgoing_requests.Inside as error:
        raise HttpRefusal(422, str(error)) from None
    if not push.fit(data.p256dh, data.auth):
        raise HttpRefusal(422, "these are no keys of a browser")
    more = {"p256dh": data.p256dh, "auth": data.auth}
    new = fresh(person, PUSH, data.endpoint, more, confirmed=True)
    await changed(request, lambda c: contacts.add(c, there.now(), new))
    return {"told": True}


@post("/me/hook")
async def add_hook(request: Asked, me: Me) -> Redirect:
    """Set up a webhook: it is greeted once, and has to answer."""
    person, there = person_of(me), teller(request)
    if not there.how.hooks:
        raise HttpRefusal(404, NOT_OFFERED)
    url = str((await request.form()).get("url", "")).strip()
    limited(request)
    more = {"secret": push.webhook_secret()}
    said = {"type": "hello", "turns": []}
    name = f"hello.{there.now():x}"
    try:
        status = await there.asked(push.send_webhook, url, more["secret"], name, there.now(), said)
    except outgoing_requests.Inside as error:
        raise Refused(str(error)) from None
    except OSError:
        raise Refused("this address does not answer") from None
    if not 200 <= status < 300:
        raise Refused(f"this address answers {status}; it has to answer a greeting with 200")
    new = fresh(person, HOOK, url, more, confirmed=True)
    await changed(request, lambda c: contacts.add(c, there.now(), new))
    return Redirect("/me#telling", status_code=303)


@post("/me/rhythm")
async def rhythm(request: Asked, me: Me) -> Redirect:
    """Be told soon after each turn, or at some hours of the day."""
    person, form = person_of(me), await request.form()
    limits_of(request).take(limits_of(request).opening, address(request))
    hours = str(form.get("hours", ""))[:100].replace(",", " ").split()
    wanted = contacts.fit_rhythm(hours, str(form.get("zone", "UTC"))[:60])
    number = own(form.get("contact"))
    if not await changed(request, lambda c: contacts.change(c, person.id, number, wanted)):
        raise HttpRefusal(404, "this is no address of yours")
    return Redirect("/me#telling", status_code=303)


@post("/me/stop")
async def stop_own(request: Asked, me: Me) -> Redirect:
    """Be told there no more."""
    person, number = person_of(me), own((await request.form()).get("contact"))
    limits_of(request).take(limits_of(request).opening, address(request))
    if not await changed(request, lambda c: contacts.stop(c, number, person.id)):
        raise HttpRefusal(404, "this is no address of yours")
    return Redirect("/me#telling", status_code=303)


def own(said: Any) -> int:
    """The number of a contact that a form names; 0 for none."""
    text = str(said or "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else 0


@get("/stop/{mark:str}")
async def look_stop(request: Asked, mark: Mark) -> Response[bytes]:
    """The page to end letters; it asks for one click, since machines open links, too."""
    teller(request).marked("stop", mark)
    return bare("stop.html", mark=mark)


@post("/stop/{mark:str}", status_code=200)
async def stop(request: Asked, mark: Mark) -> Response[bytes]:
    """End letters: by the button, or by a mail program (RFC 8058).  It needs no cookie."""
    number = teller(request).marked("stop", mark)
    await changed(request, lambda c: contacts.stop(c, number))
    return bare("stop.html", mark="")


def bare(template: str, **what: Any) -> Response[bytes]:
    """A page for nobody in particular: it gives no cookie."""
    body = renderers.env().get_template(template).render(csrf="", **what)
    return Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})


@get("/me/lost")
async def look_lost(request: Asked, me: Me) -> Response[bytes]:
    """The way back for somebody who has lost all devices."""
    mail_of(request)
    return page(request, "lost.html", me, asked="")


@post("/me/lost", status_code=200)
async def lost(request: Asked, me: Me) -> Response[bytes]:
    """Send a code to a confirmed address; the answer is the same for every address."""
    person_of(me)
    how, there = mail_of(request), teller(request)
    to = contacts.fit_address(str((await request.form()).get("address", ""))[:400])
    limited(request, f"lost {to.lower()}")
    work = asyncio.get_running_loop().create_task(recover(request, there, how, to))
    there.errands.add(work)  # beside the answer, which must not tell by its time
    work.add_done_callback(there.errands.discard)
    return page(request, "lost.html", me, asked=to)


async def recover(request: Asked, there: Teller, how: Mail, to: str) -> None:
    """Send codes for everybody who has confirmed this address."""
    found = await there.read(lambda c: contacts.of_address(c, to))

    def make(connection: sa.Connection) -> list[str]:
        return [
            devices.make(connection, Code(one.person, EVERYWHERE, ""), good_for=LOST_FOR)
            for one in found[: contacts.MANY]
        ]

    if not found:
        return
    links = [
        f"{there.how.address}me/take?code={devices.spelt(code)}"
        for code in await changed(request, make)
    ]
    text = (
        "Somebody, probably you, has lost the devices on which they play here.\n\n"
        "Open this within half an hour on the new device to have everything back:\n"
        + "\n".join(links)
        + "\n\nIf it was not you, do nothing: nobody can use it without this letter."
    )
    letter = email.Letter(to, "Back to your tables", text, name=f"lost.{there.now():x}")
    with suppress(OSError, email.Refused):  # whoever asked asks again
        await there.beside(email.send, letter, how)


@get("/worker.js")
async def worker() -> Response[bytes]:
    """The script that shows what the server tells a browser; it must lie at the top."""
    raw, _, kind = static_files.find("worker.js")
    return Response(raw, media_type=kind, headers={"Cache-Control": "no-cache"})


router = Router(
    "/",
    route_handlers=[
        add_mail,
        look_mail,
        confirm_mail,
        add_push,
        add_hook,
        rhythm,
        stop_own,
        look_lost,
        lost,
    ],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
open_router = Router("/", route_handlers=[look_stop, stop, worker], include_in_schema=False)
