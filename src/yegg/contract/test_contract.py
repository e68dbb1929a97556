"""What every game promises, checked for every game there is."""

import ast
import csv
import inspect
import io
import random
import sys
import weakref
from enum import EnumType

import numpy as np
import pytest

from yegg import games
from yegg.engine import CHANCE, NOBODY, Match, NotLegal, Refused, kernels, notation
from yegg.engine.compiler import Compiler
from yegg.engine.dice import seeds
from yegg.engine.record import copied
from yegg.engine.view import ANY_QUESTION
from yegg.players import Bot

from .cases import NAMES, Case, wander


def test_someone_can_always_act_until_the_game_is_over(case):
    for match in wander(case.match(), 1, 1000):
        assert bool(match.choices) == (match.actor != NOBODY)
        assert match.actor in (CHANCE, NOBODY, *range(case.players))
        assert match.choices == sorted(set(match.choices))
        assert all(0 <= choice < case.game.choices for choice in match.choices)


def test_every_choice_has_one_text_and_is_found_by_it(case):
    for match in wander(case.match(), 2, 300):
        texts = match.texts
        assert len(texts) == len(match.choices)
        for text, choice in texts.items():
            assert text == " ".join(text.split())
            assert text.isprintable()
            assert "|" not in text
            assert match.hear(text) == choice


@np.errstate(all="raise")  # of the plain twin, whose numbers must not overflow either
def test_the_compiled_twin_is_the_same_byte_for_byte(case):
    slow, fast = case.match("plain"), case.match("compiled")
    dice = random.Random(3)
    for _ in range(1000):
        assert slow.states.tobytes() == fast.states.tobytes()
        assert (slow.actor, slow.choices) == (fast.actor, fast.choices)
        for seat in range(case.players):
            assert slow.known_to(seat).tobytes() == fast.known_to(seat).tobytes()
        if slow.over:
            break
        choice = dice.choice(slow.choices)
        slow.play(choice)
        fast.play(choice)
    assert (slow.scores, slow.places) == (fast.scores, fast.places)


def bare_members(module):
    """Where a function indexes by a member of an enum: the line, and what stands there."""
    space = vars(module)
    tree = ast.parse(inspect.getsource(module))
    for function in [one for one in tree.body if isinstance(one, ast.FunctionDef)]:
        for node in ast.walk(function):
            match node:
                case ast.Subscript(slice=ast.Attribute(value=ast.Name(id=enum))):
                    if isinstance(space.get(enum), EnumType):
                        yield f"{module.__file__}:{node.lineno} {ast.unparse(node)}"


def test_no_array_is_indexed_by_a_bare_member_of_an_enum(game):
    """A graphics card's compiler does not know ``N[When.BUY]``; it knows ``N[When.BUY.value]``."""
    parts = [part for part in (game.rules, game.part("columns")) if part]
    reached = Compiler(*parts).reach(part.__name__ for part in parts)
    own = [sys.modules[name] for name in reached if name.startswith(game.package)]
    assert own
    assert not [where for module in own for where in bare_members(module)]


@pytest.mark.wide
def test_no_index_is_negative_or_too_large(case):
    """Compiled code does not look: it would read, or write, beside the array."""
    states = np.repeat(case.match().states, 200)
    play = case.game.engine(how="checked").kernel(kernels.playouts)
    assert play(states, seeds(1, 0, 1, 1)[0, 0], 20_000, np.zeros(case.game.choices, np.int32))
    bots = [Bot("greedy", seed, how="checked") for seed in range(case.players)]
    match = case.match().to_decision()
    for _ in range(40):
        if match.over:
            break
        match.play(bots[match.actor].choose(match.view()))
        match.to_decision()


def test_replay_equals_the_original_and_the_record_is_text_both_ways(case):
    *_, match = wander(case.match(), 4)
    text = notation.write(match, legal=True)
    again = notation.read(io.BytesIO(text.encode()), "record", games.find)
    assert again.history == match.history
    assert again.states.tobytes() == match.states.tobytes()
    assert notation.write(again, legal=True) == text


