"""Tables with a clock, for tests."""

SS = "second-story"
LIVE = {"kind": "live", "turn": 60, "reserve": 600, "late": "uniform"}
BY_DAYS = {"kind": "days", "turn": 3, "late": "uniform"}


def post(person, what, body):
    return person.post(f"/api/games/{person.key}/{what}", body)


def whose(people):
    actor = next(person for person in people if person.table["choices"])
    return actor, next(person for person in people if person is not actor)


def time_of(person, of=None):
    return person.table["clock"]["times"][(of or person).table["seat"] - 1]


def told(person):
    return [(notice["kind"], notice["text"]) for notice in person.table["notices"]]


def name(person):
    return person.table["seats"][person.table["seat"] - 1]["name"]
