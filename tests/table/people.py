"""People who play by the API: they sit down, choose, and look at what they were sent."""

import json
import random

from waiting import until

SS = "second-story"
TWO = {"game": SS, "seats": ["me", "open"]}
LIVE = {"kind": "live", "turn": 60, "reserve": 600, "late": "uniform"}
BY_DAYS = {"kind": "days", "turn": 3, "late": "uniform"}


class Player:
    """Somebody with a token."""

    def __init__(self, client, token=None, seed=0, key=None):
        self.client, self.token, self.key = client, token, key
        self.dice = random.Random(seed)
        self.bytes = b""  # everything that was sent to them

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path):
        answer = self.client.get(path, headers=self.headers)
        self.bytes += answer.content
        return answer

    def post(self, path, body=None):
        answer = self.client.post(path, json=body, headers=self.headers)
        self.bytes += answer.content
        return answer

    def open(self, game=SS, seats=("me", "open"), **more):
        """Open a table and stay at it."""
        answer = self.post("/api/games", {"game": game, "seats": list(seats), **more})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"] or self.token
        self.key = answer.json()["id"]
        return self

    def join(self, key, **more):
        answer = self.post(f"/api/games/{key}/join", more)
        if answer.status_code == 200:
            self.token, self.key = answer.json()["token"] or self.token, key
        return answer

    def at(self, key):
        """The same person at another table."""
        return Player(self.client, self.token, key=key)

    def ask(self, what):
        """What the API answers about this table."""
        return self.get(f"/api/games/{self.key}/{what}")

    def do(self, what, **body):
        """Ask for something at this table."""
        return self.post(f"/api/games/{self.key}/{what}", body or None)

    def page(self, what=""):
        """A page of this table."""
        return self.get(f"/t/{self.key}{what}").text

    @property
    def record(self):
        return self.ask("record").text

    @property
    def table(self):
        return self.get(f"/api/games/{self.key}").json()

    @property
    def seat(self):
        return self.table["seat"]

    @property
    def place(self):
        """One's own seat, as everybody sees it."""
        table = self.table
        return table["seats"][table["seat"] - 1]

    @property
    def name(self):
        return self.place["name"]

    @property
    def notices(self):
        """What everybody at the table was told."""
        return [(notice["kind"], notice["text"]) for notice in self.table["notices"]]

    @property
    def time(self):
        """One's own time at a table with a clock."""
        table = self.table
        return table["clock"]["times"][table["seat"] - 1]

    def views(self, **how):
        """The views of a stream, as they come; it is closed when nobody holds these any more."""
        for line in self.lines(**how):
            if line.startswith("data: {"):
                yield json.loads(line.removeprefix("data: "))

    def lines(self, after=None, **query):
        """The lines of a stream, from a real server; ``after``: the newest event that is known."""
        head = self.headers | ({} if after is None else {"Last-Event-ID": str(after)})
        path = f"/api/games/{self.key}/events"
        with self.client.stream("GET", path, headers=head, params=query) as stream:
            assert stream.status_code == 200, stream.read()
            yield from stream.iter_lines()

    def choose(self, choice, after=None):
        after = self.table["number"] if after is None else after
        return self.do("choices", choice=choice, after=after)

    def act(self):
        """Make any legal choice; return whether there was one."""
        table = self.table
        if not table["choices"]:
            return False
        choice = self.dice.choice(table["choices"])["text"]
        answer = self.choose(choice, table["number"])
        assert answer.status_code == 200, answer.text
        return True


def whose(people):
    """Whose turn it is, and the others."""
    actor = next(person for person in people if person.table["choices"])
    return [actor, *(person for person in people if person is not actor)]


def finish(people, limit=5000):
    """Play at random until the game is over."""
    for _ in range(limit):
        if not any(person.act() for person in people) and people[0].table["over"]:
            return
    raise AssertionError("the game does not end")


def played_out(bots):
    """Wait until a table is over; each choice comes within half a minute."""
    while not (seen := bots.table)["over"]:
        until(lambda before=seen["number"]: bots.table["number"] > before)


def refused(answer, status, why=""):
    """Whether something is refused with this status, for this reason."""
    assert answer.status_code == status, answer.text
    assert why in answer.json()["why"]
    return True
