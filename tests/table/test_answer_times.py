"""When a bot answers: nobody learns from it what the bot could choose from, or how it thought."""

import asyncio

import pytest

from yegg.table.service import bot_driver
from yegg.table.service.bots import QUICK, answers_after

from .conftest import opened, settings_for
from .people import Player


@pytest.mark.parametrize("bot", ["easy", "medium", "hard", "expert", "search:2s", "search:500"])
def test_a_level_answers_at_one_time_however_long_it_thought(bot):
    usual = answers_after(bot, 0.0)
    assert answers_after(bot, 0.9 * usual) == usual
    assert answers_after(bot, 1.1 * usual) == 2 * usual


def test_forced_choices_are_answered_at_the_same_time(tmp_path, monkeypatch):
    """With no stream open an answer that comes at once would tell that the hand left one choice."""
    waited, forced = [], []

    class Sleepless:
        """asyncio, but nobody waits; how long they would have waited is noted."""

        @staticmethod
        async def sleep(seconds):
            waited.append(seconds)

        def __getattr__(self, name):
            return getattr(asyncio, name)

    class Clock:
        @staticmethod
        def monotonic():
            return 0.0

    monkeypatch.setattr(bot_driver, "asyncio", Sleepless())
    monkeypatch.setattr(bot_driver, "time", Clock)
    choose = bot_driver.Table.choose

    async def noted(table, seat, choice, after, by=None, **more):
        if by is None:
            forced.append(len(table.now.turn_of(seat).choices) == 1)
        return await choose(table, seat, choice, after, by, **more)

    monkeypatch.setattr(bot_driver.Table, "choose", noted)
    with opened(settings_for(tmp_path, pace=0.6)) as client:
        ann = Player(client).open("magnate", ("me", "uniform"))
        while not (set(forced) >= {True, False}):
            seen = ann.get(f"/api/games/{ann.key}").json()
            assert not seen["over"]
            if seen["choices"]:
                ann.do("choices", choice=seen["choices"][-1]["text"], after=seen["number"])
    assert waited
    assert set(waited) == {QUICK}
