"""A page of one's own: what one has won, luck and play, frequent mistakes, and an even match."""

import json
import re
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from waiting import until

from yegg import games
from yegg.coach.habits import Made, habits
from yegg.coach.review import Slip
from yegg.engine.voice import Handicap, handicaps
from yegg.players import LEVELS
from yegg.players.thinking.plan import Plan
from yegg.stats.intervals import proportion
from yegg.table.domain.quick_match import PACE
from yegg.table.service import coach, compiling, own_games
from yegg.table.service.coach import LookBack
from yegg.table.service.even_match import Result, even_match, skill
from yegg.table.storage.schema import games as tables

from .devices import Device
from .people import SS, finish, refused

SHORT = {"options": {"chips": "3"}, "listed": False}


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    """Let the coach think equally long every time."""
    monkeypatch.setattr(coach, "REVIEW", Plan(iterations=60))


@pytest.fixture
def warm(client):
    """Have the coach compiled here, so that nobody waits for it."""
    compiling.warm(SS, coach.COACH)
    for done in client.app.state.registry.thinkers.compiling.ask((SS, coach.COACH)):
        done.result(timeout=60)


def played(somebody, seed=0, bot="uniform"):
    """Somebody who has finished a short game against a bot."""
    person = somebody(seed).open(SS, ["me", bot], **SHORT)
    until(lambda: person.act() is False and person.table["over"])
    return person


def own_page(person):
    answer = person.get("/you")
    assert answer.status_code == 200, answer.text
    return answer.text


def test_an_empty_page_says_what_will_stand_there(client):
    page = Device(client).get("/you").text
    for promise in (
        "this page says what you won, by game and by level",
        "here stands the level that would be an even match",
        "two curves here say how much luck brought you",
        "the mistakes that you make most often stand here",
    ):
        assert promise in page
    assert "/you/export" not in page
    assert 'http-equiv="refresh"' not in page


def test_it_tells_what_was_won_by_game_and_by_whom(fresh, somebody, warm):
    ann = played(somebody)
    places = ann.table["places"]
    share = (places[ann.seat - 1] == 1) / places.count(1)  # of the win; both may have come first
    row = re.search(r"<th scope=\"row\">Second Story</th>(.*?)</tr>", own_page(ann))[1]
    cells = re.findall(r"<td>(.*?)</td>", row)
    assert cells[:2] == ["uniform", "1"]
    won = proportion(share, 1)
    assert f"{won.value * 100:.0f}\xa0%" in cells[2]
    assert f"{won.low * 100:.0f}&ndash;{won.high * 100:.0f}" in cells[3]
    assert cells[4] == "50\xa0%"


def test_nobody_is_shown_the_page_or_the_export_of_another(fresh, somebody, warm):
    ann = played(somebody)
    ben = somebody(1).open(SS, ["me", "open"])
    for stranger in (ben, Device(fresh)):
        page, export = stranger.get("/you").text, stranger.get("/you/export").json()
        assert "Once you have finished a game here" in page
        assert ann.key not in page
        assert export == {"won": [], "games": []}
    assert ann.key in ann.get("/you/export").text


def test_the_coach_goes_through_the_games_in_the_background(fresh, somebody, warm):
    ann = played(somebody)
    page = own_page(ann)
    assert "has done 0 of 1" in page
    assert 'http-equiv="refresh"' in page
    page = unescape(until(lambda: _gone_through(ann)))
    found = ann.ask("review").json()["review"]
    sums = re.findall(r"<b>([+\u2212][\d.]+) wins</b>", page)
    mine = found["sides"][ann.seat - 1]
    told = [f"{found[what][mine]:+.1f}".replace("-", "\u2212") for what in ("luck", "decisions")]
    assert sums == told
    assert f'href="/t/{ann.key}/review"' in page


def _gone_through(person):
    """The page, once nothing is left to be gone through."""
    page = own_page(person)
    return "" if 'http-equiv="refresh"' in page else page


