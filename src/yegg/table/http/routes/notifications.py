"""Routes of notifications: addresses are set up, confirmed, and stopped by one click."""

import asyncio
from contextlib import suppress
from typing import Annotated, Any
from zoneinfo import available_timezones

import msgspec
import sqlalchemy as sa
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect
from msgspec import Meta

from yegg.engine import Refused
from yegg.table.accounts import devices
from yegg.table.accounts.devices import Code
from yegg.table.accounts.tokens import Person
from yegg.table.http.bodies import number
from yegg.table.http.form_answers import see
from yegg.table.http.requests import Asked, Visitor, Who
from yegg.table.http.responses import page, render
from yegg.table.notifications import contacts, email, outgoing_requests, push
from yegg.table.notifications.contacts import HOOK, MAIL, PUSH, Contact
from yegg.table.notifications.notifier import Notifier
from yegg.table.notifications.schedule import Rhythm
from yegg.table.refusals import HttpRefusal
from yegg.table.settings import Mail
from yegg.table.storage.database import Tell
from yegg.table.storage.schema import EVERYWHERE

LOST_FOR = 30 * 60_000  # ms for which a code for recovery is good
TOO_OLD = "this link is too old; ask for another letter on your page"
NOT_YOURS = "this is no address of yours"
NOT_OFFERED = "whoever runs this server has not set this up"
Mark = FromPath[str]


def notifier_of(who: Visitor) -> Notifier:
    """What tells people here.  Raises HttpRefusal 404 where nobody is told anything."""
    if who.notifier is None:
        raise HttpRefusal(404, NOT_OFFERED)
    return who.notifier


def mail_of(who: Visitor) -> Mail:
    """The mail server.  Raises HttpRefusal 404 if there is none."""
    mail = notifier_of(who).how.mail
    if mail is None:
        raise HttpRefusal(404, NOT_OFFERED)
    return mail


async def offered(who: Visitor) -> dict[str, Any]:
    """What your page says of being told; nothing where nothing is offered."""
    notifier, me = who.notifier, who.me
    if notifier is None:
        return {"telling": None, "recovery": False}
    telling = {
        "mail": notifier.how.mail is not None,
        "push": push.text(push.point(notifier.push_key)) if notifier.push_key else "",
        "hooks": notifier.how.hooks,
        "letters": notifier.how.letters is not None and notifier.how.mail is not None,
        "mine": await who.store.query(lambda c: contacts.mine(c, me.id)) if me else [],
        "zones": sorted(available_timezones()),
    }
    return {"telling": telling, "recovery": telling["mail"]}


def limited(who: Visitor, *whose: str) -> None:
    """Count a letter that somebody asks for.  Raises HttpRefusal 429."""
    for owner in (who.address, *whose):
        who.count(who.limits.writing, owner.replace(" ", ""))


def new_contact(
    me: Person, kind: str, where: str, more: dict[str, Any], *, confirmed: bool
) -> Contact:
    """A contact that is not kept yet."""
    return Contact(0, me.id, kind, where, more, Rhythm(), confirmed, None, 0, 0)


@post("/me/mail")
async def add_mail(who: Who) -> Redirect:
    """Set up a mail address: a letter goes there, and its link confirms it."""
    person, how, notifier = who.sender(), mail_of(who), notifier_of(who)
    to = await address_of(who)
    limited(who, to.lower())
    contact = new_contact(person, MAIL, to, {}, confirmed=False)
    contact = await who.change(lambda c, _: contacts.add(c, notifier.now(), contact))
    link = f"{notifier.how.address}me/mail/{notifier.mark('mail', contact.id)}"
    text = (
        "Somebody, probably you, would like to be told here when a table waits for them.\n\n"
        f"If that was you, open this within two days and press the button there:\n{link}\n\n"
        "If it was not you, do nothing: no more letters come."
    )
    name, back = f"confirm.{contact.id}.{notifier.now():x}", notifier.answers.back(contact.id)
    await sent(notifier, email.Letter(to, "Confirm your address", text, name=name, back=back), how)
    return see("/me?note=confirm#telling")


