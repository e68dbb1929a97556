"""A table and what can happen at it: no web, no I/O, no clock of its own."""
