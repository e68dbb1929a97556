"""Lessons as the pages show them: the position in the game's face, and the teacher's panel."""

from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from yegg.engine import Match
from yegg.engine.secrecy import Teller
from yegg.lessons import Answer, Lesson, filled, minutes
from yegg.lessons.answer import beyond
from yegg.lessons.record import AnnotatedRecord
from yegg.table.domain import faces
from yegg.table.domain.shown_position import ShownPosition, staged
from yegg.table.domain.table_view import TableView
from yegg.text.phrases import listing

from . import html_view, renderers, rulebook, steps

YOU = "⸨⸩⸪"  # stands for the visitor's name in views that are drawn for everybody
VIEWS = 600  # that are remembered; a view has about 30 kB


class Taught(ShownPosition):
    """A position of a lesson or of a puzzle, which no table keeps."""

    def __init__(
        self, lesson: AnnotatedRecord, match: Match, said: list[str], *, ended: bool = False
    ) -> None:
        """``match`` is the position, ``said`` its events in the words of the record.

        ``ended``: nothing more is said, either.
        """
        now = staged(match, said, lesson.called(YOU))
        super().__init__(lesson.game, lesson.key, lesson.title, now, odds=False)
        self.seat = lesson.seat
        self.ended = ended

    def waiting_for(self) -> str:
        """Who comes next; nobody is waited for, since the teacher lets them act."""
        seats = self.waited_for
        if not seats:
            return "The lesson ends here" if self.ended else "The lesson goes on"
        come = "comes" if len(seats) == 1 else "come"
        return f"{listing([self.awaited(seat) for seat in seats])} {come} next"


def step(lesson: Lesson, n: int, you: str) -> str:
    """The living part of the page at a step, with what the teacher points at ringed."""
    here = lesson.steps[n]
    seen = view(lesson, here.at, tuple(here.look), ended=n == len(lesson.steps) - 1)
    return named(seen, lesson, you)


def passed(lesson: Lesson, n: int, after: int, you: str) -> list[str]:
    """The views on the way from step ``n`` to step ``after``, and there."""
    first, last = lesson.steps[n].at, lesson.steps[after].at
    way = steps.at_once(lesson.position(first), lesson.match, lesson.texts[:last], first)
    seen: list[str] = []
    for i, part in enumerate(way, 1):
        seen += parts(lesson, part.last)
        seen += [moment(lesson, *part)] if i < len(way) else []
    return [*(named(html, lesson, you) for html in seen), step(lesson, after, you)]


def side_line(lesson: Lesson, n: int, events: list[str], you: str) -> tuple[list[str], list[str]]:
    """The views along a side line, and its events in sentences."""
    seen = line(lesson, n, tuple(events))
    last, names = beyond(lesson.position(lesson.steps[n].at), events)[-1], lesson.called(you)
    heard = Teller(last).hear(last, lesson.seat, len(events), lambda _: names)
    told = [sentence for one in heard for sentence in (one.prose, *one.news) if sentence]
    return [named(html, lesson, you) for html in seen], told


@lru_cache(VIEWS)
def view(
    lesson: AnnotatedRecord, place: int, looks: tuple[str, ...] = (), *, ended: bool = False
) -> str:
    """The position after so many events, with `YOU` for the visitor's name."""
    stage = Taught(lesson, lesson.position(place), lesson.texts[:place], ended=ended)
    made = html_view.now(TableView(stage, stage.seat))
    if stage.now.sealed and stage.now.match.actor == stage.seat:
        made["t"]["orders"] = given(lesson, place)
    made["t"]["wanted"] = next((look for look in looks if not look.startswith("#")), "")
    page = living_part(made)
    for look in looks:
        for mark in marks(look):
            page = page.replace(mark, f"{mark} data-ring")
    return page


def given(lesson: AnnotatedRecord, place: int) -> list[str]:
    """The learner's orders of this turn, where all order at the same time."""
    first = place
    while first and lesson.match.actors[first - 1] == lesson.seat:
        first -= 1
    return lesson.texts[first:place]


