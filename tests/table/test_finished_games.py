"""A finished game as pages show it: all cards open, positions, steps, and parts of a turn."""

import json
import re
from html import unescape

import pytest
from markupsafe import escape

from yegg import games
from yegg.contract.cases import EACH
from yegg.table.render import steps

from .people import SS, finish


def test_in_a_running_game_nobody_sees_through_another_s_eyes(party):
    people = party("magnate", 2)
    for address in ("?eyes=2", "?eyes=0", "/at/3", "/at/3?eyes=1", "/marks"):
        assert people[0].get(f"/t/{people[0].key}{address}").status_code == 409


@pytest.mark.wide
def test_in_a_finished_game_all_is_open(party):
    people = party("magnate", 2)
    finish(people)
    key, seen = people[0].key, {}
    for eyes in ("", "1", "2", "0"):
        answer = people[0].get(f"/t/{key}/at/20?eyes={eyes}")
        assert answer.status_code == 200
        hand = re.search(r'aria-label="Your hand">(.*?)</section>', answer.text, re.DOTALL)
        seen[eyes] = re.findall(r'data-piece="card-([\w-]+)"', hand[1]) if hand else []
        unseen = "cards in hand" in answer.text
        assert unseen == (eyes != "0"), "only with all cards open are there no backs"
    assert seen[""] == seen["1"] != seen["2"]
    for eyes in ("3", "x", "-1", "9" * 30):
        assert people[0].get(f"/t/{key}/at/20?eyes={eyes}").status_code == 404
    page = people[0].page("?at=20&eyes=2")
    assert '<option value="2" selected>' in page


@pytest.mark.wide
@pytest.mark.parametrize("name", EACH)
def test_the_marks_are_where_turns_begin_and_steps_end(name, party):
    people = party(name, games.find(name).usual)
    finish(people)
    marks = people[0].get(f"/t/{people[0].key}/marks").json()
    events = len(people[0].client.app.state.registry.tables[people[0].key].now.match.history)
    for stops in marks.values():
        assert stops == sorted(set(stops))
        assert (stops[0], stops[-1]) == (0, events)
    assert 2 < len(marks["steps"]) <= events + 1


@pytest.mark.wide(but=["0"])
@pytest.mark.parametrize("eyes", ["", "0", "2"])
def test_orders_that_are_carried_out_together_are_seen_part_by_part(party, eyes):
    people = party("secrets", 3)
    finish(people)
    key, client = people[0].key, people[0].client
    table = client.app.state.registry.tables[key]
    told = table.shown.heard(0)
    parts = json.loads(unescape(re.search(r'data-between="(.*?)"', people[0].page())[1]))
    ends = [events for events, line in enumerate(told) if line.event is not None]
    assert list(parts) == list(map(str, ends)), "each turn has parts"
    for events in ends[::3]:
        says = ["The spies come", *map(str, map(escape, told[events].news[1:]))]
        address = f"/t/{key}/at/{events}?eyes={eyes}&part="
        seen = [people[0].get(f"{address}{i}").text for i in range(parts[str(events)] + 1)]
        assert steps.CARRIED not in seen.pop(0)
        assert len(seen) == parts[str(events)] > 3
        for sentence, page in zip(says, seen, strict=False):
            assert sentence in page
        assert len({re.sub(r"<h2.*?</p>", "", page, flags=re.DOTALL) for page in seen}) == len(seen)
        page = people[0].get(f"/t/{key}?at={events}&part=2&eyes={eyes}").text
        assert f"{events + 1} of {len(told)}, part 2 of {len(seen)}" in page
        assert says[1] in page
        assert people[0].get(f"{address}99").text == seen[-1]


def test_whoever_closes_a_table_alone_is_named_though_they_had_asked_before(party):
    """Who has left need not agree any more: then it was not all who sit there."""
    ann, ben = party(SS, 2)
    assert ann.do("close").json() == {"closed": False}
    name = ann.name
    assert ben.do("leave").status_code == 200
    assert ann.do("close").json() == {"closed": True}
    assert ann.table["closed"] == f"{name} has closed this table."
