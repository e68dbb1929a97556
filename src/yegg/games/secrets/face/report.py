"""The report of a turn of Secrets in the browser: event by event, then spy by spy."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from yegg.games.secrets.events import Meeting, Turn
from yegg.games.secrets.state import POLICEMAN, SPY_NAMES, State, secret_name
from yegg.text.phrases import counted


class Moment(NamedTuple):
    """Some events of a turn have been carried out."""

    state: Any
    """What the seat knows by then."""
    done: list[Meeting]
    """The newest one last; none where all spies have just come."""
    waiting: list[Meeting]

    def whose(self, seat: int) -> int:
        """Whose crest stands beside it: of whoever won something by it, else of the first there."""
        if not self.done:
            return max(seat, 0)
        met = self.done[-1]
        return met.owner if met.guarded else met.visitors[0][0]


def moments(before: State, after: State, seat: int, turn: Turn) -> Iterator[Moment]:
    """First all spies come to their secrets, then it is settled secret by secret.

    ``before`` and ``after``: what the seat knew when the last order was written, and once all were
    carried out.
    """
    s = before.copy()  # type: ignore[attr-defined]
    if seat >= 0:
        s.given[seat] = POLICEMAN + 1
        s.order[seat, POLICEMAN] = 1 + turn.posts[seat]
    every = turn.meetings
    for done in range(len(every) + 1):
        for meeting in every[max(0, done - 1) : done]:
            settle(s, after, meeting)
        yield Moment(s, every[:done], every[done:])


def settle(s: State, after: State, meeting: Meeting) -> None:
    """SE-10 … SE-12: take over what has come of one meeting."""
    at = meeting.owner, meeting.secret
    s.thief[at], s.value[at] = after.thief[at], after.value[at]
    for visitor in meeting.visitors:
        s.captor[visitor] = after.captor[visitor]


def fate(meeting: Meeting) -> str:
    """SE-10 … SE-12: what becomes of those who came, in a word."""
    if meeting.guarded:
        return "captured"
    return "stolen" if len(meeting.visitors) == 1 else "frustrated"


def mark(made: dict[str, Any], seat: int, at: Moment) -> None:
    """Put the spies who are on their way into a scene: at the secrets, and not at home."""
    houses = {place["seat"]: place for place in made["rivals"]}
    for meeting in [*at.done[-1:], *at.waiting]:
        home = made["home"] if meeting.owner == seat else houses[meeting.owner]
        letter = home["secrets"][meeting.secret]
        letter["came"] = [
            {"seat": who, "spy": SPY_NAMES[spy].lower()} for who, spy in meeting.visitors
        ]
        letter["fate"] = fate(meeting) if meeting in at.done else ""
        for who, spy in meeting.visitors:
            spies = made["spies"] if who == seat else houses[who]["spies"]
            spies[spy]["out"] = True
    for meeting in at.done:
        for who, spy in meeting.visitors:
            if who == seat:
                made["spies"][spy]["fate"] = fate(meeting)
    for place in made["rivals"]:
        for letter in place["secrets"]:
            letter["sent"] = []


def lines(turn: Turn, news: Sequence[str]) -> list[str]:
    """What was reported of each meeting: the sentences after the heading and missing orders."""
    first = 1 + len(turn.absent)
    return list(news[first : first + len(turn.meetings)])


def report(
    s: State, names: Sequence[str], seat: int, told: Sequence[Turn]
) -> dict[str, Any] | None:
    """What became of every spy, and where policemen stood who are known to have stood there."""
    if not told:
        return None
    turn = told[-1]
    trips = [(who, spy, meeting) for meeting in turn.meetings for who, spy in meeting.visitors]
    rows = [row(s, names, seat, *trip) for trip in sorted(trips, key=lambda trip: trip[:2])]
    untold = [who for who in range(s.players) if turn.complete and who not in turn.posts]
    return {
        "turn": turn.number,
        "parts": [part for part in parts(rows, seat) if part["rows"]],
        "absent": sorted({names[who] for who in turn.absent}),
        "posts": [stood(s, names, turn, who) for who in turn.posts],
        "untold": [names[who] for who in untold],
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
