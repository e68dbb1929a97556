"""A challenge: friends play the deal of a finished game, and all compare what they did."""

import random
import re

import pytest
from waiting import until

from yegg.players.thinking.plan import Plan
from yegg.table.service import coach, compiling

from .dealt import chance_of, events_of, finish, press, record, view
from .devices import Device

SS, SECRETS = "second-story", "secrets"
SEATS = {"seat1": "me", "seat2": "medium"}


@pytest.fixture
def ann(fresh):
    return Device(fresh)


@pytest.fixture
def ben(fresh):
    return Device(fresh, name="Ben")


def challenged(device, key):
    """The address of a challenge to friends by a finished game."""
    answer = device.post(f"/t/{key}/challenge")
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].startswith("/challenge/"), answer.headers["location"]
    return answer.headers["location"]


def take(device, link):
    """The table of a friend's one try."""
    answer = device.post(link)
    assert answer.status_code == 303, answer.text
    return re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]


@pytest.mark.parametrize("game", [SS, pytest.param(SECRETS, marks=pytest.mark.wide)])
def test_who_chooses_alike_has_the_same_game_against_the_same_bots(ann, ben, game):
    first = finish(ann, ann.open(game, **SEATS, seat3="medium"))
    own = finish(ben, take(ben, challenged(ann, first)))
    assert events_of(record(ben, own)) == events_of(record(ann, first))
    assert [seat["bot"] for seat in view(ben, own)["seats"]] == [None, "medium", "medium"]


def test_whoever_chooses_otherwise_has_the_dice_of_the_same_turn(ann, ben):
    first = finish(ann, ann.open(SS, **SEATS))
    own = finish(ben, take(ben, challenged(ann, first)), which=1)
    one, other = record(ann, first), record(ben, own)
    assert events_of(one) != events_of(other)
    assert chance_of(one)[0] == chance_of(other)[0]


def test_nobody_sees_the_first_game_before_their_own_is_over(ann, ben, fresh):
    first = finish(ann, ann.open(SS, **SEATS))
    assert ben.get(f"/t/{first}").status_code == 200
    link = challenged(ann, first)
    looks = ["", "/now", "/at/3", "/record", "/review", "/course", "/steps", "/marks", "/dice"]
    pages = [f"/t/{first}{what}" for what in looks]
    pages += [f"/api/games/{first}{what}" for what in ("", "/record", "/review", "/dice")]
    own = take(ben, link)
    press(ben, own)
    for path in pages:
        assert ben.get(path).status_code == 403, path
        assert fresh.get(path).status_code == 403, path
    for text in (ben.get(link).text, ben.get(f"/t/{own}").text, record(ben, own)):
        assert first not in text
        assert "# key:" not in text
    assert Device(fresh, name="Cy").get(f"/t/{own}").status_code == 403
    finish(ben, own)
    assert ben.get(f"/t/{first}").status_code == 200
    assert ben.get(f"/api/games/{first}/record").status_code == 200
    assert ann.get(f"/t/{own}").status_code == 200
    assert first in ben.get(link).text


def test_everybody_has_one_try_and_the_link_is_made_once(ann, ben):
    first = finish(ann, ann.open(SS, **SEATS))
    link = challenged(ann, first)
    assert challenged(ann, first) == link
    own = take(ben, link)
    assert take(ben, link) == own
    finish(ben, own)
    assert take(ben, link) == own
    assert take(ann, link) == first, "who played first has had their try"
    assert challenged(ben, own) == link, "a friend sends the same link to others"


def test_all_who_played_stand_in_one_table(ann, ben, fresh):
    link = challenged(ann, finish(ann, ann.open(SS, **SEATS)))
    assert "No friend has finished yet." in ann.get(link).text
    finish(ben, take(ben, link), which=1)
    cy = Device(fresh, name="Cy")
    press(cy, take(cy, link))
    page = ann.get(link).text
    assert re.findall(r'<th scope="row">(\w+)', page)[:2] in (["Ann", "Ben"], ["Ben", "Ann"])
    assert "One more has begun." in page
    assert "Where you first chose differently" in page
    assert "You have begun" in cy.get(link).text


def test_the_coach_is_off_and_nobody_plays_on(ann, ben):
    own = take(ben, challenged(ann, finish(ann, ann.open(SS, **SEATS))))
    until(lambda: view(ben, own)["choices"])
    assert view(ben, own)["advice"] is False
    assert ben.get(f"/api/games/{own}/advice").status_code == 403
    for path, body in (("hand", {"bot": "medium"}), ("leave", {})):
        assert ben.api(f"/api/games/{own}/{path}", body).status_code == 403
    assert ben.api(f"/api/games/{own}/undo").status_code in (200, 409)


def test_only_a_finished_game_of_one_s_own_against_bots_is_a_challenge(ann, ben):
    key = ann.open(SS, **SEATS)
    assert ann.api(f"/t/{key}/challenge").status_code == 409
    finish(ann, key)
    assert ben.api(f"/t/{key}/challenge").status_code == 401
    with_ben = ann.open(SS, seat1="me", seat2="open")
    ben.api(f"/api/games/{with_ben}/join", {"you": "Ben"})
    lot = random.Random(1)
    while not view(ann, with_ben)["over"]:
        for device in (ann, ben):
            if view(device, with_ben)["choices"]:
                press(device, with_ben, lot.randrange(9))
    refused = ann.api(f"/t/{with_ben}/challenge")
    assert (refused.status_code, "against bots alone" in refused.text) == (409, True)
    fork = ann.api(f"/api/games/{key}/fork", {"at": 3}).json()["id"]
    finish(ann, fork)
    assert ann.api(f"/t/{fork}/challenge").status_code == 409


def test_it_goes_on_the_same_after_a_restart(settings, fresh, ann, ben, restarted):
    first = finish(ann, ann.open(SS, **SEATS))
    whole = events_of(record(ann, first))
    link = challenged(ann, first)
    own = take(ben, link)
    for _ in range(3):
        press(ben, own)
    fresh.__exit__(None, None, None)
    cy = Device(restarted(ann, ben), name="Cy")
    assert cy.get(f"/t/{first}").status_code == 403
    finish(ben, own)
    assert events_of(record(ben, own)) == whole


@pytest.mark.parametrize("link", ["/challenge/" + "a" * 22, "/challenge/a"])
def test_a_link_that_is_cut_off_says_so(ann, link):
    assert ann.get(link).status_code in (400, 404)


def test_luck_and_choices_stand_side_by_side(ann, ben, fresh, monkeypatch):
    compiling.warm(SS, coach.COACH)
    for done in fresh.app.state.registry.thinkers.compiling.ask((SS, coach.COACH)):
        done.result(timeout=30)
    monkeypatch.setattr(coach, "REVIEW", Plan(iterations=100))
    link = challenged(ann, finish(ann, ann.open(SS, **SEATS)))
    finish(ben, take(ben, link), which=1)
    until(lambda: "The chance to win from the first event" in ben.get(link).text)
    page = ben.get(link).text
    assert len(re.findall(r'class="line p[12]" d="M0.0', page)) == 2, "a curve for each game"
    assert "What luck gave" in page
    assert "Given away" in page
