"""The table over HTTP: what is allowed, and how each wrong request is answered."""

import re

import pytest

from .conftest import Player, finish

SS = "second-story"


def ss(somebody, *seats, **more):
    return somebody().open(SS, list(seats), **more)


def test_a_game_is_played_to_its_end_by_two_people(party):
    people = party(SS, 2, options={"chips": 3})
    finish(people)
    table = people[0].table
    assert table["over"]
    assert sorted(table["places"]) in ([1, 2], [1, 1])
    record = people[0].get(f"/api/games/{people[0].key}/record").text
    assert "places: " in record
    assert " -\n" not in record


def test_a_view_names_the_position_and_what_is_legal(somebody, party):
    table = ss(somebody, "me", "open").table
    assert not table["begun"]
    assert table["choices"] == []
    people = party(SS, 2)
    assert [person.table["seat"] for person in people] == [1, 2]
    table = next(person for person in people if person.table["choices"]).table
    position = table["position"]
    assert len(position["bank"]) == 6
    chips = sum(position["bank"]) + sum(position["bag"]) + sum(map(sum, position["lair"]))
    assert chips == 60
    assert set(table["choices"][0]) == {"choice", "text"}


def test_a_choice_is_made_by_text_or_by_number(party):
    one, two = party(SS, 2)
    actor = one if one.table["choices"] else two
    choice = actor.table["choices"][0]
    assert actor.choose(choice["choice"]).status_code == 200


def test_sending_a_choice_twice_makes_it_once(party):
    people = party(SS, 2)
    actor = next(person for person in people if person.table["choices"])
    table = actor.table
    text = table["choices"][0]["text"]
    assert actor.choose(text, table["number"]).status_code == 200
    again = actor.choose(text, table["number"])
    assert again.status_code == 409
    assert again.json()["number"] > table["number"]


@pytest.mark.parametrize("after", [0, 10_000])
def test_a_choice_for_another_position_is_refused(party, after):
    people = party(SS, 2)
    actor = next(person for person in people if person.table["choices"])
    answer = actor.choose("thorough", after)
    assert answer.status_code == 409
    assert answer.json()["number"] == actor.table["number"]


def test_an_illegal_choice_is_told_clause_and_reason(party):
    """At most openings nobody may stop: a house must be faced first.  A Crown may be robbed."""
    for _ in range(20):
        people = party(SS, 2)
        actor = next(person for person in people if person.table["choices"])
        if "stop" not in [choice["text"] for choice in actor.table["choices"]]:
            break
    answer = actor.choose("stop")
    assert answer.status_code == 422
    body = answer.json()
    assert body["clause"] == "SS-18"
    assert body["legal"] == [choice["text"] for choice in actor.table["choices"]]


def test_a_player_out_of_turn_is_told_whose_turn_it_is(party):
    people = party(SS, 2)
    other = next(person for person in people if not person.table["choices"])
    answer = other.choose("thorough")
    assert answer.status_code == 422
    assert "Waiting for Guest" in answer.json()["why"]


def test_a_stranger_neither_acts_nor_sees_a_hand(client, party):
    one, *_ = party(SS, 2)
    stranger = Player(client, client.post("/api/tokens").json()["token"])
    stranger.key = one.key
    assert stranger.table["seat"] is None
    assert stranger.choose("thorough").status_code == 401
    nobody = Player(client)
    nobody.key = one.key
    assert nobody.choose("thorough").status_code == 401
    assert nobody.post(f"/api/games/{one.key}/undo").status_code == 401


def test_two_people_for_one_seat(somebody):
    first = ss(somebody, "me", "open")
    assert somebody().join(first.key, seat=2).status_code == 200
    late = somebody().join(first.key, seat=2)
    assert late.status_code == 409
    assert "taken" in late.json()["why"]


def test_a_seat_that_is_taken_is_refused_with_those_that_are_free(somebody):
    first = ss(somebody, "me", "open", "open")
    assert somebody().join(first.key, seat=2).status_code == 200
    answer = somebody().join(first.key, seat=2)
    assert answer.status_code == 409
    assert "free: 3" in answer.json()["why"]


def test_a_full_table_is_for_watching(party, somebody):
    people = party(SS, 2)
    late = somebody()
    answer = late.join(people[0].key)
    assert answer.status_code == 409
    assert "all seats are taken; you may watch" in answer.json()["why"]
    late.key = people[0].key
    assert late.table["begun"]
    assert late.table["seat"] is None


