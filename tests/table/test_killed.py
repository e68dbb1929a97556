"""`kill -9` in the middle of play: acknowledged choices are kept, and everybody goes on."""

import random
import threading
import time

import httpx
import pytest

from .serving import Served

TABLES, KILLS = 4, 2


@pytest.fixture
def served(tmp_path):
    server = Served(tmp_path).start()
    yield server
    server.close()


def patient(client, method, path, **what):
    """Ask until there is an answer: the server may be down."""
    for _ in range(1200):
        try:
            answer = client.request(method, path, **what)
            if answer.status_code != 503:  # not written: to be asked for again
                return answer
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError("the server does not come back")


def play(base, seed, kept, until, faults):
    """Two scripted people at one table; ``kept`` gets every acknowledged choice."""
    dice = random.Random(seed)
    try:
        with httpx.Client(base_url=base, timeout=120) as client:
            wish = {"game": "second-story", "seats": ["me", "open"]}
            opened = patient(client, "POST", "/api/games", json=wish).json()
            path = f"/api/games/{opened['id']}"
            joined = patient(client, "POST", f"{path}/join", json={})
            if joined.status_code != 200:  # taken before the answer was lost: find another table
                play(base, seed + 100, kept, until, faults)
                return
            tokens = [opened["token"], joined.json()["token"]]
            kept[opened["id"]] = []
            while not until.is_set():
                for token in tokens:
                    who = {"Authorization": f"Bearer {token}"}
                    table = patient(client, "GET", path, headers=who).json()
                    if table["over"]:
                        play(base, seed + 100, kept, until, faults)
                        return
                    if not table["choices"]:
                        continue
                    text = dice.choice(table["choices"])["text"]
                    body = {"choice": text, "after": table["number"]}
                    answer = patient(client, "POST", f"{path}/choices", json=body, headers=who)
                    if answer.status_code == 200:
                        kept[opened["id"]].append((answer.json()["number"], text))
                    else:
                        assert answer.status_code == 409, answer.text
    except Exception as fault:  # noqa: BLE001 a thread's fault is the test's
        faults.append(fault)


def in_full_play(kept, faults):
    """Wait until the tables go on."""
    before = sum(map(len, kept.values()))
    for _ in range(600):
        if faults or sum(map(len, kept.values())) > before + 5 * TABLES:
            return
        time.sleep(0.1)
    raise AssertionError("nobody goes on")


def test_nothing_acknowledged_is_lost(served):
    kept, until, faults, dice = {}, threading.Event(), [], random.Random(7)
    scripts = [
        threading.Thread(target=play, args=(served.base, i, kept, until, faults))
        for i in range(TABLES)
    ]
    for script in scripts:
        script.start()
    for _ in range(KILLS):
        in_full_play(kept, faults)
        time.sleep(dice.random())
        served.kill()
        served.start()
    in_full_play(kept, faults)
    until.set()
    for script in scripts:
        script.join()
    assert not faults
    assert sum(map(len, kept.values())) > TABLES * KILLS
    with httpx.Client(base_url=served.base, timeout=120) as client:
        for key, choices in kept.items():
            record = client.get(f"/api/games/{key}/record").text.splitlines()
            done = [line.partition(" ")[2] for line in record if line[:2] in ("1 ", "2 ")]
            rest = iter(done)
            lost = [text for _, text in choices if not any(text == line for line in rest)]
            assert not lost, f"{key}: {lost}"
            numbers = [number for number, _ in choices]
            assert numbers == sorted(set(numbers))


def test_it_stops_at_once_though_streams_are_open(served):
    wish = {"game": "second-story", "seats": ["me", "open"]}
    key = httpx.post(f"{served.base}/api/games", json=wish).json()["id"]
    with httpx.stream("GET", f"{served.base}/api/games/{key}/events", timeout=20) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "retry: 1000"
        assert served.stop() in (0, -15)
    log = served.log.read_text()
    assert "graceful shutdown exceeded" not in log, "they were not waited for in vain"
    served.start()
