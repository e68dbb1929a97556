"""The turn before this one, spy by spy, as far as a seat was told."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from yegg.engine.prose import counted
from yegg.games.secrets.reasons import secret_of
from yegg.games.secrets.state import REWARD, State

Told = Sequence[tuple[int, str]]
STEALS = re.compile(r"(\w+) steals (\w+) from (\d+)")


def report(s: State, names: Sequence[str], seat: int, told: Told) -> dict[str, Any] | None:
    """What became of every spy, and where policemen stood who are known to have stood there."""
    events = last_turn(s, told)
    if s.turn <= 1 or not events:
        return None
    posts = {actor: text[7:] for actor, text in events if text.startswith("guards ")}
    trips = [
        (actor, found[1], int(found[3]) - 1, found[2])
        for actor, text in events
        if (found := STEALS.fullmatch(text))
    ]
    came = Counter((owner, secret) for _, _, owner, secret in trips)
    rows = [
        row(s, names, seat, trip, posts.get(trip[2]) == trip[3], came[trip[2:]]) for trip in trips
    ]
    return {
        "turn": int(s.turn) - 1,
        "parts": [part for part in parts(rows, seat) if part["rows"]],
        "absent": sorted({names[actor] for actor, text in events if text.endswith("stays home")}),
        "posts": [stood(s, names, who, post) for who, post in posts.items() if post != "-"],
    }


def stood(s: State, names: Sequence[str], who: int, post: str) -> dict[str, Any]:
    """SE-6: where a policeman stood, "" for nowhere, and whether he may stay."""
    bound = "must move" if s.stood[who] > 0 else "may stay" if post != "nothing" else ""
    return {
        "name": names[who],
        "seat": who,
        "post": "" if post == "nothing" else post,
        "next": "" if s.turn > s.turns else bound,
    }


def last_turn(s: State, told: Told) -> Told:
    """The events of the last turn that is complete: it ends with the last seat's policeman."""
    ends = [
        i + 1
        for i, (actor, text) in enumerate(told)
        if actor == s.players - 1 and text.startswith("guards ")
    ]
    if not ends:
        return []
    begin = ends[-2] if len(ends) > 1 else 0
    return [event for event in told[begin : ends[-1]] if not event[1].startswith("allocate ")]


def row(
    s: State,
    names: Sequence[str],
    seat: int,
    trip: tuple[int, str, int, str],
    guarded: bool,
    visitors: int,
) -> dict[str, Any]:
    """SE-10 … SE-13: one spy, where he went, what came of it and for whom."""
    who, spy, owner, secret = trip
    value = int(s.value[owner, secret_of(s, secret) or 0])
    if guarded:
        what, gain, winner = "captured", REWARD, owner
    elif visitors > 1:
        what, gain, winner = "frustrated", 0, -1
    else:
        what, gain, winner = "stolen", value, who
    good = seat >= 0 and winner == seat
    news = s.hidden and what != "stolen" and owner != seat
    bad = seat >= 0 and winner >= 0 and not good and seat in (who, owner)
    return {
        "seat": who,
        "owner": owner,
        "spy": spy,
        "who": names[who],
        "where": names[owner],
        "secret": secret,
        "what": what,
        "gain": gain,
        "points": f"+{gain}" if winner >= 0 and gain >= 0 and (good or who != seat) else "",
        "worth": str(value) if news and value >= 0 else "",
        "winner": names[winner] if winner >= 0 else "",
        "tone": "good" if good else "bad" if bad else "",
    }


def parts(rows: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """One's own spies, who came to one's own house, the others."""
    if seat < 0:
        return [{"title": "Spies", "rows": rows}]
    own = [row for row in rows if row["seat"] == seat]
    here = [row for row in rows if row["owner"] == seat]
    won = sum(row["gain"] for row in own if row["tone"] == "good")
    gone = sum(row["what"] == "captured" for row in own)
    lost = sum(row["what"] == "stolen" for row in here)
    caught = sum(row["what"] == "captured" for row in here)
    too = f", {gone} captured" if gone else ""
    also = f", captured {counted(caught, 'spy', 'spies')}" if caught else ""
    return [
        {"title": f"Your spies: {counted(won, 'point')}{too}", "rows": own},
        {"title": f"You lost {counted(lost, 'secret')}{also}", "rows": here},
        {"title": "Elsewhere", "rows": [row for row in rows if seat not in trip(row)]},
    ]


def trip(row: dict[str, Any]) -> tuple[int, int]:
    """From whom to whom a spy went."""
    return row["seat"], row["owner"]
