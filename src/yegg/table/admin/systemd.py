"""What systemd is told of this process, as sd_notify(3) says: so a restart ends once it serves."""

import os
import socket


def serving() -> None:
    """Say that requests are answered from now on, if systemd has started this process."""
    there = os.environ.pop("NOTIFY_SOCKET", "")  # no child shall speak for this process
    if there:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.connect(there.replace("@", "\0", 1) if there.startswith("@") else there)
            door.sendall(b"READY=1")
