"""Secrets in a real browser: what a player sees first after a turn, and who gives orders."""

import random

import pytest

from .browsing import SIZES, press, there

pytestmark = pytest.mark.browser
NAMES = ("Ann", "Bill")
# Whether the longest result that there is can be read whole in the report.
LONGEST_FITS = """() => {
    const cell = document.querySelector(".report td:last-child");
    cell.innerHTML = '<span class="res good">captured <b>+10</b></span>';
    return cell.scrollWidth <= cell.clientWidth;
}"""


class Friend:
    """Somebody who plays by the API from elsewhere."""

    def __init__(self, request, seed):
        self.request, self.dice, self.headers = request, random.Random(seed), {}

    def post(self, path, **body):
        answer = self.request.post(f"/api/games{path}", data=body, headers=self.headers)
        assert answer.ok, answer.text()
        told = answer.json()
        if told.get("token"):
            self.headers = {"Authorization": f"Bearer {told['token']}"}
        return told

    def orders(self, key):
        while True:
            table = self.request.get(f"/api/games/{key}", headers=self.headers).json()
            if not table["choices"]:
                return
            choice = self.dice.choice(table["choices"])["text"]
            self.post(f"/{key}/choices", choice=choice, after=table["number"])


@pytest.fixture
def seated(visitor):
    """A page whose player sits with two friends, and a function that gives their orders."""

    def sit(size, **options):
        friends = [Friend(visitor().request, seed) for seed in (1, 2)]
        seats = ["me", "open", "open"]
        key = friends[0].post("", game="secrets", seats=seats, you=NAMES[0], options=options)["id"]
        friends[1].post(f"/{key}/join", you=NAMES[1])
        page = visitor(size)
        page.goto(f"/t/{key}")
        page.fill("input[name=you]", "Morgan")
        page.click(".join button")
        page.wait_for_selector("#sheet")
        there(page)
        return page, lambda: [friend.orders(key) for friend in friends]

    return sit


def top(page, wanted):
    """How far from the top of the page something begins."""
    return page.evaluate("q => document.querySelector(q).getBoundingClientRect().y", wanted)


def give_orders(page, dice):
    """All orders of a turn, the policeman's last."""
    while page.evaluate("!!document.querySelector('.goal.ask, .home.due')"):
        press(page, dice, ("guards",))


def test_on_a_phone_the_report_comes_first_and_then_the_next_orders(seated):
    page, others = seated("phone")
    assert page.inner_text(".round") == "Turn 1 of 5"
    assert top(page, "#sheet") < top(page, ".report"), "there is nothing to report yet"
    give_orders(page, random.Random(3))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    others()
    page.wait_for_selector("[data-top='report of turn 1']")
    assert page.evaluate("scrollY") == 0, "the report is in sight, wherever one was before"
    assert page.inner_text(".round") == "Turn 2 of 5"
    places = [top(page, what) for what in ("#now", ".report", "#sheet", ".rivals", ".scores")]
    assert places == sorted(places)
    told = page.inner_text(".report")
    assert all(name in told for name in NAMES)
    assert "Morgan" in told, "who came to one's own secrets"
    page.click("text=To your orders")
    page.wait_for_function("() => document.querySelector('#sheet').getBoundingClientRect().y < 100")
    before = page.evaluate("scrollY")
    press(page, random.Random(1))
    assert abs(page.evaluate("scrollY") - before) < 300, "orders do not lead back to the report"


def test_players_see_which_turn_it_is_beside_their_orders(seated):
    page, others = seated("desktop", turns="2", posts="open")
    assert page.inner_text(".round") == "Turn 1 of 2"
    give_orders(page, random.Random(3))
    others()
    page.wait_for_selector("[data-top='report of turn 1']")
    assert page.inner_text(".round") == "Turn 2 of 2, the last"
    assert "Placing your policeman hands in your orders." in page.inner_text("#live")
    told = page.inner_text(".report")
    assert told.count("stood at") == 3, "posts are open"
    assert told.count("must move") + told.count("may stay") == 3
    assert page.locator(".down").is_hidden()
    for wide in ("desktop", "phone"):
        page.set_viewport_size(dict(zip(("width", "height"), SIZES[wide], strict=True)))
        assert page.evaluate(LONGEST_FITS), wide


def test_who_is_played_by_a_bot_reads_so_and_has_nothing_to_press(seated):
    page, _ = seated("phone")
    press(page, random.Random(3))
    page.wait_for_selector("#back")
    page.click(".menu summary")
    page.select_option("select[name=bot]", "uniform")
    page.click("button:has-text('Hand over')")
    page.wait_for_selector("text=A bot (uniform) is playing for you")
    page.wait_for_selector(".tag.good")
    assert page.inner_text("#now") == "A bot (uniform) is playing for you"
    assert not page.query_selector("#back")
    assert not page.query_selector("#live button[name=choice]")
