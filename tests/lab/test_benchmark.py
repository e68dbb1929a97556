"""The benchmark: a fixed protocol, results that others can check, runs that go on after a kill."""

import json
from collections import Counter
from types import SimpleNamespace

import msgspec
import pytest
from chatting import answer, last, scripted
from click.testing import CliRunner

import yegg
from yegg.cli import cli
from yegg.coach.advice import advise
from yegg.lab.benchmark import benchmark_game, files, protocol
from yegg.lab.benchmark.score import placed, verdict
from yegg.players import chat, usage
from yegg.players.thinking.plan import Plan
from yegg.stats.intervals import Figure, mean_of_independent


@pytest.fixture
def short(monkeypatch, tmp_path):
    """A benchmark of one game, in a folder of its own."""
    for name in [*protocol.TABLES]:
        if name != "second-story":
            monkeypatch.delitem(protocol.TABLES, name)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "benchmark.json"


def yegg_benchmark(*words, status=0):
    """What the command prints for programs."""
    done = CliRunner().invoke(cli, ["benchmark", *words, "--json"])
    assert done.exit_code == status, done.output + repr(done.exception)
    return json.loads(done.stdout)


def faults():
    """What the check says of the result in this folder, which does not hold."""
    return yegg_benchmark("--check", "benchmark.json", status=1)["faults"]


def without_times(path):
    """The games of a result, without the seconds of their decisions."""
    games = files.read_games(files.games_of(path))[1]
    timeless = [msgspec.structs.replace(one, seconds=0, slowest=0) for one in games]
    return sorted(timeless, key=lambda one: (one.round, one.task.place))


def change(path, at, **more):
    """Change a line of the games, and make the result of them anew."""
    kept = files.games_of(path)
    lines = kept.read_text().splitlines()
    lines[at] = json.dumps(json.loads(lines[at]) | more)
    kept.write_text("\n".join(lines) + "\n")
    files.conclude(path)


