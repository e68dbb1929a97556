"""How Secrets looks in the browser: an order sheet, rivals with their secrets, and a report."""
