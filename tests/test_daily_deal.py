"""The deal of a day: the same chance for all who choose alike, by whose turn it is."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from yegg import games
from yegg.engine import CHANCE, Match
from yegg.engine.daily_deal import (
    Asked,
    Count,
    Fate,
    Sealed,
    check_deal,
    key_again,
    key_of,
    mind,
    seal,
    sealed,
)
from yegg.engine.notation import BadRecord

SECRET = bytes(range(32))
CHANCY = ["second-story", "magnate", "thiefs-market"]
DIE = [f"roll {face}" for face in range(1, 11)]
CARDS = [f"flip card-{n}" for n in range(36)]


def played(name: str, day: str, lot: int, how: str = "plain", most: int = 400) -> Match:
    """A game by the deal of a day; players choose by ``lot``."""
    game = games.find(name)
    match, fate = Match(game, game.usual, how=how), Fate(key_of(SECRET, day, name))
    players = random.Random(lot)
    while not match.over and len(match.history) < most:
        chance = match.actor == CHANCE
        match.play(fate.choose(match) if chance else players.choice(match.choices))
    return match


def asked_and_came(match: Match) -> dict[Asked, tuple[str, list[str]]]:
    """What was asked of chance: what came, and all that could have."""
    again, count, found = match.again(), Count(), {}
    for actor, choice in zip(match.actors, match.history, strict=True):
        if actor == CHANCE:
            possible = [again.say(one) for one in again.choices]
            asked = count.next(again)
            found[asked, possible[0].split()[0]] = again.say(choice), possible
        again.follow([choice])
    return found


@pytest.mark.parametrize("name", CHANCY)
def test_a_day_is_the_same_for_the_same_choices_and_another_day_is_not(name):
    first, same = played(name, "2026-11-22", 1), played(name, "2026-11-22", 1)
    assert first.history == same.history
    other = played(name, "2026-11-23", 1)
    assert first.history != other.history


@pytest.mark.parametrize("name", ["second-story"])
def test_plain_and_compiled_rules_have_the_same_chance(name):
    plain, compiled = (played(name, "2026-11-22", 3, how) for how in ("plain", "compiled"))
    assert plain.history == compiled.history


@pytest.mark.parametrize("name", CHANCY)
def test_nothing_that_is_asked_is_asked_twice(name):
    match = played(name, "2026-11-22", 5)
    assert len(asked_and_came(match)) == match.actors.count(CHANCE)


@pytest.mark.parametrize("name", CHANCY)
def test_who_plays_otherwise_finds_the_same_unless_it_is_gone(name):
    one, two = (asked_and_came(played(name, "2026-11-22", lot)) for lot in (1, 2))
    both = one.keys() & two.keys()
    moved = [asked for asked in both if one[asked][0] != two[asked][0]]
    assert len(both) > 20
    for asked in moved:
        assert one[asked][0] not in two[asked][1] or two[asked][0] not in one[asked][1]
    assert len(moved) < len(both)


def test_a_card_that_is_gone_changes_only_the_draw_that_would_have_brought_it():
    fate, gone = Fate(SECRET), CARDS[7]
    rest = [card for card in CARDS if card != gone]
    for n in range(1, 200):
        asked = Asked(1, n, 1, 1)
        with_it = min(CARDS, key=lambda text: fate.rank(asked, text))
        without = min(rest, key=lambda text: fate.rank(asked, text))
        assert (with_it == without) == (with_it != gone)


def test_a_match_that_went_back_is_counted_anew():
    match = played("second-story", "2026-11-22", 1, most=60)
    fate = Fate(key_of(SECRET, "2026-11-22", "second-story"))
    for events in (50, 20, 55, 3):
        then = match.again()
        then.follow(match.history[:events])
        while then.actor != CHANCE:
            then.follow([match.history[len(then.history)]])
        assert fate.choose(then) == match.history[len(then.history)]


def chi_square(drawn: list[object], cells: int) -> float:
    expected = len(drawn) / cells
    seen = Counter(drawn)
    return sum((n - expected) ** 2 / expected for n in seen.values()) + expected * (
        cells - len(seen)
    )


def drawn(texts: list[str], draws: int) -> list[int]:
    """Draws of 20 in a turn, of days one after another."""
    found = []
    for n in range(draws):
        day, turn = divmod(n, 20)
        fate = Fate(key_of(SECRET, f"day {day}", "magnate"))
        asked = Asked(1, 1, 1, turn)
        found.append(min(range(len(texts)), key=lambda i: fate.rank(asked, texts[i])))
    return found


def test_dice_cards_and_pairs_are_even():
    """The keys are fixed, so it never fails by luck; bounds are those of one in a thousand."""
    dice, cards = drawn(DIE, 8000), drawn(CARDS, 4000)
    assert chi_square(dice, 10) < 27.9  # 9 degrees of freedom
    assert chi_square(cards, 36) < 66.6  # 35
    assert chi_square(list(pairwise(dice)), 100) < 148.2  # 99


def test_keys_and_minds_differ_by_day_game_seat_and_decision():
    keys = {key_of(SECRET, day, game) for day in ("a", "b") for game in ("magnate", "secrets")}
    minds = {mind(SECRET, seat, n) for seat in range(4) for n in range(50)}
    assert len(keys) == 4
    assert len(minds) == 200
    assert all(0 <= one < 2**63 for one in minds)


# Records


def record(match: Match, *, opened: bool) -> tuple[str, Sealed]:
    """The record of a game of a day, and what it says of its deal."""
    from yegg.engine.notation import write

    key = key_of(SECRET, "2026-11-22", match.game.name)
    said = Sealed("2026-11-22 " + match.game.name, seal(key), key.hex() if opened else None)
    return "\n".join([*said.lines(), write(match)]), said


def test_a_record_agrees_with_its_key():
    match = played("second-story", "2026-11-22", 1)
    text, said = record(match, opened=True)
    assert sealed(text, "a.game") == said
    verdict = check_deal(match, said)
    assert (verdict.faults, verdict.checked) == ([], match.actors.count(CHANCE))


def test_without_the_key_nothing_is_said_to_agree():
    match = played("second-story", "2026-11-22", 1, most=30)
    sealed_up = record(match, opened=False)[1]
    assert "not opened" in check_deal(match, sealed_up).faults[0].why
    assert not check_deal(
        match, sealed_up, key_of(SECRET, "2026-11-22", "second-story").hex()
    ).faults


def test_a_die_that_was_changed_is_named():
    match = played("second-story", "2026-11-22", 1, most=40)
    at = next(i for i, x in enumerate(match.history) if match.actors[i] == CHANCE and i > 5)
    changed = match.again()
    changed.follow(match.history[:at])
    changed.play(next(x for x in changed.choices if x != match.history[at]))
    fault = check_deal(changed, record(match, opened=True)[1]).faults[0]
    assert fault.event == at + 1
    assert "it had to be" in fault.why


def test_another_key_than_the_sealed_one_is_refused():
    match = played("magnate", "2026-11-22", 1, most=30)
    other = key_of(SECRET, "2026-11-23", "magnate").hex()
    why = check_deal(match, record(match, opened=False)[1], other).faults[0].why
    assert why.startswith("the key is not the one sealed")


@pytest.mark.parametrize("line", ["# key: 12", "# seal: xyz"])
def test_what_can_be_no_key_is_refused(line):
    match = played("magnate", "2026-11-22", 1, most=30)
    text = record(match, opened=False)[0].replace("# seal: ", f"{line}\n# nothing: ", 1)
    with pytest.raises(BadRecord, match="cannot be the"):
        sealed(text, "a.game")


def again(first: Match, lot: int) -> Match:
    """The deal of a game once more; players choose by ``lot``."""
    match, fate = first.again(), Fate(key_again(SECRET), first)
    players = random.Random(lot)
    while not match.over and len(match.history) < 400:
        chance = match.actor == CHANCE
        match.play(fate.choose(match) if chance else players.choice(match.choices))
    return match


@pytest.mark.parametrize("name", CHANCY)
def test_a_challenge_has_the_luck_of_the_first_game_whatever_is_chosen(name):
    first = played(name, "2026-11-22", 1)
    assert again(first, 1).history == first.history, "who chooses alike has the same game"
    then, now = asked_and_came(first), asked_and_came(again(first, 2))
    both = [what for what in now if what in then and then[what][0] in now[what][1]]
    assert both
    assert all(now[what][0] == then[what][0] for what in both)


def test_a_challenge_is_checked_with_the_game_that_it_repeats():
    first = played("second-story", "2026-11-22", 1)
    match, key = again(first, 2), key_again(SECRET)
    found = Sealed("again second-story", seal(key), key.hex())
    assert check_deal(match, found, first=first).faults == []
    assert "--from" in check_deal(match, found).faults[0].why
    assert check_deal(match, found, first=again(first, 3)).faults, "of another game it is not"
