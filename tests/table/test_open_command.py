"""`yegg open`: a table from the command line, and `yegg sit`, which tells its choices."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from yegg.cli import cli
from yegg.client import Place, Server, playing, sit

from .test_bot_client import Hasty, looked

SHORT = ["secrets", "--option", "secrets=3", "--option", "spies=1", "--option", "turns=1"]


@pytest.fixture
def host(served):
    return served


def ran(*words):
    """What a command prints."""
    done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def refused(*words):
    """Why a command does nothing."""
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code
    return str(done.output) + str(done.exception)


def sits(*words, others, link):
    """What `yegg sit` prints at a table where so many other bots sit down."""
    with ThreadPoolExecutor(others) as pool:
        ends = [pool.submit(sit, link, Hasty, name=f"Other {i}") for i in range(others)]
        printed = ran("sit", *words)
        for end in ends:
            end.result(timeout=30)
    return printed


def test_a_table_is_opened_with_its_options_and_a_bot_sits_down_at_the_printed_link(host):
    printed = ran("open", host.base, *SHORT, "-p", "3")
    link = re.search(rf"^  ({host.base}/t/\S+)$", printed, re.MULTILINE)[1]
    table = looked(link)
    assert (table.game, len(table.seats), table.begun) == ("secrets", 3, False)
    assert table.options["secrets"] == "3"
    assert all(place.free for place in table.seats)
    words = re.search(r"^  yegg (sit .*)$", printed, re.MULTILINE)[1].split()
    assert words == ["sit", link, "--bot", "hard"]
    sits(link, "--bot", "uniform", others=2, link=link)
    assert looked(link).over


def test_a_seat_of_ones_own_is_played_by_whoever_has_the_file(host, tmp_path):
    file = tmp_path / "my seat.txt"
    data = json.loads(ran("open", host.base, *SHORT, "--token", file, "--name", "Ann", "--json"))
    link = data["link"]
    count = len(data["seats"])
    assert data["seats"] == ["me", *["open"] * (count - 1)]
    assert (data["seat"], data["token_file"]) == (1, str(file))
    assert file.stat().st_mode & 0o077 == 0, "nobody else can read it"
    assert [place.free for place in looked(link).seats] == [False, *[True] * (count - 1)]
    words = [link, "--token", file, "--bot", "uniform"]
    printed = sits(*words, others=count - 1, link=link)
    over = looked(link)
    assert over.seats[0].name == "Ann", "it is the seat that was taken"
    turns = re.findall(r"^turn (\d+), event (\d+): (.+), \d+\.\d\d s$", printed, re.MULTILINE)
    assert [int(turn) for turn, *_ in turns] == [*range(1, len(turns) + 1)]
    with Server(host.base) as server:
        record = server.fetch("GET", f"/games/{over.id}/record", token=file.read_text()).decode()
    events = [line for line in record.splitlines() if re.match(r"[*1-9-] ", line)]
    for _, event, text in turns:
        assert f"1 {text}" in events, event
    best = [place.name for place, won in zip(over.seats, over.places, strict=True) if won == 1]
    (ending,) = [line for line in printed.splitlines() if "over, places" in line]
    assert all(name in ending for name in best)
    assert ending.endswith(f"scores {', '.join(map(str, over.scores))}")


def test_a_quiet_bot_prints_nothing(host):
    link = json.loads(ran("open", host.base, *SHORT, "-p", "3", "--json"))["link"]
    assert sits(link, "--bot", "uniform", "--quiet", others=2, link=link) == ""


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ([2, 1], "over, places [2, 1]: Ben wins; scores 3, 8"),
        ([1, 1], "over, places [1, 1]: Ann and Ben share the win; scores 3, 8"),
    ],
)
def test_who_won_is_told_by_name(host, places, says):
    with Server(host.base) as server:
        table = server.open("magnate", ["open", "open"], "").look()
    table.seats = [Place(i, name, None, False, True) for i, name in enumerate(["Ann", "Ben"], 1)]
    table.places, table.scores = places, [3, 8]
    assert playing.ended(table) == says


def test_what_cannot_be_opened_is_told_with_what_would_have_been_right(host, tmp_path):
    there = tmp_path / "seat.txt"
    there.write_text("something")
    fresh = tmp_path / "fresh.txt"
    for words, why in [
        (["magnate", "-p", "7"], "Magnate is for 1 to 2 players, not 7"),
        (["magnate", "-p", "2", "--seats", "open"], "--seats has 1 seat, and -p says 2"),
        (["magnate", "--seats", "me,open"], "as in --seats me,open --token seat.txt"),
        (["magnate", "--token", there], "is there already"),
        (["magnate", "--seats", "open,nobody"], "nobody"),
        (["magnate", "--seats", "me,nobody", "--token", fresh], "nobody"),
        (["chess"], "there is no game 'chess'"),
        (["magnate", "--option", "dice=many"], "dice"),
    ]:
        assert why in refused("open", host.base, *words)
    assert there.read_text() == "something"
    assert not fresh.exists(), "no file is left of a table that was not opened"
    assert "is no server's address" in refused("open", "localhost", "magnate")
