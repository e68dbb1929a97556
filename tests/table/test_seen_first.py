"""What has just gone wrong is seen before play goes on: a failed roll in Second Story."""

import pytest

from yegg.engine.record import CHANCE
from yegg.games.second_story.face import face

from .browsing import moving_at, sit
from .moments import MOMENTS


def test_bots_wait_where_a_face_says_that_people_must_see_something_first(client, party):
    people = party("second-story", 2, options={"chips": "8"})
    table = client.app.state.registry.tables[people[0].key]
    waited = 0
    while not people[0].table["over"]:
        told = table.heard(-1, 80)
        night = told[-int(table.now.match.state.turned) :]
        decided = any(line.actor != CHANCE for line in night)
        assert not (decided and table.driver.look() > 1), "it has been seen already"
        assert table.driver.look() == face.pause(
            table.now.match.state, [line.event for line in told]
        )
        waited += table.driver.look() > 1
        any(person.act() for person in people)
    assert waited > 0


def test_bots_do_not_wait_where_there_is_no_such_thing(client, party):
    people = party("secrets", 3)
    assert client.app.state.registry.tables[people[0].key].driver.look() == 1


def moment(name):
    return next(m for m in MOMENTS if str(m) == f"second-story-{name}")


@pytest.mark.browser
def test_a_failed_roll_is_shown_before_the_next_night_and_stays_to_be_read(visitor, server):
    page = visitor(reduced_motion="no-preference")
    page.faults = []
    moves = moving_at(page, 0)
    sit(page, server, moment("failed"))
    page.wait_for_selector(".fall .rolled")
    assert page.inner_text(".fall").count("is detected!") == 1
    assert float(page.evaluate("getComputedStyle(document.querySelector('.turn')).opacity")) < 0.1
    moves.send("Animation.setPlaybackRate", {"playbackRate": 1})
    page.wait_for_selector(".fall", state="hidden")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('.turn')).opacity === '1'"
    )
    words = page.inner_text(".fallen")
    assert "was detected at" in words
    assert "was needed." in words


@pytest.mark.browser
def test_who_wants_no_motion_reads_it_at_once(visitor, server):
    page = visitor("phone")
    page.faults = []
    sit(page, server, moment("failed-twice"))
    assert page.locator(".fallen li").count() == 2
    assert page.locator(".fallen li").first.is_visible()
    assert not page.locator(".fall").first.is_visible()


@pytest.mark.browser
def test_the_chances_of_the_next_card_are_one_press_away(visitor, server):
    page = visitor()
    page.faults = []
    sit(page, server, moment("road"))
    assert not page.locator("#ahead table").is_visible()
    page.click("#ahead summary")
    assert "Ace" in page.inner_text("#ahead table")
    assert "The next house fails you" in page.inner_text("#act-continue")
