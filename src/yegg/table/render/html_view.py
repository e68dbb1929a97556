"""The HTML view of a table: what its templates need, and nothing that a seat may not know."""

from collections.abc import Iterable, Sequence
from typing import Any

import segno
from markupsafe import Markup, escape

from yegg import players
from yegg.engine import NOBODY, Match, View
from yegg.engine.promised import has_chance
from yegg.engine.secrecy import Heard
from yegg.players.judges import fallbacks
from yegg.table.domain.sealed_orders import Acting
from yegg.table.domain.seats import BOT
from yegg.table.domain.shown_position import Stage, winners
from yegg.table.service.compiling import sorted_by_use
from yegg.text.phrases import listing, number, several

from . import clocks, renderers, rulebook, svg
from .json_view import asked_of_others, eyes, orders, question

SHOWN = 50  # lines of the log
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
YOURS = "● "  # begins the title of a page where it is your turn; `turn.js` knows it too


def place(table: Stage, i: int) -> dict[str, Any]:
    """A seat, for the templates."""
    seat = table.now.seats[i]
    return {
        "i": i,
        "name": seat.name,
        "bot": seat.bot,
        "stand_in": seat.stand_in,
        "free": seat.free,
        "person": seat.person is not None,
        "wishes": i in table.now.close_votes,
        "held": seat.held.name if seat.held and i in table.held else "",
        "away": i in table.away,
        "crest": i + 1,
        "turn": i in table.now.waited_for(),
        "ready": i in table.now.ready(),
    }


def standing_in(table: Stage, seats: Iterable[int]) -> str:
    """Which bots are not compiled yet, or cannot be, so that another plays; "" if none."""
    there = {p.name: p.bot for seat in seats if (p := table.now.seats[seat]).bot}
    notes = []
    for ever in True, False:
        called = {
            name: bot
            for name, bot in there.items()
            if bot and table.preparing(bot) and table.hopeless(bot) != ever
        }
        notes.append(players.until_ready(called, ever=ever))
    return " ".join(filter(None, notes))


def watching(guests: int) -> str:
    """The number of people who watch, in words.

    >>> watching(0), watching(1), watching(3)
    ('', 'one is watching', 'three are watching')
    """
    return f"{number(guests)} {'is' if guests == 1 else 'are'} watching" if guests else ""


def following(table: Stage, seat: int) -> dict[str, Any] | None:
    """The table that was set for a rematch: its key, and who has set it."""
    if table.now.next is None:
        return None
    key, by = table.now.next
    return {"key": key, "by": table.now.seats[by].name, "mine": by == seat}


def dice(table: Stage, seat: int) -> dict[str, Any] | None:
    """The words about a table's dice; None if its game has none."""
    if not has_chance(table.game):
        return None
    shown = table.dice and table.dice.shown
    return {"promise": shown and shown.promise, "line": renderers.fixed(shown, seat)}


def turn(table: Stage, seat: int) -> dict[str, Any] | None:
    """The first line of the table: whose turn it is, and the question; None once it is over."""
    now = table.now
    if now.over:
        return None
    if now.closed:
        return _line("This game cannot go on", "", max(seat, 0))
    if now.paused:
        asks = "Anybody at the table can end the pause."
        return _line("The game is paused", asks, max(seat, 0))
    if not now.begun:
        free = sum(p.free for p in now.seats)
        line = f"Waiting for {number(free)} more {'player' if free == 1 else 'players'}"
        asks = "Send the link to friends." if seat >= 0 else "Sit down to play."
        if held := [now.seats[i].held.name for i in sorted(table.held)]:  # type: ignore[union-attr]
            asks = f"{listing(held)} can read it at the old table. Seats are held for two minutes."
        return _line(line, asks, max(seat, 0))
    if at := now.acting().get(seat):
        return _own_turn(table, seat, at, question(table, seat))
    first, asks = next(iter(now.waited_for()), 0), asked_of_others(table)
    asks = standing_in(table, [first]) or (asks and f"{now.seats[first].name} is asked: {asks}")
    return _line(table.waiting_for(), asks, first)


def _line(line: str, asks: str, seat: int, *, mine: bool = False) -> dict[str, Any]:
    return {"mine": mine, "line": line, "asks": asks, "seat": seat}


