"""Real local servers that take what is told: letters, notes for browsers, webhooks."""

import email
import email.policy
import http.server
import smtplib
import threading
from contextlib import contextmanager

from .serving import free_port


class Postbox:
    """A mail server that takes everything, but for those who do not exist."""

    def __init__(self):
        self.raw, self.rcpt, self.back, self.port = [], [], [], free_port()

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        if address.startswith("nobody@"):
            return "550 no such mailbox"
        if address.startswith("later@"):
            return "450 come again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        self.raw.append(envelope.content)
        self.rcpt.append(envelope.rcpt_tos)
        self.back.append(envelope.mail_from)
        return "250 OK"

    @property
    def letters(self):
        return [email.message_from_bytes(raw, policy=email.policy.default) for raw in self.raw]

    @contextmanager
    def open(self):
        from aiosmtpd.controller import Controller

        controller = Controller(self, hostname="127.0.0.1", port=self.port)
        controller.start()
        try:
            yield self
        finally:
            controller.stop()


class _Taker(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        statuses = {"/gone": 410, "/busy": 429, "/away": 302, "/broken": 500}
        self.send_response(self.server.answers.get(self.path, statuses.get(self.path, 201)))
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def web():
    """A web server that keeps what is posted there: ``got``."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Taker)
    server.got, server.answers = [], {}
    server.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def deliver(port, to, raw, sender="ann@home.example"):
    """Hand a letter over by LMTP, as a mail server does; what was answered."""
    with smtplib.LMTP("127.0.0.1", port) as post:
        return post.sendmail(sender, [to] if isinstance(to, str) else to, raw)