def test_everybody_sits_in_every_seat_against_every_level_equally_often():
    for name, players in protocol.TABLES.items():
        for level in protocol.OPPONENTS:
            seats = [
                one.seat for one in protocol.tasks() if (one.game, one.against) == (name, level)
            ]
            assert set(Counter(seats).values()) == {protocol.ROUNDS // players}
    seeds = [one.seed + seat for one in protocol.tasks() for seat in range(one.players)]
    assert len(seeds) == len(set(seeds)), "no two games and no two bots have the same dice"


def test_a_result_holds_where_nothing_was_changed(short):
    told = yegg_benchmark("easy", "--quick")
    assert told["score"]["games_played"] == 4
    assert not told["score"]["complete"], "a trial is not the protocol"
    checked = yegg_benchmark("--check", "benchmark.json")
    assert checked == told | {"faults": []}
    shown = CliRunner().invoke(cli, ["benchmark", "--check", "benchmark.json"]).output
    assert "All is as it says: 4 games played again." in shown
    assert "NOT the protocol: 4 of 96 games were played." in shown


def test_the_check_finds_what_was_changed(short):
    yegg_benchmark("easy", "--quick", "--threads", "1")
    kept = files.games_of(short)
    result, lines = short.read_bytes(), kept.read_bytes()
    second = json.loads(lines.splitlines()[2])
    events = second["record"].splitlines()

    def found(**more):
        change(short, 2, **more)
        told = faults()
        short.write_bytes(result)
        kept.write_bytes(lines)
        return told

    mine = f"{second_seat(second) + 1} "
    for whose in (mine, "* ", other_than(events, mine)):
        at = next(n for n, line in enumerate(events) if line.startswith(whose))
        shorter = [*events[:at], *events[at + 1 :]]
        (told,) = found(record="\n".join(shorter) + "\n")
        assert told.startswith("round 1, second-story against easy: event ")
    for told, other in ("* roll 6\n", "* roll 5\n"), ("\nscore: ", "\nscore: 1"):
        assert told in second["record"]
        changed = found(record=second["record"].replace(told, other, 1))
        assert len(changed) == 1, "dice, opponents and the head are those of the protocol"
    assert "by its record" in found(share=1 - second["share"])[0]
    assert "decisions, not 1" in found(decisions=1)[0]
    assert "gave away" in found(costs=[0.9, *second["costs"]])[0]
    kept.write_bytes(lines.replace(b'"seconds": ', b'"seconds": 1', 1))
    assert faults()[0] == "benchmark.games.jsonl is not the file that benchmark.json was made of"
    kept.write_bytes(lines)
    assert found(round=24) == ["round 25, second-story, easy: no such game"]
    assert "stands there 2 times" in found(against="uniform")[0]
    assert faults_after(
        short, result, lambda data: data["score"]["all"]["score"].update(value=9)
    ) == ["the figures of the result are not those of its games"]


def second_seat(line):
    return protocol.Task(line["round"], line["game"], line["against"]).seat


def other_than(events, mine):
    """How the events of another player begin."""
    return next(line[:2] for line in events if line[:1].isdecimal() and line[:2] != mine)


def faults_after(path, before, alter):
    """What the check says once the result itself was altered; then it is as ``before``."""
    data = json.loads(before)
    alter(data)
    path.write_text(json.dumps(data))
    told = faults()
    path.write_bytes(before)
    return told


def test_the_check_says_that_another_version_played(short):
    yegg_benchmark("uniform", "--quick")
    kept = files.games_of(short)
    head, *games = kept.read_text().splitlines(keepends=True)
    other = json.loads(head) | {"yegg": "0.9", "code": {"second-story": "0123"}}
    kept.write_text("".join([json.dumps(other) + "\n", *games]))
    files.conclude(short)
    first, second = faults()
    assert first == f"it was played by another version: yegg is 0.9, and here {yegg.__version__}"
    assert second.startswith("it was played by another version: code is 0123 for second-story")


def test_games_go_on_where_a_kill_cut_them_off(short):
    yegg_benchmark("easy", "--quick")
    whole, kept = without_times(short), files.games_of(short)
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:3]) + lines[3][:-40])
    short.unlink()
    yegg_benchmark("easy", "--quick")
    assert without_times(short) == whole
    assert kept.read_bytes().startswith(b"".join(lines[:3])), "what was kept is not played again"


def test_ctrl_c_tells_what_was_played_and_keeps_it(short, monkeypatch):
    play, played = benchmark_game.play, []

    def until_stopped(task, bot):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(task)
        return play(task, bot)

    monkeypatch.setattr(benchmark_game, "play", until_stopped)
    told = yegg_benchmark("easy", "--quick", "--threads", "1", status=130)
    assert told["score"]["games_played"] == 2
    monkeypatch.setattr(benchmark_game, "play", play)
    assert yegg_benchmark("easy", "--quick")["score"]["games_played"] == 4
    yegg_benchmark("--check", "benchmark.json")


def test_a_file_of_another_bot_is_left_alone(short):
    yegg_benchmark("easy", "--quick")
    before = files.games_of(short).read_bytes()
    done = CliRunner().invoke(cli, ["benchmark", "uniform", "--quick"])
    assert "holds a benchmark of easy that cannot go on: its bot is another one" in str(
        done.exception
    )
    assert files.games_of(short).read_bytes() == before


class Tired(yegg.Player):
    """Gives up at its third decision."""

    def begin(self, seed):
        self.left = 2

    def choose(self, view):
        self.left -= 1
        return view.choices[0] if self.left >= 0 else None


