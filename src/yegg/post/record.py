"""The record in the folder: reads it, splits it into turns, and adds to it."""

import hashlib
import re
from io import BytesIO
from itertools import zip_longest

from yegg import games
from yegg.engine import Match, Refused, notation
from yegg.games.secrets import GAME
from yegg.games.secrets.words import hear

EVENT = re.compile(r"([1-6]) (.+)")


def read(text: str, name: str) -> Match:
    """The game so far, played by the plain rules.  Raises BadRecord with the line that is wrong."""
    head, _, body = text.partition("\n\n")
    lines = dict(line.partition(": ")[::2] for line in head.splitlines() if line[:1] != "#")
    try:
        names = lines["players"].split(", ")
        chosen = lines.get("options", "")
        options = dict(option.split("=") for option in chosen.split(", ")) if chosen else {}
        match = Match(GAME, len(names), options, names=names, how="plain")
        if "" not in lines and lines["game"] == GAME.name and _follow(match, body):
            return match
    except (KeyError, ValueError, Refused):
        pass
    match = notation.read(BytesIO(text.encode()), name, games.find, how="plain")
    if match.game is not GAME:
        raise notation.BadRecord(name, 1, f"this is a game of {match.game.title}, not of Secrets")
    return match


def _follow(match: Match, body: str) -> bool:
    """Play the lines; stop at the first that is wrong."""
    for line in events(body):
        found = EVENT.fullmatch(line)
        choice = hear(match.state, found[2]) if found else None
        if choice is None or line != f"{match.actor + 1} {match.say(choice)}":
            return False
        match.follow([choice])
    return True


def events(body: str) -> list[str]:
    """The lines that are events."""
    return [line for line in body.splitlines() if line and line[0] not in "#?"]


def turns(text: str, players: int) -> list[list[str]]:
    """The events of every turn that is carried out; in the hidden game the points come first."""
    found: list[list[str]] = [[]]
    body = events(text.partition("\n\n")[2])
    for line, following in zip_longest(body, body[1:], fillvalue="1"):
        found[-1].append(line)
        if line[0] == str(players) and following[0] == "1":
            found.append([])
    return found[:-1]


def digest(turns_before: list[list[str]]) -> str:
    """A short name of a position: orders are for one position and for no other."""
    lines = "\n".join(line for turn in turns_before for line in turn)
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def continued(text: str, match: Match, lines: list[str]) -> str:
    """The record with more events; its comments stay where they are."""
    body = text.partition("\n\n")[2]
    return "\n".join(notation.head(match)) + "\n\n" + body + "".join(f"{line}\n" for line in lines)


def cut(text: str, match: Match) -> str:
    """The record without what happened later than in this match."""
    kept, events_left = [], len(match.history)
    for line in text.partition("\n\n")[2].splitlines():
        if line and line[0] not in "#?":
            if events_left == 0:
                break
            events_left -= 1
        kept.append(line)
    return "\n".join([*notation.head(match), "", *kept]) + "\n"
