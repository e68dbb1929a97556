"""Words on the pages: one way to write percents, lists as in a sentence, plain reasons."""

import re
from pathlib import Path

import numpy as np
import pytest

import yegg
from yegg.coach.review import Review
from yegg.games import find
from yegg.stats.intervals import proportion
from yegg.table.http.routes import coach
from yegg.table.render import renderers, svg

TEMPLATES = sorted(Path(yegg.__file__).parent.glob("**/*.html"))
JINJA = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
SECRETS = "secrets"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_no_template_has_its_own_way_to_write_percents(path):
    assert "%" not in JINJA.sub("", path.read_text(encoding="utf-8"))


def test_a_percent_is_never_at_the_beginning_of_a_line():
    assert svg.percent(0.4) == "40\N{NO-BREAK SPACE}%"
    made = renderers.env().from_string("{{ 0.4|percent }}, {{ 'fails 31 % of all games'|whole }}")
    assert made.render() == "40\N{NO-BREAK SPACE}%, fails 31\N{NO-BREAK SPACE}% of all games"


def test_the_curve_is_told_with_percents_of_the_same_kind():
    curve = np.array([[0.5, 0.5], [0.7, 0.3], [1.0, 0.0]])
    found = Review(["Ann", "Ben"], curve, np.zeros(2), np.zeros(2), [], np.zeros(2))
    said = svg.course(found)["said"].replace("\N{NO-BREAK SPACE}", "~")
    assert "Ann begins at 50~%, is highest with 100~% after event 2, and ends at 100~%." in said
    assert not re.search(r"\d ?%", said)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (0.11, "worth playing about one time in nine"),
        (0.3, "worth playing about one time in three"),
        (0.5, "worth playing about every other time"),
        (0.02, ""),
    ],
)
def test_how_often_a_choice_is_worth_playing(policy, said):
    assert coach.mixed(policy) == said


def test_the_coach_s_page_uses_plain_words():
    class Worth:
        text, win = "quick", proportion(5, 10)

    why, mixed = "works 40 % of the time", coach.mixed(0.11)
    one = {"w": Worth, "verb": "quick", "why": why, "mixed": mixed}
    made = renderers.env().get_template("advice.html").render(words=[one, one], bar=svg.bar)
    assert "Works 40\N{NO-BREAK SPACE}% of the time. Worth playing about one time in nine." in made
    assert "50\N{NO-BREAK SPACE}%" in made


def test_those_who_are_waited_for_are_listed_as_in_a_sentence(client, party):
    people = party(SECRETS, 4)
    watching = client.get(f"/t/{people[0].key}").text
    names = [place["name"] for place in people[0].table["seats"]]
    assert f"Waiting for {names[0]}, {names[1]}, {names[2]} and {names[3]}" in watching
    assert "to act" not in people[0].choose("x", -1).text


def test_a_question_to_another_is_not_put_to_the_reader(client, party):
    one, _ = party("second-story", 2)
    page = client.get(f"/t/{one.key}").text
    assert re.search(r"Waiting for [^<]+</h2><p>[^<]+ is asked: [^<]+[?]</p>", page)


def test_the_form_for_a_table_says_what_each_box_does(client):
    page = client.get("/").text
    options = len(find("magnate").options)
    for words in (f"House rules ({options})", "Hints", "Public table", "Random seats"):
        assert words in page


def test_a_reason_is_a_sentence(client, party):
    """A form that was refused shows why, with a capital letter and a full stop."""
    one, _ = party("second-story", 2)
    client.get("/")
    csrf = re.search(r'name="csrf" content="([^"]+)"', client.get("/").text)[1]
    answer = client.post(f"/t/{one.key}/join", data={"csrf": csrf, "you": "Ben", "seat": "1"})
    assert answer.status_code == 409
    assert "All seats are taken; you may watch." in answer.text
