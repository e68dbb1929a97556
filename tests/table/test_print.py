"""What is printed: every page of aid and every sheet of every game, from the game's own numbers."""

import re
from html import unescape

import pytest
from markupsafe import escape

from yegg import games
from yegg.engine import Match
from yegg.games.magnate import aid as duchy
from yegg.games.magnate.odds import numbers
from yegg.games.thiefs_market.cards import CARDS, N_CARDS, PROMO
from yegg.table.render import rulebook

from .conftest import finish

SHEETS = [
    (name, sheet)
    for name in games.names()
    for sheet in ("aid", *rulebook.sheets(games.find(name), games.find(name).usual))
]


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_every_sheet_is_there_for_every_number_of_players(client, game, sheet):
    for players in games.find(game).players:
        page = client.get(f"/print/{game}/{sheet}?players={players}")
        assert page.status_code == 200
        assert str(escape(games.find(game).title)) in page.text


@pytest.mark.parametrize("game", games.names())
def test_the_aid_has_every_core_clause_and_the_rules_lead_to_it(client, game):
    page = client.get(f"/print/{game}/aid").text
    core = rulebook.core(games.find(game))
    assert len(core) >= 10
    assert all(f"<strong>{clause}</strong>" in page for clause in core)
    rules = client.get(f"/rules/{game}").text
    for sheet in ("aid", *rulebook.sheets(games.find(game), games.find(game).usual)):
        assert f'href="/print/{game}/{sheet}"' in rules


def test_se_2_an_order_sheet_for_each_player_has_five_turns_and_four_spies(client):
    for players in (3, 6):
        made = rulebook.sheets(games.find("secrets"), players)["orders"]
        assert len(made) == players
        for sheet in made:
            orders, stolen = sheet.grids
            assert [row[0] for row in orders.rows] == [f"turn {n}" for n in range(1, 6)]
            assert list(orders.head[1:6]) == ["Club", "Diamond", "Heart", "Spade", "policeman"]
            assert not any(cell for row in orders.rows for cell in row[1:]), "blank"
            assert list(stolen.head[1:]) == [str(n) for n in range(1, 10)]
            assert len(stolen.rows) == players
        page = client.get(f"/print/secrets/orders?players={players}").text
        assert page.count('class="sheet orders"') == players


def test_mg_12_the_aid_says_how_often_each_number_pays():
    state = Match(games.find("magnate"), 2, how="plain").state
    assert {n: pytest.approx(duchy.pays(state, n)) for n in range(1, 11)} == numbers(state)
    assert sum(duchy.pays(state, n) for n in range(1, 11)) == pytest.approx(1)
    single = Match(games.find("magnate"), 2, {"income": "one-die"}, how="plain").state
    assert {n: pytest.approx(duchy.pays(single, n)) for n in range(1, 11)} == numbers(single)


def test_ss_15_ss_16_the_aid_says_how_often_a_job_works():
    (grid,) = rulebook.aid(games.find("second-story"), 3)["grids"]
    rows = {row[0]: list(row[1:]) for row in grid.rows}
    assert rows["rank 5"] == ["60 %", "84 %"]
    assert rows["rank 9"] == ["20 %", "36 %"]
    assert rows["Crown"] == ["", "19 %"]


def test_tm_10_the_aid_has_every_card_of_the_decks():
    cards = on_paper({})
    assert list(cards["Fence"][1:3]) == ["WW", "henchman"]
    promos = {CARDS[c].name for c in range(N_CARDS) if PROMO[c]}
    assert promos
    assert not promos & cards.keys()
    assert promos < on_paper({"promos": "yes"}).keys()


def on_paper(options):
    grids = rulebook.aid(games.find("thiefs-market"), 3, options)["grids"]
    return {row[0]: row for grid in grids[:3] for row in grid.rows}


def test_se_10_paper_names_the_points_and_spies_of_the_table_it_is_for(party, client):
    ann, *_ = party("secrets", 3, options={"reward": "1", "spies": "3", "turns": "7"})
    usual = client.get("/print/secrets/aid").text
    assert "10 points each" in usual
    assert "At this table" not in usual
    table = client.get(f"/t/{ann.key}").text
    href = unescape(re.search(r'href="(/print/secrets/aid[^"]*)"', table)[1])
    page = client.get(href).text
    assert "1 point each" in page
    assert "10 points each" not in page
    assert "Points for a captured spy: 1;" in page
    orders = unescape(re.search(r'href="(/print/secrets/orders[^"]*)"', page)[1])
    sheet = client.get(orders).text
    assert sheet.count('class="sheet orders"') == 3
    assert "turn 7" in sheet
    assert "Spade" not in sheet
    scores = client.get(orders.replace("/orders", "/scores")).text
    assert "captured spies 1 point each" in scores


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/print/chess/aid", 404),
        ("/print/secrets/nothing", 404),
        ("/print/magnate/orders", 404),
        ("/print/secrets/orders?players=99", 200),
        ("/print/secrets/orders?players=-3", 200),
        ("/print/secrets/orders?players=x", 404),
        ("/print/secrets/aid?reward=99", 422),
        ("/print/magnate/aid?players=2&automa=easy", 200),
    ],
)
def test_what_is_no_sheet_is_said_so(client, path, status):
    assert client.get(path).status_code == status


def test_a_record_is_printed_as_its_reader_may_see_it(party, client):
    people = party("second-story", 2, options={"chips": "3"})
    finish(people)
    record = people[0].get(f"/api/games/{people[0].key}/record").text
    page = client.get(f"/t/{people[0].key}/record").text
    assert all(line in page for line in record.splitlines() if "'" not in line)
