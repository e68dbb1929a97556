"""The deal of the day at the table: one try, sealed until the day is over, everybody's results."""

import io
import re
from datetime import date, timedelta

import pytest
import sqlalchemy as sa
from waiting import until

from yegg import games
from yegg.engine import Match, notation
from yegg.engine.daily_deal import check_deal, key_of, sealed
from yegg.engine.days import Standing, day_of, standing, streak
from yegg.players import Bot
from yegg.players.thinking.plan import Plan
from yegg.table.service import coach, compiling, deal_results
from yegg.table.service import deals as service
from yegg.table.storage.schema import deals
from yegg.table.storage.schema import games as games_of
from yegg.table.storage.uptime import Uptime, here

from .dealt import chance_of, finish, press, record, view
from .devices import Device

SS = "second-story"
DAY = 86_400_000  # ms


@pytest.fixture
def clock(monkeypatch):
    """A list of one number: so many ms later than in truth it is at the server."""
    noon = DAY // 2 - here() % DAY  # so that no test runs over midnight
    later = [noon]
    monkeypatch.setattr(Uptime, "read", lambda hours: here() + hours.ahead + later[0])
    return later


@pytest.fixture
def quiet(monkeypatch):
    """No bots play the deal as marks, which other tests are about."""
    monkeypatch.setattr(service, "LEVELS", ())


@pytest.fixture
def house(fresh, clock, quiet):
    return fresh


def registry(house):
    return house.app.state.registry


def key_today(house, game=SS):
    secret = registry(house).house.secret_of_deals
    return key_of(secret, day_of(registry(house).store.hours.now()), game)


def begin(device, game=SS):
    """Begin the deal of today; the table's key."""
    answer = device.post(f"/daily/{game}")
    assert answer.status_code == 303, answer.text
    return re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]


def finished(device, game=SS, which=0):
    return finish(device, begin(device, game), which)


def test_two_people_who_choose_alike_have_the_same_game(house):
    records = [record(ann, finished(ann)) for ann in (Device(house), Device(house, name="Ben"))]
    events = [text.split("\n\n")[1] for text in records]
    assert events[0] == events[1]
    assert chance_of(events[0])


def test_another_day_is_another_deal(house, clock):
    ann = Device(house)
    first = record(ann, finished(ann))
    clock[0] += DAY
    second = record(ann, finished(ann))
    assert chance_of(first) != chance_of(second)


def test_one_try_a_day(house):
    ann = Device(house)
    key = begin(ann)
    assert begin(ann) == key, "the second press leads back to the table"
    while not press(ann, key)["over"]:
        pass
    assert begin(ann) == key, "also when the game is over"


def test_it_goes_on_the_same_after_a_restart(settings, clock, quiet, fresh, restarted):
    ann, ben = Device(fresh), Device(fresh, name="Ben")
    whole = record(ann, finished(ann)).split("\n\n")[1]
    key = begin(ben)
    for _ in range(3):
        press(ben, key)
    fresh.__exit__(None, None, None)
    restarted(ann, ben)
    while not press(ben, key)["over"]:
        pass
    assert record(ben, key).split("\n\n")[1] == whole


def test_a_stranger_gets_nothing_of_a_deal_of_today(house, clock):
    ann, ben = Device(house), Device(house, name="Ben")
    key = finished(ann)
    looks = ["", "/now", "/at/3", "/record", "/review", "/course", "/steps", "/marks", "/dice"]
    pages = [f"/t/{key}{what}" for what in looks]
    pages += [f"/api/games/{key}{what}" for what in ("", "/record", "/review", "/dice", "/events")]
    for path in pages:
        assert ben.get(path).status_code == 403, path
        assert house.get(path).status_code == 403, path
    assert ann.get(f"/t/{key}/record").status_code == 200
    assert ann.get(f"/t/{key}/marks").status_code == 200
    clock[0] += DAY
    assert ben.get(f"/t/{key}").status_code == 200
    assert ben.get(f"/api/games/{key}/record").status_code == 200


def test_the_coach_is_off_and_nobody_else_plays_on(house):
    ann = Device(house)
    key = begin(ann)
    press(ann, key)
    until(lambda: view(ann, key)["choices"])
    assert ann.get(f"/api/games/{key}/advice").status_code == 403
    assert ann.get(f"/api/games/{key}/odds").status_code == 200
    assert view(ann, key)["advice"] is False
    for path, body in (("hand", {"bot": "medium"}), ("leave", {})):
        refused = ann.api(f"/api/games/{key}/{path}", body)
        assert (path, refused.status_code) == (path, 403)
    assert "coach-ask" not in ann.get(f"/t/{key}").text


def test_nobody_goes_on_from_a_deal_before_the_day_is_over(house, clock):
    ann = Device(house)
    key = finished(ann)
    body = {"at": 3}
    assert ann.api(f"/api/games/{key}/fork", body).status_code == 403
    clock[0] += DAY
    assert ann.api(f"/api/games/{key}/fork", body).status_code == 200


