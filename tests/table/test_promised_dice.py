"""The dice of a table are fair, promised before anybody sits down, and opened after the game."""

import base64
import io
import re
import sqlite3

import pytest

from yegg import games
from yegg.engine import CHANCE, notation
from yegg.engine.promised import Earlier, check_dice, pledged, promise
from yegg.table.domain.dice import promised_for
from yegg.table.render.html_view import living
from yegg.table.render.json_view import as_json

from .devices import Device
from .people import SS, TWO, Player, finish

USUAL = [
    pytest.param(
        name,
        next(n for n in games.find(name).seats({}) if n > 1),
        marks=[] if name in (SS, "secrets") else [pytest.mark.wide],
    )
    for name in games.names()
]


def dice(person):
    return person.ask("dice").json()


def verdict(text, *earlier):
    (match, pledge), *before = [
        Earlier(notation.read(io.BytesIO(one.encode()), "a.game", games.find), pledged(one, "a"))
        for one in (text, *earlier)
    ]
    return check_dice(match, pledge, earlier=before)


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
    going = ann.record.splitlines()[:4]
    assert going[:2] == ["# dice: yegg dice 1", f"# promise: {first['promise']}"]
    assert not any("seed" in line for line in going)
    finish([ann, ben])
    opened = dice(ben)
    assert (opened["promise"], opened["salts"]) == (first["promise"], salts)
    assert promise(bytes.fromhex(opened["seed"])) == first["promise"]
    found = verdict(ann.record)
    assert found.faults == []
    assert found.checked == found.chance == len(opened["draws"]) > 3


def test_salts_are_sealed_when_the_game_begins(somebody):
    ann, ben, cid = somebody(0).open(salt="one"), somebody(1), somebody(2)
    assert ben.join(ann.key, salt="gone").status_code == 200
    sealed = dice(ann)["salts"]
    assert set(sealed.values()) == {"one", "gone"}
    ben.do("leave")
    assert cid.join(ann.key, salt="too-late").status_code == 200
    assert dice(cid)["salts"] == sealed


def test_whoever_leaves_before_the_game_takes_their_salt_along(somebody):
    ann, ben = somebody(0).open(SS, ["me", "open", "open"], salt="one"), somebody(1)
    ben.join(ann.key, salt="two")
    ben.do("leave")
    for person in (somebody(2), somebody(3)):
        assert person.join(ann.key).status_code == 200
    assert list(dice(ann)["salts"].values()) == ["one"]


def test_what_cannot_be_salt_is_refused(somebody):
    ann = somebody().open()
    for salt in ("a b", "x" * 65, "1\n2"):
        assert somebody(1).join(ann.key, salt=salt).status_code in (400, 422)
        assert somebody(1).post("/api/games", TWO | {"salt": salt}).status_code in (400, 422)


def test_the_same_dice_come_after_a_restart(party, restarted):
    people = party(SS, 2, options={"chips": "3"})
    for _ in range(4):
        for person in people:
            person.act()
    before = dice(people[0])
    restarted(*people)
    assert dice(people[0]) == before
    finish(people)
    assert verdict(people[0].record).faults == []


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
                guest.bytes += as_json(table.view(who)) + living(table.view(who))
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
    assert secret in guest.record, "now everybody may know it"
    assert secret == dice(guest)["seed"]


def test_nothing_says_the_seed_by_accident(client, somebody):
    ann = somebody().open()
    table = seat(client, ann)
    assert table.dice.seed.hex() not in repr((table.dice, table.dice.pledge(table.now)))
    assert repr(table.dice.seed) not in repr(table.dice)


# By forms


@pytest.fixture
def ann(client):
    return Device(client)


def offered(device):
    """The ticket and the promise of the lobby."""
    page = device.get("/").text
    ticket = re.search(r'name="ticket" value="([^"]*)"', page)[1]
    return ticket, re.search(r'data-promise="(\w{64})"', page)[1]


def opened(device, **fields):
    """The page of a table that is opened at once, and what is told of its dice."""
    path = device.post("/open", play=SS, **fields).headers["location"].partition("#")[0]
    return device.get(path).text, device.get(f"/api/games/{path[3:]}/dice").json()


