"""`yegg sit`: a bot takes a seat by HTTP alone, and goes on after interruptions."""

import http.server
import random
import re
import signal
import socket
import socketserver
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import msgspec
import pytest
from click.testing import CliRunner
from waiting import until

import yegg
from yegg import games, players
from yegg.cli import cli
from yegg.client import Gone, Server, Table, playing, sit, sit_forever, token_for
from yegg.contract.cases import EACH
from yegg.engine import Refused

from .people import SS
from .serving import free_port, running

NOWHERE = "A" * 22  # a key as good as any
MODULE = """
import random, yegg
class Hasty(yegg.Player):
    def choose(self, view):
        return random.choice(view.choices)
"""


class Hasty(yegg.Player):
    """Chooses at random, and in Thief's Market rather anything than to be done."""

    def choose(self, view):
        some = [choice for text, choice in view.texts.items() if text != "done"]
        return random.choice(some or view.choices)


class Silent(yegg.Player):
    def choose(self, view):
        return None


@pytest.fixture
def host(served):
    return served


def opened(host, game=SS, seats=2):
    """The link of a table where nobody sits yet."""
    wish = {"game": game, "seats": ["open"] * seats}
    answer = host.client.post("/api/games", json=wish)
    assert answer.status_code == 201, answer.text
    return f"{host.base}/t/{answer.json()['id']}"


def looked(link):
    with Server(link.partition("/t/")[0]) as server:
        return server.table(link[-22:])


def together(link, seats, player=Hasty):
    """Let bots take all seats; all of them are told the same places."""
    with ThreadPoolExecutor(seats) as pool:
        ends = [pool.submit(sit, link, player, name=f"Bot {i}") for i in range(seats)]
        places = [end.result(timeout=30) for end in ends]
    assert all(one == places[0] for one in places)
    return places[0]


@pytest.mark.wide(but=["secrets"])
@pytest.mark.parametrize("game", EACH)
def test_bots_play_a_whole_game_at_a_table(host, game):
    seats = games.find(game).usual
    link = opened(host, game, seats)
    places = together(link, seats)
    table = looked(link)
    assert table.over
    assert table.places == places
    assert sorted(place.name for place in table.seats) == [f"Bot {i}" for i in range(seats)]


@pytest.mark.wide
def test_a_bot_gives_salt_and_says_what_was_promised_of_the_dice(host):
    said = []
    link = opened(host)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(sit, link, Hasty)
        sit(link, Hasty, name="Heard", say=said.append)
        other.result(timeout=30)
    (told,) = [line for line in said if line.startswith("the dice")]
    found = host.client.get(f"/api/games/{link[-22:]}/dice").json()
    assert len(found["salts"]) == 2
    assert found["promise"] in told
    assert sum(f"given {salt} from" in told for salt in found["salts"].values()) == 1


def test_a_player_that_gives_no_choice_has_one_drawn(host):
    said = []
    link = opened(host, "secrets", 3)
    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(sit, link, Hasty) for _ in range(2)]
        places = sit(link, Silent, say=said.append)
        assert [other.result(timeout=30) for other in others] == [places] * 2
    assert "silent answered None, which is not one of its choices: its choice was drawn by lot" in (
        said
    )


@pytest.fixture
def program(tmp_path):
    """Start ``yegg sit`` in a folder with a player of somebody's."""
    (tmp_path / "mybots.py").write_text(MODULE)
    started = []

    def start(*words):
        line = [sys.executable, "-m", "yegg.cli", "sit", *words]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        started.append(subprocess.Popen(line, cwd=tmp_path, text=True, **pipes))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.communicate()


@pytest.mark.wide
def test_neither_a_killed_server_nor_a_killed_bot_ends_the_game(tmp_path, program):
    with running(tmp_path) as served:
        link = opened(served)
        words = [link, "--bot", "mybots:Hasty", "--token", "seat.txt"]
        first = program(*words)
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(sit, link, Hasty, name="Other")
            until(lambda: looked(link), lambda table: table.number > 40)
            first.kill()
            first.wait()
            second = program(*words)  # the same token: the same seat
            before = looked(link).number
            until(lambda: looked(link), lambda table: table.number > before + 40)
            served.kill()
            served.start()
            places = other.result(timeout=30)
            said, _ = second.communicate(timeout=30)
        assert second.returncode == 0
        assert f"over, places {places}" in said
        assert (tmp_path / "seat.txt").stat().st_mode & 0o077 == 0, "nobody else can read it"
        assert {place.name for place in looked(link).seats} == {"Hasty", "Other"}


