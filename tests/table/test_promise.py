"""The dice of a table are promised before anybody sits down, and opened when the game is over."""

import base64
import io
import re
import sqlite3

import pytest

from yegg import games
from yegg.engine import CHANCE, notation
from yegg.engine.promised import Earlier, judge, pledged, promise
from yegg.table.domain.dice import promised_for
from yegg.table.render.html_view import living
from yegg.table.render.json_view import as_json

from .conftest import Player, finish

SS = "second-story"
USUAL = [
    pytest.param(
        name,
        next(n for n in games.find(name).seats({}) if n > 1),
        marks=[] if name in (SS, "secrets") else [pytest.mark.wide],
    )
    for name in games.names()
]


def dice(person):
    return person.get(f"/api/games/{person.key}/dice").json()


def record(person):
    return person.get(f"/api/games/{person.key}/record").text


def verdict(text, *earlier):
    (match, pledge), *before = [
        Earlier(notation.read(io.BytesIO(one.encode()), "a.game", games.find), pledged(one, "a"))
        for one in (text, *earlier)
    ]
    return judge(match, pledge, earlier=before)


def seat(client, person):
    """The table in the server's memory."""
    return client.app.state.registry.table(person.key)


def test_the_promise_stands_before_anybody_sits_down_and_is_kept(somebody):
    ann, ben = somebody(0).open(SS, ["open", "open"], options={"chips": "3"}), somebody(1)
    first = dice(ann)
    assert re.fullmatch(r"[0-9a-f]{64}", first["promise"])
    assert (first["early"], first["salts"], first["seed"]) == (True, {}, None)
    assert ann.join(ann.key, salt="from-Ann").status_code == 200
    assert dice(ann)["salts"] == {}, "whoever comes last must not see the others' salts before"
    assert ben.join(ann.key, salt="from-Ben").status_code == 200
    salts = {str(p.table["seat"]): f"from-{name}" for p, name in ((ann, "Ann"), (ben, "Ben"))}
    assert dice(ann) == {**first, "salts": salts}
    going = record(ann).splitlines()[:4]
    assert going[:2] == ["# dice: yegg dice 1", f"# promise: {first['promise']}"]
    assert not any("seed" in line for line in going)
    finish([ann, ben])
    opened = dice(ben)
    assert (opened["promise"], opened["salts"]) == (first["promise"], salts)
    assert promise(bytes.fromhex(opened["seed"])) == first["promise"]
    found = verdict(record(ann))
    assert found.faults == []
    assert found.checked == found.chance == len(opened["draws"]) > 3


def test_salts_are_sealed_when_the_game_begins(somebody):
    ann, ben, cid = somebody(0).open(SS, ["me", "open"], salt="one"), somebody(1), somebody(2)
    assert ben.join(ann.key, salt="gone").status_code == 200
    sealed = dice(ann)["salts"]
    assert set(sealed.values()) == {"one", "gone"}
    ben.post(f"/api/games/{ben.key}/leave")
    assert cid.join(ann.key, salt="too-late").status_code == 200
    assert dice(cid)["salts"] == sealed


def test_whoever_leaves_before_the_game_takes_their_salt_along(somebody):
    ann, ben = somebody(0).open(SS, ["me", "open", "open"], salt="one"), somebody(1)
    ben.join(ann.key, salt="two")
    ben.post(f"/api/games/{ben.key}/leave")
    for person in (somebody(2), somebody(3)):
        assert person.join(ann.key).status_code == 200
    assert list(dice(ann)["salts"].values()) == ["one"]


@pytest.mark.parametrize("salt", ["a b", "x" * 65, "1\n2"])
def test_what_cannot_be_salt_is_refused(somebody, salt):
    ann = somebody().open(SS, ["me", "open"])
    answer = somebody(1).join(ann.key, salt=salt)
    assert answer.status_code in (400, 422)
    assert somebody(1).post("/api/games", {"game": SS, "seats": ["me", "open"], "salt": salt}
                            ).status_code in (400, 422)  # fmt: skip


def test_the_same_dice_come_after_a_restart(party, restarted):
    people = party(SS, 2, options={"chips": "3"})
    for _ in range(4):
        for person in people:
            person.act()
    before = dice(people[0])
    restarted(*people)
    assert dice(people[0]) == before
    finish(people)
    assert verdict(record(people[0])).faults == []


def shapes(seed):
    """A seed in all ways in which it could be written."""
    raw = bytes.fromhex(seed)
    yield from (raw, raw[::-1], seed.encode(), seed.upper().encode())
    yield from (base64.b64encode(raw)[:40], base64.urlsafe_b64encode(raw)[:40])
    yield str(int.from_bytes(raw)).encode()


