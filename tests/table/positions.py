"""Tables in memory: people sit down there, choose and order, and no server is needed for it."""

from yegg import games
from yegg.engine import Match
from yegg.table.domain.automatic_events import next_event
from yegg.table.domain.clock import Clock, ClockTerms
from yegg.table.domain.seats import Event, Kind
from yegg.table.domain.state import TableState

NAMES = "Ann", "Ben", "Cid"


def table(game="second-story", people=2, bots=0, clock=None, **options):
    """A table where so many people have sat down, and so many bots."""
    match = Match(games.find(game), people + bots, options)
    terms = Clock.of(ClockTerms(**clock), people + bots) if clock else None
    now = TableState(match, terms)
    for seat in range(people):
        sits(now, seat)
    for seat in range(people, people + bots):
        now.apply(Event(seat, Kind.SIT, name=f"Bot {seat}", bot="easy"))
    return now


def sits(now, seat, **more):
    name = NAMES[seat]
    now.apply(Event(seat, Kind.SIT, name=name, person=name.lower(), **more))


def first(now):
    """The lowest choice, as chance would make it."""
    return now.match.choices[0]


def settle(now, at=0):
    """Let chance act, and orders be carried out, until somebody has to."""
    while event := next_event(now, first):
        now.apply(event._replace(at=at))


def plays(now, seat, at=0):
    """Make a choice; return it."""
    choice = now.match.choices[0]
    now.apply(Event(seat, Kind.CHOICE, choice, at=at))
    return choice


def orders(now, seat, many=1, at=0):
    """Give so many orders under seal."""
    for _ in range(many):
        there = now.turn_of(seat)
        now.apply(Event(seat, Kind.ORDER, there.choices[0], at=at))


def waits(now, at=0):
    """The one seat whose turn it is."""
    settle(now, at)
    (seat,) = now.waited_for()
    return seat
