"""The command line: what it says, what it refuses, how it ends."""

import resource

import click
import pytest
from programs import python

from yegg import games
from yegg.cli import cli, play
from yegg.cli.numbers import Real, Whole
from yegg.engine import notation


def test_alone_it_lists_games_players_and_what_to_do_next(run):
    status, out, _ = run("")
    assert status == 0
    for name in games.names():
        assert name in out
    for word in ("greedy", "uniform", "yegg play", "yegg sim", "--help"):
        assert word in out


WRONG = [
    ("plai", "there is no command 'plai'; did you mean 'play'? there are: play, learn"),
    ("sim chess", "there is no game 'chess'; there are: magnate, second-story"),
    ("sim second-stroy", "did you mean 'second-story'?"),
    ("sim second-story --option size=1", "Second Story has no option 'size'; there are: excuse"),
    ("sim second-story --option chip=9", "no option 'chip'; did you mean 'chips'? there are: "),
    ("sim second-story --option chips=99", "option chips cannot be '99'; it can be 3 to 20"),
    ("sim magnate --option automa=esay", "cannot be 'esay'; did you mean 'easy'? it can be no or"),
    ("sim second-story --option chips", "option chips needs a value: --option chips=3 or --option"),
    ("sim second-story --option paws", "'paws' is not NAME=VALUE; did you mean pawns=…?"),
    ("play --option", "which game's options? Name the game, as in: yegg play magnate --option"),
    ("sim second-story --option chips=3 --option chips=4", "option 'chips' is given twice"),
    ("sim second-story --bots gredy", "no bot is called 'gredy'; did you mean 'greedy'? there are"),
    ("sim second-story --bots search:x", "search takes a number of iterations or seconds, as"),
    ("play second-story --seats you,grady", "no bot is called 'grady'; did you mean greedy? A"),
    ("play second-story --seats you,haard", "A person of that name is written person:haard"),
    ("play second-story --seats you,search:x", "search takes a number of iterations or seconds"),
    ("play magnate --seats you", "MG-100: one player needs the automa as opponent: automa=easy"),
    ("play magnate --seats you", "; type --option automa=easy or --option automa=hard"),
    ("play magnate --seats 2 --option automa=easy", "the other side; type --seats 1"),
    ("sim magnate -p 1", "; type --option automa=easy or --option automa=hard"),
    ("sim magnate -p 2 --option automa=hard", "; type --players 1"),
    ("arena magnate -p 1 --bots easy,hard", "; type --option automa=easy"),
    ("play secrets --alone", "yegg play secrets --level easy is against bots"),
    (
        "play magnate --alone --level medium",
        "alone one plays Magnate at easy or hard, not 'medium'",
    ),
    ("play second-story --level ezy", "no bot is called 'ezy'; there are: easy, exact"),
    ("play second-story --seats you,easy --alone", "so it takes neither --level nor --alone"),
    ("help nothing", "there is no command 'nothing'; there are: play,"),
    ("play second-story --seats 9", "Second Story is for 2 to 5 players, not 9"),
    ("play my.game", "to go on with a saved game, use --resume my.game"),
    ("sim second-story --players 9", "Second Story is for 2 to 5 players, not 9"),
    ("sim thiefs-market --bots medium,greedy", "Thief's Market is for 3 to 5 players, not 2"),
    ("sim second-story -p 3 --bots uniform,uniform", "3 players need 3 bots or one for all, not 2"),
    ("sim second-story --legal", "--legal goes with --records FOLDER"),
    ("sim second-story -n 0", "-n takes a whole number from 1 to 1,000,000,000, not '0'"),
    (
        "sim magnate -n 10000000000000000000000",
        "-n takes a whole number from 1 to 1,000,000,000",
    ),
    ("sim magnate -n abc", "-n takes a whole number from 1 to 1,000,000,000, not 'abc'"),
    ("sim magnate -n 1.5", "-n takes a whole number from 1 to 1,000,000,000, not '1.5'"),
    (
        "arena magnate --bots easy,greedy -n 1000001",
        "-n takes a whole number from 1 to 1,000,000, ",
    ),
    ("sim magnate --players x", "--players/-p takes a whole number, not 'x'"),
    ("sim magnate --players 99", "Magnate is for 1 to 2 players, not 99"),
    ("sim magnate --seed -1", "--seed takes a whole number from 0 to 4,611,686,018,427,387,903, n"),
    (
        "arena magnate --bots easy,greedy --margin nan",
        "--margin takes a number from 0 to 50,",
    ),
    ("train magnate --published 2", "--published takes a number from 0 to 1, not '2'"),
    ("serve --port 0", "--port takes a whole number from 1 to 65,535, not '0'"),
    ("serve --away inf", "--away takes a number from 0 to 1,000,000, not 'inf'"),
    ("replay x --seat two", "--seat takes a whole number, not 'two'"),
    ("bot magnate --seat 1234", "seats are numbers from 1, as in --seat 1,3; not '1234'"),
    ("sim magnate --bots=", "--bots has an empty name in ''"),
    ("sim magnate --bots easy,,hard", "--bots has an empty name in 'easy,,hard'"),
    ("arena magnate --bots ,", "--bots has an empty name in ','"),
    ("play magnate --seats=", "--seats has an empty name in ''"),
    ("bot magnate --seat=", "--seat has an empty name in ''"),
    ("serve --bots= --check", "--bots has an empty name in ''"),
    ("serve --allow= --check", "--allow has an empty name in ''"),
    ("serve --metrics-from= --check", "--metrics-from has an empty name in ''"),
    ("verify my.game --salt=", "--salt has an empty value"),
    ("post new league --players=", "--players has an empty name in ''"),
    ("sim magnate --records=", "a path has a name; . is this folder"),
    ("play second-story --players 7", "Second Story is for 2 to 5 players, not 7"),
    ("play second-story -p 3 --seats you,easy", "--players is 3, but 2 sit at this table"),
    ("lab columns magnate -p x", "--players/-p takes a whole number, not 'x'"),
    (
        "post nwe",
        "there is no command 'nwe' of yegg post; did you mean 'new'? ",
    ),
    (
        "house bakup",
        "there is no command 'bakup' of yegg house; did you mean 'backup'?",
    ),
    ("lab rnu", "there is no command 'rnu' of yegg lab; did you mean 'run'? there are: answers"),
    ("rules second-story SS-99", "there is no clause 'SS-99'; "),
    ("rules nothing", "there is no game 'nothing'"),
    ("play", "which game? yegg play magnate, yegg play second-story"),
    ("play second-story --seats you", "players, not 1"),
    ("play secrets --seats you,exact,uniform", "these can: easy, medium, hard, expert, greedy"),
    ("play --resume no-such-file", "no-such-file: no such file or directory"),
    ("replay no-such-file", "no-such-file: no such file or directory"),
    ("bench chess", "there is no game 'chess'"),
]


