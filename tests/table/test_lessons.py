"""Lessons at the table: the step is in the address, nothing is kept, and all works as forms."""

import re
from html import unescape

import pytest

from yegg import games
from yegg.engine import Match, notation
from yegg.lessons import lessons
from yegg.lessons.answer import example, written
from yegg.table.render import rulebook

from .devices import Device
from .serving import awaited

LESSON = "/learn/second-story/1-one-house"
FIRST = lessons(games.find("second-story"))[0]


class Learner(Device):
    """Somebody who learns, with a browser that runs no scripts."""

    def send(self, path=LESSON, **fields):
        """Send the form of a lesson."""
        return self.sent(path, **fields)

    def told(self, path, **fields):
        """What scripts are answered to the same form."""
        data = {"csrf": self.csrf(), **fields}
        return self.ask("POST", path, data=data, headers={"Accept": "application/json"}).json()

    def page(self, path):
        return self.get(path).text


@pytest.fixture
def visitor(client):
    return Learner(client, name="Vera")


def spoken(page):
    return " ".join(
        unescape(re.sub("<[^>]+>", " ", part))
        for part in re.findall(r'<p class="(?:reply|says|story)[^"]*">(.*?)</p>', page, re.DOTALL)
    )


def test_the_game_leads_to_its_first_lesson_and_then_to_the_next(visitor):
    there = visitor.get("/learn/second-story")
    assert (there.status_code, there.headers["location"]) == (303, LESSON)
    visitor.get(f"{LESSON}?at={len(FIRST.steps) - 1}")  # its end
    after = visitor.get("/learn/second-story")
    assert after.headers["location"] == "/learn/second-story/2-quick-or-thorough"


def test_a_step_is_an_address(visitor):
    for n, step in enumerate(FIRST.steps):
        page = visitor.page(f"{LESSON}?at={n}")
        assert step.says.split("{")[0][:40] in spoken(page), n
        assert f'name="at" value="{n}"' in page
    beyond = visitor.get(f"{LESSON}?at=99")
    assert f'data-step="{len(FIRST.steps) - 1}"' in beyond.text
    assert 'data-step="0"' in visitor.page(f"{LESSON}?at=-3")
    assert visitor.get(f"{LESSON}?at=much").status_code == 404


def test_the_wanted_choice_is_ringed_and_leads_on(visitor):
    page = visitor.page(LESSON)
    assert re.search(r'<button[^>]* value="thorough" data-ring', page)
    assert not re.search(r'<button[^>]* value="quick" data-ring', page)
    answer = visitor.post(LESSON, at="0", choice="thorough")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{LESSON}?at=1")


def test_another_choice_is_answered_on_the_same_page(visitor):
    answer = visitor.send(at="0", choice="quick")
    assert answer.status_code == 200
    assert FIRST.steps[0].replies["quick"].split("{")[0] in spoken(answer.text)
    assert 'data-step="0"' in answer.text
    assert "SS-18" in spoken(visitor.send(at="0", choice="stop").text)


def test_whatever_is_sent_is_answered(visitor):
    for fields in (
        {},
        {"at": "x", "choice": "thorough"},
        {"at": "9" * 30, "go": "yes"},
        {"at": "0", "choice": "* steals"},
        {"at": "0", "choice": "<b>" * 60},
        {"at": "0", "choice": "+ done", "pick": "thorough"},
    ):
        assert visitor.send(**fields).status_code < 400, fields
    assert "<b><b>" not in visitor.send(at="0", choice="<b><b>").text


def test_what_is_not_there_is_said(visitor):
    for path in ("/learn/chess", "/learn/second-story/9-nothing", "/learn/chess/1-one"):
        answer = visitor.get(path)
        assert answer.status_code == 404
        assert (
            "there are" in answer.text or "there is no such lesson" in unescape(answer.text).lower()
        )


def test_a_script_gets_the_views_of_the_way_and_the_teacher(visitor):
    said = visitor.told(LESSON, at="2", go="yes")
    assert (said["step"], said["back"]) == (3, False)
    assert len(said["views"]) > 3, "one after another"
    assert all('class="table second-story' in view for view in said["views"])
    assert "Siveny" in said["views"][0]
    assert "Vera" in said["views"][0], "with the visitor's name"
    assert FIRST.steps[3].says[:30] in unescape(said["teacher"])
    assert not any('name="choice"' in view for view in said["views"][:-1])


