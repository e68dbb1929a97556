"""HTTP: the pages, the API for scripts, and what happens to every request."""
