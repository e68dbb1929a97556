"""Several things said in one typed line, in any order: ``take 2 red marker mask``."""

import re
from collections.abc import Iterable

from yegg.engine import Match, Refused
from yegg.engine.sequence import any_order, in_row, late
from yegg.text.phrases import listing

MOST = 40  # repeats of one thing
LITTLE = ("a", "an", "and", "the")


def several(match: Match, typed: str) -> tuple[int, list[int]] | None:
    """The choices that a line of things in any order means, as `in_row` returns them.

    None if it is no such line.  The verb may be left out.  Raises Refused if the line has
    the verb and is not legal.
    """
    words = re.findall(r"[^\s,;+]+", typed.lower())
    said = next((verb for verb in any_order(match) if words and verb.startswith(words[0])), "")
    verb = said if len(words) > 1 and said else meant(match)
    things = repeated(word for word in words[bool(said) :] if word not in LITTLE)
    if not verb or not things:
        return None
    try:
        return in_row(match, [f"{verb} {thing}" for thing in things], heard)
    except Refused:
        if said:
            raise
        return None


def meant(match: Match) -> str:
    """The verb that is left out: what can be said now, or what the same player said last."""
    verbs = any_order(match)
    now = [text.partition(" ")[0] for text in match.texts] if verbs else []
    if verbs and match.history and match.actors[-1] == match.actor:
        before = match.again()
        before.follow(match.history[:-1])
        now.append(before.say(match.history[-1]).partition(" ")[0])
    return next((verb for verb in now if verb in verbs), "")


def repeated(words: Iterable[str]) -> list[str]:
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


def heard(match: Match, text: str) -> int:
    """The choice that a typed text means; a word that is a choice by itself needs no verb."""
    alone = text.partition(" ")[2]
    return match.texts[alone] if alone in match.texts else match.guess(text)


def example(match: Match) -> str:
    """How to type several things at once; empty if there is only one thing to type."""
    there = late(match)
    for verb in any_order(match):
        texts = [text for text in [*there, *match.texts] if text.startswith(f"{verb} ")]
        if len(texts) > 1 or there:
            things = [text.partition(" ")[2] for text in texts]
            still = things[: len(there)]
            also = f" (there are still {listing(still)})" if still else ""
            return f"Several at once, in any order: {verb} {' '.join(things[:-4:-1])}{also}"
    return ""