def test_secret_orders_of_others_are_one_step_with_what_they_lead_to(visitor):
    lesson = lessons(games.find("secrets"))[0]
    n = len(lesson.steps) - 2
    path = f"/learn/secrets/{lesson.key}"
    said = visitor.told(path, at=str(n), go="yes")
    assert said["step"] == n + 1
    assert len(said["views"]) == 1, "nobody orders after another"
    assert "Report of turn 1" in said["views"][0]


def test_a_side_line_is_told_and_taken_back(visitor):
    lesson, n, text = next(
        (one, n, text)
        for name in games.names()
        for one in lessons(games.find(name))
        for n, step in enumerate(one.steps)
        for text in step.see
    )
    path = f"/learn/{lesson.game.name}/{lesson.key}"
    answer = visitor.send(path, at=str(n), choice=text)
    assert "It would have gone like this:" in spoken(answer.text)
    again = "That was only one way it might have gone. Now choose again."
    assert again in answer.text
    said = visitor.told(path, at=str(n), choice=text)
    assert said["back"]
    assert again in said["teacher"]
    assert len(said["views"]) == 2 + len(lesson.steps[n].see[text])
    assert said["step"] == n


def test_a_choice_while_one_only_reads_is_answered_on_the_page(visitor):
    path = "/learn/second-story/2-quick-or-thorough"
    assert 'value="quick"' in visitor.page(path)
    assert "First read on: press Go on." in spoken(visitor.send(path, choice="quick").text)


@pytest.mark.wide(but=["second-story", "magnate"])
@pytest.mark.parametrize("name", games.names())
def test_what_is_left_is_counted_in_digits_until_the_end(visitor, name):
    lesson = lessons(games.find(name))[0]
    last = len(lesson.steps) - 1
    for n in range(last + 1):
        page = visitor.page(f"/learn/{name}/{lesson.key}?at={n}")
        left = re.findall(r'<span class="left">(.*?)</span>', page)
        if n == 0:
            assert re.fullmatch(r"about \d minutes?", left[0]), "the first page frightens nobody"
        elif n == last:
            assert left == ["The end of lesson 1 of 5."]
        else:
            assert left == [f"{last - n} step{'s' if last - n > 1 else ''} left"]
        assert ("The lesson ends here" in page) <= (n == last), n


def test_at_the_end_the_next_lesson_stands_first(visitor):
    one = next(
        one
        for name in games.names()
        for one in lessons(games.find(name))[:-1]
        if one.play and not one.match.over
    )
    path = f"/learn/{one.game.name}/{one.key}?at={len(one.steps) - 1}"
    page = visitor.page(path)
    after = lessons(one.game)[one.number]
    onward = page[page.index('<p class="onward">') :].partition("</p>")[0]
    ways = re.findall(r'<(?:a|button) class="btn( go)?"[^>]*>([^<]*)', onward)
    assert ways[0] == (" go", f"Next: lesson {after.number}, {after.title}")
    assert [main for main, _ in ways[1:]] == [""] * 3, "the others are quieter"
    assert ways[2][1].startswith("Play on from here against ")


def test_nothing_is_kept_but_which_lessons_are_done(client, visitor):
    registry = client.app.state.registry
    before, tables = awaited(registry.store.next_game()), set(registry.tables)
    visitor.send(at="0", choice="thorough")
    assert "yegg-learned" not in visitor.cookies
    visitor.get(f"{LESSON}?at={len(FIRST.steps) - 1}")
    assert visitor.cookies["yegg-learned"] == "second-story=1"
    assert set(registry.tables) <= tables
    assert awaited(registry.store.next_game()) == before + 1
    lobby = visitor.page("/")
    assert 'aria-label="1 of 5 lessons done"' in lobby
    visitor.cookies["yegg-learned"] = "second-story=0.1.2.x.77.99999&chess=1&%00=3"
    assert 'aria-label="2 of 5 lessons done"' in visitor.page("/")


def test_the_lobby_says_how_long_it_takes(visitor, game):
    assert re.search(
        rf'href="/learn/{game.name}".*?Learn, \d+ minutes', visitor.page("/"), re.DOTALL
    )


