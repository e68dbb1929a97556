"""Players from outside: found by entry point, by name, from Python; their faults are theirs."""

import gc
import math
import re
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from programs import command, installed, lay
from waiting import takes, until

import yegg
from yegg import games, players
from yegg.engine import Failed, compile_clock
from yegg.players import outside

ROOT = Path(__file__).parents[1]
GUEST = {
    "guest.py": '''
        """Players of another package."""
        import yegg
        class First(yegg.Player):
            """Takes the first of its choices."""
            def choose(self, view):
                return view.choices[0]
        class Broken(yegg.Player):
            """Fails."""
            def choose(self, view):
                raise LookupError("no idea")
        ''',
    "guest_last.py": '''
        """Takes the last of its choices."""
        from yegg.engine.record import Ints, States
        from yegg.engine.verbs import Dice
        ROOM = 0
        def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
            return k - 1
        ''',
    **installed("guest", "[yegg.players]\nfirst = guest:First\nlast = guest_last\n"),
}


class Loses(yegg.Player):
    """Is told how it begins, and takes the last choice."""

    def begin(self, seed):
        self.seed = seed

    def choose(self, view):
        assert self.seed >= 0
        return view.choices[-1]


def chooses(name, choose):
    """A class of players that choose by a function of the view."""
    return type(name, (yegg.Player,), {"choose": lambda self, view: choose(view)})


def lost(view):
    raise RuntimeError("lost\nmy way")


def turn(view):
    while True:
        pass


Raises, Loops = chooses("Raises", lost), chooses("Loops", turn)
Cheats, Mumbles = chooses("Cheats", lambda view: -5), chooses("Mumbles", lambda view: "stop")
Leaves = chooses("Leaves", lambda view: sys.exit("enough"))


@pytest.fixture
def package(tmp_path):
    lay(tmp_path, GUEST)
    return partial(command, paths=[tmp_path])


@pytest.mark.wide
def test_a_package_brings_players_a_class_and_a_compiled_one(package):
    assert "Takes the first of its choices." in package().stdout
    done = package("sim", "second-story", "-n", "4", "--bots", "first,last,guest:Broken")
    assert done.returncode == 0, done.stderr
    assert re.search(r"guest:Broken raised LookupError: no idea: \d+ decisions?", done.stdout)
    told = package("arena", "second-story", "--bots", "first,guest:Broken", "-n", "4").stdout
    assert re.search(r"guest:Broken forfeited \d+ games: it raised LookupError: no idea", told)


def test_a_player_that_is_not_there_is_told_by_name(package):
    done = package("sim", "second-story", "-n", "1", "--bots", "guest:Nobody")
    assert done.returncode == 2
    assert "there is no player 'guest:Nobody'" in done.stderr
    assert "Traceback" not in done.stderr


def test_classes_instances_and_names_stand_for_players():
    assert players.enrol(Loses) == "loses"
    assert players.enrol("greedy") == "greedy"
    run = yegg.simulate("second-story", [Loses, Loses(), "uniform"], games=3)
    assert run.shares.shape == (3, 3)
    assert not run.batch.failed.any()
    with pytest.raises(yegg.Refused, match="no choose"):
        players.enrol(object())
    with pytest.raises(yegg.Refused, match="there is a player 'greedy' already"):
        players.enrol(type("Greedy", (yegg.Player,), {}))


@pytest.mark.parametrize(
    ("player", "why"),
    [
        (Raises, "raised RuntimeError: lost my way"),
        (Cheats, "answered -5, which is not one of its choices"),
        (Mumbles, "answered 'stop', which is not one of its choices"),
        (Leaves, "raised SystemExit: enough"),
        (Loops, "took longer than 0.3 s"),
    ],
)
def test_whatever_a_player_does_wrong_costs_it_the_decision(player, why, monkeypatch):
    match = yegg.Match("second-story", players=2, seed=0, how="plain")
    guest = outside.Outsider(match.game, "guest", player, 1, 0.3)
    view = match.view()
    for _ in range(2):  # and it is asked again
        with pytest.raises(Failed) as failed:
            guest.choose(view.states, view.seat, view.choices)
        assert failed.value.why == why


