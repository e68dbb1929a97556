"""``yegg mcp``: somebody's assistant plays, by the Model Context Protocol."""

import click

from .options import number, option

PORTS = 65535


@click.command()
@number("--http", "Answer at http://127.0.0.1:N/mcp, instead of on standard input.", most=PORTS)
@option(
    "--server URL",
    "Sit down only at tables of this server; may be given several times.",
    multiple=True,
)
def mcp(http: int | None, server: tuple[str, ...]) -> None:
    """Let an assistant play, as a server of the Model Context Protocol.

    It has tools for the rules, a game against bots, a seat at a real table by its link, the
    position, the legal choices, and the odds.  It needs the extra mcp.

    \b
    yegg mcp                                      over standard input, as assistants start it
    yegg mcp --http 8765                          at http://127.0.0.1:8765/mcp
    yegg mcp --server https://games.example       with friends there, and nowhere else
    """
    from yegg.assistant.server import HERE, serve

    serve(server, HERE[0] if http else "", http or 0)
