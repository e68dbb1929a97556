"""The file of a deck to begin with: the published cards, and a remark on each column and effect."""

from collections.abc import Iterator

from .deck import (
    COLUMNS,
    DEAREST,
    ICONS,
    LEAST,
    NAMES,
    NUMBER,
    PUBLISHED,
    REMARK,
    Effect,
    form,
    parsed_effect,
)
from .texts import CLAUSE, effect_text_of

SAYS = {
    "slug": "what records and commands call the card: small letters, digits, single hyphens; "
    "no two alike",
    "name": "what it is called at the table: 1 to 40 characters; in double quotes if a comma is "
    "in it",
    "deck": f"A, B or C: A is dealt first; each has {LEAST} cards or more, beside promotional ones",
    "promo": "empty, or yes: only with the option promos=yes",
    "cost": f"a letter for each gem: R W B G, as RRW; 1 to {DEAREST}",
    "icons": f"{', '.join(ICONS)}; several are joined by +, as henchman+wand",
    "points": f"the Notoriety that is printed on it: {NUMBER}; empty is 0",
    "effect": "what it does: empty, or one of those below",
}
"""What each column of the file holds."""
EXAMPLES = {
    Effect.TURN: ("turn:red:gem", "turn:red:bag", "turn:bag:gem"),
    Effect.SPEND: ("spend:blue:infamy", "spend:mask:gold:2"),
    Effect.EXCHANGE: ("exchange:gold:infamy:2",),
    Effect.EXTRA_PURCHASE: ("extra-purchase:white",),
    Effect.BUY_INFAMY: ("buy-infamy:red",),
    Effect.BUILDINGS: ("buildings:2:4",),
}
"""Where the name of an effect alone is not enough."""


def effects() -> Iterator[tuple[str, str, str, str]]:
    """Of each effect: how it is written, an example, what the example does, and its clause."""
    for name, kind in NAMES.items():
        for example in EXAMPLES.get(kind, (name,)):
            yield form(kind), example, effect_text_of(*parsed_effect(example)), CLAUSE[kind]


def text() -> str:
    """The file: remarks, then the published cards."""
    lines = [
        "A deck of Thief's Market. Change what you like; a line that begins with # is a remark."
    ]
    lines += ["The columns:"]
    lines += [f"  {column}: {SAYS[column]}" for column in COLUMNS]
    lines += [
        "The effects, as they are written: / stands between words of which one is chosen, and"
    ]
    lines += ["[3] is a number that may be left out, and then is 3. Below each stand examples."]
    last = ""
    for written, example, does, clause in effects():
        lines += [f"  {written}"] if written != last else []
        lines += [f"    {example}: {does} ({clause})"]
        last = written
    remarks = "".join(f"{REMARK} {line}\n" for line in lines)
    return remarks + PUBLISHED.read_text(encoding="utf-8")
