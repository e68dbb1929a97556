"""Searching the settings of a game for what a designer aims at."""
