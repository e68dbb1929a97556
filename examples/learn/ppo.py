"""Learns a game by playing against itself: PPO in one file, with NumPy alone.

    python ppo.py --game second-story --minutes 10
    yegg arena second-story --bots ppo:Learned,greedy

The file is meant to be read from top to bottom, and changed.  B games are played side by side, T
decisions of each between two lessons; P seats, A actions, C columns of an observation.
"""

import argparse
import json
import os
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import yegg
from yegg.envs.batches import Batch
from yegg.envs.setting import setting
from yegg.envs.single import Single

HELP = """\
Learn a game by playing against itself, and save the net.

One net plays all seats of many games at once (`yegg.envs`), and learns from each seat's own
decisions by proximal policy optimization (PPO, Schulman et al. 2017).  At each line of the output
it has met bots that sit in all other seats, with the same deals each time, and is saved: a run
that is stopped loses nothing but what came after the last line.
"""
AFTER = """\
  python ppo.py --game second-story --minutes 10     about as good as greedy
  python ppo.py --game magnate --minutes 10
  python ppo.py --option chips=3 --minutes 2         a shorter game is learned sooner
  yegg arena second-story --bots ppo:Learned,greedy  the saved net against a bot, in this folder
  yegg play second-story --seats you,ppo:Learned,greedy
"""
BOTS = "uniform", "greedy"
CLIP, DISCOUNT_OF_TRACE, STEEPEST = 0.2, 0.95, 0.5  # PPO's clip, GAE's lambda, a gradient's length
CLOSED = -1e9  # the logit of an action that is not legal


class Net:
    """Two layers shared by a policy and a value; weights and biases in a list."""

    def __init__(self, weights, about):
        self.weights, self.about = weights, about

    @classmethod
    def fresh(cls, table, units, rng):
        """A net for a `yegg.envs` setting: at first all legal actions are about equally likely."""
        columns, actions = len(table.columns), table.choices.shape[1]
        sizes = (columns, units, 1.4), (units, units, 1.4), (units, actions, 0.01), (units, 1, 1.0)
        weights = []
        for ins, outs, gain in sizes:
            turned, _ = np.linalg.qr(rng.standard_normal((max(ins, outs), min(ins, outs))))
            weight = gain * (turned if ins >= outs else turned.T)
            weights += [weight.astype(np.float32), np.zeros(outs, np.float32)]
        told = {"environment": table.name, "players": table.players, "options": table.options}
        return cls(weights, told)

    def forward(self, x, mask):
        """Log probabilities (n, A), values (n,), and the layers, which `backward` needs.

        ``mask`` closes what is not legal before probabilities are made of the logits: so they sum
        to one over the legal actions, and an illegal one has neither probability nor gradient.
        """
        w1, b1, w2, b2, w3, b3, w4, b4 = self.weights
        h1 = np.maximum(x @ w1 + b1, 0)
        h2 = np.maximum(h1 @ w2 + b2, 0)
        logits = h2 @ w3 + b3
        logits[~mask] = CLOSED
        logits -= logits.max(1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(1, keepdims=True))
        return logits, (h2 @ w4 + b4)[:, 0], (x, h1, h2)

    def backward(self, logits, values, layers):
        """Gradients of all weights from those of the logits (n, A) and of the values (n,)."""
        _, _, w2, _, w3, _, w4, _ = self.weights
        x, h1, h2 = layers
        values = values[:, None]
        d2 = (logits @ w3.T + values @ w4.T) * (h2 > 0)
        d1 = (d2 @ w2.T) * (h1 > 0)
        pairs = (x, d1), (h1, d2), (h2, logits), (h2, values)
        return [slope for ins, outs in pairs for slope in (ins.T @ outs, outs.sum(0))]

    def save(self, path, curve):
        """Write the net and how it came about; what was there stays until all is written."""
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            about = np.array(json.dumps(self.about))
            np.savez(file, *self.weights, about=about, curve=np.array(curve))
        part.replace(path)

    @classmethod
    def read(cls, path):
        """A saved net."""
        with np.load(path) as kept:
            return cls([kept[f"arr_{i}"] for i in range(8)], json.loads(str(kept["about"])))


class Adam:
    """Adam (Kingma and Ba 2015), after a gradient that is too long is shortened."""

    def __init__(self, weights):
        self.mean = [np.zeros_like(weight) for weight in weights]
        self.square = [np.zeros_like(weight) for weight in weights]
        self.steps = 0

    def step(self, weights, slopes, rate):
        """Change the weights in place."""
        self.steps += 1
        length = np.sqrt(sum(float((slope * slope).sum()) for slope in slopes))
        short = min(1.0, STEEPEST / (length + 1e-6))
        rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, mean, square, slope in zip(
            weights, self.mean, self.square, slopes, strict=True
        ):
            slope *= short
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-5))


