"""The results of a deal of the day as pages show them: how all did, and a text to send."""

from collections import Counter
from typing import NamedTuple

from yegg.engine import Game
from yegg.engine.days import Standing, told_day
from yegg.table.domain.clock import DAY, HOUR, MINUTE, lasting
from yegg.table.domain.deal_results import Lately, Results
from yegg.text.phrases import number

MOST = 11  # rows of the histogram


class Row(NamedTuple):
    """A row of the histogram: everybody whose margin is in it."""

    says: str
    """The margins in words."""
    many: int
    """How many people."""
    share: float
    """Of the longest row, 0 to 1."""
    levels: list[str]
    """The bots that did as well in a person's seat."""
    mine: bool


def histogram(results: Results) -> list[Row]:
    """How everybody did, the best first; the rows are equally wide, so that some are empty."""
    people = [one.standing.margin for one in results.people if one.standing]
    levels = {level: one.standing.margin for level, one in results.levels.items() if one.standing}
    own = results.mine.standing.margin if results.mine and results.mine.standing else None
    every = [*people, *levels.values()]
    if not every:
        return []
    wide = 1 + (max(every) - min(every)) // MOST
    row_of = [margin // wide for margin in people]
    rows, top = Counter(row_of), max(every) // wide
    longest = max(rows.values(), default=1)
    return [
        Row(
            in_words(row * wide, wide),
            rows[row],
            rows[row] / longest,
            [level for level, margin in levels.items() if margin // wide == row],
            own is not None and own // wide == row,
        )
        for row in range(top, min(every) // wide - 1, -1)
    ]


def in_words(first: int, wide: int) -> str:
    """The margins of a row.

    >>> in_words(3, 1), in_words(-4, 2), in_words(0, 1), in_words(-1, 3)
    ('ahead by 3', 'behind by 3 to 4', 'tied', 'behind by 1 to ahead by 1')
    """
    last = first + wide - 1
    if first == last or first * last > 0:
        near, far = sorted((abs(first), abs(last)))
        many = f"{near}" if near == far else f"{near} to {far}"
        return f"{'ahead' if first > 0 else 'behind'} by {many}" if far else "tied"
    ends = [
        f"{'ahead' if end > 0 else 'behind'} by {abs(end)}" if end else "tied"
        for end in (first, last)
    ]
    return " to ".join(ends)


def to_send(game: Game, day: str, results: Results, home: str) -> str:
    """A result in words that give nothing away; "" for whoever has none."""
    own = results.mine and results.mine.standing
    if not own:
        return ""
    hard = results.levels.get("hard")
    beside = f" (hard: {hard.standing.words})" if hard and hard.standing else ""
    others, less = len(results.people) - 1, results.better_than
    better = f" Better than {less} of {others}." if less else ""
    address = f"{home}daily/{game.name}/{day}"
    return f"{game.title}, {told_day(day)}: {own.words}{beside}.{better}\n{address}"


def invitation(lately: Lately, many: int) -> str:
    """What the lobby says of today's deals to somebody; ``many``: how many there are.

    >>> invitation(Lately(False, 0, 0), 4), invitation(Lately(True, 0, 0), 4)
    ('the same dice and cards for everybody, one try', 'all four open today')
    >>> invitation(Lately(True, 3, 1), 4), invitation(Lately(True, 4, 12), 4)
    ('one of four open today; one day so far', 'you have played all; 12 days in a row')
    >>> invitation(Lately(True, 0, 1), 4)
    'all four open today: finish one, and it is two days in a row'
    """
    if not lately.known:
        return "the same dice and cards for everybody, one try"
    left = many - lately.over
    if left == many:
        says = f"all {number(many)} open today"
    elif left > 0:
        says = f"{number(left)} of {number(many)} open today"
    else:
        says = "you have played all"
    if not lately.streak:
        return says
    if left == many:
        return f"{says}: finish one, and it is {number(lately.streak + 1)} days in a row"
    row = "one day so far" if lately.streak == 1 else f"{number(lately.streak)} days in a row"
    return f"{says}; {row}"


def left_of_day(now: int) -> str:
    """How long a day lasts after a moment, in words; ``now``: in ms since 1970.

    >>> left_of_day(1_795_305_600_000 - 9 * HOUR - 1), left_of_day(1_795_305_600_000 - 1)
    ('9 hours', '1 minute')
    """
    left = DAY - now % DAY
    unit = HOUR if left >= 2 * HOUR else MINUTE
    return lasting(max(left // unit, 1) * unit)


def line(standing: Standing | None) -> str:
    """How a try ended, as a sentence to whoever played it."""
    return f"You {standing.words}" if standing else ""


def placed(results: Results) -> str:
    """The place among all in words; "" without one."""
    others = len(results.people) - 1
    if not results.mine or not results.mine.standing:
        return ""
    if not others:
        return "Nobody else has finished."
    if results.place == 1:
        return f"Nobody of the {number(others + 1)} who have finished did better."
    return f"Place {results.place} of the {others + 1} who have finished."
