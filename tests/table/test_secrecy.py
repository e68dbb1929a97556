"""Nothing that a seat may not know is ever sent to it.

A game is compared with another one that differs only in something the seat may not know: a
card in another's hand, an order under seal.  All that is sent to the seat must be the same,
byte for byte.
"""

import itertools
import re

import pytest
from twins import elsewhere, swapped

from yegg import games
from yegg.engine import notation
from yegg.table.domain.shown_position import Story
from yegg.table.domain.table_view import TableView
from yegg.table.http.routes.api import record_of
from yegg.table.render import steps
from yegg.table.render.html_view import living
from yegg.table.render.json_view import as_json
from yegg.table.service.table import Table

from .test_phrases import sent as streamed

SECRET = [name for name in games.names() if games.find(name).secret]


def missed(table, seat):
    """The newest events, one step after another and part by part."""
    return [*steps.each_beat(table.view(seat), max(0, len(table.now.match.history) - 12))]


def printed(table, seat):
    """The record of the game so far."""
    return record_of(table, table.now.fork(), seat)


def seen(draw):
    """What is sent of a table to a seat, drawn anew."""
    return lambda table, seat: draw(TableView(table.shown, seat))


SENT = (seen(as_json), seen(living))
LOOKED = (missed, printed)
OPEN = {"posts": "open"}
HIDDEN = {"hidden": "yes"}
CASES = [(name, {}) for name in SECRET]
CASES += [("secrets", options) for options in (HIDDEN, OPEN | HIDDEN)]
WAYS = [(*case, SENT) for case in CASES]
WAYS += [pytest.param(*case, LOOKED, marks=pytest.mark.wide) for case in CASES]


def as_if(table, match):
    """The table, if the game had gone like that."""
    position = table.now.fork()
    position.match, position._asked = match, {}
    twin = object.__new__(type(table))
    vars(twin).update(vars(table), now=position, views={}, _shown=None, story=Story())
    return twin


def ready(table):
    """Whose orders are given and can be carried out."""
    return {seat: at.ready for seat, at in table.now.acting().items()}


@pytest.mark.parametrize(("name", "options", "sent"), WAYS)
def test_what_a_seat_may_not_know_is_not_sent(party, client, name, options, sent):
    game = games.find(name)
    people = party(name, next(n for n in game.seats({}) if n > 1), options=options)
    table = client.app.state.registry.tables[people[0].key]
    compared = 0
    for step in range(60):
        if not any(person.act() for person in people):
            break
        if step % 20 == 19 and not table.now.over:
            for seat in range(-1, len(people)):
                match = table.now.match
                if "posts" in options:  # then nothing else is hidden
                    twins = itertools.islice(swapped(match, seat), 3)
                else:
                    twins = itertools.islice(elsewhere(match, seat), 3)
                for twin in twins:
                    there = as_if(table, twin)
                    if ready(there) != ready(table):
                        continue  # orders that wait would not be legal there
                    assert [d(there, seat) for d in sent] == [d(table, seat) for d in sent]
                    compared += 1
    assert compared > 3, "nothing was compared"


@pytest.mark.parametrize("posts", ["secret", "open"])
def test_orders_under_seal_are_nobody_else_s(party, client, posts):
    people = party("secrets", 3, options={"posts": posts})
    table = client.app.state.registry.tables[people[0].key]
    for _ in range(5):
        people[1].act()
    before = {seat: [d(table, seat) for d in SENT + LOOKED] for seat in (-1, 0, 2)}
    position = table.now.fork()
    match = position.acting()[1].match
    changed = list(position.orders[1])
    changed[0] = next(c for c in table.now.match.choices if c != changed[0] and c >= 20)
    position.orders[1], position._asked = changed, {}
    assert match
    twin = object.__new__(Table)
    vars(twin).update(vars(table), now=position, views={}, _shown=None)
    for seat, sent in before.items():
        assert [d(twin, seat) for d in SENT + LOOKED] == sent
    assert [d(twin, 1) for d in SENT + LOOKED] != [d(table, 1) for d in SENT + LOOKED], (
        "its own seat sees them"
    )


