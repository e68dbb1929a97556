"""How many steps a second a graphics card plays, beside this machine's processor on all cores.

    make bench-gpu                     all four games, a few minutes, and the picture
    python bench/gpu.py --rounds 3     fewer rounds

Told are medians, in millions a second by the clock, all of one run.  A step is a decision of an
agent, the actions those that were sampled.  Random play counts every event, chance's too.  Pgx is
measured where it is installed and JAX sees the card: `pip install pgx "jax[cuda13]"`.  Where no
card is, the processor is measured alone.

The picture, docs/pictures/gpu.svg, has decisions a second with observations, by number of games.
"""

import argparse
import os
import statistics
import time
from pathlib import Path

import altair as alt
import polars as pl
from envs_peers import pgx

from yegg import envs, games
from yegg.engine import Refused, cuda
from yegg.lab.bench import on_a_card

GAMES = 4096, 65_536
CURVE = 64, 256, 1024, 4096, 16_384, 65_536
MORE = 262_144  # on a card
INSIDE = 64  # steps drawn inside at once
BEFORE = 20_000_000  # steps at most before it is measured, so that games are at all stages
SECONDS = 0.5
IN_A_ROW = 20  # launches between two looks at the clock
PEERS = "backgammon", "tic_tac_toe", "kuhn_poker"
PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "gpu.svg"


def main():
    """Measure and print, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    asked = parser.parse_args()
    card = found()
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{card or 'no card'} and {cores()} cores, load {load}; millions a second")
    points = []
    for name in games.names():
        print(name)
        if card:
            on_the_card(name, asked.rounds)
        points += curve(name, "processor", CURVE, {"threads": cores()}, asked.rounds)
        if card:
            there = {"device": "cuda", "layout": "columns"}
            points += curve(name, "card", (*CURVE, MORE), there, asked.rounds)
    draw(points, asked.picture)
    for peer in PEERS if card else ():
        beside(peer, asked.rounds)


def found():
    """What the card is called; "" if there is none, and why is told."""
    try:
        return cuda.name()
    except Refused as why:
        print(why)
        return ""


def cores():
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


def on_the_card(name, rounds):
    """Measure random play and all kinds of batches of a game."""
    tell("random play, events", on_a_card(games.find(name))["events_per_second"])
    for many in GAMES:
        for what, batch, steps in contestants(name, many):
            tell(f"{many:,} games, {what}", speed(batch, steps, rounds))


def curve(name, where, sizes, wishes, rounds):
    """Decisions a second with observations, by number of games."""
    for many in sizes:
        rate = speed(envs.batch(name, many, observe="float32", **wishes), 1, rounds)
        tell(f"{many:,} games, {where}, float32", rate)
        title = games.find(name).title
        yield {"game": title, "where": where, "games": many, "decisions a second": rate}


def draw(points, path):
    """The picture of all curves: a panel for each game, on logarithmic axes."""
    data = pl.DataFrame(points)
    ticks = alt.Axis(format="~s", values=[10**power for power in range(2, 6)])
    x = alt.X("games:Q", scale=alt.Scale(type="log"), axis=ticks)
    y = alt.Y("decisions a second:Q", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    colour = alt.Color("where:N", title=None)
    panels = [
        alt.Chart(data.filter(pl.col("game") == game), title=game)
        .encode(x=x, y=y if at == 0 else y.title(None), color=colour)
        .mark_line(point=True)
        .properties(width=150, height=180)
        for at, game in enumerate(data["game"].unique(maintain_order=True))
    ]
    chart = alt.hconcat(*panels).resolve_scale(y="shared").configure(background="white")
    chart.save(path)
    print(f"drawn: {path}")


def tell(what, rate):
    """Print one figure."""
    print(f"  {what:<62} {rate / 1e6:10,.1f}", flush=True)


def contestants(name, many):
    """What is measured on the card, a batch, and how many steps it plays at once."""
    for layout in ("rows", "columns"):
        for observe in ("float32", "int8"):
            wishes = {"observe": observe, "layout": layout, "device": "cuda"}
            yield f"card, {observe}, {layout}", envs.batch(name, many, **wishes), 1
    bare = envs.batch(name, many, observe=None, device="cuda")
    yield "card, no observations", bare, 1
    yield f"card, no observations, {INSIDE} at once", bare, INSIDE


def speed(batch, steps, rounds):
    """The median of steps a second."""
    done = getattr(batch, "synchronize", lambda: None)
    batch.play_at_random(min(300, BEFORE // batch.wishes.games))
    done()
    rates = []
    for _ in range(rounds):
        played, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            for _ in range(IN_A_ROW):
                batch.play_at_random(steps)
            done()
            played += IN_A_ROW * steps
        rates.append(played * batch.wishes.games / (time.perf_counter() - begun))
    return statistics.median(rates)


def beside(peer, rounds):
    """Measure a game of Pgx, if it can be had here."""
    try:
        play = pgx(peer)
        play()
    except Exception as error:  # noqa: BLE001  # whatever keeps it from playing is told
        print(f"pgx {peer} is left out: {error!r}")
        return
    rates = []
    for _ in range(rounds):
        played, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            played += play()
        rates.append(played / (time.perf_counter() - begun))
    print(f"pgx {peer}")
    tell("as many games as bench/envs_peers.py says", statistics.median(rates))


if __name__ == "__main__":
    main()
