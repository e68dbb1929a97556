"""Going on from a position that was played elsewhere: in a finished game, or in a lesson.

The new table's first events are those of then, so that it replays like every other table.
"""

from collections.abc import Sequence

from yegg import players
from yegg.engine import Match, Refused
from yegg.table.refusals import HttpRefusal

from .bots import substitute
from .registry import ME, Wish


def go_on(
    match: Match,
    events: int,
    you: str,
    others: Sequence[str | None],
    origin: str,
    seat: int | None = None,
) -> Wish:
    """The table to be opened: ``match`` after its first ``events`` events, with bots around you.

    By default you sit where somebody is to act.  ``others`` names a bot for each seat; where it
    cannot play or is None, another does.  ``origin`` is the address where it was played, on this
    server.  Raises HttpRefusal 409 if nothing is left to play.
    """
    there = unsealed(match, events)
    if there.over:
        raise HttpRefusal(409, "the game is over at this position; go on from an earlier one")
    usual = substitute(match.game, match.players, match.options, ())
    seats = [bot if bot and _can_play(bot, match) else usual for bot in others]
    seats[max(there.actor, 0) if seat is None else seat] = ME
    played = list(zip(there.actors, there.history, strict=True))
    return Wish(
        match.game.name,
        seats,
        you,
        match.options,
        listed=False,
        played=played,
        origin=origin,
    )


def _can_play(bot: str, match: Match) -> bool:
    """Whether a bot of then is still here, and can play such a game."""
    try:
        return players.objection(match.game, bot, match.players, match.options) is None
    except Refused:
        return False


def unsealed(match: Match, events: int) -> Match:
    """A match after so many events at most: as many as leave nobody's order under seal.

    An order is under seal as long as nobody else has learned anything by it.
    """
    there = match.again()
    there.follow(match.history[: max(0, events)])
    while match.game.secret and there.history and there.actors[-1] >= 0:
        before = there.fork()
        before.back(len(there.history) - 1)
        others = [seat for seat in range(match.players) if seat != there.actors[-1]]
        if any(_knows(before, other) != _knows(there, other) for other in others):
            break
        there = before
    return there


def _knows(match: Match, seat: int) -> bytes:
    return bytes(match.known_to(seat).tobytes())
