"""``python -m yegg.cli``."""

import sys

from yegg.cli import main

sys.exit(main())
