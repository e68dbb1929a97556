"""The table over HTTP: pages, the interface for scripts, and what every request passes."""
