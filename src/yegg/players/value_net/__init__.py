"""Value nets, learned by self-play: features of a game, the net, and its weights."""