def test_a_game_without_a_choice_is_forfeited_and_can_still_be_checked(short):
    bot = yegg.players.enrol(Tired)
    head = files.head_of(bot)
    assert files.begin(short, head) == []
    with files.appending(short) as keep:
        list(benchmark_game.each(protocol.tasks(1), bot, keep))
    score = files.conclude(short).score
    assert score["all"]["forfeits"] == 4
    assert score["all"]["forfeited_because"] == {
        "answered None, which is not one of its choices": 4
    }
    assert score["all"]["score"]["value"] == 0
    assert score["all"]["decisions"] == 8
    yegg_benchmark("--check", "benchmark.json")


def test_a_language_model_plays_the_same_games_and_its_answers_are_counted(short, monkeypatch):
    monkeypatch.setattr(usage, "_used", {})
    monkeypatch.delenv(chat.KEY, raising=False)
    with scripted(answer("[dance]", prompt_tokens=10, completion_tokens=3), last) as script:
        told = yegg_benchmark(script.bot, "--quick")
        used, decisions = told["score"]["usage"], told["score"]["all"]["decisions"]
        assert used["answers"] == len(script.asked) == decisions + 1
    assert (used["illegal"], used["failures"]) == (1, 0)
    assert used["tokens_read"] == 10 * used["answers"]
    assert used["tokens_written"] == 3 * used["answers"]
    assert told["score"]["all"]["forfeits"] == 0
    assert yegg_benchmark("--check", "benchmark.json")["faults"] == [], "no model is asked again"
    games = files.read_games(files.games_of(short))[1]
    assert [one.usage.illegal for one in games] == [1, 0, 0, 0]


def test_no_game_is_lost_to_a_server_that_is_not_there(short, monkeypatch):
    monkeypatch.setattr(usage, "_used", {})
    with scripted((401, {"error": "who are you?"}), last) as script:
        done = CliRunner().invoke(cli, ["benchmark", script.bot, "--quick"])
        assert "the server answered 401" in str(done.exception)
        assert "the same command goes on" in str(done.exception)
        assert files.read_games(files.games_of(short))[1] == []
        monkeypatch.setattr(
            protocol, "tasks", lambda rounds: [protocol.Task(0, "second-story", "easy")]
        )
        assert yegg_benchmark(script.bot, "--quick")["score"]["games_played"] == 1


def test_a_good_choice_gives_nothing_away_and_a_bad_one_does():
    match = yegg.Match("thiefs-market", players=3, seed=5).to_decision()
    words = advise(match, Plan(iterations=2048), 1).words
    best, worst = words[0], words[-1]
    assert worst.cost > 0.2
    assert benchmark_game.given_away(match, best.choice, 2) == 0
    assert benchmark_game.given_away(match, worst.choice, 2) == pytest.approx(worst.cost, abs=0.05)


def test_a_shared_win_counts_as_a_part():
    one = benchmark_game.BenchmarkGame(protocol.Task(0, "second-story", "uniform"), lambda match: 0)
    seat, others = one.task.seat, [seat for seat in range(3) if seat != one.task.seat]
    for first, part in (([seat], 1), ([seat, others[0]], 0.5), (others, 0), (range(3), 1 / 3)):
        one.match = SimpleNamespace(over=True, places=[1 if n in first else 3 for n in range(3)])
        assert one.share == part


def test_levels_are_the_scale():
    relative = {
        "uniform": Figure(2.0, 1.5, 2.5),
        "easy": Figure(1.1, 0.9, 1.3),
        "medium": Figure(0.5, 0.3, 0.8),
        "greedy": Figure(float("nan"), float("nan"), float("nan")),
    }
    assert placed(relative) == {
        "stronger_than": ["uniform"],
        "like": ["easy"],
        "weaker_than": ["medium"],
    }
    told = "It is stronger than uniform, and weaker than medium."
    assert verdict(placed(relative) | {"like": []}) == told
    both = mean_of_independent([Figure(1.0, 0.7, 1.4), Figure(2.0, 1.6, 2.3)])
    assert (both.value, both.low, both.high) == pytest.approx((1.5, 1.25, 1.75))
