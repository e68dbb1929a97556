"""How Second Story looks in the browser: a street of houses by night."""
