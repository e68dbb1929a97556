"""Every form is answered with a redirect, so that whoever goes back sends nothing again."""

import re
from html.parser import HTMLParser

import pytest

from .conftest import offering_all, opened
from .devices import Device
from .people import SS
from .test_cross_site import LESSONS, filled, posts

HOST = "/host/"  # without the key nothing is there; see test_host.py
BY_SCRIPTS = {"/me/push"}
"""It takes JSON, which no form sends."""
ODD = {
    "seat": "99",
    "at": "x",
    "you": "a,b",
    "choice": "<b>",
    "address": "x",
    "code": "x",
    "url": "x",
}
PATHS = ["/", "/me", "/me/guests", "/me/take", "/me/lost", f"/learn/{SS}/1-one-house"]


class Forms(HTMLParser):
    """The forms of a page that are sent by POST, with their hidden fields and first buttons."""

    def __init__(self, page):
        super().__init__()
        self.found, self.by_id, self.open = [], {}, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "form" and named.get("method") == "post":
            self.open = (named["action"], {})
            self.found.append(self.open)
            self.by_id[named.get("id")] = self.open
        form = self.by_id.get(named["form"]) if "form" in named else self.open
        if form and tag in ("input", "button") and named.get("name"):
            form[1].setdefault(named["name"], named.get("value", ""))

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A house with everything that can be offered."""
    settings = offering_all(tmp_path_factory.mktemp("house"))
    with opened(settings, raise_server_exceptions=False) as client:
        yield client


def redirected(answer, at):
    """The answer is a redirect to a page of ours that can be looked at."""
    assert answer.status_code == 303, (
        f"{at} answers {answer.status_code}, a page that answers a POST"
    )
    assert answer.headers["location"].startswith("/"), at


@pytest.mark.parametrize("fields", [{}, ODD], ids=["nothing", "nonsense"])
def test_every_address_that_takes_a_form_answers_with_a_redirect(client, fields):
    checked = set()
    for path in posts(client):
        if path.startswith(("/api", HOST)) or path in BY_SCRIPTS:
            continue
        ann = Device(client, name="")
        key = Device(client).open()
        at = filled(path, "1-one-house" if path.startswith(LESSONS) else key)
        data = {"csrf": ann.csrf(), **fields}
        answer = ann.ask("POST", at, data=data, told=False)
        if path.startswith("/stop/"):
            assert answer.status_code == 404, (
                "a link that is not ours: whoever holds one needs no cookie"
            )
            continue
        redirected(answer, path)
        page = ann.get(answer.headers["location"])
        assert page.headers["content-type"].startswith("text/html"), path
        assert page.status_code < 500 or path == "/me/mail", path
        checked.add(path)
    assert len(checked) > 25


def test_every_form_on_every_page_answers_with_a_redirect(client):
    ann = Device(client)
    key, sent = ann.open(), set()
    code = Device(client).code()
    for at in [f"/t/{key}", *PATHS, "/name?to=/open", f"/me/take?code={code}"]:
        for action, fields in Forms(ann.get(at).text).found:
            if action in {"/me/forget", "/me/end"}:
                continue  # after which nobody is known here
            answer = ann.ask("POST", action, data={"you": "Ann", **fields}, told=False)
            redirected(answer, f"{at}: {action}")
            sent.add(re.sub(r"[\w-]{22}", "KEY", action))
    assert len(sent) > 15, sorted(sent)


def test_a_refusal_is_told_once_on_the_page_it_leads_to(client):
    ann = Device(client)
    key = ann.open()
    answer = ann.ask("POST", f"/t/{key}/name", data={"csrf": ann.csrf(), "you": "a,b"}, told=False)
    told = answer.headers["location"]
    assert told.startswith(f"/t/{key}?said=")
    page = ann.get(told)
    assert page.status_code == 422
    assert "is no name" in page.text
    for other in (Device(client), Device(client, name="")):
        assert "is no name" not in other.get(told).text, "said to whoever sent the form"
    forged = told.replace("422", "500").replace("name", "nonsense")
    assert ann.get(forged).status_code == 200
    assert "nonsense" not in ann.get(forged).text


def test_a_refusal_of_before_is_not_told_any_more(client, monkeypatch):
    ann = Device(client)
    key = ann.open()
    answer = ann.ask("POST", f"/t/{key}/name", data={"csrf": ann.csrf(), "you": "a,b"}, told=False)
    monkeypatch.setattr("yegg.table.http.form_answers.LASTS", -1)
    assert ann.get(answer.headers["location"]).status_code == 200
    assert ann.get("/refused?said=1.422.x.nonsense").headers["location"] == "/"


def test_a_form_that_is_too_old_is_answered_so_too(client):
    ann = Device(client)
    key = ann.open()
    for cookies in ({}, {"yegg": "x.y"}, ann.cookies):
        eve = Device(client)
        eve.cookies = dict(cookies)
        answer = eve.ask("POST", f"/t/{key}/undo", data={"csrf": "0" * 32}, told=False)
        redirected(answer, cookies)
        assert eve.get(answer.headers["location"]).status_code in (401, 403)
    head = {"Sec-Fetch-Site": "cross-site"}
    answer = ann.ask("POST", f"/t/{key}/undo", data={"csrf": ann.csrf()}, headers=head)
    assert answer.status_code == 403, "another site's page leads nowhere"


def test_a_code_is_shown_to_its_owner_only(client):
    ann, eve = Device(client), Device(client)
    ann.open()
    answer = ann.post("/me/code")
    assert ann.get(answer.headers["location"]).status_code == 200
    assert eve.get(answer.headers["location"]).status_code == 404


def test_a_mail_program_that_ends_letters_is_not_redirected(client):
    notifier = client.app.state.notifier
    path = f"/stop/{notifier.mark('stop', 7)}"
    assert (
        client.post(
            path, data={"List-Unsubscribe": "One-Click"}, follow_redirects=False
        ).status_code
        == 200
    )
    redirected(client.post(path, follow_redirects=False), path)
    assert "No more letters come" in client.get(path).text