def test_nobody_sits_twice_or_in_a_game_that_is_over(party, somebody):
    people = party(SS, 2, options={"chips": 3})
    assert people[0].post(f"/api/games/{people[0].key}/join", {}).status_code == 409
    finish(people)
    assert somebody().join(people[0].key).status_code == 409
    assert people[0].choose("stop").status_code == 409


def test_an_unknown_table_or_game(somebody):
    me = somebody()
    assert me.get("/api/games/" + "x" * 22).status_code == 404
    assert me.get("/api/games/short").status_code == 400
    answer = me.post("/api/games", {"game": "chess", "seats": ["me"]})
    assert answer.status_code == 422
    assert "second-story" in answer.json()["why"]


@pytest.mark.parametrize(
    "wish",
    [
        {"game": SS, "seats": ["me"]},
        {"game": SS, "seats": ["me", "nobody-knows-this-bot"]},
        {"game": SS, "seats": ["me", "me"]},
        {"game": SS, "seats": ["me", "open"], "options": {"dragons": "yes"}},
        {"game": SS, "seats": ["me", "open"], "options": {"chips": "99"}},
        {"game": SS, "seats": ["me", "open"], "you": "a,b"},
        {"game": SS, "seats": ["me", "open"], "you": "a\x00b"},
        {"game": SS, "seats": ["me", "open"], "you": "  "},
    ],
)
def test_an_impossible_table_is_refused(somebody, wish):
    answer = somebody().post("/api/games", wish)
    assert answer.status_code == 422
    assert answer.json()["why"]


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"game": SS},
        {"game": SS, "seats": "me"},
        {"game": SS, "seats": []},
        {"game": 3, "seats": ["me"]},
        {"game": SS, "seats": ["me", "open"], "more": 1},
        {"game": SS, "seats": ["me"] * 17},
        {"game": SS, "seats": ["me", "open"], "you": "x" * 41},
        {"game": SS, "seats": ["me", "open"], "shuffled": 1},
        [],
        None,
    ],
)
def test_an_invalid_body_is_refused_with_the_field(somebody, wish):
    answer = somebody().post("/api/games", wish)
    assert answer.status_code == 400
    assert re.search("Expected|missing|unknown", answer.json()["why"])


def test_a_body_of_megabytes(client, party):
    one, *_ = party(SS, 2)
    huge = '{"choice": "' + "x" * 3_000_000 + '", "after": 1}'
    answer = client.post(f"/api/games/{one.key}/choices", content=huge, headers=one.headers)
    assert answer.status_code == 413
    assert one.table["begun"]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "🦊🦊", "'\"&<b>", "{{ 7*7 }}"])
def test_hostile_names_are_names(client, somebody, name):
    me = ss(somebody, "me", "uniform", you=name)
    assert me.table["seats"][0]["name"] == name
    page = client.get(f"/t/{me.key}").text
    assert "<script>alert" not in page
    assert "'\"&<b>" not in page
    assert ">49" not in page


def test_same_names_are_told_apart(somebody):
    first = ss(somebody, "me", "open", you="Ann")
    other = somebody()
    other.join(first.key, you="Ann")
    assert [seat["name"] for seat in first.table["seats"]] == ["Ann", "Ann (2)"]


def test_undo_takes_back_only_the_own_last_choice(party):
    people = party(SS, 2)
    actor = next(person for person in people if person.table["choices"])
    before = actor.table
    assert actor.post(f"/api/games/{actor.key}/undo").status_code == 409, "chance was last"
    for _ in range(300):
        table = actor.table
        texts = [choice["text"] for choice in table["choices"]]
        if any(text.startswith("take") for text in texts):
            assert actor.choose(texts[0]).status_code == 200
            assert actor.post(f"/api/games/{actor.key}/undo").status_code == 200
            after = actor.table
            assert after["position"] == table["position"]
            assert after["choices"] == table["choices"]
            assert after["number"] == table["number"] + 2, "numbers only grow"
            return
        for person in people:
            if person.act():
                actor = next(p for p in people if p.table["choices"])
                break
    raise AssertionError(before)


