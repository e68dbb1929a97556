"""`yegg verify`: what it says of a record's dice, and how it ends."""

import json
import re

import pytest
from test_promised import (
    CHANCY,
    OTHER,
    SALTS,
    SEED,
    gone_on,
    of,
    opened,
    played,
    record,
    rolled,
    written,
)

from yegg.engine import CHANCE
from yegg.engine.daily_deal import Sealed, key_again, seal
from yegg.engine.promised import Pledge, promise


@pytest.fixture
def verify(run, tmp_path):
    """Verify a text; return (status, standard output, standard error)."""

    def verified(text, *more):
        path = tmp_path / "my.game"
        path.write_text(text, encoding="utf-8")
        status, out, err = run("verify", path, *more)
        return status, out, err.replace(str(tmp_path), "")

    return verified


def test_a_record_that_an_editor_of_windows_has_saved_has_the_same_dice(verify):
    text = record("second-story")
    assert verify("\ufeff" + text.replace("\n", "\r\n")) == verify(text)


@pytest.mark.wide(but=["second-story"])
@pytest.mark.parametrize("name", CHANCY)
def test_it_says_what_it_has_checked_and_what_that_does_not_prove(verify, name):
    status, out, err = verify(record(name))
    assert (status, err) == (0, "")
    n = sum(line.startswith("* ") for line in record(name).split("\n"))
    assert f"{n} of {n} chance events follow from seed and salts" in out
    assert f"promise  {promise(SEED)}" in out
    assert "seat 1 morgan, seat 2 Siveny-7" in out
    assert "That the promise is older than the game" in out
    unproven = "server can look at the seed", "picked to suit", "given up", "players' choices"
    assert all(words in out for words in unproven)


@pytest.mark.wide
def test_a_noted_promise_is_compared(verify):
    status, out, _ = verify(record("magnate"), "--promise", promise(SEED))
    assert status == 0
    assert "That the promise is older" not in out, "that is proven now"
    status, out, err = verify(record("magnate"), "--promise", "0" * 64)
    assert status == 1
    assert f"but you noted {'0' * 64}" in err
    assert "does not prove" not in out


def test_it_names_the_events_that_do_not_agree(verify):
    text = record("second-story").replace("salt 2: Siveny-7", "salt 2: Siveny-8")
    status, out, err = verify(text)
    assert status == 1
    assert "my.game: event 1: " in err
    assert "but the flip number 1 had to be 'flip " in err
    assert " more" in err.splitlines()[-1], "not all are listed"
    agree, of = map(int, re.search(r"(\d+) of (\d+) chance events follow", out).groups())
    more = int(re.search(r"and (\d+) more", err)[1])
    assert agree == of - (len(err.splitlines()) - 1 + more), "those that differ do not follow"


def test_it_names_the_die_after_which_the_record_is_not_legal_any_more(verify):
    lines = record("second-story").split("\n")
    line = next(i for i, one in enumerate(lines) if one.startswith("* flip"))
    card = next(one for one in lines[line + 1 :] if one.startswith("* flip"))
    lines[line] = card  # it comes twice
    status, _, err = verify("\n".join(lines))
    assert status == 1
    assert "before that, at event 1, " in err


def test_a_record_without_a_promise_or_without_its_seed_is_not_verified(verify):
    bare = "".join(f"{one}\n" for one in record("magnate").splitlines() if one[:1] != "#")
    status, _, err = verify(bare)
    assert (status, err) == (1, "yegg: /my.game: nobody promised the dice of this record\n")
    status, _, err = verify(record("magnate").replace(f"# seed: {SEED.hex()}\n", ""))
    assert status == 1
    assert "the seed is not opened: that is done when the game is over" in err


