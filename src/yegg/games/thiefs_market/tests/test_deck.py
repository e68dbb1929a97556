"""The file of cards: a bad cell is named, another deck can be played with."""

import hashlib
import io
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import yegg
from yegg.cli import play, records
from yegg.engine import Match, Refused, kernels, notation
from yegg.engine.deck_shapes import KEY
from yegg.engine.notation import BadRecord
from yegg.games import find
from yegg.games.thiefs_market import GAME, use_cards
from yegg.games.thiefs_market.deck import COLUMNS, PUBLISHED, Effect, parsed_effect, read
from yegg.games.thiefs_market.deck_file import SAYS, effects
from yegg.games.thiefs_market.state import Phase

LINES = PUBLISHED.read_text(encoding="utf-8").splitlines()


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
    cards = read(PUBLISHED)
    assert len(cards) == 53
    assert (cards, cards[0].cost) == (read(variant()), (2, 0, 0, 0))
    assert (cards[0].effect, cards[0].words) == (Effect.TURN, ("red", "gem"))


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
def test_a_bad_cell_is_refused_by_line_and_column(variant, column, cell, reason):
    with pytest.raises(Refused) as refused:
        read(variant("fence", **{column: cell}))
    said = str(refused.value)
    line = 17 if (column, cell) == ("slug", "tailor") else 7  # the second of the two
    assert said.startswith(f"variant.csv, line {line}, column {column}: ")
    assert reason in said


