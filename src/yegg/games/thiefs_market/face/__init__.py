"""How Thief's Market looks in the browser: dice on wood, piles above, cards for sale below."""