class Played(NamedTuple):
    """What was seen, done and expected in T decisions of B games, (T, B, …)."""

    seen: np.ndarray
    legal: np.ndarray
    action: np.ndarray
    chance: np.ndarray  # log probability that the action had
    value: np.ndarray
    actor: np.ndarray
    rewards: np.ndarray  # (T, B, P)
    over: np.ndarray

    @classmethod
    def room(cls, batch, steps):
        """Room for so many steps."""
        many, columns = batch.observations.shape
        actions, players = batch.masks.shape[1], batch.rewards.shape[1]
        wide = [(columns,), (actions,), (), (), (), (), (players,), ()]
        kinds = ["f4", "?", "i4", "f4", "f4", "i4", "f4", "?"]
        return cls(*(np.zeros((steps, many, *w), k) for w, k in zip(wide, kinds, strict=True)))


def drawn(logits, rng):
    """An action of each row by its probability, (n,)."""
    up_to = np.exp(logits).cumsum(1)
    wanted = (1 - rng.random((len(logits), 1), np.float32)) * up_to[:, -1:]
    return (up_to < wanted).sum(1)


def play(batch, net, played, rng):
    """Fill ``played``: the net decides for whoever is asked, in every game."""
    rows = np.arange(len(batch.actor))
    for t in range(len(played.action)):
        played.seen[t], played.legal[t] = batch.observations, batch.masks
        played.actor[t] = batch.actor
        logits, played.value[t], _ = net.forward(played.seen[t], played.legal[t])
        played.action[t] = drawn(logits, rng)
        played.chance[t] = logits[rows, played.action[t]]
        batch.step(played.action[t])  # a game that ends here is dealt again at once
        played.rewards[t], played.over[t] = batch.rewards, batch.terminated | batch.truncated


def advantages(played):
    """By how much each decision turned out better than expected, and where that is known, (T, B).

    Generalized advantage estimation (Schulman et al. 2016), backwards in time.  A seat's next
    state is that of its own next decision, whatever others do in between; rewards come when the
    game ends, to every seat.  What becomes of a seat's last decision before the lesson is not
    known yet, so nothing is learned from that one.
    """
    steps, many, players = played.rewards.shape
    better, known = np.zeros((steps, many), np.float32), np.zeros((steps, many), bool)
    reward, value, trace = (np.zeros((many, players), np.float32) for _ in range(3))
    later, games = np.zeros((many, players), bool), np.arange(many)
    for t in reversed(range(steps)):
        over, at = played.over[t], (games, played.actor[t])
        reward[over], later[over] = played.rewards[t][over], True
        value[over] = trace[over] = 0
        surprise = reward[at] + value[at] - played.value[t]
        better[t], known[t] = surprise + DISCOUNT_OF_TRACE * trace[at], later[at]
        reward[at], value[at], trace[at], later[at] = 0, played.value[t], better[t], True
    return better, known


class Sample(NamedTuple):
    """Decisions to learn from, (n, …)."""

    seen: np.ndarray
    legal: np.ndarray
    action: np.ndarray
    chance: np.ndarray
    better: np.ndarray
    value: np.ndarray  # what the value should have been


def loss(net, sample, entropy):
    """PPO's loss of a sample, and its gradients.

    Actions that turned out well become more likely, but not beyond a ratio of 1 ± CLIP to what
    they were when they were played: the sample says nothing about a policy further away.
    """
    logits, values, layers = net.forward(sample.seen, sample.legal)
    many, rows = len(values), np.arange(len(values))
    ratio = np.exp(logits[rows, sample.action] - sample.chance)
    held = np.clip(ratio, 1 - CLIP, 1 + CLIP) * sample.better
    gain = np.minimum(ratio * sample.better, held)
    chances = np.exp(logits)
    open_logits = np.where(sample.legal, logits, 0)
    spread = -(chances * open_logits).sum(1)
    wrong = values - sample.value
    total = (0.5 * wrong**2 - gain - entropy * spread).mean()

    push = np.where(ratio * sample.better <= held, ratio * sample.better, 0)
    slopes = chances * (push + entropy * spread)[:, None]
    slopes += entropy * chances * open_logits
    slopes[rows, sample.action] -= push
    return total, net.backward(slopes / many, wrong / many, layers)


