"""A server with the interface of OpenAI's chats whose answers follow a script."""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(content, finish="stop", **usage):
    """An answer of the server as it is sent: status and body."""
    told = {"choices": [{"message": {"content": content}, "finish_reason": finish}]}
    return 200, told | ({"usage": usage} if usage else {})


def numbers(asked):
    """The numbers of the choices in the last message of a request."""
    return re.findall(r"^(\d+)\. ", asked["messages"][-1]["content"], re.MULTILINE)


def last(asked):
    """A model that takes the last choice every time."""
    return answer(f"I take the last. [{numbers(asked)[-1]}]", prompt_tokens=10, completion_tokens=3)


class Script:
    """What the server answers, and what it was asked."""

    def __init__(self, *answers):
        """Each is a status and a body, or a function of the request; the last one stays."""
        self.answers, self.asked, self.heads, self.url = list(answers), [], [], ""
        self.free = threading.Event()
        """Set once the test is over: until then a server may keep silent."""

    @property
    def bot(self):
        return f"chat:tiny@{self.url}/v1"

    def answer(self, path, head, asked):
        self.asked.append(asked)
        self.heads.append(head)
        assert path == "/v1/chat/completions"
        now = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return now(asked) if callable(now) else now

    def silent(self, asked):
        """Says nothing until the test is over."""
        self.free.wait(30)
        return 200, {}


@contextmanager
def scripted(*answers):
    script = Script(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, body = script.answer(self.path, dict(self.headers), asked)
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            try:
                self.send_response(status)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            except OSError:
                pass  # who asked has hung up

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield script
    finally:
        script.free.set()
        server.shutdown()
        server.server_close()
        thread.join()
