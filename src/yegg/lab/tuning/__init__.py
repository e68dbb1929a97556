"""Tuning: a search of the settings of a game for what a designer aims at."""
