"""Secrets by post: a game is a folder of plain files, run by whoever collects the mails."""
