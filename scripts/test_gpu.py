"""The tests of the graphics card: `make test-gpu`.

On a card that is here, 256 games over 300 steps; without one fewer in numba-cuda's simulator, and
what a card would run is compiled for two kinds of cards all the same.  Its words are pytest's.
"""

import os
import subprocess
import sys
from pathlib import Path

from numba import cuda

HERE = Path(__file__).parents[1]
SIMULATOR = "NUMBA_ENABLE_CUDASIM"


def where():
    """What the tests run on, in words, and what pytest's environment says of it."""
    if cuda.is_available():
        card = cuda.get_current_device()
        name = card.name.decode() if isinstance(card.name, bytes) else card.name
        able = ".".join(map(str, card.compute_capability))
        return f"on one {name}, compute capability {able}", {}
    return "in numba-cuda's simulator, since no card is here; the same command on one runs all", {
        SIMULATOR: "1"
    }


def main():
    """Run the tests, and say on what."""
    told, env = where()
    print(f"the graphics card's tests run {told}", flush=True)
    words = [sys.executable, "-m", "pytest", "tests/cuda", *sys.argv[1:]]
    done = subprocess.run(words, cwd=HERE, env=os.environ | env, check=False)
    print(f"the graphics card's tests ran {told}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
