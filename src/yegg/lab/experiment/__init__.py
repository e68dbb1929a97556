"""Experiments: the file, what varies, the games that are played, and what they found."""
