"""Dice that nobody can choose: the algorithm, and that a changed record is found out."""

import io
import random
from collections import Counter
from contextlib import suppress
from functools import cache

import pytest
from damage import edited
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yegg import games
from yegg.contract.cases import ALL, FEW
from yegg.engine import CHANCE, Refused, notation
from yegg.engine.notation import BadRecord, Reader
from yegg.engine.promised import (
    WORDS,
    Earlier,
    Pledge,
    check_dice,
    compared,
    draws,
    has_chance,
    index,
    key,
    kind_of,
    pledged,
    promise,
)

SEED = bytes(range(32))
SALTS = {1: "morgan", 2: "Siveny-7"}
FUZZ = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MORE = settings(FUZZ, max_examples=400)


def test_the_vectors_of_the_design():
    k = key(SEED, SALTS)
    assert promise(SEED) == "ca350bca43d81c9dffdae77c94883284399d1f90c27d2547905b1a440561565c"
    assert k.hex() == "f6e9d287f0da2ac23c4603ce092f117a8e2d0fac73f315f032c5c4d794b7f716"
    assert key(SEED, {}).hex() == "24d7002f118c0b46e65eb26a54690d8ef6a35d4119c47ad215566057bf649473"
    assert [index(k, "roll", n, 10) for n in range(1, 11)] == [9, 5, 2, 2, 6, 3, 8, 8, 1, 0]
    assert [index(k, "flip", n, 36) for n in range(1, 6)] == [28, 25, 33, 34, 34]
    assert [index(k, "roll", n, 6) for n in range(1, 7)] == [1, 3, 4, 4, 4, 5]
    assert index(k, "deal", 1, 1) == 0
    refused = [index(k, "deal", n, 2**63 + 1) for n in (1, 2, 3)]  # every second word is
    assert refused == [8073915094145539324, 7163423081926979405, 7898393309464449223]


def test_events_that_were_played_elsewhere_go_into_the_key():
    """Else whoever changes a record could say of some of its dice that nobody promised them."""
    keys = {key(SEED, SALTS, after) for after in range(50)}
    assert len(keys) == 50
    assert key(SEED, SALTS, 0) == key(SEED, SALTS)


@pytest.mark.parametrize("k", [2, 3, 6, 10, 36])
def test_all_choices_are_equally_likely(k):
    n = 1000 * k
    seen = Counter(index(key(SEED, {}), "roll", i, k) for i in range(n))
    chi = sum((seen[i] - 1000) ** 2 / 1000 for i in range(k))
    assert chi < k - 1 + 5 * (2 * (k - 1)) ** 0.5 + 10, "one seed in a million is above"


def test_words_that_would_favour_some_choices_are_refused():
    k = 3 * 2**62  # a quarter of the words: without refusing, the first third comes half the time
    drawn = [index(key(SEED, {}), "deal", n, k) for n in range(2000)]
    assert 0.30 < sum(i < 2**62 for i in drawn) / 2000 < 0.37
    assert max(drawn) < k
    assert WORDS % k


def test_kinds_seats_and_numbers_give_other_dice():
    keys = [
        key(SEED, salts) for salts in ({}, {1: "x"}, {2: "x"}, {1: "x", 2: "x"}, {1: "x\u0032"})
    ]
    rows = [tuple(index(k, "roll", n, 10) for n in range(20)) for k in keys]
    rows += [tuple(index(keys[0], kind, n, 10) for n in range(20)) for kind in ("flip", "deal")]
    assert len(set(rows)) == len(rows)


def of(name):
    return next(case for case in FEW if case.name == name)


def played(case, seed=5, salts=SALTS, after=0):
    """A game that people play at random, with promised dice after the first events."""
    return rolled(case.match(), Pledge(promise(SEED), salts, after, SEED.hex()), seed=seed)


def rolled(match, pledge, until=10_000, seed=5):
    """A match played on under a promise, up to so many events, or to its end."""
    people, drawn = random.Random(seed), Counter()
    for before, actor in zip(notation.steps(match), match.actors, strict=False):
        if actor == CHANCE:
            drawn[kind_of(before)] += 1
    while not match.over and len(match.history) < until:
        if match.actor == CHANCE:
            kind, choices = kind_of(match), match.choices
            drawn[kind] += 1
            late = len(match.history) >= pledge.after
            at = index(pledge.key, kind, drawn[kind], len(choices)) if late else -1
            match.play(choices[at])
        else:
            match.play(people.choice(match.choices))
    return match


def opened(match, salts=SALTS, after=0):
    """Its record, with the seed."""
    return written(match, Pledge(promise(SEED), salts, after, SEED.hex()))


def written(match, pledge):
    return "\n".join(pledge.lines()) + "\n" + notation.write(match)


def read(text):
    return notation.read(io.BytesIO(text.encode()), "a.game", games.find)


