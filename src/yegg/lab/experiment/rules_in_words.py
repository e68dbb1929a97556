"""Sets of rules in the words of a game's house rules, as reports call them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yegg.engine import Game
from yegg.engine.voice import house_rule
from yegg.text.phrases import counted, listing, within_a_sentence

from .decks import CARDS, PUBLISHED

ONE_BY_ONE = "dice"  # the only plural without an s in titles of options


def in_words(game: Game, name: str, values: Mapping[str, Any]) -> str:
    """The name of a variant with its options in words, and its own words as they are.

    >>> from yegg import games
    >>> in_words(games.find("second-story"), "chips=9", {"chips": "9"})
    '9 chips of each suit'
    >>> in_words(games.find("magnate"), "short, courts=yes", {"courts": "yes"})
    'short, with the four Courts'
    """
    if name == PUBLISHED:
        return "published rules"
    for option in sorted(values, key=len, reverse=True):
        said = f"{option}={values[option]}"
        start = name.find(said)
        if start >= 0 and name[start - 1 : start] in ("", " "):
            words = value_in_words(game, option, str(values[option]))
            name = name[:start] + words + name[start + len(said) :]
    return name


def option_in_words(game: Game, option: str, values: Sequence[str]) -> str:
    """What an option is about: ``the four Courts``, ``the deck my``, ``the number of players``."""
    if option == CARDS:
        return listing([f"the deck {Path(one).stem}" for one in values if one != PUBLISHED])
    if option not in game.options:
        return f"the number of {option}" if option == "players" else option
    return within_a_sentence(house_rule(game, option).title.partition(" (")[0])


def value_in_words(game: Game, option: str, value: str) -> str:
    """What a value of an option says: ``9 chips of each suit``, ``with the four Courts``."""
    if option == CARDS:
        return "the published cards" if value == PUBLISHED else f"the deck {value}"
    if option == "players":
        return counted(int(value), "player") if value.isdecimal() else value
    if option not in game.options:
        return f"{option}: {value}"
    rule = house_rule(game, option)
    title, does = within_a_sentence(rule.title.partition(" (")[0]), rule.does.get(value, "")
    if value in ("yes", "no") and rule.does.get("no", "").startswith("Stay"):  # in the box
        return f"{'with' if value == 'yes' else 'without'} {title}"
    if does:
        does = within_a_sentence(does)
        return does if title.split()[-1] in does.split() else f"{title}: {does}"
    first = title.split()[0]
    last_of_noun = title.partition(" of ")[0].partition(" on ")[0].partition(" for ")[0]
    counts = value.isdecimal() and (first.endswith("s") or last_of_noun.endswith(ONE_BY_ONE))
    return f"{value} {title}" if counts else f"{title}: {value}"