def _own_turn(table: Stage, seat: int, at: Acting, asks: str) -> dict[str, Any]:
    """The first line for a seat that may act, or whose bot may, or whose orders are given."""
    now, mine = table.now, False
    place = now.seats[seat]
    if seat in now.late:
        line, asks = "Your time was up", "The rules write your orders of this turn."
    elif place.bot:
        line = f"A bot ({place.bot}) is playing for you"
        asks = "To play yourself again, open the menu."
        if place.stand_in:
            asks = "Your time was up. The next turn is yours again."
    elif at.ready:
        line, asks = f"Your orders are given, {place.name}", f"{table.waiting_for()}."
    else:
        line, mine = f"Your turn, {place.name}", True
        asks = " ".join(filter(None, [asks, standing_in(table, range(len(now.seats)))]))
    return _line(line, asks, seat, mine=mine)


def buttons(table: Stage, seat: int) -> list[dict[str, Any]]:
    """What the seat may do, as buttons with their odds where the table allows them."""
    match = table.now.turn_of(seat)
    if match is None or table.now.seats[seat].bot:
        return []
    s = match.known_to(seat)[0]
    listed = renderers.acts(table.game, s, seat, match.texts)
    voice = table.game.voice
    for act in listed:
        if not table.odds:
            act["chance"] = None
        elif voice.has_odds and not {"odds", "chance", "no"} & act.keys():
            act["odds"] = voice.odds(s, match.hear(act["text"]), seat)
    return listed


def beyond(table: Stage, seat: int) -> list[str]:
    """The events that today's rules cannot replay, newest first, in the words of the record."""
    told, names = table.now.told_beyond(seat), table.now.match.names
    return [text if i < 0 else f"{names[i]}: {text}" for i, text in told][::-1]


def dice_together(events: Sequence[Heard]) -> list[Heard]:
    """Events of which dice that fall one after another are one.

    >>> die = Heard(-1, "roll 3", "A die shows 3.", die="3")
    >>> other = die._replace(die="1", then="Ben collects a sun.")
    >>> dice_together([Heard(0, "go", "Ann goes."), die, other])[-1].prose
    'The dice show 3 and 1. Ben collects a sun.'
    """
    lines: list[Heard] = []
    faces: list[str] = []
    for event in events:
        faces = [*faces, event.die] if event.die else []
        if len(faces) > 1:
            shown = f"The dice show {several(faces)}."
            lines[-1] = event._replace(prose=" ".join(filter(None, [shown, event.then])))
        else:
            lines.append(event)
        if event.then or event.news:
            faces = []
    return lines


def logged(lines: list[Heard]) -> list[str]:
    """The log in sentences, newest first; dice that fall one after another are one entry."""
    told = [s for line in dice_together(lines) for s in (line.prose, *reversed(line.news)) if s]
    return told[::-1]


def log(table: Stage, told: list[Heard], upto: int) -> list[Markup]:
    """The log's lines, newest first: the last events before ``upto``, and what seats were told."""
    first = upto - len(told)
    notices = [n for n in table.now.notices if first <= n.after <= upto]
    mixed = [(first + i, 1, line) for i, line in enumerate(told)]
    mixed += [(n.after, 0, Heard(NOBODY, "", n.text)) for n in notices]
    lines = logged([line for _, _, line in sorted(mixed, key=lambda entry: entry[:2])])
    mark = svg.bot()
    return [escape(line).replace(BOT, mark) for line in lines[:SHOWN]]


def drawn(
    table: Stage, seat: int, seen: View | Match, told: list[Heard], upto: int
) -> dict[str, Any]:
    """The values ``t`` and ``scene`` of the templates, for any moment of a game."""
    names, told = [p.name for p in table.now.seats], told[-renderers.TOLD :]
    t = {
        "key": table.key,
        "game": table.game,
        "name": table.name,
        "seat": seat,
        "names": names,
        "seats": [place(table, i) for i in range(len(names))],
        "judges": fallbacks(table.game, [p.bot for p in table.now.seats if p.bot]),
        "log": [*beyond(table, seat), *log(table, told, upto)][:SHOWN],
        "odds": table.odds,
        "begun": table.now.begun,
        "closed": table.now.note,
        "next": following(table, seat),
        "origin": table.origin,
        "dice": dice(table, seat),
        "guests": watching(table.guests),
        "template": renderers.template(table.game, "scene.html") or "plain.html",
    }
    newest = renderers.told(table.game, told)
    return {"t": t, "scene": renderers.scene(table.game, seen.state, names, seat, newest)}