def test_no_byte_holds_the_key_before_midnight_and_the_record_agrees_with_it_afterwards(
    house, clock
):
    ann = Device(house)
    secret = key_today(house)
    key = finished(ann)
    day = day_of(registry(house).store.hours.now())
    seen = [
        ann.get(path)
        for path in (
            "/",
            "/daily",
            f"/daily/{SS}/{day}",
            f"/t/{key}",
            f"/t/{key}/dice",
            f"/api/games/{key}",
            f"/api/games/{key}/dice",
            f"/api/games/{key}/record",
        )
    ]
    for answer in seen:
        assert answer.status_code == 200, answer.url
        assert secret.hex() not in answer.text.lower()
        assert secret not in answer.content
    before = record(ann, key)
    assert sealed(before, "a").key is None
    assert sealed(before, "a").seal in ann.get("/daily").text
    clock[0] += DAY
    after = record(ann, key)
    assert sealed(after, "a").key == secret.hex()
    assert secret.hex() in ann.get(f"/daily/{SS}/{day}").text
    match = notation.read(io.BytesIO(after.encode()), "a", games.find, "plain")
    assert check_deal(match, sealed(after, "a")).faults == []


@pytest.fixture
def coached(house, monkeypatch):
    """The coach is compiled for Second Story, here, so that nobody waits for it."""
    compiling.warm(SS, coach.COACH)
    for done in registry(house).thinkers.compiling.ask((SS, coach.COACH)):
        done.result(timeout=30)
    monkeypatch.setattr(coach, "REVIEW", Plan(iterations=100))


def test_the_result_keeps_luck_and_choices_apart_and_is_kept(house, clock, coached):
    ann, ben = Device(house), Device(house, name="Ben")
    key = finished(ann)
    finished(ben, which=1)
    day = day_of(registry(house).store.hours.now())
    page = f"/daily/{SS}/{day}"
    until(lambda: "What luck gave you" in ann.get(page).text)
    text = ann.get(page).text
    assert "What you gave away" in text
    assert re.search(r"Second Story, \d+ \w+: (won|lost)", text)
    kept = sa.select(deals.c.looked).where(deals.c.name == SS)
    with registry(house).store.engine.connect() as connection:
        looked = [one for (one,) in connection.execute(kept) if one]
    assert len(looked) == 1
    assert looked[0]["gave"] >= 0
    clock[0] += DAY
    text = ben.get(page).text
    assert "The day is over" in text
    assert f"/t/{key}" in text or "did best" in text


def test_the_lobby_says_whether_the_deals_of_today_are_open_and_the_days_in_a_row(house, clock):
    ann = Device(house)
    assert "the same dice and cards for everybody, one try" in ann.get("/").text
    page = ann.get("/daily").text
    assert "Everybody gets the same dice and cards today" in page
    assert re.search(r"before midnight UTC, in \d+ (hour|minute)s?\.", page)
    assert "Yesterday" not in page, "they had no deal yesterday"
    finished(ann)
    assert "three of four open today; one day so far" in ann.get("/").text
    page = ann.get("/daily").text
    assert "One try at each." in page
    assert "Yesterday" in page
    assert "Everybody gets the same dice" not in page, "whoever has played knows that"
    clock[0] += DAY
    assert "all four open today: finish one, and it is two days in a row" in ann.get("/").text
    for game in games.names():
        assert ann.post(f"/t/{begin(ann, game)}/close").status_code == 303
    assert "you have played all; one day so far" in ann.get("/").text
    clock[0] += 3 * DAY
    assert "all four open today</span>" in ann.get("/").text


def test_who_has_not_played_today_sees_no_result(house):
    ann, ben = Device(house), Device(house, name="Ben")
    finished(ann)
    day = day_of(registry(house).store.hours.now())
    assert ben.get(f"/daily/{SS}/{day}").headers["location"] == "/daily"
    assert "One has finished today." in ben.get("/daily").text


@pytest.mark.parametrize("day", ["2999-01-01", "yesterday", "2026-1-1"])
def test_no_page_for_a_day_that_is_to_come(house, day):
    assert Device(house).get(f"/daily/{SS}/{day}").status_code == 404


def test_a_game_that_ends_too_late_does_not_count(house, clock):
    ann, day = Device(house), None
    key = begin(ann)
    day = day_of(registry(house).store.hours.now())
    clock[0] += DAY
    while not press(ann, key)["over"]:
        pass
    assert "This game does not count" in ann.get(f"/daily/{SS}/{day}").text
    assert "Nobody finished this deal." in ann.get(f"/daily/{SS}/{day}").text


def test_whoever_is_forgotten_leaves_their_result_without_a_name(house, clock):
    """So nobody's rank of the day changes when somebody goes."""
    ann, ben = Device(house), Device(house, name="Ben")
    finished(ann)
    assert ann.post("/me/forget", sure="yes").status_code < 400
    page = ben.get("/daily").text
    assert "One has finished today" in page


