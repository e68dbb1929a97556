"""Puzzles at the table: what is asked is in the address, and only first tries are kept."""

import re
from datetime import date
from html import unescape

import pytest
import sqlalchemy as sa

from yegg import games
from yegg.lessons import puzzles
from yegg.table.domain.puzzle_tries import ENOUGH
from yegg.table.render.puzzles import today
from yegg.table.service.puzzle_tries import of_game, try_once
from yegg.table.storage.schema import puzzle_tries

from .devices import Device

GAME = games.find("second-story")
PUZZLE = puzzles(GAME)[0]
HERE = f"/puzzles/second-story/{PUZZLE.number}"
RIGHT, WRONG = PUZZLE.best.text, PUZZLE.next.text


@pytest.fixture
def visitor(client):
    return Device(client, name="Vera")


def panel(page):
    """What the panel says, in words."""
    part = re.search(r'<section id="teacher".*?</section>', page, re.DOTALL)
    return " ".join(unescape(re.sub("<[^>]+>", " ", part[0] if part else page)).split())


def test_a_puzzle_asks_and_tells_nothing(visitor):
    page = visitor.get(HERE).text
    assert "What would you do?" in panel(page)
    assert f"difficulty {PUZZLE.difficulty} of 5" in panel(page)
    assert "wins" not in panel(page)
    assert "data-ring" not in page
    assert f'value="{RIGHT}"' in page, "the choices are buttons"


def test_the_visitor_sits_where_the_decision_is(visitor):
    page = visitor.get(HERE).text
    assert f'data-seat="{PUZZLE.seat}"' in page
    assert "Your turn, Vera" in page


@pytest.mark.parametrize(("choice", "found"), [(RIGHT, "found"), (WRONG, "not found")])
def test_a_choice_is_answered_with_both_chances_and_the_reason(visitor, choice, found):
    answer = visitor.post(HERE, choice=choice)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{HERE}?choice={choice}")
    page = visitor.get(answer.headers["location"]).text
    said = panel(page)
    for worth in (PUZZLE.best, PUZZLE.next):
        assert f"wins {100 * worth.value:.0f} %" in said
        assert f"({100 * worth.low:.0f} to {100 * worth.high:.0f} %)" in said
    assert PUZZLE.why[WRONG] in said
    assert f"your first try: {found}" in said
    assert ("that is the best choice" in said) == (choice == RIGHT)
    assert re.search(rf'<button[^>]* value="{RIGHT}" data-ring', page), "the best one is ringed"
    assert f'href="{HERE[:-1]}{PUZZLE.number + 1}"' in page, "the next puzzle"


def test_only_the_first_try_counts(visitor, fresh):
    visitor.post(HERE, choice=WRONG)
    visitor.post(HERE, choice=RIGHT)
    rows = stored(fresh)
    assert [(row.game, row.puzzle, row.found) for row in rows] == [("second-story", 1, False)]


def test_looking_at_an_answer_is_no_try(visitor, fresh):
    visitor.get(f"{HERE}?choice={WRONG}")
    assert stored(fresh) == []
    assert "your first try" not in panel(visitor.get(HERE).text)


def stored(client):
    with client.app.state.registry.store.engine.connect() as connection:
        return list(connection.execute(sa.select(puzzle_tries)))


def test_after_enough_first_tries_people_take_the_place_of_the_difficulty(visitor, fresh):
    engine = fresh.app.state.registry.store.engine
    for many in range(ENOUGH):
        assert "difficulty" in panel(visitor.get(HERE).text) or many == ENOUGH
        with engine.begin() as connection:
            try_once(connection, "second-story", 1, f"person {many}", found=many % 3 == 0)
    said = panel(visitor.get(HERE).text)
    assert f"33 % of {ENOUGH} people found it" in said
    assert "difficulty" not in said
    with engine.connect() as connection:
        tries = of_game(connection, "second-story", "person 0")
    assert (tries[1].many, tries[1].found, tries[1].own) == (ENOUGH, ENOUGH // 3, True)


def test_who_is_forgotten_has_tried_nothing(visitor, fresh):
    visitor.open()
    visitor.post(HERE, choice=WRONG)
    assert len(stored(fresh)) == 1
    assert visitor.post("/me/forget").status_code == 303
    assert stored(fresh) == []


def test_whatever_is_sent_is_answered(visitor):
    for choice in ("* steals", "<b>" * 60, "stop", ""):
        answer = visitor.post(HERE, choice=choice)
        assert answer.status_code == 303, choice
        page = visitor.get(answer.headers["location"])
        assert page.status_code == 200
        assert "What would you do?" in panel(page.text), "it is still asked"
        assert "<b><b>" not in page.text
    assert visitor.post(HERE).status_code == 303


def test_a_script_gets_the_panel_and_the_position(visitor):
    data, head = {"csrf": visitor.csrf(), "choice": WRONG}, {"Accept": "application/json"}
    said = visitor.ask("POST", HERE, data=data, headers=head).json()
    assert (said["step"], said["address"], said["back"]) == (1, f"{HERE}?choice={WRONG}", False)
    assert "data-ring" in said["views"][0]
    assert "there is a better choice" in panel(said["teacher"])


def test_one_can_go_on_from_a_puzzle(visitor, client):
    there = visitor.post(f"{HERE}/play", you="Vera")
    key = there.headers["location"].removeprefix("/t/").partition("#")[0]
    table = client.app.state.registry.table(key)
    assert table.now.match.history[: len(PUZZLE.events)] == PUZZLE.match.history
    assert table.now.seats[PUZZLE.seat].name == "Vera"
    assert table.now.match.actor == PUZZLE.seat
    assert f'href="{HERE}"' in visitor.get(f"/t/{key}").text, "where it comes from"


def test_all_puzzles_are_listed_and_three_of_the_day(visitor):
    visitor.post(HERE, choice=RIGHT)
    page = visitor.get("/puzzles").text
    there = [name for name in games.names() if puzzles(games.find(name))]
    for name in there:
        for one in puzzles(games.find(name)):
            assert f'href="/puzzles/{name}/{one.number}"' in page
    assert page.count("day-puzzles") == len(there)
    assert f'class="dot done" href="{HERE}"' in page
    assert 'href="/puzzles"' in visitor.get("/").text, "the lobby leads there"


def test_a_page_can_take_in_the_puzzles_of_a_day():
    one = today([GAME, games.find("secrets")], date(2026, 11, 22), {})[0]
    assert one["game"] is GAME
    assert [puzzle["address"] for puzzle in one["puzzles"]] == [
        f"/puzzles/second-story/{puzzle['number']}" for puzzle in one["puzzles"]
    ]
    assert len(one["puzzles"]) == 3


def test_what_is_not_there_is_said(visitor):
    for path in ("/puzzles/chess/1", "/puzzles/second-story/0", "/puzzles/second-story/99999"):
        answer = visitor.get(path)
        assert answer.status_code == 404
        assert "there are" in unescape(answer.text)
