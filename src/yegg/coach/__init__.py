"""The coach: what a choice is worth, and how a game went."""
