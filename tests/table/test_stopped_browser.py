"""Two processes behind nginx, one of which stands still: a page goes on at the other one."""

import os
import signal

import chromium
import httpx
import pytest

from .browsing import FLAGS, number, still, until
from .test_nginx import NAME, behind  # noqa: F401  a fixture

pytestmark = [pytest.mark.browser, pytest.mark.wide]


@pytest.fixture
def watcher(behind, browser):  # noqa: F811
    """A page at the address of both processes, and these."""
    front, servers = behind
    flags = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=chromium.program(), args=flags)
    base = f"https://{NAME}:{front.port}"
    context = other.new_context(ignore_https_errors=True, reduced_motion="reduce", base_url=base)
    yield context.new_page(), servers
    other.close()


@pytest.mark.parametrize("stopped", [0, 1])
def test_a_page_goes_on_within_25_seconds_after_a_process_stood_still(watcher, stopped):
    page, servers = watcher
    lives = httpx.Client(base_url=f"{servers[1 - stopped].base}/api/games", timeout=20)
    wish = {"game": "second-story", "seats": ["me", "open"]}
    opened = lives.post("", json=wish).raise_for_status().json()
    key, token = opened["id"], opened["token"]
    page.goto(f"/t/{key}")
    page.wait_for_selector("#live .table")
    page.wait_for_load_state()
    still(page)
    os.kill(servers[stopped].process.pid, signal.SIGSTOP)
    try:
        head = {"Authorization": f"Bearer {token}"}
        said = lives.post(f"/{key}/name", json={"you": "Ann"}, headers=head)
        new = said.raise_for_status().json()["number"]
        page.set_default_timeout(25_000)
        until(page, new)
        assert number(page) == new
    finally:
        os.kill(servers[stopped].process.pid, signal.SIGCONT)
        lives.close()
