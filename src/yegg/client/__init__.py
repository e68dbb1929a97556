"""A client of the HTTP API: play at a table on any server from Python.

This needs the libraries of the extra ``client``.
"""

try:
    from .playing import sit, sit_forever, token_for
    from .seat import Gone, Happened, Legal, Listed, Place, Seat, Server, Table
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"yegg.client needs more libraries ({error.name}): pip install 'yegg[client]'",
        name=error.name,
    ) from None

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
