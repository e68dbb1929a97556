"""Policy nets, learned by play against itself: a policy and a value over a game's columns."""