@pytest.mark.parametrize(("line", "says"), WRONG)
def test_wrong_use_is_one_line_that_names_what_exists_and_status_2(run, line, says):
    status, out, err = run(line)
    assert status == 2
    assert out == ""
    assert err.startswith("yegg: ")
    assert err.count("\n") == 1
    assert says in err


def options_of(command):
    return [made for made in command.params if isinstance(made, click.Option) and not made.is_flag]


def every_command():
    todo = [("yegg", cli)]
    for name, found in todo:
        if isinstance(found, click.Group):
            with click.Context(found) as ctx:
                todo += [
                    (f"{name} {n}", found.get_command(ctx, n)) for n in found.list_commands(ctx)
                ]
        else:
            yield name, found


def test_every_number_has_bounds_that_are_said_in_words():
    ours = {"players", "seat"}  # the game, or the record, says how many there are
    for name, found in every_command():
        for made in options_of(found):
            where = f"{name} {made.opts[0]}"
            assert not isinstance(made.type, click.types.IntParamType | click.types.FloatParamType)
            if isinstance(made.type, Real | Whole):
                assert made.name in ours or made.type.most is not None, where
                for wrong in ("abc", "nan", "-" + "9" * 40, "9" * 40, "9" * 9000, ""):
                    if made.name in ours and wrong.strip("-9") == "" and len(wrong) in (40, 41):
                        continue
                    with pytest.raises(click.UsageError, match=rf"^{made.opts[0]}.* takes a "):
                        made.type.convert(wrong, made, None)


def test_players_are_said_in_the_same_way_by_every_command():
    said = {
        name: [*made.opts]
        for name, found in every_command()
        for made in options_of(found)
        if made.name in ("players", "p")
    }
    assert set(map(tuple, said.values())) == {("--players", "-p")}, said
    assert {"yegg play", "yegg sim", "yegg post new", "yegg lab columns", "yegg bot"} <= said.keys()


