"""Our environments by PettingZoo's and by Gymnasium's interface, for `bench/envs.py`.

    python bench/envs_apis.py        these alone, beside PettingZoo's classics, in turn

The agents play at random, and draw their actions themselves.  A step of a vector is a decision of
its agent; bots who play at random answer inside the step.
"""

import random
import statistics
import sys
import warnings

from envs_peers import GAMES, paced, pettingzoo

from yegg import envs, games

CLASSICS = ("rps_v2", "tictactoe_v3", "connect_four_v3")


def contestants():
    """By name a function that plays a round and returns the steps."""
    from yegg.envs.gymnasium import OneSeatVector

    made = {f"{name}, PettingZoo in turn": in_turn(envs.aec(name)) for name in games.names()}
    for name in games.names():
        for copy in (True, False):
            how = {"bot": "uniform", "autoreset_mode": "SameStep", "copy": copy}
            told = "" if copy else ", no copies"
            made[f"{name}, Gymnasium vector{told}"] = vector(OneSeatVector(name, GAMES, **how))
    return made


def in_turn(env):
    """A game by the agents' interface: `last`, a legal action, `step`; as peers are measured."""
    dice = random.Random(0)

    def play():
        env.reset(seed=dice.randrange(2**31))
        n = 0
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            env.step(int(dice.choice(observation["action_mask"].nonzero()[0])))
            n += 1
        return n

    return play


def vector(env):
    """A step of many games."""
    import numba
    import numpy as np

    @numba.njit
    def draw(masks, actions):
        for game in range(masks.shape[0]):
            left = np.random.randint(0, max(1, masks[game].sum()))  # noqa: NPY002  # Numba's own
            for action in range(masks.shape[1]):
                if masks[game, action]:
                    if left == 0:
                        actions[game] = action
                        break
                    left -= 1

    actions = np.zeros(env.num_envs, np.int32)
    held = [env.reset(seed=0)[1]["action_mask"]]

    def play():
        draw(held[0], actions)
        held[0] = env.step(actions)[-1]["action_mask"]
        return env.num_envs

    return play


def main():
    """Measure and print medians of steps per second of processor."""
    warnings.simplefilter("ignore")
    made = {f"PettingZoo's {name}": pettingzoo(name) for name in CLASSICS} | contestants()
    found = {name: [] for name in made}
    for play in made.values():
        paced(play, 0.2)
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
        for name, play in made.items():
            steps, spent = paced(play, 0.5)
            found[name].append(steps / spent)
    best = max(statistics.median(found[f"PettingZoo's {name}"]) for name in CLASSICS)
    for name, speeds in found.items():
        speed = statistics.median(speeds)
        print(f"{name:44} {speed / 1e6:8.3f} M/s {speed / best:8.1f}")


if __name__ == "__main__":
    main()
