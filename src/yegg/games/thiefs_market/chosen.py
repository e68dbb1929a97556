"""The deck that is played with: the published one.  `variant` puts another module in its place."""

from .deck import PUBLISHED, read

CARDS = tuple(read(PUBLISHED))