def test_the_lobby_promises_the_dice_of_one_table_that_is_opened_next(ann):
    ticket, promise = offered(ann)
    assert offered(ann) != (ticket, promise), "everybody gets another one"
    page, told = opened(ann, ticket=ticket, salt="by-hand")
    assert (told["promise"], told["early"]) == (promise, True)
    assert list(told["salts"].values()) == ["by-hand"]
    assert "These dice were sealed before you sat down" in page
    assert 'href="/t/' in page
    for other in (ticket, "x" * 23, "../../etc/passwd", "ä" * 22):
        page, again = opened(ann, ticket=other)
        assert again["promise"] != promise
        assert not again["early"]
        assert "These dice were sealed when the table was opened" in page


def test_a_ticket_says_nothing_of_its_seed(client, ann):
    """It is the key of an HMAC with 256 secret bits that opens it, not the ticket."""
    ticket, there = offered(ann)
    secret = client.app.state.registry.secret_of_dice
    assert re.fullmatch(r"[0-9a-f]{64}", secret)
    assert promised_for(ticket, secret).promise == there
    assert promised_for(ticket, "00" * 32).promise != there
    assert len(promised_for(ticket, secret).seed) == 32


def test_somebody_sits_down_by_form_with_salt(client, ann):
    ben = Player(client).open()
    assert dice(ben)["promise"] in ann.get(f"/t/{ben.key}").text, "before one sits down"
    assert ann.post(f"/t/{ben.key}/join", you="Ann", salt="a b").status_code == 422
    assert ann.post(f"/t/{ben.key}/join", you="Ann", salt="by-hand").status_code == 303
    assert "by-hand" in dice(ben)["salts"].values()


def test_the_page_tells_each_step_and_what_is_not_proven(client, somebody):
    ann = somebody().open(SS, ["me", "uniform"], options={"chips": "3"}, salt="one")
    page = ann.page("/dice")
    assert "It is shown when the game is over" in page
    assert "What this does not prove" in page
    while not ann.table["over"]:
        ann.act()
    page, seen = ann.page("/dice"), dice(ann)
    rows = re.findall(r'<tr data-event="(\d+)">', page)
    assert rows == [str(draw["event"]) for draw in seen["draws"]]
    assert f"all {len(rows)} dice and cards follow from it" in page
    assert 'class="bad"' not in page
    twisted = {**seen, "draws": [dict(draw) for draw in seen["draws"]]}
    draw = next(draw for draw in twisted["draws"] if len(draw["texts"]) > 1)
    table = seat(client, ann)
    table.shown.known["dice"].draws[seen["draws"].index(draw)].drawn ^= 1
    del table.shown.known["worked out"]
    assert "something else came than had to come" in ann.page("/dice")


def test_a_game_without_chance_says_so(somebody):
    ann = somebody().open("secrets", ["me", "open", "open"])
    assert "Nothing is left to chance" in ann.page("/dice")
    assert 'id="dice"' not in ann.page()


# Other ways to a table


@pytest.mark.wide
def test_a_rematch_has_dice_of_its_own(party):
    people = party(SS, 2, options={"chips": "3"})
    finish(people)
    then = dice(people[0])
    assert people[0].do("again", salt="no spaces").status_code == 422
    for person, salt in zip(people, ({}, {"salt": "of-my-own"}), strict=True):
        person.key = person.do("again", **salt).json()["id"]
    now = dice(people[0])
    assert now["salts"] == {str(people[1].table["seat"]): "of-my-own"}
    assert now["promise"] != then["promise"]
    assert (now["seed"], now["after"], now["early"]) == (None, 0, False)
    finish(people)
    assert verdict(people[1].record).faults == []


@pytest.mark.wide
def test_whoever_goes_on_from_a_position_is_promised_only_what_comes(party):
    people = party(SS, 2, options={"chips": "3"})
    finish(people)
    ann = people[0]
    opened, told = dice(ann), ann.record
    events = told.splitlines()
    ann.key = ann.do("fork", at=9, bot="uniform", salt="new").json()["id"]
    now = dice(ann)
    assert now["after"] == 9
    assert now["promise"] != opened["promise"], "that seed is known already"
    page = ann.page("/dice")
    assert opened["promise"] in page
    assert "The first 9 events of this game were played before this promise" in page
    while not ann.table["over"]:
        ann.act()
    text = ann.record
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


@pytest.mark.wide
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
    assert "Nobody promised these dice" in people[0].page()
    finish(people)
    text = people[0].record
    assert re.match(r"# dice: not promised\n# rules: version \d\ngame: ", text)
    assert verdict(text).faults[0].why == "nobody promised the dice of this record"
    match = notation.read(io.BytesIO(text.encode()), "a.game", games.find)
    assert match.actors.count(CHANCE) > 3
