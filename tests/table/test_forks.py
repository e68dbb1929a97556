"""Going on from a position of a finished game: the new table begins with the events of then."""

import random

import pytest
from waiting import until

from yegg import games
from yegg.engine import Match
from yegg.table.refusals import HttpRefusal
from yegg.table.service.forks_and_rematches import unsealed, wish_to_go_on

from .devices import Device
from .people import SS, finish, refused


def played(game, players, seed=0, **options):
    """A game that was played at random to its end."""
    match, dice = Match(games.find(game), players, options), random.Random(seed)
    while not match.over:
        match.play(dice.choice(match.choices))
    return match


@pytest.fixture
def ended(fresh, party):
    people = party(SS, 2, options={"chips": "3"})
    finish(people)
    return people


def fork(person, at, **more):
    return person.do("fork", **{"at": at, "bot": "uniform"} | more)


def test_a_fork_replays_to_the_same_bytes_and_plays_to_its_end(ended, client):
    ann, _ = ended
    tables = client.app.state.registry
    old = tables.table(ann.key).now.match
    at = len(old.history) // 2
    new = fork(ann, at).json()["id"]
    tables.tables.clear()
    me = ann.at(new)
    assert me.seat == 1
    match = tables.table(new).now.match  # read from the disk
    assert match.history[:at] == old.history[:at]
    there, again = old.again(), match.again()
    there.follow(old.history[:at])
    again.follow(match.history[:at])
    assert again.states.tobytes() == there.states.tobytes()
    assert me.table["seats"][1]["bot"] == "uniform"
    assert me.table["origin"] == f"/t/{ann.key}?at={at}"
    until(lambda: me.act() or me.table["over"], lambda _: me.table["over"])
    assert len(tables.table(new).now.match.history) > at


@pytest.mark.parametrize("game", games.names())
def test_every_position_of_every_game_can_be_gone_on_from(game):
    match = played(game, games.find(game).usual)
    for at in range(0, len(match.history), 7):
        wish = wish_to_go_on(match, at, "Ann", [None] * match.players, "/t/x")
        assert len(wish.played) <= at
        assert [choice for _, choice in wish.played] == match.history[: len(wish.played)]
        if not match.game.secret:
            assert len(wish.played) == at
    with pytest.raises(HttpRefusal, match="over at this position"):
        wish_to_go_on(match, len(match.history), "Ann", [None] * match.players, "/t/x")


def test_se_2_it_is_cut_back_to_where_nobody_s_order_is_sealed():
    match = played("secrets", 3)
    ends = [at for at in range(len(match.history) + 1) if len(unsealed(match, at).history) == at]
    # A turn is written by three seats, then carried out: only between turns is nothing sealed.
    assert len(ends) == 6, ends
    assert (ends[0], ends[-1]) == (0, len(match.history))
    for at in range(len(match.history)):
        assert len(unsealed(match, at).history) == max(end for end in ends if end <= at)


def test_se_30_points_spread_in_secret_are_sealed_too():
    match = played("secrets", 3, hidden="yes", turns="2")
    ends = [at for at in range(len(match.history)) if len(unsealed(match, at).history) == at]
    turns = [next(i for i, c in enumerate(match.actors) if c == 0), *ends]
    assert len(ends) == 3, "before the points, and before each turn"
    assert turns[0] == 0


def test_a_hidden_card_that_chance_deals_is_no_order_under_seal():
    match = played("magnate", 2)
    assert all(len(unsealed(match, at).history) == at for at in range(0, len(match.history), 9))


def test_a_spectator_sits_where_somebody_is_to_act(ended, somebody, client):
    ann, _ = ended
    guest = somebody(9)
    guest.key = ann.key
    match = client.app.state.registry.table(ann.key).now.match
    at = next(i for i, actor in enumerate(match.actors) if actor == 1)
    answer = fork(guest, at, you="Cid").json()
    assert (answer["seat"], bool(answer["token"])) == (2, True)
    assert fork(guest, at, seat=1).json()["seat"] == 1


@pytest.mark.wide
def test_bots_play_on_where_they_played(somebody):
    ann = somebody().open(SS, ["me", "greedy", "uniform"], options={"chips": "3"})
    until(lambda: ann.act() or ann.table["over"], lambda _: ann.table["over"])
    new = ann.at(fork(ann, 5).json()["id"])
    assert [seat["bot"] for seat in new.table["seats"]] == [None, "greedy", "uniform"]
    listed = [table["id"] for table in ann.get("/api/lobby").json()["tables"]]
    assert new.key not in listed


def test_what_cannot_be_is_refused(party, ended):
    ann, _ = ended
    for more, status in [
        ({"at": 10**6}, 409),
        ({"at": -1}, 400),
        ({"at": "3"}, 400),
        ({"at": 3, "seat": 6}, 409),
        ({"at": 3, "bot": "nobody"}, 422),
        ({"at": 3, "bot": "exact"}, 422),
        ({"at": 3, "bot": "search:9999999"}, 422),
        ({"at": 3, "you": "a,b"}, 422),
        ({"at": 3, "origin": "/x"}, 400),
    ]:
        assert fork(ann, **more).status_code == status, more
    going, _ = party(SS, 2)
    refused(fork(going, 1), 409, "not over yet")


@pytest.mark.wide
def test_the_end_page_goes_on_by_a_plain_form(ended, client):
    key, device = ended[0].key, Device(client)
    page = device.get(f"/t/{key}?at=4").text
    assert '<input type="hidden" form="fork" name="at" id="fork-at" value="4">' in page
    answer = device.post(f"/t/{key}/fork", at="4")
    new = answer.headers["location"].partition("#")[0]
    assert new != f"/t/{key}"
    assert f'href="/t/{key}?at=4"' in device.get(new).text, "it says where it comes from"
    at_end = device.post(f"/t/{key}/fork", at="9999")
    assert at_end.status_code == 409
    assert "go on from an earlier one" in at_end.text
