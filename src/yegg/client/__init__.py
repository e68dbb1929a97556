"""A table on any server, from Python, by its HTTP interface alone."""

from .seat import Gone, Happened, Legal, Place, Seat, Server, Table
from .sit import sit

__all__ = ["Gone", "Happened", "Legal", "Place", "Seat", "Server", "Table", "sit"]