@pytest.mark.parametrize("posts", ["secret", "open"])
def test_se_21_where_policemen_stood_is_sent_to_all_only_where_posts_are_open(party, client, posts):
    """Nobody was captured: nobody but the owner may know, or everybody after the turn."""
    people = party("secrets", 3, options={"posts": posts, "spies": "1"})
    table = client.app.state.registry.tables[people[0].key]
    for turn, (spies, guards) in enumerate([((9, 9, 9), (4, 5, 6)), ((8, 8, 8), (1, 2, 3))]):
        for seat, person in enumerate(people):
            for order in (f"club steals {spies[seat]} from {(seat + 1) % 3 + 1}",):
                assert person.choose(order).status_code == 200
            assert person.choose(f"guards {guards[seat]}").status_code == 200
            if seat < 2:  # under seal, whatever posts are
                for other in {0, 1, 2} - {seat}:
                    told = [event["text"] for event in people[other].table["happened"]]
                    assert not any(f"guards {guards[seat]}" in text for text in told)
        assert table.now.match.state.turn == turn + 2
        for viewer in (0, 1, 2, -1):
            ask = people[max(viewer, 0)] if viewer >= 0 else None
            page = living(table.view(viewer)).decode()
            record = table.now.match
            lines = notation.body(record, seat=viewer)[-6:]
            if ask:
                assert ask.record.splitlines()[-6:] == lines
            for owner in {0, 1, 2} - {viewer}:
                known = posts == "open"
                said = f"{owner + 1} guards {guards[owner] if known else '-'}"
                assert said in lines
                assert (f"must leave {guards[owner]}" in page) == known
                stood = table.now.match.known_to(viewer)[0].stood[owner]
                assert stood == (guards[owner] if known else -1)
            assert page.count("stood at <b>") == (3 if posts == "open" else int(viewer >= 0))


def test_who_watches_knows_no_value_that_only_each_player_was_told(party, client):
    """SE-32: 2 and 3 meet at A of 1, whose 31 points all three know then: on no page, nowhere."""
    people = party("secrets", 3, options=HIDDEN | {"spies": "1"})
    table = client.app.state.registry.tables[people[0].key]
    for person in people:
        for letter, points in zip("ABCDEFGHIJ", (31, 14, *[0] * 8), strict=True):
            assert person.choose(f"allocate {letter} {points}").status_code == 200
    for person, spy in zip(people, ("B from 2", "A from 1", "A from 1"), strict=True):
        assert person.choose(f"club steals {spy}").status_code == 200
        assert person.choose("guards J").status_code == 200
    assert table.now.match.state.turn == 2
    key = people[0].key
    for paths in (f"/api/games/{key}", f"/t/{key}", f"/t/{key}/now", f"/t/{key}/steps?after=0"):
        for person, knows in ((people[1], True), (None, False)):
            seen = client.get(paths, headers=person.headers if person else {}).text
            assert bool(re.search(r"\b31\b", seen)) == knows, paths
    stream = streamed(table, hears=False)
    assert b"event: view" in stream
    assert not re.search(rb"\b31\b", stream)
    lines = client.get(f"/api/games/{key}/record").text.splitlines()
    assert "1 allocate A -" in lines
    seen = client.get(f"/api/games/{key}").json()
    assert seen["position"]["value"][0][0] < 0


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_record_of_a_game_going_on_is_as_the_seat_may_know_it(party, name, options):
    game = games.find(name)
    people = party(name, next(n for n in game.seats({}) if n > 1), options=options)
    for _ in range(16):
        for person in people:
            person.act()
    lines = [person.record.splitlines() for person in people]
    assert len({len(one) for one in lines}) == 1
    assert any(line.endswith("-") for one in lines for line in one)
