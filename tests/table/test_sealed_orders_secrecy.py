"""What lies under seal changes nothing that others get: no byte of a stream, no number, no list.

Each test plays the same at two tables, with other sealed orders, and compares all that others and
those who watch were sent.
"""

import asyncio
import json
import re
from functools import partial

import pytest
import sqlalchemy as sa
from markupsafe import escape
from waiting import until

from yegg.table import app
from yegg.table.http import event_stream as streams
from yegg.table.http.event_stream import ALIVE
from yegg.table.letters.orders import order
from yegg.table.render.html_view import living
from yegg.table.render.json_view import as_json
from yegg.table.storage.schema import events

from .people import LIVE

ORDERS = [f"{spy} steals {9 - i} from 1" for i, spy in enumerate(("club", "diamond", "heart"))]
ORDERS += ["spade steals 6 from 1", "guards 7"]
OTHERS = [text.replace("from 1", "from 3").replace("guards 7", "guards 2") for text in ORDERS]
DAY = 86_400_000


pytestmark = pytest.mark.usefixtures("calm", "fresh")


@pytest.fixture
def calm(monkeypatch):
    """Let no sign of life come by the clock."""
    monkeypatch.setattr(app, "beat", lambda _: asyncio.Event().wait())


def give(*orders):
    """Give orders, one after another."""

    def act(person, _):
        for text in orders:
            assert person.choose(text).status_code == 200

    return act


def back(n):
    """Take back so many orders."""

    def act(person, _):
        for _ in range(n):
            assert person.do("undo").status_code == 200

    return act


def by_letter(person, table):
    """Give all orders anew at once, as a letter does."""

    def read(there, _seat, _names):
        twin, found = there.fork(), []
        for text in OTHERS:
            found.append(twin.texts[text])
            twin.play(found[-1])
        return found

    with person.client.portal() as portal:
        portal.call(order, table, table.now.seats[1].person, 0, read)


def listen(portal, table, person, draw):
    """Begin to listen to a table; returns what comes."""
    came = bytearray()

    async def hear():
        listener = streams.Listener(person, draw, -1, phrases=True)
        async for piece in streams.stream(table, listener):
            came.extend(piece)

    portal.start_task_soon(hear)
    until(lambda: b"event: view" in came)
    return came


def alike(table, sent):
    """Bytes without what no two tables share: their keys, names and promises, and the time."""
    text = bytes(sent).decode().replace(table.key, "KEY")
    for name in (table.name, str(escape(table.name))):  # as JSON has it, and as pages have it
        text = text.replace(name, "NAME")
    text = re.sub(r'("until":|data-until=")\d+|\b\d+:\d\d\b|\b[0-9a-f]{64}\b', r"\1", text)
    return re.sub(r'name="(csrf|salt)" (value|content)="[^"]*"', "", text)


def sent_to_others(party, client, *acts, **more):
    """All that the first seat and a spectator get while the second seat does something."""
    people = party("secrets", 3, **more)
    table = client.app.state.registry.tables[people[0].key]
    ann = table.now.seats[0].person
    found = []
    with client.portal() as portal:
        ears = [
            listen(portal, table, who, draw) for who in (ann, None) for draw in (as_json, living)
        ]
        portal.call(table.say, 2, 2)
        until(lambda: all(b"Good luck" in came for came in ears))
        for act in acts:
            act(people[1], table)
        late = listen(portal, table, ann, as_json)
        portal.call(table.say, 0, 8)
        ears.append(late)
        until(lambda: all(b"Good game" in came for came in ears))
        asked = [
            client.get(f"{path}{people[0].key}{rest}", headers=head)
            for path, rest in (("/api/games/", ""), ("/t/", "/now"), ("/api/games/", "/record"))
            for head in (people[0].headers, {})
        ]
        found = [alike(table, came) for came in ears]
        found += [alike(table, answer.content) for answer in asked]
        found += [answer.headers.get("etag") for answer in asked]
        portal.call(table.close)
    return found


@pytest.fixture
def others(party, client):
    return partial(sent_to_others, party, client)


@pytest.mark.parametrize("more", [{}, {"clock": LIVE}], ids=["no hurry", "live"])
def test_orders_given_and_taken_back_send_nothing_to_others(others, more):
    nothing = others(**more)
    assert others(give(*ORDERS[:2]), **more) == nothing
    assert others(give(*ORDERS[:2]), back(2), **more) == nothing
    assert not any(re.search(r"^:$", came, re.MULTILINE) for came in nothing[:5])


def by_hand(*orders):
    """Write orders on a page: the sheet stays open."""

    def act(person, _):
        for text in orders:
            after = person.table["number"]
            sent = person.do("choices", choice=text, after=after, open=True)
            assert sent.status_code == 200, sent.text

    return act


def sealed(*, handed_in):
    """Seal the sheet, or open it again."""

    def act(person, _):
        after = person.table["number"]
        assert person.do("seal", sealed=handed_in, after=after).status_code == 200

    return act


