"""Orders by letter: a part that a house switches on; nothing else of the table knows of it."""
