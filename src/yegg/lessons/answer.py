"""A lesson's replies to the learner's choices, with figures, and examples of clauses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from yegg.engine import Game, Match, Refused
from yegg.engine.secrecy import Teller
from yegg.engine.voice import clauses
from yegg.text.phrases import percent

from .lesson import LEARNER, Lesson, lessons

FIGURE = re.compile(r"\{([^{}]+)\}")
SENTENCES = 3  # of what happens next, in an example
OTHERWISE = "That would be possible, but it is not what this lesson shows. Try something else."
READ_ON = "First read on: press Go on."
ENDED = "The lesson has ended: nothing more is to be chosen here."


@dataclass(frozen=True)
class Answer:
    """The reply to a choice in a lesson, and the step where it goes on."""

    step: int
    """The step where the lesson goes on; the same one, if it was another choice."""
    says: str = ""
    """What the teacher replies to another choice."""
    see: list[str] = field(default_factory=list)
    """What would have come of it: events as in a record, the choice first."""


def answer(lesson: Lesson, n: int, texts: Sequence[str]) -> Answer:
    """The teacher's reply to some choices at a step; to none: the learner goes on.

    Several choices are in no order: those that the lesson waits for are made, as far as they go.
    What sends them is made too once all are there, so that nobody sends them twice.
    """
    if lesson.wanted(n) is None:
        last = len(lesson.steps) - 1
        if texts:
            return Answer(n, READ_ON if n < last else ENDED)
        return Answer(min(n + 1, last))
    if not texts:
        return Answer(n)
    start = place = lesson.steps[n].at
    left = list(texts)
    ends = sender(lesson, texts)
    while left and (wanted := lesson.wanted(n, place)) in left:
        left.remove(wanted)
        place += 1
    if place > start and (not left or left == [ends]):  # the rest may be asked for next
        return Answer(lesson.onward(place))
    return reply(lesson, n, place, left[0], alone=len(texts) == 1)


def sender(lesson: Lesson, texts: Sequence[str]) -> str | None:
    """The choice that ends a row of choices in any order, as a button sends it with them."""
    last = texts[-1]
    free = lesson.game.voice.any_order
    return last if len(texts) > 1 and last.partition(" ")[0] not in free else None


def reply(lesson: Lesson, n: int, place: int, text: str, *, alone: bool) -> Answer:
    """The teacher's words at step ``n`` to another choice than the one awaited at ``place``.

    ``alone``: it is not one of several, so that the rules may say why it is not legal there.
    """
    later = [step for step in lesson.steps if step.at == place]
    step = later[-1] if later else lesson.steps[n]
    match = lesson.position(step.at)
    words = step.also.get(text) or step.replies.get(text)
    if not words and alone and (why := objection(match, text)):
        return Answer(n, why)
    says = filled(words or step.otherwise or OTHERWISE, match)
    return Answer(n, says, [f"{LEARNER + 1} {text}", *step.see[text]] if text in step.see else [])


def objection(match: Match, text: str) -> str:
    """The reason why a choice is not legal; empty if it is legal or nothing of the game."""
    if text in match.texts:
        return ""
    why = match.game.voice.why_not(match.state, text) if len(text) < 200 else None
    return f"{why}." if why else ""


def beyond(match: Match, events: Sequence[str]) -> list[Match]:
    """The positions along a side line, each a match of its own.  Raises Refused."""
    positions = []
    for event in events:
        match = match.fork()
        who, _, text = event.partition(" ")
        if who != ("*" if match.actor < 0 else str(match.actor + 1)):
            raise Refused(f"it is not for {who} to act: {event!r}")
        match.play(match.hear(text))
        positions.append(match)
    return positions


def filled(words: str, match: Match) -> str:
    """The words with their figures: ``{thorough}`` is what the button of that choice shows."""
    return FIGURE.sub(lambda found: figure(match, found[1]) or found[1], words)


def figure(match: Match, text: str) -> str:
    """A choice's chance as its button shows it, or else what its button is called; "" if none."""
    if text not in match.texts:
        return ""
    act = button(match, text)
    if act.get("chance") is not None:
        return percent(float(act["chance"]))
    whom = f" {match.names[act['whom']]}" if "whom" in act else ""
    return f"{act['verb']}{whom}"


def button(match: Match, text: str) -> dict[str, Any]:
    """The face's data of a choice's button; its own words, if there is no face."""
    drawn = match.game.folder / "face" / "face.py"
    face: Any = match.game.part("face.face") if drawn.is_file() else None
    if not hasattr(face, "acts"):
        return {"verb": text}
    s = match.known_to(match.actor)[0]
    listed: list[dict[str, Any]] = face.acts(s, match.actor, match.texts)
    return next(act for act in listed if act["text"] == text)


# What a clause means in a game


@dataclass(frozen=True)
class Example:
    """An example of a clause, in sentences."""

    says: str
    lesson: Lesson | None
    """Where it is seen, if a lesson names it."""
    step: int


@cache
def written(game: Game) -> dict[str, str]:
    """By clause: the game's own ``examples.md``."""
    path = game.folder / "examples.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {
        number: " ".join(says.split()).removeprefix(f"**{number}** ")
        for number, says in clauses(text).items()
    }


@cache
def moments(game: Game) -> dict[str, tuple[Lesson, int]]:
    """By clause: where a lesson names it, first where it is named alone and something is chosen."""
    best: dict[str, tuple[tuple[bool, int], Lesson, int]] = {}
    for lesson in lessons(game):
        for n, step in enumerate(lesson.steps):
            rank = lesson.wanted(n) is None, len(step.clauses)
            for clause in step.clauses:
                if clause not in best or rank < best[clause][0]:
                    best[clause] = rank, lesson, n
    return {clause: (lesson, n) for clause, (_, lesson, n) in best.items()}


@cache
def example(game: Game, clause: str) -> Example | None:
    """An example of a clause; None if the game has none and no lesson names it."""
    lesson, n = moments(game).get(clause, (None, 0))
    says = written(game).get(clause) or (teacher_says(lesson, n) if lesson else "")
    return Example(says, lesson, n) if says else None


def teacher_says(lesson: Lesson, n: int) -> str:
    """The teacher's words at a step, and what happens then if something is chosen there."""
    here = lesson.steps[n]
    says = filled(here.says, lesson.position(here.at))
    return f"{says} {story(lesson, n)}" if lesson.wanted(n) is not None else says


def story(lesson: Lesson, n: int) -> str:
    """Sentences about what happens from a step to the next, as the learner hears it."""
    first, last = lesson.steps[n].at, lesson.steps[n + 1].at
    match = lesson.position(last)
    events = Teller(match).hear(match, LEARNER, last - first) if last > first else []
    told = [sentence for event in events for sentence in (event.prose, *event.news) if sentence]
    return " ".join(told[:SENTENCES])
