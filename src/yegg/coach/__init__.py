"""The coach: how good each choice is, and how a game went."""
