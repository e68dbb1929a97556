"""A table and what can happen at it: no web, no database, no clock of its own."""
