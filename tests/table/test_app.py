"""The table as an app, as the server says it: manifest, worker, and which pages may be kept."""

import json
import re

import pytest

from yegg import games
from yegg.table.http.responses import KEEP, WHOSE
from yegg.table.render import app_files, static_files

from .devices import Device
from .people import SS, finish

PUBLIC = ["/offline", f"/rules/{SS}", f"/learn/{SS}/1-one-house"]


def test_the_policy_allows_a_manifest_and_a_worker_of_our_own_and_no_more(client):
    policy = client.get("/").headers["content-security-policy"].split("; ")
    assert "manifest-src 'self'" in policy
    assert "worker-src 'self'" in policy
    assert len(policy) == 10


def test_every_page_names_the_manifest_and_its_icons_are_there(client):
    page = client.get("/").text
    manifest = client.get(re.search(r'rel="manifest" href="([^"]+)"', page)[1])
    assert manifest.headers["content-type"] == "application/manifest+json"
    said = manifest.json()
    assert (said["start_url"], said["scope"], said["display"]) == ("/", "/", "standalone")
    for icon in said["icons"]:
        answer = client.get(icon["src"])
        assert (answer.status_code, answer.headers["content-type"]) == (200, icon["type"])
    assert {icon["purpose"] for icon in said["icons"]} == {"any", "maskable"}


def test_the_worker_knows_all_files_and_another_version_is_another_worker(client, monkeypatch):
    answer = client.get("/worker.js")
    assert answer.headers["cache-control"] == "no-cache"
    kept = json.loads(answer.text.partition("\n")[0].removeprefix("const KEPT = ").rstrip(";"))
    assert len(kept["files"]) == len(static_files.files())
    for address in (*kept["pages"], kept["files"][0]):
        assert client.get(address).status_code == 200
    assert {f"/rules/{name}" for name in games.names()} < set(kept["pages"])
    app_files.version.cache_clear()
    monkeypatch.setattr("yegg.__version__", "another")
    assert app_files.version() != kept["version"]
    app_files.version.cache_clear()


@pytest.mark.parametrize("path", PUBLIC)
def test_what_all_browsers_keep_says_nothing_of_whoever_asks(client, path):
    ann = Device(client, name="Ann Arbor")
    ann.open()
    assert ann.get(path).status_code == 200
    bare = re.compile(r'(name="csrf" (content|value)=|name="salt"[^>]*value=)"[^"]*"')
    client.cookies.clear()
    one, other = (
        bare.sub("", client.get(path).text) for _ in range(2) if not client.cookies.clear()
    )
    assert one == other
    assert "Ann" not in one


def test_only_one_s_own_finished_game_may_be_kept(party, client):
    people = party(SS, 2, options={"chips": "3"})
    key, devices = people[0].key, [Device(client), Device(client), Device(client)]
    for device, person in zip(devices, people, strict=False):
        device.cookies["yegg"] = person.token
    ann, _, stranger = devices
    stranger.get("/")
    assert KEEP not in ann.get(f"/t/{key}").headers, "the game goes on"
    finish(people)
    pages = [f"/t/{key}", f"/t/{key}/at/3", f"/t/{key}/marks"]
    whose = {device.get(path).headers[WHOSE] for device in devices[:2] for path in pages}
    assert len(whose) == 2, "one mark for each of them"
    assert {ann.get(path).headers[KEEP] for path in pages} == {"own"}
    for path in (*pages, "/", "/me", f"/t/{key}/now", f"/t/{key}/record"):
        assert KEEP not in stranger.get(path).headers
    for path in (f"/t/{key}?eyes=2", f"/t/{key}?at=3", f"/t/{key}/at/3?eyes=2", "/", "/me"):
        assert KEEP not in ann.get(path).headers, path


def test_every_page_for_somebody_says_whose_browser_it_is(client):
    ann, ben = Device(client, name="Ann"), Device(client, name="Ben")
    key = ann.open()
    ben.get("/")
    said = [
        {device.get(path).headers[WHOSE] for path in ("/", "/me", f"/t/{key}")}
        for device in (ann, ben)
    ]
    assert [len(one) for one in said] == [1, 1]
    assert said[0] != said[1]
    assert ann.get("/forgotten").headers[WHOSE] == ""
