"""Lessons: pages that keep nothing.  The step is in the address, and all else is in the lesson."""

import asyncio
from dataclasses import replace
from typing import Any

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures.multi_dicts import FormMultiDict
from litestar.di import Provide
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from yegg import games
from yegg.engine import Refused
from yegg.lessons import Answer, Lesson, answer
from yegg.lessons.lesson import LEARNER
from yegg.table.accounts.tokens import Person
from yegg.table.http import actions, preferences_cookie
from yegg.table.http.bodies import Choice
from yegg.table.http.lessons_cookie import learned, lessons_of, note
from yegg.table.http.requests import Asked, asker, asking, once_drawn, registry_of
from yegg.table.http.responses import page, person_of, to_table, you
from yegg.table.refusals import HttpRefusal
from yegg.table.render import lessons, renderers, static_files
from yegg.table.service.forks_and_rematches import go_on as gone_on
from yegg.table.service.registry import ME, Wish
from yegg.text.phrases import listing

from .api import Me

LONGEST = 6  # digits of a step


@get("/learn/{name:str}")
async def begin(request: Asked, name: FromPath[str]) -> Redirect:
    """The first lesson of a game that the visitor has not done."""
    there = taught(name)
    done = learned(request).get(name, set())
    first = next((one for one in there if one.number not in done), there[0])
    return Redirect(f"/learn/{name}/{first.key}", status_code=303)


@get("/learn/{name:str}/{key:str}")
async def look(
    request: Asked, name: FromPath[str], key: FromPath[str], me: Me, at: FromQuery[int] = 0
) -> Response[bytes]:
    """A step of a lesson."""
    once_drawn(request)
    lesson = ready(request, name, key)
    return await shown(request, me, lesson, inside(lesson, at))


@post("/learn/{name:str}/{key:str}")
async def choose(
    request: Asked, name: FromPath[str], key: FromPath[str], me: Me
) -> Response[bytes] | Redirect:
    """Go on, or make a choice: to the next step, or the same page with the teacher's reply."""
    once_drawn(request)
    lesson, form = ready(request, name, key), await request.form()
    at = str(form.get("at", ""))
    n = inside(lesson, int(at) if at.isdecimal() and len(at) < LONGEST else 0)
    said = await asyncio.to_thread(answer, lesson, n, texts(form))
    if "application/json" in request.headers.get("accept", ""):
        return await told(request, lesson, n, said)
    if said.step != n:
        return Redirect(f"/learn/{name}/{key}?at={said.step}", status_code=303)
    return await shown(request, me, lesson, n, said)


@post("/learn/{name:str}/{key:str}/play")
async def play(
    request: Asked, name: FromPath[str], key: FromPath[str], me: Me
) -> Response[bytes] | Redirect:
    """A table with the bots of the lesson: a fresh one, or one that goes on from its end."""
    lesson, person = find(name, key), person_of(me)
    form = dict(await request.form())
    called, why = preferences_cookie.named(request, form)
    if not called:
        return preferences_cookie.ask(request, me, form, why)
    wish = onward(lesson, called) if "on" in form else fresh(lesson, called)
    wish = replace(wish, salt=preferences_cookie.salt(form))
    table = await actions.open_table(asking(request, me), wish, person.id)
    return to_table(request, table.key, called)


def fresh(lesson: Lesson, you: str) -> Wish:
    """A new game by the published rules."""
    bots = lesson.play or ["easy"] * (lesson.game.usual - 1)
    return Wish(lesson.game.name, [ME, *bots], you, listed=False)


def onward(lesson: Lesson, you: str) -> Wish:
    """The game of the lesson, from its end.  Raises HttpRefusal 409 if it is over."""
    bots = dict(enumerate(lesson.play, LEARNER + 1))
    others = [bots.get(seat) for seat in range(lesson.match.players)]
    origin = f"/learn/{lesson.game.name}/{lesson.key}"
    return gone_on(lesson.match, len(lesson.texts), you, others, origin, LEARNER)


