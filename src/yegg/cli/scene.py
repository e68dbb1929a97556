"""A position as text, and what people are told of an event."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from yegg.engine import CHANCE, NOBODY
from yegg.text.phrases import listing

if TYPE_CHECKING:
    from yegg.engine import Game, Match
    from yegg.engine.secrecy import Heard

WHOLE = -2  # not a seat's view: the whole position


def scene(match: "Match", seat: int) -> Any:
    """The position as a seat may know it (-1: a spectator; WHOLE: everything)."""
    states = match.states if seat == WHOLE or match.over else match.known_to(seat)
    screen = match.game.part("screen")
    if screen:
        return screen.draw(states[0], match.side_names(), max(seat, -1))
    names = match.game.state.dtype.names or ()
    return Text("\n".join(f"{name}: {states[0][name]}" for name in names if name[0] != "_"))


def name_of(match: "Match", actor: int) -> str:
    """An actor's name."""
    return {CHANCE: "Chance", NOBODY: "Nobody"}.get(actor) or match.names[actor]


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


def meant(match: "Match", typed: str) -> int | None:
    """The legal choice that a typed sentence means; None if the game cannot tell."""
    choice = match.game.voice.meant(match.state, typed, match.side_names())
    return choice if choice in match.choices else None


def meanings(typed: str, match: "Match", commands: Iterable[str]) -> str:
    """The question what a letter means that is a command and begins a choice, too; or ""."""
    words = [word for word in commands if word[0] == typed.lower()]
    choices = dict.fromkeys(text.split()[0] for text in match.texts if text[0] == typed.lower())
    if not words or not choices:
        return ""
    return f"Do you mean {listing([*words, *choices], 'or')}? Type more of it."


def question(match: "Match") -> str:
    """What the current player is asked."""
    return match.game.voice.ask(match.state) or "What do you do?"


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
    for number, (text, choice) in enumerate(texts.items(), 1):
        table.add_row(str(number), text, odds(match, choice) if with_odds else "")
    return table


def odds(match: "Match", choice: int) -> str:
    """The odds behind a choice, as its player may know them."""
    return match.game.voice.odds(match.known_to(match.actor)[0], choice, match.actor)


def outlook(match: "Match", seat: int) -> str:
    """The odds that belong to the position rather than to a choice."""
    return match.game.voice.outlook(match.known_to(seat)[0], seat)
