"""How Magnate looks in the browser: the duchy's districts in columns, your hand below."""
