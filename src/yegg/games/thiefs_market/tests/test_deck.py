"""The file of cards: a bad cell is named, another deck can be played with."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from yegg.engine import Refused
from yegg.games import thiefs_market
from yegg.games.thiefs_market import deck
from yegg.games.thiefs_market.deck import OURS, Effect, read

LINES = OURS.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def variant(tmp_path):
    """Our file with some cells of a card replaced."""

    def written(of="", **cells):
        lines = list(LINES)
        columns = lines[0].split(",")
        for i, line in enumerate(lines):
            parts = line.split(",")
            if parts[0] == of:
                lines[i] = ",".join(cells.get(c, p) for c, p in zip(columns, parts, strict=True))
        path = tmp_path / "variant.csv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return written


def test_our_own_file_reads(variant):
    cards = read(OURS)
    assert len(cards) == 53
    assert cards == read(variant())
    assert cards[0].cost == (2, 0, 0, 0)
    assert cards[0].effect == Effect.TURN
    assert cards[0].words == ("red", "gem")


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("slug", "Fence!", "small letters"),
        ("slug", "tailor", "comes twice"),
        ("name", "", "needs a name"),
        ("deck", "D", "can be A, B, C"),
        ("promo", "maybe", "can be empty, yes"),
        ("cost", "", "one or more of the letters R W B G"),
        ("cost", "RX", "one or more of the letters R W B G"),
        ("cost", "R" * 300, "300 gems; a card costs at most 20, as many as dice"),
        ("name", "\x1b]0;Fence\x07", "printable characters"),
        ("name", "F" * 41, "1 to 40 printable characters"),
        ("icons", "henchmen", "can be henchman, wand"),
        ("icons", "", "can be henchman, wand"),
        ("points", "-1", "a number from 0 to 99"),
        ("points", "two", "a number from 0 to 99"),
        ("effect", "fly", "can be turn, spend"),
        ("effect", "turn:red", "needs more: turn:red/white/blue/green/bag:gem/bag"),
        ("effect", "turn:mask:gem", "can be red, white, blue, green, bag"),
        ("effect", "turn:bag:bag", "a bag is turned to a gem"),
        ("effect", "turn:red:gem:2", "needs less"),
        ("effect", "exchange:gold:infamy", "needs more"),
        ("effect", "exchange:gold:infamy:x", "a number from 0 to 99"),
        ("effect", "per-infamy:0", "from 1"),
        ("effect", "haul:1:2", "needs less"),
    ],
)
def test_a_bad_cell_is_refused_by_row_and_column(variant, column, cell, reason):
    with pytest.raises(Refused) as refused:
        read(variant("fence", **{column: cell}))
    said = str(refused.value)
    row = 17 if (column, cell) == ("slug", "tailor") else 7  # the second of the two
    assert said.startswith(f"variant.csv, row {row}, column {column}: ")
    assert reason in said


def test_a_missing_column_is_named(tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("slug,name,deck,promo,cost,icons,effect\n")
    with pytest.raises(Refused, match=r"short\.csv, row 1: column points is missing"):
        read(path)


def test_a_deck_too_small_for_a_row_of_the_market(tmp_path):
    path = tmp_path / "small.csv"
    kept = [line for line in LINES if ",C," not in line] + [x for x in LINES if ",C," in x][:4]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    with pytest.raises(Refused, match="4 cards of C; at least 5"):
        read(path)


def test_a_deck_that_is_too_large_for_anybody(tmp_path, variant):
    path = variant()
    more = [f"card-{i},Card,A,,R,henchman,1," for i in range(150)]
    path.write_text("\n".join([*LINES, *more]) + "\n", encoding="utf-8")
    with pytest.raises(Refused, match="row 202: a deck has at most 200 cards"):
        read(path)
    with pytest.raises(Refused, match="at most 200000 bytes"):
        read(Path("/dev/zero"))


def test_a_row_is_counted_as_editors_do(tmp_path):
    """Blank lines and cells of several lines count."""
    path = tmp_path / "blank.csv"
    path.write_text("\n".join([LINES[0], "", *LINES[1:], LINES[1]]) + "\n", encoding="utf-8")
    with pytest.raises(Refused, match=f"row {len(LINES) + 2}, column slug: alchemical-lab comes"):
        read(path)


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(Refused, match="cannot be read"):
        read(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"slug,name\n\xff\xfe")
    with pytest.raises(Refused, match="cannot be read"):
        read(tmp_path / "bytes.csv")


def test_numbers_that_may_be_left_out(variant):
    cards = {card.slug: card for card in read(variant("fence", effect="treasure:9"))}
    assert cards["fence"].numbers == (9, 5)
    assert cards["treasure-map-red"].numbers == (7, 5)


def test_another_deck_comes_too_late_once_the_rules_are_loaded(variant):
    assert thiefs_market.GAME.choices
    with pytest.raises(Refused, match="before the game"):
        thiefs_market.use_cards(variant("fence", cost="G"))


CHANGED = """
import sys
import numpy as np
from yegg.games import thiefs_market
thiefs_market.use_cards(sys.argv[1])
from yegg.engine import Match
from yegg.games.thiefs_market import cards, texts
match = Match(thiefs_market.GAME, 3, how="plain")
dice = np.random.default_rng(1)
bought = 0
while not match.over:
    choice = int(dice.choice(match.choices))
    bought += match.say(choice) == "buy golden-fence"
    match.play(choice)
card = cards.SLUGS.index("golden-fence")
print(bought, texts.cost_text(card), texts.effect_text(card), sum(match.scores) > 0)
"""


def test_a_variant_is_an_edit_of_data(tmp_path, variant):
    """A changed cost, a new card with a known effect, two numbers of another size."""
    path = variant("fence", cost="WWWW", points="9")
    added = "golden-fence,Golden Fence,A,,G,henchman,1,spend:green:infamy:3"
    path.write_text(path.read_text() + added + "\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", CHANGED, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    bought, cost, *rest = done.stdout.split(maxsplit=2)
    assert int(bought) in (0, 1)
    assert (cost, rest[0].strip()) == (
        "G",
        "1 Notoriety. Once a round: spend a green gem for 3 Infamy True",
    )
    assert deck.VARIABLE not in os.environ
