"""Puzzles as the pages show them: the position in the game's face, and the panel beside it."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from yegg.coach.advice import praise, sentence
from yegg.coach.called import called
from yegg.engine import Game
from yegg.lessons import Puzzle, Verdict
from yegg.lessons.daily_puzzles import all_of_day
from yegg.lessons.puzzle import HARDEST, Worth
from yegg.table.domain.puzzle_tries import Tries
from yegg.text.phrases import counted, listing, percent

from . import lessons, rulebook

ASKED, ANSWERED = 0, 1
"""The steps of a puzzle."""


def position(puzzle: Puzzle, you: str, *, ringed: bool = False) -> str:
    """The living part of the page, with the best choice ringed if that is wanted."""
    looks = (puzzle.best.text,) if ringed else ()
    return lessons.named(lessons.view(puzzle, len(puzzle.events), looks), puzzle, you)


def panel(
    puzzle: Puzzle, you: str, tries: Tries, said: Verdict | None, refusal: str = ""
) -> dict[str, Any]:
    """Values for the template of the panel.

    ``refusal`` is what is said to a choice that is not possible.
    """
    match = puzzle.decision
    match.names = puzzle.called(you)
    what = {
        "lesson": puzzle,
        "n": ANSWERED if said else ASKED,
        "applies": rulebook.numbers(puzzle.game, match.known_to(puzzle.seat)[0]),
        "level": level(puzzle, tries),
        "own": tries.own,
        "refusal": refusal,
        "said": None,
    }
    if said:
        words = called(match)
        what["said"] = in_words(said, words)
        what["also"] = listing([words[one.text] for one in puzzle.also if one != said.chosen])
        what["judged"] = puzzle.judged
    return what


def in_words(said: Verdict, words: dict[str, str]) -> dict[str, Any]:
    """A verdict in words; ``words`` are what choices are called at the table."""
    best, beside = words[said.best.text], words[said.beside.text]
    if said.right:
        why = praise(beside, said.why, "", alike=False)
        why = f"{best}: {why}" if said.chosen != said.best else why
    else:
        why = sentence(best, said.cost, "", speaks=said.why)
    compared = said.best, said.beside
    return {
        "right": said.right,
        "reply": reply(said, words),
        "why": why,
        "chances": [(words[one.text], percent(one.value), span(one)) for one in compared],
    }


def reply(said: Verdict, words: dict[str, str]) -> str:
    """Whether a choice was right, in a sentence."""
    chosen = words[said.chosen.text]
    if said.chosen == said.best:
        return f"{chosen}: that is the best choice."
    if said.right:
        return f"{chosen}: that is as good as the best choice."
    return f"{chosen}: there is a better choice."


def span(worth: Worth) -> str:
    """The interval of a chance, in words."""
    return f"{100 * worth.low:.0f} to {percent(worth.high)}"


def level(puzzle: Puzzle, tries: Tries) -> str:
    """How hard a puzzle is: how many people found it, or as it was reckoned."""
    if share := tries.share:
        return f"{percent(share.value)} of {counted(tries.many, 'person', 'people')} found it"
    return f"difficulty {puzzle.difficulty} of {HARDEST}"


def shown(game: Game, puzzle: Puzzle, tries: Tries) -> dict[str, Any]:
    """Values for the link to a puzzle."""
    return {
        "number": puzzle.number,
        "address": address(game, puzzle),
        "level": level(puzzle, tries),
        "own": tries.own,
    }


def address(game: Game, puzzle: Puzzle) -> str:
    """The page of a puzzle."""
    return f"/puzzles/{game.name}/{puzzle.number}"


def today(
    games: Sequence[Game], day: date, tries: dict[str, dict[int, Tries]]
) -> list[dict[str, Any]]:
    """Values for ``puzzles_today.html``: by game, the puzzles of a day.

    ``tries``: by game and number of the puzzle, see `puzzle_tries.of_game`.
    """
    return [
        {
            "game": game,
            "puzzles": [
                shown(game, one, tries.get(game.name, {}).get(one.number, Tries())) for one in found
            ],
        }
        for game, found in all_of_day(list(games), day)
    ]
