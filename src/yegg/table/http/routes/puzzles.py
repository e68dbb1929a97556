"""Routes of puzzles: what is asked is in the address, and only first tries are kept."""

import asyncio
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from yegg import games
from yegg.engine import Game
from yegg.lessons import Puzzle, Verdict, verdict
from yegg.lessons.answer import objection
from yegg.table.domain.puzzle_tries import Tries
from yegg.table.http.cookies import level, puzzles_of, remembered
from yegg.table.http.form_answers import see
from yegg.table.http.requests import Visitor, Who
from yegg.table.http.responses import page
from yegg.table.refusals import HttpRefusal
from yegg.table.render import lessons, puzzles, renderers, static_files
from yegg.table.service import deals, puzzle_tries
from yegg.table.service.forks_and_rematches import wish_to_go_on
from yegg.text.phrases import listing

from .lessons import by_compiled, opened_by_form, picked, texts

NOT_HERE = "That is not possible here. Try something else."


@get("/puzzles")
async def contents(who: Who) -> Response[bytes]:
    """The puzzles of today, and all others."""
    who.draws_anew()
    known, tries = await asked(who)
    every = [
        (
            game,
            [
                puzzles.shown(game, one, tries[game.name].get(one.number, Tries()))
                for one in puzzles_of(game)
            ],
        )
        for game in known
    ]
    day = date.fromisoformat(deals.today(who.store))
    return page(who, "puzzles.html", every=every, today=puzzles.today(known, day, tries))


async def puzzles_of_day(who: Visitor, day: date) -> list[dict[str, Any]]:
    """Values for ``puzzles_today.html``: the puzzles of a day, and how the visitor did."""
    known, tries = await asked(who)
    return puzzles.today(known, day, tries)


async def asked(who: Visitor) -> tuple[list[Game], dict[str, dict[int, Tries]]]:
    """The games that have puzzles, and by their names the first tries."""
    known = [game for name in games.names() if puzzles_of(game := games.find(name))]
    return known, {game.name: await tried(who, game.name) for game in known}


@get("/puzzles/{name:str}/{key:str}")
async def look(who: Who, name: FromPath[str], key: FromPath[str]) -> Response[bytes]:
    """A puzzle; with a choice in the address also what it was worth."""
    who.draws_anew()
    puzzle, asked = ready(who, name, key), who.request.query_params
    chosen = first(texts(asked))
    said = await asyncio.to_thread(verdict, puzzle, chosen)
    view = await asyncio.to_thread(
        puzzles.position, puzzle, remembered(who), ringed=said is not None
    )
    return page(
        who,
        "puzzle.html",
        **await around(who, puzzle, chosen, said),
        view=lessons.markup(view),
        sheets=static_files.sheets(puzzle.game.name),
    )


@post("/puzzles/{name:str}/{key:str}")
async def choose(who: Who, name: FromPath[str], key: FromPath[str]) -> Response[bytes] | Redirect:
    """Make a choice: to the same page with what it was worth."""
    who.draws_anew()
    puzzle, form = ready(who, name, key), await who.request.form()
    chosen = first(texts(form))
    said = await asyncio.to_thread(verdict, puzzle, chosen)
    if said and who.person:
        keep = partial(
            puzzle_tries.try_once,
            game=name,
            puzzle=puzzle.number,
            person=who.person,
            found=said.right,
        )
        with suppress(HttpRefusal):  # it could not be saved, or somebody pressed twice
            await who.change(lambda connection, _: keep(connection))
    kept = {field: picked(form, field) for field in ("pick", "choice", "who")}
    answer = see(f"/puzzles/{name}/{puzzle.number}", **kept)
    if "application/json" not in who.request.headers.get("accept", ""):
        return answer
    what = await around(who, puzzle, chosen, said)
    ringed = partial(puzzles.position, puzzle, remembered(who), ringed=True)
    body = {
        "step": what["n"],
        "address": answer.url,
        "views": [await asyncio.to_thread(ringed)] if said else [],
        "back": False,
        "teacher": renderers.env().get_template("puzzle_panel.html").render(**what),
    }
    return Response(msgspec.json.encode(body), media_type="application/json")


@post("/puzzles/{name:str}/{key:str}/play")
async def play(who: Who, name: FromPath[str], key: FromPath[str]) -> Redirect:
    """A table that goes on from the position, against bots."""
    puzzle = find(name, key)
    others = [level(who)] * puzzle.match.players
    origin = puzzles.address(puzzle.game, puzzle)
    return await opened_by_form(
        who,
        lambda _, you: wish_to_go_on(
            puzzle.match, len(puzzle.events), you, others, origin, puzzle.seat
        ),
    )


def first(chosen: list[str]) -> str:
    """The choice that is judged: puzzles ask for one at a time."""
    return chosen[0] if chosen else ""


def of(name: str) -> list[Puzzle]:
    """A game's puzzles.  Raises HttpRefusal 404 if there are none."""
    there = puzzles_of(games.find(name)) if name in games.names() else []
    if not there:
        known = [game.title for each in games.names() if puzzles_of(game := games.find(each))]
        titles = listing(known) if known else "no game"
        raise HttpRefusal(404, f"there are no puzzles of that name; there are those of {titles}")
    return there


def find(name: str, key: str) -> Puzzle:
    """A puzzle.  Raises HttpRefusal 404."""
    there = of(name)
    if key.isdecimal() and len(key) < 5 and 1 <= int(key) <= len(there):
        return there[int(key) - 1]
    raise HttpRefusal(404, f"there is no such puzzle; there are 1 to {len(there)}")


def ready(who: Visitor, name: str, key: str) -> Puzzle:
    """A puzzle, played by compiled rules if they are there.  Raises HttpRefusal 404."""
    return by_compiled(who, find(name, key))


async def tried(who: Visitor, name: str) -> dict[int, Tries]:
    """The first tries at a game's puzzles, with the visitor's own."""
    person = who.person or ""
    return await who.store.query(lambda c: puzzle_tries.of_game(c, name, person))


async def around(who: Visitor, puzzle: Puzzle, chosen: str, said: Verdict | None) -> dict[str, Any]:
    """What the page around the table needs."""
    there = of(puzzle.game.name)
    tries = (await tried(who, puzzle.game.name)).get(puzzle.number, Tries())
    refusal = ""
    if chosen and said is None:
        why = await asyncio.to_thread(objection, puzzle.decision, chosen)
        refusal = why or NOT_HERE
    panel = puzzles.panel(puzzle, remembered(who), tries, said, refusal)
    after = there[puzzle.number % len(there)]
    return {
        **panel,
        "game": puzzle.game,
        "there": there,
        "next": puzzles.address(puzzle.game, after),
    }
