"""``python -m yegg.cli``."""

import sys

from . import main

sys.exit(main())
