"""Learns a game by playing against itself: PPO in one file, with NumPy alone.

One net plays all seats of many games at once, and learns from each seat's own decisions by
proximal policy optimization (PPO, Schulman et al. 2017).  For each line of output it meets bots
that sit in all other seats, with the same deals each time, and is saved: a run that is stopped
loses only what came after its last line.

  python ppo.py --game magnate --minutes 10
  python ppo.py --option chips=3 --minutes 1         a short game is soon learned
  yegg arena second-story --bots ppo:Learned,greedy  the saved net against a bot, in this folder
  yegg play second-story --seats you,ppo:Learned,greedy

Read the code from top to bottom, and change it: B games are played side by side, T decisions of
each to a lesson; P seats, A actions, C columns of an observation.
"""

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else it starts threads beside those of POOL

import numpy as np

import yegg
from yegg.envs.batches import Batch
from yegg.envs.single import Single
from yegg.observations.setting import setting

CLIP = 0.2  # how far one lesson moves the chance of an action
TAIL = 32  # decisions of each game that wait for the next lesson
STEEPEST = 0.5  # the greatest length of a gradient
CLOSED = -1e9  # the logit of an action that is not legal
RARE, FAR = 0.02, 8  # what is added to a column's deviation; how many of them count at most
CORES = 2
POOL = ThreadPoolExecutor(CORES)  # NumPy lets other threads work while it counts