def test_a_choice_that_is_not_legal_is_refused_and_changes_nothing(case):
    dice = random.Random(5)
    for match in wander(case.match(), 5, 60):
        before = match.states.tobytes()
        others = sorted(set(range(case.game.choices)) - set(match.choices))
        for wrong in (-1, case.game.choices, dice.choice(others), dice.choice(others)):
            with pytest.raises(NotLegal):
                match.play(wrong)
        assert match.states.tobytes() == before


def test_places_follow_the_standing_and_scores_are_whole_numbers(case):
    *_, match = wander(case.match(), 6)
    places = match.places
    assert match.over
    assert min(places) == 1
    for place in places:
        assert sum(other < place for other in places) == place - 1


# --- what a seat may know -------------------------------------------------------------------


def test_hiding_twice_changes_nothing_and_the_view_is_playable(case):
    hide, playouts = (case.game.engine().kernel(k) for k in (kernels.veil, kernels.playouts))
    out = np.zeros(case.game.choices, np.int32)
    for i, match in enumerate(wander(case.match(), 7)):
        if i % 41:
            continue
        for seat in range(case.players):
            once = match.known_to(seat)
            twice = once.copy()
            hide(twice, seat)
            assert twice.tobytes() == once.tobytes()
            assert playouts(once.copy(), seeds(i, 0, 1, 1)[0, 0], 20_000, out) < 20_000, "it ends"


def test_a_game_that_tells_all_hides_nothing(case):
    for match in wander(case.match(), 8, 0 if case.game.secret else 200):
        assert match.known_to(0).tobytes() == match.known_to(-1).tobytes() == match.states.tobytes()


def test_what_a_seat_sees_has_the_same_choices_for_it_as_the_truth(case):
    out = np.zeros(case.game.choices, np.int32)
    for match in wander(case.match(), 8):
        view = match.known_to(match.actor)[0] if match.actor >= 0 else None
        if view is not None and case.game.rules.actor(view) == match.actor:
            assert out[: case.game.rules.legal(view, out)].tolist() == match.choices


def test_what_a_seat_sees_has_the_words_of_the_truth(case):
    """What is hidden in a view, chance or others still have to do; the seat is asked after that."""
    for match in wander(case.match(), 12, 100):
        if match.actor >= 0:
            view = match.view()
            assert view.texts == match.texts
            assert view.question == (match.game.voice.ask(match.state) or ANY_QUESTION)
            assert view.scene()


def test_undo_takes_back_only_the_seats_own_last_choice(case):
    for match in wander(case.match(), 9, 100):
        if not match.history:
            continue
        last, before = match.actors[-1], list(match.history)
        for seat in range(case.players):
            if seat != last:
                assert not match.undo(seat)
        assert match.history == before
        if last >= 0:
            state = match.states.tobytes()
            assert match.undo(last)
            match.play(before[-1])
            assert match.states.tobytes() == state


def test_the_clauses_that_apply_are_on_the_rules_page(case):
    clauses = getattr(case.game.words, "clauses", lambda s: ())
    page = (case.game.folder / "RULES.md").read_text("utf-8")
    for match in wander(case.match(), 10, 200):
        for number in clauses(match.state):
            assert f"-{number}**" in page


def test_the_fields_of_a_match_are_those_of_its_record(case):
    match = case.match("plain")
    for _ in range(3):
        match.play(match.choices[0])
    s, slow = match.state, match.states.view(np.dtype((np.record, case.game.state.dtype)))[0]
    assert isinstance(s, np.record)
    assert s.dtype == slow.dtype
    for field in s.dtype.names:
        assert np.array_equal(getattr(s, field), getattr(slow, field))
        setattr(s, field, 3)
        assert (match.states[field] == 3).all(), "it is put in place"
        match.states[field] = 4
        assert np.all(getattr(s, field) == 4)
    assert not hasattr(s, "wings")
    with pytest.raises(AttributeError, match="no field 'wings'"):
        s.wings = 2


