"""`yegg mcp` as assistants meet it: tools over standard input, and over HTTP."""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import pytest
from table.serving import free_port
from waiting import until

mcp = pytest.importorskip("mcp", reason="assistants need yegg[mcp]")

TOOLS = {
    "choose", "games", "leave", "legal_choices", "new_game", "odds", "position", "rules",
    "sit_down", "wait",
}  # fmt: skip
COMMAND = ["-m", "yegg.cli", "mcp"]


async def visit(where):
    """What an assistant gets that begins a game and makes a choice, and one that is none."""
    async with mcp.Client(where) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        begun = await client.call_tool("new_game", {"game": "second-story", "bots": "greedy"})
        key = begun.content[0].text.split()[1]
        wrong = await client.call_tool("choose", {"key": key, "choice": "dance"})
        right = await client.call_tool("choose", {"key": key, "choice": "1"})
        return tools, wrong, right


def check_tools(told):
    tools, wrong, right = told
    assert tools == TOOLS
    assert wrong.is_error
    assert "'dance' is not possible here" in wrong.content[0].text
    assert not right.is_error
    assert right.content[0].text.startswith("You chose: ")


def awaited(visit):
    """What a visit ends with; in a thread, since a browser's tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, visit).result(120)


def test_over_standard_input():
    server = mcp.StdioServerParameters(command=sys.executable, args=COMMAND, env=dict(os.environ))
    check_tools(awaited(visit(server)))


@pytest.fixture
def served():
    port = free_port()
    process = subprocess.Popen([sys.executable, *COMMAND, "--http", str(port)])
    url = f"http://127.0.0.1:{port}/mcp"

    def answers():
        with suppress(httpx.TransportError):
            return httpx.get(url).status_code

    try:
        until(answers)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def test_over_http_for_this_machine_alone(served):
    check_tools(awaited(visit(served)))
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accepts = {"accept": "application/json, text/event-stream"}
    strange = httpx.post(served, json=hello, headers=accepts | {"host": "evil.example"})
    assert strange.status_code == 421
