"""Nothing that a seat may not know is ever sent to it.

A game is compared with another one that differs only in something the seat may not know: a
card in another's hand, an order under seal.  All that is sent to the seat must be the same,
byte for byte.
"""

import pytest

from yegg import games
from yegg.engine import NotLegal
from yegg.table.chronicle import Chronicle
from yegg.table.pages import as_html
from yegg.table.position import Kind
from yegg.table.rooms import Room
from yegg.table.sheets import as_json

SECRET = [name for name in games.names() if games.find(name).secret]
SENT = (as_json, as_html)


def elsewhere(match, seat):
    """Games that look the same to the seat and are not, changed in one event each."""
    chronicle = Chronicle(match)
    shown = chronicle.read(match, seat, 10_000)
    for i in reversed(range(len(match.history))):
        if shown[i].text == chronicle.texts[i][1]:
            continue
        before = match.again()
        before.follow(match.history[:i])
        for other in before.choices:
            twin = match.again()
            try:
                twin.follow([*match.history[:i], other, *match.history[i + 1 :]])
            except NotLegal:
                continue
            same = twin.known_to(seat).tobytes() == match.known_to(seat).tobytes()
            if same and twin.state.tobytes() != match.state.tobytes():
                yield twin


def as_if(room, match):
    """The room, had the game gone so."""
    position = room.now.fork()
    position.match, position._acting = match, None
    twin = object.__new__(Room)
    vars(twin).update(vars(room), now=position, _chronicle=None)
    return twin


def ready(room):
    """Whose orders are given and can be carried out."""
    return {seat: done for seat, (_, done) in room.now.acting().items()}


@pytest.mark.parametrize("name", SECRET)
def test_what_a_seat_may_not_know_is_not_sent(party, client, name):
    game = games.find(name)
    people = party(name, next(n for n in game.seats({}) if n > 1))
    room = client.app.state.house.rooms[people[0].key]
    compared = 0
    for step in range(60):
        if not any(person.act() for person in people):
            break
        if step % 20 == 19 and not room.now.over:
            for seat in range(-1, len(people)):
                for twin in list(elsewhere(room.now.match, seat))[:3]:
                    there = as_if(room, twin)
                    if ready(there) != ready(room):
                        continue  # orders that wait would not be legal there
                    assert [d(there, seat) for d in SENT] == [d(room, seat) for d in SENT]
                    compared += 1
    assert compared > 3, "nothing was compared"


def test_orders_under_seal_are_nobody_else_s(party, client):
    people = party("secrets", 3)
    room = client.app.state.house.rooms[people[0].key]
    for _ in range(5):
        people[1].act()
    before = {seat: [d(room, seat) for d in SENT] for seat in (-1, 0, 2)}
    position = room.now.fork()
    match, _ = position.acting()[1]
    changed = list(position.orders[1])
    changed[0] = next(c for c in room.now.match.choices if c != changed[0] and c >= 20)
    position.orders[1], position._acting = changed, None
    assert match
    assert Kind.ORDER - changed[0] < 0
    twin = object.__new__(Room)
    vars(twin).update(vars(room), now=position, views={})
    for seat, sent in before.items():
        assert [d(twin, seat) for d in SENT] == sent
    assert [d(twin, 1) for d in SENT] != [d(room, 1) for d in SENT], "its own seat sees them"


@pytest.mark.parametrize("name", SECRET)
def test_the_record_of_a_game_going_on_is_as_the_seat_may_know_it(party, name):
    game = games.find(name)
    people = party(name, next(n for n in game.seats({}) if n > 1))
    for _ in range(8):
        for person in people:
            person.act()
    path = f"/api/games/{people[0].key}/record"
    lines = [person.get(path).text.splitlines() for person in people]
    assert len({len(one) for one in lines}) == 1
    assert any(line.endswith("-") for one in lines for line in one)
