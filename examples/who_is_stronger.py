"""A player of your own against a bot that comes with yegg, over the same deals in every seat.

On the command line: `yegg arena second-story --bots bot_author:Bold,hard`.
"""

import sys

from bot_author import Bold

import yegg

games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
print(yegg.arena("second-story", [Bold, "hard"], games=games))