@pytest.mark.wide
def test_a_seat_that_was_handed_to_a_bot_is_taken_back(host):
    link = opened(host, "secrets", 3)
    with Server(host.base) as server:
        seat = server.join(link[-22:], "Ann", token=token_for(link))
        server.ask(dict, "POST", f"/games/{seat.table}/hand", {"bot": "uniform"}, seat.token)
        assert looked(link).seats[0].bot == "uniform"
    with ThreadPoolExecutor(3) as pool:
        again = pool.submit(sit, link, Hasty, token=seat.token)
        until(lambda: looked(link), lambda table: table.seats[0].bot is None)
        others = [pool.submit(sit, link, Hasty) for _ in range(2)]
        assert {len(end.result(timeout=30)) for end in (again, *others)} == {3}


@pytest.mark.wide
def test_ctrl_c_gives_the_seat_back_unless_its_token_is_kept(host, program):
    for words, free in (([], True), (["--token", "kept.txt"], False)):
        link = opened(host, "magnate")
        one = program(link, "--bot", "mybots:Hasty", *words)
        until(lambda at=link: not all(place.free for place in looked(at).seats))
        assert "sits at" in one.stdout.readline()
        one.send_signal(signal.SIGINT)
        one.communicate(timeout=30)
        assert one.returncode == 130
        assert all(place.free for place in looked(link).seats) is free


def test_what_a_bot_needs_is_compiled_before_it_sits_down(host, monkeypatch):
    link, free = opened(host), []
    monkeypatch.setattr(players, "cold", lambda game, bot: True)
    monkeypatch.setattr(
        players.Bot, "warm", lambda bot, game: free.append([p.free for p in looked(link).seats])
    )
    with Server(host.base) as server:
        playing.sit_down(server, link[-22:], "uniform").leave()
    assert free == [[True, True]]


class Enough(Exception):
    pass


@pytest.mark.wide
def test_forever_takes_one_open_table_after_another(host, monkeypatch):
    monkeypatch.setattr(playing, "LOOK", 0.05)
    links, over = [opened(host, "secrets", 3), opened(host, "secrets", 3)], threading.Event()
    opened(host, "magnate")  # of no game that they want

    def stay():
        ends = []

        def say(text):
            ends.extend(re.findall(r"over, places", text))
            if len(ends) == 2:
                raise Enough

        with pytest.raises(Enough):
            sit_forever(host.base, Hasty, games=("secrets",), say=say)
        over.set()

    with ThreadPoolExecutor(3) as pool:
        for end in [pool.submit(stay) for _ in range(3)]:
            end.result(timeout=30)
    assert all(looked(link).over for link in links)
    assert over.is_set()


# What cannot be is said -------------------------------------------------------------------


def test_errors_are_sentences(host):
    link = opened(host)
    other = f"{host.base}/t/{NOWHERE}"
    taken = opened(host, "secrets", 3)
    with Server(host.base) as server:
        for i in range(3):
            server.join(taken[-22:], f"Ann {i}")
    nobody = f"http://localhost:{free_port()}"
    for url, more, why in [
        ("table 5", {}, "'table 5' is no link to a table, as in http://localhost:8000/t/…"),
        (f"ftp://localhost/t/{NOWHERE}", {}, "no link to a table"),
        (f"{nobody}/t/{NOWHERE}", {}, f"nobody answers at {nobody}: "),
        (f"http://no-such-host.invalid/t/{NOWHERE}", {}, "nobody answers at http://no-such"),
        (other, {}, "no such table"),
        (taken, {}, "all seats are taken; you may watch"),
        (link, {"seat": 5}, "seat"),
        (link, {"player": "exact"}, "exact cannot play at this table: "),
        (link, {"player": "nobody"}, "no bot is called 'nobody'"),
    ]:
        with pytest.raises(Refused, match=re.escape(why)) as refused:
            sit(url, **{"player": Hasty} | more)
        assert "\n" not in str(refused.value)
    assert all(place.free for place in looked(link).seats)
    with pytest.raises(Refused, match="is the link to a table; the address of a server is"):
        sit_forever(link)
    with pytest.raises(Refused, match="'localhost:8000' is no server's address"):
        sit_forever("localhost:8000")