@pytest.mark.wide
def test_each_of_many_players_that_are_asked_together_has_its_own_seconds():
    match = yegg.Match("second-story", players=2, seed=0, how="plain")
    view = match.view()
    naps = chooses("Naps", lambda view: takes(2) or view.choices[0])
    guests = [outside.Outsider(match.game, one.__name__, one, 1) for one in (naps, naps, Loops)]
    asked = [(guest, view.states, view.seat, view.choices) for guest in (*guests, guests[0])]
    told = [answer for answer, _ in outside.PlayerThread(3.9).ask(asked)]
    first = view.choices[0]
    assert (told[0], told[1], told[3]) == (first, first, first)
    assert told[2].why == "took longer than 3.9 s"


def test_a_player_that_fails_forfeits_in_the_arena_and_is_counted_in_a_simulation():
    pair = yegg.arena("second-story", [Raises, "uniform"], games=4, players=2).pairs[0]
    assert pair.share == 0
    assert pair.data["forfeits"] == {"raises": 4, "uniform": 0}
    assert "raises forfeited 4" in str(pair)
    run = yegg.simulate("second-story", [Raises, "uniform"], games=2)
    assert run.data["failures"]["raises"]["why"] == "raised RuntimeError: lost my way"
    assert run.data["failures"]["raises"]["decisions"] == run.batch.failed.sum() > 0


def test_the_same_seed_gives_the_same_game_in_a_simulation_an_arena_and_a_match():
    run = yegg.simulate("second-story", ["greedy", "uniform"], games=1, seed=9)
    from yegg.engine.dice import seeds

    own = seeds(9, 0, 1, 3)[0, :, 0]
    match = yegg.Match("second-story", players=2, seed=9)
    bots = [yegg.Bot("greedy", int(own[1])), yegg.Bot("uniform", int(own[2]))]
    while not match.over:
        match.play(bots[match.actor].choose(match.view()))
    assert match.scores == run.scores[0].tolist()
    assert len(match.history) == run.events[0]


@pytest.mark.parametrize(
    "words",
    [
        "arena secrets -p 3 --bots guest:Broken,uniform -n 1",
        "sim secrets --bots guest:Broken,uniform,uniform -n 1",
    ],
)
def test_a_failure_is_told_with_its_seats_view_its_code_and_the_way_back(package, words, tmp_path):
    options = ["--option", "secrets=3", "--option", "spies=1", "--option", "turns=1", "--seed", "2"]
    done = package(*words.split(), *options, "--records", str(tmp_path / "games"))
    assert done.returncode == 0, done.stderr
    told = done.stdout
    assert 'guest.py", line 10, in choose' in told
    assert "outside.py" not in told, "lines of yegg are left out"
    back = re.search(r"yegg advise (\S+) --at (\d+) --bots guest:Broken", told)
    seat = int(re.search(r"Seat (\d) saw:", told)[1])
    view = re.search(r"saw:\n((?:    .*\n|\n)+?)    Traceback", told)[1]
    match = yegg.read(back[1])
    match.back(int(back[2]))
    seen = match.view(seat - 1).scene(match.names)
    assert seen.rstrip() == "\n".join(line[4:] for line in view.splitlines())
    assert match.actor == seat - 1
    asked = package(
        "advise", back[1], "--at", back[2], "--seconds", "0.01", "--bots", "guest:Broken"
    )
    assert "guest:Broken would choose: nothing: it raised LookupError: no idea" in asked.stdout


