"""How Secrets looks in the browser: order sheets, and reports of turns."""
