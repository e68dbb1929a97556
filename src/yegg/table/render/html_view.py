"""A table's view as a page: what its templates need, and nothing that a seat may not know."""

from collections.abc import Iterable, Sequence
from typing import Any

import segno
from markupsafe import Markup, escape

from yegg import players
from yegg.engine import NOBODY, Match, View
from yegg.engine.promised import has_chance
from yegg.engine.secrecy import Heard
from yegg.players.judges import fallbacks
from yegg.table.domain import faces
from yegg.table.domain.deals import unfit
from yegg.table.domain.phrases_and_emotes import among_people
from yegg.table.domain.sealed_orders import Acting
from yegg.table.domain.seats import BOT
from yegg.table.domain.shown_position import ShownPosition, winners
from yegg.table.domain.table_view import TableView
from yegg.text.phrases import listing, number, several

from . import clocks, renderers, rulebook, svg

SHOWN = 50  # lines of the log
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
YOURS = "● "  # begins the title of a page where it is your turn; `turn.js` knows it too


def standing_in(shown: ShownPosition, seats: Iterable[int]) -> str:
    """Which bots are not compiled yet, or cannot be, so that another plays; "" if none."""
    there = {p.name: p.bot for seat in seats if (p := shown.now.seats[seat]).bot}
    keeper, notes = shown.keeper, []
    for ever in True, False:
        called = {
            name: bot
            for name, bot in there.items()
            if bot and keeper.preparing(bot) and keeper.hopeless(bot) != ever
        }
        notes.append(players.until_ready(called, ever=ever))
    return " ".join(filter(None, notes))


def watching(guests: int) -> str:
    """The number of people who watch, in words.

    >>> watching(0), watching(1), watching(3)
    ('', 'one is watching', 'three are watching')
    """
    return f"{number(guests)} {'is' if guests == 1 else 'are'} watching" if guests else ""


def following(shown: ShownPosition, seat: int) -> dict[str, Any] | None:
    """The table that was set for a rematch: its key, and who has set it."""
    if shown.now.next is None:
        return None
    key, by = shown.now.next
    return {"key": key, "by": shown.now.seats[by].name, "mine": by == seat}


def beside(shown: ShownPosition, seat: int) -> list[tuple[str, str]]:
    """The levels next to that of the bots whom a seat alone played against, each with a word."""
    others = [p for p in shown.seats if p.i != seat]
    bots = {p.bot for p in others}
    if seat < 0 or len(bots) != 1 or any(p.person for p in others) or not bots & {*players.LEVELS}:
        return []
    at = players.LEVELS.index(bots.pop() or "")
    next_to = [("Easier", at - 1), ("Stronger", at + 1)]
    return [(word, players.LEVELS[i]) for word, i in next_to if 0 <= i < len(players.LEVELS)]


def dice(shown: ShownPosition, seat: int) -> dict[str, Any] | None:
    """The words about a table's dice; None if its game has none."""
    if not has_chance(shown.game):
        return None
    fixed = shown.dice and shown.dice.shown
    return {"promise": fixed and fixed.promise, "line": renderers.fixed(fixed, seat)}


def turn(view: TableView) -> dict[str, Any] | None:
    """The first line of the table: whose turn it is, and the question; None once it is over."""
    shown, now, seat = view.shown, view.now, view.seat
    if now.over:
        return None
    if now.closed:
        return _line("This game cannot go on", "", max(seat, 0))
    if now.paused:
        asks = "Anybody at the table can end the pause."
        return _line("The game is paused", asks, max(seat, 0))
    if not now.begun:
        free = sum(p.free for p in shown.seats)
        line = f"Waiting for {number(free)} more {'player' if free == 1 else 'players'}"
        asks = "Send the link to friends." if seat >= 0 else "Sit down to play."
        if held := [p.held for p in shown.seats if p.held]:
            asks = f"{listing(held)} can read it at the old table. Seats are held for two minutes."
        return _line(line, asks, max(seat, 0))
    if at := view.acting:
        return _own_turn(view, at)
    first, asks = next(iter(shown.waited_for), 0), view.asked_of_others
    asks = standing_in(shown, [first]) or (asks and f"{now.seats[first].name} is asked: {asks}")
    return _line(shown.waiting_for(), asks, first)


def _line(line: str, asks: str, seat: int, *, mine: bool = False) -> dict[str, Any]:
    return {"mine": mine, "line": line, "asks": asks, "seat": seat}