def now(table: Stage, seat: int) -> dict[str, Any]:
    """The table at this moment, with what the seat may do."""
    match = table.now.match
    lines = table.heard(seat, renderers.TOLD)
    made = drawn(table, seat, eyes(table, seat), lines, len(match.history))
    made["t"].update(
        number=table.now.seen[seat],
        clock=clocks.as_html(table, seat),
        turn=turn(table, seat),
        acts=buttons(table, seat),
        clauses=rulebook.numbers(table.game, eyes(table, seat).state),
        orders=orders(table, seat),
        over=table.now.over,
        can_undo=seat >= 0 and table.now.may_undo(seat),
        gone=[
            p
            for p in made["t"]["seats"]
            if p["i"] != seat and ((p["free"] and not p["held"]) or p["away"])
        ],
        bots=sorted_by_use(table.able()),
        events=len(match.history),
        acted=seat < 0 or seat in match.actors,
        in_parts=renderers.in_parts(table.game, lines),
        fresh=lines[-1].text.partition(" ")[0] if lines else "",
    )
    if table.now.over:
        made["t"]["result"] = result(table, seat)
    if table.now.closed and (sealed := made["t"]["orders"]):  # they can be read, but not changed
        made["t"]["closed"] += f" Your orders under seal: {', '.join(sealed)}."
        made["t"]["orders"] = []
    made["t"]["title"] = title(table, seat)
    return made


def title(table: Stage, seat: int) -> str:
    """The title of the page; what is new stands first, since a browser's tab is narrow."""
    said = turn(table, seat) or result(table, seat)
    if said.get("mine"):
        due, now = table.now.due_at(seat), table.moment()
        left = f"{clocks.short(max(0, due - now))} · " if due is not None else ""
        return f"{YOURS}{left}Your turn, {table.game.title}"
    return f"{said['line']} · {table.game.title}"


def ending(
    names: Sequence[str], places: Sequence[int], scores: Sequence[int], seat: int = -1
) -> str:
    """How the game ended, in words for one seat (-1: for those who watched).

    >>> ending(["Ann", "Ben"], [2, 1], [3, 4], 0), ending(["Ann", "Ben"], [2, 1], [3, 4], 1)
    ('You lost, 3 to 4', 'You win, 4 to 3')
    >>> ending(["Ann", "Ben", "Cy"], [1, 1, 3], [9, 9, 4], 0)
    'You share the win with Ben'
    >>> ending(["Ann", "Ben", "Cy"], [2, 1, 3], [7, 9, 4], 2)
    'You are third: Ben wins with 9, you have 4'
    >>> ending(["Ann", "Ben"], [2, 1], [3, 4])
    'Ben wins'
    """
    won = winners(names, places)
    if not 0 <= seat < len(places):
        return won
    own, best = scores[seat], scores[list(places).index(1)]
    also = [name for i, name in enumerate(names) if places[i] == 1 and i != seat]
    if places[seat] == 1:
        if also:
            return f"You share the win with {listing(also)}"
        return (
            f"You win, {own} to {scores[1 - seat]}" if len(places) == 2 else f"You win with {own}"
        )
    if len(places) == 2:
        return f"You lost, {own} to {best}"
    return f"You are {ORDINALS[places[seat] - 1]}: {won} with {best}, you have {own}"


def result(table: Stage, seat: int = -1) -> dict[str, Any]:
    """How the game ended, said to a seat."""
    match = table.now.match
    places, scores = table.now.result()
    names = table.game.side_names([p.name for p in table.now.seats], len(places))
    rows = sorted(zip(places, names, scores, range(len(places)), strict=True))
    verdict = getattr(renderers.face(table.game), "verdict", None)
    if not match.over or scores != match.scores or places != match.places:
        verdict = None  # today's rules cannot say why
    return {
        "line": ending(names, places, scores, seat),
        "won": not 0 <= seat < len(places) or places[seat] == 1,
        "why": verdict(match.state, names) if verdict else "",
        "rows": [dict(zip(("place", "name", "score", "i"), row, strict=True)) for row in rows],
        "events": len(match.history),
        "whole": match.over,  # so that it can be looked back on
        "parts": renderers.many_parts(table),
    }


def qr(link: str) -> Markup:
    """A link as a picture for phones."""
    made = segno.make(link, micro=False)
    svg = made.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True, light="#fff")
    return Markup(svg)  # noqa: S704  it holds squares and no text


def living(table: Stage, seat: int) -> bytes:
    """The living part of a table's page, as a seat sees it."""
    made = now(table, seat)
    return renderers.env(table.game).get_template("living.html").render(made).encode()
