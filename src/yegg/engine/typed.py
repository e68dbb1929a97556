"""What people mean by a line that they type, wherever they type it.

They write a choice's number or its words, the beginnings of its words, or several things at once.
"""

import re
from collections.abc import Iterable, Sequence

from yegg.text.phrases import listing
from yegg.text.untrusted import quoted

from .errors import Refused
from .match import Match
from .sequence import any_order, in_row, late
from .view import View, seat_names

MOST = 40  # repeats of one thing
FILLERS = ("a", "an", "and", "the")


def example(match: Match) -> str:
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


def choices_of(match: Match, typed: str) -> tuple[int, list[int]]:
    """The choices that a line means, one after the other.  Raises Refused.

    First, how many of the player's own choices are taken back for them, as `in_row` returns it.
    """
    if (numbered := _numbered(match, typed)) is not None:
        return 0, [numbered]
    try:
        return several(match, typed) or (0, [match.guess(typed)])
    except Refused as why:
        return 0, [_otherwise(match, typed, match.side_names(), why)]


def choice_of(view: View, typed: str) -> int:
    """The one choice that a line means where no other choice can be said with it.  Raises Refused.

    Players are called by their seats, ``Seat 1``.
    """
    if (numbered := _numbered(view, typed)) is not None:
        return numbered
    try:
        return view.guess(typed)
    except Refused as why:
        return _otherwise(view, typed, seat_names(view.players), why)


def _numbered(there: Match | View, typed: str) -> int | None:
    """The choice of a number from 1 on, as choices are listed."""
    choices = there.choices
    if typed.isdecimal() and 1 <= int(typed[:9]) <= len(choices):
        return choices[int(typed[:9]) - 1]
    return None


def _otherwise(there: Match | View, typed: str, names: Sequence[str], why: Refused) -> int:
    """The choice of a sentence that is no text of a record.  Raises ``why`` if it means none."""
    meant = there.game.voice.meant(there.asked, typed, names)
    if meant is not None and meant in there.choices:
        return meant
    if typed.isdecimal():
        raise Refused(f"there is no choice {quoted(typed)}: 1 to {len(there.choices)}") from None
    raise why


def several(match: Match, typed: str) -> tuple[int, list[int]] | None:
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


def _verb_left_out(match: Match) -> str:
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


def _guess(match: Match, text: str) -> int:
    """The choice that a typed text means; a word that is a choice by itself needs no verb."""
    alone = text.partition(" ")[2]
    return match.texts[alone] if alone in match.texts else match.guess(text)