@pytest.mark.wide
def test_dice_of_before_the_promise_are_told_and_need_their_record(verify, tmp_path):
    before, match = gone_on(of("magnate"), 41)
    pledge = Pledge(promise(SEED), SALTS, 41, SEED.hex(), promise(OTHER))
    rolled(match, pledge, seed=6)
    text = written(match, pledge)
    chance, early = (part.count(CHANCE) for part in (match.actors, match.actors[:41]))
    status, out, err = verify(text)
    assert status == 1
    assert f"{chance - early} of {chance} chance events follow from seed and salts" in out
    assert f"{early} of {chance} chance events came before the promise" in err
    assert "does not prove" not in out
    named = f"# origin: {promise(OTHER)}\n"
    status, _, err = verify(text.replace(named, ""))
    assert (status, "does not say under which other one" in err) == (1, True)
    there = tmp_path / "before.game"
    there.write_text(written(before.match, before.pledge))
    status, out, err = verify(text, "--from", str(there))
    assert (status, err) == (0, "")
    assert f"{early} came before the promise, which begins after event 41: they follow from" in out
    status, out, _ = verify(text, "--from", str(there), "--json")
    said = json.loads(out)
    assert (status, said["elsewhere"], said["origin"]) == (0, early, promise(OTHER))


def test_all_dice_but_one_of_before_are_not_enough(verify):
    """Whoever writes the record could say so of any dice that they do not like."""
    case = of("second-story")
    whole = played(case)
    last = max(i for i, actor in enumerate(whole.actors, 1) if actor == CHANCE)
    match = played(case, after=last - 1)
    chance = match.actors.count(CHANCE)
    late = match.actors[last - 1 :].count(CHANCE)
    status, out, err = verify(opened(match, after=last - 1))
    assert status == 1
    assert f"{late} of {chance} chance events follow" in out
    assert f"{chance - late} of {chance} chance events came before the promise" in err


@pytest.mark.wide
def test_a_noted_salt_is_compared(verify):
    assert verify(record("magnate"), "--salt", "morgan", "--salt", "Siveny-7")[0] == 0
    status, _, err = verify(record("magnate"), "--salt", "mine")
    assert status == 1
    assert "you gave the salt 'mine', but the record has seat 1 morgan, seat 2 Siveny-7" in err


@pytest.mark.wide
def test_json_for_programs(verify):
    status, out, _ = verify(record("thiefs-market"), "--json")
    said = json.loads(out)
    assert status == 0
    assert (said["agrees"], said["faults"], said["after"]) == (True, [], 0)
    assert said["checked"] == said["chance"] > 20
    assert (said["promise"], said["seed"]) == (promise(SEED), SEED.hex())
    assert said["salts"] == {"1": "morgan", "2": "Siveny-7"}
    assert len(said["unproven"]) > 4
    status, out, _ = verify(record("thiefs-market").replace("morgan", "Morgan"), "--json")
    said = json.loads(out)
    assert (status, said["agrees"], said["faults"][0]["event"]) == (1, False, 1)
    status, out, _ = verify("game: chess\n\n", "--json")
    assert (status, json.loads(out)["faults"][0]["line"]) == (1, 2)


def test_a_file_that_is_not_there_is_wrong_use(run):
    status, _, err = run("verify nowhere.game")
    assert (status, "no such file" in err) == (2, True)


def test_a_challenge_needs_the_very_game_that_it_repeats(verify, tmp_path):
    """That game has to open its dice, and the key has to follow from these."""
    text = record("second-story")
    path = tmp_path / "first.game"
    path.write_text(text, encoding="utf-8")
    key = key_again(Pledge(promise(SEED), SALTS, seed=SEED.hex()).key)
    head = Sealed("again second-story", seal(key), key.hex()).lines()
    same = "\n".join([*head, *(line for line in text.split("\n") if line[:1] != "#")])
    assert verify(same, "--from", path)[0] == 0
    assert "--from" in verify(same)[2]
    path.write_text(same, encoding="utf-8")
    status, _, err = verify(same, "--from", path)
    assert (status, "nobody promised" in err) == (1, True), "not the record itself"