async def address_of(who: Visitor) -> str:
    """The mail address of a form.  Raises Refused."""
    return contacts.fit_address(str((await who.request.form()).get("address", ""))[:400])


async def sent(notifier: Notifier, letter: email.Letter, how: Mail) -> None:
    """Send a letter now.  Raises HttpRefusal."""
    try:
        await notifier.beside(email.send, letter, how)
    except email.Refused as error:
        raise HttpRefusal(
            422, f"the mail server does not take letters for this address: {error}"
        ) from None
    except OSError:
        raise HttpRefusal(503, "the mail server does not answer; try again later") from None


@get("/me/mail/{mark:str}")
async def look_mail(who: Who, mark: Mark) -> Response[bytes]:
    """Confirm an address: opening the link is not enough, since machines open links, too."""
    contact = notifier_of(who).marked("mail", mark)
    found = await who.store.query(lambda c: contacts.find(c, contact))
    if found is None:
        raise HttpRefusal(404, TOO_OLD)
    mark = "" if found.confirmed else mark
    return page(who, "confirm.html", address=found.address, mark=mark)


@post("/me/mail/{mark:str}")
async def confirm_mail(who: Who, mark: Mark) -> Redirect:
    """The owner of the address wants it."""
    who.sender()
    notifier = notifier_of(who)
    contact = notifier.marked("mail", mark)
    if await who.change(lambda c, _: contacts.confirm(c, notifier.now(), contact)) is None:
        raise HttpRefusal(404, TOO_OLD)
    return see(f"/me/mail/{mark}")


class Browser(msgspec.Struct):
    """What a browser's `PushManager.subscribe` gives."""

    endpoint: Annotated[str, Meta(max_length=outgoing_requests.LONGEST)]
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=60)]


@post("/me/push", status_code=200)
async def add_push(who: Who, data: JSONBody[Browser]) -> dict[str, bool]:
    """Set up the asker's browser."""
    person, notifier = who.sender(), notifier_of(who)
    if not notifier.push_key:
        raise HttpRefusal(404, NOT_OFFERED)
    who.count(who.limits.opening)
    try:
        outgoing_requests.checked(data.endpoint, notifier.how.inside)
    except outgoing_requests.ForbiddenAddress as error:
        raise HttpRefusal(422, str(error)) from None
    if not push.can_be_used(data.p256dh, data.auth):
        raise HttpRefusal(422, "these are no keys of a browser")
    more = {"p256dh": data.p256dh, "auth": data.auth}
    contact = new_contact(person, PUSH, data.endpoint, more, confirmed=True)
    await who.change(lambda c, _: contacts.add(c, notifier.now(), contact))
    return {"told": True}


@post("/me/hook")
async def add_hook(who: Who) -> Redirect:
    """Set up a webhook: it is greeted once, and has to answer."""
    person, notifier = who.sender(), notifier_of(who)
    if not notifier.how.hooks:
        raise HttpRefusal(404, NOT_OFFERED)
    url = str((await who.request.form()).get("url", "")).strip()
    limited(who)
    secret, name, hello = (
        push.webhook_secret(),
        f"hello.{notifier.now():x}",
        {"type": "hello", "turns": []},
    )
    try:
        status = await notifier.asked(push.send_webhook, url, secret, name, notifier.now(), hello)
    except outgoing_requests.ForbiddenAddress as error:
        raise Refused(str(error)) from None
    except OSError:
        raise Refused("this address does not answer") from None
    if not 200 <= status < 300:
        raise Refused(f"this address answers {status}; it has to answer a greeting with 200")
    contact = new_contact(person, HOOK, url, {"secret": secret}, confirmed=True)
    await who.change(lambda c, _: contacts.add(c, notifier.now(), contact))
    return see("/me#telling")


