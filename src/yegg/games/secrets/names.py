"""Which names people can have by post: those that orders can name, and nobody takes for another."""

import re
from collections.abc import Sequence

from yegg.engine import Refused
from yegg.text.names import alike
from yegg.text.phrases import fold, listing

from .mail import body_of, why_no_name
from .orders import of_pieces, shortened
from .state import SECRETS, Choice, State, secret_name

WAYS = """
Club steals secret {a} from {n}, Diamond steals {b} from {n} and Heart steals {n} {a}.
Spade steals {b} from {n}. Policeman guards secret {c}.

C {n} {a}, D {n} {b}, H {n} {a}, S {n} {b}, P {c}

Club {a} {n} Diamond {b} {n} Heart {a} {n} Spade {b} {n} Policeman {c}

Steal {n} {a} with Club, {n} {b} with Diamond, {n} {a} with Heart, {n} {b} with Spade.
I guard {c}.

{n} {a}: Club
{n} {b}: Diamond
{n} {a}: Heart
{n} {b}: Spade
Guard {c}
""".strip().split("\n\n")
"""How people write orders: {n} for a player, {a}, {b} and {c} for secrets."""


def check_named(names: Sequence[str], known: Sequence[State]) -> None:
    """Raises Refused for names that orders could not name, in any of the `WAYS`.

    ``known``: the first state of each seat, as the seat knows it.
    """
    for seat, s in enumerate(known):
        a, b, c = (secret_name(s, secret) for secret in (1, 2, 3))
        for other, name in enumerate(names):
            at = int(Choice.STEAL) + SECRETS * other
            meant = [at + 1 + spy % 2 for spy in range(s.spies)] + [int(Choice.GUARD) + 3]
            for way in WAYS if other != seat else ():
                words = way.format(n=name, a=a, b=b, c=c)
                found = of_pieces(body_of(words), s, seat, names)
                if found.choices != meant:
                    why = found.faults[0] if found.faults else shortened(words)
                    raise Refused(f"orders could not name {name!r} among {listing(names)}: {why}")


def check_names(names: Sequence[str]) -> None:
    """Raises Refused for names that orders, or their readers, could not tell apart."""
    plain = [tuple(re.findall(r"\d+|[^\W\d_]+", fold(name))) for name in names]
    for i, name in enumerate(names):
        if not plain[i]:
            raise Refused(f"{name!r} has no letter or number, so orders could not name this player")
        for other in range(i):
            if plain[i] == plain[other]:
                raise Refused(f"{names[other]!r} and {name!r} would be the same name in orders")
        if alike(name, names[:i]):
            raise Refused(f"{name!r} looks like the name of another player")
        if why := why_no_name(plain[i], name):
            raise Refused(f"nobody can be called {name!r} by post: {why}")
