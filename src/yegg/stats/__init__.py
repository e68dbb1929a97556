"""Statistics: confidence intervals, and sequential tests."""