def _own_turn(view: TableView, at: Acting) -> dict[str, Any]:
    """The first line for a seat that may act, or whose bot may, or whose orders are given."""
    shown, now, seat, mine, asks = view.shown, view.now, view.seat, False, view.question
    place = now.seats[seat]
    if seat in now.late:
        line, asks = "Your time was up", "The rules write your orders of this turn."
    elif place.bot:
        line = f"A bot ({place.bot}) is playing for you"
        asks = "To play yourself again, open the menu."
        if place.stand_in:
            asks = "Your time was up. The next turn is yours again."
    elif at.ready:
        line, asks = f"Your orders are sealed, {place.name}", f"{shown.waiting_for()}."
    else:
        line, mine = f"Your turn, {place.name}", True
        if at.full:
            what = "reveal" if view.alone_with_bots else "seal"
            line = f"Your sheet is full, {place.name}"
            asks = f"You may {what} it, or change any order."
        asks = " ".join(filter(None, [asks, standing_in(shown, range(len(now.seats)))]))
    return _line(line, asks, seat, mine=mine)


def beyond(shown: ShownPosition, seat: int) -> list[str]:
    """The events that today's rules cannot replay, newest first, in the words of the record."""
    told, names = shown.now.told_beyond(seat), shown.now.match.names
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


def log(shown: ShownPosition, told: list[Heard], upto: int) -> list[Markup]:
    """The log's lines, newest first: the last events before ``upto``, and what seats were told."""
    first = upto - len(told)
    notices = [n for n in shown.now.notices if first <= n.after <= upto]
    mixed = [(first + i, 1, line) for i, line in enumerate(told)]
    mixed += [(n.after, 0, Heard(NOBODY, "", n.text)) for n in notices]
    lines = logged([line for _, _, line in sorted(mixed, key=lambda entry: entry[:2])])
    mark = svg.bot()
    return [escape(line).replace(BOT, mark) for line in lines[:SHOWN]]


def template_values(
    shown: ShownPosition, seat: int, seen: View | Match, told: list[Heard], upto: int
) -> dict[str, Any]:
    """The values ``t`` and ``scene`` of the templates, for any moment of a game."""
    names, told = [p.name for p in shown.seats], told[-faces.TOLD :]
    t = {
        "key": shown.key,
        "game": shown.game,
        "name": shown.name,
        "seat": seat,
        "names": names,
        "seats": [{**p._asdict(), "crest": p.i + 1} for p in shown.seats],
        "judges": fallbacks(shown.game, [p.bot for p in shown.seats if p.bot]),
        "log": [*beyond(shown, seat), *log(shown, told, upto)][:SHOWN],
        "odds": shown.odds,
        "begun": shown.now.begun,
        "closed": shown.now.note,
        "next": following(shown, seat),
        "beside": beside(shown, seat),
        "origin": shown.origin,
        "evening": shown.keeper.evening,
        "deal": shown.keeper.deal,
        "challenge": challenge(shown, seat),
        "dice": dice(shown, seat),
        "guests": watching(shown.around.guests),
        "watch": shown.terms,
        "later": shown.watch.delay if shown.watch else "",
        "among_people": among_people(shown.now.seats),
        "template": renderers.template(shown.game, "scene.html") or "plain.html",
    }
    newest = faces.feed(shown.game, told)
    return {"t": t, "scene": faces.scene(shown.game, seen.state, names, seat, newest)}


def challenge(shown: ShownPosition, seat: int) -> str:
    """Where friends are challenged by a finished game: a page, or "new"; "" where they are not."""
    if seat < 0 or shown.keeper.deal:
        return ""
    if shown.now.challenge:
        return f"/challenge/{shown.now.challenge}"
    return "" if unfit(shown.now, seat, shown.dice) else "new"


