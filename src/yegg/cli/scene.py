"""A position as text, and what people are told of an event."""

from typing import TYPE_CHECKING, Any

from rich.text import Text

from yegg.engine import CHANCE, NOBODY

if TYPE_CHECKING:
    from yegg.engine import Match

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
    """An actor as people say it."""
    return {CHANCE: "Chance", NOBODY: "Nobody"}.get(actor) or match.names[actor]


def told(match: "Match", choice: int) -> str:
    """An event about to happen, in prose."""
    tell = getattr(match.game.words, "tell", None)
    if tell:
        return str(tell(match.state, choice, match.side_names()))
    return f"{name_of(match, match.actor)}: {match.say(choice)}"


def meant(match: "Match", typed: str) -> int | None:
    """The legal choice of a sentence as people write it, where the game can tell."""
    found = getattr(match.game.words, "meant", None)
    choice = found(match.state, typed, match.side_names()) if found else None
    return choice if choice in match.choices else None


def news(match: "Match", choice: int, seat: int) -> list[str]:
    """What a seat (-1: everybody) hears once an event about to happen is carried out."""
    found = getattr(match.game.words, "news", None)
    return list(found(match.state, choice, match.side_names(), seat)) if found else []


def question(match: "Match") -> str:
    """What the current player is asked."""
    ask = getattr(match.game.words, "ask", None)
    return str(ask(match.state)) if ask else "What do you do?"


def odds(match: "Match", choice: int) -> str:
    """The odds behind a choice, as its player may know them."""
    part = match.game.part("odds")
    if part and hasattr(part, "odds_for"):
        return str(part.odds_for(match.known_to(match.actor)[0], choice, match.actor))
    return str(part.odds(match.known_to(match.actor)[0], choice)) if part else ""


def outlook(match: "Match", seat: int) -> str:
    """The odds that belong to the position rather than to a choice."""
    found = getattr(match.game.part("odds"), "outlook", None)
    return str(found(match.known_to(seat)[0], seat)) if found else ""
