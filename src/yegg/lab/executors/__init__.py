"""Executors, which play the games of an experiment: threads of this machine, or a Ray cluster."""
