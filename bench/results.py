"""How long the server takes for `/daily` on a day that many people have played, with SQLite.

    python bench/results.py              10,000 results of today, in all games together
    python bench/results.py -n 1000      fewer

One person plays a deal of each game by lot; their rows are copied for all others.  Then somebody
who has played looks at the page again and again, in this process, without a network: the median
and the longest time, at rest, and with one more result before each look.
"""

import argparse
import random
import re
import statistics
import tempfile
import time
from itertools import count

import sqlalchemy as sa
from litestar.testing import TestClient

from yegg import games
from yegg.table.app import application
from yegg.table.service import deals as service
from yegg.table.settings import Settings
from yegg.table.storage.schema import deals
from yegg.table.storage.schema import games as tables

LOOKS = 41
NUMBERS = count(1_000_000)  # of the copied games


def token(client):
    """What a form of this person's carries."""
    return re.search(r'name="csrf" content="([^"]*)"', client.get("/me").text)[1]


def played(client, name, dice):
    """Play today's deal of a game by lot."""
    form = {"csrf": token(client), "you": "Ann"}
    answer = client.post(f"/daily/{name}", data=form, follow_redirects=False)
    at = re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]
    head = {"X-CSRF-Token": form["csrf"]}
    while not (now := client.get(f"/api/games/{at}").json())["over"]:
        if now["choices"]:
            choice = dice.choice(now["choices"])["text"]
            body = {"choice": choice, "after": now["number"]}
            client.post(f"/api/games/{at}/choices", json=body, headers=head)
        else:
            time.sleep(0.01)


def copied(engine, name, many, dice):
    """Let so many others have done as the person, with scores of their own."""
    which = sa.select(tables, deals).join(deals, deals.c.game == tables.c.id)
    with engine.begin() as connection:
        row = connection.execute(which.where(deals.c.name == name)).mappings().first()
        head = {column.name: row[column] for column in tables.c}
        deal = {column.name: row[column] for column in deals.c}
        heads, tries = [], []
        for _ in range(many):
            at = next(NUMBERS)
            person, scores = f"{at:064}", list(head["result"]["scores"])
            scores[0] += dice.randint(-5, 5)
            result = head["result"] | {"scores": scores}
            people = [["Guest", person, None], *head["people"][1:]]
            own = {"id": at, "key": f"{at:022}", "result": result, "people": people}
            heads.append(head | own)
            tries.append(deal | {"game": at, "person": person})
        connection.execute(sa.insert(tables), heads)
        connection.execute(sa.insert(deals), tries)


def looks(client, before=lambda: None):
    """The milliseconds of each look at the page."""
    took = []
    for _ in range(LOOKS):
        before()
        begun = time.perf_counter()
        client.get("/daily").raise_for_status()
        took.append(1000 * (time.perf_counter() - begun))
    return took


def main():
    """Fill, look and print."""
    told = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    told.add_argument("-n", type=int, default=10_000, help="how many results (default 10,000)")
    asked, dice = told.parse_args(), random.Random(1)
    service.LEVELS = ()  # their bots would take the time of the processor meanwhile
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            db=f"sqlite:///{folder}/t.db", hosts=("localhost",), limits=False, pace=0.0, warm=False
        )
        app = application(settings)
        with TestClient(app, base_url="http://localhost") as client:
            engine, names = app.state.registry.store.engine, games.names()
            client.get("/")
            for name in names:
                played(client, name, dice)
            for name in names:
                copied(engine, name, asked.n // len(names) - 1, dice)
            for how, before in (
                ("at rest", lambda: None),
                ("with one more result before each", lambda: copied(engine, names[0], 1, dice)),
            ):
                took = looks(client, before)
                print(
                    f"/daily with {asked.n} results, {how}: median {statistics.median(took):.1f}"
                    f" ms, longest {max(took):.1f} ms"
                )


if __name__ == "__main__":
    main()