def now(view: TableView) -> dict[str, Any]:
    """The table at this moment, with what the seat may do."""
    shown, match, seat, lines = view.shown, view.now.match, view.seat, view.heard
    made = template_values(shown, seat, view.eyes, lines, len(match.history))
    made["t"].update(
        number=view.number,
        clock=clocks.as_html(shown, seat),
        turn=view.once(turn),
        acts=view.acts,
        clauses=rulebook.numbers(view.game, view.eyes.state),
        orders=view.orders,
        sheet=view.sheet,
        over=view.now.over,
        can_undo=view.can_undo,
        gone=[
            p
            for p in made["t"]["seats"]
            if p["i"] != seat and ((p["free"] and not p["held"]) or p["away"])
        ],
        bots=shown.keeper.able(),
        opener=seat >= 0 and view.now.seats[seat].person == view.now.opener,
        events=len(match.history),
        others_chose=sum(actor >= 0 and actor != seat for actor in match.actors),
        acted=seat < 0 or seat in match.actors,
        in_parts=faces.in_parts(view.game, lines),
        fresh=lines[-1].text.partition(" ")[0] if lines else "",
    )
    if view.now.over:
        made["t"]["result"] = view.once(result)
    if view.now.closed and view.orders:  # they can be read, but not changed
        made["t"]["closed"] += f" Your orders under seal: {', '.join(view.orders)}."
        made["t"]["orders"] = []
    made["t"]["title"] = title(view)
    return made


def title(view: TableView) -> str:
    """The title of the page; what is new stands first, since a browser's tab is narrow."""
    said = view.once(turn) or view.once(result)
    if said.get("mine"):
        due, now = view.shown.due[view.seat], view.shown.keeper.moment()
        left = f"{clocks.short(max(0, due - now))} · " if due is not None else ""
        return f"{YOURS}{left}Your turn, {view.game.title}"
    return f"{said['line']} · {view.game.title}"


POINTS = "point", "points"


def ending(
    names: Sequence[str],
    places: Sequence[int],
    scores: Sequence[int],
    seat: int = -1,
    scored: tuple[str, str] = POINTS,
) -> str:
    """How the game ended, in words for one seat (-1: for those who watched).

    ``scored``: one of what the score counts, and several.

    >>> ending(["Ann", "Ben"], [2, 1], [3, 4], 0), ending(["Ann", "Ben"], [1, 2], [4, 4], 0)
    ('You lost by one point, 3 to 4', 'You win the tie, 4 to 4')
    >>> ending(["Ann", "Ben", "Cy"], [1, 1, 3], [9, 9, 4], 0)
    'You share the win with Ben'
    >>> ending(["Ann", "Ben", "Cy"], [2, 1, 3], [7, 9, 4], 2)
    'You are third: Ben wins with 9, you have 4'
    >>> ending(["Ann", "Ben"], [2, 1], [3, 4])
    'Ben wins'
    """
    first = winners(names, places)
    if not 0 <= seat < len(places):
        return first
    own, best = scores[seat], scores[list(places).index(1)]
    also = [name for i, name in enumerate(names) if places[i] == 1 and i != seat]
    if places[seat] == 1 and also:
        return f"You share the win with {listing(also)}"
    if len(places) == 2:
        won, other = places[seat] == 1, scores[1 - seat]
        apart = abs(own - other)
        by = f"by {number(apart)} {scored[apart != 1]}" if apart else "the tie"
        return f"You {'win' if won else 'lost'} {by}, {own} to {other}"
    if places[seat] == 1:
        return f"You win with {own}"
    return f"You are {ORDINALS[places[seat] - 1]}: {first} with {best}, you have {own}"


def result(view: TableView) -> dict[str, Any]:
    """How the game ended, said to a seat."""
    shown, match, seat = view.shown, view.now.match, view.seat
    places, scores = shown.result
    names = shown.game.side_names([p.name for p in shown.seats], len(places))
    rows = sorted(zip(places, names, scores, range(len(places)), strict=True))
    face = faces.face(shown.game)
    verdict, scored = getattr(face, "verdict", None), getattr(face, "SCORED", POINTS)
    if not match.over or scores != match.scores or places != match.places:
        verdict = None  # today's rules cannot say why
    return {
        "line": ending(names, places, scores, seat, scored),
        "won": not 0 <= seat < len(places) or places[seat] == 1,
        "why": verdict(match.state, names) if verdict else "",
        "rows": [dict(zip(("place", "name", "score", "i"), row, strict=True)) for row in rows],
        "events": len(match.history),
        "whole": match.over,  # so that it can be looked back on
        "parts": faces.many_parts(shown),
    }


def qr(link: str) -> Markup:
    """A link as a picture for phones."""
    made = segno.make(link, micro=False)
    svg = made.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True, light="#fff")
    return Markup(svg)  # noqa: S704  it holds squares and no text


def living(view: TableView) -> bytes:
    """The living part of a table's page, as a seat sees it."""
    return renderers.env(view.game).get_template("living.html").render(now(view)).encode()
