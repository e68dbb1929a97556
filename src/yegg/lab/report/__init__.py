"""Reports of an experiment: one HTML page without scripts, Markdown, and JSON."""
