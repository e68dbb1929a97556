"""The table as the pages show it: what a template needs, nothing that the seat may not know."""

from typing import Any

import segno
from markupsafe import Markup

from yegg.engine import CHANCE, View

from . import faces
from .chronicle import Line
from .rooms import Room
from .sheets import eyes, orders, question

TOLD = 80  # events that a face may look back on
SHOWN = 30  # lines of the log


def place(room: Room, i: int) -> dict[str, Any]:
    """A seat for the templates."""
    seat = room.now.seats[i]
    acting = room.now.acting()
    return {
        "i": i,
        "name": seat.name,
        "bot": seat.bot,
        "free": seat.free,
        "crest": i + 1,
        "turn": i in acting and not acting[i][1],
        "ready": room.now.sealed and i in acting and acting[i][1],
    }


def turn(room: Room, seat: int) -> dict[str, Any] | None:
    """The first line of the table: whose turn, and the question; nobody's once it is over."""
    now, acting = room.now, room.now.acting()
    if now.over:
        return None
    if not now.begun:
        free = sum(p.free for p in now.seats)
        line = f"Waiting for {'one more player' if free == 1 else f'{free} more players'}"
        asks = "Send the link to friends."
        return {"mine": False, "line": line, "asks": asks, "seat": max(seat, 0)}
    asks = question(room, seat)
    if seat in acting:
        name = now.seats[seat].name
        if acting[seat][1]:
            line, asks = f"Your orders are given, {name}", f"{room.waiting_for()}."
            return {"mine": False, "line": line, "asks": asks, "seat": seat}
        if now.seats[seat].bot:
            line = f"{now.seats[seat].bot} plays for you, {name}"
            return {"mine": False, "line": line, "asks": asks, "seat": seat}
        return {"mine": True, "line": f"Your turn, {name}", "asks": asks, "seat": seat}
    at = next((i for i, (_, done) in acting.items() if not done), 0)
    bot = now.seats[at].bot
    if bot and room.thinkers.warmth.cold(room.game, bot):
        name = now.seats[at].name
        asks = f"{name} is being made ready for this machine: once, and it may take a minute."
    return {"mine": False, "line": f"{room.waiting_for()}", "asks": asks, "seat": at}


def buttons(room: Room, seat: int) -> list[dict[str, Any]]:
    """What the seat may do, as buttons with their odds where the table allows them."""
    there = room.now.acting().get(seat)
    if there is None or there[1] or room.now.seats[seat].bot:
        return []
    match = there[0]
    s = match.known_to(seat)[0]
    listed = faces.acts(room.game, s, seat, match.texts)
    odds = room.game.part("odds")
    for act in listed:
        if not room.odds:
            act["chance"] = None
        elif odds and not {"odds", "chance", "no"} & act.keys():
            act["odds"] = odds.odds(s, match.hear(act["text"]))
    return listed


def logged(lines: list[Line]) -> list[str]:
    """The log in prose, newest first; what chance does in a row is one entry."""
    told: list[str] = []
    chance = False
    for line in lines:
        sentences = [sentence for sentence in line.prose.split("\n") if sentence]
        if chance and line.actor == CHANCE and sentences:
            told[-1] += f" {sentences.pop(0)}"
        elif sentences:
            chance = line.actor == CHANCE
        told.extend(sentences)
    return told[::-1]


def table(room: Room, seat: int, seen: View, told: list[Line]) -> dict[str, Any]:
    """What stands in the templates under ``t`` and ``scene``, for any moment of a game."""
    names = [p.name for p in room.now.seats]
    t = {
        "key": room.key,
        "game": room.game,
        "name": room.name,
        "seat": seat,
        "names": names,
        "seats": [place(room, i) for i in range(len(names))],
        "log": logged(told)[:SHOWN],
        "odds": room.odds,
        "begun": room.now.begun,
        "template": faces.template(room.game, "scene.html") or "plain.html",
    }
    words = [(line.actor, line.text) for line in told[-TOLD:]]
    return {"t": t, "scene": faces.scene(room.game, seen.state, names, seat, words)}


def now(room: Room, seat: int) -> dict[str, Any]:
    """The table at this moment, with what the seat may do."""
    match = room.now.match
    made = table(room, seat, eyes(room, seat), room.chronicle.read(match, seat, TOLD))
    made["t"].update(
        number=room.now.seen[seat],
        turn=turn(room, seat),
        acts=buttons(room, seat),
        orders=orders(room, seat),
        over=room.now.over,
        can_undo=seat >= 0 and room.now.may_undo(seat),
    )
    if room.now.over:
        made["t"]["result"] = result(room)
    return made


def result(room: Room) -> dict[str, Any]:
    """How it ended."""
    match = room.now.match
    places, scores = match.places, match.scores
    names = [p.name for p in room.now.seats] + ["Automa"] * (len(places) - len(room.now.seats))
    rows = sorted(zip(places, names, scores, range(len(places)), strict=True))
    best = [name for place, name, _, _ in rows if place == 1]
    line = f"{best[0]} wins" if len(best) == 1 else f"{' and '.join(best)} share the win"
    verdict = getattr(faces.face(room.game), "verdict", None)
    return {
        "line": line,
        "why": verdict(match.state, names) if verdict else "",
        "rows": [dict(zip(("place", "name", "score", "i"), row, strict=True)) for row in rows],
        "events": len(match.history),
    }


def then(room: Room, seat: int, events: int) -> dict[str, Any]:
    """The table as it was after so many events of a game that is over."""
    match = room.now.match.again()
    match.follow(room.now.match.history[:events])
    lines = room.chronicle.read(room.now.match, seat, len(room.now.match.history))
    made = table(room, seat, match.view(seat), lines[:events][-TOLD:])
    still: dict[str, Any] = {
        "turn": None,
        "acts": [],
        "orders": [],
        "over": True,
        "can_undo": False,
    }
    made["t"].update(still, number=0, then=events)
    return made


def qr(link: str) -> Markup:
    """A link as a picture for phones."""
    made = segno.make(link, micro=False)
    svg = made.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True, light="#fff")
    return Markup(svg)  # noqa: S704  made of squares, not of texts
