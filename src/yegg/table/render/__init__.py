"""Rendering: what a seat may see of a table, as JSON and as HTML."""
