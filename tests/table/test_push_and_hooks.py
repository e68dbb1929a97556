"""Notes for browsers and webhooks, taken by a real local server that opens and checks them."""

import base64
import hashlib
import hmac
import json
import re

import pytest

from yegg.table.devices.codes import now as clock
from yegg.table.telling import push

from .house import HOUSE, awaited, gone

pytest.importorskip("http_ece", reason="Web Push needs yegg[told]")


# Web Push ---------------------------------------------------------------------------------


class Browser:
    """A browser that was subscribed: its keys, and where it is told."""

    def __init__(self, endpoint):
        from cryptography.hazmat.primitives.asymmetric import ec

        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        self.said = {
            "endpoint": endpoint,
            "p256dh": push.public(self.key),
            "auth": push.text(self.auth),
        }

    def opened(self, body):
        import http_ece

        raw = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        return json.loads(raw)


def subscribe(person, said):
    return person.ask("POST", "/me/push", json=said, headers={"X-CSRF-Token": person.csrf()})


def checked(header, public):
    """The claims of a ``vapid t=…,k=…`` header; raises if that key has not signed them."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    said = dict(item.strip().split("=", 1) for item in header.removeprefix("vapid ").split(","))
    assert said["k"] == push.public(public)
    head, claims, mark = said["t"].split(".")
    r, s = (int.from_bytes(part) for part in (push.raw(mark)[:32], push.raw(mark)[32:]))
    signed = f"{head}.{claims}".encode()
    public.public_key().verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
    return json.loads(push.raw(claims))


def test_a_browser_is_told_and_only_it_can_read_it(house, ann, outside):
    browser = Browser(f"{outside.base}/one")
    assert subscribe(ann, browser.said).status_code == 200
    key, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    ((path, head, body),) = outside.got
    assert path == "/one"
    note = browser.opened(body)
    assert note["title"] == f"Your turn: Magnate at {table.name}"
    assert note["link"] == f"t/{key}"
    assert table.name.encode() not in body
    assert (head["content-encoding"], head["ttl"], head["topic"]) == (
        "aes128gcm",
        "172800",
        "turns",
    )
    claims = checked(head["authorization"], house.teller.push_key)
    assert claims["aud"] == outside.base
    assert claims["sub"] == "mailto:table@house.example"
    assert 0 < claims["exp"] - clock() / 1000 <= 86_400
    house.wait(600)
    assert len(outside.got) == 1


@pytest.mark.wide
def test_a_browser_that_is_gone_is_forgotten_and_a_busy_service_asked_again(house, ann, outside):
    for path in ("/gone", "/busy"):
        assert subscribe(ann, Browser(outside.base + path).said).status_code == 200
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    asked = [path for path, *_ in outside.got]
    assert sorted(asked) == ["/busy", "/gone"]
    outside.answers["/busy"] = 201
    for _ in range(30):
        house.wait(10)
    assert [path for path, *_ in outside.got] == [*asked, "/busy"]


NO_BROWSERS = [
    {"endpoint": "https://127.0.0.1:9/x"},
    {"endpoint": "http://push.example/x"},
    {"endpoint": "file:///etc/passwd"},
    {"p256dh": "AAAA"},
    {"p256dh": "B" + "A" * 86},
    {"p256dh": "…"},
    {"auth": "AAAA"},
    {"auth": ""},
    {"endpoint": "https://push.example/" + "x" * 1000},
]


@pytest.mark.wide
def test_what_is_no_browser_is_refused(ann, outside):
    good = Browser(f"{outside.base}/one").said
    for wrong in NO_BROWSERS:
        assert subscribe(ann, {**good, **wrong}).status_code in (400, 422), wrong


@pytest.mark.wide
def test_a_forged_page_subscribes_nobody(ann, outside):
    said = Browser(f"{outside.base}/one").said
    ann.get("/me")
    assert ann.ask("POST", "/me/push", json=said).status_code == 403


def test_the_sealing_is_that_of_rfc_8291():
    """The RFC's own example, opened: keys and body from its appendix."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    private = int.from_bytes(push.raw("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    body = push.raw(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    opened = http_ece.decrypt(
        body,
        private_key=ec.derive_private_key(private, ec.SECP256R1()),
        auth_secret=push.raw("BTBZMqHH6r4Tts7J_aSIgg"),
        version="aes128gcm",
    )
    assert opened == b"When I grow up, I want to be a watermelon"


# Webhooks ---------------------------------------------------------------------------------


def test_a_webhook_is_greeted_then_told_and_signed(house, ann, outside):
    assert ann.post("/me/hook", url=f"{outside.base}/hook").status_code == 303
    key, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    (_, first, hello), (path, head, body) = outside.got
    assert json.loads(hello)["type"] == "hello"
    said = json.loads(body)
    assert path == "/hook"
    assert said["type"] == "turns"
    (turn,) = said["turns"]
    assert (turn["game"], turn["seat"], turn["name"]) == ("magnate", 1, "Ann")
    assert turn["link"] == f"{HOUSE}t/{key}"
    secret = re.search(r"whsec_[\w+/=]+", ann.get("/me").text)[0]
    for heads, raw in ((first, hello), (head, body)):
        mark = f"{heads['webhook-id']}.{heads['webhook-timestamp']}.".encode() + raw
        want = hmac.new(base64.b64decode(secret[6:]), mark, hashlib.sha256).digest()
        assert heads["webhook-signature"] == f"v1,{base64.b64encode(want).decode()}"


@pytest.mark.wide
def test_an_address_that_does_not_greet_back_is_not_kept(ann, outside):
    for n, path in enumerate(("/broken", "/away", "/gone"), 1):
        assert ann.post("/me/hook", url=outside.base + path).status_code == 422
        assert len(outside.got) == n, "no detour is followed"
    assert "whsec" not in ann.get("/me").text


def test_nothing_inside_is_asked_for_a_stranger(ann, outside):
    for url in ("http://127.0.0.1:1/", "https://localhost/", "https://[::1]/", "x"):
        assert ann.post("/me/hook", url=url).status_code == 422, url
    assert not outside.got
