"""One address in front of a server whose streams can fall silent, as if it had been stopped."""

import socket
import threading
from contextlib import suppress

from .serving import free_port


class Front:
    """Passes on whatever comes, but nothing of streams while it is ``silent``, nor ends them."""

    def __init__(self, server):
        """``server`` is what answers."""
        self.to, self.port, self.client = server.port, free_port(), server.client
        self.base = f"http://localhost:{self.port}"
        self.silent, self.lines, self.threads = False, [], []
        self.ear = socket.create_server(("127.0.0.1", self.port))
        self._begin(self._listen)

    def close(self):
        """Hang up."""
        for line in (self.ear, *self.lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for line in (self.ear, *self.lines):
            line.close()

    def _begin(self, what, *how):
        self.threads.append(threading.Thread(target=what, args=how, daemon=True))
        self.threads[-1].start()

    def _listen(self):
        with suppress(OSError):
            while True:
                here, _ = self.ear.accept()
                there = socket.create_connection(("127.0.0.1", self.to))
                self.lines += here, there
                streams = []
                self._begin(self._pass, here, there, streams)
                self._begin(self._pass, there, here, streams)

    def _pass(self, source, sink, streams):
        """``streams``: whether it is a stream that this visitor has asked for last."""
        with suppress(OSError):
            while data := source.recv(65536):
                if data.startswith(b"GET "):
                    streams[:] = [b"/events" in data.partition(b"\r\n")[0]]
                if not (self.silent and any(streams)):
                    sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
