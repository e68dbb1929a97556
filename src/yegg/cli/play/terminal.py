"""Input and output of a game in the terminal: positions, prompts, and lines that are typed."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from yegg.cli.about import clause_of, page_of
from yegg.engine import CHANCE, Refused
from yegg.engine.scene import draw_scene
from yegg.engine.secrecy import lines
from yegg.engine.typed import example
from yegg.engine.view import ANY_QUESTION
from yegg.text.phrases import listing

if TYPE_CHECKING:
    from yegg.cli.screen import Screen
    from yegg.engine import Game, Match
    from yegg.engine.secrecy import Heard

T = TypeVar("T")
WHOLE = -2  # not a seat's view: the whole position


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
            for line in lines(event, game, own=event.actor == seat):
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
    return draw_scene(match.game, states, match.side_names(), max(seat, -1))


def question(match: "Match") -> str:
    """What the current player is asked."""
    return match.game.voice.ask(match.state) or ANY_QUESTION


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


def meanings(typed: str, match: "Match", commands: Iterable[str]) -> str:
    """The question what a letter means that is a command and begins a choice, too; or ""."""
    words = [word for word in commands if word[0] == typed.lower()]
    choices = dict.fromkeys(text.split()[0] for text in match.texts if text[0] == typed.lower())
    if not words or not choices:
        return ""
    return f"Do you mean {listing([*words, *choices], 'or')}? Type more of it."
