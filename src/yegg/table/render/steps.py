"""What has happened, shown: the table after each step or beat, as a seat may know it.

A step is what the eye takes in at once: a choice, or what one player or chance does several times
in a row (five dice rolled, three objects taken).  Orders carried out together are one step.  Of a
game that goes on steps are shown in beats, each for about half a second: in Second Story all that
happens at a house is one.  A game's face says which events begin a beat.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from yegg.engine import Match
from yegg.engine.secrecy import Heard
from yegg.engine.voice import Voice
from yegg.table.domain import faces
from yegg.table.domain.seats import BOT
from yegg.table.domain.shown_position import ShownPosition, winners
from yegg.table.domain.state import TableState
from yegg.table.domain.table_view import TableView
from yegg.text.phrases import capital, counted, listing, number, several

from . import clocks, html_view, renderers, svg

MOST = 24  # beats that are shown of what somebody has missed; more are told in a sentence
EVENTS = 400  # are more than so many beats in any case
SEEN = 0.6  # a step is longer than what bots wait, by which faces count
LATEST = 3  # steps whose parts are shown
PART = 1.4  # a part is looked at longer than a step: its sentence is to be read
FEW = 4  # sentences that are read in the time of a step
QUICK = 0.5  # people know what they have done, and see at once that nothing moves


STILL: dict[str, Any] = {"acts": [], "orders": [], "can_undo": False}  # nobody acts there
UNTOLD = "nobody has learned anything yet"
CARRIED = "The orders are carried out"


class Step(NamedTuple):
    """A step: some events that are seen at once, the first included, the last not."""

    first: int
    last: int


class Shown(NamedTuple):
    """The table as it was after so many events."""

    events: int
    html: str
    pause: float
    """How long people look at it, as a multiple of the time for a beat."""
    seat: int = -1
    """Whose turn it shows."""
    says: str = ""
    """Of the first: all that has happened in a sentence or two, where it takes too long to show."""


def kind(text: str) -> str:
    """The kind of an event, without what it is done with.

    >>> kind("take red"), kind("")
    ('take', '')
    """
    return text.partition(" ")[0]


def together(shown: ShownPosition, after: int) -> list[Step]:
    """The steps after so many events of a game.

    A choice that tells nobody anything, such as a secret order, is one step with what follows.
    """
    match, words = shown.now.match, shown.teller.texts(shown.now.match, -1)
    return at_once(shown.now.earlier(after).match, match, words, after)


def at_once(at: Match, match: Match, words: Sequence[str], after: int) -> list[Step]:
    """The steps of a match from ``at``, its position after so many events, which is played on."""
    steps: list[Step] = []
    before: object = None
    for i in range(after, len(words)):
        what = match.actors[i], kind(words[i])
        known = at.known_to(-1).tobytes()
        at.follow(match.history[i : i + 1])
        if before in (UNTOLD, what):
            steps[-1] = Step(steps[-1].first, i + 1)
        else:
            steps.append(Step(i, i + 1))
        unseen = match.actors[i] >= 0 and at.known_to(-1).tobytes() == known
        before = UNTOLD if unseen else what
    return steps


def beats(shown: ShownPosition, after: int) -> list[Step]:
    """The steps after so many events, joined to beats."""
    match, words = shown.now.match, shown.teller.texts(shown.now.match, -1)
    begins, joined, acted = faces.beats(shown.game), list[Step](), -1
    for step in together(shown, after):
        players = [actor for actor in match.actors[step.first : step.last] if actor >= 0]
        another = bool(players) and acted not in (-1, players[0])
        begun = not begins or another or kind(words[step.first]) in begins
        if joined and not begun:
            joined[-1] = Step(joined[-1].first, step.last)
        else:
            joined.append(step)
        acted = players[-1] if players else -1 if begun else acted
    return joined


def last_turn(actors: Sequence[int], seat: int) -> int:
    """After how many events the last turn of the others began: where one's own had ended.

    For those who watch (-1): where the turn of whoever acted last began.

    >>> last_turn([-1, 0, 0, -1, 1, 1, -1], 0), last_turn([-1, 0, 0, -1, 1, 1, -1], -1)
    (3, 3)
    """
    acted = [i for i, actor in enumerate(actors) if actor >= 0 and actor != seat]
    if not acted:
        return 0
    own = actors[acted[-1]]
    if seat < 0:
        return next((i + 1 for i in reversed(acted) if actors[i] != own), 0)
    return next((i + 1 for i in reversed(range(acted[-1])) if actors[i] == seat), 0)


def each_beat(view: TableView, after: int) -> Iterator[Shown]:
    """The table after so many events, then after each beat but the newest, which is seen now.

    What the newest event of a beat consists of is shown before, part by part, if a face knows that.
    Where there are more than `MOST` beats it is told what has happened, and nothing is drawn.

    What happens while this is being drawn is left out.
    """
    now, seat, lines = view.now, view.seat, view.shown.heard(view.seat)
    steps = beats(view.shown, max(after, len(lines) - EVENTS))
    says = missed(view.shown, lines[after:])
    if len(lines) - after > EVENTS or len(steps) > MOST:
        yield Shown(len(lines), "", 0.0, says=says)
        return
    begin = steps[0].first if steps else len(lines)
    at = now.earlier(begin)
    made = page(view, at, lines[:begin], Step(begin, begin))
    yield Shown(begin, rendered(made), 1.0, made["t"]["turn"]["seat"], says)
    for left, step in zip(range(len(steps), 0, -1), steps, strict=True):
        at.follow(now.match.history[step.first : step.last - 1])
        told, last = lines[: step.last], now.match.history[step.last - 1]
        if left <= LATEST:
            for part in in_parts(view, at, told, last):
                yield Shown(step.last, rendered(part), PART, part["t"]["turn"]["seat"])
        if left == 1:
            break
        looked = faces.pause(at.match, told[:-1])
        at.follow([last])
        longer = 1 + SEEN * max(0.0, faces.pause(at.match, told) - looked)
        own = told[-1].actor == seat
        stay = longer > 1 and not own
        lay, made = lying(made), page(view, at, told, step, stay=stay)
        quick = own or (not stay and lying(made) == lay)
        whose_turn = made["t"]["turn"]["seat"]
        yield Shown(step.last, rendered(made), QUICK if quick else longer, whose_turn)


def missed(shown: ShownPosition, told: list[Heard]) -> str:
    """What has happened in many turns: who has played, and the end of it."""
    names, actors = shown.now.match.names, [line.actor for line in told if line.actor >= 0]
    who = listing([names[actor] for actor in dict.fromkeys(actors)])
    many = counted(len([*groupby(actors)]), "turn")
    said = [f"Meanwhile {who} played {many}."] if who else []
    if shown.now.over:
        places, _ = shown.now.result()
        sides = shown.game.side_names([place.name for place in shown.now.seats], len(places))
        said.append(f"The game is over: {winners(sides, places)}.")
    return " ".join(said)


def in_parts(
    view: TableView, at: TableState, told: list[Heard], choice: int
) -> Iterator[dict[str, Any]]:
    """The values of the templates while the newest event of a step is carried out, part by part."""
    if faces.in_parts(view.game, told):
        made = page(view, at, told[:-1], Step(len(told) - 1, len(told) - 1))
        made["t"]["events"] = len(told)
        yield from carried_out(
            made, faces.known_around(at.match, view.seat, choice), view.seat, told
        )


def carried_out(
    made: dict[str, Any], known: tuple[Any, Any], seat: int, told: list[Heard]
) -> Iterator[dict[str, Any]]:
    """The values of the templates, ``made`` before the newest event, at each part of it.

    ``known``: the states before and after it, as `faces.known_around` returns them.
    """
    t = made["t"]
    for scene, says, whose in faces.parts(t["game"], *known, t["names"], seat, told):
        turn = {"mine": False, "line": CARRIED, "asks": marked(says), "seat": whose}
        yield {"t": {**t, "turn": turn}, "scene": scene}


def page(
    view: TableView, at: TableState, told: list[Heard], step: Step, *, stay: bool = False
) -> dict[str, Any]:
    """The values of the templates for a table as it was after a step."""
    shown, seat = view.shown, view.seat
    then = ShownPosition(shown.game, shown.key, shown.name, at, shown.odds)
    made = html_view.template_values(then, seat, at.match.view(seat), told, len(told))
    made["t"].update(
        number=view.number,
        turn=headline(at, told[step.first :]),
        **STILL,
        over=False,
        gone=[],
        clock=clocks.as_html(shown, seat),
        title=html_view.title(view),
        fresh=event_sorts(told[step.first :]),
        stay=stay,
        events=len(told),
        past=True,
    )
    return made


def moment(view: TableView, events: int, part: int = 0, other: int | None = None) -> dict[str, Any]:
    """The table of a finished game as it was after this many events.

    ``part``: how many parts of the next event are carried out.  ``other``: the seat through whose
    eyes it is seen, if not through one's own; -1: all lies open.
    """
    shown, seat, match = view.shown, view.seat, view.now.match.again()
    match.follow(view.now.match.history[:events])
    told = shown.heard(seat)
    eyes_of = seat if other is None else other
    seen = match if other == -1 else match.view(eyes_of)
    made = html_view.template_values(shown, eyes_of, seen, told[:events], events)
    part = min(part, faces.many_parts(shown).get(events, 0))
    made["t"].update(STILL, over=True, turn=None, number=0, then=events, part=part, other=other)
    if not part and events < len(told) and match.actor == eyes_of >= 0:
        # what could be done lies there, to be looked at
        known = match.known_to(eyes_of)[0]
        made["t"]["acts"] = faces.acts(view.game, known, eyes_of, match.texts)
        made["t"]["wanted"] = told[events].text
    if part:
        choice = view.now.match.history[events]
        known = faces.known_around(match, eyes_of, choice, whole=other == -1)
        carried = carried_out(made, known, eyes_of, told[: events + 1])
        made = next(islice(carried, part - 1, None), made)
    return made


def rendered(made: dict[str, Any]) -> str:
    """The living part of a table's page."""
    return renderers.env(made["t"]["game"]).get_template("step.html").render(made)