def test_a_debugger_opens_where_a_player_failed(package, tmp_path):
    how = {"stdin": None, "input": "p view.seat\nq\n"}
    played = ["second-story", "-p", "2", "--bots", "guest:Broken,uniform", "-n", "1"]
    for name in ("arena", "sim"):
        done = package(name, *played, "--debug", **how)
        assert done.returncode == 1, done.stderr
        assert "guest:Broken raised LookupError: no idea, in game 0 after event" in done.stdout
        assert re.search(r"guest\.py\(10\)choose\(\)\n-> raise LookupError", done.stdout)
        assert re.search(r"\(Pdb\) [01]\n", done.stdout), "it can be asked what the player had"
    package("sim", *played, "--records", str(tmp_path / "games"))
    (record,) = (tmp_path / "games").iterdir()
    again = ["advise", str(record), "--at", "0", "--debug"]
    assert "(Pdb)" in package(*again, "--bots", "guest:Broken", **how).stdout
    whom = package(*again)
    assert whom.returncode == 2
    assert "--debug asks those of --bots" in whom.stderr


def test_what_is_compiled_for_a_player_is_no_part_of_its_time():
    def slow(view):
        with compile_clock.compiling():
            takes(1.5)
        return view.choices[0]

    assert asked(chooses("Compiles", slow), 0, 0.5) >= 0
    with pytest.raises(Failed, match=r"took longer than 0.5 s"):
        asked(chooses("Thinks", lambda view: takes(1.5)), 0, 0.5)


def test_python_says_how_long_a_player_may_think():
    naps = chooses("Naps", lambda view: takes(0.2) or view.choices[0])
    how = {"games": 2, "players": 2}
    pair = yegg.arena("second-story", [naps, "uniform"], **how, seconds=0.05).pairs[0]
    assert pair.data["forfeited_because"]["naps"] == "took longer than 0.05 s"
    run = yegg.simulate("second-story", [Loops, "uniform"], 1, seconds=0.05)
    assert run.data["failures"]["loops"]["why"] == "took longer than 0.05 s"
    assert yegg.simulate("second-story", games=1, seconds=None).setting.seconds == math.inf
    for ask in (yegg.arena, yegg.simulate):
        for wrong in (0, -1, "soon", True):
            with pytest.raises(yegg.Refused, match="how long a player may think is"):
                ask("second-story", ["greedy", "uniform"], **how, seconds=wrong)


def test_a_lost_game_of_an_arena_is_kept_and_named(package, tmp_path):
    done = package(
        *f"arena second-story -p 2 --bots greedy,uniform -n 4 --records {tmp_path}".split()
    )
    lost = re.search(r"Why uniform lost a game: yegg review (\S+)", done.stdout)
    match = yegg.read(lost[1])
    assert match.places[match.names.index(next(n for n in match.names if "uniform" in n))] == 2
    assert len(list(tmp_path.glob("second-story-0-0*.game"))) == 4


def examples(page):
    return re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def test_the_page_about_players_runs():
    page = (ROOT / "docs" / "add-a-player.md").read_text(encoding="utf-8")
    bold, fickle, closer, last = (({}, code) for code in examples(page))
    for space, code in (bold, fickle, closer, last):
        exec(code, space)  # noqa: S102  our own page
    run = yegg.simulate("second-story", [bold[0]["Bold"], fickle[0]["Fickle"]], games=2)
    assert not run.batch.failed.any()
    assert last[0]["choose"](None, 0, None, 4, None) == 3
    for game in ("second-story", "magnate"):
        check_looks_ahead(closer[0]["Closer"], yegg.Match(game, players=2, seed=3).to_decision())


def check_looks_ahead(kind, match):
    """The same for the same seed; `medium` far from the end, and near it what wins."""
    view, seat, wanted = match.view(), match.actor, match.choices[-1]
    first, second = kind(), kind()
    for one in (first, second):
        one.begin(5)
    assert first.choose(view) == second.choose(view) == yegg.Bot("medium", 5).choose(view)

    def end(future):
        mine = wanted in future.history
        return [1 if (at == seat) == mine else 2 for at in range(2)]

    first.end = end
    assert first.choose(view) == wanted