def test_an_open_sheet_sends_nothing_to_others_and_a_sealed_one_that_it_is_ready(others):
    nothing, ready = others(), others(give(*ORDERS))
    assert others(by_hand(*ORDERS)) == nothing
    assert others(by_hand(*ORDERS), sealed(handed_in=True)) == ready
    changed = others(by_hand(*ORDERS, OTHERS[1]), sealed(handed_in=True))
    assert changed == ready
    opened = [sealed(handed_in=True), sealed(handed_in=False)]
    assert others(by_hand(*ORDERS), *opened) == others(by_hand(*OTHERS), *opened)


def test_orders_that_are_ready_may_be_changed_without_anybody_noticing(others):
    ready = others(give(*ORDERS))
    assert others(give(*OTHERS)) == ready
    assert others(give(*ORDERS, OTHERS[1])) == ready
    assert others(give(*ORDERS, *OTHERS)) == ready
    assert others(give(*ORDERS), by_letter) == ready
    assert others(give(*ORDERS), back(1), give("guards 3")) != ready, "all see who is ready"


SHEETS = {0: OTHERS[:2], 1: ORDERS[:2], 2: ORDERS[:2]}
VIEWERS = -1, 0, 1, 2


def seen_by_all(party, client, sheets):
    """What everybody gets of a table whose sheets of orders are begun, and who sees what orders."""
    client.cookies.clear()
    people = party("secrets", 3)
    table, found = client.app.state.registry.tables[people[0].key], {}
    for seat, orders in sheets.items():
        give(*orders)(people[seat], table)
    with client.portal() as portal:
        for viewer in VIEWERS:
            head = people[viewer].headers if viewer >= 0 else {}
            who = table.now.seats[viewer].person if viewer >= 0 else None
            found[viewer] = [
                alike(table, client.get(f"{path}{table.key}{rest}", headers=head).content)
                for path, rest in (("/api/games/", ""), ("/t/", ""), ("/t/", "/now"))
            ]
            ears = [listen(portal, table, who, draw) for draw in (as_json, living)]
            found[viewer] += [alike(table, came) for came in ears]
        portal.call(table.close)
    views = [json.loads(table.view(viewer).once(as_json)) for viewer in VIEWERS]
    return found, [view["position"]["order"] for view in views]


def test_everybody_sees_their_own_sheet_and_no_other(party, client):
    """Each seat gets the game as it finds it itself: with its own orders, without all others'."""
    found, shown = seen_by_all(party, client, SHEETS)
    for viewer, rows in zip(VIEWERS, shown, strict=True):
        for seat in range(3):
            assert sum(map(bool, rows[seat])) == 2 * (seat == viewer), (viewer, seat)
    for seat, orders in SHEETS.items():
        other = [text.replace(" 9 ", " 1 ") for text in orders]
        changed, _ = seen_by_all(party, client, SHEETS | {seat: other})
        same = {viewer for viewer in VIEWERS if changed[viewer] == found[viewer]}
        assert same == {*VIEWERS} - {seat}


def test_a_sign_of_life_comes_by_the_clock_alone(party, client):
    people = party("secrets", 3)
    table = client.app.state.registry.tables[people[0].key]
    with client.portal() as portal:
        came = listen(portal, table, None, as_json)
        portal.call(client.app.state.registry.wake)
        give(*ORDERS[:2])(people[1], table)
        portal.call(table.say, 2, 2)
        until(lambda: b"phrase" in came)
        assert ALIVE not in came
        portal.call(table.beat)
        until(lambda: came.endswith(ALIVE))
        portal.call(table.close)


def test_a_drawn_view_stays_as_it_is_for_those_who_may_know_nothing_new(party, client):
    """Else the time on it would tell when somebody gave an order."""
    people = party("secrets", 3, clock=LIVE)
    table = client.app.state.registry.tables[people[0].key]
    before = table.view(-1).once(living)
    mine = table.view(1).once(living)
    give(*ORDERS[:2])(people[1], table)
    assert table.view(-1).once(living) is before
    assert table.view(1).once(living) is not mine


def test_the_numbers_of_others_are_the_same_after_a_restart(party, restarted, client):
    people = party("secrets", 3)
    table = client.app.state.registry.tables[people[0].key]
    give(*ORDERS, OTHERS[1], OTHERS[4])(people[1], table)
    seen = list(table.now.seen)
    again = restarted(*people)
    assert people[0].table["number"] == seen[0]
    assert again.app.state.registry.tables[people[0].key].now.seen == seen


def test_the_lobby_does_not_tell_when_somebody_gave_an_order(party, client):
    people = party("secrets", 3)
    store = client.app.state.registry.store
    with store.engine.begin() as connection:
        connection.execute(sa.update(events).values(at=events.c.at - 2 * DAY))

    def idle():
        (table,) = client.get("/api/lobby").json()["tables"]
        return table["idle"]

    assert idle()
    give(*ORDERS[:2])(people[1], None)
    back(1)(people[1], None)
    assert idle()
