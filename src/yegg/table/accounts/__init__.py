"""One person, several devices, no password."""
