"""Carry out the script of an evening again, and say at which line house and model differ.

python tests/house/replay.py FILE        and judge its history
python tests/house/replay.py FILE DIR    and keep the history in a folder, for judge.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from house.runs import read, replay, served


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    lines = read(sys.argv[1])
    with served() as server:
        why = replay(server, lines, *sys.argv[2:])
    if why:
        sys.exit(why)
    print(f"{len(lines)} lines: the house and the model agree")  # noqa: T201


if __name__ == "__main__":
    main()
