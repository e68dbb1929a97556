"""Search shared by the bots that think: trees, rollouts, mixed orders, and their budgets."""