def test_the_export_has_each_record_and_what_was_won(fresh, somebody, warm):
    ann = played(somebody)
    answer = ann.get("/you/export")
    assert "attachment" in answer.headers["content-disposition"]
    export = json.loads(answer.text)
    (game,) = export["games"]
    assert (game["id"], game["against"], game["seat"]) == (ann.key, "uniform", ann.seat)
    assert game["record"] == ann.record
    assert [(row["against"], row["games"]) for row in export["won"]] == [("uniform", 1)]
    assert export["won"][0]["share"] == game["share"]


def test_who_was_forgotten_has_no_games_any_more(fresh, somebody, warm):
    ann = played(somebody)
    assert ann.post("/api/me/forget").status_code in (200, 201)
    assert ann.key not in ann.get("/you/export").text
    assert "Once you have finished a game here" in own_page(ann)


def row_of(people, places=(1, 2), **more):
    how = {"key": "k" * 22, "game": SS, "version": games.find(SS).version, "name": "Ivory Quay"}
    how |= {
        "ended": 1,
        "origin": None,
        "chance": None,
        "people": people,
        "options": {},
        "clock": None,
        "odds": True,
    }
    return SimpleNamespace(**how | {"result": {"places": list(places), "scores": [3, 1]}} | more)


ME, BOT, FRIEND = ["Ann", "ann", None], ["Ivo", None, "hard"], ["Ben", "ben", None]


def test_games_are_told_apart_by_whom_one_met():
    def met(*people, **how):
        return [one.against for one in own_games.played([row_of([ME, *people], **how)], "ann")]

    assert met(BOT) == ["hard"]
    assert met(FRIEND) == ["people"]
    assert met(["Ben", "ben", "easy"]) == ["people"], "a bot stood in for a friend"
    assert met(BOT, ["Eva", None, "easy"], places=(1, 2, 2)) == ["several bots"]
    for automa in ("easy", "hard"):
        assert met(game="magnate", options={"automa": automa}) == [f"the {automa} automa"]
    assert met(options={"automa": "clever"}) == ["alone"]
    assert met(BOT, origin="/t/x?at=3") == [], "it did not begin at the beginning"
    assert met(BOT, result=None) == [], "it was closed"
    assert own_games.played([row_of([["Ann", "ann", "easy"], BOT])], "ann") == []


def test_a_deal_that_others_play_too_does_not_count_for_the_even_match(fresh, somebody, warm):
    ann = played(somebody, bot="easy")
    with fresh.app.state.registry.store.engine.begin() as connection:
        (row,) = connection.execute(sa.select(tables))
        for chance, even in (
            (None, ["second-story"]),
            ("deal 2026-11-22", []),
            ("challenge x", []),
        ):
            connection.execute(sa.update(tables).values(chance=chance))
            (row,) = connection.execute(sa.select(tables))
            found = own_games.played([row], row.people[0][1])
            assert len(found) == 1, "it is one of their games"
            assert list(own_games.even_matches(found)) == even
    assert ann.table["over"]


def test_a_quick_match_does_not_count_for_the_even_match():
    def even(**how):
        return list(own_games.even_matches(own_games.played([row_of([ME, BOT], **how)], "ann")))

    assert even(clock=PACE.stored()) == [SS], "somebody has set that clock, with hints"
    assert even(clock=PACE.stored(), odds=False) == []


def test_who_shares_the_first_place_shares_the_win():
    rows = [row_of([ME, BOT, BOT], places) for places in ((1, 1, 3), (1, 2, 3), (2, 1, 2))]
    games_ = own_games.played(rows, "ann")
    assert [one.share for one in games_] == [0.5, 1.0, 0.0]
    (row,) = own_games.won(games_)
    assert (row.games, row.won, row.even) == (3, proportion(1.5, 3), pytest.approx(1 / 3))


def test_an_even_match_is_the_level_nearest_to_what_one_has_won():
    def offered(*results, players=2):
        return even_match([Result(level, share, players) for level, share in results])

    assert offered() is None
    assert offered(("uniform", 1.0)) is None
    assert offered(("medium", 1.0)).level == "medium", "one game says little"
    assert offered(*[("easy", 0.0)] * 3).level == "easy", "whoever begins there is a beginner"
    assert offered(*[("medium", 1.0)] * 4).level == "hard"
    assert offered(*[("medium", 0.0)] * 4).level == "easy"
    assert offered(*[("easy", 1.0)] * 40).level == "medium", "never two above what one has met"
    even = offered(*[("medium", 1.0), ("medium", 0.0)] * 10)
    assert even.says == "You win 50 % against medium in 20 games: stay with medium."
    assert offered(*[("hard", 0.0)] * 9).says == "You win 0 % against hard in 9 games: try medium."
    assert even_match([Result("medium", 1.0, 4)] * 4).level == "hard"


