"""Parts that several games use: the Decktet."""
