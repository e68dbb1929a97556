"""Input and output of a game in the terminal: positions, prompts, and what a typed line means."""

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from yegg.cli.about import clause_of, page_of
from yegg.engine import CHANCE, Refused
from yegg.engine.sequence import any_order, in_row, late
from yegg.text.phrases import listing
from yegg.text.untrusted import quoted

if TYPE_CHECKING:
    from yegg.cli.screen import Screen
    from yegg.engine import Game, Match
    from yegg.engine.secrecy import Heard

T = TypeVar("T")
WHOLE = -2  # not a seat's view: the whole position
MOST = 40  # repeats of one thing
FILLERS = ("a", "an", "and", "the")


def own_name() -> str:
    """What you are called at the table."""
    name = os.environ.get("USER", "").title()
    return name if name.isalpha() and name != "Root" else "Guest"


class Left(Exception):
    """Raised where somebody leaves the game or the lesson."""


class Terminal:
    """Prints positions, reads lines, and carries out the commands that may be typed at any time."""

    help_text: str
    command_words: tuple[str, ...]
    """Words of which the first letter is enough."""

    def __init__(self, screen: "Screen") -> None:
        """It prints to a screen."""
        self.screen = screen

    def unless_left(self, play: Callable[[], bool]) -> bool:
        """What ``play`` returns; False where somebody leaves before."""
        try:
            return play()
        except (Left, KeyboardInterrupt):
            self.screen.print()
            return False

    def say(self, text: str, style: str = "") -> None:
        """Print a line; where it is too long the terminal breaks it, so that it can be copied."""
        self.screen.print(text, style=style, soft_wrap=True)

    def wrong(self, why: object) -> None:
        """Say why a typed line cannot be done; nothing else changes."""
        self.screen.print(f"  {why}", style="yellow")

    def line(self, prompt: str) -> str:
        """A line from the keyboard.  Raises Left at the end of the input."""
        try:
            return self.screen.input(prompt, markup=False, emoji=False).strip()
        except EOFError:
            raise Left from None

    def offer(self, match: "Match", name: str, *, with_odds: bool = False) -> None:
        """The question to whoever acts, and every choice with its number."""
        self.screen.print(Text.assemble((f"{name}:", "bold"), f" {question(match)}"))
        if line := example(match):
            self.say(line, "dim")
        if with_odds:
            known, seat = match.known_to(match.actor)[0], match.actor
            if line := match.game.voice.outlook(known, seat):
                self.screen.print(f"  {line}", style="dim")
        self.screen.print(numbered(match, with_odds=with_odds))

    def choose(self, match: "Match", name: str) -> str:
        """A line that is meant as a choice; "" if it was a command, or nothing, or unclear."""
        typed = self.line(f"{name} > ")
        unclear = match.actor != CHANCE and meanings(typed, match, self.command_words)
        if unclear:
            self.wrong(unclear)
            return ""
        return "" if self.command(typed) else typed

    def meant(self, match: "Match", name: str, meaning: Callable[[str], T]) -> T | None:
        """What a line means that is meant as a choice; None if nothing, or nothing possible."""
        if typed := self.choose(match, name):
            try:
                return meaning(typed)
            except Refused as error:
                self.wrong(error)
        return None

    def tell(self, events: Iterable["Heard"], game: "Game", seat: int, style: str = "") -> None:
        """Print events as a seat (-1: everybody) reads them; without a style, chance's dim."""
        for event in events:
            look = style or ("dim" if event.actor == CHANCE else "")
            for line in told(event, game, own=event.actor == seat):
                self.screen.print(f"  {line}", style=look)

    def command(self, typed: str) -> bool:
        """Carry out the line if it is a command; whether it was one."""
        match typed.split(maxsplit=1):
            case ["h" | "help"]:
                self.screen.print(self.help_text)
            case ["q" | "quit" | "exit"]:
                raise Left
            case ["r" | "rules", *clause]:
                self.rules(clause)
            case _:
                return False
        return True

    def rules(self, wanted: list[str]) -> None:
        """Print the clauses that apply now, one clause, or the whole page."""
        raise NotImplementedError

    def print_rules(self, game: "Game", wanted: list[str]) -> None:
        """Print some clauses of the rules, or the whole page where none is wanted."""
        for clause in wanted:
            try:
                self.screen.print(clause_of(game, clause))
            except click.UsageError as error:
                self.wrong(error.format_message())
        if not wanted:
            self.screen.print(page_of(game))


# What is shown


def scene(match: "Match", seat: int) -> Any:
    """The position as a seat may know it (-1: a spectator; WHOLE: everything)."""
    states = match.states if seat == WHOLE or match.over else match.known_to(seat)
    screen = match.game.part("screen")
    if screen:
        return screen.draw(states[0], match.side_names(), max(seat, -1))
    names = match.game.state.dtype.names or ()
    return Text("\n".join(f"{name}: {states[0][name]}" for name in names if name[0] != "_"))