CHIPS = Handicap({"chips": "5"}, -0.35, "five chips", "Luck counts for more.")
SOLO = Handicap({"automa": "hard"}, 0.5, "the hard automa", "It stands between.", alone=True)


def test_a_handicap_is_offered_where_it_is_closer_than_the_level():
    def offered(level, won, lost, handicap):
        return even_match([Result(level, n < won, 2) for n in range(won + lost)], [handicap])

    assert offered("medium", 13, 27, CHIPS).closer_named == "medium with five chips"
    assert offered("easy", 8, 24, CHIPS).closer_named == "easy with five chips"
    assert offered("medium", 20, 20, CHIPS).closer is None
    assert offered("medium", 25, 15, CHIPS).closer_named == "hard with five chips"
    assert offered("medium", 22, 18, CHIPS).closer is None
    assert offered("medium", 13, 27, SOLO).closer_named == "the hard automa"
    assert offered("easy", 25, 15, SOLO).closer_named == "the hard automa"
    assert offered("medium", 20, 20, SOLO).closer is None


def test_games_with_a_handicap_count_for_what_they_are():
    alone = [Result("the hard automa", 1.0, 2, SOLO)] * 12
    even = even_match(alone, [SOLO])
    assert even.says == "You win 100 % against the hard automa in 12 games: try hard."
    assert even_match([Result("alone", 1.0, 2)]) is None, "nobody knows how well that plays"
    shares = [1.0, 0.0] * 20
    assert skill([Result("medium", one, 2, CHIPS) for one in shares]) == pytest.approx(0.65)
    (beside,) = {even_match([Result("easy", one, 2, CHIPS) for one in shares]).beside}
    assert beside == "easy with five chips"


@pytest.mark.parametrize("game", games.names())
def test_a_handicap_is_one_of_the_rules_of_its_game(game):
    found = games.find(game)
    for handicap in handicaps(found):
        players = 1 if handicap.alone else found.usual
        assert found.chosen(players, handicap.options) == handicap.options


def test_the_lobby_opens_a_game_with_a_handicap(fresh):
    page = Device(fresh)
    for way, game, options, sides in (
        ("play", SS, {"opt-chips": "5"}, 3),
        ("alone", "magnate", {"opt-automa": "hard"}, 1),
    ):
        answer = page.post("/open", level="easy", **{way: game}, **options)
        key = re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]
        table = page.get(f"/api/games/{key}").json()
        assert len(table["seats"]) >= sides
        assert table["options"] == {name[4:]: value for name, value in options.items()}


def test_among_four_a_quarter_of_the_wins_is_even():
    shares = [1.0, 0.0, 0.0, 0.0] * 10
    assert skill([Result("hard", share, 4) for share in shares]) == pytest.approx(2.0)
    assert skill([Result("hard", share, 2) for share in shares]) < 1.5


def test_the_newest_games_count():
    old, new = [Result("medium", 0.0, 2)] * 60, [Result("medium", 1.0, 2)] * 40
    assert even_match(new + old).level == "hard"


def test_the_lobby_offers_the_even_match(fresh, warm):
    ann = Device(fresh)
    key = ann.open(SS, seat1="me", seat2="easy", **{"opt-chips": "3"})
    assert 'class="even"' not in ann.get("/").text

    def over():
        table = ann.get(f"/api/games/{key}").json()
        if table["choices"]:
            choice = {"choice": table["choices"][0]["text"], "after": table["number"]}
            ann.api(f"/api/games/{key}/choices", choice)
        return table["over"]

    until(over)
    for page in (ann.get("/").text, ann.get("/you").text):
        form = re.search(r'<form class="even".*?</form>', page, re.DOTALL)[0]
        assert re.search(r"You win \d+\xa0% against easy in one game", form)
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        assert (fields["play"], fields["level"] in LEVELS) == (SS, True)
    answer = ann.post("/open", play=SS, level=fields["level"])
    new = re.match(r"/t/([\w-]{22})", answer.headers["location"])[1]
    bots = {seat["bot"] for seat in ann.get(f"/api/games/{new}").json()["seats"]}
    assert bots == {None, fields["level"]}


