"""What those who look after a server are told: live, ready, figures, and what to alert on."""

import math
import re
import shutil
import subprocess
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from waiting import until

from yegg.engine import Refused
from yegg.table import metrics
from yegg.table.settings import Settings

from .people import Player
from .serving import Served, body_of, exchanged, raw_request, running, statuses

ALERTS = Path(__file__).parents[2] / "deploy" / "alerts.yml"


def figure(client, name):
    found = re.search(rf"^{name}(?:{{.*}})? (\S+)$", client.get("/metrics").text, re.MULTILINE)
    assert found, f"there is no {name}"
    return float(found[1])


def test_a_well_server_is_live_and_ready(client):
    assert client.get("/live").json() == {"live": True}
    assert client.get("/ready").json() == {"ready": True, "why": ""}
    assert figure(client, "yegg_database_up") == 1
    assert figure(client, "yegg_disk_free_bytes") > 0


def test_a_database_elsewhere_raises_no_alarm_about_the_disk_here(client, monkeypatch):
    database = client.app.state.registry.store.database
    monkeypatch.setattr(database, "free", lambda: None)
    assert math.isnan(figure(client, "yegg_disk_free_bytes"))


def test_a_server_whose_database_is_broken_is_live_but_not_ready(fresh, client):
    store = client.app.state.registry.store
    with store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE house RENAME TO gone"))
    assert client.get("/live").status_code == 200
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "why": "the database does not answer"}
    assert figure(client, "yegg_database_up") == 0


def test_an_error_of_the_server_is_counted_and_shows_no_traceback(fresh, client, monkeypatch):
    before = figure(client, "yegg_broken_total")

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr("yegg.table.http.routes.api.lists", fail)
    client.app.debug = False
    answer = client.get("/api/lobby")
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert "RuntimeError" not in answer.text
    assert figure(client, "yegg_broken_total") == before + 1


def test_every_figure_that_an_alert_asks_for_is_there(client):
    page = client.get("/metrics").text
    there = set(re.findall(r"^# TYPE (\w+) ", page, re.MULTILINE))
    asked = set(re.findall(r"\byegg_\w+", ALERTS.read_text()))
    assert len(asked) > 6
    named = {re.sub("_bucket$", "", name) for name in asked}
    assert named <= there | {f"{name}_total" for name in there}


