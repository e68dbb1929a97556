"""A lesson as the pages show it: the position in the game's own face, and the teacher's panel."""

from typing import Any

from markupsafe import Markup, escape

from yegg.engine import Match
from yegg.engine.prose import listing
from yegg.engine.secrecy import Teller
from yegg.table.tables.stage import Stage, staged
from yegg.teach import Answer, Lesson, filled
from yegg.teach.lesson import LEARNER

from . import as_html, faces


class Taught(Stage):
    """A position of a lesson, with the visitor on the learner's seat; nobody keeps it."""

    def __init__(self, lesson: Lesson, match: Match, said: list[str], you: str) -> None:
        """``match`` is the position, ``said`` its events, ``you`` the visitor's name or ""."""
        now = staged(match, said, lesson.called(you))
        super().__init__(lesson.game, lesson.key, lesson.title, now, odds=False)

    def waiting_for(self) -> str:
        """Who comes next; nobody is waited for, since the teacher lets them act."""
        seats = self.now.waited_for()
        if not seats:
            return "The lesson goes on"
        return f"{listing([self._awaited(seat) for seat in seats])} comes next"


def at(lesson: Lesson, place: int, you: str) -> Taught:
    """The position after so many events."""
    return Taught(lesson, lesson.position(place), lesson.texts[:place], you)


def drawn(stage: Stage, looks: list[str]) -> str:
    """The living part of the page, with what the teacher points at ringed."""
    made = as_html.now(stage, LEARNER)
    wanted = next((look for look in looks if not look.startswith("#")), "")
    made["t"].update(wanted=wanted, lesson=True)
    return ringed(faces.env().get_template("taught.html").render(made), looks)


def ringed(page: str, looks: list[str]) -> str:
    """The page with a mark on each part that is pointed at: a choice's buttons, or ``#id``."""
    for look in looks:
        for mark in marks(look):
            page = page.replace(mark, f"{mark} data-ring")
    return page


def marks(look: str) -> list[str]:
    """How the parts can be told that are pointed at.

    Where a choice is made in steps, its button has ``*`` for one of its words, or ``+`` before.
    """
    if look.startswith("#"):
        return [f' id="{escape(look[1:])}"']
    words = look.split()
    steps = (" ".join([*words[:i], "*", *words[i + 1 :]]) for i in range(len(words)))
    return [f' value="{escape(value)}"' for value in (look, f"+ {look}", *steps)]


def views(lesson: Lesson, n: int, after: int, you: str) -> list[str]:
    """What is seen on the way from step ``n`` to step ``after``, and there."""
    first, last = lesson.steps[n].at + 1, lesson.steps[after].at
    passed = [drawn(at(lesson, place, you), []) for place in range(first, last)]
    return [*passed, step(lesson, after, you)]


def step(lesson: Lesson, n: int, you: str) -> str:
    """The position of a step."""
    here = lesson.steps[n]
    return drawn(at(lesson, here.at, you), here.look)


def side_line(lesson: Lesson, n: int, events: list[Match], you: str) -> tuple[list[str], list[str]]:
    """What is seen along a side line, and told in sentences."""
    before = lesson.steps[n].at
    told = lesson.texts[:before]
    seen, names = [], lesson.called(you)
    for match in events:
        told = [*told, "-"]
        seen.append(drawn(Taught(lesson, match, told, you), []))
    heard = Teller(events[-1]).hear(events[-1], LEARNER, len(events), lambda _: names)
    return seen, [line for one in heard for line in (one.prose, *one.news) if line]


def panel(lesson: Lesson, n: int, answer: Answer | None = None) -> dict[str, Any]:
    """What the teacher's panel needs."""
    here = lesson.steps[n]
    return {
        "lesson": lesson,
        "n": n,
        "says": filled(here.says, lesson.position(here.at)),
        "clauses": here.clauses,
        "reply": answer.says if answer else "",
        "waits": lesson.wanted(n) is not None,
        "left": len(lesson.steps) - 1 - n,
        "over": lesson.match.over,
    }


def markup(html: str) -> Markup:
    """A part that was drawn already, for the template around it."""
    return Markup(html)  # noqa: S704  drawn by our own templates, which escape
