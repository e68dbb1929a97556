"""Rollouts: every choice is tried in the same imagined futures."""