def test_a_rematch_is_offered_one_level_up_or_down(fresh, somebody, warm):
    ann = played(somebody, bot="medium")
    page = ann.page()
    assert re.findall(r'name="bot" value="(\w+)"><span>(\w+): ', page) == [
        ("easy", "Easier"),
        ("hard", "Stronger"),
    ]
    new = ann.do("again", bot="hard").json()["id"]
    assert [seat["bot"] for seat in ann.at(new).table["seats"]] == [None, "hard"]


def test_a_rematch_among_people_keeps_its_bots(fresh, party, warm):
    people = party(SS, 2, **SHORT)
    finish(people)
    assert 'name="bot" value="easy"><span>' not in people[0].page()
    refused(people[0].do("again", bot="hard"), 422, "only where nobody else plays")


def slip(reason, cost, event=5):
    return Slip(event, 0, "Ann", "stop", "go on", cost, reason=reason)


def test_mistakes_are_grouped_by_what_the_better_choice_brings():
    game = games.find("magnate")
    made = [slip((4, 2.0), 0.1), slip((4, 4.0), 0.3), slip((4, -2.0), 0.9), slip(None, 0.9)]
    found = habits([Made(game, "key", one) for one in made])
    assert [(len(habit.choices), habit.lacks) for habit in found] == [
        (2, "three tokens more to spend"),
        (1, "two tokens fewer to spend"),
    ]
    assert found[0].cost == pytest.approx(0.4)
    assert found[0].choices[0].slip.cost == 0.3, "the costliest is the example"


def test_a_review_that_somebody_waits_for_comes_before_the_others(fresh, somebody, warm):
    """What the page of one's own has the coach do stands still meanwhile."""
    ann, ben = played(somebody), played(somebody, 1)
    registry, order = fresh.app.state.registry, []

    async def both():
        keeper = registry.coach
        later = keeper.look_back(registry.table(ann.key), "ann", later=True)
        now = keeper.look_back(registry.table(ben.key), "ben")
        later.task.add_done_callback(lambda _: order.append("later"))
        now.task.add_done_callback(lambda _: order.append("now"))
        await now.task
        order.append(later.done)
        await later.task

    with fresh.portal() as portal:
        portal.call(both)
    assert order[0] == "now"
    assert "later" in order


def test_of_more_than_two_hundred_reviews_only_the_oldest_go(fresh, somebody, warm):
    ann, keeper = played(somebody), fresh.app.state.registry.coach
    keeper.reviews = {"being made": LookBack(9, "x")}
    keeper.reviews |= {f"old {n}": LookBack(9, "x", found=object()) for n in range(204)}

    async def one_more():
        keeper.look_back(fresh.app.state.registry.table(ann.key), "ann", later=True)

    with fresh.portal() as portal:
        portal.call(one_more)
    gone = [f"old {n}" for n in range(204) if f"old {n}" not in keeper.reviews]
    assert gone == [f"old {n}" for n in range(5)]
    assert {"being made", ann.key} <= keeper.reviews.keys()
    keeper.reviews.pop("being made")  # for which the other would wait


def test_the_page_tells_a_frequent_mistake_with_its_position(fresh, somebody, warm):
    ann = played(somebody)
    until(lambda: _gone_through(ann))
    review = fresh.app.state.registry.coach.reviews[ann.key]
    own = replace(slip((0, 2.0), 0.2, event=7), seat=ann.seat - 1, speaks="two chips more")
    other = replace(own, seat=2 - ann.seat, event=9, chosen_called="sleep")
    review.found = replace(review.found, slips=[replace(own, chosen_called="stop"), other])
    page = own_page(ann)
    assert "Second Story, one choice" in page
    assert f'href="/t/{ann.key}?at=6#moment"' in page
    assert "Sleep" not in page, "it is another's"
