"""The deal of the day in `faults.py`: people play it to its end, one after another, meanwhile.

Whoever begins is given one table, whichever process they ask.  In the end each finished result is
there once on disk, as it was shown to whoever played, and both processes show the same histogram.
"""

import re
import time
from collections import Counter

import httpx
import sqlalchemy as sa

from yegg.engine.days import day_of
from yegg.table.storage.schema import deals
from yegg.table.storage.schema import games as tables
from yegg.table.storage.store import connected

GAME = "second-story"
BAR = re.compile(r"</svg><span>(\d+)</span></div>")
BARS = re.compile(r'<table class="spread">.*?</table>', re.DOTALL)
PATIENT = 30  # seconds


class Deals:
    """Everybody who has played the deal of the day, and what they were shown at the end."""

    def __init__(self):
        self.keys, self.over, self.moved = {}, {}, 0  # by token: the table's key; scores; faults

    async def play(self, asked, sits):
        """Begin as somebody new, and play to the end.

        ``asked(path, token)`` posts until there is an answer; ``sits(key, token)`` plays.
        """
        token = (await asked("/api/tokens", None)).json()["token"]
        for _ in range(2):  # once more, as if the first answer had been lost
            answer = await asked(f"/daily/{GAME}", token)
            key = re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]
            self.moved += self.keys.setdefault(token, key) != key
        (player,) = await sits(key, token)
        if player.view and player.view["over"]:
            self.over[token] = player.view["scores"]

    def faults(self, db):
        """What is lost or doubled on disk: how often, by kind."""
        found, database = Counter({"moved to another deal's table": self.moved}), connected(db)
        which = sa.select(
            tables.c.key, deals.c.person, tables.c.result, tables.c.ended, deals.c.day
        )
        which = which.join(tables, deals.c.game == tables.c.id)
        with database.engine.connect() as disk:
            rows = list(disk.execute(which.where(deals.c.name == GAME)))
        database.engine.dispose()
        by_key = {row.key: row for row in rows}
        found["one person twice"] = len(rows) - len({(row.day, row.person) for row in rows})
        for token, scores in self.over.items():
            row = by_key.get(self.keys[token])
            kept = row is not None and row.result is not None and row.ended is not None
            found["finished deals lost"] += not kept
            found["finished deals changed"] += kept and row.result["scores"] != scores
        return +found

    async def histograms(self, house):
        """How both processes show today's deal: faults by kind, and how many it counts.

        Whoever has finished and heard nothing of it, since the time was up, is counted as well.
        """
        token, seen = next(iter(self.over), None), []
        if token is None:
            return Counter(), 0
        day, head = day_of(time.time_ns() // 1_000_000), {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(timeout=PATIENT, headers=head) as client:
            for port in house.ports:
                page = await client.get(f"http://localhost:{port}/daily/{GAME}/{day}")
                seen.append(BARS.search(page.text)[0])
        counts = [sum(map(int, BAR.findall(bars))) for bars in seen]
        faults = Counter({"histograms that differ": seen[0] != seen[1]})
        faults["results shown too few"] = max(0, len(self.over) - counts[0])
        faults["results shown too many"] = max(0, counts[0] - len(self.keys))
        return +faults, counts[0]
