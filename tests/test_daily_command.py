"""`yegg daily`: one try at a deal in the terminal; `yegg verify` with the key of a day."""

import json
import re

import pytest

from yegg import games
from yegg.cli import daily
from yegg.engine.daily_deal import key_of

SS = "second-story"
KEY = key_of(bytes(32), "2026-11-22", SS)
PROMPT = "Guest > "


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data" / "yegg" / "daily"


@pytest.fixture
def over(monkeypatch, run, folder):
    """A whole game by the deal of a key, with a bot in your seat; and no coach."""
    found = {"standing": [1, 2], "luck": 0.12, "gave": 0.034, "costly": None, "levels": {}}
    monkeypatch.setattr(daily, "look", lambda deal, match: found)
    monkeypatch.setattr(daily.DealSession, "asked", lambda self, seat: self.match.choices[0])
    status, out, _ = run(f"daily {SS} --key {KEY.hex()}")
    assert status == 0
    return out, folder / f"key-{KEY.hex()[:8]}-{SS}.game"


def test_the_result_keeps_luck_and_choices_apart(over):
    out, _ = over
    assert "you won by two" in out
    assert re.search(r"luck gave you +\+12 wins in 100 games", out)
    assert re.search(r"you gave away +-3 wins in 100 games", out)


def test_a_second_try_only_shows_the_first(over, run):
    before = over[1].read_bytes()
    status, out, _ = run(f"daily {SS} --key {KEY.hex()}")
    assert (status, over[1].read_bytes()) == (0, before)
    assert "you won by two" in out
    assert PROMPT not in out


def test_its_record_is_verified_and_a_changed_die_is_found(over, run, tmp_path):
    record = over[1].read_text()
    assert run(f"verify {over[1]}")[0] == 0
    unopened = tmp_path / "unopened.game"
    unopened.write_text(re.sub(r"# key: .*\n", "", record))
    status, _, why = run(f"verify {unopened}")
    assert status == 1
    assert "the key is not opened" in why
    assert run(f"verify {unopened} --key {KEY.hex()}")[0] == 0
    assert run(f"verify {unopened} --key {'0' * 64}")[0] == 1
    last = record.rindex("* roll ")
    changed = record[:last] + re.sub(
        r"\d+", lambda n: str(int(n[0]) % 10 + 1), record[last:], count=1
    )
    bad = tmp_path / "bad.game"
    bad.write_text(changed)
    status, _, why = run(f"verify {bad}")
    assert status == 1
    assert "but it had to be 'roll" in why or "roll" in why


def test_the_list_says_how_far_you_are(run, folder):
    status, out, _ = run("daily")
    assert status == 0
    assert len(re.findall("not played yet", out)) == len(games.names())
    secret = (folder / "secret").read_text()
    run("daily")
    assert (folder / "secret").read_text() == secret, "it is made once"
    assert (folder / "secret").stat().st_mode & 0o077 == 0


def test_days_in_a_row_are_counted(run, folder):
    run("daily")
    (folder / f"{daily.now()}-{SS}.json").write_text(json.dumps({"standing": [2, -1]}))
    out = run("daily")[1]
    assert "1 day in a row" in out
    assert "you lost by one" in out


def test_it_is_left_and_gone_on_with(terminal):
    key = KEY.hex()
    talk = terminal("daily", SS, "--key", key)
    talk(None, PROMPT)
    talk("!", "The coach is off in the deal of the day")
    talk("quit", "Go on with: yegg daily")
    assert f"{SS} --key {key}" in talk.child.after + talk.child.readline()


@pytest.mark.parametrize("words", ["daily --key 12", f"daily {SS} --key 12", "verify a --key 1"])
def test_what_is_no_key_is_refused(run, words):
    status, _, why = run(words)
    assert status == 2 or "No such file" in why or "no such file" in why
