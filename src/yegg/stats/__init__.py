"""Statistics: intervals, and tests that may be looked at while games are still played."""
