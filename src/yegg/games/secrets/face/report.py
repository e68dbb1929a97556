"""The turn before this one, spy by spy, as far as a seat was told."""

from collections.abc import Sequence
from typing import Any

from yegg.games.secrets.events import Meeting, Turn
from yegg.games.secrets.state import SPY_NAMES, State
from yegg.games.secrets.story import secret_name
from yegg.text.phrases import counted


def report(
    s: State, names: Sequence[str], seat: int, told: Sequence[Turn]
) -> dict[str, Any] | None:
    """What became of every spy, and where policemen stood who are known to have stood there."""
    if not told:
        return None
    turn = told[-1]
    trips = [(who, spy, meeting) for meeting in turn.meetings for who, spy in meeting.visitors]
    rows = [row(s, names, seat, *trip) for trip in sorted(trips, key=lambda trip: trip[:2])]
    return {
        "turn": turn.number,
        "parts": [part for part in parts(rows, seat) if part["rows"]],
        "absent": sorted({names[who] for who in turn.absent}),
        "posts": [stood(s, names, turn, who) for who in turn.posts],
        "untold": [names[who] for who in range(s.players) if who not in turn.posts],
    }


def stood(s: State, names: Sequence[str], turn: Turn, who: int) -> dict[str, Any]:
    """SE-6: where a policeman stood, "" for nowhere, and whether he may stay."""
    post = turn.posts[who]
    bound = "may stay" if turn.caught(who) or s.policeman else "must move"
    return {
        "name": names[who],
        "seat": who,
        "post": secret_name(s, post) if post >= 0 else "",
        "next": "" if s.turn > s.turns or post < 0 else bound,
    }


def row(
    s: State, names: Sequence[str], seat: int, who: int, spy: int, meeting: Meeting
) -> dict[str, Any]:
    """SE-10 … SE-13: one spy, where he went, what came of it and for whom."""
    owner = meeting.owner
    value = int(s.value[owner, meeting.secret])
    if meeting.guarded:
        what, gain, winner = "captured", int(s.reward), owner
    elif len(meeting.visitors) > 1:
        what, gain, winner = "frustrated", 0, -1
    else:
        what, gain, winner = "stolen", value, who
    good = seat >= 0 and winner == seat
    news = s.hidden and what != "stolen" and owner != seat
    bad = seat >= 0 and winner >= 0 and not good and seat in (who, owner)
    return {
        "seat": who,
        "owner": owner,
        "spy": SPY_NAMES[spy].lower(),
        "who": names[who],
        "where": names[owner],
        "secret": secret_name(s, meeting.secret),
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
    elsewhere = [row for row in rows if seat not in (row["seat"], row["owner"])]
    too = f", {gone} captured" if gone else ""
    also = f", captured {counted(caught, 'spy', 'spies')}" if caught else ""
    return [
        {"title": f"Your spies: {counted(won, 'point')}{too}", "rows": own},
        {"title": f"You lost {counted(lost, 'secret')}{also}", "rows": here},
        {"title": "Elsewhere", "rows": elsewhere},
    ]
