"""How strong the levels are: in every game each level meets the one below it.

    make ladders                                          all games and numbers of players: hours
    python bench/ladders.py magnate -n 40                 one game, 40 games for each two levels
    python bench/ladders.py secrets -p 4 --bots expert,hard --minutes 10
    python bench/ladders.py --draw                        the picture alone

It plays what `yegg arena GAME -p N --bots expert,hard,medium,easy,uniform --ladder --results`
plays, and goes on where it was stopped: deals that are kept in build/ladders are not played again.
What a game has learned is part of a file's name there, so that results of other nets are left
alone.  After each two levels their row of docs/pictures/ladders.csv is written, and at the end
docs/pictures/ladders.svg is drawn.
"""

import argparse
import csv
import hashlib
import time
from dataclasses import asdict, astuple, dataclass, fields
from itertools import pairwise
from pathlib import Path

import altair as alt
import polars as pl

from yegg import games
from yegg.lab import arena, arena_report

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "pictures" / "ladders.csv"
KEPT = ROOT / "build" / "ladders"
LEVELS = "expert", "hard", "medium", "easy", "uniform"
GAMES = {"expert": 48, "hard": 240, "medium": 1200, "easy": 1200}
"""How many games a level plays against the next, where nobody says."""
COLOURS = ["#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#718096"]
SHAPES = ["circle", "diamond", "square", "triangle-up", "triangle-down"]
"""Of 2 to 6 players."""
STEP = 40  # pixels from row to row


@dataclass(frozen=True)
class Rung:
    """How a level did against another: a row of the data."""

    game: str
    players: int
    level: str
    over: str
    share: float
    """Of all wins; a half is fair."""
    low: float
    high: float
    """The ends of its 95 % interval."""
    games: int
    seconds: float | None
    """What a choice of the level takes, on average; None: not known."""
    nets: str
    """`nets_of` the game when it was measured; "": not known."""

    @property
    def place(self):
        """Where the row stands."""
        levels = LEVELS.index(self.level), LEVELS.index(self.over)
        return games.names().index(self.game), self.players, *levels


def main(words=None):
    """Measure what is asked for, write it down, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="*", help="by default all")
    parser.add_argument("-p", "--players", type=int, help="by default each number that can play")
    parser.add_argument("-n", "--games", type=int, help=f"of each two levels; by default {GAMES}")
    parser.add_argument(
        "--bots", type=levels, default=LEVELS, help="which, from the strongest down"
    )
    parser.add_argument("--minutes", type=float, default=float("inf"), help="for each two levels")
    parser.add_argument("--threads", type=int, help="by default one for each core")
    parser.add_argument("--draw", action="store_true", help="only draw")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--kept", type=Path, default=KEPT)
    asked = parser.parse_args(words)
    if not asked.draw:
        for name in asked.game or games.names():
            game = games.find(name)
            for players in [asked.players] if asked.players else game.seats({}):
                measure(game, players, asked)
    draw(read(asked.data), asked.data.with_suffix(".svg"))


def levels(listed):
    """The levels that are named, from the strongest down.  Raises ValueError for others."""
    named = listed.split(",")
    if any(LEVELS.index(a) >= LEVELS.index(b) for a, b in pairwise(named)):
        raise ValueError(listed)
    return named


def measure(game, players, asked):
    """Play a ladder as far as it is not kept, and write its rows."""
    asked.kept.mkdir(parents=True, exist_ok=True)
    results = asked.kept / f"{game.name}-{nets_of(game)}.jsonl"
    for contest in arena.contests(game, players, {}, asked.bots, 0, ladder=True):
        deals = arena_report.recorded(results, contest)
        known, each = {deal.number for deal in deals}, len(contest.seatings)
        wanted = range(-(-(asked.games or GAMES[contest.pair[0]]) // each))
        end = time.monotonic() + 60 * asked.minutes
        for deal in arena.run(contest, [n for n in wanted if n not in known], asked.threads):
            deals.append(deal)
            arena_report.record(results, contest, deal)
            if time.monotonic() > end:
                break
        rung = found(contest, deals)
        write(asked.data, rung)
        print(*astuple(rung), flush=True)


def nets_of(game):
    """What tells apart what a game has learned: hexadecimal digits, or ``lore``."""
    nets = sorted(game.folder.glob("*.npz"))
    return (
        hashlib.sha256(b"".join(n.read_bytes() for n in nets)).hexdigest()[:8] if nets else "lore"
    )


def found(contest, deals):
    """The row of two levels that have met."""
    told, (level, over) = arena_report.to_dict(contest, deals), contest.pair
    low, high = told["interval"][level]
    rate = told["decisions_per_second"][level]
    return Rung(
        told["game"],
        told["players"],
        level,
        over,
        round(told["win_share"][level], 4),
        round(low, 4),
        round(high, 4),
        told["games"],
        float(f"{1 / rate:.2g}") if rate else None,
        nets_of(contest.game),
    )


def read(path):
    """All rows of the data."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Rung(
                row["game"],
                int(row["players"]),
                row["level"],
                row["over"],
                *(float(row[name]) for name in ("share", "low", "high")),
                int(row["games"]),
                float(row["seconds"]) if row["seconds"] else None,
                row["nets"],
            )
            for row in csv.DictReader(file)
        ]