@pytest.mark.wide
def test_the_alerts_are_rules_that_prometheus_takes():
    if not shutil.which("promtool"):
        pytest.skip("no promtool here: apt-get install prometheus gets it")
    done = subprocess.run(
        ["promtool", "check", "rules", ALERTS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10 rules found" in done.stdout


# Who may ask for it ------------------------------------------------------------------------

ASKED = ("/metrics", "/health", "/live", "/ready")
SPELLINGS = [
    *("{}/", "/{}", "//{}", "{}//", "{}?x", "{}?x=1", "{}%2f", "{}%2F/", "/%2f{}", "/.{}"),
    *("/x/..{}", "{}/.", "{}/x/..", "{};x", "{}%20", "{}%00", "{}%0a", "{}.", "{}\\"),
]
SAME = ["{}", "{}?", "{}#x"]  # what arrives is the path alone
FORWARDED = [
    {"X-Forwarded-For": "127.0.0.1"},
    {"X-Forwarded-For": "203.0.113.7"},
    {"X-Forwarded-Proto": "https"},
    {"X-Forwarded-Host": "localhost"},
    {"X-Real-IP": "127.0.0.1"},
    {"Forwarded": "for=127.0.0.1"},
    {"Via": "1.1 proxy"},
]


def asked(server, target, head=None, own="127.0.0.1"):
    """The status and the body of an answer to a request whose target is sent as it is."""
    heard = exchanged(server.port, raw_request("GET", target, (head or {}).items()), own)
    return statuses(heard)[0], body_of(heard)


def spelt(path):
    """Other ways to write a path."""
    yield from (spelling.format(path) for spelling in SPELLINGS)
    yield f"/%{ord(path[1]):x}{path[2:]}"
    yield path.upper()


@pytest.mark.parametrize("path", ASKED)
def test_figures_have_one_spelling(served, path):
    assert {asked(served, same.format(path))[0] for same in SAME} == {200}
    other = {target: asked(served, target)[0] for target in spelt(path)}
    assert len(other) > 20
    assert set(other.values()) <= {400, 404}, other


@pytest.mark.parametrize("path", ASKED)
def test_figures_are_for_whoever_asks_without_a_proxy(served, path):
    for head in FORWARDED:
        for target in (*spelt(path), *(same.format(path) for same in SAME)):
            status, body = asked(served, target, head)
            assert status in (400, 403, 404), (target, head)
            assert "yegg_" not in body
        assert asked(served, path, head)[0] == 403
    assert asked(served, path, own="127.0.0.7")[0] == 403
    assert "--metrics-from" in asked(served, path, own="127.0.0.7")[1]


@pytest.mark.wide
def test_the_house_says_who_may_ask_for_figures(tmp_path):
    more = ["--metrics-from", "127.0.0.7", "--metrics-from", "127.0.1.0/24"]
    server = Served(tmp_path, *more)
    server.open()
    try:
        until(lambda: listens(server))
        for own, status in [("127.0.0.7", 200), ("127.0.1.9", 200), ("127.0.0.1", 403)]:
            assert asked(server, "/metrics", own=own)[0] == status, own
        assert asked(server, "/metrics", {"X-Forwarded-For": "127.0.0.7"})[0] == 403
    finally:
        server.close()


def listens(server):
    with suppress(OSError):
        return asked(server, "/live", own="127.0.0.7")[0] == 200


@pytest.mark.parametrize("said", ["me", "127.0.0.1:80", "10.0.0.0/33", ""])
def test_who_may_ask_is_an_address_or_a_network(said):
    with pytest.raises(Refused, match=r"as 192\.0\.2\.7 or 192\.0\.2\.0/24"):
        Settings(metrics_from=(said,))


# What may be known from it -----------------------------------------------------------------


@pytest.mark.wide
def test_nothing_at_figures_follows_from_what_one_table_hides(tmp_path):
    """Bots write their points and orders in secret: whether they think, and how often."""
    with running(tmp_path) as server:
        before = told_of_play(server.client)
        ann, ben = Player(server.client), Player(server.client)
        ann.open("secrets", ["me", "open", "uniform"])
        ben.join(ann.key)
        for _ in range(8):
            assert any(person.act() for person in (ann, ben))
            assert ann.choose("nonsense").status_code == 422
            assert told_of_play(server.client) == before


def told_of_play(client):
    """Everything at /metrics but what has to be told at once, and measures of the process."""
    lines = client.get("/metrics").text.splitlines()
    told = [line for line in lines if not line.startswith("#")]
    at_once = "yegg_(streams|rooms|late_seconds|disk|database|games)|process_|python_"
    return [line for line in told if not re.match(at_once, line) or "_cpu_" in line]


def test_what_grows_with_play_is_told_in_steps(monkeypatch):
    monkeypatch.setattr(metrics, "STEP", 10)
    registry = CollectorRegistry()
    done = Counter("done", "Things done", ["kind"], registry=registry)
    took = Histogram("took", "Seconds", buckets=[1, 2], registry=registry)
    broken = Counter("yegg_broken", "Told at once", registry=registry)
    steps, shown = metrics.Steps(registry), []
    for i in range(200):
        done.labels("ab"[i % 2]).inc()
        took.observe(i % 3)
        broken.inc()
        page = generate_latest(steps).decode()
        shown.append([figures(page, name) for name in ("done_total", "took_count", "took_bucket")])
        assert figures(page, "yegg_broken_total") == [i + 1]
    assert not any(shown[8]), "not even which kinds there are"
    for dones, counts, buckets in shown[20:]:
        assert sum(dones) >= 10
        assert counts == [buckets[-1]]
        assert buckets == sorted(buckets)
    sums = [sum(dones) for dones, _, _ in shown]
    steps = [later - sooner for sooner, later in pairwise(sorted(set(sums)))]
    assert len(steps) > 5
    assert min(steps) >= 10
    assert len(set(steps)) > 1, "nobody knows beforehand when the next one comes"


def figures(page, name):
    return [float(found) for found in re.findall(rf"(?m)^{name}(?:{{.*}})? (\S+)$", page)]
