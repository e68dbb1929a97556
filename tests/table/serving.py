"""A real server in a process of its own: started, killed, started again."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request


class Served:
    """`yegg serve` on a port of its own."""

    def __init__(self, folder, *more, db=None, limits=False):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://localhost:{self.port}"
        code = "from yegg.cli.serve import command; command()"
        options = ["--port", str(self.port), "--db", f"{db or folder}/t.db", "--pace", "0"]
        options += [] if limits else ["--no-limits"]
        self.line = [sys.executable, "-c", code, "--no-warm", *options, *more]
        self.log = (folder / "serve.log").open("ab")
        self.env = dict(os.environ)
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.line, stdout=self.log, stderr=self.log, env=self.env)
        for _ in range(600):
            try:
                with urllib.request.urlopen(self.base + "/health", timeout=2) as answer:  # noqa: S310
                    if answer.status == 200:
                        return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise AssertionError("the server does not start")

    def wait(self):
        time.sleep(0.1)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        self.log.close()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=20)
