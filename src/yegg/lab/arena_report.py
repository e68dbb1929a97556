"""Results of an arena: shares of wins with intervals, Elo, and who is stronger."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from yegg.engine import Refused
from yegg.files import named
from yegg.players.judges import fallbacks, judges
from yegg.stats.bootstrap import drawn_again
from yegg.stats.claims import Interval
from yegg.stats.intervals import Figure, Z, finite, share
from yegg.stats.ratings import ratings
from yegg.stats.seat_balance import Balance, balance
from yegg.stats.seat_balance import to_dict as balance_to_dict
from yegg.stats.sequential_tests import sequence
from yegg.text.json_writer import as_json
from yegg.text.phrases import counted

from .arena import Contest, Deal, Outcome
from .failures import Failure

LONGEST_LINE = 1_000_000  # bytes of a line in a file of results
DRAWS = 1000  # of all deals, for the intervals of ratings
Count = Annotated[int, Meta(ge=0, lt=2**31)]
Part = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[str, Meta(pattern=r"^\d+(\.\d+)?(e[+-]?\d+)?$")]
FORFEIT = "a_forfeited_win_is"  # the key of a line that says how it was counted


def share_of_wins(deals: Sequence[Deal]) -> Figure:
    """The first bot's share of all wins with its 95 % interval."""
    return share([deal.share for deal in deals], sum(deal.games for deal in deals))


def other(figure: Figure) -> Figure:
    """The second bot's share."""
    return Figure(1 - figure.value, 1 - figure.high, 1 - figure.low, percent=True)


def elo(share: float) -> float:
    """The difference in rating that a share of wins means (Elo 1978); infinite at 0 and 1."""
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def sequential(deals: Sequence[Deal]) -> Interval:
    """A confidence interval of the first bot's share of all wins that holds at every look."""
    return sequence([deal.share for deal in sorted(deals, key=lambda deal: deal.number)])


def until_told(deals: Sequence[Deal]) -> Figure:
    """About how many games it takes to tell the two bots apart at 95 %, in whole deals.

    After so many the interval of a share of wins like this one just leaves out one half, by the
    normal law and by how much deals differ.  The ends are those of the share's own interval;
    infinite where it holds one half.
    """
    won = share_of_wins(deals)
    each = max((deal.games for deal in deals), default=0)
    varies = float(np.var([deal.share for deal in deals], ddof=1)) if len(deals) > 1 else math.nan

    def games(share: float) -> float:
        apart = (share - 0.5) ** 2
        return each * max(1, math.ceil(Z * Z * varies / apart)) if apart else math.inf

    if not deals or math.isnan(varies):
        return Figure(math.nan, math.nan, math.nan)
    ends = sorted((games(won.low), games(won.high)))
    return Figure(games(won.value), ends[0], math.inf if won.low <= 0.5 <= won.high else ends[1])


def seats_of(deals: Sequence[Deal], *, looked: bool) -> Balance | None:
    """Whether all seats win alike; None if no deal tells: older results do not."""
    known = [deal for deal in sorted(deals, key=lambda deal: deal.number) if deal.seats]
    if not known:
        return None
    shares, games = np.array([deal.seats for deal in known]), sum(deal.games for deal in known)
    unfinished = sum(deal.unfinished for deal in deals) / sum(deal.games for deal in deals)
    return balance(shares, games, unfinished=unfinished, looked=looked)


def quantile(times: Counter[str], q: float) -> float:
    """The seconds within which the share ``q`` of the decisions was made."""
    total, so_far = times.total(), 0
    for seconds in sorted(times, key=float):
        so_far += times[seconds]
        if so_far >= q * total:
            return float(seconds)
    return math.nan


def to_dict(
    contest: Contest, deals: Sequence[Deal], *, margin: float | None = None
) -> dict[str, Any]:
    """A pair's results, for `yegg arena --json` (docs/compare-bots.md).

    With a ``margin`` they answer whether one bot is stronger, or both are equal within it.
    """
    won, told = share_of_wins(deals), until_told(deals)
    seats = seats_of(deals, looked=margin is not None)
    figures = dict(zip(contest.pair, (won, other(won)), strict=True))
    whys = forfeits(contest.pair, deals)
    times = {name: sum((deal.times[name] for deal in deals), Counter()) for name in contest.pair}
    return {
        **contest.key,
        "judges": judges(contest.game, contest.pair, contest.players, contest.options),
        "fallbacks": fallbacks(contest.game, contest.pair),
        "games": sum(deal.games for deal in deals),
        "deals": len(deals),
        "unfinished": sum(deal.unfinished for deal in deals),
        "forfeits": {name: len(some) for name, some in whys.items()},
        "forfeited_because": {name: next(iter(some), None) for name, some in whys.items()},
        "failures": {name: one.to_dict() for name, one in first_failures(deals).items()},
        "win_share": {name: figure.value for name, figure in figures.items()},
        "interval": {name: [figure.low, figure.high] for name, figure in figures.items()},
        "fair_share": 0.5,
        "games_until_told": finite(told.value),
        "games_until_told_interval": [finite(told.low), finite(told.high)],
        "elo": finite(elo(won.value)),
        "elo_interval": [finite(elo(won.low)), finite(elo(won.high))],
        **_answer(sequential(deals), contest.pair, margin),
        "seats_alike": balance_to_dict(seats) if seats else None,
        "seconds_per_decision": {
            name: {"median": finite(quantile(t, 0.5)), "worst": finite(quantile(t, 1.0))}
            for name, t in times.items()
        },
        "decisions_per_second": {name: _rate(t) for name, t in times.items()},
    }