def taught(name: str) -> list[Lesson]:
    """A game's lessons.  Raises HttpRefusal 404 if there are none."""
    there = lessons_of(games.find(name)) if name in games.names() else []
    if not there:
        known = [games.find(game) for game in games.names() if lessons_of(games.find(game))]
        why = f"there are no lessons of that name; there are those of {titles(known)}"
        raise HttpRefusal(404, why)
    return there


def titles(known: list[Any]) -> str:
    """Games as a sentence lists them."""
    return listing([game.title for game in known]) if known else "no game"


def find(name: str, key: str) -> Lesson:
    """A lesson.  Raises HttpRefusal 404."""
    for lesson in taught(name):
        if lesson.key == key:
            return lesson
    raise HttpRefusal(404, "there is no such lesson")


def ready(request: Asked, name: str, key: str) -> Lesson:
    """A lesson, played by compiled rules if they are there.  Raises HttpRefusal 404."""
    lesson = find(name, key)
    if registry_of(request).thinkers.compiling.how(games.find(name)) == "compiled":
        lesson.by("compiled")
    return lesson


def inside(lesson: Lesson, n: int) -> int:
    """A step that there is: the nearest one."""
    return max(0, min(n, len(lesson.steps) - 1))


def texts(form: FormMultiDict) -> list[str]:
    """What a form chooses; nothing if it only goes on."""
    if "choice" not in form:
        return []
    try:
        choice = Choice.of_form(form).choice
    except Refused:  # nothing that the choice is for was picked: no choice yet
        return []
    return choice if isinstance(choice, list) else [str(choice)]


async def shown(
    request: Asked, me: Person | None, lesson: Lesson, n: int, said: Answer | None = None
) -> Response[bytes]:
    """The page of a step; ``said``: with the teacher's reply to a choice."""
    name = you(request)
    story: list[str] = []
    if said and said.see:
        _, story = await asyncio.to_thread(lessons.side_line, lesson, n, said.see, name)
    view = await asyncio.to_thread(lessons.step, lesson, n, name)
    made = page(
        request,
        "learn.html",
        me,
        **around(request, lesson, n, said),
        story=story,
        view=lessons.markup(view),
        sheets=static_files.sheets(lesson.game.name),
    )
    done(request, made, lesson, n)
    return made


def around(request: Asked, lesson: Lesson, n: int, said: Answer | None) -> dict[str, Any]:
    """What the page around the table needs."""
    there = lessons_of(lesson.game)
    after = there[there.index(lesson) + 1 :]
    return {
        **lessons.panel(lesson, n, said),
        "game": lesson.game,
        "there": there,
        "next": after[0] if after else None,
        "done": learned(request).get(lesson.game.name, set()),
    }


async def told(request: Asked, lesson: Lesson, n: int, said: Answer) -> Response[bytes]:
    """The same for a script: the views to show one after another, and the teacher's panel."""
    name = you(request)
    story: list[str] = []
    seen: list[str] = []
    if said.step != n:
        seen = await asyncio.to_thread(lessons.passed, lesson, n, said.step, name)
    elif said.see:
        seen, story = await asyncio.to_thread(lessons.side_line, lesson, n, said.see, name)
        seen.append(lessons.step(lesson, n, name))
    what = around(request, lesson, said.step, said)
    teacher = renderers.env().get_template("teacher.html").render(**what, story=story, seen=True)
    body = {
        "step": said.step,
        "views": seen,
        "back": bool(story),
        "teacher": teacher,
    }
    made = Response(msgspec.json.encode(body), media_type="application/json")
    done(request, made, lesson, said.step)
    return made


def done(request: Asked, made: Response[bytes], lesson: Lesson, n: int) -> None:
    """Remember a lesson whose last step is shown."""
    if n == len(lesson.steps) - 1:
        note(request, made, lesson.game.name, lesson.number)


router = Router(
    "/",
    route_handlers=[begin, look, choose, play],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