def test_play_takes_a_number_of_players(run, tmp_path):
    _, out, _ = run("play second-story -p 5 --seed 1 --record", tmp_path / "a.game")
    assert out.count("Greedy") >= 4
    assert notation.read_file(tmp_path / "a.game", games.find).players == 5
    resumed = run("play -p 4 --resume", tmp_path / "a.game")
    assert resumed[0] == 2
    assert "--players is 4, but 5 sit at this table" in resumed[2]


def test_a_group_alone_lists_its_commands(run):
    status, _, err = run("lab")
    assert status == 2
    assert err.count("\n") > 10
    assert "\n  columns" in err


def test_sim_for_people_tells_of_unfinished_games(run):
    _, out, _ = run("sim second-story -n 20 --max-events 100")
    assert "20 games not over after 100 events: left out of the tables" in out
    _, out, _ = run("sim second-story -n 40 --bots greedy,uniform,uniform")
    for word in ("seat 3", "greedy", "moons", "events a second", "Share of the win"):
        assert word in out


def test_sim_writes_records_that_replay_checks(run, tmp_path):
    status, _, _ = run("sim second-story -n 6 --seed 4 --legal --records", tmp_path / "games")
    files = sorted((tmp_path / "games").iterdir())
    assert (status, len(files)) == (0, 6)
    assert "? thorough | quick" in files[0].read_text()
    status, out, _ = run("replay", *files)
    assert status == 0
    assert out.count("Second Story, 3 players") == 6


def test_replay_refuses_with_file_line_and_reason_and_status_1(run, tmp_path):
    good = tmp_path / "good.game"
    bad = tmp_path / "bad.game"
    text = "game: second-story\nplayers: A, B\n\n* flip the-mill\n"
    good.write_text(text)
    bad.write_text(text + "1 stop\n")
    status, out, err = run("replay", bad, good)
    assert status == 1
    assert err.startswith(f"yegg: {bad}:5: SS-18: a card that is turned up must be faced")
    assert "still going on" in out


def test_replay_shows_a_position_as_a_seat_sees_it(run, tmp_path):
    path = tmp_path / "a.game"
    path.write_text("game: second-story\nplayers: Ann, Bob\n\n* flip the-mill\n1 thorough\n")
    status, out, _ = run("replay", path, "--at", 1, "--seat", 2)
    assert status == 0
    assert "event 1 of 2: * flip the-mill" in out
    assert "Ann's night" in out
    assert run("replay", path, "--at", 3)[0] == 2
    assert run("replay", path, "--seat", 3)[0] == 2


def test_rules_whole_and_by_clause(run):
    assert "Second chance" in run("rules second-story")[1]
    for clause in ("SS-23", "ss-23", "23"):
        out = run(f"rules second-story {clause}")[1]
        assert "SS-23" in out
        assert "SS-24" not in out


def test_help_comes_quickly():
    def took(*words):  # of a processor, so that others on this machine do not count
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert python(*words).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    whole = min(took("-m", "yegg.cli", "--help") for _ in range(3))
    assert whole < 5 * min(took("-c", "import click, importlib.metadata") for _ in range(3))


def test_two_games_begun_in_the_same_second_are_kept_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(play.time, "strftime", lambda _: "now")
    (tmp_path / "yegg").mkdir()
    for name in ("pig-now.game", "pig-now-2.game"):
        assert play.usual_path("pig").name == name
        (tmp_path / "yegg" / name).touch()


def test_the_name_of_a_game_plays_it_and_help_is_a_command(run):
    assert run("magnate --alone --level hard")[1].startswith("Magnate · ")
    assert run("help")[1] == run("--help")[1] != ""
    assert run("help sim")[1] == run("sim --help")[1] != ""


def test_level_says_who_plays_the_other_seats(run):
    head = run("play second-story --level easy")[1].splitlines()[0]
    assert {"Easy 1", "Easy 2"} <= set(head.removeprefix("Second Story · ").split(", "))


def test_resume_without_a_file_lists_the_games_that_are_kept(run, tmp_path):
    assert run("play --resume")[1].startswith("No games are kept.")
    run("magnate --alone")
    run("second-story")
    (tmp_path / "data" / "yegg" / "notes.game").write_text("no game\n")
    *kept, how = run("play --resume")[1].splitlines()
    titles = [line.split("   ")[1].split(",")[0] for line in kept]
    assert sorted(titles) == ["Magnate", "Second Story"]
    assert how == "Go on with one: yegg play --resume FILE"
    assert len(run("play magnate --resume")[1].splitlines()) == 2
