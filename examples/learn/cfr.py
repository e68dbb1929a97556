"""CFR+ on a miniature of Secrets: how little a mixture of orders can be exploited, and when.

Three players with two secrets and a spy each write one sheet of sealed orders.  OpenSpiel's CFR+
improves all three mixtures; exploitability is what a player gains, on average, who knows the
others' mixtures and answers best.  It needs:  pip install "yegg[openspiel]"
"""

import argparse
import sys
import time

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import yegg.envs.openspiel  # noqa: F401  registers the games

GAME = "yegg_secrets(players={players},secrets={secrets},spies=1,turns=1,turn_based=True,recall=20)"


def rows(most):
    """The iterations after which a line is printed."""
    ladder = [n * 10**k for k in range(6) for n in (3, 10)]
    return sorted({most, *(n for n in ladder if n < most)})


def learn(game, most):
    """Iterate, and print a line now and then; return the mixtures."""
    begun, solver, due = time.perf_counter(), cfr.CFRPlusSolver(game), rows(most)
    print("iterations  exploitability  seconds")
    for done in range(1, most + 1):
        solver.evaluate_and_update_policy()
        if sys.stderr.isatty():
            print(f"\r{done} of {most}", end="\r", file=sys.stderr)
        if done in due:
            mean = exploitability.nash_conv(game, solver.average_policy()) / game.num_players()
            print(f"{done:10}  {mean:14.5f}  {time.perf_counter() - begun:7.1f}", flush=True)
    return solver.average_policy()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--iterations", type=int, default=100, help="how many (100)")
    parser.add_argument("--players", type=int, default=3, help="3 to 6 (3)")
    parser.add_argument("--secrets", type=int, default=2, help="secrets of each player (2)")
    asked = parser.parse_args()
    game = pyspiel.load_game(GAME.format(players=asked.players, secrets=asked.secrets))
    mixtures = learn(game, asked.iterations)
    state = game.new_initial_state()
    print("\nThe first seat's orders:")
    for action, chance in mixtures.action_probabilities(state).items():
        print(f"  {state.action_to_string(action):24} {chance:6.1%}")


if __name__ == "__main__":
    main()
