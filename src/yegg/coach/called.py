"""What the choices of a decision are called at the table, where the record has its own words."""

import re

from yegg.engine import Match

SEAT = re.compile(r"\bseat (\d)\b")


def called(match: Match) -> dict[str, str]:
    """Each choice of the current player by its text, as its button has it: "Steal 9 (Ben)"."""
    face = match.game.part("face.face")
    seat, words = match.actor, {text: text.capitalize() for text in match.texts}
    if face is None or not hasattr(face, "acts"):
        return words
    acts = face.acts(match.known_to(seat)[0], seat, match.texts)
    return words | {
        act["text"]: named(match, act["verb"])
        + (f" ({match.names[act['seat']]})" if "seat" in act else "")
        for act in acts
        if act["text"] in match.texts
    }


def named(match: Match, verb: str) -> str:
    """A verb with the player's name where a face, which knows none, has the seat."""
    return SEAT.sub(lambda at: match.names[int(at[1]) - 1], verb)
