"""Several processes on one PostgreSQL: every table is usable from each."""

import io
import json
import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import httpx
import pytest
import sqlalchemy as sa

from yegg import games
from yegg.engine import notation
from yegg.engine.promised import judge, pledged
from yegg.table.http.rate_limits import Limits
from yegg.table.storage.database import HEAR, Carried, Write
from yegg.table.storage.schema import events, sittings
from yegg.table.storage.store import connected

from .serving import together

pytestmark = pytest.mark.slow
SOON = 60  # seconds in which everybody goes on by themselves
PATIENCE = 60  # seconds for an answer, where a machine is busy


get, post = partial(httpx.get, timeout=PATIENCE), partial(httpx.post, timeout=PATIENCE)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def opened(server, game="second-story", seats=("me", "open"), **more):
    answer = post(f"{server.base}/api/games", json={"game": game, "seats": seats, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def joined(server, key):
    answer = post(f"{server.base}/api/games/{key}/join", json={})
    assert answer.status_code == 200, answer.text
    return answer.json()["token"]


def seen(server, key, token=None):
    head = bearer(token) if token else {}
    answer = get(f"{server.base}/api/games/{key}", headers=head)
    assert answer.status_code == 200, answer.text
    return answer.json()


def choose(server, key, token, choice, after):
    body = {"choice": choice, "after": after}
    url = f"{server.base}/api/games/{key}/choices"
    return post(url, json=body, headers=bearer(token))


def views(server, key, token=None, timeout=PATIENCE):
    """The views of a stream, as they come."""
    url, head = f"{server.base}/api/games/{key}/events", bearer(token) if token else {}
    with httpx.stream("GET", url, headers=head, timeout=timeout) as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line[6:])


def test_a_choice_made_at_one_process_arrives_in_the_streams_of_the_other(two):
    key = (ann := opened(two[0]))["id"]
    tokens = [ann["token"], joined(two[1], key)]
    ears = [views(two[1], key, tokens[0]), views(two[0], key, tokens[1])]
    now = [next(ear) for ear in ears]
    for n in range(12):
        seat = next(i for i in (0, 1) if now[i]["choices"])
        at = two[(seat + n) % 2]  # wherever they choose, both hear of it
        answer = choose(at, key, tokens[seat], now[seat]["choices"][0]["text"], now[seat]["number"])
        assert answer.status_code == 200, answer.text
        for i, ear in enumerate(ears):
            while now[i]["number"] < answer.json()["number"]:
                now[i] = next(ear)
    for ear in ears:
        ear.close()


def test_whoever_asks_one_process_sees_at_once_what_another_has_acknowledged(two):
    key = (ann := opened(two[0]))["id"]
    tokens = [ann["token"], joined(two[1], key)]
    for n in range(12):
        tables = [seen(two[(n + i) % 2], key, tokens[i]) for i in (0, 1)]
        seat = next(i for i in (0, 1) if tables[i]["choices"])
        text, after = tables[seat]["choices"][0]["text"], tables[seat]["number"]
        answer = choose(two[n % 2], key, tokens[seat], text, after)
        assert answer.status_code == 200, answer.text
        number = answer.json()["number"]
        assert seen(two[(n + 1) % 2], key, tokens[seat])["number"] == number
        late = choose(two[(n + 1) % 2], key, tokens[seat], text, after)
        assert late.status_code == 409, "a repeated choice is never made twice"


def test_orders_given_at_the_same_moment_through_both_processes_are_all_kept(two):
    key = (first := opened(two[0], "secrets", ["me", "open", "open", "open"]))["id"]
    tokens = [first["token"], *(joined(two[i % 2], key) for i in (1, 2, 3))]

    def order(seat):
        made = 0
        while True:
            table = seen(two[seat % 2], key, tokens[seat])
            if not table["choices"] or table["position"]["turn"] > 1:
                return made
            text = table["choices"][0]["text"]
            answer = choose(two[seat % 2], key, tokens[seat], text, table["number"])
            assert answer.status_code == 200, answer.text
            made += 1

    with ThreadPoolExecutor(4) as pool:
        assert all(made > 2 for made in pool.map(order, range(4)))
    assert {seen(server, key)["position"]["turn"] for server in two} == {2}


def test_whoever_has_followed_need_not_read_what_others_are_told():
    row = {"game": 7, "actor": 1, "at": 5}
    made = [
        (events, {**row, "number": 3, "choice": 2, "words": "a b  c"}),
        (events, {**row, "number": 4, "choice": -1}),
        (events, {**row, "game": 8, "number": 1, "choice": 0}),
        (sittings, {"game": 8, "number": 1, "name": "Ann"}),
        (events, {**row, "game": 9, "number": 1, "choice": 0, "words": "x" * 3000}),
    ]
    followed, sat, long = Write(tuple(made)).news()
    *head, told = followed.split(" ", 3)
    assert head == ["7", "4", "0"]
    assert HEAR(told) == [Carried(3, 1, 2, 5, "a b  c"), Carried(4, 1, -1, 5, None)]
    assert (sat, long) == ("8 1 0", "9 1 0")


def test_a_browser_is_known_everywhere(two):
    with httpx.Client(base_url=two[0].base, timeout=PATIENCE) as client:
        page = client.get("/")
        csrf = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        client.cookies.set("yegg-name", "Ann")
        form = {"csrf": csrf, "play": "second-story"}
        answer = client.post(f"{two[1].base}/open", data=form)
        assert answer.status_code == 303, answer.text
        there = answer.headers["location"]
        for server in two:
            assert "Ann" in client.get(f"{server.base}{there}").text


def test_all_processes_roll_the_same_promised_dice(two):
    ann = opened(two[0], options={"chips": "3"}, salt="from-Ann")
    key, tokens = ann["id"], [ann["token"], joined(two[1], ann["id"])]
    dice = [get(f"{server.base}/api/games/{key}/dice").json() for server in two]
    assert dice[0] == dice[1]
    assert dice[0]["promise"]
    assert not dice[0]["seed"]
    n, wish = 0, random.Random(1)
    while not over(two[n % 2], key):
        n += 1
        for token in tokens:
            table = seen(two[n % 2], key, token)
            if table["choices"]:
                text = wish.choice(table["choices"])["text"]
                assert choose(two[n % 2], key, token, text, table["number"]).status_code == 200
    text = get(f"{two[0].base}/api/games/{key}/record").text
    match = notation.read(io.BytesIO(text.encode()), "a.game", games.find)
    verdict = judge(match, pledged(text, "a.game"), dice[0]["promise"])
    assert verdict.faults == []
    assert verdict.checked > 3


def counted(server, what):
    """The sum of a metric's lines that contain all of some texts."""
    said = get(f"{server.base}/metrics").text.splitlines()
    lines = [line for line in said if not line.startswith("#")]
    return sum(float(line.split()[-1]) for line in lines if all(text in line for text in what))


def over(server, key):
    return seen(server, key)["over"]


def wait_until(so, seconds=SOON):
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def test_exactly_one_process_lets_the_bots_of_a_table_play(two):
    keys = [opened(two[i % 2], seats=["uniform", "uniform"])["id"] for i in range(12)]
    wait_until(lambda: all(over(two[0], key) for key in keys), 300)
    made = sum(len(record(two[0], key)) for key in keys)
    bots = [counted(server, ["yegg_choices_total", 'by="bot"']) for server in two]
    assert made <= sum(bots) <= 1.05 * made, "hardly a choice is made twice; one of two is refused"
    assert all(bots), "both do their share"
    thoughts = [counted(server, ["yegg_thinking_seconds_count"]) for server in two]
    most = 1.5 * made  # where a machine is so busy that one takes the other for dead, some more
    assert sum(thoughts) <= most, "nobody thinks about what another process decides"


def record(server, key):
    """What the seats did."""
    lines = get(f"{server.base}/api/games/{key}/record").text.splitlines()
    return [line for line in lines if line[:2] in ("1 ", "2 ")]


def test_when_a_process_dies_the_other_lets_its_bots_play(shared, tmp_path):
    with together(2, tmp_path, db=shared, pace=0.5) as two:
        keys = [opened(two[0], seats=["uniform", "uniform"])["id"] for _ in range(6)]
        ears = [threading.Thread(target=listened, args=(two[1], key)) for key in keys]
        for ear in ears:
            ear.start()  # with somebody watching they are slow
        wait_until(lambda: all(seen(two[1], key)["number"] > 6 for key in keys))
        two[0].kill()
        numbers = {key: seen(two[1], key)["number"] for key in keys if not over(two[1], key)}
        assert numbers

        def went_on(key):
            table = seen(two[1], key)
            return table["over"] or table["number"] > numbers[key] + 1

        wait_until(lambda: all(map(went_on, numbers)))
    for ear in ears:
        ear.join()


def listened(server, key):
    """Watch until the server goes."""
    try:
        for _ in views(server, key, timeout=60):
            pass
    except httpx.TransportError:
        pass


def test_nobody_needs_to_come_for_bots_to_go_on(shared, tmp_path):
    """Their process died, and nobody watches: whoever is left or comes next takes them over."""
    with together(1, tmp_path, db=shared, pace=30) as (server,):
        key = opened(server, seats=["uniform", "uniform"])["id"]
        ear = threading.Thread(target=listened, args=(server, key))
        ear.start()
        wait_until(lambda: counted(server, ["yegg_streams"]))
        wait_until(lambda: seen(server, key)["number"] > 2)
        server.kill()
        ear.join()
    database, number = connected(shared), sa.text("SELECT max(number) FROM events")
    with database.engine.connect() as disk:
        before = disk.scalar(number)
        with together(1, tmp_path, db=shared) as (server,):
            wait_until(lambda: disk.scalar(number) > before)
            wait_until(lambda: over(server, key), 300)
    database.engine.dispose()


def test_processes_that_start_at_the_same_moment_migrate_once(shared):
    code = (
        "import sys; from yegg.table.storage import migrate, store; "
        "migrate.migrate(store.connected(sys.argv[1])); s = store.Store(sys.argv[1]); "
        "print(s.secret(s.writer)); s.close()"
    )
    line, env = [sys.executable, "-c", code, shared], dict(os.environ)
    made = [subprocess.Popen(line, stdout=subprocess.PIPE, env=env) for _ in range(4)]
    said = {process.communicate(timeout=60)[0] for process in made}
    assert [process.returncode for process in made] == [0] * 4
    assert len(said) == 1, "all have the same secret"


def test_numbers_of_games_are_never_given_twice(two):
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda i: opened(two[i % 2])["id"], range(60)))
    assert len(set(keys)) == 60
    for server in two:
        for key in keys[:10]:
            assert seen(server, key)["number"] == 1