def write(path, rung):
    """Put a row into the data, in its place; it replaces an earlier one."""
    rows = {one.place: one for one in [*read(path), rung]}
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.DictWriter(file, [one.name for one in fields(Rung)], lineterminator="\n")
        written.writeheader()
        written.writerows(asdict(rows[place]) for place in sorted(rows))


def draw(rungs, path):
    """The picture: for each game, what levels win over the next, and what a choice takes them."""
    who = [f"{n} players" for n in sorted({one.players for one in rungs})]
    panels, hollow = [], False
    for name in games.names():
        game, its = games.find(name), [one for one in rungs if one.game == name]
        if its:
            data = pl.DataFrame(
                [shuffled(one, nets_of(game)) for one in its], infer_schema_length=None
            )
            hollow = hollow or not all(data["now"])
            panels.append(alt.hconcat(shares(data, who, game.title), seconds(data, who)))
    chart = alt.vconcat(*panels, title="hollow: measured with earlier nets" if hollow else "")
    chart = chart.resolve_scale(yOffset="independent").configure(background="white")
    chart = chart.configure_view(stroke=None).configure_axis(labelFontSize=12, titleFontSize=12)
    chart.configure_legend(orient="top", labelFontSize=12).save(str(path))
    print(f"drawn: {path}")


def shuffled(rung, nets):
    """A row as it is drawn."""
    named = {"row": f"{rung.level} over {rung.over}", "who": f"{rung.players} players"}
    return asdict(rung) | named | {"now": rung.nets == nets}


def shares(data, who, title):
    """A panel of shares of the wins, with intervals; the dashed line is an even match."""
    axis, scale = (
        alt.Axis(format="%", tickCount=6),
        alt.Scale(domain=[min(0.4, data["low"].min()), 1]),
    )
    share, low, half = (
        alt.X(f"{name}:Q", title="wins", axis=axis, scale=scale)
        for name in ("share", "low", "even")
    )
    even = alt.Chart(pl.DataFrame({"even": [0.5]})).mark_rule(strokeDash=[4, 3], color="#718096")
    base = of(data, who, alt.Axis(minExtent=120, ticks=False, domain=False))
    line = base.mark_rule(strokeWidth=2).encode(x=low, x2="high:Q")
    layers = even.encode(x=half), line, points(base, who).encode(x=share)
    return alt.layer(*layers).properties(width=290, title=title)


def seconds(data, who):
    """A panel of the time that the stronger of two levels takes for a choice."""
    said = "{'-6': '1 µs', '-3': '1 ms', '0': '1 s'}[round(log(datum.value) / LN10)]"
    axis = alt.Axis(values=[1e-6, 1e-3, 1], labelExpr=said)
    scale = alt.Scale(type="log", domain=[1e-6, 10])
    x = alt.X("seconds:Q", title="a choice takes", axis=axis, scale=scale)
    base = of(data.drop_nulls("seconds"), who, None, rows(data))
    return points(base, who).encode(x=x).properties(width=140, title=" ")


def of(data, who, axis, there=None):
    """Rows from the strongest level down, with a place for each number of players."""
    there = there or rows(data)
    rows_of = alt.Scale(domain=there, padding=0)
    y = alt.Y("row:N", sort=there, scale=rows_of, title=None, axis=axis)
    within = alt.Scale(domain=[one for one in who if one in set(data["who"])], range=[5, STEP - 5])
    apart = alt.YOffset("who:N", scale=within)
    base = alt.Chart(data).encode(y=y, yOffset=apart, color=coloured(alt.Color, who))
    return base.properties(height=STEP * len(there))


def points(base, who):
    """A point for each row and number of players; hollow if the nets were others then."""
    fill = alt.condition("datum.now", coloured(alt.Fill, who), alt.value("white"))
    shape = coloured(alt.Shape, who, marks=SHAPES)
    return base.mark_point(size=60, strokeWidth=2, opacity=1).encode(fill=fill, shape=shape)


def coloured(channel, who, marks=COLOURS, **more):
    """A number of players by its colour or shape, the same in all panels."""
    marks = [marks[int(one[0]) - 2] for one in who]
    return channel("who:N", title=None, scale=alt.Scale(domain=who, range=marks), **more)


def rows(data):
    """The rows' names, from the strongest level down."""
    there = set(data["row"])
    return [row for a in LEVELS for b in LEVELS if (row := f"{a} over {b}") in there]


if __name__ == "__main__":
    main()
