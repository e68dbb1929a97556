"""Thinks one decision ahead: takes what its game's lore likes best, as greedy does."""

from .greedy import ROOM, choose

__all__ = ["ROOM", "choose"]