WISH = {"game": "second-story", "seats": ["me", "open"]}


def test_limits_hold_for_all_processes_together(shared, tmp_path):
    with together(2, tmp_path, db=shared, limits=True) as two:
        key = (ann := opened(two[0]))["id"]
        ears = [views(two[i % 2], key, ann["token"], 60) for i in range(8)]
        for ear in ears:
            next(ear)

        def refused(server):
            url, head = f"{server.base}/api/games/{key}/events", bearer(ann["token"])
            with httpx.stream("GET", url, headers=head, timeout=20) as answer:
                return answer.status_code == 429

        for server in two:  # a second later both know of all eight
            wait_until(lambda server=server: refused(server))
        ears.pop().close()
        wait_until(lambda: not refused(two[0]))
        made, begun, rates = 0, time.monotonic(), Limits(on=True).opening
        while post(f"{two[0].base}/api/games", json=WISH).status_code == 201:
            made += 1
        assert made <= rates.burst + rates.rate * (time.monotonic() - begun)
        wait_until(lambda: post(f"{two[1].base}/api/games", json=WISH).status_code == 429)
        for ear in ears:
            ear.close()


def test_whoever_watches_at_both_processes_counts_once(two):
    key = opened(two[0])["id"]
    eve = bearer(opened(two[1])["token"])

    @contextmanager
    def watched(server, head):
        url = f"{server.base}/api/games/{key}/events"
        with httpx.stream("GET", url, headers=head, timeout=PATIENCE) as stream:
            lines = stream.iter_lines()
            next(lines)
            yield lines

    def count(number):
        wait_until(lambda: [seen(server, key)["guests"] for server in two] == [number] * 2)

    with watched(two[0], eve), watched(two[1], eve):
        with watched(two[1], {}):
            count(2)
        count(1)
    count(0)