class Net(NamedTuple):
    """Two layers, then a policy and a value beside each other: weights and biases in a list.

    Each column counts as its distance from the mean in units of its deviation: see `used_to`.
    """

    weights: list
    about: dict
    mean: np.ndarray | int = 0  # (C,), and so on
    scale: np.ndarray | int = 1

    @classmethod
    def fresh(cls, table, units, rng):
        """A net for a setting of `yegg.envs`, to which all legal actions are about as good."""
        columns, actions = len(table.columns), table.choices.shape[1]
        sizes = (columns, units, 1.4), (units, units, 1.4), (units, actions, 0.01), (units, 1, 1.0)
        weights = []
        for ins, outs, gain in sizes:
            turned, _ = np.linalg.qr(rng.standard_normal((max(ins, outs), min(ins, outs))))
            weight = gain * (turned if ins >= outs else turned.T)
            weights += [weight.astype(np.float32), np.zeros(outs, np.float32)]
        return cls(weights, {"environment": table.name, "options": table.options})

    def used_to(self, seen):
        """The same net, with the mean and deviation of each column of observations (n, C)."""
        return self._replace(mean=seen.mean(0), scale=1 / (seen.std(0) + RARE))

    def forward(self, seen, legal):
        """Log probabilities (n, A), values (n,), and the layers, which `backward` needs."""
        seen = ((seen - self.mean) * self.scale).clip(-FAR, FAR)
        w1, b1, w2, b2, w3, b3, w4, b4 = self.weights
        first = np.maximum(seen @ w1 + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        logits = second @ w3 + b3
        logits[~legal] = CLOSED  # before they become probabilities: no chance, no gradient
        logits -= logits.max(1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(1, keepdims=True))
        return logits, (second @ w4 + b4)[:, 0], (seen, first, second)

    def backward(self, logits, values, layers):
        """Gradients of all weights from those of the logits (n, A) and of the values (n,)."""
        _, _, w2, _, w3, _, w4, _ = self.weights
        seen, first, second = layers
        values = values[:, None]
        to_second = (logits @ w3.T + values @ w4.T) * (second > 0)
        to_first = (to_second @ w2.T) * (first > 0)
        pairs = (seen, to_first), (first, to_second), (second, logits), (second, values)
        return [slope for ins, outs in pairs for slope in (ins.T @ outs, outs.sum(0))]


class Adam:
    """Adam (Kingma and Ba 2015); a gradient that is too long is shortened first."""

    def __init__(self, weights):
        self.means = [np.zeros_like(weight) for weight in weights]
        self.squares = [np.zeros_like(weight) for weight in weights]
        self.steps = 0

    def step(self, weights, slopes, rate):
        """Change the weights in place."""
        self.steps += 1
        length = sum(float((slope * slope).sum()) for slope in slopes) ** 0.5
        short = min(1.0, STEEPEST / (length + 1e-6))
        rate *= (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for i, slope in enumerate(slopes):
            self.means[i] += 0.1 * (short * slope - self.means[i])
            self.squares[i] += 0.001 * ((short * slope) ** 2 - self.squares[i])
            weights[i] -= rate * self.means[i] / (np.sqrt(self.squares[i]) + 1e-5)


class Played(NamedTuple):
    """What was seen, done and expected in T decisions of B games."""

    seen: np.ndarray  # (T, B, C)
    legal: np.ndarray  # (T, B, A)
    action: np.ndarray  # (T, B), and so on
    chance: np.ndarray  # the log probability that the action had
    value: np.ndarray
    actor: np.ndarray
    over: np.ndarray  # whether the game ended with it
    rewards: np.ndarray  # (T, B, P)


def play(batch, net, steps, rng, before):
    """So many steps of a batch, from the tail of ``before`` on: the net decides for all seats."""
    games, columns = batch.observations.shape
    wide = [columns], batch.masks.shape[1:], [], [], [], [], [], batch.rewards.shape[1:]
    kinds = "f4", "?", "i4", "f4", "f4", "i4", "?", "f4"
    played = Played(*(np.zeros((steps, games, *w), k) for w, k in zip(wide, kinds, strict=True)))
    parts = np.array_split(np.arange(games), CORES)

    def decide(at, rows, luck):
        logits, values, _ = net.forward(batch.observations[rows], batch.masks[rows] > 0)
        up_to = np.exp(logits).cumsum(1)
        actions = (up_to < (1 - luck[:, None]) * up_to[:, -1:]).sum(1)
        played.action[at, rows], played.value[at, rows] = actions, values
        played.chance[at, rows] = logits[np.arange(len(actions)), actions]

    for room, old in zip(played, before or (), strict=False):
        room[:TAIL] = old[-TAIL:]
    for t in range(TAIL if before else 0, steps):
        played.seen[t], played.legal[t] = batch.observations, batch.masks
        played.actor[t], luck = batch.actor, rng.random(games, np.float32)
        list(POOL.map(decide, [t] * CORES, parts, [luck[rows] for rows in parts]))
        batch.step(played.action[t])  # a game that ends here is dealt again at once
        played.rewards[t], played.over[t] = batch.rewards, batch.terminated | batch.truncated
    return played


def advantages(played, lam):
    """By how much decisions turned out better than expected, and where that is known, (T, B).

    Generalized advantage estimation (GAE, Schulman et al. 2016), from the last decision back: the
    nearer ``lam`` is to 0 the more it believes the values, to 1 the more how games ended.
    What follows a seat's decision is its own next one, whatever others do in between, or the end
    of the game with its reward.  What became of a seat's last decision is not known yet.
    """
    steps, many, players = played.rewards.shape
    better, known = np.zeros((steps, many), np.float32), np.zeros((steps, many), bool)
    reward, value, trace = (np.zeros((many, players), np.float32) for _ in range(3))
    later, games = np.zeros((many, players), bool), np.arange(many)
    for t in reversed(range(steps)):
        over, at = played.over[t], (games, played.actor[t])
        reward[over], later[over] = played.rewards[t][over], True
        value[over] = trace[over] = 0
        known[t] = later[at]
        better[t] = known[t] * (reward[at] + value[at] - played.value[t] + lam * trace[at])
        reward[at], value[at], trace[at], later[at] = 0, played.value[t], better[t], True
    return better, known


def loss(net, sample, entropy):
    """PPO's loss of some decisions, and its gradients.

    An action that turned out well becomes likelier, but by no more than CLIP compared with when
    it was played: the sample says nothing of how a policy does that is far from its own.
    """
    seen, legal, action, chance, better, target = sample
    logits, values, layers = net.forward(seen, legal)
    many, rows = len(values), np.arange(len(values))
    gain = np.exp(logits[rows, action] - chance) * better
    most = np.where(better > 0, 1 + CLIP, 1 - CLIP) * better
    chances, logits = np.exp(logits), np.where(legal, logits, 0)
    spread = -(chances * logits).sum(1)  # entropy: how open the policy is
    wrong = values - target
    total = (0.5 * wrong**2 - np.minimum(gain, most) - entropy * spread).mean()
    push = np.where(gain < most, gain, 0)
    slopes = chances * (push[:, None] + entropy * (spread[:, None] + logits))
    slopes[rows, action] -= push
    return total, net.backward(slopes / many, wrong / many, layers)


def lesson(net, adam, played, rate, said, rng):
    """Learn from what was played, a part at a time, and each part several times.

    All decisions of the last steps wait for the next lesson, also those whose outcome is known:
    who fails waits longest for another decision, so that mostly successes are known by now.
    """
    better, known = advantages(played, said.lam)
    known[-TAIL:] = False
    target = better + played.value
    better = (better - better[known].mean()) / (better[known].std() + 1e-8)
    flat = [c.reshape(known.size, *c.shape[2:]) for c in (*played[:4], better, target)]
    which = np.flatnonzero(known)

    def slopes_of(part):
        return loss(net, [column[part] for column in flat], said.entropy)[1]

    for _ in range(said.epochs):
        rng.shuffle(which)
        for part in np.array_split(which, max(1, which.size // said.part)):
            found = POOL.map(slopes_of, np.array_split(part, CORES))
            slopes = [sum(halves) / CORES for halves in zip(*found, strict=True)]
            adam.step(net.weights, slopes, rate)


def meet(net, table, bot, games):
    """The net's share of wins with a bot in all other seats, and half its 95 % interval."""
    rows, mine = np.arange(games), np.arange(games) % table.players
    batch = Batch(table, games=games, bot=bot, seats=mine, autoreset="disabled", seed=10**6)
    actions, left = np.zeros(games, int), rows
    while left.size:
        actions[left] = net.forward(batch.observations[left], batch.masks[left] > 0)[0].argmax(1)
        batch.step(actions)
        left = np.flatnonzero(~(batch.terminated | batch.truncated))
    shares = (batch.rewards[rows, mine] * (table.sides - 1) + 1) / table.sides
    return shares.mean(), 1.96 * shares.std() / games**0.5


def saved(game, players):
    """Where the net of a game is saved and found: here, or in the folder that LEARNED names."""
    return Path(os.environ.get("LEARNED", ".")) / f"{game}-{players}.npz"


class Learned(yegg.Player):
    """Plays what a net has learned (ppo.py): the likeliest action, without any search."""

    eye = None

    def choose(self, view):
        """One of the choices of a view."""
        if self.eye is None:
            with np.load(saved(view.game.name, view.players)) as kept:
                *weights, mean, scale = (kept[f"arr_{i}"] for i in range(10))
                about = json.loads(str(kept["about"]))
            table = setting(view.game, view.players, **view.options)
            if about["environment"] != table.name:
                raise ValueError(f"this is {table.name}; the net has learned {about}")
            self.net, self.eye = Net(weights, about, mean, scale), Single(table, observe="float32")
        table = self.eye.setting
        seen = self.eye.observe_state(view.states, view.seat)
        actions = table.actions[view.seat, view.choices]
        legal = np.isin(np.arange(table.choices.shape[1]), actions)
        logits, _, _ = self.net.forward(seen[None], legal[None])
        return view.choices[int(logits[0, actions].argmax())]


def asked(words=None):
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("--game", default="second-story", help="which of the games [%(default)s]")
    add("--players", type=int, help="how many play; by default as many as usual")
    add("--option", action="append", default=[], help="NAME=VALUE: change a rule; may be repeated")
    add("--minutes", type=float, default=10, help="of two cores, each 120 s of processor time [10]")
    add("--decisions", type=float, help="stop after so many instead: a seed gives the same net")
    add("--seed", type=int, default=1, help="of the games and of the first weights [%(default)s]")
    add("--save", type=Path, help="the net's file [GAME-PLAYERS.npz, where Learned looks for it]")
    add("--lines", type=int, default=20, help="how often to meet the bots and save [%(default)s]")
    add("--meet", type=int, default=1000, help="games with each bot [%(default)s]")
    add("--games", type=int, default=512, help="played side by side [%(default)s]")
    add("--steps", type=int, default=96, help="decisions of each to a lesson [%(default)s]")
    add("--epochs", type=int, default=2, help="how often each is learned from [%(default)s]")
    add("--part", type=int, default=4096, help="decisions to a step of Adam [%(default)s]")
    add("--units", type=int, default=64, help="of each layer [%(default)s]")
    add("--rate", type=float, default=1e-3, help="of Adam; it falls to nothing [%(default)s]")
    add("--lam", type=float, default=0.95, help="GAE's lambda; 0 believes the values [%(default)s]")
    add("--entropy", type=float, default=0.01, help="what being open is worth [%(default)s]")
    return parser.parse_args(words)


def learn(said):
    """Play and learn by turns until time is up; return the net."""
    table = setting(said.game, said.players, **dict(one.split("=", 1) for one in said.option))
    rng, curve, played = np.random.default_rng(said.seed), [], None
    net = Net.fresh(table, said.units, rng)
    adam, path = Adam(net.weights), said.save or saved(table.game.name, table.players)
    batch = Batch(table, games=said.games, seed=said.seed, threads=CORES)
    net = net.used_to(np.concatenate(play(batch, net, said.steps, rng, None).seen))
    about = json.dumps(net.about)

    def report(cpu, wall, decisions):
        met = np.ravel([meet(net, table, bot, said.meet) for bot in ("uniform", "greedy")])
        curve.append([cpu, wall, decisions, *met])
        with path.with_suffix(".part").open("wb") as part:
            np.savez(part, *net.weights, net.mean, net.scale, about=about, curve=curve)
        Path(part.name).replace(path)  # whole: what was there stays until then
        shares = "{:.3f} ± {:.3f} against uniform, {:.3f} ± {:.3f} against greedy".format(*met)
        print(f"{cpu:6.0f} {wall:6.0f} {decisions / 1e6:7.2f}  {shares}", flush=True)

    print(
        f"{table.name}: processor s, clock s, million decisions, wins (even: {1 / table.sides:.3f})"
    )
    Single(table, observe="float32").observe(0)  # all is compiled before the clocks start,
    report(0, 0, 0)  # this line for Learned, which has ten seconds for a decision
    cpu, wall, done, told, share = time.process_time(), time.perf_counter(), 0, 0, 0.0
    while share < 1:
        played = play(batch, net, TAIL + said.steps, rng, played)
        lesson(net, adam, played, said.rate * (1 - share), said, rng)
        done += batch.actor.size * said.steps
        spent = time.process_time() - cpu
        share = done / said.decisions if said.decisions else spent / (said.minutes * 120)
        if share >= 1 or share * said.lines >= told + 1:
            report(spent, time.perf_counter() - wall, done)
            told = int(share * said.lines)
    return net


if __name__ == "__main__":
    learn(asked())