def test_results_are_read_once_and_of_others_only_what_is_new(house, clock, monkeypatch):
    read, kept = [], deal_results.tried
    monkeypatch.setattr(deal_results, "tried", lambda row: read.append(row.name) or kept(row))
    ann, ben = Device(house), Device(house, name="Ben")
    key = finished(ann)
    assert "One has finished today." in ben.get("/daily").text
    read.clear()
    assert "One has finished today." in ben.get("/daily").text
    assert read == []
    begin(ben)
    assert "You have begun." in ben.get("/daily").text
    assert read == [SS]
    finished(ben, which=1)
    read.clear()
    assert re.search("of the (2|two) who have finished", ann.get("/daily").text)
    assert read == [SS]
    clock[0] += DAY
    day = day_of(registry(house).store.hours.now() - DAY)
    assert re.search("(Ann|Ben) did best", ben.get(f"/daily/{SS}/{day}").text)
    for one in (ann, ben):
        assert one.post("/me/forget", sure="yes").status_code < 400
    page = Device(house).get(f"/daily/{SS}/{day}").text
    assert "did best" in page
    assert not re.search("(Ann|Ben) did best", page)
    assert house.get(f"/t/{key}").status_code == 200


def test_a_game_that_was_given_up_says_so_once_and_waits_for_nothing(house, clock):
    ann = Device(house)
    key = begin(ann)
    assert ann.post(f"/t/{key}/close").status_code == 303
    page = ann.get(f"/daily/{SS}/{day_of(registry(house).store.hours.now())}").text
    assert "This game does not count" in page
    assert "data-waits" not in page
    assert f"/t/{key}/review" not in page


def test_the_levels_play_it_once_in_the_persons_seat(fresh, clock):
    ann = Device(fresh)
    begin(ann)
    begin(ann)

    def rows():
        wanted = sa.select(deals.c.person).where(deals.c.person.like("level %"))
        with registry(fresh).store.engine.connect() as connection:
            return sorted(connection.scalars(wanted))

    until(lambda: rows() == ["level easy", "level hard", "level medium"])
    day = day_of(registry(fresh).store.hours.now())

    def finished_levels():
        found = called(fresh, registry(fresh).results.of, day, SS, None)
        return set(found.levels)

    assert until(lambda: {"easy", "medium"} <= finished_levels())


def test_bots_dice_follow_from_the_key_and_not_from_what_they_did_before(house, monkeypatch):
    monkeypatch.setattr(service, "OTHERS", "uniform")  # which always casts dice
    ann = Device(house)
    table = registry(house).tables[finished(ann)]
    match, again = table.now.match, Match(SS, games.find(SS).usual)
    compared = 0
    for actor, choice in zip(match.actors, match.history, strict=True):
        if actor > 0 and len(again.choices) > 1:
            bot = Bot("uniform", table.deal.mind(again, actor))
            assert bot.choose(again.view()) == choice
            compared += 1
        again.follow([choice])
    assert compared > 20


def called(client, what, *given):
    with client.portal() as portal:
        return portal.call(what, *given)


# Results in words and numbers


def test_standing_is_the_margin_to_the_best_rival():
    found = standing({"places": [2, 1, 3], "scores": [7, 9, 4]})
    assert found == Standing(2, -2)
    assert Standing(1, 0).rank > Standing(2, 0).rank > Standing(2, -1).rank


def test_a_streak_has_no_end(house):
    ann = Device(house)
    finished(ann)
    made = registry(house)
    today = date.fromisoformat(service.today(made.store))
    with made.store.engine.begin() as connection:
        head = connection.execute(sa.select(games_of)).mappings().one()
        mine = connection.execute(sa.select(deals)).mappings().one()
        for n in range(1, 200):
            day, ended = (today - timedelta(n)).isoformat(), head["ended"] - n * DAY
            of_day = {"id": 1000 + n, "key": f"key {n}", "ended": ended, "chance": f"deal {day}"}
            connection.execute(sa.insert(games_of).values(**(dict(head) | of_day)))
            connection.execute(
                sa.insert(deals).values(**(dict(mine) | {"game": 1000 + n, "day": day}))
            )
    assert "200 days in a row." in ann.get("/daily").text


def test_a_mark_of_a_level_counts_although_it_ends_after_midnight(house):
    """A bot has not seen the key, however late it is; a person's try does not count then."""
    finished(Device(house))
    made, day = registry(house), service.today(registry(house).store)
    with made.store.engine.begin() as connection:
        connection.execute(sa.update(games_of).values(ended=games_of.c.ended + DAY))
    assert called(house, made.results.of, day, SS, None).people == []
    with made.store.engine.begin() as connection:
        connection.execute(sa.update(deals).values(person="level easy"))
    made.results.kept.clear()  # no game of a person ever becomes a level's
    assert set(called(house, made.results.of, day, SS, None).levels) == {"easy"}


def test_a_streak_forgives_one_day_in_seven():
    november = [f"2026-11-{day:02}" for day in range(1, 31)]
    assert streak(november, "2026-11-30") == 30
    assert streak(november[:-1], "2026-11-30") == 29, "today is not over"
    assert (
        streak([d for d in november if d not in ("2026-11-10", "2026-11-17")], november[-1]) == 28
    )
    assert (
        streak([d for d in november if d not in ("2026-11-11", "2026-11-17")], november[-1]) == 18
    )
    assert streak([], "2026-11-30") == 0
