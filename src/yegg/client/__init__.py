"""A client of the HTTP API: play at a table on any server from Python."""

from .playing import sit, sit_forever, token_for
from .seat import Gone, Happened, Legal, Listed, Place, Seat, Server, Table

__all__ = [
    "Gone",
    "Happened",
    "Legal",
    "Listed",
    "Place",
    "Seat",
    "Server",
    "Table",
    "sit",
    "sit_forever",
    "token_for",
]
