"""Many connections: who makes room for others, and how many one address may have."""

import resource

from waiting import until

from yegg.table.http import protocol_limits

from .test_connection_limits import ASK, dial, port, rest, status  # noqa: F401


def test_half_requests_keep_no_place_that_somebody_else_needs(dial, monkeypatch):  # noqa: F811
    """Who has waited longest without a whole request gives way, and is told in a line."""
    monkeypatch.setattr(protocol_limits.connections, "allowed", lambda: 5)
    monkeypatch.setattr(protocol_limits, "PATIENCE", 60.0)
    half = [dial() for _ in range(5)]
    for line in half:
        line.sendall(ASK)
    last = dial()
    last.sendall(ASK + b"\r\n")
    assert status(last.recv(65536)) == 200
    heard = rest(half[0])
    assert status(heard) == 503
    assert heard.endswith(b"too many connections are open here; try again\n")
    half[1].sendall(b"\r\n")
    assert status(half[1].recv(65536)) == 200, "one gives way, not all"


def test_one_address_has_a_part_of_all_connections(dial, monkeypatch):  # noqa: F811
    monkeypatch.setattr(protocol_limits.connections, "allowed", lambda: 8)
    monkeypatch.setattr(protocol_limits.networks, "is_local", lambda _: False)
    lines = [dial() for _ in range(3)]
    heard = rest(lines[2])
    assert status(heard) == 503
    assert heard.endswith(b"too many connections are open from your address\n")
    for line in lines[:2]:
        line.sendall(ASK + b"\r\n")
        assert status(line.recv(65536)) == 200
        line.close()
    until(lambda: not protocol_limits.connections.open_from["127.0.0.1"])


def test_connections_leave_files_for_the_server_itself():
    open_files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert protocol_limits.connections.allowed() == open_files - 64
