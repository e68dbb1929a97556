"""`deploy/nginx.conf` in front of two servers: HTTP/2, streams as they come, a process that dies.

A real nginx runs the file; only names, ports, the certificate and the servers are replaced.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from waiting import until

from .serving import free_port, together
from .test_monitoring import ASKED, SAME, asked, spelt

pytestmark = pytest.mark.wide
CONF = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
NAME = "games.example"
AROUND = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log; {user}
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/yegg.conf;
}}
"""


class Front:
    """An nginx in front of servers, asked by curl as a browser would."""

    def __init__(self, folder, servers):
        self.folder, self.port, self.plain = folder, free_port(), free_port()
        line = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        where = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
        subprocess.run([*line, *where, "-subj", f"/CN={NAME}"], check=True, capture_output=True)
        (folder / "yegg.conf").write_text(self.placed(CONF.read_text(), servers))
        user = "user root;" if Path("/proc/self").owner() == "root" else ""
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=user))
        self.line = [NGINX, "-p", str(folder), "-c", f"{folder}/nginx.conf"]
        said = subprocess.run([*self.line, "-t"], capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr
        self.process = subprocess.Popen(self.line, stderr=subprocess.DEVNULL)

    def placed(self, text, servers):
        """The file with names, ports, certificate and servers of this test."""
        first, second = (f"127.0.0.1:{server.port}" for server in servers)
        there = [
            ("127.0.0.1:8001", first),
            ("127.0.0.1:8002", second),
            (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", f"{self.folder}/cert.pem"),
            (f"/etc/letsencrypt/live/{NAME}/privkey.pem", f"{self.folder}/key.pem"),
            ("listen 443 ", f"listen {self.port} "),
            ("listen 80;", f"listen {self.plain};"),
        ]
        text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
        for old, new in there:
            assert old in text, old
            text = text.replace(old, new)
        return text

    def curl(self, path, *more, wait=20):
        """The line of a curl that asks for a path."""
        to = f"{NAME}:{self.port}:127.0.0.1"
        line = ["curl", "-sk", "--http2", "--max-time", str(wait), "--resolve", to, *more]
        return [*line, f"https://{NAME}:{self.port}{path}"]

    def ask(self, path, *more, body=None, token=None):
        """Status, version of HTTP, headers and body of an answer."""
        head = ["-i", "-w", "\n%{http_code} %{http_version}"]
        if body is not None:
            head += ["-H", "content-type: application/json", "-d", json.dumps(body)]
        if token:
            head += ["-H", f"authorization: Bearer {token}"]
        done = subprocess.run(
            self.curl(path, *head, *more), capture_output=True, text=True, check=False
        )
        text, _, end = done.stdout.rpartition("\n")
        head, _, body = text.replace("\r", "").partition("\n\n")
        status, version = end.split()
        return int(status), version, head.lower(), body

    def ready(self):
        try:
            until(lambda: self.ask("/api/about")[0] == 200)
        except AssertionError:
            raise AssertionError((self.folder / "error.log").read_text()) from None
        return self

    def close(self):
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture
def behind(shared, tmp_path):
    """Two servers and the nginx in front of them."""
    if not NGINX:
        pytest.skip("no nginx here: apt-get install nginx gets it")
    if "HTTP2" not in subprocess.run(["curl", "-V"], capture_output=True, text=True).stdout:  # noqa: PLW1510
        pytest.skip("no curl with HTTP/2 here: apt-get install curl gets it")
    with together(2, tmp_path, "--https", "--allow", NAME, db=shared, limits=True) as servers:
        front = Front(tmp_path, servers)
        try:
            yield front.ready(), servers
        finally:
            front.close()


def json_of(answer, status=200):
    assert answer[0] == status, answer
    return json.loads(answer[3])


def stream(front, key, token):
    """An open stream of a table."""
    line = front.curl(f"/api/games/{key}/events", "-N", "-i", wait=120)
    head = ["-H", f"authorization: Bearer {token}"]
    return subprocess.Popen([*line[:-1], *head, line[-1]], stdout=subprocess.PIPE, text=True)


def view(lines, number):
    """The first view of a stream that is as new as that; what came before it is read."""
    for line in lines:
        if line.startswith("data: ") and (found := json.loads(line[6:]))["number"] >= number:
            return found
    raise AssertionError("the stream ended")


def sat(front):
    """A table with two people: its key and their tokens."""
    body = {"game": "second-story", "seats": ["me", "open"]}
    table = json_of(front.ask("/api/games", body=body), 201)
    joined = json_of(front.ask(f"/api/games/{table['id']}/join", body={}))
    return table["id"], [table["token"], joined["token"]]


def choose(front, key, tokens):
    """Let whoever is to act make a choice: its number."""
    for token in tokens:
        table = json_of(front.ask(f"/api/games/{key}", token=token))
        if table["choices"]:
            body = {"choice": table["choices"][0]["text"], "after": table["number"]}
            path = f"/api/games/{key}/choices"
            answer = front.ask(path, body=body, token=token)
            if answer[0] == 502:  # sent to a process that died just then: nobody knows if it heard
                answer = front.ask(path, body=body, token=token)
                if answer[0] == 409:
                    return json_of(front.ask(f"/api/games/{key}", token=token))["number"]
            return json_of(answer)["number"]
    raise AssertionError("nobody is to act")


def test_pages_come_over_http_2_and_only_over_https(behind):
    front, _ = behind
    status, version, head, page = front.ask("/")
    assert (status, version) == (200, "2")
    assert "strict-transport-security" in head
    assert "content-security-policy" in head
    assert "Magnate" in page
    plain = ["curl", "-si", f"http://127.0.0.1:{front.plain}/t/x", "-H", f"host: {NAME}"]
    answer = subprocess.run(plain, capture_output=True, text=True, check=False).stdout
    assert answer.startswith("HTTP/1.1 301")
    assert f"Location: https://{NAME}/t/x" in answer


def test_streams_are_passed_on_as_they_come_and_a_dead_process_is_passed_over(behind):
    front, servers = behind
    key, tokens = sat(front)
    ear = stream(front, key, tokens[1])
    lines = iter(ear.stdout)
    head = [line.strip().lower() for line in iter(lambda: next(lines), "\n")]
    assert head[0].startswith("http/2 200")
    assert "content-type: text/event-stream; charset=utf-8" in head
    assert not [line for line in head if line.startswith("content-encoding")]
    view(lines, 1)
    for _ in range(5):
        assert view(lines, choose(front, key, tokens))["number"]  # while the stream stays open
    servers[0].kill()
    for _ in range(10):
        choose(front, key, tokens)
    opened = stream(front, key, tokens[0])
    newest = choose(front, key, tokens)
    assert view(iter(opened.stdout), newest)["number"] >= newest
    servers[0].open()
    servers[0].ready()
    servers[1].kill()
    choose(front, key, tokens)
    for one in (ear, opened):
        one.terminate()
        one.communicate()


def test_the_address_of_a_visitor_arrives_and_cannot_be_made_up(behind):
    front, _ = behind
    body = {"game": "second-story", "seats": ["me", "open"]}

    def statuses(*more, upon=lambda i: ()):
        return [front.ask("/api/games", *more, *upon(i), body=body)[0] for i in range(60)]

    def forged(i):
        return ["-H", f"x-forwarded-for: 10.0.0.{i}", "-H", f"forwarded: for=10.0.0.{i}"]

    assert 429 in statuses(upon=forged), "whoever claims to be many is still one"
    assert front.ask("/api/games", "--interface", "127.0.0.7", body=body)[0] == 201, (
        "another visitor is not held to account for it"
    )


def test_figures_are_not_for_whoever_comes_through(behind):
    front, servers = behind
    for path in ASKED:
        for target in (path, *spelt(path), *(same.format(path) for same in SAME)):
            for more in ((), ("--interface", "127.0.0.7")):
                got = front.ask("/", "--path-as-is", "--request-target", target, *more)
                assert got[0] in {400, 403, 404}, target
                assert "yegg_" not in got[3]
        assert asked(servers[0], path)[0] == 200


def test_the_servers_themselves_let_nobody_through_to_figures(behind):
    """Without a word about them in nginx's file."""
    front, _ = behind
    file = front.folder / "yegg.conf"
    there = file.read_text()
    bare = re.sub(r"location ~\* [^}]*}", "", there)
    assert "metrics" not in bare
    file.write_text(bare)
    try:
        subprocess.run([*front.line, "-s", "reload"], check=True, capture_output=True)
        until(lambda: front.ask("/metrics")[3], lambda page: "yegg serve" in page)
        for path in ASKED:
            for target in (path, *spelt(path), *(same.format(path) for same in SAME)):
                got = front.ask("/", "--path-as-is", "--request-target", target)
                assert got[0] in {400, 403, 404}, target
                assert "yegg_" not in got[3]
    finally:
        file.write_text(there)
        subprocess.run([*front.line, "-s", "reload"], check=True, capture_output=True)
