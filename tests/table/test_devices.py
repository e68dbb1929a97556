"""One person, several devices, no password."""

import threading

import pytest
import sqlalchemy as sa
from litestar.testing import TestClient
from waiting import until

from yegg.table.accounts import devices
from yegg.table.accounts.tokens import digest, new_token
from yegg.table.app import application
from yegg.table.settings import Settings
from yegg.table.storage.schema import codes as kept_codes
from yegg.table.storage.schema import keys
from yegg.table.storage.uptime import here

from .devices import Device


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """One house for all of these tests: everybody in them is somebody new."""
    db = f"sqlite:///{tmp_path_factory.mktemp('house')}/t.db"
    return Settings(db=db, limits=False, pace=0.0, hosts=("testserver.local",), warm=False)


@pytest.fixture(scope="module")
def client(settings):
    with TestClient(application(settings), base_url="http://testserver.local") as client:
        yield client


@pytest.fixture
def device(client):
    return lambda **how: Device(client, **how)


@pytest.fixture
def registry(client):
    return client.app.state.registry


def test_a_code_takes_everything_to_another_device_once(device):
    laptop, phone, other = device(), device(agent="iPhone Safari/1"), device()
    key = laptop.open()
    assert laptop.seat(key) == 1
    assert phone.seat(key) is None
    code = laptop.code()
    shown = phone.get(f"/me/take?code={code.lower()}")
    assert "Take everything of Ann to this device?" in shown.text
    assert phone.seat(key) is None, "looking takes nothing"
    assert phone.post("/me/take", code=code, device="My phone").status_code == 303
    assert phone.seat(key) == laptop.seat(key) == 1
    assert other.post("/me/take", code=code).status_code == 404
    assert [name for name, *_ in laptop.devices()] == ["Firefox on Linux, this device", "My phone"]
    assert phone.post(f"/t/{key}/name", you="Annie").status_code == 303


def test_a_device_that_is_taken_away_is_nobody_at_once_and_begins_anew(device, registry):
    laptop, phone = device(), device()
    key = laptop.open()
    phone.post("/me/take", code=laptop.code(), device="Phone")
    stolen = dict(phone.cookies)
    csrf = phone.csrf()
    (found,) = [keys for name, _, *keys in laptop.devices() if name == "Phone"]
    assert laptop.post("/me/end", key=found[0], game=found[1]).status_code == 303
    late = phone.ask("POST", f"/t/{key}/leave", data={"csrf": csrf})
    assert late.status_code == 403
    assert "taken away" in late.text
    assert phone.seat(key) is None
    assert phone.get("/").status_code == 200
    assert phone.cookies["yegg"] != stolen["yegg"], "a fresh person"
    assert laptop.seat(key) == 1
    token = registry.signer.token(stolen["yegg"])
    head = {"Authorization": f"Bearer {token}"}
    assert phone.ask("GET", f"/api/games/{key}", headers=head).status_code == 401
    for path in f"/api/games/{key}/choices", f"/api/games/{key}/undo":
        body = {"choice": "stop", "after": 0}
        assert phone.ask("POST", path, headers=head, json=body).status_code == 401


def test_the_first_device_can_be_taken_away_from_the_second(device):
    laptop, phone = device(), device()
    key = laptop.open()
    phone.post("/me/take", code=laptop.code())
    (first,) = [k for name, _, *k in phone.devices() if "this device" not in name]
    assert phone.post("/me/end", key=first[0], game=first[1]).status_code == 303
    assert laptop.seat(key) is None
    assert phone.seat(key) == 1


def test_nobody_takes_away_what_is_another_persons(device):
    ann, bill, mallory = device(), device(), device()
    key = ann.open()
    bill.post("/me/take", code=ann.code())
    mallory.code()
    for _, _, *found in ann.devices():
        answer = mallory.post("/me/end", key=found[0], game=found[1])
        assert answer.status_code == 404
    for strange in ("", "x" * 64, "0" * 64, "0" * 65):
        assert mallory.post("/me/end", key=strange, game="0").status_code == 404
        assert mallory.post("/me/end", key="0" * 64, game=strange or "-1").status_code == 404
    assert ann.seat(key) == bill.seat(key) == 1


def test_a_cookie_from_before_there_were_devices_stays_good(device, registry):
    old = device()
    token = new_token()
    old.cookies["yegg"] = registry.signer.signed(token)
    key = old.open()
    assert registry.tables[key].now.seats[0].person == digest(token)
    assert [said for _, said, *_ in old.devices()] == ["everything that is yours"]


