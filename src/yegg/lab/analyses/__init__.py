"""Analyses of an experiment's games, a module for each."""