@post("/me/rhythm")
async def rhythm(who: Who) -> Redirect:
    """Be told soon after each turn, or at some hours of the day."""
    person, contact = await own_contact(who)
    form = await who.request.form()
    hours = str(form.get("hours", ""))[:100].replace(",", " ").split()
    wanted = contacts.fit_rhythm(hours, str(form.get("zone", "UTC"))[:60])
    if not await who.change(lambda c, _: contacts.change(c, person, contact, wanted)):
        raise HttpRefusal(404, NOT_YOURS)
    return see("/me#telling")


@post("/me/stop")
async def stop_own(who: Who) -> Redirect:
    """Be told there no more."""
    person, contact = await own_contact(who)
    if not await who.change(lambda c, _: contacts.stop(c, contact, person)):
        raise HttpRefusal(404, NOT_YOURS)
    return see("/me#telling")


async def own_contact(who: Visitor) -> tuple[str, int]:
    """Who sends a form, and the number of the contact that it names; 0 for none.

    Raises HttpRefusal 403, 429.
    """
    person, contact = who.sender().id, number(await who.request.form(), "contact", 9) or 0
    who.count(who.limits.opening)
    return person, contact


@get("/stop/{mark:str}")
async def look_stop(request: Asked, mark: Mark) -> Response[bytes]:
    """The page to end letters; it asks for one click, since machines open links, too."""
    who = Visitor(request)
    contact = notifier_of(who).marked("stop", mark)
    there = await who.store.query(lambda c: contacts.find(c, contact))
    return render("stop.html", csrf="", mark=mark if there else "")


@post("/stop/{mark:str}", status_code=200)
async def stop(request: Asked, mark: Mark) -> Response[bytes] | Redirect:
    """End letters: by the button, or by a mail program (RFC 8058).  It needs no cookie.

    A mail program is not redirected.
    """
    who = Visitor(request)
    contact = notifier_of(who).marked("stop", mark)
    await who.change(lambda c, _: contacts.stop(c, contact))
    if "List-Unsubscribe" in await request.form():
        return render("stop.html", csrf="", mark="")
    return see(f"/stop/{mark}")


@get("/me/lost")
async def look_lost(
    who: Who,
    sent: FromQuery[bool] = False,  # noqa: FBT002  of the address
) -> Response[bytes]:
    """The way back for somebody who has lost all devices; ``sent``: they have asked for it."""
    mail_of(who)
    return page(who, "lost.html", sent=sent)


@post("/me/lost")
async def lost(who: Who) -> Redirect:
    """Send a code to a confirmed address; the answer is the same for every address."""
    who.sender()
    how, notifier = mail_of(who), notifier_of(who)
    to = await address_of(who)
    limited(who, f"lost {to.lower()}")
    work = asyncio.get_running_loop().create_task(recover(who, notifier, how, to))
    notifier.errands.add(work)  # beside the answer, which must not tell by its time
    work.add_done_callback(notifier.errands.discard)
    return see("/me/lost", sent="yes")


async def recover(who: Visitor, notifier: Notifier, how: Mail, to: str) -> None:
    """Send codes for everybody who has confirmed this address."""
    found = await who.store.query(lambda c: contacts.of_address(c, to))

    def make(connection: sa.Connection, _: Tell) -> list[str]:
        return [
            devices.make(connection, Code(contact.person, EVERYWHERE, ""), good_for=LOST_FOR)
            for contact in found[: contacts.MANY]
        ]

    if not found:
        return
    links = [
        f"{notifier.how.address}me/take?code={devices.spelt(code)}"
        for code in await who.change(make)
    ]
    text = (
        "Somebody, probably you, has lost the devices on which they play here.\n\n"
        "Open this within half an hour on the new device to have everything back:\n"
        + "\n".join(links)
        + "\n\nIf it was not you, do nothing: nobody can use it without this letter."
    )
    letter = email.Letter(to, "Back to your tables", text, name=f"lost.{notifier.now():x}")
    with suppress(OSError, email.Refused):  # whoever asked asks again
        await notifier.beside(email.send, letter, how)