@pytest.mark.parametrize(("name", "players"), USUAL)
def test_the_seed_is_sent_to_nobody_before_the_end(client, party, somebody, name, players):
    """Every answer and all that streams carry, to each seat and to whoever watches."""
    people = party(name, players, odds=True)
    guest = somebody(9)
    guest.key = people[0].key
    table = seat(client, guest)
    secret = table.dice.seed.hex()
    looks = ("", "/dice", "/record", "/odds")
    pages = ("", "/dice", "/record", "/now", "/steps")
    for step in range(4000):
        if table.now.over:
            break
        if step % 120 == 0:
            for person in [*people, guest]:
                for look in looks:
                    person.get(f"/api/games/{person.key}{look}")
                for page in pages:
                    person.get(f"/t/{person.key}{page}")
                person.get("/api/lobby"), person.get("/api/me"), person.get("/")
            for who in range(-1, players):
                guest.bytes += as_json(table, who) + living(table, who)
        for person in people:
            sent = len(person.bytes)
            person.act()
            if table.now.over:  # what came after it may hold the seed
                person.bytes = person.bytes[:sent]
                break
    assert table.now.over
    for person in [*people, guest]:
        assert len(person.bytes) > 10_000
        for shape in shapes(secret):
            assert shape not in person.bytes
    assert secret in record(guest), "now everybody may know it"
    assert secret == dice(guest)["seed"]


def test_nothing_says_the_seed_by_accident(client, somebody):
    ann = somebody().open(SS, ["me", "open"])
    table = seat(client, ann)
    assert table.dice.seed.hex() not in repr((table.dice, table.dice.pledge(table.now)))
    assert repr(table.dice.seed) not in repr(table.dice)


# By forms


@pytest.fixture
def form(client):
    """Send a form as a browser without scripts does."""
    client.cookies.set("yegg-name", "Ann")
    csrf = re.search(r'name="csrf" content="(\w*)"', client.get("/").text)[1]
    return lambda path, **fields: client.post(path, data={"csrf": csrf, **fields})


def offered(client):
    """The ticket and the promise of the lobby."""
    page = client.get("/").text
    ticket = re.search(r'name="ticket" value="([^"]*)"', page)[1]
    return ticket, re.search(r'data-promise="(\w{64})"', page)[1]


def test_the_lobby_promises_the_dice_of_the_table_that_is_opened_next(client, form):
    ticket, there = offered(client)
    assert offered(client) != (ticket, there), "everybody gets another one"
    made = form("/open", play=SS, ticket=ticket, salt="by-hand")
    key = str(made.url).partition("/t/")[2][:22]
    seen = client.get(f"/api/games/{key}/dice").json()
    assert (seen["promise"], seen["early"]) == (there, True)
    assert list(seen["salts"].values()) == ["by-hand"]
    assert "These dice were sealed before you sat down" in made.text
    assert f"/t/{key}/dice" in made.text


def test_a_ticket_is_good_for_one_table(client, form):
    ticket, there = offered(client)
    made = [form("/open", play=SS, ticket=ticket) for _ in range(3)]
    keys = [str(one.url).partition("/t/")[2][:22] for one in made]
    seen = [client.get(f"/api/games/{key}/dice").json() for key in keys]
    assert [one["promise"] == there for one in seen] == [True, False, False]
    assert [one["early"] for one in seen] == [True, False, False]
    assert len({one["promise"] for one in seen}) == 3
    assert "These dice were sealed when the table was opened" in made[1].text


@pytest.mark.parametrize("ticket", ["x" * 23, "../../etc/passwd", "ä" * 22])
def test_what_is_no_ticket_is_none(client, form, ticket):
    key = str(form("/open", play=SS, ticket=ticket).url).partition("/t/")[2][:22]
    assert not client.get(f"/api/games/{key}/dice").json()["early"]


def test_a_ticket_says_nothing_of_its_seed(client):
    """It is the key of an HMAC with 256 secret bits that opens it, not the ticket."""
    ticket, there = offered(client)
    secret = client.app.state.registry.secret_of_dice
    assert re.fullmatch(r"[0-9a-f]{64}", secret)
    assert promised_for(ticket, secret).promise == there
    assert promised_for(ticket, "00" * 32).promise != there
    assert len(promised_for(ticket, secret).seed) == 32


def test_somebody_sits_down_by_form_with_salt(client, form):
    ben = Player(client, client.post("/api/tokens").json()["token"]).open(SS, ["me", "open"])
    page = client.get(f"/t/{ben.key}").text
    assert dice(ben)["promise"] in page, "it is shown before one sits down"
    assert form(f"/t/{ben.key}/join", seat="", salt="a b").status_code == 422
    form(f"/t/{ben.key}/join", salt="by-hand")
    assert "by-hand" in dice(ben)["salts"].values()