def test_rules_that_are_not_the_same_here_are_refused_before_sitting_down(host, monkeypatch):
    link = opened(host)
    about = Server.about

    def newer(server):
        said = about(server)
        said["games"]["second-story"]["version"] += 1
        return said

    with monkeypatch.context() as patched:
        patched.setattr(Server, "about", newer)
        with pytest.raises(Refused, match="install the same version of yegg"):
            sit(link, Hasty)
    table = Server.table
    monkeypatch.setattr(
        Server, "table", lambda *asked: msgspec.structs.replace(table(*asked), game="chess")
    )
    with pytest.raises(Refused, match="there is no game 'chess'"):
        sit(link, Hasty)
    monkeypatch.undo()
    assert all(place.free for place in looked(link).seats)


class Other(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<h1>Welcome</h1>")

    def log_message(self, *_):
        pass


@contextmanager
def answering(server):
    """Let a server of sockets answer, in a thread."""
    with server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://localhost:{server.server_address[1]}"
        finally:
            server.shutdown()


def test_a_server_of_something_else_is_told_apart():
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
    why = f"what answers at http://localhost:{other.server_port} is no server of yegg"
    with answering(other) as base, pytest.raises(Refused, match=why):
        sit(f"{base}/t/{NOWHERE}", Hasty)


def test_the_command_ends_with_one_line(host):
    link = opened(host)
    for words, why in [
        ([f"{host.base}/t/{NOWHERE}", "--bot", "uniform"], "no such table"),
        ([link, "--game", "magnate"], "--game goes with --forever"),
        ([host.base, "--forever", "--seat", "1"], "without --forever"),
        ([host.base, "--forever", "--game", "chess"], "there is no game 'chess'"),
    ]:
        done = CliRunner().invoke(cli, ["sit", *words])
        assert done.exit_code != 0
        assert why in str(done.output) + str(done.exception)


# A connection that is cut -----------------------------------------------------------------


class Cut(socketserver.BaseRequestHandler):
    """A proxy that passes data both ways, and hangs up in the middle."""

    bytes_each, cuts = 15_000, 0

    def handle(self):
        with socket.create_connection(("localhost", self.server.behind)) as server:
            for end in (server, self.request):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            asked = threading.Thread(target=self.hand_on, args=(self.request, server))
            asked.start()
            Cut.cuts += self.hand_on(server, self.request, self.bytes_each)
            self.request.close()
            asked.join()

    @staticmethod
    def hand_on(source, sink, most=10**9):
        """Whether it was cut."""
        try:
            while most > 0 and (data := source.recv(min(4096, most))):
                sink.sendall(data)
                most -= len(data)
            return most <= 0
        except OSError:
            return False
        finally:
            for end in (source, sink):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)


class Proxy(socketserver.ThreadingTCPServer):
    daemon_threads = True


@pytest.mark.wide
def test_a_connection_that_is_cut_costs_nothing(host):
    proxy = Proxy(("127.0.0.1", 0), Cut)
    proxy.behind = host.port
    link = opened(host)
    with answering(proxy) as base:
        assert together(f"{base}/t/{link[-22:]}", 2) == looked(link).places
    assert Cut.cuts > 3


def test_a_view_holds_what_a_client_reads(host):
    with Server(host.base) as server:
        seat = server.open("second-story", ["me", "open"], "Ann")
        table = seat.look()
        assert isinstance(table, Table)
        assert (table.seat, table.begun, table.choices) == (1, False, [])
        assert [place.free for place in table.seats] == [False, True]
        assert table.id in [listed.id for listed in server.open_tables()]
        assert "\ngame: second-story\n" in seat.record()
        with pytest.raises(Gone) as gone:
            seat.choose("thorough", table.number)
        assert gone.value.status in (409, 422)
        seat.leave()
        assert looked(f"{host.base}/t/{table.id}").seats[0].free