# --- golden records ---------------------------------------------------------------------------

GOLDEN = [
    pytest.param(path, id=f"{name}-{path.stem}")
    for name in NAMES
    for path in sorted((games.find(name).folder / "records").glob("*.game"))
]


@pytest.mark.wide(
    but=[
        "magnate-basic",
        "magnate-everything",
        "magnate-solo-hard",
        "second-story-basic-two",
        "second-story-everything-five",
        "secrets-three",
        "secrets-hidden",
        "secrets-six",
        "thiefs-market-basic-four",
        "thiefs-market-promos-five",
    ]
)
@pytest.mark.parametrize("path", GOLDEN)
def test_golden_records_replay_in_both_twins(path):
    plain, compiled = (notation.read_file(path, games.find, how) for how in ("plain", "compiled"))
    assert plain.history == compiled.history
    assert plain.states.tobytes() == compiled.states.tobytes()
    kept = [line for line in path.read_text("utf-8").splitlines() if line[:1] not in ("#", "?")]
    assert notation.write(compiled).splitlines() == kept


def test_every_game_has_golden_records(game):
    assert list((game.folder / "records").glob("*.game"))


# --- options ----------------------------------------------------------------------------------


def test_an_unknown_option_or_value_names_those_there_are(game):
    with pytest.raises(Refused, match="has no option 'colour'"):
        Match(game, game.usual, {"colour": "red"})
    for name, made in game.options.items():
        with pytest.raises(Refused, match=made.values[-1]):
            Match(game, game.usual, {name: "perhaps"})


@pytest.mark.parametrize("players", [-1, 0, 99])
def test_a_wrong_number_of_players_is_refused(game, players):
    with pytest.raises(Refused, match="players"):
        Match(game, players)


def test_defaults_are_left_out_of_a_record(case):
    match = case.match()
    full = case.game.texts(case.game.codes(case.players, dict(case.options)))
    assert Match(case.game, case.players, full, how="plain").options == match.options
    assert Case(case.name, case.players, tuple(match.options.items())).match().options == (
        match.options
    )


# --- how many ways the first events of a game can go: counts that must never change ---------------

FILES = {name: games.find(name).folder / "perft.csv" for name in NAMES}
ROWS = [
    pytest.param(
        name,
        row,
        id=f"{name}-{row['players']}-{row['options']}-{row['depth']}",
        marks=pytest.mark.wide if row["options"] and int(row["leaves"]) > 10_000 else (),
    )
    for name, path in FILES.items()
    if path.exists()
    for row in csv.DictReader(path.read_text("utf-8").splitlines())
]


def leaves(rules, s, depth, size):
    """Positions after so many events, counted by every way to get there."""
    if depth == 0 or rules.actor(s[0]) == NOBODY:
        return 1
    out = np.zeros(size, np.int32)
    k = rules.legal(s[0], out)
    if depth == 1:
        return k
    total = 0
    for choice in out[:k].tolist():
        after = s.copy()
        rules.play(after[0], choice)
        total += leaves(rules, after, depth - 1, size)
    return total


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_perft(name, row):
    game = games.find(name)
    options = dict(pair.split("=") for pair in row["options"].split()) if row["options"] else {}
    match = Match(game, int(row["players"]), options, how="plain")
    found = leaves(game.rules, match.states, int(row["depth"]), game.choices)
    assert found == int(row["leaves"])


@pytest.mark.parametrize("name", NAMES)
def test_a_state_that_was_read_is_not_kept_in_memory(name):
    match = Match(games.find(name), games.find(name).usual, how="plain")
    states = copied(match.states)
    gone = weakref.ref(states)
    for field in states.dtype.names:
        getattr(states[0], field)
    del states
    assert gone() is None
