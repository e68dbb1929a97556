"""Several processes on one PostgreSQL: every table is usable from each, and the time is one."""

import io
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest
import sqlalchemy as sa
from waiting import never, until

from yegg import games
from yegg.engine import notation
from yegg.engine.promised import check_dice, pledged
from yegg.table.rate_limits import Limits
from yegg.table.storage.database import HEAR, Carried, Write
from yegg.table.storage.schema import events, sittings
from yegg.table.storage.store import connected

from .devices import Device
from .people import BY_DAYS, SS, TWO, Player, played_out, whose
from .serving import running, together

HURRIED = {"kind": "live", "turn": 5, "reserve": 0, "late": "uniform"}


def via(person, server):
    """The same person, asking another process."""
    return Player(server.client, person.token, key=person.key)


def sat(*servers, game=SS, **more):
    """People at one table, each at a process."""
    first, *others = (Player(server.client, seed=i) for i, server in enumerate(servers))
    first.open(game, ["me"] + ["open"] * len(others), **more)
    for other in others:
        assert other.join(first.key).status_code == 200
    return [first, *others]


def figure(server, *what):
    """The sum of a metric's lines that contain all of some texts."""
    lines = server.client.get("/metrics").text.splitlines()
    return sum(
        float(line.split()[-1])
        for line in lines
        if not line.startswith("#") and all(text in line for text in what)
    )


def test_a_choice_made_at_one_process_arrives_in_the_streams_of_the_other(two):
    people = sat(*two)
    ears = [via(person, two[1 - i]).views() for i, person in enumerate(people)]
    now = [next(ear) for ear in ears]
    for n in range(12):
        seat = next(i for i in (0, 1) if now[i]["choices"])
        at = via(people[seat], two[(seat + n) % 2])  # wherever they choose, both hear of it
        answer = at.choose(now[seat]["choices"][0]["text"], now[seat]["number"])
        assert answer.status_code == 200, answer.text
        for i, ear in enumerate(ears):
            while now[i]["number"] < answer.json()["number"]:
                now[i] = next(ear)
    for ear in ears:
        ear.close()


def test_whoever_asks_one_process_sees_at_once_what_another_has_acknowledged(two):
    people = sat(*two)
    for n in range(12):
        who = whose([via(person, two[(n + i) % 2]) for i, person in enumerate(people)])[0]
        here, there = (via(who, two[(n + i) % 2]) for i in (0, 1))
        table = who.table
        choice = table["choices"][0]["text"], table["number"]
        answer = here.choose(*choice)
        assert answer.status_code == 200, answer.text
        assert there.table["number"] == answer.json()["number"]
        assert there.choose(*choice).status_code == 409, "a repeated choice is never made twice"


def test_orders_given_at_the_same_moment_through_both_processes_are_all_kept(two):
    people = sat(*two, *two, game="secrets")

    def order(person):
        made = 0
        while (table := person.table)["choices"] and table["position"]["turn"] == 1:
            answer = person.choose(table["choices"][0]["text"], table["number"])
            assert answer.status_code == 200, answer.text
            made += 1
        return made

    with ThreadPoolExecutor(4) as pool:
        assert all(made > 2 for made in pool.map(order, people))
    assert {person.table["position"]["turn"] for person in people} == {2}


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
    ann = Device(two[0].client)
    csrf = ann.csrf()
    other = Device(two[1].client)
    other.cookies = ann.cookies
    answer = other.ask("POST", "/open", data={"csrf": csrf, "play": SS, "you": "Ann"})
    assert answer.status_code == 303, answer.text
    path = answer.headers["location"].partition("#")[0]
    assert all("Ann" in device.get(path).text for device in (ann, other))


def test_all_processes_roll_the_same_promised_dice(two):
    ann, ben = sat(*two, options={"chips": "3"}, salt="from-Ann")
    dice = [person.ask("dice").json() for person in (ann, ben)]
    assert dice[0] == dice[1]
    assert dice[0]["promise"]
    assert not dice[0]["seed"]
    while not ann.table["over"]:
        ann.act() or ben.act()
    text = ann.record
    match = notation.read(io.BytesIO(text.encode()), "a.game", games.find)
    verdict = check_dice(match, pledged(text, "a.game"), dice[0]["promise"])
    assert verdict.faults == []
    assert verdict.checked > 3


# Bots


def chosen(person):
    """What the seats did."""
    return [line for line in person.record.splitlines() if line[:2] in ("1 ", "2 ")]


def of_bots(server, **more):
    """A table at which only bots sit."""
    return Player(server.client).open(SS, ["uniform", "uniform"], **more)


