"""A benchmark of bots by a fixed protocol, whose results others can play again and check."""
