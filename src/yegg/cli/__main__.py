"""``python -m yegg.cli``."""

from yegg.cli import main

main()
