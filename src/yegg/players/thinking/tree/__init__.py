"""A search tree whose nodes are information sets: what the acting seat knows."""