def rated(every: Sequence[tuple[Contest, Sequence[Deal]]]) -> dict[str, Figure]:
    """One rating for each bot of several contests, the strongest first; the mean of all is 0.

    All contests play the same deals, so the intervals come from drawing whole deals again
    (`bootstrap`).  Their ends are infinite where fewer than two deals were played.
    """
    names = list(dict.fromkeys(name for contest, _ in every for name in contest.pair))
    numbers = sorted({deal.number for _, deals in every for deal in deals})
    won = np.zeros((len(numbers), len(names), len(names)))
    for contest, deals in every:
        a, b = map(names.index, contest.pair)
        for deal in deals:
            at = numbers.index(deal.number)
            won[at, a, b] += deal.games * deal.share
            won[at, b, a] += deal.games * (1 - deal.share)
    return one_rating(names, won)


def one_rating(names: Sequence[str], won: NDArray[np.float64]) -> dict[str, Figure]:
    """One rating for each bot, the strongest first, from what each won over each in every deal.

    ``won`` has the shape (deals, bots, bots).  The ends of the intervals are infinite where fewer
    than two deals were played.
    """
    elo = ratings(np.tensordot(drawn_again(len(won), DRAWS), won, axes=1))
    low, high = np.quantile(elo[1:], [0.025, 0.975], axis=0)
    if len(won) < 2:
        low, high = np.full((2, len(names)), [[-math.inf], [math.inf]])
    order = np.argsort(-elo[0], kind="stable").tolist()
    return {names[i]: Figure(float(elo[0, i]), float(low[i]), float(high[i])) for i in order}


def _answer(seen: Interval, pair: tuple[str, str], margin: float | None) -> dict[str, Any]:
    """The answer of those who look while it runs; ``margin`` None: nobody looked."""
    if margin is None:
        return {"answer": None, "stronger": None, "sequence": None}
    answer = seen.answer(0.5, margin)
    stronger = pair[0] if seen.low > 0.5 else pair[1]
    return {
        "answer": answer,
        "stronger": stronger if answer == "clear" else None,
        "sequence": [finite(seen.low), finite(seen.high)],
    }


def forfeits(names: Sequence[str], deals: Sequence[Outcome]) -> dict[str, list[str]]:
    """By bot: for each game that it forfeited, why it made no choice."""
    return {name: [why for deal in deals for why in deal.forfeits.get(name, [])] for name in names}


def first_failures(deals: Sequence[Outcome]) -> dict[str, Failure]:
    """By bot: where it failed first, in the deals that were played now."""
    found: dict[str, Failure] = {}
    for deal in sorted(deals, key=lambda deal: deal.number):
        found = deal.failures | found
    return found


def forfeited(pair: dict[str, Any]) -> list[str]:
    """A sentence for each bot of a pair that forfeited games."""
    return [
        f"{name} forfeited {counted(games, 'game')}: it {pair['forfeited_because'][name]}"
        for name, games in pair["forfeits"].items()
        if games
    ]


def _rate(times: Counter[str]) -> float | None:
    spent = sum(float(seconds) * n for seconds, n in times.items())
    return times.total() / spent if spent else None


def recorded(path: Path, contest: Contest) -> list[Deal]:
    """The deals of this contest that a file of results holds already.

    Deals with a forfeit that yegg 1.0 counted are left out, to be played again: with three players
    and more it gave a part of the win to other seats of the bot that forfeited.  Raises Refused,
    with the line, if it is no file of results.
    """
    if not path.exists():
        return []
    deals: dict[int, Deal] = {}
    with path.open("rb") as file:
        for number, raw in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), 1):
            try:
                line = json.loads(raw.decode("utf-8-sig") if raw.endswith(b"\n") else "cut off")
                if {key: line.get(key) for key in contest.key} == contest.key:
                    deal = _deal(line, contest)
                    if not deal.forfeits or contest.players == 2 or FORFEIT in line:
                        deals[deal.number] = deal
            except (msgspec.MsgspecError, ValueError, AttributeError, KeyError, RecursionError):
                raise Refused(
                    f"{path}:{number}: this is no result of an arena; remove the line, "
                    "or keep results in another file"
                ) from None
    return list(deals.values())


class Line(msgspec.Struct):
    """What a line of a file of results tells of a deal, whoever played it."""

    deal: Count
    share: Part
    games: Annotated[int, Meta(ge=1, lt=2**31)]
    unfinished: Count
    times: dict[str, dict[Seconds, Count]]
    seats: tuple[Part, ...] = ()
    forfeits: dict[str, list[str]] = {}


def _deal(given: dict[str, Any], contest: Contest) -> Deal:
    """A deal from its line.  Raises ValueError or KeyError if it is none."""
    line = msgspec.convert(given, Line)
    if len(line.seats) not in {0, contest.players}:
        raise ValueError("shares that cannot be")
    return Deal(
        number=line.deal,
        share=line.share,
        games=line.games,
        unfinished=line.unfinished,
        times={name: Counter(line.times[name]) for name in contest.pair},
        forfeits=line.forfeits,
        seats=() if line.forfeits else line.seats,
    )


def record(path: Path, contest: Contest, deal: Deal) -> None:
    """Add a deal to a file of results, as a line of JSON."""
    line = {
        **contest.key,
        "deal": deal.number,
        "share": deal.share,
        "games": deal.games,
        "unfinished": deal.unfinished,
        "seats": deal.seats,
        "times": deal.times,
        "forfeits": deal.forfeits,
    }
    if deal.forfeits:
        line[FORFEIT] = "the other bot's"
    with named(path), path.open("a", encoding="utf-8") as file:
        file.write(as_json(line) + "\n")