def test_a_visitor_called_like_somebody_in_it_can_be_told_apart(visitor):
    visitor.cookies["yegg-name"] = "Siveny"
    assert "Your turn, Siveny (you)" in visitor.page(LESSON)
    visitor.cookies["yegg-name"] = "%3Cb%3E"
    assert "Your turn, &lt;b&gt;" in visitor.page(LESSON)
    del visitor.cookies["yegg-name"]
    assert "Your turn, Morgan" in visitor.page(LESSON)


def played(client, answer):
    """The table that an answer leads to."""
    key = answer.headers["location"].split("/")[2].partition("#")[0]
    return client.app.state.registry.table(key)


def test_the_end_leads_to_a_game_against_its_bots(client, visitor):
    lesson = next(one for one in lessons(games.find("second-story")) if one.play)
    path = f"/learn/second-story/{lesson.key}"
    table = played(client, visitor.post(f"{path}/play"))
    assert [seat.bot for seat in table.now.seats] == [None, *lesson.play]
    assert table.now.seats[0].name == "Vera"


def test_one_may_go_on_from_the_end_of_a_lesson(client, visitor):
    lesson = next(
        one for name in games.names() for one in lessons(games.find(name)) if not one.match.over
    )
    path = f"/learn/{lesson.game.name}/{lesson.key}"
    table = played(client, visitor.post(f"{path}/play", on="yes"))
    done = table.now.match.history[: len(lesson.texts)]
    assert done == lesson.match.history[: len(done)]
    assert len(done) > len(lesson.texts) - 10, "but for orders that were under seal"
    assert table.shown.origin == path


@pytest.mark.wide
def test_somebody_new_at_a_game_is_told_of_its_lessons_once(visitor):
    asked = {"play": "magnate", "level": "uniform"}
    table = visitor.post("/open", **asked).headers["location"].partition("#")[0]
    told = "New to Magnate?"
    assert told in visitor.page(table)
    assert told not in visitor.page(table), "once"
    again = visitor.post("/open", **asked).headers["location"].partition("#")[0]
    assert told not in visitor.page(again)


# The rules beside the table -------------------------------------------------------------


def test_the_rules_open_at_the_clauses_that_apply_now(visitor):
    page = visitor.page(LESSON)
    assert 'href="/rules/second-story?now=SS-13%20SS-15%20SS-16"' in page
    assert 'data-clauses="SS-13 SS-15 SS-16"' in page
    rules = visitor.page("/rules/second-story?now=SS-15+SS-99+SS-13")
    applies, whole = rules.split("</section>", 1)
    assert re.findall(r"<strong>(SS-\d+)</strong>", applies) == ["SS-15", "SS-13"]
    assert applies.count("For example:") == 2
    assert "You are thorough at the Desert, a 2 of suns and wyrms." in applies
    assert 'href="/learn/second-story/' in applies
    assert 'id="SS-15"' in whole
    assert "What applies now" not in visitor.page("/rules/second-story")


def test_every_clause_is_found(game):
    text = rulebook.source(game)
    assert len(rulebook.clauses(game)) == len(
        re.findall(r"^- \*\*[A-Z]{2}-\d+\*\*", text, re.MULTILINE)
    )
    for number, clause in rulebook.clauses(game).items():
        assert clause.count("<strong>") >= 1, number


def test_the_clauses_of_a_position_have_their_whole_numbers(game):
    match = Match(game, game.usual, seed=1, how="plain").to_decision()
    found = rulebook.numbers(game, match.state)
    assert found
    assert set(found) <= rulebook.clauses(game).keys()


def test_every_clause_that_can_apply_has_an_example_of_its_own(game):
    """Golden records come to every question that a game asks, and to its end."""
    can = set()
    for path in game.folder.glob("records/*.game"):
        for there in notation.steps(notation.read_file(path, games.find, "compiled")):
            can.update(rulebook.numbers(game, there.state))
    assert written(game).keys() == can
    assert all(example(game, clause).says == says for clause, says in written(game).items())


def test_an_example_leads_to_the_lesson_that_names_its_clause(game):
    named = {c for one in lessons(game) for step in one.steps for c in step.clauses}
    for clause in rulebook.clauses(game):
        one = example(game, clause)
        assert (one is not None and one.lesson is not None) == (clause in named)
        if clause in named:
            assert clause in one.lesson.steps[one.step].clauses
