"""A search tree over what the acting seat knows."""
