"""The deck that is played with: the published one.  A deck of one's own takes its place."""

from .deck import PUBLISHED, read

CARDS = tuple(read(PUBLISHED))