def test_exactly_one_process_lets_the_bots_of_a_table_play(two_alone):
    tables = [of_bots(two_alone[i % 2], options={"chips": "3"}) for i in range(12)]
    for one in tables:
        played_out(one)
    made = sum(len(chosen(one)) for one in tables)
    bots = [figure(server, "yegg_choices_total", 'by="bot"') for server in two_alone]
    assert made <= sum(bots) <= 1.05 * made, "hardly a choice is made twice; one of two is refused"
    assert all(bots), "both do their share"
    thoughts = [figure(server, "yegg_thinking_seconds_count") for server in two_alone]
    most = 1.5 * made  # where a machine is so busy that one takes the other for dead, some more
    assert sum(thoughts) <= most, "nobody thinks about what another process decides"


def listened(person):
    """Watch until the server goes."""
    try:
        for _ in person.views():
            pass
    except httpx.TransportError:
        pass


@pytest.mark.wide
def test_when_a_process_dies_the_other_lets_its_bots_play(shared, tmp_path):
    with together(2, tmp_path, db=shared, pace=0.5) as two:
        tables = [via(of_bots(two[0]), two[1]) for _ in range(6)]
        ears = [threading.Thread(target=listened, args=(table,)) for table in tables]
        for ear in ears:
            ear.start()  # with somebody watching they are slow
        until(lambda: all(one.table["number"] > 6 for one in tables))
        two[0].kill()
        going = [(one, one.table["number"]) for one in tables if not one.table["over"]]
        assert going
        for one, number in going:
            until(lambda one=one, n=number: one.table["over"] or one.table["number"] > n + 1)
    for ear in ears:
        ear.join()


@pytest.mark.wide
def test_nobody_needs_to_come_for_bots_to_go_on(shared, tmp_path):
    """Their process died, and nobody watches: whoever is left or comes next takes them over."""
    with running(tmp_path, db=shared, pace=30) as server:
        table = of_bots(server)
        ear = threading.Thread(target=listened, args=(table,))
        ear.start()
        until(lambda: figure(server, "yegg_streams"))
        until(lambda: table.table["number"] > 2)
        server.kill()
        ear.join()
    database, number = connected(shared), sa.text("SELECT max(number) FROM events")
    with database.engine.connect() as disk:
        before = disk.scalar(number)
        with running(tmp_path, db=shared) as server:
            assert until(lambda: disk.scalar(number) > before)
            played_out(via(table, server))
    database.engine.dispose()


# Numbers, limits and figures


def test_processes_that_start_at_the_same_moment_migrate_once(shared):
    code = (
        "import sys; from yegg.table.storage import migrate, store; "
        "migrate.migrate(store.connected(sys.argv[1])); s = store.Store(sys.argv[1]); "
        "print(s.secret(s.writer)); s.close()"
    )
    line, env = [sys.executable, "-c", code, shared], dict(os.environ)
    made = [subprocess.Popen(line, stdout=subprocess.PIPE, env=env) for _ in range(4)]
    said = {process.communicate(timeout=30)[0] for process in made}
    assert [process.returncode for process in made] == [0] * 4
    assert len(said) == 1, "all have the same secret"


def test_numbers_of_games_are_never_given_twice(two):
    with ThreadPoolExecutor(8) as pool:
        people = list(pool.map(lambda i: Player(two[i % 2].client).open(), range(60)))
    assert len({person.key for person in people}) == 60
    for server in two:
        assert all(via(person, server).table["number"] == 1 for person in people[:10])


def test_limits_hold_for_all_processes_together(shared, tmp_path):
    with together(2, tmp_path, db=shared, limits=True) as two, ExitStack() as stack:
        ann = Player(two[0].client).open()
        ears = [via(ann, two[i % 2]).views() for i in range(8)]
        for ear in ears:
            stack.callback(ear.close)
            next(ear)

        def refused(server):
            path, head = f"/api/games/{ann.key}/events", ann.headers
            with server.client.stream("GET", path, headers=head) as answer:
                return answer.status_code == 429

        for server in two:  # a second later both know of all eight
            until(lambda server=server: refused(server))
        ears[0].close()
        until(lambda: not refused(two[0]))
        made, begun, rates = 0, time.monotonic(), Limits(on=True).opening
        while two[0].client.post("/api/games", json=TWO).status_code == 201:
            made += 1
        assert made <= rates.burst + rates.rate * (time.monotonic() - begun)
        until(lambda: two[1].client.post("/api/games", json=TWO).status_code == 429)


@pytest.mark.wide
def test_whoever_watches_at_both_processes_counts_once(two):
    table = Player(two[0].client).open()
    eve, nobody = Player(two[1].client).open().at(table.key), Player(two[1].client, key=table.key)
    ears = [via(eve, two[0]).lines(), eve.lines(), nobody.lines()]
    for ear in ears:
        next(ear)
    for number in (2, 1):
        for server in two:
            until(lambda s=server, n=number: via(table, s).table["guests"] == n)
        ears.pop().close()
    ears.pop().close()
    for server in two:
        assert until(lambda server=server: via(table, server).table["guests"] == 0)


