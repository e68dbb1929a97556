"""Administration of a server: configuration, backups, and new versions of rules."""
