"""Accounts without passwords: one person, several devices."""
