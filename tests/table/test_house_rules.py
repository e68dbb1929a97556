"""House rules in words, and the page of the rules: aim, picture, a turn, clauses, variants."""

import re

import pytest

from yegg import games
from yegg.engine.voice import house_rule, whole
from yegg.table.render import rulebook

from .people import SS

GAMES = [pytest.param(games.find(name), id=name) for name in games.names()]


@pytest.mark.parametrize("game", GAMES)
def test_each_option_says_in_words_what_each_of_its_values_does(game):
    for name, made in game.options.items():
        rule = house_rule(game, name)
        assert rule.title[0].isupper()
        said = [rule.says(value) for value in made.values]
        assert len(set(said)) == len(said), name
        words = [text for text in said if not text.isdecimal() and text not in ("5", "4")]
        assert all(" " in text or text == "One" for text in words), (name, said)
        known = rulebook.clauses(game)
        assert not rule.clause or whole(rule.clause, known) in known


@pytest.mark.parametrize("game", GAMES)
def test_the_form_of_a_new_table_has_no_codes_of_options(game, client):
    page = client.get(f"/?game={game.name}").text
    form = re.search(r'<details class="houserules".*?</details>', page, re.DOTALL)[0]
    texts = re.findall(r"<option[^>]*>([^<]*)</option>", form)
    codes = {value for made in game.options.values() for value in made.values}
    assert not {text for text in texts if text in codes and not text.isdecimal()}
    assert "MG-" not in re.sub(r"<[^>]*>", "", form)


def test_only_rules_that_depend_on_the_number_of_players_say_for_how_many_they_are():
    marked = {
        (game, one["name"], value): seats
        for game in games.names()
        for one in rulebook.house_rules(games.find(game))
        for value, _, seats in one["values"]
        if seats
    }
    automa = ("magnate", "automa")
    assert marked == {(*automa, "no"): [2], (*automa, "easy"): [1], (*automa, "hard"): [1]}


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_begin_with_the_aim_the_table_and_a_turn_and_end_with_variants(game, client):
    page = client.get(f"/rules/{game.name}").text
    first = next(iter(rulebook.clauses(game)))
    parts = ["about-the-aim", 'class="pic"', "about-in-four-steps", f'id="{first}"', "about-house"]
    article = page[page.index("<article") :]
    places = [article.index(part) for part in parts]
    assert places == sorted(places)
    steps = re.search(r"about-in-four-steps.*?</ol>", article, re.DOTALL)[0]
    assert steps.count("<li>") == 4
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)[0]
    for anchor in re.findall(r'href="#([^"]+)"', contents):
        assert f'id="{anchor}"' in article
    assert contents.count("<li>") == article.count("<h2 id=")
    assert article.count('class="pics"') >= 3, "pieces are shown where they are spoken of"
    picture = re.search(r'<figure class="pic">.*?</figure>', article, re.DOTALL)[0]
    badges = re.findall(r'<text class="badge"[^>]*>(\d)', picture)
    assert sorted(badges) == [str(n + 1) for n in range(picture.count("<li>"))]


def test_variants_on_the_page_of_rules_are_words_and_no_codes(client):
    page = client.get("/rules/magnate").text
    variants = page[page.index('id="about-house-rules"') :]
    assert "or: a turn without income pays for the lower die" in variants
    article = re.sub(r"<[^>]*>", "", page)
    for code in ("fallback", "one-die", "excuse-start", "deed-suits"):
        assert code not in article, "in the clauses they are words, too"
    assert "## Options" in rulebook.source(games.find("magnate")), "who measures finds them there"
    assert "<h2>Options" not in page


@pytest.mark.parametrize("game", GAMES)
def test_no_clause_names_an_option_by_its_code(game):
    """Neither on the page of rules nor where clauses are told at the table."""
    page, clauses = str(rulebook.whole(game)), "".join(rulebook.clauses(game).values())
    assert "<code>" not in clauses
    assert not {code for code in re.findall(r"<code>([^<]*)</code>", page) if "=" in code}
    assert "option <" not in page + clauses
    assert "&lt;" not in page + clauses, "it is a page, and no text of one"


def test_the_lobby_begins_with_my_games_when_a_table_waits_for_somebody(party, client):
    people, first = party(SS, 2), []
    for person in people:
        client.cookies.set("yegg", person.token)
        page = client.get("/").text
        client.cookies.clear()
        first.append(page.index('id="my"') < page.index('aria-label="The games"'))
        assert first[-1] == bool(person.table["choices"])
    assert sorted(first) == [False, True]