def test_a_code_for_one_seat_takes_nothing_else(device):
    ann, tablet = device(), device(name="Bill")
    one, other, own = ann.open(), ann.open(), tablet.open()
    code = ann.code(f"/t/{one}/code")
    assert "Ann's seat" in tablet.get(f"/me/take?code={code}").text.replace("&#39;", "'")
    assert tablet.post("/me/take", code=code).headers["location"] == f"/t/{one}"
    assert (tablet.seat(one), tablet.seat(other), tablet.seat(own)) == (1, None, 1)
    assert tablet.post(f"/t/{one}/name", you="Anna").status_code == 303
    assert ann.seat(own) is None
    assert len(tablet.devices()) == 1, "what Ann has is none of Bill's business"
    (seat,) = [keys for _, said, *keys in ann.devices() if "one seat only" in said]
    assert ann.post("/me/end", key=seat[0], game=seat[1]).status_code == 303
    assert (tablet.seat(one), tablet.seat(own)) == (None, 1)
    assert tablet.post("/me/take", code=ann.code(f"/t/{one}/code")).status_code == 303
    assert tablet.seat(one) == 1, "it can be given again"


def test_who_has_another_seat_there_does_not_get_one_by_a_code(device):
    ann, bill, stranger = device(), device(), device()
    key = ann.open()
    assert bill.post(f"/t/{key}/join", you="Bill", seat="2").status_code == 303
    assert bill.post("/me/take", code=ann.code(f"/t/{key}/code")).status_code == 409
    assert bill.seat(key) == 2
    assert stranger.post(f"/t/{key}/code").status_code == 401


def test_a_code_is_good_for_ten_minutes(device, registry):
    ann, phone = device(), device()
    code = ann.code()
    with registry.store.engine.begin() as connection:
        past = here() - 1
        connection.execute(sa.update(kept_codes).values(until=past))
    assert phone.get(f"/me/take?code={code}").status_code == 404
    assert phone.post("/me/take", code=code).status_code == 404


def test_of_many_devices_with_the_same_code_one_gets_it(device, registry):
    ann = device()
    code = devices.plain(ann.code())
    taken, ready = [], threading.Barrier(8)

    def race(i):
        ready.wait()
        with registry.store.engine.begin() as connection:
            taken.append(devices.take(connection, lambda _: None, code, f"phone {i}"))

    racers = [threading.Thread(target=race, args=[i]) for i in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert len([one for one in taken if one]) == 1


NO_CODES = ["", "0" * 10, "7KMQ2-XR4T", "7KMQ2-XR4TPP", "7KMQ2\nXR4TP\n", "é" * 10, "7kmq2-xr4t\0"]


def test_what_is_no_code_is_refused(device):
    phone = device()
    for typed in [*NO_CODES, "x" * 9000]:
        assert phone.post("/me/take", code=typed).status_code in (404, 413), typed


def test_guesses_are_few(device, client, monkeypatch):
    monkeypatch.setattr(client.app.state.limits, "on", True)
    phone = device()
    said = [phone.get(f"/me/take?code=7KMQ2-XR4T{c}").status_code for c in "23456789ABCDEF"]
    assert said[:10] == [404] * 10
    assert set(said[10:]) == {429}
    assert phone.get("/me").status_code == 200


def test_nothing_on_disk_opens_anything(device, registry):
    ann, phone = device(), device()
    code = ann.code()
    phone.post("/me/take", code=code)
    token = registry.signer.token(phone.cookies["yegg"])
    with registry.store.engine.connect() as connection:
        rows = [*connection.execute(sa.select(keys)), *connection.execute(sa.select(kept_codes))]
    assert token not in str(rows)
    assert devices.plain(code) not in str(rows)


@pytest.mark.wide
def test_devices_are_still_there_after_a_restart(device, restarted):
    ann, phone = device(), device()
    key = ann.open()
    phone.post("/me/take", code=ann.code())
    seat_of = device()
    seat_of.post("/me/take", code=ann.code(f"/t/{key}/code"))
    (gone,) = [k for name, said, *k in ann.devices() if "one seat only" in said]
    ann.post("/me/end", key=gone[0], game=gone[1])
    restarted(ann, phone, seat_of)
    assert (ann.seat(key), phone.seat(key), seat_of.seat(key)) == (1, 1, None)


def test_a_form_of_one_device_is_no_form_of_another(device):
    ann, phone = device(), device()
    phone.post("/me/take", code=ann.code())
    forged = phone.ask("POST", "/me/code", data={"csrf": ann.csrf()})
    assert forged.status_code == 403


def test_names_of_devices_are_plain_text(device):
    ann, phone = device(), device()
    phone.post("/me/take", code=ann.code(), device="<script>alert(1)</script>\r\n\0 x" + "y" * 90)
    page = ann.get("/me").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; xyyy" in page


def test_a_stream_ends_when_its_device_is_taken_away(device, registry, client):
    ann, phone = device(), device()
    key = ann.open()
    phone.post("/me/take", code=ann.code(), device="Phone")
    got, head = [], {"Authorization": f"Bearer {registry.signer.token(phone.cookies['yegg'])}"}

    def listen():
        with client.stream("GET", f"/api/games/{key}/events", headers=head) as stream:
            got.extend(stream.iter_lines())

    ear = threading.Thread(target=listen)
    ear.start()
    table = registry.tables[key]
    until(lambda: table.watchers)
    (found,) = [keys for name, _, *keys in ann.devices() if name == "Phone"]
    ann.post("/me/end", key=found[0], game=found[1])
    ear.join(100)
    assert not ear.is_alive()
    assert not table.watchers
