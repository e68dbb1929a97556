"""Every reader of files refuses unexpected input quickly, and does nothing else."""

import json
import random
import re
from collections import Counter
from contextlib import suppress

import pytest
from damage import damaged
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from yegg import games
from yegg.coach.preparation import COACH, load
from yegg.engine import Match, Refused, notation
from yegg.games.secrets import orders
from yegg.games.thiefs_market import deck
from yegg.lab.arena import Contest, Deal
from yegg.lab.arena_report import record, recorded
from yegg.post import deadlines
from yegg.post.folder import Folder, create

pytestmark = pytest.mark.wide
FUZZ = settings(
    max_examples=400,
    deadline=20_000,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
FEW = settings(FUZZ, max_examples=60)
RECORDS = [
    path.read_text(encoding="utf-8")
    for name in games.names()
    for path in sorted((games.find(name).folder / "records").glob("*.game"))
]
PRINTED = re.compile(r"[\n\t]")
SHORT = sorted(RECORDS, key=len)[:12]  # to bend often
MAILS = [
    "Club steals secret 2 from Bill, Diamond steals secret 9 from Cid.\nPoliceman guards 7.\n",
    "C: Bill 1\nD: Cid 9\nH: Bill 3\nS: Cid 4\nI guard 2\n-- \nAnn",
    "> Club Bill 1\n♠ Cid 8, ♥ Bill 4, ♦ Bill 2, ♣ Bill 9; police 3",
    "A 9, B 0, C 36, 9 on D, all of the rest on J",
]


@FUZZ
@given(damaged(SHORT))
def test_journals_that_a_crash_left(tmp_path, raw):
    path = tmp_path / "a.game"
    path.write_bytes(raw)
    notation.mend(path)
    left = path.read_bytes()
    assert raw.startswith(left)
    assert not notation.mend(path) or left == path.read_bytes()


@FUZZ
@given(st.text() | st.sampled_from(MAILS), st.integers(0, 10_000))
def test_what_is_typed_at_a_prompt(typed, seed):
    dice = random.Random(seed)
    game = games.find(dice.choice(games.names()))
    match = Match(game, game.usual, how="plain")
    for _ in range(dice.randrange(30)):
        match.play(dice.choice(match.choices))
    mixed = dice.choice(list(match.texts)) + typed
    for said in (typed, mixed, "9" * 5000, f"guards {'9' * 150}"):
        with suppress(Refused):
            assert match.guess(said) in match.choices
        with suppress(Refused):
            assert match.hear_recorded(said) in [*match.choices, *match.specials]


@FUZZ
@given(damaged([deck.PUBLISHED.read_text(encoding="utf-8")]))
def test_decks(tmp_path, raw):
    path = tmp_path / "my.csv"
    path.write_bytes(raw)
    with suppress(Refused):
        for card in deck.read(path):
            assert card.name.isprintable()
            assert sum(card.cost) <= deck.DEAREST


@FUZZ
@given(damaged(MAILS), st.booleans())
def test_mails(raw, hidden):
    text = raw.decode("utf-8", "replace")
    options = {"hidden": "yes"} if hidden else {}
    match = Match(games.find("secrets"), 3, options, names=["Ann", "Bill", "Cid"], how="plain")
    found = orders.read(text, match.state, 0, match.names)
    assert found.faults or found.choices


@FUZZ
@given(st.text(max_size=40) | damaged(["due: 2030-01-01\nevery: 3d\n"]).map(repr))
def test_deadlines(text):
    both = f"due: {text}\nevery: {text}"
    for read, said in (
        (deadlines.begin, text),
        (deadlines.from_text, text),
        (deadlines.from_text, both),
    ):
        with suppress(Refused):
            due = read(said)
            assert deadlines.from_text(due.text()) is not None
            assert due.following() is not None
            assert str(due)


@FUZZ
@given(st.data())
def test_results(tmp_path, data):
    contest = Contest(games.find("second-story"), 3, {}, ("a", "b"), 1)
    path = tmp_path / "results.jsonl"
    path.unlink(missing_ok=True)
    for number in range(2):
        times = {"a": Counter({"1.0e-03": 3}), "b": Counter({"2.0e-01": 1})}
        record(path, contest, Deal(number=number, share=0.5, games=6, times=times))
    path.write_bytes(data.draw(damaged([path.read_text()])))
    with suppress(Refused):
        assert all(json.dumps(deal.times) for deal in recorded(path, contest))


@pytest.fixture(scope="module")
def posted(tmp_path_factory):
    """A game by post in its third turn: its files' texts."""
    path = tmp_path_factory.mktemp("posted") / "league"
    made = create(path, ["Ann", "Bill", "Cid"], {}, deadlines.begin("3d"))
    for seat, name in enumerate(made.names):
        one, other = (made.names[(seat + i) % 3] for i in (1, 2))
        mail = f"C {one} 1, D {other} 3, H {one} 4, S {other} 6. Police 9\n--\n{name}"
        assert "orders for turn" in made.receive(seat, mail, late=False)
    made.adjudicate(anyway=False, following="")
    Folder(path).adjudicate(anyway=True, following="")  # nobody's orders came
    return {file.relative_to(path): file.read_text() for file in path.rglob("*") if file.is_file()}


COMMANDS = [
    "post status league",
    "post adjudicate league --now",
    "post adjudicate league --deadline 3d",
    "post undo league",
    "post orders league Ann mail.txt --late",
    "post orders league 2 mail.txt",
    "replay league/secrets.game",
]


@settings(FEW, max_examples=150)
@given(st.data())
def test_folders_of_games_by_post(posted, tmp_path_factory, monkeypatch, run, data):
    home = tmp_path_factory.mktemp("post")
    monkeypatch.chdir(home)
    outside = home / "outside.txt"
    outside.write_text("not mine")
    for name, text in posted.items():
        path = home / "league" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in data.draw(st.lists(st.sampled_from(sorted(posted)), min_size=1, max_size=2)):
        (home / "league" / name).write_bytes(data.draw(damaged([posted[name]])))
    (home / "mail.txt").write_bytes(data.draw(damaged(MAILS)))
    for line in data.draw(st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=3)):
        status, *out = run(line)
        assert status in {0, 1, 2}
        assert PRINTED.sub("", "".join(out)).isprintable()
    assert outside.read_text() == "not mine"
    assert {path.name for path in home.iterdir()} == {"league", "mail.txt", "outside.txt"}


@pytest.fixture(scope="module")
def coach():
    """The coach of every game, compiled: no example has to wait for it."""
    for name in games.names():
        load(games.find(name), COACH)


@pytest.mark.usefixtures("coach")
@FEW
@given(raw=damaged(SHORT), at=st.integers(0, 40))
@pytest.mark.parametrize(
    "command",
    [
        "replay {path} --at {at}",
        "advise {path} --at {at} --seconds 0.01",
        "review {path} --seconds 0.01",
        "play --resume {path} --seats Ann,Ben,Cid",
    ],
)
def test_commands_that_read_a_record(command, tmp_path, run, raw, at):
    path = tmp_path / "a.game"
    path.write_bytes(raw)
    if command.startswith("review"):  # the rest of a whole game takes long
        assume(raw.count(b"\n") < 40)
    status, *out = run(command.format(path=path, at=at))
    assert status in {0, 1, 2}
    assert PRINTED.sub("", "".join(out)).isprintable()
