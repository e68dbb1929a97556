"""Routes of lessons, which keep nothing: the step is in the address."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from yegg import games
from yegg.engine import Refused
from yegg.lessons import Answer, Lesson, answer
from yegg.lessons.lesson import LEARNER
from yegg.lessons.record import AnnotatedRecord
from yegg.table.http.actions import open_table
from yegg.table.http.bodies import GUEST, MOST, Choice, Form, number, salt_of
from yegg.table.http.cookies import learned, lessons_of, named, remember, remembered
from yegg.table.http.form_answers import LONGEST, see
from yegg.table.http.requests import Visitor, Who
from yegg.table.http.responses import ask_name, page, to_table
from yegg.table.refusals import HttpRefusal
from yegg.table.render import lessons, renderers, static_files
from yegg.table.service.forks_and_rematches import wish_to_go_on
from yegg.table.service.new_tables import ME, NewTable
from yegg.text.phrases import listing

DIGITS = 5  # of a step
R = TypeVar("R", bound=AnnotatedRecord)


@get("/learn/{name:str}")
async def begin(who: Who, name: FromPath[str]) -> Redirect:
    """The first lesson of a game that the visitor has not done."""
    lessons, done = taught(name), learned(who).get(name, set())
    first = next((lesson for lesson in lessons if lesson.number not in done), lessons[0])
    return see(f"/learn/{name}/{first.key}")


@get("/learn/{name:str}/{key:str}")
async def look(
    who: Who, name: FromPath[str], key: FromPath[str], at: FromQuery[int] = 0
) -> Response[bytes]:
    """A step of a lesson; with a choice in the address also the teacher's reply to it."""
    who.draws_anew()
    lesson, asked = ready(who, name, key), who.request.query_params
    n = inside(lesson, at)
    said = await asyncio.to_thread(answer, lesson, n, texts(asked)) if "choice" in asked else None
    return await shown(who, lesson, n, said if said and said.step == n else None)


@post("/learn/{name:str}/{key:str}")
async def choose(who: Who, name: FromPath[str], key: FromPath[str]) -> Response[bytes] | Redirect:
    """Go on, or make a choice: to the next step, or the same one with the teacher's reply."""
    who.draws_anew()
    lesson, form = ready(who, name, key), await who.request.form()
    n = inside(lesson, number(form, "at", DIGITS) or 0)
    said = await asyncio.to_thread(answer, lesson, n, texts(form))
    if "application/json" in who.request.headers.get("accept", ""):
        return await script_answer(who, lesson, n, said)
    if said.step != n:
        return see(f"/learn/{name}/{key}", at=said.step)
    chosen = {field: picked(form, field) for field in ("pick", "choice", "who")}
    return see(f"/learn/{name}/{key}", at=n, **chosen)


@post("/learn/{name:str}/{key:str}/play")
async def play(who: Who, name: FromPath[str], key: FromPath[str]) -> Redirect:
    """A table with the bots of the lesson: a fresh one, or one that goes on from its end."""
    lesson = find(name, key)
    return await opened_by_form(
        who, lambda form, you: (onward if "on" in form else first_game)(lesson, you)
    )


async def opened_by_form(who: Visitor, wish: Callable[[Form, str], NewTable]) -> Redirect:
    """Open the table that is wished for by a form and a name; a name that is none is asked for."""
    person, form = who.sender().id, await who.request.form()
    called, wrong = named(who, form)
    if wrong:
        return ask_name(who, form)
    called = called or GUEST
    table = await open_table(who, replace(wish(form, called), salt=salt_of(form)), person)
    return to_table(who, table.key, None if called == GUEST else called)


def first_game(lesson: Lesson, you: str) -> NewTable:
    """A new game by the published rules."""
    bots = lesson.play or ["easy"] * (lesson.game.usual - 1)
    return NewTable(lesson.game.name, [ME, *bots], you, listed=False)


def onward(lesson: Lesson, you: str) -> NewTable:
    """The game of the lesson, from its end.  Raises HttpRefusal 409 if it is over."""
    bots = dict(enumerate(lesson.play, LEARNER + 1))
    others = [bots.get(seat) for seat in range(lesson.match.players)]
    origin = f"/learn/{lesson.game.name}/{lesson.key}"
    return wish_to_go_on(lesson.match, len(lesson.texts), you, others, origin, LEARNER)


