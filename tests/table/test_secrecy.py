"""Nothing that a seat may not know is ever sent to it: every byte that it receives is searched.

Two houses are played side by side by the same people, chance and all; they differ in one
thing only, which one seat knows and another does not.  What the other receives must be equal.
"""

import random

import pytest

from yegg import games
from yegg.engine import CHANCE, Match
from yegg.table import rooms, scenes, sheets
from yegg.table.chronicle import Chronicle
from yegg.table.pages import as_html

SECRET = [name for name in games.names() if hasattr(games.find(name).words, "seen")]


@pytest.fixture
def played(client, somebody, request):
    """A room of a game with secrets, somewhere in its middle, and all that its seats were sent."""

    def play(name, seed, events):
        game = games.find(name)
        n = game.seats({})[-1]
        people = [somebody(seed).open(name, ["me"] + ["open"] * (n - 1))]
        for i in range(1, n):
            other = somebody(seed + i)
            assert other.join(people[0].key).status_code == 200
            people.append(other)
        for _ in range(events):
            for person in people:
                person.act()
        return client.app.state.house.rooms[people[0].key], people

    return play


@pytest.mark.parametrize("name", SECRET)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_view_is_made_of_what_the_seat_may_know(played, name, seed):
    """What is drawn for a seat is equal for all states that the seat cannot tell apart."""
    room, people = played(name, seed, 6)
    match = room.now.match
    for seat in range(-1, match.players):
        other = elsewhere(match, seat, seed)
        if other is None:
            continue
        sent = [draw(room, seat) for draw in (sheets.as_json, as_html)]
        position = room.now.fork()
        position.match = other
        position._acting = None
        twin = object.__new__(rooms.Room)
        vars(twin).update(vars(room), now=position, _chronicle=Chronicle(other))
        assert [draw(twin, seat) for draw in (sheets.as_json, as_html)] == sent


def elsewhere(match, seat, seed):
    """Another game that looks the same to the seat, or None if none is found."""
    dice = random.Random(seed)
    known = match.view(seat).tobytes()
    seen = match.game.words.seen
    for _ in range(60):
        twin = match.again()
        for i, choice in enumerate(match.history):
            old = match.again()
            old.follow(match.history[:i])
            hidden = twin.actor != seat and len(twin.choices) > 1 and dice.random() < 0.3
            other = dice.choice(twin.choices) if hidden else choice
            twin.play(other if other in twin.choices else dice.choice(twin.choices))
            if twin.actor != match.actors[i + 1] if i + 1 < len(match.actors) else False:
                break
        else:
            same = twin.view(seat).tobytes() == known and twin.actor == match.actor
            lines = [Chronicle(m).read(m, seat, 999) for m in (match, twin)] if same else None
            if same and lines[0] == lines[1] and twin.state.tobytes() != match.state.tobytes():
                return twin
    assert seen
    return None
