"""What people are called is asked once and remembered, and so is the level they like."""

import re

import pytest

from yegg import games

from .devices import Device
from .people import SS


class Browser(Device):
    """Somebody with a browser that runs no scripts, who follows where a form leads."""

    def look(self, path):
        return self.read(self.get(path))

    def read(self, answer):
        self.status, self.path = answer.status_code, str(answer.request.url.path)
        self.query = answer.request.url.params
        if answer.status_code == 303:
            return self.look(answer.headers["location"].partition("#")[0])
        self.page = answer.text
        return self.page

    def send(self, path, **form):
        return self.read(self.post(path, **form))

    def send_what_is_asked(self, name):
        """Fill in the form that asks for a name, and send it."""
        form = re.search(r'<form class="panel ask".*?</form>', self.page, re.DOTALL)[0]
        hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
        return self.send(re.search(r'action="([^"]+)"', form)[1], **hidden | {"you": name})

    @property
    def table(self):
        return self.get(f"/api/games/{self.path.rpartition('/')[2]}").json()

    @property
    def me(self):
        return self.table["seats"][self.table["seat"] - 1]["name"]


@pytest.fixture
def person(client):
    return Browser(client, name="")


def test_who_has_no_name_is_asked_once(person):
    wish = {"game": SS, "seat1": "me", "seat2": "open"}
    assert "What are you called?" in person.send("/open", **wish)
    for name in ("a,b", "  ", "a\x07b"):
        person.send_what_is_asked(name)
        assert person.path == "/name"
        assert "What are you called?" in person.page
        assert (person.status == 422) == bool(name.strip()), "says why"
    person.send_what_is_asked("Ann")
    assert person.path.startswith("/t/")
    assert person.me == "Ann"
    assert 'value="Ann"' in person.look("/")
    person.send("/open", play="secrets")
    assert person.me == "Ann", "not asked again"


def test_nobody_is_asked_for_a_name_to_play_against_bots_or_alone(person):
    for wish in ({"play": SS}, {"game": SS, "seat1": "me", "seat2": "easy"}, {"alone": "magnate"}):
        person.send("/open", **wish)
        assert person.path.startswith("/t/")
        assert person.me == "Guest"
    assert 'value="Guest"' not in person.look("/"), "it is nobody's name"


@pytest.mark.parametrize(
    ("level", "automa"),
    [("easy", "easy"), ("medium", "easy"), ("hard", "hard"), ("expert", "hard")],
)
def test_alone_one_plays_the_automa_at_the_level_that_was_chosen(person, level, automa):
    person.send("/open", alone="magnate", level=level)
    assert person.table["options"] == {"automa": automa}
    assert len(person.table["seats"]) == 1
    assert "Nobody plays Second Story alone" in person.send("/open", alone=SS)
    assert person.status == 422


def test_the_form_that_was_filled_in_is_not_lost_while_the_name_is_asked(person):
    wish = {"game": SS, "seat1": "me", "seat2": "uniform", "seat3": "open", "opt-chips": "3"}
    person.send("/open", **wish)
    person.send_what_is_asked("Ben")
    assert [seat["bot"] for seat in person.table["seats"]] == [None, "uniform", None]
    assert person.table["options"] == {"chips": "3"}
    assert person.table["advice"] is False, "the box was not ticked"
    assert person.me == "Ben"


def test_who_joins_without_a_name_is_asked_too(person, somebody):
    host = somebody().open(you="Ann")
    person.look(f"/t/{host.key}")
    assert "required" in person.page[person.page.index('name="you"') :][:120]
    person.send(f"/t/{host.key}/join", seat="2")
    assert "What are you called?" in person.page
    person.send_what_is_asked("Ann")
    assert person.me == "Ann (2)"
    assert 'value="Ann"' in person.look("/"), "what they are called elsewhere"


def test_a_new_table_keeps_the_name_that_was_typed(person):
    person.send("/new", game="secrets", you="Cid")
    assert (person.path, person.query["game"]) == ("/", "secrets")
    assert person.page.count('name="you"') == person.page.count('value="Cid"')
    assert "Cid (you)" in person.page
    person.send("/open", game="secrets", seat1="me", seat2="open", seat3="open", you="Cid")
    assert person.me == "Cid"
    person.send("/new", you="Dee")
    assert 'value="Dee"' in person.page


def test_one_changes_one_s_name_at_the_table_and_it_is_remembered(person):
    person.send("/open", play=SS, you="Ann")
    table = person.path
    person.send(f"{table}/name", you="Anna")
    assert person.path == table
    assert person.me == "Anna"
    assert 'value="Anna"' in person.look("/")
    assert "is no name" in person.send(f"{table}/name", you="a,b")
    assert person.status == 422


def test_the_level_of_the_bots_is_chosen_and_remembered(person):
    def bots():
        return [seat["bot"] for seat in person.table["seats"] if seat["bot"]]

    assert re.search(r'value="medium"[^>]* checked', person.look("/"))
    person.send("/open", play=SS, you="Ann", level="easy")
    assert bots() == ["easy", "easy"]
    assert re.search(r'value="easy"[^>]* checked', person.look("/"))
    person.send("/open", play=SS)
    assert "easy" in bots()
    person.send("/open", play=SS, level="exact")
    assert "exact" not in bots()


@pytest.mark.wide(but=["second-story"])
@pytest.mark.parametrize("game", games.names())
def test_every_bot_is_marked_as_one(person, game):
    person.send("/open", play=game, you="Ann", level="easy")
    bots = [seat["name"] for seat in person.table["seats"] if seat["bot"]]
    assert bots
    for name in bots:
        places = [m.end() for m in re.finditer(rf"{name}</?span|{name} *<", person.page)]
        others = "|".join({"Ann", *bots} - {name})
        marked = [re.split(others, person.page[at : at + 2500])[0] for at in places]
        assert any("bot" in text for text in marked), name
