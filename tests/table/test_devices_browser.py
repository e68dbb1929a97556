"""Devices in a real browser: a seat and everything else go to a phone, with and without scripts."""

import pytest

from .browsing import there
from .page_checks import found, shot
from .serving import free_port, running

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scripts", [False, pytest.param(True, marks=pytest.mark.wide)])
def test_everything_goes_to_a_phone(visitor, scripts):
    laptop = visitor(called="Ann", java_script_enabled=scripts)
    phone = visitor("phone", called="", java_script_enabled=scripts)
    laptop.goto("/")
    laptop.click("text=New table >> nth=0")
    laptop.click("text=Open the table")
    there(laptop)
    table = laptop.url
    laptop.goto("/me")
    laptop.click("text=Take everything to another device")
    code = laptop.inner_text(".big b")
    shot(laptop, f"code-{scripts}")
    phone.goto("/")
    phone.click("text=You >> nth=0")
    phone.click("text=I have a code")
    phone.fill("[name=code]", code.lower())
    phone.click("text=Go on")
    phone.wait_for_selector("main:has-text('Take everything of Ann to this device?')")
    shot(phone, f"take-{scripts}")
    phone.fill("[name=device]", "My phone")
    phone.click("text=Yes, take it")
    phone.wait_for_selector("main:has-text('My phone, this device')")
    phone.wait_for_load_state()
    assert phone.input_value("[name=you]") == "Ann"
    phone.goto(table)
    assert "Waiting for" in phone.inner_text("#now")
    assert not phone.query_selector("form.join")
    laptop.goto("/me")
    gone = laptop.locator("li", has_text="My phone")
    gone.locator("summary").click()
    gone.locator("text=Yes, take it away").click()
    gone.wait_for(state="detached")
    laptop.wait_for_load_state()
    assert "My phone" not in laptop.inner_text("main")
    phone.goto("/me")
    assert "My phone" not in phone.inner_text("main")
    phone.goto(table)
    assert phone.query_selector("form.join"), "now it is a stranger's"


@pytest.fixture(scope="module")
def telling(tmp_path_factory):
    """A server that offers every way of being told."""
    ways = ["--address", "http://localhost/", "--push", "--hooks"]
    ways += ["--mail", f"smtp://localhost:{free_port()}", "--mail-from", "table@house.example"]
    with running(tmp_path_factory.mktemp("telling"), *ways) as server:
        yield server


@pytest.mark.wide
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("light", ["dark", "light"])
def test_these_pages_are_for_everybody(visitor, telling, size, light):
    page = visitor(size, at=telling, color_scheme=light)
    for path in ("/me", "/me/take", "/me/lost", "/you"):
        page.goto(path)
        assert not found(page, f"{path}-{size}-{light}")
        wide = "() => document.documentElement.scrollWidth <= innerWidth"
        assert page.evaluate(wide), "nothing is cut off"
        shot(page, f"{path.strip('/').replace('/', '-')}-{size}-{light}")
    page.goto("/me")
    page.click("text=Take everything to another device")
    assert not found(page, f"code-{size}-{light}")


@pytest.mark.wide
def test_the_button_stands_only_where_the_browser_can(visitor, telling):
    page = visitor(at=telling)
    page.goto("/me")
    assert page.is_visible("text=Tell me in this browser"), "localhost is trusted"
    poor = visitor(at=telling)
    poor.add_init_script("delete window.PushManager")
    poor.goto("/me")
    assert poor.is_hidden("text=Tell me in this browser")
    bare = visitor(at=telling, java_script_enabled=False)
    bare.goto("/me")
    assert bare.is_hidden("text=Tell me in this browser")


@pytest.mark.wide
def test_the_worker_shows_what_it_is_told_and_leads_nowhere_else(visitor, telling):
    how = {"permissions": ["notifications"], "service_workers": "allow"}
    page = visitor(at=telling, **how)
    with page.context.expect_event("serviceworker") as came:
        page.goto("/me")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    worker = came.value
    # A browser without a window shows no notifications, so what would be shown is written down.
    shown = worker.evaluate("""() => new Promise((done) => {
        registration.showNotification = async (title, how) => done([title, how.body, how.data]);
        const note = { title: "Your turn", body: "x", link: "t/abc" };
        dispatchEvent(new PushEvent("push", { data: JSON.stringify(note) }));
        setTimeout(() => done([]), 30_000);
    })""")
    assert shown == ["Your turn", "x", "t/abc"]