def test_refused_choices_have_a_counter_of_their_own(two):
    made = "yegg_choices_total", 'by="person"'
    refused = "yegg_choices_refused_total", 'by="person"', 'status="409"'
    ann, _ = sat(two[0], two[0])
    before = figure(two[0], *made), figure(two[0], *refused)
    assert ann.choose("thorough", ann.table["number"] - 3).status_code == 409
    now = figure(two[0], *made), figure(two[0], *refused)
    assert now == (before[0], before[1] + 1), "once, and not as made"


@pytest.mark.wide
def test_people_count_as_present_everywhere(shared, tmp_path):
    """Whoever plays through one process is not away to friends who use another."""
    with together(2, tmp_path, "--away", "0.2", db=shared) as two:
        people = sat(*two)
        ears = [person.views() for person in people]
        turn = next(i for i, ear in enumerate(ears) if next(ear)["choices"])

        def away():
            return people[1 - turn].table["seats"][turn]["away"]

        never(away, 15)  # longer than anybody may be away, and than a report of the other counts
        ears[turn].close()
        assert until(away)
        ears[1 - turn].close()


# Time and phrases


def late(table):
    return [notice for notice in table["notices"] if notice["kind"] == "late"]


def due(table):
    (until,) = [seat["until"] for seat in table["clock"]["times"] if seat["until"]]
    return until


def test_exactly_one_process_says_that_somebodys_time_is_up(two):
    tables = [sat(two[i % 2], two[i % 2], clock=HURRIED)[0] for i in range(4)]
    for one in tables:
        until(lambda one=one: late(one.table))
        both = [via(one, server) for server in two]
        until(lambda both=both: len({here.table["number"] for here in both}) == 1)
        table = one.table
        assert all(seat["missed"] <= 2 for seat in table["clock"]["times"])
        said = [(notice["after"], notice["seat"]) for notice in late(table)]
        assert len(said) == len(set(said)), "nobody is late twice for the same turn"


def test_when_a_process_dies_the_other_keeps_the_time(shared, tmp_path):
    with together(2, tmp_path, db=shared) as two:
        tables = [via(sat(two[0], two[0], clock=HURRIED)[0], two[1]) for _ in range(6)]
        two[0].kill()
        for one in tables:
            assert until(lambda one=one: late(one.table))


def silence(database):
    """For how many milliseconds no process has given a sign of life."""
    house = connected(database)
    asked = "SELECT extract(epoch FROM clock_timestamp()) * 1000 - open_at FROM house"
    with house.engine.connect() as disk:
        passed = disk.scalar(sa.text(asked))
    house.engine.dispose()
    return passed


@pytest.mark.wide
def test_the_house_is_closed_only_while_no_process_runs(shared, tmp_path):
    with together(2, tmp_path, db=shared) as two:
        people = sat(*two, clock=BY_DAYS)
        before = due(people[0].table)
        two[0].kill()
        never(lambda: due(people[1].table) != before, 4)  # longer than the silence that would count
        two[1].kill()
        until(lambda: silence(shared) > 5000)
        for server in two:
            server.start()
        after = [due(person.table) for person in people]
        assert 5000 < after[0] - before == after[1] - before < 60_000


def test_a_phrase_is_heard_by_those_who_listen_at_another_process(two):
    ann, ben = sat(*two, you="Ann")
    lines = ben.lines(phrases="true")
    next(line for line in lines if line.startswith("data"))
    assert ann.do("phrases", phrase=3).status_code == 200
    told = '{"seat":1,"name":"Ann","text":"Well played"}'
    assert next(line for line in lines if "Well played" in line) == f"data: {told}"
    lines.close()
    again = via(ann, two[1]).do("phrases", phrase=1)
    assert again.status_code == 429, "one phrase in five seconds, wherever it is said"


def test_play_goes_on_by_itself_after_postgresql_has_crashed(two, postgres):
    people = sat(*two)
    who, _ = whose(people)
    before = [person.table for person in people]
    table = who.table
    choice = table["choices"][0]["text"], table["number"]
    ears = [via(person, two[1 - i]).views() for i, person in enumerate(people)]
    assert [next(ear) for ear in ears] == before
    postgres.stop("immediate")
    try:
        answer = who.choose(*choice)
        assert answer.status_code == 503
        assert answer.headers["retry-after"]
        assert [person.table for person in people] == before, "open tables are shown"
        for server in two:
            assert server.asked(f"/t/{who.key}") == 200
            assert server.asked("/") == 503
            assert server.asked(f"/api/games/{'x' * 22}") == 503
    finally:
        postgres.start()
    until(lambda: who.choose(*choice).status_code == 200)
    for server in two:
        assert via(who, server).choose(*choice).status_code == 409, "it was made once"
    for ear in ears:
        assert next(ear)["number"] > choice[1], "streams have lived on"
        ear.close()