def lesson(net, adam, played, rate, said, rng):
    """Learn from what was played, a part at a time, each part several times."""
    better, known = advantages(played)
    target = better + played.value
    better = (better - better[known].mean()) / (better[known].std() + 1e-8)
    columns = played.seen, played.legal, played.action, played.chance, better, target
    flat = [column.reshape(known.size, *column.shape[2:]) for column in columns]
    which = np.flatnonzero(known)
    for _ in range(said.epochs):
        rng.shuffle(which)
        for part in np.array_split(which, max(1, which.size // said.part)):
            _, slopes = loss(net, Sample(*(column[part] for column in flat)), said.entropy)
            adam.step(net.weights, slopes, rate)


def meet(net, table, bot, games):
    """The net's share of wins with a bot in all other seats, and half its 95 % interval."""
    mine = np.arange(games) % table.players
    batch = Batch(table, games=games, bot=bot, seats=mine, autoreset="disabled", seed=10**6)
    actions, left = np.zeros(games, int), np.arange(games)
    while left.size:
        logits, _, _ = net.forward(batch.observations[left], batch.masks[left] > 0)
        actions[left] = logits.argmax(1)
        batch.step(actions)
        left = np.flatnonzero(~(batch.terminated | batch.truncated))
    sides = table.sides
    shares = (batch.rewards[np.arange(games), mine] * (sides - 1) + 1) / sides
    return shares.mean(), 1.96 * shares.std() / np.sqrt(games)


class Learned(yegg.Player):
    """The net that `ppo.py` saved, GAME-PLAYERS.npz in this folder or the one LEARNED names."""

    eye = None

    def choose(self, view):
        """The likeliest action: no chance, no search."""
        if self.eye is None:
            self.net = read(saved(view.game.name, view.players))
            self.eye = Single(setting(view.game, view.players, **view.options), observe="float32")
            told = self.net.about["environment"]
            if told != self.eye.setting.name:
                raise ValueError(f"the net learned {told}, and this is {self.eye.setting.name}")
        row = self.eye.observe_state(view.states, view.seat)
        actions = self.eye.setting.actions[view.seat, view.choices]
        legal = np.zeros((1, self.eye.setting.choices.shape[1]), bool)
        legal[0, actions] = True
        logits, _, _ = self.net.forward(row[None], legal)
        return view.choices[int(logits[0, actions].argmax())]


read = cache(Net.read)


def saved(game, players):
    """Where the net of a game is saved and found."""
    return Path(os.environ.get("LEARNED", ".")) / f"{game}-{players}.npz"


def asked(words=None):
    """What the command line says."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=HELP, epilog=AFTER, formatter_class=form)
    add = parser.add_argument
    add("--game", default="second-story", help="which of the games [second-story]")
    add("--players", type=int, help="how many play; by default as many as usual")
    add("--option", action="append", default=[], help="NAME=VALUE: change a rule; may be repeated")
    add("--minutes", type=float, default=10, help="of two cores: 120 s of processor time each [10]")
    add("--decisions", type=float, help="stop after so many instead: the same net from a seed")
    add("--seed", type=int, default=1, help="the same number, the same games and first weights [1]")
    add("--save", type=Path, help="the file of the net [GAME-PLAYERS.npz, where Learned looks]")
    add("--games", type=int, default=512, help="played side by side [512]")
    add("--steps", type=int, default=96, help="decisions of each between two lessons [96]")
    add("--epochs", type=int, default=2, help="how often each decision is learned from [2]")
    add("--part", type=int, default=4096, help="decisions of one step of Adam [4096]")
    add("--units", type=int, default=64, help="of each layer [64]")
    add("--rate", type=float, default=2e-3, help="of Adam at first; it falls to nothing [0.002]")
    add("--entropy", type=float, default=0.01, help="what it is worth to stay open [0.01]")
    add("--meet", type=int, default=1000, help="games with each bot at a line of output [1000]")
    add("--lines", type=int, default=20, help="of output, and points of the curve [20]")
    return parser.parse_args(words)


class Report:
    """How good the net is by now: a line of output, a point of the curve, a file."""

    def __init__(self, table, net, said):
        self.table, self.net, self.meet = table, net, said.meet
        self.path = said.save or saved(table.game.name, table.players)
        self.curve = []
        print(f"{table.name}, {table.players} players: an even share is {1 / table.sides:.3f}")

    def tell(self, cpu, wall, decisions):
        """Meet the bots, print, and save."""
        met = [meet(self.net, self.table, bot, self.meet) for bot in BOTS]
        self.curve.append([cpu, wall, decisions, *(number for pair in met for number in pair)])
        shares = "  ".join(
            f"{bot} {share:.3f} ± {half:.3f}" for bot, (share, half) in zip(BOTS, met, strict=True)
        )
        clocks = f"{cpu:5.0f} s of processor, {wall:5.0f} s"
        print(f"{clocks}, {decisions / 1e6:6.2f} M decisions: wins with {shares}", flush=True)
        self.net.save(self.path, self.curve)


def learn(said):
    """Play and learn by turns until time is up; return the net."""
    options = dict(pair.split("=", 1) for pair in said.option)
    table = setting(said.game, said.players, **options)
    rng = np.random.default_rng(said.seed)
    net = Net.fresh(table, said.units, rng)
    adam, report = Adam(net.weights), Report(table, net, said)
    batch = Batch(table, games=said.games, seed=said.seed, threads=min(2, said.games))
    played = Played.room(batch, said.steps)
    report.tell(0, 0, 0)  # and compile all that is needed, before the clocks start
    cpu, wall, done, told, share = time.process_time(), time.perf_counter(), 0, 0, 0.0
    while share < 1:
        play(batch, net, played, rng)
        lesson(net, adam, played, said.rate * (1 - share), said, rng)
        done += played.action.size
        spent = time.process_time() - cpu
        share = done / said.decisions if said.decisions else spent / (said.minutes * 120)
        if share * said.lines >= told + 1:
            report.tell(spent, time.perf_counter() - wall, done)
            told = int(share * said.lines)
    return net


if __name__ == "__main__":
    learn(asked())
