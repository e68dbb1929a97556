"""Looks one choice ahead and takes what looks best, as greedy does."""

from .greedy import ROOM, choose

__all__ = ["ROOM", "choose"]