def test_a_missing_column_is_named(tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("slug,name,deck,promo,cost,icons,effect\n")
    with pytest.raises(Refused, match=r"short\.csv, line 1: column points is missing"):
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
    with pytest.raises(Refused, match="line 202: a deck has at most 200 cards"):
        read(path)
    with pytest.raises(Refused, match="at most 200000 bytes"):
        read(Path("/dev/zero"))


def test_lines_are_counted_as_editors_do(tmp_path):
    """Blank lines and cells of several lines count."""
    path = tmp_path / "blank.csv"
    path.write_text("\n".join([LINES[0], "", *LINES[1:], LINES[1]]) + "\n", encoding="utf-8")
    with pytest.raises(Refused, match=f"line {len(LINES) + 2}, column slug: alchemical-lab comes"):
        read(path)


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(Refused, match="cannot be read"):
        read(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"slug,name\n\xff\xfe")
    with pytest.raises(Refused, match="cannot be read"):
        read(tmp_path / "bytes.csv")


def test_numbers_that_may_be_left_out(variant):
    cards = {card.slug: card for card in read(variant("fence", effect="treasure:9"))}
    assert (cards["fence"].numbers, cards["treasure-map-red"].numbers) == ((9, 5), (7, 5))


def change(path):
    """A changed cost, a new card with a known effect, two numbers of another size."""
    added = "golden-fence,Golden Fence,A,,G,henchman,1,spend:green:infamy:3"
    path.write_text(path.read_text() + added + "\n")
    return use_cards(path)


def test_a_variant_is_an_edit_of_data(variant):
    """The published game beside it stays as it is."""
    game = change(variant("fence", cost="WWWW", points="9"))
    bought, dice = 0, np.random.default_rng(1)
    match = Match(game, 3, how="plain")
    while not match.over:
        choice = int(dice.choice(match.choices))
        bought += match.say(choice) == "buy golden-fence"
        match.play(choice)
    assert bought in (0, 1)
    assert sum(match.scores) > 0
    cards, texts = game.part("cards"), game.part("texts")
    card = cards.SLUGS.index("golden-fence")
    assert texts.cost_text(card) == "G"
    assert texts.effect_text(card) == "1 Notoriety. Once a round: spend a green gem for 3 Infamy"
    published = GAME
    assert published.cards == ""
    assert "golden-fence" not in published.part("cards").SLUGS
    assert game.choices > published.choices
    assert game.name == published.name
    assert game.with_cards(PUBLISHED) is published
    assert game.with_cards(variant("fence", cost="G")).package.count("deck_") == 1


def test_a_file_with_the_published_cards_is_the_published_game(tmp_path):
    path = tmp_path / "copy.csv"
    path.write_bytes(PUBLISHED.read_bytes().replace(b"\n", b"\r\n"))
    assert use_cards(path) is GAME


def read_with(record, cards):
    return notation.read(io.BytesIO(record.encode()), "a.game", find, "plain", cards=cards)


def test_a_record_names_its_deck_and_replays_with_that_deck_alone(variant, tmp_path):
    path = variant("fence", cost="WWWW")
    match = Match("thiefs-market", 3, cards=path, seed=1, how="plain")
    for _ in range(40):
        match.play(match.choices[-1])
    record = notation.write(match)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    assert f"\ncards: {path.stem} {digest}\n" in record
    assert "cards:" not in notation.write(Match("thiefs-market", 3, how="plain"))
    renamed = tmp_path / "another name, with commas.csv"
    renamed.write_bytes(path.read_bytes())
    again = read_with(record, renamed)
    assert again.states.tobytes() == match.states.tobytes()
    with pytest.raises(BadRecord, match=rf"a.game:3: .*{digest}.*not here: .*--cards FILE"):
        read_with(record, None)
    with pytest.raises(BadRecord, match=r"cards.csv holds the published cards"):
        read_with(record, PUBLISHED)
    other = tmp_path / "other.csv"
    other.write_bytes(path.read_bytes().replace(b"WWWW", b"WWWG"))
    with pytest.raises(BadRecord, match=r"other.csv holds the cards 'other"):
        read_with(record, other)
    with pytest.raises(BadRecord, match="played with the published cards: leave out --cards"):
        read_with(record.replace(f"cards: {path.stem} {digest}\n", ""), path)
    with pytest.raises(BadRecord, match=r"a.game:3: cards are a name and twelve digits"):
        read_with(record.replace(digest, "0"), path)


def test_only_a_game_with_a_deck_takes_cards():
    with pytest.raises(Refused, match="the cards of Second Story cannot be changed"):
        Match("second-story", 3, cards=PUBLISHED)


def test_commands_take_the_deck_of_a_record(variant, tmp_path):
    path, kept = variant("fence", cost="WWWW"), tmp_path / "a.game"
    match = Match("thiefs-market", 3, cards=path, seed=1, how="plain")
    kept.write_text(notation.write(match), encoding="utf-8")
    run = CliRunner().invoke
    done = run(records.replay, [str(kept), "--cards", str(path), "--at", "5"])
    assert done.exit_code == 0, done.output
    assert run(records.replay, [str(kept)]).exit_code == 1
    resumed, _ = play.resumed(kept, GAME, [], path)
    assert resumed.game.cards == match.game.cards


def shape(game):
    """What stands for all that the game's machine code depends on, but for the deck's tables."""
    return game.engine("lore", "tally").compiler.digest(kernels.__name__)[:KEY]


def test_what_a_card_says_is_data_and_how_many_choices_there_are_is_the_shape(variant):
    edits = [
        {"cost": "RWBG"},
        {"cost": "W"},
        {"name": "Receiver"},
        {"icons": "wand+plan"},
        {"points": "7"},
        {"effect": "turn:blue:bag"},
        {"deck": "B"},
    ]
    shapes = {shape(use_cards(variant("fence", **cells))) for cells in edits}
    assert len(shapes) == 1
    dear = {shape(use_cards(variant("fence", cost="W" * n))) for n in (3, 4, 20)}
    assert len(dear) == 1
    assert len({*shapes, *dear, shape(GAME), shape(change(variant()))}) == 4


@pytest.mark.wide
def test_the_compiled_twins_of_two_decks_of_one_shape_are_the_same_byte_for_byte(variant):
    edits = ({"cost": "RWBG", "points": "9"}, {"effect": "spend:white:gold:3", "icons": "wand"})
    games = [use_cards(variant("fence", **cells)) for cells in edits]
    assert shape(games[0]) == shape(games[1])
    dice = np.random.default_rng(3)
    for game in (*games, *games):
        slow, fast = (Match(game, 4, how=how) for how in ("plain", "compiled"))
        while not slow.over:
            assert slow.states.tobytes() == fast.states.tobytes()
            assert slow.choices == fast.choices
            choice = int(dice.choice(slow.choices))
            slow.play(choice)
            fast.play(choice)
        assert slow.scores == fast.scores


def test_in_a_deck_without_uses_the_market_is_left_as_ever(tmp_path):
    """Then `Choice.USE` and `Choice.DONE` are one number."""
    path = tmp_path / "cards.csv"
    used = r",(turn|spend|exchange|copy)[^,]*$"
    path.write_text("\n".join(re.sub(used, ",", line) for line in LINES) + "\n", encoding="utf-8")
    match = Match(use_cards(path), 3, seed=1, how="plain")
    while match.state.phase != Phase.MARKET:
        match.play(match.choices[0])
    done = match.texts["done"]
    told = match.game.voice.sentence(match.state, match.actor, done, match.names)
    assert told.prose.endswith(" leaves the market.")
    who = match.actor
    match.play(done)
    assert match.actor != who


def test_remarks_and_cells_without_a_column(tmp_path):
    path = tmp_path / "my.csv"
    path.write_text('# a "deck", mine\n\n' + "\n".join([*LINES[:3], '"# so,",,', *LINES[3:]]))
    assert read(path) == read(PUBLISHED)
    split = "fence,Fence, the,A,,R,wand,,haul"  # a name with a comma
    path.write_text("\n".join(["# a deck", *LINES[:3], split, *LINES[3:]]))
    with pytest.raises(Refused, match="line 5: 9 cells for 8 columns; a cell with a comma"):
        read(path)


def test_every_column_and_every_effect_is_explained_on_the_page_of_decks():
    page = " ".join((Path(yegg.__file__).parents[2] / "docs" / "decks.md").read_text().split())
    assert list(SAYS) == list(COLUMNS)
    for column in COLUMNS:
        assert f"| `{column}` | {SAYS[column]} |" in page
    for written, example, does, clause in effects():
        assert written in page
        assert f"* `{example}`: {does} ({clause})" in page
    assert {parsed_effect(example)[0] for _, example, *_ in effects()} == set(Effect) - {0}
