"""The lobby with no table, with three, and with sixty, of which some are idle."""

import random
import time
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from yegg import games
from yegg.table.accounts.tokens import digest, new_token
from yegg.table.domain.state import Kind
from yegg.table.storage import schema
from yegg.table.storage.migrate import migrate
from yegg.table.storage.store import connected

from . import on_a_phone
from .browsing import MORE, bots, may_act
from .conftest import a_context, opened_page
from .laid import NAMES, SIGNED
from .page_checks import looked_at
from .serving import running

pytestmark = pytest.mark.browser
DAY = 86_400_000
WAYS = [("desktop", "dark"), ("phone", "light")]


def ways(*few):
    """To look at the lobby in a few ways, and in the long tests in all."""
    every = pytest.param(MORE, id="b", marks=pytest.mark.wide)
    return pytest.mark.parametrize("ways", [pytest.param(few, id="a"), every])


WHO = "somebody"


def lay_open(url, many, idle, mine):
    """So many open tables, the first of them idle for two days; at some a browser's owner sits."""
    database, now, dice = connected(url), time.time_ns() // 1_000_000, random.Random(many)
    migrate(database)
    with database.engine.begin() as disk:
        disk.execute(sa.insert(schema.server).values(secret=SIGNED.secret.decode()))
        for i in range(1, many + 1):
            game = games.find(dice.choice(games.names()))
            seats, at = max(2, game.usual), now - (2 * DAY if i <= idle else i)
            head = {"id": i, "key": new_token(), "game": game.name, "version": game.version}
            head |= {"seats": seats, "options": game.chosen(seats, {}), "name": f"Copper Stair {i}"}
            sits = [
                [dice.choice(NAMES), digest(WHO if seat == 0 and i <= mine else new_token()), None]
                for seat in range(dice.randrange(1, seats))
            ]
            head["people"] = sits + [["", None, None]] * (seats - len(sits))
            disk.execute(sa.insert(schema.games).values(**head, odds=True, listed=True, at=at))
            for seat, (name, person, _) in enumerate(sits):
                where = {"game": i, "number": seat + 1}
                sat = {"actor": seat, "choice": int(Kind.SIT), "at": at}
                who = {"name": name, "person": person}
                disk.execute(sa.insert(schema.events).values(**where, **sat))
                disk.execute(sa.insert(schema.sittings).values(**where, **who))
    database.engine.dispose()


@pytest.fixture
def lobby(tmp_path, browser):
    """The lobby of a server with so many tables."""
    with ExitStack() as stack:

        def look(many, idle=0, mine=0):
            lay_open(f"sqlite:///{tmp_path}/t.db", many, idle, mine)
            server = stack.enter_context(running(tmp_path))
            context = stack.enter_context(a_context(browser, server))
            cookie = {"name": "yegg", "value": SIGNED.signed(WHO), "url": server.base}
            context.add_cookies([cookie])
            page = opened_page(context, server)
            page.goto("/")
            return page

        yield look


@pytest.mark.wide
@ways(WAYS[0])
def test_an_empty_lobby_says_what_to_do(lobby, ways):
    page = lobby(0)
    assert "No table is open yet. Open one" in page.text_content(".open")
    assert not page.locator(".my").count()
    assert not looked_at(page, "lobby-0", ways)


@ways(WAYS[1])
def test_three_tables_stand_in_the_lobby(lobby, ways):
    page = lobby(3, mine=1)
    assert page.locator(".open .list li").count() == 3
    assert page.locator(".my .list li").count() == 1
    assert not page.locator(".more").count()
    assert not looked_at(page, "lobby-3", ways)


@pytest.mark.parametrize("size", [(360, 740), pytest.param((390, 844), marks=pytest.mark.wide)])
def test_on_a_phone_the_lobby_begins_with_a_table_that_waits_for_somebody(visitor, size):
    page = visitor("phone")
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.goto("/")
    assert not on_a_phone.faults(page, about=".bar h1")
    bots(page)
    assert may_act(page)
    page.goto("/")
    assert page.locator("main > *").first.get_attribute("aria-labelledby") == "my"
    assert not on_a_phone.faults(page, about=".my h2, .my .list > li:first-child")


@pytest.mark.wide
@ways(*WAYS)
def test_many_tables_are_folded_and_the_idle_ones_lie_last(lobby, ways):
    page = lobby(60, idle=30, mine=12)
    shown = page.locator(".open > .list li").count()
    assert 5 <= shown <= 12
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollHeight") < 1200
    more, idle = page.locator("#more-tables"), page.locator("#idle-tables")
    assert f"{more.locator('li').count()} more" in more.locator("summary").text_content()
    assert "idle for a day" in idle.locator("summary").text_content()
    assert not idle.locator("li").first.is_visible()
    assert page.locator("#idle-my li").count() == 12
    assert not looked_at(page, "lobby-60", ways)
    idle.locator("summary").click()
    assert idle.locator("li").first.is_visible()
    listed = page.locator(".open li b").all_text_contents()
    numbers = [int(name.rpartition(" ")[2]) for name in listed]
    assert min(numbers[: -idle.locator("li").count()]) > 30, (
        "those that are idle come after all others"
    )
    page.evaluate("document.querySelectorAll('.more').forEach(drawer => drawer.open = true)")
    assert not looked_at(page, "lobby-60-open", ways[-1:])
