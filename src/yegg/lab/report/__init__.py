"""What an experiment found, on paper: one page without scripts, Markdown, and JSON."""
