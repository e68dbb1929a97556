"""A house gets new rules while games go on: they are finished under theirs, or by the new ones."""

import json
import random
import shutil
import sys

import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

import yegg.games
from yegg.cli.admin import command
from yegg.cli.records import verify
from yegg.engine import earlier, game
from yegg.table.app import application
from yegg.table.domain import faces
from yegg.table.render import renderers, static_files
from yegg.table.settings import Settings

from . import pig
from .conftest import Player, finish

SHORT = "s.pot >= 6"  # under this rule a player with six points or more in the pot has to hold
BEGUN = "This game was begun under older rules (version 1); it can be looked at but not go on."


class House:
    """A house that serves Pig, in whichever version is installed."""

    def __init__(self, folder, monkeypatch):
        self.folder, self.rules = folder, folder / "kept"
        self.games = folder / "games"
        self.games.mkdir()
        monkeypatch.setattr(yegg.games, "__path__", [*yegg.games.__path__, str(self.games)])
        self.settings = Settings(
            db=f"sqlite:///{folder}/t.db",
            limits=False,
            pace=0.0,
            hosts=("testserver.local",),
            warm=False,
        )

    def install(self, version, forced="0", **numbers):
        """Another release, in a new process: nothing of the old one is in memory."""
        shutil.rmtree(self.games / "pig", ignore_errors=True)
        pig.write(self.games, version, forced, **numbers)
        forget()

    def run(self, *words):
        words = [*words, "--db", str(self.folder / "t.db")]
        env = {"YEGG_RULES": self.settings.rules} if self.settings.rules else {}
        done = CliRunner().invoke(command, words, env=env)
        assert done.exit_code == 0, (done.output, done.exception)
        return done.output

    def open(self):
        return TestClient(application(self.settings), base_url="http://testserver.local")

    def keep_rules_and_change(self):
        """Bring newer rules, where the old ones are kept."""
        said = CliRunner().invoke(command, ["rules", str(self.rules)]).output
        self.install(2, SHORT)
        self.settings = Settings(**{**vars(self.settings), "rules": str(self.rules)})
        return said


def forget():
    for name in [name for name in sys.modules if name.startswith(("yegg.games.pig", "yegg_kept"))]:
        del sys.modules[name]
    for cached in (
        game.find,
        game.packages,
        game._module,
        renderers._env,
        faces.face,
        renderers.template,
        earlier._found,
    ):
        cached.cache_clear()
    static_files.files.cache_clear()
    earlier._folders.clear()


@pytest.fixture
def house(tmp_path, monkeypatch):
    forget()
    yield House(tmp_path, monkeypatch)
    forget()


def rolled(monkeypatch, faces_of_the_die):
    """Let the die fall like this, then at random."""
    left, dice = list(faces_of_the_die), random.Random(3)

    def choice(_, now):
        return left.pop(0) - 1 if left else dice.choice(list(now.match.choices))

    monkeypatch.setattr("yegg.table.domain.dice.Promised.__call__", choice)


def sat(client):
    first, second = Player(client, seed=1), Player(client, seed=2)
    first.open("pig", ["me", "open"])
    assert second.join(first.key).status_code == 200
    return [first, second]


def back(client, people):
    """The same people at the same tables of the house as it is now."""
    again = []
    for person in people:
        one = Player(client, person.token)
        one.key = person.key
        again.append(one)
    return again


def three_games(house, monkeypatch):
    """A game that never had six points in the pot, one that has, and one where it was gone past."""
    rolled(monkeypatch, [2, 2, 3, 3, 3, 4, 2])
    with house.open() as client:
        below, at, past = sat(client), sat(client), sat(client)
        for people, rolls in ((below, 2), (at, 2), (past, 3)):
            for _ in range(rolls):
                assert people[0].choose("roll").status_code == 200
    return below, at, past


