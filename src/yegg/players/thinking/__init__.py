"""What the thinking players share: their budgets, and who can know what in a position."""
