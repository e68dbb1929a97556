"""Whoever goes back in the browser sees a page of ours, wherever a form has led."""

import pytest

from .browsing import there

pytestmark = pytest.mark.browser


def test_back_from_one_s_first_table_leads_to_the_lobby(visitor):
    page = visitor(called="")
    page.goto("/")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector(".ask")
    page.fill(".ask input[name=you]", "a,b")
    page.click(".ask button")
    page.wait_for_selector(".ask .said")
    page.fill(".ask input[name=you]", "Ann")
    page.click(".ask button")
    there(page)
    seen = []
    for _ in range(3):
        answer = page.go_back()
        assert answer is not None, "a page, and not the question whether to send a form again"
        assert answer.request.method == "GET"
        seen.append(page.url.removeprefix(page.server.base).partition("?")[0])
    assert seen[-1] == "/"
    assert set(seen) <= {"/", "/name"}
