"""Ten thousand games of a variant: the printed tables, and the arrays behind them."""

import sys

import yegg

games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
run = yegg.simulate("magnate", bots=["greedy", "uniform"], games=games, options={"districts": "4"})
print(run)
print("the first seat won", run.shares[:, 0].mean(), "of all games")