def taught(name: str) -> list[Lesson]:
    """A game's lessons.  Raises HttpRefusal 404 if there are none."""
    there = lessons_of(games.find(name)) if name in games.names() else []
    if not there:
        known = [games.find(game) for game in games.names() if lessons_of(games.find(game))]
        titles = listing([game.title for game in known]) if known else "no game"
        raise HttpRefusal(404, f"there are no lessons of that name; there are those of {titles}")
    return there


def find(name: str, key: str) -> Lesson:
    """A lesson.  Raises HttpRefusal 404."""
    for lesson in taught(name):
        if lesson.key == key:
            return lesson
    raise HttpRefusal(404, "there is no such lesson")


def ready(who: Visitor, name: str, key: str) -> Lesson:
    """A lesson, played by compiled rules if they are there.  Raises HttpRefusal 404."""
    return by_compiled(who, find(name, key))


def by_compiled(who: Visitor, record: R) -> R:
    """A lesson or puzzle, played by compiled rules if they are there."""
    compiling = who.registry.thinkers.compiling
    compiling.prepare(record.game)
    if compiling.how(record.game) == "compiled":
        record.by("compiled")
    return record


def inside(lesson: Lesson, n: int) -> int:
    """A step that there is: the nearest one."""
    return max(0, min(n, len(lesson.steps) - 1))


def picked(form: Form, field: str) -> list[str]:
    """The values of a field, as an address can hold them."""
    return [str(value)[:LONGEST] for value in form.getall(field, [])[:MOST]]


def texts(form: Form) -> list[str]:
    """What a form chooses; nothing if it only goes on."""
    if "choice" not in form:
        return []
    try:
        choice = Choice.of_form(form).choice
    except Refused:  # nothing that the choice is for was picked: no choice yet
        return []
    return choice if isinstance(choice, list) else [str(choice)]


async def shown(
    who: Visitor, lesson: Lesson, n: int, said: Answer | None = None
) -> Response[bytes]:
    """The page of a step; ``said``: with the teacher's reply to a choice."""
    name = remembered(who)
    story: list[str] = []
    if said and said.see:
        _, story = await asyncio.to_thread(lessons.side_line, lesson, n, said.see, name)
    view = await asyncio.to_thread(lessons.step, lesson, n, name)
    response = page(
        who,
        "learn.html",
        **around(who, lesson, n, said),
        story=story,
        view=lessons.markup(view),
        sheets=static_files.sheets(lesson.game.name),
    )
    done(who, response, lesson, n)
    return response


def around(who: Visitor, lesson: Lesson, n: int, said: Answer | None) -> dict[str, Any]:
    """What the page around the table needs."""
    there = lessons_of(lesson.game)
    after = there[there.index(lesson) + 1 :]
    return {
        **lessons.panel(lesson, n, said),
        "game": lesson.game,
        "there": there,
        "next": after[0] if after else None,
        "done": learned(who).get(lesson.game.name, set()),
    }


async def script_answer(who: Visitor, lesson: Lesson, n: int, said: Answer) -> Response[bytes]:
    """The same for a script: the views to show one after another, and the teacher's panel."""
    name = remembered(who)
    story: list[str] = []
    seen: list[str] = []
    if said.step != n:
        seen = await asyncio.to_thread(lessons.passed, lesson, n, said.step, name)
    elif said.see:
        seen, story = await asyncio.to_thread(lessons.side_line, lesson, n, said.see, name)
        seen.append(lessons.step(lesson, n, name))
    what = around(who, lesson, said.step, said)
    teacher = renderers.env().get_template("teacher.html").render(**what, story=story, seen=True)
    body = {
        "step": said.step,
        "address": f"?at={said.step}",
        "views": seen,
        "back": bool(story),
        "teacher": teacher,
    }
    response = Response(msgspec.json.encode(body), media_type="application/json")
    done(who, response, lesson, said.step)
    return response


def done(who: Visitor, response: Response[bytes], lesson: Lesson, n: int) -> None:
    """Remember a lesson whose last step is shown."""
    if n == len(lesson.steps) - 1:
        remember(who, response, lesson.game.name, lesson.number)
