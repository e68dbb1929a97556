"""A table may have a very long history: nobody waits for it to be replayed, and it has a bound."""

import asyncio
import itertools

import pytest

from yegg.table.domain import automatic_events, state
from yegg.table.service.replay import AT_ONCE
from yegg.table.storage.store import Store

from .conftest import opened
from .people import Player


@pytest.fixture
def actor(fresh):
    """Whoever is to choose at a table of two people who play Magnate."""
    ann, ben = Player(fresh).open("magnate", ("me", "open")), Player(fresh)
    assert ben.join(ann.key).status_code == 200
    return next(person for person in (ann, ben) if texts(person))


def seen(person):
    return person.get(f"/api/games/{person.key}").json()


def texts(person):
    return [choice["text"] for choice in seen(person)["choices"]]


def choose(person, text):
    return person.do("choices", choice=text, after=seen(person)["number"]).status_code == 200


def undo(person):
    return person.do("undo").status_code == 200


@pytest.fixture
def few(monkeypatch):
    """Three is many here."""
    monkeypatch.setattr(automatic_events, "UNDOS", 3)
    return 3


def test_nobody_who_plays_meets_the_bound():
    assert automatic_events.UNDOS >= 100


def test_what_is_taken_back_in_a_turn_has_a_bound(actor, few):
    """Whoever meets it can play on with what they chose last."""
    text = next(text for text in texts(actor) if choose(actor, text) and undo(actor))
    for _ in range(few - 1):
        assert choose(actor, text)
        assert undo(actor)
    assert choose(actor, text)
    refused = actor.do("undo")
    assert refused.status_code == 409
    assert "you have taken back too much in this turn" in refused.text
    assert choose(actor, texts(actor)[0]), "the game cannot go on"


def test_sealed_orders_that_are_changed_have_the_same_bound(fresh, few):
    ann = Player(fresh).open("secrets", ("me", "open", "open"))
    for _ in range(2):
        assert Player(fresh).join(ann.key).status_code == 200
    text = texts(ann)[0]
    for _ in range(few):
        assert choose(ann, text)
        assert undo(ann)
    assert choose(ann, text)
    assert not undo(ann)
    assert choose(ann, texts(ann)[0]), "no more orders can be given"


def repeat(url, key, times):
    """Write a choice and its undoing, the last two events of a table, so many times more."""
    store = Store(url)
    row, rows = store.whole(key)
    pair = [(event.actor, event.choice, event.at, event.words) for event in rows[-2:]]
    more = [
        (row.id, len(rows) + 1 + i, *pair[i % 2][:2], *pair[i % 2][2:]) for i in range(2 * times)
    ]
    store.database.put(more)
    store.close()


def test_others_are_answered_while_a_long_history_is_replayed(settings, monkeypatch):
    """Between a few events each the loop goes on, where a table is read from disk."""
    many = 40 * AT_ONCE
    with opened(settings) as client:
        ann = Player(client).open("magnate", ("me", "open"))
        assert Player(client).join(ann.key).status_code == 200
        choose(ann, texts(ann)[0])
        undo(ann)
    repeat(settings.db, ann.key, many // 2)
    applied, turns, apply = [0], [], state.TableState.apply

    def counted(position, event):
        applied[0] += 1
        apply(position, event)

    async def ticking():
        while True:
            turns.append(applied[0])
            await asyncio.sleep(0)

    monkeypatch.setattr(state.TableState, "apply", counted)
    with opened(settings) as client, client.portal() as portal:
        others = portal.start_task_soon(ticking)
        assert client.get(f"/api/games/{ann.key}").status_code == 200
        others.cancel()
    assert applied[0] > many
    longest = max(after - before for before, after in itertools.pairwise(turns))
    assert longest <= AT_ONCE, f"everybody waited while {longest} events were replayed"