def question(match: "Match") -> str:
    """What the current player is asked."""
    return match.game.voice.ask(match.state) or "What do you do?"


def told(heard: "Heard", game: "Game", *, own: bool) -> list[str]:
    """An event as the terminal prints it, line by line; ``own``: the reader did it.

    A game's news replaces the sentence about what others do, and about what is still hidden.
    """
    left_out = game.voice.has_news and heard.hidden
    if left_out or (heard.news and not own):
        return list(heard.news)
    return [line for line in (heard.prose, *heard.news) if line]


def style(match: "Match", choice: int) -> str:
    """How an event about to happen is printed: what nobody should miss in red, chance dim."""
    if match.game.voice.alarm(match.state, choice):
        return "bold red"
    return "dim" if match.actor == CHANCE else ""


def numbered(match: "Match", *, with_odds: bool = False) -> Any:
    """Every legal choice with its number, as they can be typed."""
    texts = match.texts
    if len(texts) > 8 and not with_odds:
        listed = (
            Text.assemble((f"{number:3}", "bold"), f" {text}")
            for number, text in enumerate(texts, 1)
        )
        return Columns(list(listed), padding=(0, 3))
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", min_width=3, style="bold")
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    known = match.known_to(match.actor)[0] if with_odds else None
    for number, (text, choice) in enumerate(texts.items(), 1):
        odds = match.game.voice.odds(known, choice, match.actor) if with_odds else ""
        table.add_row(str(number), text, odds)
    return table


def example(match: "Match") -> str:
    """How to type several things at once; empty if there is only one thing to type."""
    left = late(match)
    for verb in any_order(match):
        texts = [text for text in [*left, *match.texts] if text.startswith(f"{verb} ")]
        if len(texts) > 1 or left:
            things = [text.partition(" ")[2] for text in texts]
            still = things[: len(left)]
            also = f" (there are still {listing(still)})" if still else ""
            return f"Several at once, in any order: {verb} {' '.join(things[:-4:-1])}{also}"
    return ""


# What a typed line means


def choices_of(match: "Match", typed: str) -> tuple[int, list[int]]:
    """The choices that a line means, one after the other.  Raises Refused.

    First, how many of the player's own choices are taken back for them, as `in_row` returns it.
    """
    choices = match.choices
    if typed.isdecimal() and 1 <= int(typed[:9]) <= len(choices):
        return 0, [choices[int(typed[:9]) - 1]]
    try:
        return several(match, typed) or (0, [match.guess(typed)])
    except Refused:
        meant = match.game.voice.meant(match.state, typed, match.side_names())
        if meant in choices:
            return 0, [meant]
        if typed.isdecimal():
            raise Refused(f"there is no choice {quoted(typed)}: 1 to {len(choices)}") from None
        raise


def meanings(typed: str, match: "Match", commands: Iterable[str]) -> str:
    """The question what a letter means that is a command and begins a choice, too; or ""."""
    words = [word for word in commands if word[0] == typed.lower()]
    choices = dict.fromkeys(text.split()[0] for text in match.texts if text[0] == typed.lower())
    if not words or not choices:
        return ""
    return f"Do you mean {listing([*words, *choices], 'or')}? Type more of it."


def several(match: "Match", typed: str) -> tuple[int, list[int]] | None:
    """The choices that things in any order mean, ``take 2 red marker mask``, as of `in_row`.

    None if the line is none of that kind.  The verb may be left out.  Raises Refused if the line
    has the verb and is not legal.
    """
    words = re.findall(r"[^\s,;+]+", typed.lower())
    first = next((verb for verb in any_order(match) if words and verb.startswith(words[0])), "")
    verb = first if len(words) > 1 and first else _verb_left_out(match)
    things = _repeated(word for word in words[bool(first) :] if word not in FILLERS)
    if not verb or not things:
        return None
    try:
        return in_row(match, [f"{verb} {thing}" for thing in things], _guess)
    except Refused:
        if first:
            raise
        return None


def _verb_left_out(match: "Match") -> str:
    """The verb that is left out: what can be said now, or what the same player said last."""
    verbs = any_order(match)
    now = [text.partition(" ")[0] for text in match.texts] if verbs else []
    if verbs and match.history and match.actors[-1] == match.actor:
        before = match.again()
        before.follow(match.history[:-1])
        now.append(before.say(match.history[-1]).partition(" ")[0])
    return next((verb for verb in now if verb in verbs), "")


def _repeated(words: Iterable[str]) -> list[str]:
    """Each thing as often as its number says: ``2 red`` is red twice."""
    things: list[str] = []
    times = ""
    for word in words:
        if word.isdecimal() and len(word) < 3 and not times:
            times = word
        else:
            things += [word] * min(int(times or 1), MOST)
            times = ""
    return [*things, times] if times else things


def _guess(match: "Match", text: str) -> int:
    """The choice that a typed text means; a word that is a choice by itself needs no verb."""
    alone = text.partition(" ")[2]
    return match.texts[alone] if alone in match.texts else match.guess(text)
