"""Clocks: everybody's time, from the events of a game and from when the house was closed."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yegg.table.domain.clock import Clock, ClockTerms, TimedEvent, lapse, merged, moment
from yegg.table.domain.seats import Event, Kind

S, H, D = 1000, 3_600_000, 86_400_000
BOTH = frozenset({0, 1})
A, B = frozenset({0}), frozenset({1})
LATE = [Kind.LATE, Kind.GONE]


class Game:
    """Two people and their clock; seat 0 is to act."""

    def __init__(self, closed=(), **terms):
        self.clock, self.mark = Clock.of(ClockTerms(**terms), 2, closed), 0
        self.happen(0, -1, Kind.CHOICE, A)

    def happen(self, at, actor, kind, acting, *, people=BOTH, until=0, to=-1):
        counts = kind == Kind.CHOICE or (kind == Kind.UNDO and acting != BOTH)
        self.mark += counts * (1 if kind == Kind.CHOICE else -1)
        own = kind not in LATE and actor >= 0
        event = Event(actor, kind, to, words=str(until), at=at)
        self.clock = self.clock.after(TimedEvent(event, own, people, acting, self.mark))
        return self.clock

    def reserve(self, seat):
        return self.clock.times[seat].reserve


def test_so_many_days_a_turn():
    game = Game(turn=3 * D)
    assert game.clock.due(0) == 3 * D
    game.happen(2 * D, 0, Kind.CHOICE, B)
    assert game.clock.due(0) is None
    assert game.clock.due(1) == 5 * D
    assert game.clock.left(1, 3 * D) == 2 * D
    assert game.clock.left(0, 3 * D) == 3 * D, "of the next turn"


def test_several_choices_are_one_turn_and_chance_between_them_ends_none():
    game = Game(turn=30 * S, reserve=600 * S)
    game.happen(20 * S, 0, Kind.CHOICE, A)
    assert game.clock.due(0) == 630 * S
    game.happen(30 * S, 0, Kind.CHOICE, None)
    game.happen(30 * S, -1, Kind.CHOICE, A)
    assert game.clock.due(0) == 630 * S
    game.happen(50 * S, 0, Kind.CHOICE, B)
    assert game.reserve(0) == 580 * S


def test_fischer():
    game = Game(turn=5 * S, reserve=60 * S, add=10 * S)
    game.happen(15 * S, 0, Kind.CHOICE, B)
    assert game.reserve(0) == 60 * S, "ten used beyond the five, ten added"
    game.happen(16 * S, 1, Kind.CHOICE, A)
    assert game.reserve(1) == 70 * S
    assert game.clock.due(0) == 81 * S


def test_rewriting_sealed_orders_gains_nothing():
    game = Game(turn=H, reserve=2 * D, add=D)
    game.happen(0, 0, Kind.CHOICE, BOTH)
    for hour in range(1, 9, 2):
        game.happen(hour * H, 0, Kind.ORDER, B)  # all its orders are in
        game.happen((hour + 1) * H, 0, Kind.UNDO, BOTH)
    assert game.clock.left(0, 8 * H) == 2 * D - 3 * H, "it thought for four of eight hours"
    assert game.clock.left(1, 8 * H) == 2 * D - 7 * H


def test_taking_back_gains_nothing_and_costs_others_nothing():
    game = Game(turn=H, reserve=D, add=H)
    for i in range(5):
        game.happen((2 * i + 1) * H, 0, Kind.CHOICE, B)
        game.happen((2 * i + 2) * H, 0, Kind.UNDO, A)
    assert game.clock.left(0, 10 * H) == D + H - 5 * H
    game.happen(10 * H, 0, Kind.CHOICE, B)
    assert game.clock.left(1, 10 * H) == D + H


def test_a_closed_house_costs_nobody_time():
    closed = [(2 * H, 5 * H), (6 * H, 7 * H)]
    game = Game(closed, turn=10 * H, reserve=D)
    assert game.clock.due(0) == D + 14 * H
    assert Game(closed, turn=10 * H).clock.due(0) == 14 * H
    game.happen(8 * H, 0, Kind.CHOICE, B)
    assert game.clock.times[0].ended == (2, D, 4 * H)


def test_an_event_after_the_last_sign_of_life_counts_as_before_the_restart():
    """A process that is killed gave its last sign of life a little before its last event."""
    before = Game(turn=10 * H)
    before.happen(3 * H, 0, 5, B)
    after = Game([(2 * H, 6 * H)], turn=10 * H)
    after.happen(3 * H, 0, 5, B)
    assert after.clock.times == before.clock.times
    assert before.clock.due(1) == 13 * H
    assert after.clock.due(1) == 16 * H, "from then on the closure counts"
    then = Game([(2 * H, 3 * H)], turn=10 * H)
    then.happen(3 * H, 0, Kind.CHOICE, A)
    assert then.clock.times[0].used == 2 * H, "a closure that had ended just then"


def test_being_late_and_back():
    game = Game(turn=H, reserve=H)
    assert game.clock.due(0) == 2 * H
    game.happen(2 * H, 0, Kind.LATE, frozenset())
    assert game.clock.due(0) is None
    assert game.clock.times[0].missed == 1
    assert not game.clock.gone(0)
    game.happen(2 * H, 1, Kind.CHOICE, A)
    assert game.clock.due(0) == 3 * H, "a turn has its time, although the reserve is gone"
    game.happen(3 * H, 0, Kind.GONE, frozenset())
    assert game.clock.gone(0)
    game.happen(4 * H, 1, Kind.CHOICE, frozenset(), people=B)
    game.happen(5 * H, 0, Kind.BACK, A)
    assert game.clock.times[0].missed == 0
    assert game.clock.due(0) == 6 * H


def test_an_own_choice_makes_good_for_a_missed_turn():
    game = Game(turn=H)
    game.happen(H, 0, Kind.LATE, frozenset())
    game.happen(H, 1, Kind.CHOICE, A)
    game.happen(H + S, 0, Kind.CHOICE, B)
    assert game.clock.times[0].missed == 0


def test_coming_back_within_the_missed_turn_gains_nothing():
    game = Game(turn=H)
    game.happen(H, 0, Kind.LATE, frozenset())
    game.happen(H + S, 0, Kind.BACK, A)
    assert game.clock.due(0) == H + S


def test_pause_takes_all_and_any_ends_it():
    game = Game(turn=H)
    game.happen(S, 1, Kind.PAUSE, A)
    assert game.clock.due(0) == H
    assert not game.clock.paused
    game.happen(2 * S, 0, Kind.PAUSE, A)
    assert game.clock.paused
    assert game.clock.due(0) is None
    game.happen(50 * D, 1, Kind.GO_ON, A)
    assert game.clock.due(0) == 50 * D + H, "the turn's time begins anew"


def test_whoever_plays_on_wants_no_pause_and_asking_for_one_gains_nothing():
    game = Game(turn=H)
    game.happen(S, 0, Kind.PAUSE, A)
    game.happen(2 * S, 0, Kind.GO_ON, A)
    assert game.clock.due(0) == H
    game.happen(3 * S, 1, Kind.PAUSE, A)
    game.happen(4 * S, 0, Kind.CHOICE, B)
    assert not game.clock.agreed


def test_a_pause_needs_people_only():
    game = Game(turn=H)
    game.happen(S, 0, Kind.PAUSE, A)
    game.happen(2 * S, 1, Kind.BOT, A, people=A)
    assert game.clock.paused
    game.happen(3 * S, 0, Kind.BOT, frozenset(), people=frozenset())
    assert not game.clock.paused, "nobody is left who could end it"


def test_given_time():
    game = Game(turn=D)
    game.happen(H, 1, Kind.GIVE, A, to=0)
    assert game.clock.due(0) == 2 * D


def test_no_reserve_grows_beyond_a_year_neither_by_gifts_nor_by_what_each_turn_adds():
    """Moments stay numbers that every program can read: nobody gathers time without end."""
    given = Game(turn=200 * D, reserve=300 * D)
    for _ in range(3):
        given.happen(0, 1, Kind.GIVE, A, to=0)
    assert given.reserve(0) == 366 * D, "three gifts of 200 days"
    added = Game(turn=D, reserve=300 * D, add=50 * D)
    for turn in range(3):
        added.happen(2 * turn, 0, Kind.CHOICE, B)
        added.happen(2 * turn + 1, 1, Kind.CHOICE, A)
    assert [added.reserve(seat) for seat in (0, 1)] == [366 * D] * 2, "three turns of 50 days more"


def test_a_holiday_stops_the_time_and_ends_by_itself():
    game = Game(turn=D, holiday=9 * D)
    game.happen(2 * H, 0, Kind.AWAY, A, until=2 * H + 3 * D)
    assert game.clock.due(0) == 4 * D
    assert game.clock.away(0, D) == 2 * H + 3 * D
    assert game.clock.left(0, 2 * D) == D - 2 * H
    game.happen(D, 0, Kind.HERE, A)
    assert game.clock.due(0) == 2 * D - 2 * H
    assert game.clock.holiday_left(0, D) == 8 * D + 2 * H


def test_a_holiday_is_no_longer_than_what_is_left_of_it():
    game = Game(turn=D, holiday=2 * D)
    game.happen(0, 0, Kind.AWAY, A, until=90 * D)
    assert game.clock.due(0) == 3 * D
    assert game.clock.holiday_left(0, 5 * D) == 0


def test_a_closure_within_a_holiday_counts_once():
    game = Game([(D, 2 * D)], turn=D, holiday=9 * D)
    game.happen(0, 0, Kind.AWAY, A, until=3 * D)
    assert game.clock.due(0) == 4 * D


def test_whoever_sits_down_begins_a_turn_anew_with_what_is_left_in_reserve():
    game = Game(turn=H, reserve=4 * H)
    game.happen(3 * H, 0, Kind.LEAVE, frozenset(), people=B)
    game.happen(9 * H, 0, Kind.SIT, A)
    assert game.clock.due(0) == 9 * H + H + 2 * H


def test_two_clocks_that_differ_do_not_let_time_run_backwards():
    game = Game(turn=H)
    game.happen(10 * S, 0, Kind.CHOICE, B)
    game.happen(9 * S, 1, Kind.CHOICE, A)
    assert game.clock.at == 10 * S
    assert game.clock.due(0) == 10 * S + H


# Whatever happens -------------------------------------------------------------------------

KINDS = [*[Kind.CHOICE] * 3, Kind.ORDER, Kind.UNDO, Kind.BACK, Kind.SIT, Kind.LATE, Kind.GONE]
KINDS += [Kind.AWAY, Kind.HERE, Kind.PAUSE, Kind.GO_ON, Kind.GIVE, Kind.GIVE, Kind.NAME]
STEPS = st.tuples(
    st.sampled_from([-S, 0, S, H, D, 40 * D]),
    st.integers(0, 1),
    st.sampled_from(KINDS),
    st.sampled_from([A, B, BOTH, frozenset(), None]),
    st.integers(-D, 60 * D),
)
TERMS = st.builds(
    ClockTerms,
    turn=st.sampled_from([5 * S, H, D]),
    reserve=st.sampled_from([0, H, 10 * D]),
    add=st.sampled_from([0, S]),
    holiday=st.sampled_from([0, 3 * D]),
)
FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
CLOSED = st.lists(st.integers(0, 100 * D), max_size=8).map(
    lambda ends: merged(zip(sorted(ends)[::2], sorted(ends)[1::2], strict=False))
)


def played(terms, closed, steps):
    """The clock before each step, and after the last."""
    clock, at, mark = Clock.of(terms, 2, closed), 0, 0
    yield clock, 0
    for by, actor, kind, acting, until in steps:
        at = max(0, at + by)
        mark = max(0, mark + (kind == Kind.CHOICE) - (kind == Kind.UNDO))
        event = Event(actor, kind, until % 2, words=str(at + until), at=at)
        clock = clock.after(TimedEvent(event, True, BOTH, acting, mark))
        yield clock, at


@FUZZ
@given(TERMS, CLOSED, st.lists(STEPS, max_size=30))
def test_a_replay_is_exact_and_nobody_has_less_than_nothing(terms, closed, steps):
    clocks = list(played(terms, closed, steps))
    assert clocks == list(played(terms, closed, steps))
    for clock, _ in clocks:
        for seat, time in enumerate(clock.times):
            assert time.reserve >= 0
            assert time.used >= 0
            assert clock.holiday_left(seat, clock.at) <= terms.holiday
            if (due := clock.due(seat)) is not None:
                assert due >= clock.at
                assert clock.left(seat, due) == 0
                if clock.left(seat, clock.at):
                    assert clock.left(seat, due - 1) > 0, "not before"
                assert clock.left(seat, clock.at) <= due - clock.at


@settings(FUZZ, max_examples=25)
@given(TERMS, CLOSED, st.lists(STEPS, max_size=20), st.integers(1, 50 * D), st.integers(1, 9 * D))
def test_a_later_closure_gives_back_just_what_it_took(terms, closed, steps, after, length):
    """Whether it is known from the beginning or only afterwards, the past is the same.

    It is later by a moment at least: two closures with nothing between them are one.
    """
    before = list(played(terms, closed, steps))[-1][0]
    last = max([before.at, *(to for _, to in closed)])
    come = last + after
    known = list(played(terms, [*closed, (come, come + length)], steps))[-1][0]
    assert known.times == before.times
    for seat in (0, 1):
        due, now = before.due(seat), known.due(seat)
        if due is None or due <= come:
            assert now == due
        elif not any(to > come for _, to in before.times[seat].away):
            assert now == due + length


@FUZZ
@given(TERMS, st.lists(STEPS, max_size=20))
def test_news_that_is_no_turn_changes_nobodys_time(terms, steps):
    """A new name, asked for at any moment, splits the time that runs but takes none of it."""
    clock = list(played(terms, (), steps))[-1][0]
    at = clock.at + 7 * S
    same = TimedEvent(Event(0, Kind.NAME, at=at), True, BOTH, clock.acting, clock.mark)
    again = clock.after(same)
    for seat in (0, 1):
        assert again.left(seat, at + H) == clock.left(seat, at + H)
        if clock.people == BOTH and (due := clock.due(seat)) is not None and due >= at:
            assert again.due(seat) == due


def test_spans_that_meet_are_one():
    assert merged([(5, 7), (0, 3), (3, 4), (9, 9), (9, 8)]) == [(0, 4), (5, 7)]


def test_a_moment_is_not_put_off_by_a_closure_that_begins_just_then():
    assert moment(0, 10, [(2, 5), (13, 20)]) == 13
    assert moment(0, 11, [(2, 5), (13, 20)]) == 21
    assert moment(4, 10, [(2, 5)]) == 15
    assert lapse(0, 10, [(2, 5), (9, 20)]) == 6


def test_after_a_pause_only_the_turn_of_who_is_to_act_begins_anew():
    game = Game(turn=H, reserve=H)
    game.happen(2 * H - S, 0, Kind.CHOICE, B)
    before = game.clock.times[0]
    game.happen(3 * H - S, 0, Kind.PAUSE, B)
    game.happen(3 * H - S, 1, Kind.PAUSE, B)
    game.happen(9 * H, 0, Kind.GO_ON, B)
    assert game.clock.times[0] == before
    assert game.clock.due(1) == 11 * H


def test_who_sits_down_later_has_not_agreed_to_a_pause():
    game = Game(turn=10 * S)
    game.happen(S, 1, Kind.PAUSE, A)
    game.happen(2 * S, 1, Kind.LEAVE, A, people=A)
    game.happen(3 * S, 1, Kind.SIT, A)
    game.happen(4 * S, 0, Kind.PAUSE, A)
    assert not game.clock.paused
    game.happen(5 * S, 1, Kind.PAUSE, A)
    assert game.clock.paused