def test_games_that_new_rules_see_alike_go_on_by_them_and_others_are_looked_at(house, monkeypatch):
    house.install(1)
    below, at, past = three_games(house, monkeypatch)
    dumped = house.folder / "going.jsonl"
    assert house.run("dump", str(dumped)) == "3 games go on\n"
    house.install(2, SHORT)
    said = house.run("check", str(dumped))
    verdicts = [line.split("  ", 2)[2] for line in said.splitlines()[:3]]
    assert verdicts[:2] == ["same", "goes on"]
    assert verdicts[2].startswith("stays behind: today's rules do not allow event")
    assert "'roll'" in verdicts[2]
    assert house.run("adopt", str(dumped)) == "1 game is played on by today's rules\n"
    with house.open() as client:
        finish(back(client, below))
        for people in (at, past):
            again = back(client, people)
            assert again[0].table["closed"].startswith(BEGUN)
            assert again[0].choose("hold", 5).status_code == 410
    assert house.run("adopt", str(dumped), "--goes-on") == "1 game is played on by today's rules\n"
    with house.open() as client:
        again = back(client, at)
        assert [one["text"] for one in again[0].table["choices"]] == ["hold"]
        finish(again)
        assert back(client, past)[0].table["closed"]


@pytest.mark.wide
def test_choices_that_have_other_numbers_today_are_the_same_choices(house, monkeypatch):
    house.install(1)
    below, _, _ = three_games(house, monkeypatch)
    dumped = house.folder / "going.jsonl"
    house.run("dump", str(dumped))
    with house.open() as client:
        then = back(client, below)[0].get(f"/api/games/{below[0].key}/record").text
    house.install(2, roll=7, hold=6)
    assert house.run("check", str(dumped)).splitlines()[-1] == "same: 3"
    house.run("adopt", str(dumped))
    with house.open() as client:
        again = back(client, below)
        assert again[0].get(f"/api/games/{below[0].key}/record").text == then.replace(
            "# rules: version 1\n", "# rules: version 2\n"
        )
        finish(again)


@pytest.mark.wide
def test_a_game_that_has_gone_on_since_the_dump_is_not_adopted(house, monkeypatch):
    house.install(1)
    below, _, _ = three_games(house, monkeypatch)
    dumped = house.folder / "going.jsonl"
    house.run("dump", str(dumped))
    with house.open() as client:
        assert back(client, below)[0].choose("hold").status_code == 200
    house.install(2, SHORT)
    said = house.run("check", str(dumped)).splitlines()[0]
    assert said.endswith("stays behind: it has gone on since: dump it again")


def test_where_the_old_rules_were_kept_a_game_is_finished_under_them(house, monkeypatch):
    house.install(1)
    below, at, past = three_games(house, monkeypatch)
    said = house.keep_rules_and_change()
    assert f"Pig, version 1: {house.rules}/pig-1/pig" in said
    assert "Magnate, version" in said
    with house.open() as client:
        for people in (below, at, past):
            again = back(client, people)
            assert not again[0].table["closed"]
            assert [one["text"] for one in again[0].table["choices"]] == ["roll", "hold"]
            page = again[0].get(f"/t/{people[0].key}")
            assert page.status_code == 200
            assert "Pig, version 1" in page.text
            assert "Pig, version 1" in again[0].get(f"/t/{people[0].key}/now").text
        mine = back(client, past)
        listed = mine[0].get("/api/lobby").json()["mine"]
        assert [(one["older"], one["your_turn"]) for one in listed] == [(False, True)]
        finish(mine)
        assert mine[0].table["places"]
        assert "Pig, version 1" in mine[0].get(f"/t/{past[0].key}/at/9").text
        new = sat(client)[0]
        assert "Pig, version 2" in new.get(f"/t/{new.key}").text
        for _ in range(4):
            if "roll" in [one["text"] for one in new.table["choices"]]:
                new.choose("roll")
        assert len(new.table["choices"]) < 2, "a new table plays today's rules"


