"""Experiments: the file, variants, runs, early stopping, and findings."""
