"""The database: tables and their events on disk."""
