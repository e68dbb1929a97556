"""Two who are kept apart sit down in the same moment, in one process or through two."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from yegg.table.accounts.tokens import Person
from yegg.table.http import actions
from yegg.table.http.bodies import Joining

from .conftest import Player
from .test_guests import block


def test_two_who_are_kept_apart_and_sit_down_at_once_are_not_seated_together(
    party, somebody, client
):
    ann, ben = party("secrets", 3)[:2]
    assert block(ann, 2).status_code == 200
    cid = somebody().open("secrets", ["me", "open", "open"])
    registry = client.app.state.registry

    def join(person):
        token = registry.signer.token(person.token)
        who = registry.whose(token)
        me = Person(who, token, by_cookie=False)
        asker = actions.Asker(registry, client.app.state.limits, "", me)
        return actions.join(asker, cid.key, Joining("X"), who)

    async def at_once():
        return await asyncio.gather(join(ann), join(ben), return_exceptions=True)

    with client.portal() as portal:
        first, second = portal.call(at_once)
    assert first[1] == 1
    assert (second.status, second.why) == (403, "you cannot sit down at this table")


@pytest.mark.slow
def test_two_who_are_kept_apart_are_never_seated_together_by_two_processes(two):
    with (
        httpx.Client(base_url=two[0].base, timeout=60) as first,
        httpx.Client(base_url=two[1].base, timeout=60) as second,
        ThreadPoolExecutor(2) as pool,
    ):
        ann, ben = Player(first), Player(second)
        ann.open("second-story", ["me", "open"])
        assert ben.join(ann.key).status_code == 200
        assert block(ann, 2).status_code == 200
        new = Player(first, ann.token).open("second-story", ["me", "open"])
        again = Player(second, ben.token).join(new.key)
        assert again.status_code == 403, "at once, whatever the other process remembers"
        for _ in range(8):
            key = Player(first).open("secrets", ["me", "open", "open"]).key
            pair = [Player(first, ann.token), Player(second, ben.token)]
            said = pool.map(lambda one, key=key: one.join(key).status_code, pair)
            assert sorted(said) == [200, 403]