@lru_cache(VIEWS)
def moment(lesson: Lesson, begun: int, place: int) -> str:
    """A position that is only passed, and what has happened to it after ``begun`` events."""
    stage = Taught(lesson, lesson.position(place), lesson.texts[:place])
    return living_part(passing(stage, place - begun))


@lru_cache(VIEWS)
def parts(lesson: Lesson, place: int) -> list[str]:
    """The views while the newest of so many events is carried out, if it is in parts."""
    before = Taught(lesson, lesson.position(place - 1), lesson.texts[: place - 1])
    return in_parts(before, Taught(lesson, lesson.position(place), lesson.texts[:place]))


def in_parts(before: Taught, after: Taught) -> list[str]:
    """The views between two positions that are one event apart."""
    told, match = after.heard(after.seat), after.now.match
    if not faces.in_parts(after.game, told):
        return []
    made = passing(before, 0)
    made["t"].update(orders=[], events=len(told))
    known = faces.known_around(before.now.match, before.seat, match.history[-1])
    seen = steps.carried_out(made, known, before.seat, told)
    return [living_part(part) for part in seen]


@lru_cache(VIEWS // 6)
def line(lesson: Lesson, n: int, events: tuple[str, ...]) -> list[str]:
    """The positions along a side line, with `YOU` for the visitor's name."""
    before = lesson.steps[n].at
    said, seen = lesson.texts[:before], list[str]()
    at = Taught(lesson, lesson.position(before), said)
    for match, event in zip(beyond(lesson.position(before), events), events, strict=True):
        said = [*said, event.partition(" ")[2]]
        there = Taught(lesson, match, said)
        seen += [*in_parts(at, there), living_part(passing(there, 1))]
        at = there
    return seen


def passing(stage: Taught, fresh: int) -> dict[str, Any]:
    """Values for the templates of a position that is only passed: nothing is chosen there."""
    made = html_view.now(TableView(stage, stage.seat))
    turn = steps.headline(stage.now, stage.heard(stage.seat, fresh))
    made["t"].update(turn=turn, acts=[], can_undo=False, passed=True)
    return made


def living_part(made: dict[str, Any]) -> str:
    """The living part of the page."""
    return renderers.env().get_template("taught.html").render(made)


def marks(look: str) -> list[str]:
    """How the parts can be told that are pointed at: a choice's buttons, or ``#id``.

    Where a choice is made in steps, its button has ``*`` for one of its words, or ``+`` before.
    """
    if look.startswith("#"):
        return [f' id="{escape(look[1:])}"']
    words = look.split()
    starred = (" ".join([*words[:i], "*", *words[i + 1 :]]) for i in range(len(words)))
    return [f' value="{escape(value)}"' for value in (look, f"+ {look}", *starred)]


def named(html: str, lesson: AnnotatedRecord, you: str) -> str:
    """A view with the visitor's own name; crests have its first letters."""
    name = lesson.called(you)[lesson.seat]
    return html.replace(YOU, escape(name)).replace(YOU[:2], escape(name[:2]))


def panel(lesson: Lesson, n: int, answer: Answer | None = None) -> dict[str, Any]:
    """Values for the template of the teacher's panel."""
    here = lesson.steps[n]
    match = lesson.position(here.at)
    return {
        "lesson": lesson,
        "n": n,
        "says": filled(here.says, match),
        "applies": rulebook.numbers(lesson.game, match.known_to(lesson.seat)[0]),
        "clauses": here.clauses,
        "reply": answer.says if answer else "",
        "waits": lesson.wanted(n) is not None,
        "left": len(lesson.steps) - 1 - n,
        "minutes": minutes([lesson]),
    }


def markup(html: str) -> Markup:
    """A part that was drawn already, for the template around it."""
    return Markup(html)  # noqa: S704  drawn by our own templates, which escape
