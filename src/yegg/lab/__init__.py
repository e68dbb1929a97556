"""The laboratory: thousands of games, and what they say."""
