"""What those who look after a server are told: live, ready, figures, and what to alert on."""

import math
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the table needs yegg[table]")

import sqlalchemy as sa

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


def test_a_server_whose_database_is_broken_is_live_but_not_ready(client):
    store = client.app.state.registry.store
    with store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE house RENAME TO gone"))
    assert client.get("/live").status_code == 200
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "why": "the database does not answer"}
    assert figure(client, "yegg_database_up") == 0


def test_an_error_of_the_server_is_counted(client, monkeypatch):
    before = figure(client, "yegg_broken_total")

    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr("yegg.table.http.routes.api.actions.lists", fail)
    client.app.debug = False
    assert client.get("/api/lobby").status_code == 500
    assert figure(client, "yegg_broken_total") == before + 1


def test_every_figure_that_an_alert_asks_for_is_there(client):
    page = client.get("/metrics").text
    there = set(re.findall(r"^# TYPE (\w+) ", page, re.MULTILINE))
    asked = set(re.findall(r"\byegg_\w+", ALERTS.read_text()))
    assert len(asked) > 6
    named = {re.sub("_bucket$", "", name) for name in asked}
    assert named <= there | {f"{name}_total" for name in there}


def test_the_alerts_are_rules_that_prometheus_takes():
    if not shutil.which("promtool"):
        pytest.skip("no promtool here: apt-get install prometheus gets it")
    done = subprocess.run(
        ["promtool", "check", "rules", ALERTS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10 rules found" in done.stdout