# Players end with their game: they leave no thread and no open file behind

GAMES, SECONDS = 200, 0.002


NEVER = threading.Event()  # what never comes, waited for where no exception reaches
Waits = chooses("Waits", lambda view: NEVER.wait())


def here():
    """The threads of players, and how many files are open."""
    threads = [one.name for one in threading.enumerate() if "player " in one.name]
    files = Path("/proc/self/fd")
    return threads, sum(1 for _ in files.glob("*"))


def settled(before):
    """What is here once the threads that were told to end have ended."""
    return until(here, lambda now: now == before)


@pytest.fixture(scope="module")
def warm():
    yegg.simulate("second-story", [Loses, "uniform"], games=2)


@pytest.fixture
def before(warm):
    gc.collect()  # errors that earlier tests kept, and with them their players
    return until(here, lambda now: now[0] == [])


def asked(player, seed, seconds):
    """What a player answers at its first decision.  Raises Failed."""
    match = yegg.Match("second-story", players=2, seed=0, how="plain")
    view = match.view()
    guest = outside.Outsider(match.game, "guest", player, seed, seconds)
    return guest.choose(view.states, view.seat, view.choices)


@pytest.mark.wide
@pytest.mark.parametrize("player", [Loses, Raises, Cheats, Mumbles, Leaves])
def test_200_games_leave_nothing_of_a_player_behind(player, before):
    run = yegg.simulate("second-story", [player, "uniform"], games=GAMES)
    assert len(run.events) == GAMES
    assert settled(before) == before


@pytest.mark.wide
def test_200_games_of_an_arena_leave_nothing_of_its_players_behind(before):
    yegg.arena("second-story", [Loses, Cheats], games=GAMES, players=2)
    assert settled(before) == before


@pytest.mark.wide
def test_200_games_of_a_player_that_never_answers_leave_nothing_behind(before):
    for seed in range(GAMES):
        with pytest.raises(Failed, match="took longer"):
            asked(Loops, seed, SECONDS)
        settled(before)  # loops that turn side by side leave the next no time
    assert settled(before) == before


@pytest.mark.wide
def test_of_a_player_that_cannot_be_stopped_few_threads_stay(before):
    said = set()
    for seed in range(GAMES):
        with pytest.raises(Failed) as failed:
            asked(Waits, seed, SECONDS)
        said.add(failed.value.why)
    del failed  # which holds the last player, and so a thread that waits for questions
    stuck = ["player thread"] * outside.STUCK
    assert settled((stuck, before[1])) == (stuck, before[1])
    assert said == {
        "took longer than 0.002 s",
        f"is not asked, since {outside.STUCK} of its earlier decisions have not ended yet",
    }
    NEVER.set()
    assert settled(before) == before
    assert asked(Loses, 0, 30) >= 0


def test_a_player_that_answers_just_as_it_is_given_up_leaves_no_thread(before):
    match = yegg.Match("second-story", players=2, seed=0, how="plain")
    view = match.view()
    guest = outside.Outsider(match.game, "guest", Loses, 0)
    running = guest.thread.running = outside._Running()
    assert running.ask([(guest, view.states, view.seat, view.choices)], 30)[0][0] >= 0
    running.give_up((guest, view.states, view.seat, view.choices), 0)
    guest.thread.running = None
    assert settled(before) == before


def test_a_bot_that_is_warmed_or_moves_to_another_game_ends_its_player(before):
    bot = players.Bot(players.enrol(Loses))
    bot.warm(games.find("magnate"))
    for game in ("second-story", "magnate"):
        view = yegg.Match(game, players=2, seed=0, how="plain").to_decision().view()
        bot.choose(view)
    assert len(settled((["player thread"], before[1]))[0]) == 1
    del bot
    assert settled(before) == before
