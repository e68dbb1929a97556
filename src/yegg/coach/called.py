"""What the choices of a decision are called at the table, where the record has its own words."""

from collections.abc import Mapping, Sequence
from typing import Any

from yegg.engine import Match


def called(match: Match) -> dict[str, str]:
    """Each choice of the current player by its text, as its button has it: "Steal 9 (Ben)"."""
    face = match.game.part("face.face")
    seat, words = match.actor, {text: text.capitalize() for text in match.texts}
    if face is None or not hasattr(face, "acts"):
        return words
    acts = face.acts(match.known_to(seat)[0], seat, match.texts)
    return words | {
        act["text"]: in_words(act, match.names) for act in acts if act["text"] in match.texts
    }


def in_words(act: Mapping[str, Any], names: Sequence[str]) -> str:
    """A button's verb, with the name of the seat that it is about: a face knows no names."""
    words = str(act["verb"])
    if "whom" in act:
        words = f"{words} {names[act['whom']]}"
    return f"{words} ({names[act['seat']]})" if "seat" in act else words