def lying(made: dict[str, Any]) -> list[Any]:
    """The parts of a scene that may move, without whose turn it is and the like."""
    return [part for part in made["scene"].values() if isinstance(part, list | dict)]


def headline(at: TableState, told: list[Heard]) -> dict[str, Any]:
    """The first line of the table: who has acted, and what has happened."""
    seat = whose(at, told)
    names = at.called_at(len(at.match.history) - 1)
    line, asks = f"The turn of {at.seats[seat].name}", sentences(told, at.match.game.voice, names)
    if all(actor < 0 for actor in at.match.actors):  # the cards are dealt
        line = "The game begins"
    elif not told:
        line = f"Back to the turn of {at.seats[seat].name}"
        asks = Markup("What has happened since:")
    return {"mine": False, "line": line, "asks": asks, "seat": seat}


def whose(at: TableState, told: list[Heard]) -> int:
    """The seat whose turn a step belongs to."""
    for line in reversed(told):
        if 0 <= line.whose < len(at.seats):
            return int(line.whose)
    last = next((actor for actor in reversed(at.match.actors) if actor >= 0), 0)
    return next(iter(at.waited_for()), last)


def sentences(told: list[Heard], voice: Voice, names: Sequence[str]) -> Markup:
    """The events of a step in few words; ``names``: the seats', as they were told."""
    said = one_sentence(told, voice, names) or fewer(
        html_view.dice_together([one for one in told if one.prose])
    )
    said += [news for line in told for news in line.news]
    return Markup(" ").join(marked(line) for line in said)


