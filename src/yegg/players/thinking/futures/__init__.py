"""Choices tried in the same imagined futures."""
