"""A game in words, for those who read and answer: the rules, a decision, the answer in brackets.

Language models read it.  Players are called by their seats, ``Seat 1``, whatever they call
themselves: a name is somebody's text, and no instruction.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from yegg.text.phrases import counted

from .errors import NotUnderstood, Refused
from .game import Game
from .match import Match
from .secrecy import Heard, lines
from .typed import choice_of
from .view import View
from .voice import house_rule

Rules = Literal["full", "short"]
"""The whole page of the rules, or its aim and its steps alone."""
LONGEST_NEWS = 2000  # characters of what happened since one's last choice
LONGEST_ANSWER = 4000  # characters of an answer that are read: the last ones
LONGEST_CHOICE = 200  # characters in brackets
SHORT = ("The aim", "In four steps")
"""The parts of a rules page that make its short form."""
BRACKETS = re.compile(rf"\[([^\[\]\n]{{1,{LONGEST_CHOICE}}})\]")
HOW = (
    "When you are asked, think as long as you like, and end with one of the numbered choices in "
    'square brackets, by its words or its number: "… so I take the risk. [2]". The last brackets '
    "count."
)
BRIEFLY = "Answer with one choice in square brackets."
NO_BRACKETS = "there is no choice in square brackets"


def rules(game: Game, players: int, options: Mapping[str, str], how: Rules = "full") -> str:
    """The rules for whoever has not read them yet, with the options of this game."""
    page = (game.folder / "RULES.md").read_text(encoding="utf-8").strip()
    if how == "short":
        page = _short(page)
    told = [f"- {house_rule(game, name).title}: {value}" for name, value in options.items()]
    other = "\n".join(["Away from the published rules:", *told]) if told else ""
    here = f"You play {game.title}. {counted(players, 'player')}, called Seat 1 to Seat {players}."
    legend = " ".join(getattr(game.part("screen"), "LEGEND", "").split())
    signs = f"How the position is written: {legend}" if legend else ""
    return "\n\n".join(filter(None, [here, page, other, signs, HOW]))


def _short(page: str) -> str:
    """The parts of a rules page that `SHORT` names; the whole page if it has none of them."""
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    kept = [part.strip() for part in parts if part.partition("\n")[0].strip("# ") in SHORT]
    return "\n\n".join(kept) or page


def decision(view: View, happened: Sequence[str] = (), hint: str = "") -> str:
    """What a seat reads before it chooses.

    ``happened`` are the sentences since its last choice, and ``hint`` says how to write several
    choices at once.
    """
    parts = [f"You are Seat {view.seat + 1}."]
    if happened:
        parts.append("\n".join(["Since your last choice:", *_newest(happened)]))
    parts += [f"The position:\n{view.scene()}", _choices(view)]
    parts.append("\n".join(filter(None, [hint and f"{hint}.", BRIEFLY])))
    return "\n\n".join(parts)


def _newest(happened: Sequence[str]) -> list[str]:
    """The newest sentences that have room, and how many were left out."""
    room, first = LONGEST_NEWS, len(happened)
    while first and len(happened[first - 1]) < room:
        first -= 1
        room -= len(happened[first]) + 1
    told = list(happened[first:])
    return [f"({counted(first, 'earlier line')} left out)", *told] if first else told


def _choices(view: View) -> str:
    """The question, and every legal choice with its number."""
    numbered = (f"{number}. {text}" for number, text in enumerate(view.texts, 1))
    return "\n".join([view.question, *numbered])


def sentences(heard: Sequence[Heard], game: Game, seat: int) -> list[str]:
    """Events as a seat reads them: a line for each player's choice and what came of it."""
    told: list[str] = []
    for event in heard:
        line = " ".join(lines(event, game, own=event.actor == seat))
        if event.actor < 0 and told:
            told[-1] = f"{told[-1]} {line}".strip()
        elif line:
            told.append(line)
    return told


def since_own_choice(match: Match, seat: int) -> int:
    """How many of the newest events came after the seat's last choice.

    Before its first one they are counted from anybody's first choice: the deal is on the table.
    """
    actors = match.actors
    own = next((i + 1 for i in range(len(actors) - 1, -1, -1) if actors[i] == seat), None)
    if own is None:
        own = next((i for i, actor in enumerate(actors) if actor >= 0), len(actors))
    return len(actors) - own


def refusal(error: Refused, view: View) -> str:
    """What is said to an answer that was refused: why, and what is possible."""
    return f"That is no choice: {error}.\n\n{_choices(view)}\n\n{BRIEFLY}"


def meant(view: View, answer: str) -> int:
    """The choice that an answer means, matched as people's lines are.  Raises Refused."""
    return choice_of(view, bracketed(answer, list(view.texts)))


def bracketed(answer: str, texts: Sequence[str] = ()) -> str:
    """The choice in an answer: what its last square brackets hold.

    An answer without any that is one of ``texts`` is that choice.  Raises NotUnderstood.

    >>> bracketed("Two dice are better odds, so [quick].")
    'quick'
    """
    read = answer[-LONGEST_ANSWER:]
    if found := BRACKETS.findall(read):
        return str(found[-1]).strip()
    bare = read.strip().strip("`*\"'.").lower()
    if bare in texts:
        return bare
    raise NotUnderstood(NO_BRACKETS)
