"""What the players who think share: budgets, and what a position tells whom."""
