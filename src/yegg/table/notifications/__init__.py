"""Telling people that a table waits for them: by mail, by their browser, by a webhook."""
