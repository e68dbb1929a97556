"""Judges that were learned by play: what a game is sensed by, the net, and its weights."""
