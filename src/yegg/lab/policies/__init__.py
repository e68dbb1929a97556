"""Policies: habits laid over a player, habits that beat a player, and exploitability."""
