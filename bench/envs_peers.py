"""Other people's environments, each played at random: `bench/envs.py` starts this, one for each.

    python bench/envs_peers.py NAME

Prints `ready`, or why not.  Then, for each line with a number of seconds, it plays for about so
long, and prints the steps and the seconds of processor that they took.
"""

import random
import sys
import time

GAMES = 1024
WARM = 2  # seconds, after which games are at all stages


def fastcatan():
    """Masks, a legal action for each game by the caller, a step with autoreset; no observations."""
    import fastcatan
    import numpy as np
    from envs_drawing import drawer

    draw, masks = drawer(), np.zeros((GAMES, fastcatan.MASK_WORDS), np.uint64)
    batch, dice = fastcatan.BatchedEnv(GAMES, seed=0), np.ones(1, np.uint64)
    actions, over = np.zeros(GAMES, np.uint32), np.zeros(GAMES, np.uint8)
    batch.reset()

    def play():
        batch.write_masks(masks)
        draw(masks, dice, actions)
        batch.step_autoreset(actions, over)
        return GAMES

    return play


def pgx(name):
    """A fused program of drawing and step with autoreset, observations included."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    rounds = 16

    def once(carry, _):
        state, key = carry
        key, mine, theirs = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(mine, logits, axis=1)
        return (step(state, action, jax.random.split(theirs, GAMES)), key), None

    many = jax.jit(lambda carry: jax.lax.scan(once, carry, None, length=rounds)[0])
    key = jax.random.key(0)
    held = [(jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES)), key)]

    def play():
        held[0] = jax.block_until_ready(many(held[0]))
        return GAMES * rounds

    return play


def pettingzoo(name):
    """One of PettingZoo's classic games."""
    from importlib import import_module

    return agents(import_module(f"pettingzoo.classic.{name}").env())


def agents(env):
    """One game by the agents' interface: `last`, a legal action, `step`."""
    dice = random.Random(0)

    def play():
        env.reset(seed=dice.randrange(2**31))
        n = 0
        for agent in env.agent_iter():
            observation, _, over, cut, info = env.last()
            if over or cut:
                env.step(None)
                continue
            told = observation if isinstance(observation, dict) else info
            mask = told.get("action_mask")
            space = env.action_space(agent)
            legal = range(space.n) if mask is None else mask.nonzero()[0]
            env.step(int(dice.choice(legal)))
            n += 1
        return n

    return play


def openspiel(name):
    """One game of OpenSpiel's in C++, from Python; every step of a player counts."""
    import pyspiel

    game, dice = pyspiel.load_game(name), random.Random(0)

    def play():
        state, n = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, chances)[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                n += 1
        return n

    return play


PEERS = {
    "fastcatan": fastcatan,
    "pgx tic_tac_toe": lambda: pgx("tic_tac_toe"),
    "pgx kuhn_poker": lambda: pgx("kuhn_poker"),
    "pgx backgammon": lambda: pgx("backgammon"),
    "pettingzoo rps": lambda: pettingzoo("rps_v2"),
    "pettingzoo tictactoe": lambda: pettingzoo("tictactoe_v3"),
    "pettingzoo connect_four": lambda: pettingzoo("connect_four_v3"),
    "pettingzoo leduc_holdem": lambda: pettingzoo("leduc_holdem_v4"),
    "openspiel pig": lambda: openspiel("pig"),
}


def paced(play, seconds):
    """Play for about so long; return steps and seconds of processor."""
    steps, begun = 0, time.process_time()
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        steps += play()
    return steps, time.process_time() - begun


def main():
    """Answer the lines of standard input."""
    try:
        play = PEERS[sys.argv[1]]()
        play()  # compiled
        paced(play, WARM)
        print("ready", flush=True)
    except Exception as error:  # noqa: BLE001  # whatever keeps a peer from playing is told
        print(f"{type(error).__name__}: {error}".partition("\n")[0], flush=True)
        return
    for line in sys.stdin:
        print(*paced(play, float(line)), flush=True)


if __name__ == "__main__":
    main()
