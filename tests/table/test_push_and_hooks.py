"""Notes for browsers and webhooks, taken by a real local server that opens and checks them."""

import base64
import hashlib
import hmac
import json
import re

import pytest

from yegg.table.notifications import push
from yegg.table.storage.uptime import here as clock

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
            "p256dh": push.text(push.point(self.key)),
            "auth": push.text(self.auth),
        }

    def opened(self, body):
        return json.loads(opened(body, self.key, self.auth))


def opened(body, key, auth):
    """What a browser reads in a note: RFC 8188, section 2, and RFC 8291, section 3.4."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, size, server = body[:16], int.from_bytes(body[16:20]), body[21 : 21 + body[20]]
    record = body[21 + body[20] :]
    assert len(record) <= size
    sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), server)
    shared = key.exchange(ec.ECDH(), sender)
    mixed = expand(auth, shared, b"WebPush: info\0" + push.point(key) + server)
    content = expand(salt, mixed, b"Content-Encoding: aes128gcm\0")[:16]
    nonce = expand(salt, mixed, b"Content-Encoding: nonce\0")[:12]
    said, end, _ = AESGCM(content).decrypt(nonce, record, None).rpartition(b"\x02")
    assert end
    return said


def expand(salt, secret, info):
    """The first 32 bytes of HKDF with SHA-256 (RFC 5869), by its own definition."""
    key = hmac.digest(salt, secret, "sha256")
    return hmac.digest(key, info + b"\1", "sha256")


def subscribe(person, said):
    return person.ask("POST", "/me/push", json=said, headers={"X-CSRF-Token": person.csrf()})


def checked(header, public):
    """The claims of a ``vapid t=…,k=…`` header; raises if that key has not signed them."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    said = dict(item.strip().split("=", 1) for item in header.removeprefix("vapid ").split(","))
    assert said["k"] == push.text(push.point(public))
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
    claims = checked(head["authorization"], house.notifier.push_key)
    assert claims["aud"] == outside.base
    assert claims["sub"] == "mailto:table@house.example"
    assert 0 < claims["exp"] - clock() / 1000 <= 86_400
    house.wait(600)
    assert len(outside.got) == 1


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
    """The RFC's own example, sealed and opened: keys, salt and body from its section 5."""
    from cryptography.hazmat.primitives.asymmetric import ec

    def key(digits):
        return ec.derive_private_key(int.from_bytes(push.raw(digits)), ec.SECP256R1())

    browser = key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
    server = key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    auth, salt = push.raw("BTBZMqHH6r4Tts7J_aSIgg"), push.raw("DGv6ra1nlYgDCS1FRnbzlw")
    said = b"When I grow up, I want to be a watermelon"
    body = push.raw(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    keys = {"p256dh": push.text(push.point(browser)), "auth": push.text(auth)}
    assert push.seal(said, keys, server, salt) == body
    assert opened(body, browser, auth) == said


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
