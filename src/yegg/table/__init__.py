"""The table server: all games in the browser, with friends and bots, and an API for scripts."""
