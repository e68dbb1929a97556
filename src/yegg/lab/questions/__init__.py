"""Questions about the games, and the pages that answer them."""