def faults(text, noted=None):
    return check_dice(read(text), pledged(text, "a.game"), noted).faults


@pytest.mark.parametrize("case", FEW, ids=str)
def test_a_record_that_kept_its_promise_agrees(case):
    match = played(case)
    text = opened(match)
    assert faults(text, promise(SEED)) == []
    verdict = check_dice(match, pledged(text, "a.game"))
    assert verdict.checked == verdict.chance == match.actors.count(CHANCE)
    assert has_chance(case.game) == bool(verdict.chance)
    (fault,) = faults(text, promise(bytes(32)))
    assert fault.event is None
    assert "you noted" in fault.why


@pytest.mark.wide
@pytest.mark.parametrize("case", ALL, ids=str)
def test_every_option_and_number_of_players_can_be_verified(case):
    salts = {seat: f"salt-{seat}" for seat in range(1, case.players + 1)}
    text = opened(played(case, salts=salts), salts)
    assert faults(text) == []


@pytest.mark.parametrize("case", [case for case in FEW if has_chance(case.game)], ids=str)
def test_whatever_chance_may_do_at_one_moment_is_of_one_kind(case):
    seen = set()
    for draw in draws(played(case)):
        assert {text.partition(" ")[0] for text in draw.texts} == {draw.kind}
        seen.add(draw.kind)
    assert seen


def test_the_same_cards_come_whatever_people_do():
    """In Second Story, where players decide how often dice are rolled, but not what is flipped."""
    case = of("second-story")
    flips = [
        [d.texts[d.drawn] for d in draws(played(case, seed)) if d.kind == "flip"] for seed in (1, 2)
    ]
    pile = 36  # what is shuffled again afterwards depends on what was taken
    assert flips[0][:pile] == flips[1][:pile]
    assert len(set(flips[0][:pile])) == pile


@pytest.mark.wide
def test_a_promise_may_begin_in_the_middle():
    case = of("magnate")
    match = played(case, after=41)
    text = opened(match, after=41)
    verdict = check_dice(match, pledged(text, "a.game"))
    assert 0 < verdict.checked < verdict.chance
    (fault,) = verdict.faults
    assert fault.event is None
    before = verdict.chance - verdict.checked
    assert fault.why.startswith(f"{before} of {verdict.chance} chance events came before the")
    for other in ("", "# after: 40\n", "# after: 42\n", "# after: 200\n"):
        assert faults(text.replace("# after: 41\n", other)) != [fault], other or "none"


OTHER = bytes(range(32, 64))


def gone_on(case, after):
    """A game, and one that goes on from it after so many events under another promise."""
    first = Pledge(promise(OTHER), {1: "first"}, 0, OTHER.hex())
    whole = rolled(case.match(), first)
    half = rolled(case.match(), first, after)
    return Earlier(whole, first), half


def test_the_dice_before_a_promise_are_covered_by_the_record_that_it_names():
    case = of("magnate")
    before, match = gone_on(case, 41)
    pledge = Pledge(promise(SEED), SALTS, 41, SEED.hex(), promise(OTHER))
    rolled(match, pledge, seed=6)
    text = written(match, pledge)
    assert pledged(text, "a.game") == pledge
    verdict = check_dice(match, pledge, earlier=[before])
    assert verdict.faults == []
    assert 0 < verdict.elsewhere < verdict.elsewhere + verdict.checked == verdict.chance
    (fault,) = check_dice(match, pledge).faults
    assert f"under {promise(OTHER)}, and no record of that promise was given" in fault.why
    unnamed = Pledge(promise(SEED), SALTS, 41, SEED.hex())
    (fault,) = check_dice(match, unnamed, earlier=[before]).faults
    assert "the record does not say under which other one" in fault.why

    closed = Pledge(promise(OTHER), {1: "first"})
    bent = Pledge(promise(OTHER), {1: "other"}, 0, OTHER.hex())
    short = before.match.again()
    short.follow(before.match.history[:40])
    for wrong, why in (
        (Earlier(before.match, closed), "the seed is not opened"),
        (Earlier(before.match, bent), "had to be"),
        (Earlier(short, before.pledge), "is another one"),
        (Earlier(case.match(), before.pledge), "is another one"),
    ):
        found = check_dice(match, pledge, earlier=[wrong])
        assert found.elsewhere == 0
        assert why in found.faults[0].why, why


def test_a_chain_of_promises_needs_each_record():
    case = of("magnate")
    first, match = gone_on(case, 30)
    second = Pledge(promise(bytes(32)), {}, 30, bytes(32).hex(), promise(OTHER))
    rolled(match, second, 60, seed=7)
    whole = rolled(match.fork(), second, seed=8)
    third = Pledge(promise(SEED), SALTS, 60, SEED.hex(), second.promise)
    rolled(match, third, seed=9)
    verdict = check_dice(match, third, earlier=[first, Earlier(whole, second)])
    assert verdict.faults == []
    assert verdict.elsewhere + verdict.checked == verdict.chance
    fault = check_dice(match, third, earlier=[Earlier(whole, second)]).faults[0]
    assert "no record of that promise was given" in fault.why


