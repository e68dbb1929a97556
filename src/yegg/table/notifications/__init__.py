"""Notifications that a table waits for somebody: by mail, by their browser, by a webhook."""