def test_where_the_old_rules_were_kept_a_finished_game_is_looked_at_position_by_position(
    house, monkeypatch
):
    """Also past where today's rules part from them: they would have it held with six in the pot."""
    house.install(1)
    rolled(monkeypatch, [3, 4, 2])

    def positions(client):
        (one, _) = back(client, people)
        last = one.table["number"]
        pages = [one.get(f"/t/{one.key}/at/{n}") for n in range(last + 1)]
        boards = [page.text.split("<pre>")[1].split("</pre>")[0] for page in pages]
        assert all(page.status_code == 200 for page in pages)
        return boards, one.table["closed"]

    with house.open() as client:
        people = sat(client)
        for _ in range(3):
            assert people[0].choose("roll").status_code == 200
        finish(people)
        before, _ = positions(client)
        assert len(set(before)) > 6
    house.keep_rules_and_change()
    with house.open() as client:
        assert positions(client) == (before, None)


@pytest.mark.wide
def test_where_the_old_rules_were_kept_a_game_may_go_on_by_the_new_ones_all_the_same(
    house, monkeypatch
):
    house.install(1)
    below, _, past = three_games(house, monkeypatch)
    dumped = house.folder / "going.jsonl"
    assert house.run("dump", str(dumped)) == "3 games go on\n"
    house.keep_rules_and_change()
    said = house.run("check", str(dumped))
    verdicts = [line.split("  ", 2)[2] for line in said.splitlines()[:3]]
    assert verdicts[:2] == ["same", "goes on"]
    assert verdicts[2].startswith("is finished under its own rules: today's rules do not allow")
    assert house.run("adopt", str(dumped)) == "1 game is played on by today's rules\n"
    with house.open() as client:
        again = back(client, below)
        assert "Pig, version 2" in again[0].get(f"/t/{below[0].key}").text
        finish(again)
        again = back(client, past)
        assert "Pig, version 1" in again[0].get(f"/t/{past[0].key}").text
        finish(again)


@pytest.mark.wide
def test_bots_play_a_game_under_the_old_rules_to_its_end(house, monkeypatch):
    house.install(1)
    rolled(monkeypatch, [6])
    with house.open() as client:
        ann = Player(client).open("pig", ["me", "uniform"])
        assert ann.choose("roll").status_code == 200
    house.keep_rules_and_change()
    with house.open() as client:
        (again,) = back(client, [ann])
        for _ in range(2000):
            table = again.table
            if table["over"]:
                break
            if table["choices"]:
                again.choose("hold", table["number"])
        assert again.table["over"]


@pytest.mark.wide
def test_the_dice_of_a_game_under_the_old_rules_are_verified_by_those(house):
    house.install(1)
    with house.open() as client:
        people = sat(client)
        for _ in range(2000):
            if people[0].table["over"]:
                break
            actor = next(person for person in people if person.table["choices"])
            rolled_already = actor.table["position"]["pot"]
            actor.choose("hold" if rolled_already >= 12 else "roll")
        record = house.folder / "old.game"
        record.write_text(people[0].get(f"/api/games/{people[0].key}/record").text)
    assert "# rules: version 1\n" in record.read_text()
    CliRunner().invoke(command, ["rules", str(house.rules)])
    house.install(2, SHORT)
    done = CliRunner().invoke(verify, [str(record)])
    assert "played by version 1 of the rules, and these are version 2" in str(done.exception)
    done = CliRunner().invoke(verify, [str(record), "--rules", str(house.rules)])
    assert done.exit_code == 0, done.output


def test_kept_rules_stay_as_they_are(house):
    house.install(1)
    earlier.keep(game.find("pig"), house.rules)
    before = (house.rules / "pig-1" / "pig" / "rules.py").read_text()
    house.install(1, SHORT)
    assert earlier.keep(game.find("pig"), house.rules) is None
    assert (house.rules / "pig-1" / "pig" / "rules.py").read_text() == before


def test_a_file_that_is_no_dump_is_refused(house, tmp_path):
    house.install(1)
    with house.open() as client:
        sat(client)
    (tmp_path / "x.jsonl").write_text(json.dumps({"key": 1}) + "\n")
    words = ["check", str(tmp_path / "x.jsonl"), "--db", str(house.folder / "t.db")]
    done = CliRunner().invoke(command, words)
    assert "line 1 was not written by yegg house dump" in str(done.exception)
