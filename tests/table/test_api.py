"""The table over HTTP: what is allowed, and how each wrong request is answered."""

import re

import pytest

from .people import SS, TWO, Player, finish, refused, whose


def test_a_game_is_played_to_its_end_by_two_people(party, somebody):
    people = party(SS, 2, options={"chips": 3})
    finish(people)
    one, late = people[0], somebody()
    assert sorted(one.table["places"]) in ([1, 2], [1, 1])
    assert "places: " in one.record
    assert " -\n" not in one.record
    refused(late.join(one.key), 409)
    refused(one.choose("stop"), 409)


def test_a_view_names_the_position_and_what_is_legal(somebody, party):
    table = somebody().open().table
    assert not table["begun"]
    assert table["choices"] == []
    people = party(SS, 2)
    assert [person.seat for person in people] == [1, 2]
    table = whose(people)[0].table
    position = table["position"]
    assert len(position["bank"]) == 6
    chips = sum(position["bank"]) + sum(position["bag"]) + sum(map(sum, position["lair"]))
    assert chips == 60
    assert set(table["choices"][0]) == {"choice", "text"}


@pytest.mark.parametrize("how", ["choice", "text"])
def test_a_choice_is_made_by_number_or_text_and_sent_twice_it_is_made_once(party, how):
    actor, _ = whose(party(SS, 2))
    table = actor.table
    choice = table["choices"][0][how]
    assert actor.choose(choice, table["number"]).status_code == 200
    again = actor.choose(choice, table["number"])
    assert again.status_code == 409
    assert again.json()["number"] > table["number"]


def test_a_choice_out_of_turn_or_for_another_position_is_refused(party):
    actor, other = whose(party(SS, 2))
    for after in (0, 10_000):
        answer = actor.choose("thorough", after)
        assert answer.status_code == 409
        assert answer.json()["number"] == actor.table["number"]
    refused(other.choose("thorough"), 422, "Waiting for Guest")


def test_an_illegal_choice_is_told_clause_and_reason(party):
    """At most openings nobody may stop: a house must be faced first.  A Crown may be robbed."""
    for _ in range(20):
        actor, _ = whose(party(SS, 2))
        legal = [choice["text"] for choice in actor.table["choices"]]
        if "stop" not in legal:
            break
    answer = actor.choose("stop")
    refused(answer, 422)
    assert (answer.json()["clause"], answer.json()["legal"]) == ("SS-18", legal)


def test_a_stranger_neither_acts_nor_sees_a_hand(client, party):
    one, *_ = party(SS, 2)
    stranger = Player(client, client.post("/api/tokens").json()["token"], key=one.key)
    assert stranger.seat is None
    for person in (stranger, Player(client, key=one.key)):
        assert person.choose("thorough").status_code == 401
        assert person.do("undo").status_code == 401


def test_a_seat_that_is_taken_is_refused_and_a_full_table_is_for_watching(somebody):
    first, second, third, late = (somebody() for _ in range(4))
    first.open(SS, ["me", "open", "open"])
    assert second.join(first.key, seat=2).status_code == 200
    refused(third.join(first.key, seat=2), 409, "free: 3")
    assert third.join(first.key, seat=3).status_code == 200
    refused(late.join(first.key, seat=2), 409, "taken")
    refused(late.join(first.key), 409, "all seats are taken; you may watch")
    refused(first.join(first.key), 409)
    late.key = first.key
    assert late.table["begun"]
    assert late.seat is None


def test_an_unknown_table_or_game(somebody):
    me = somebody()
    assert me.get("/api/games/" + "x" * 22).status_code == 404
    assert me.get("/api/games/short").status_code == 400
    refused(me.post("/api/games", TWO | {"game": "chess"}), 422, "second-story")


@pytest.mark.parametrize(
    "wish",
    [
        {"seats": ["me"]},
        {"seats": ["me", "nobody-knows-this-bot"]},
        {"seats": ["me", "me"]},
        {"options": {"dragons": "yes"}},
        {"options": {"chips": "99"}},
        {"you": "a,b"},
        {"you": "a\x00b"},
        {"you": "  "},
    ],
)
def test_an_impossible_table_is_refused(somebody, wish):
    assert refused(somebody().post("/api/games", TWO | wish), 422, " ")


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"game": SS},
        TWO | {"seats": "me"},
        TWO | {"seats": []},
        TWO | {"game": 3},
        TWO | {"more": 1},
        TWO | {"seats": ["me"] * 17},
        TWO | {"you": "x" * 41},
        TWO | {"shuffled": 1},
        [],
        None,
    ],
)
def test_an_invalid_body_is_refused_with_the_field(somebody, wish):
    answer = somebody().post("/api/games", wish)
    refused(answer, 400)
    assert re.search("Expected|missing|unknown", answer.json()["why"])


def test_same_names_are_told_apart(somebody):
    first = somebody().open(you="Ann")
    somebody().join(first.key, you="Ann")
    assert [seat["name"] for seat in first.table["seats"]] == ["Ann", "Ann (2)"]
    guest = somebody().open()
    somebody().join(guest.key)
    assert [seat["name"] for seat in guest.table["seats"]] == ["Guest", "Guest (2)"]


def test_undo_takes_back_only_the_own_last_choice(party):
    people = party(SS, 2)
    refused(whose(people)[0].do("undo"), 409)  # chance was last
    for _ in range(300):
        actor, _ = whose(people)
        table = actor.table
        texts = [choice["text"] for choice in table["choices"]]
        if any(text.startswith("take") for text in texts):
            break
        actor.act()
    assert actor.choose(texts[0]).status_code == 200
    assert actor.do("undo").status_code == 200
    after = actor.table
    assert after["position"] == table["position"]
    assert after["choices"] == table["choices"]
    assert after["number"] == table["number"] + 2, "numbers only grow"


@pytest.mark.parametrize("path", ["/api/games/{}", "/t/{}/now"])
def test_asking_again_without_news_gives_304(somebody, client, path):
    me = somebody().open()
    path = path.format(me.key)
    first = me.get(path)
    asked = {**me.headers, "If-None-Match": first.headers["etag"]}
    again = client.get(path, headers=asked)
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    other = client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200, "those who watch see something else"
    somebody(1).join(me.key)
    assert client.get(path, headers=asked).status_code == 200


def test_the_lobby_shows_open_tables_and_mine(fresh, somebody):
    me, hidden = somebody().open(), somebody().open(listed=False)
    shown = me.get("/api/lobby").json()
    assert [table["id"] for table in shown["tables"]] == [me.key]
    assert [table["id"] for table in shown["mine"]] == [me.key]
    assert [table["id"] for table in hidden.get("/api/lobby").json()["mine"]] == [hidden.key]
