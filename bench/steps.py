"""What a level's choices are worth over those of the level below: shares of the win, by game.

    python bench/steps.py                           medium to hard, hard to expert, in three games
    python bench/steps.py magnate -n 200 --json     one game, more decisions, for programs

Where two levels nearly play alike, hundreds of games between them show only luck.  So decisions are
drawn from games between `medium` players, and both levels choose.  Where they choose otherwise,
both choices are played on to the end by what the game has learned, in the same futures.  What the
better one gains, times a player's decisions in a game, is about what the level gains in a game: all
of the game after the choice is `medium` play here, of everybody.
"""

import argparse
import itertools
import random
import statistics

import drawn

from yegg import games
from yegg.cli.output import progress
from yegg.players import Bot
from yegg.players.thinking import evaluation
from yegg.players.thinking.plan import Plan
from yegg.stats.intervals import average
from yegg.text.json_writer import as_json

GAMES = {"second-story": (3, 2000), "thiefs-market": (3, 600), "magnate": (2, 400)}
"""Players, and the futures of a choice."""
STEPS = (("medium", "hard"), ("hard", "expert"))
DRAWN = 0.05  # of the decisions of a game
FRESH = 1 << 40  # futures that neither level has seen


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default three games")
    parser.add_argument("-n", type=int, default=100, help="decisions for each step")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    evaluation.TURNS = 10_000  # futures are played to the end
    named = asked.games or list(GAMES)
    if unknown := set(named) - set(GAMES):
        parser.error(f"{', '.join(unknown)}: choose from {', '.join(GAMES)}")
    rows = []
    for name, step in itertools.product(named, STEPS):
        with progress(f"{name}: {' to '.join(step)}", asked.n, quiet=asked.json) as update:
            rows.append(measured(name, step, asked, update))
        if not asked.json:
            print(as_text(rows[-1]))
    if asked.json:
        print(as_json(rows, indent=2))


def as_text(row):
    """A row as a line."""
    low, high = row["interval"]
    return (
        f"{row['game']}, {row['step']}: another choice in {row['other']} of {row['decisions']} "
        f"decisions; {100 * row['gain']:+.2f} points each, {row['each']:.0f} in a game: "
        f"{100 * row['a_game']:+.1f} points a game [{100 * low:.1f}, {100 * high:.1f}]"
    )


def measured(name, step, asked, update):
    """What the upper level of a step gains, by decision and by game."""
    game, (players, futures) = games.find(name), GAMES[name]
    gains, other, counts = [], 0, []
    some = itertools.islice(decisions(game, players, asked.seed, counts), asked.n)
    for at, (view, seed) in enumerate(some, 1):
        lower, upper = (chosen(level, view, seed) for level in step)
        other += lower != upper
        plan = Plan(2 * futures)
        more = gained(game, view, lower, upper, plan, FRESH + seed) if lower != upper else 0.0
        gains.append(more)
        update(completed=at)
    gain, each = average(gains), statistics.mean(counts)
    return {
        "game": name,
        "players": players,
        "step": " to ".join(step),
        "decisions": len(gains),
        "other": other,
        "gain": gain.value,
        "each": each,
        "a_game": each * gain.value,
        "interval": [each * gain.low, each * gain.high],
    }


def gained(game, view, lower, upper, plan, seed):
    """How much more of the win one choice brings than another, in the same futures."""
    values = evaluation.weigh(game, view.states, view.seat, [lower, upper], plan, seed).values
    return float(values[1] - values[0])


def chosen(level, view, seed):
    """What a level chooses that minds no clock."""
    return Bot(level, seed=seed, clock=False).choose(view)


def decisions(game, players, seed, counts):
    """Views with more than one choice, and a seed; ``counts`` gets each player's by game."""
    for number in itertools.count(seed * 10_000):
        dice, found, views = random.Random(number), 0, []
        for match, _ in drawn.decisions(game, players, {}, number):
            if len(match.choices) > 1:
                found += 1
                if dice.random() < DRAWN:
                    views.append(match.view())
        counts.append(found / players)
        yield from ((view, number * 1000 + i) for i, view in enumerate(views))


if __name__ == "__main__":
    main()
