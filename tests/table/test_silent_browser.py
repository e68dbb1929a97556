"""A page whose stream falls silent without ending asks for news itself, and listens anew."""

import random

import pytest

from .browsing import bots, may_act, number, press, still, until
from .silence import Front

pytestmark = pytest.mark.browser


def test_a_page_goes_on_when_its_stream_gives_no_sign_of_life(visitor, server):
    front = Front(server)
    page, dice = visitor(base_url=front.base), random.Random(2)
    page.clock.install()
    bots(page, "second-story")
    may_act(page)
    still(page)
    front.silent = True
    before = number(page)
    with page.expect_response(lambda answer: answer.url.endswith("/choices")) as answer:
        page.locator(".act:not([aria-disabled])").first.click()
    kept = answer.value.json()["number"]
    page.clock.fast_forward(15_000)
    assert number(page) == before < kept, "it may still speak"
    page.clock.fast_forward(6_000)
    until(page, kept)
    assert not page.is_visible("#away")
    front.silent = False
    assert press(page, dice)
    front.close()