def test_the_page_tells_each_step_and_what_is_not_proven(client, somebody):
    ann = somebody().open(SS, ["me", "uniform"], options={"chips": "3"}, salt="one")
    page = ann.get(f"/t/{ann.key}/dice").text
    assert "It is shown when the game is over" in page
    assert "What this does not prove" in page
    while not ann.table["over"]:
        ann.act()
    page, seen = ann.get(f"/t/{ann.key}/dice").text, dice(ann)
    rows = re.findall(r'<tr data-event="(\d+)">', page)
    assert rows == [str(draw["event"]) for draw in seen["draws"]]
    assert f"all {len(rows)} dice and cards follow from it" in page
    assert 'class="bad"' not in page
    twisted = {**seen, "draws": [dict(draw) for draw in seen["draws"]]}
    draw = next(draw for draw in twisted["draws"] if len(draw["texts"]) > 1)
    table = seat(client, ann)
    table.parts["dice"].draws[seen["draws"].index(draw)].drawn ^= 1
    del table.parts["worked out"]
    assert "something else came than had to come" in ann.get(f"/t/{ann.key}/dice").text


def test_a_game_without_chance_says_so(somebody):
    ann = somebody().open("secrets", ["me", "open", "open"])
    assert "Nothing is left to chance" in ann.get(f"/t/{ann.key}/dice").text
    assert 'id="dice"' not in ann.get(f"/t/{ann.key}").text


# Other ways to a table


def test_a_rematch_has_dice_of_its_own(party):
    people = party(SS, 2, options={"chips": "3"})
    finish(people)
    then = dice(people[0])
    refused = people[0].post(f"/api/games/{people[0].key}/again", {"salt": "no spaces"})
    assert refused.status_code == 422
    salts = ["", "of-my-own"]
    for person, salt in zip(people, salts, strict=True):
        wish = {"salt": salt} if salt else None
        person.key = person.post(f"/api/games/{person.key}/again", wish).json()["id"]
    now = dice(people[0])
    assert now["salts"] == {str(people[1].table["seat"]): "of-my-own"}
    assert now["promise"] != then["promise"]
    assert (now["seed"], now["after"], now["early"]) == (None, 0, False)
    finish(people)
    assert verdict(record(people[1])).faults == []


def test_whoever_goes_on_from_a_position_is_promised_only_what_comes(party):
    people = party(SS, 2, options={"chips": "3"})
    finish(people)
    ann = people[0]
    opened, told = dice(ann), record(ann)
    events = told.splitlines()
    answer = ann.post(f"/api/games/{ann.key}/fork", {"at": 9, "bot": "uniform", "salt": "new"})
    ann.key = answer.json()["id"]
    now = dice(ann)
    assert now["after"] == 9
    assert now["promise"] != opened["promise"], "that seed is known already"
    page = ann.get(f"/t/{ann.key}/dice").text
    assert opened["promise"] in page
    assert "The first 9 events of this game were played before this promise" in page
    while not ann.table["over"]:
        ann.act()
    text = record(ann)
    found = verdict(text, told)
    assert found.faults == []
    assert found.checked < found.checked + found.elsewhere == found.chance
    (fault,) = verdict(text).faults
    assert f"under {opened['promise']}, and no record of that promise was given" in fault.why
    assert now["origin"] == opened["promise"]
    start = events.index("") + 1
    lines = text.splitlines()
    first = lines.index("") + 1
    assert lines[first : first + 9] == events[start : start + 9]
    assert all(draw["event"] > 9 for draw in dice(ann)["draws"])


def test_a_table_of_before_goes_on_with_dice_that_nobody_promised(party, settings, restarted):
    people = party(SS, 2, options={"chips": "3"})
    for person in people:
        person.act()
    disk = sqlite3.connect(settings.db.removeprefix("sqlite:///"))
    with disk:
        disk.execute("DELETE FROM dice")
    disk.close()
    client = restarted(*people)
    assert dice(people[0])["promise"] is None
    assert "Nobody promised these dice" in client.get(f"/t/{people[0].key}/dice").text
    assert "Nobody promised these dice" in people[0].get(f"/t/{people[0].key}").text
    finish(people)
    text = record(people[0])
    assert re.match(r"# dice: not promised\n# rules: version \d\ngame: ", text)
    assert verdict(text).faults[0].why == "nobody promised the dice of this record"
    match = notation.read(io.BytesIO(text.encode()), "a.game", games.find)
    assert match.actors.count(CHANCE) > 3
