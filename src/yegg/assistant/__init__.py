"""Somebody's assistant plays: games in words as tools of the Model Context Protocol."""