# A changed record is found out

CHANCY = sorted(case.name for case in FEW if has_chance(case.game))


@cache
def record(name):
    """The record of a game with promised dice."""
    return opened(played(of(name)))


def chance_lines(lines):
    return [i for i, line in enumerate(lines) if line.startswith("* ")]


@FUZZ
@given(st.sampled_from(CHANCY), st.data())
def test_a_changed_die_or_card_is_found_at_its_event(name, data):
    lines = record(name).split("\n")
    every = list(draws(read(record(name))))
    i = data.draw(st.sampled_from([i for i, draw in enumerate(every) if len(draw.texts) > 1]))
    draw, line = every[i], chance_lines(lines)[i]
    others = [text for text in draw.texts if text != draw.texts[draw.drawn]]
    lines[line] = f"* {data.draw(st.sampled_from(others))}"
    reader = Reader(io.BytesIO("\n".join(lines).encode()), "a.game", games.find)
    with suppress(BadRecord):  # what comes after it may not be legal any more
        reader.read()
    assert len(reader.match.history) >= draw.event
    found = compared(reader.match, pledged(record(name), "a.game"))[1]
    assert found[0].event == draw.event
    assert repr(lines[line][2:]) in found[0].why


@pytest.mark.wide
@FUZZ
@given(st.sampled_from(CHANCY), st.data())
def test_a_changed_seed_promise_or_salt_is_found(name, data):
    text = record(name)
    head = [line for line in text.split("\n\n")[0].split("\n") if line.startswith("# ")]
    line = data.draw(st.sampled_from(head))
    at = data.draw(st.integers(0, len(line) - 1))
    letter = st.sampled_from("0123456789abcdefxyzXYZ-_ :#") | st.characters(codec="utf-8")
    put, left_out = line[:at] + data.draw(letter) + line[at + 1 :], line[:at] + line[at + 1 :]
    changed = data.draw(st.sampled_from([f"{put}\n", f"{left_out}\n", ""]))
    if changed != f"{line}\n":
        with suppress(Refused):
            assert faults(text.replace(f"{line}\n", changed, 1))


@pytest.mark.wide
@MORE
@given(st.sampled_from(CHANCY), st.data())
def test_a_bent_record_agrees_only_if_promise_and_dice_are_the_same(name, data):
    text = record(name)
    bent = edited(data.draw, text)
    try:
        match, pledge = read(bent), pledged(bent, "a.game")
        found = check_dice(match, pledge).faults
    except (Refused, UnicodeEncodeError):
        return
    if not found:
        assert pledge == pledged(text, "a.game")
        due = {(d.kind, d.n, len(d.texts)): d.drawn for d in draws(read(text))}
        for draw in draws(match):
            there = (draw.kind, draw.n, len(draw.texts))
            assert due.get(there, draw.drawn) == draw.drawn


def test_a_second_line_a_wrong_one_and_one_below_the_head():
    text = record("magnate")
    seed = f"# seed: {SEED.hex()}"
    with pytest.raises(BadRecord, match="a second line '# seed: …'") as twice:
        pledged(text.replace(seed, f"{seed}\n{seed}"), "a.game")
    assert twice.value.line == 6
    for wrong in ("xyz", SEED.hex()[:-1], SEED.hex().upper().replace("0", "O"), ""):
        with pytest.raises(BadRecord, match="cannot be the seed"):
            pledged(text.replace(SEED.hex(), wrong), "a.game")
    with pytest.raises(BadRecord, match="cannot be the salt 1"):
        pledged(text.replace("salt 1: morgan", "salt 1: mor gan"), "a.game")
    below = text.replace(f"{seed}\n", "") + f"{seed}\n"
    assert "not opened" in check_dice(read(below), pledged(below, "a.game")).faults[0].why


def test_what_cannot_be_checked_is_no_agreement():
    text = record("second-story")
    match = read(text)
    assert pledged(text.replace("yegg dice 1", "yegg dice 2"), "a") is None
    assert pledged("# dice: not promised\ngame: magnate\n\n", "a") is None
    assert "no such seat" in faults(text.replace("salt 2", "salt 3"))[0].why
    half = match.again()
    half.follow(match.history[:9])
    found = check_dice(half, pledged(text, "a.game")).faults
    assert [fault.why for fault in found] == ["the seed is opened, but the game is not over"]
    late = check_dice(match, Pledge(promise(SEED), SALTS, 10_000, SEED.hex())).faults
    assert [fault.event for fault in late] == [None, None]
