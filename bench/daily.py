"""How often the stronger player stands above the weaker in a week of seven deals of the day.

    python bench/daily.py second-story medium easy           140 deals
    python bench/daily.py magnate hard medium -n 70 --futures 16
    python bench/daily.py magnate medium easy --futures 0     by the score alone, in a minute
    python bench/daily.py secrets expert medium --kept deals.csv      it goes on where it stopped

Both play every deal once, in the first seat, among `medium` bots.  They are compared by the score
against the best rival, and by what they gave away: at each of their decisions the same futures,
played to the end by `greedy` from the whole position, are counted after every choice.  Half of the
futures say which choice is best, the other half what it is better by, so that noise costs nobody
anything.  How many deals it takes until the stronger stands above in nine of ten follows from the
mean and the spread of the difference in one deal, with its bootstrapped interval of 95 percent.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np

from yegg import games
from yegg.engine import CHANCE, Match
from yegg.engine.contest import compete
from yegg.engine.daily_deal import Fate, key_of, mind
from yegg.engine.days import OTHERS, standing
from yegg.engine.dice import seeds
from yegg.players import Bot, engine, room

SECRET = bytes(32)
WEEK = 7
NINE_OF_TEN = 1.2816  # standard deviations
LONG = 5000  # events at most


class Judge:
    """The share of the win of the first seat, by futures played to the end by greedy."""

    def __init__(self, game, futures):
        self.game, self.futures = game, futures
        self.engine = engine(game, "greedy")
        self.compete = self.engine.kernel(compete)
        self.out = np.zeros(game.choices, np.int32)
        self.views = np.zeros(1 + room("greedy"), game.state.dtype)

    def __call__(self, match, choice, seed):
        """The shares of the win after a choice, one for each future."""
        twin = match.fork()
        twin.play(choice)
        many = self.futures
        states = np.repeat(twin.states, many)
        if not twin.over:
            mine = np.ones((many, match.players), np.int32)
            dice = seeds(seed, 0, many, 1 + match.players)
            log, counts = np.zeros((many, 0), np.int32), np.zeros((many, 64), np.int32)
            events = np.zeros(many, np.int32)
            args = (states, self.views, dice, mine, events, LONG, log, counts, None, None)
            self.compete(*args, self.out)
        return np.array([self.share(states[i : i + 1]) for i in range(many)])

    def share(self, states):
        """The first seat's share of a finished game."""
        ranks = self.engine.result(states)[1]
        return float(ranks[0] == max(ranks)) / list(ranks).count(max(ranks))


def played(game, day, who, judge):
    """The margin of a bot in a deal, and what it gave away."""
    key = key_of(SECRET, str(day), game.name)
    match, fate, gave = Match(game, game.usual), Fate(key), 0.0
    first = Bot(who, mind(key, 0, 0))
    while not match.over:
        seat = match.actor
        if seat == CHANCE:
            match.play(fate.choose(match))
            continue
        decision = match.actors.count(seat)
        bot = first if seat == 0 else Bot(OTHERS, mind(key, seat, decision))
        choice = bot.choose(match.view())
        if judge and seat == 0 and len(match.choices) > 1:
            gave += cost(match, choice, judge, decision)
        match.play(choice)
    found = standing({"places": match.places, "scores": match.scores})
    return found.margin, gave


def cost(match, choice, judge, seed):
    """What a choice costs against the best: chosen by half of the futures, told by the others."""
    told = {one: judge(match, one, seed) for one in match.choices}
    half = judge.futures // 2
    best = max(told, key=lambda one: told[one][:half].mean())
    return float((told[best][half:] - told[choice][half:]).mean())


def results(game, bots, deals, judge, kept):
    """For each bot rows of margin and what was given away, one for each deal."""
    of, known = (game.name, str(judge.futures if judge else 0)), {}
    if kept and kept.exists():
        with kept.open(newline="") as file:
            rows = [row for row in csv.reader(file) if tuple(row[:2]) == of]
        known = {(who, int(day)): (float(a), float(b)) for _, _, who, day, a, b in rows}
    for day in range(deals):
        for who in bots:
            if (who, day) not in known:
                known[who, day] = found = played(game, day, who, judge)
                if kept:
                    with kept.open("a", newline="") as file:
                        csv.writer(file).writerow((*of, who, day, *found))
    return [np.array([known[who, day] for day in range(deals)]) for who in bots]


def needed(apart, draws=2000):
    """Deals until a sum is above 0 in nine of ten, by its normal limit: found, lowest, highest."""

    def deals(sample):
        mean = sample.mean(axis=-1)
        found = (NINE_OF_TEN * sample.std(axis=-1) / np.where(mean > 0, mean, np.nan)) ** 2
        return np.where(mean > 0, found, np.inf)

    again = deals(np.random.default_rng(0).choice(apart, (draws, len(apart))))
    return float(deals(apart)), *np.quantile(again, [0.025, 0.975], method="lower")


def main():
    """Play, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("stronger")
    parser.add_argument("weaker")
    parser.add_argument("-n", type=int, default=140, help="how many deals (default 140)")
    parser.add_argument("--futures", type=int, default=64, help="for each choice (default 64)")
    parser.add_argument("--kept", type=Path, help="a file of the deals that have been played")
    asked = parser.parse_args()
    game, begun = games.find(asked.game), time.perf_counter()
    judge = Judge(game, asked.futures) if asked.futures else None
    bots = asked.stronger, asked.weaker
    one, two = results(game, bots, asked.n, judge, asked.kept)
    print(f"{game.title}, {asked.n} deals, {time.perf_counter() - begun:.0f} s")
    for who, found in zip(bots, (one, two), strict=True):
        gave = f", gave away {found[:, 1].mean():.3f} a deal" if judge else ""
        print(f"  {who:8} margin {found[:, 0].mean():+.2f}{gave}")
    weeks = asked.n // WEEK
    for name, column, sign in (("margin", 0, 1), ("gave away", 1, -1))[: 2 if judge else 1]:
        apart = sign * (one[:, column] - two[:, column])
        week = apart[: weeks * WEEK].reshape(weeks, WEEK).sum(axis=1)
        above = (week > 0).sum() + (week == 0).sum() / 2
        day = ((apart > 0).sum() + (apart == 0).sum() / 2) / asked.n
        deals, low, high = needed(apart)
        said = f"{asked.stronger} above in {above:g} of {weeks} weeks, {day:.0%} of deals"
        print(f"  by {name:9}: {said}; nine of ten after {deals:.0f} deals [{low:.0f}, {high:.0f}]")


if __name__ == "__main__":
    main()