@pytest.mark.wide
def test_people_count_as_present_everywhere(shared, tmp_path):
    """Whoever plays through one process is not away to friends who use another."""
    with together(2, tmp_path, "--away", "0.2", db=shared) as two:
        key = (ann := opened(two[0]))["id"]
        tokens = [ann["token"], joined(two[1], key)]
        ears = [views(two[i], key, tokens[i], 60) for i in (0, 1)]
        now = [next(ear) for ear in ears]
        turn = next(i for i in (0, 1) if now[i]["choices"])

        def away():
            return seen(two[1 - turn], key, tokens[1 - turn])["seats"][turn]["away"]

        end = time.monotonic() + 15
        while time.monotonic() < end:  # longer than anybody may be away
            assert not away()
            time.sleep(0.5)
        ears[turn].close()
        wait_until(away, 40)
        ears[1 - turn].close()


def test_play_goes_on_by_itself_after_postgresql_has_crashed(two, postgres):
    key = (ann := opened(two[0]))["id"]
    tokens = [ann["token"], joined(two[1], key)]
    before = [seen(two[i], key, tokens[i]) for i in (0, 1)]
    seat = next(i for i in (0, 1) if before[i]["choices"])
    choice = before[seat]["choices"][0]["text"], before[seat]["number"]
    ears = [views(two[1 - i], key, tokens[i], 60) for i in (0, 1)]
    assert [next(ear) for ear in ears] == before
    postgres.stop("immediate")
    try:
        answer = choose(two[0], key, tokens[seat], *choice)
        assert answer.status_code == 503
        assert answer.headers["retry-after"]
        assert [seen(two[i], key, tokens[i]) for i in (0, 1)] == before, "open tables are shown"
        for server in two:
            assert get(f"{server.base}/t/{key}").status_code == 200
            assert get(f"{server.base}/").status_code == 503
            assert get(f"{server.base}/api/games/{'x' * 22}").status_code == 503
    finally:
        postgres.start()
    wait_until(lambda: choose(two[0], key, tokens[seat], *choice).status_code == 200)
    for server in two:
        again = choose(server, key, tokens[seat], *choice)
        assert again.status_code == 409, "it was made once"
    for ear in ears:
        assert next(ear)["number"] > choice[1], "streams have lived on"
        ear.close()