def test_a_seat_is_handed_to_a_bot_and_taken_back(party):
    one, two = party(SS, 2)
    assert two.post(f"/api/games/{one.key}/hand", {"bot": "nobody"}).status_code == 422
    assert two.post(f"/api/games/{one.key}/hand", {"bot": "uniform"}).status_code == 200
    assert one.table["seats"][1]["bot"] == "uniform"
    assert two.post(f"/api/games/{one.key}/hand", {"bot": None}).status_code == 200
    assert one.table["seats"][1]["bot"] is None
    assert two.table["seat"] == 2


def test_a_seat_is_left_and_taken_by_another(party, somebody):
    one, two = party(SS, 2)
    assert two.post(f"/api/games/{one.key}/leave").status_code == 200
    assert two.table["seat"] is None
    third = somebody()
    assert third.join(one.key, you="Third").status_code == 200
    assert third.table["seat"] == 2
    assert one.table["begun"]


def test_asking_again_without_news_gives_304(party):
    one, _ = party(SS, 2)
    first = one.get(f"/api/games/{one.key}")
    headers = {**one.headers, "If-None-Match": first.headers["etag"]}
    again = one.client.get(f"/api/games/{one.key}", headers=headers)
    assert (again.status_code, again.content) == (304, b"")


def test_the_lobby_shows_open_tables_and_mine(client, somebody):
    me = ss(somebody, "me", "open")
    hidden = ss(somebody, "me", "open", listed=False)
    shown = me.get("/api/lobby").json()
    assert [table["id"] for table in shown["tables"]] == [me.key]
    assert [table["id"] for table in shown["mine"]] == [me.key]
    assert [table["id"] for table in hidden.get("/api/lobby").json()["mine"]] == [hidden.key]


def test_every_answer_carries_the_security_headers(client):
    for path in ("/", "/api/lobby", "/nothing", "/static/table.js", "/api/games/bad"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_unknown_hosts_are_refused(client):
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    for host in ("localhost:8000", "192.168.1.7:8000", "[::1]:8000", "127.0.0.1"):
        assert client.get("/", headers={"Host": host}).status_code == 200


def test_a_cookie_alone_does_not_act(client, somebody):
    client.get("/")
    assert "yegg" in client.cookies
    answer = client.post("/api/games", json={"game": SS, "seats": ["me", "open"]})
    assert answer.status_code == 403
    assert client.post("/open", data={"play": SS}).status_code == 403
    assert client.post("/open", data={"play": SS, "csrf": "0" * 32}).status_code == 403


def test_a_forged_cookie_is_nobody_s(client, party):
    one, _ = party(SS, 2)
    client.cookies.set("yegg", f"{one.token}.{'0' * 32}")
    assert client.get(f"/api/games/{one.key}").json()["seat"] is None
    client.cookies.clear()


def test_a_game_that_is_not_installed_any_more_is_gone(client, party, settings):
    import sqlalchemy as sa

    one, _ = party(SS, 2)
    client.app.state.registry.tables.clear()
    engine = sa.create_engine(settings.db)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE games SET game = 'chess'"))
    answer = one.get(f"/api/games/{one.key}")
    assert answer.status_code == 410
    assert "plays chess, a game that is not here any more" in answer.json()["why"]
    assert client.get("/").status_code == 200
    engine.dispose()


def test_health_and_figures(client):
    assert client.get("/health").json()["ready"]
    assert "yegg_commit_seconds" in client.get("/metrics").text


def test_an_error_in_the_server_shows_no_traceback(client, party, monkeypatch):
    one, _ = party(SS, 2)
    from yegg.table.http.routes import api

    monkeypatch.setattr(api, "write", lambda *_, **__: 1 / 0)
    answer = client.get(f"/api/games/{one.key}/record")
    assert answer.status_code == 500
    assert "Zero" not in answer.text
    assert "Traceback" not in answer.text


def test_news_is_sent_again_only_when_there_is_some(somebody, client):
    me = somebody().open("second-story", ["me", "open"])
    first = client.get(f"/t/{me.key}/now", headers=me.headers)
    assert first.status_code == 200
    assert 'data-number="' in first.text
    asked = {**me.headers, "If-None-Match": first.headers["etag"]}
    assert client.get(f"/t/{me.key}/now", headers=asked).status_code == 304
    other = client.get(f"/t/{me.key}/now", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200, "those who watch see something else"
    somebody(1).join(me.key)
    assert client.get(f"/t/{me.key}/now", headers=asked).status_code == 200