def fewer(said: list[Heard]) -> list[str]:
    """Of many dice or cards in a row only the first is told, or the first of each player.

    >>> names = ["Ann"] * 3 + ["Bob"] * 3
    >>> told = [Heard(-1, "deal", f"{n} is dealt a card.", whose=n == "Bob") for n in names]
    >>> fewer(told[:2])
    ['Ann is dealt a card.', 'Ann is dealt a card.']
    >>> fewer(told)
    ['Ann is dealt a card, and two more.', 'Bob is dealt a card, and two more.']
    """
    if len(said) <= FEW:
        return [one.prose for one in said]
    alike = groupby(said, lambda one: (one.whose, kind(one.text)))
    told = [list(some) for _, some in alike]
    return [
        f"{some[0].prose.rstrip('.')}, and {number(len(some) - 1)} more."
        if some[1:]
        else some[0].prose
        for some in told
    ]


def one_sentence(told: list[Heard], voice: Voice, names: Sequence[str]) -> list[str]:
    """What somebody does several times in a row, in one sentence; none if that cannot be said.

    >>> bag, gem = (Heard(0, "", "", does=("takes", f"a {what}")) for what in ("bag", "gem"))
    >>> one_sentence([bag, gem], Voice(None), ["Ann"])
    ['Ann takes a bag and a gem.']
    """
    if len(told) < 2 or len({(line.actor, kind(line.text)) for line in told}) > 1:
        return []
    row = voice.tell_row([line.text for line in told])
    if told[0].actor < 0:
        return [f"{row}."] if row else []
    done = [line.does for line in told if line.does]
    if len(done) < len(told):
        return []
    row = row or f"{done[0][0]} {several([what for _, what in done])}"
    return [f"{capital(names[told[0].actor])} {row}."]


def marked(line: str) -> Markup:
    """A sentence in which bots have their sign."""
    return escape(line).replace(BOT, svg.bot())


def event_sorts(told: list[Heard]) -> str:
    """The sorts of events that have just happened, for the face's style sheet and for sounds."""
    return " ".join(dict.fromkeys(kind(line.text) for line in told))
