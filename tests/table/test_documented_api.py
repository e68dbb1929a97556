"""What docs/script-a-table.md tells people who write scripts is so."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from yegg import games

PAGE = (Path(__file__).parents[2] / "docs" / "script-a-table.md").read_text(encoding="utf-8")


LONG = ("magnate", "thiefs-market")


@pytest.mark.wide
@pytest.mark.parametrize(
    "name", [pytest.param(g, marks=pytest.mark.wide if g in LONG else ()) for g in games.names()]
)
def test_the_bot_on_the_page_plays_every_game_to_its_end(served, tmp_path, name):
    (bot,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len([line for line in bot.splitlines() if line.strip()]) <= 20
    script = tmp_path / "bot.py"
    script.write_text(bot, encoding="utf-8")
    others = ["uniform"] * (games.find(name).usual - 1)
    words = [sys.executable, str(script), served.base, name, *others]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"places \[.*\] mine is seat 1\n", done.stdout)


def test_a_view_holds_what_the_page_says(party):
    people = party("second-story", 2)
    (turn,) = people[0].table["turn"]  # the first night may have failed already
    view = people[turn - 1].table
    (shown,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert set(json.loads(shown)) <= set(view)
    assert view["turn"] == [turn] == [view["seat"]]
    assert set(view["choices"][0]) == {"choice", "text"}
    assert view["happened"][0]["seat"] is None


@pytest.mark.wide(but=["second-story", "secrets"])
@pytest.mark.parametrize("name", games.names())
def test_every_field_that_the_page_names_is_in_the_position(name, party):
    game = games.find(name)
    (fields,) = re.findall(rf"^{game.title} \(\[.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    position = party(name, game.usual)[0].table["position"]
    named = re.findall(r"`(\w+)`", fields)
    assert len(named) > 5
    assert set(named) <= set(position)
    assert {option.replace("-", "_") for option in game.options} <= set(position)
