"""``yegg benchmark``: how strong a bot is, by a protocol that is the same for everybody."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.stats.intervals import brackets
from yegg.text.phrases import counted, grouped
from yegg.text.untrusted import say

from .options import FILE, enrolled, flag, json_option, option, threads_option
from .output import draw, emit, headline, progress, stoppable, table

if TYPE_CHECKING:
    from yegg.lab.benchmark.files import Result

USUAL = "benchmark.json"
SHOWN = 12  # faults


@click.command()
@click.argument("bot", required=False)
@option(
    "--out FILE", f"Where the result is written, by default {USUAL}; its games lie beside it.", FILE
)
@flag("--quick", "Only the first round, for a trial: that is not the protocol.")
@option("--check FILE", "Check a result: play its games again and compare everything.", FILE)
@threads_option
@json_option
def benchmark(
    bot: str | None,
    out: Path | None,
    quick: bool,
    check: Path | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Tell how strong BOT is: 384 games against four levels, the same for everybody.

    \b
    yegg benchmark mybots:Bold --out bold.json
    yegg benchmark chat:qwen3@http://localhost:8080/v1 --out qwen3.json --quick
    yegg benchmark --check bold.json

    The same command goes on after Ctrl-C or a kill.  --quick plays 16 of these games; without it
    the same command plays the rest.  --check ends with status 1 if anything differs.
    """
    if check is not None:
        if bot is not None or out is not None or quick:
            raise click.UsageError(
                "--check FILE checks a result, and takes no BOT, --out or --quick"
            )
        _check(check, threads, as_json=as_json)
        return
    if bot is None:
        raise click.UsageError("which bot? Name it, as in: yegg benchmark mybots:Bold")
    _play(enrolled([bot])[0], out or Path(USUAL), threads, quick=quick, as_json=as_json)


def _play(bot: str, out: Path, threads: int | None, *, quick: bool, as_json: bool) -> None:
    from yegg.lab.benchmark import benchmark_game, files, protocol
    from yegg.players import title

    known = {played.task for played in files.begin(out, files.head_of(bot))}
    wanted = protocol.tasks(1 if quick else protocol.ROUNDS)
    todo = [task for task in wanted if task not in known]
    before = len(wanted) - len(todo)
    with (
        stoppable() as stop,
        files.appending(out) as keep,
        progress(title(bot), len(wanted), quiet=as_json, before=before) as bar,
    ):
        for _ in benchmark_game.each(todo, bot, keep, threads):
            bar(advance=1)
    result = files.conclude(out)
    if stop.why and not result.score["games_played"]:
        raise stop.why
    emit(lambda: _to_dict(result, out), lambda: _show(result), as_json=as_json)
    stop.leave()


def _check(path: Path, threads: int | None, *, as_json: bool) -> None:
    from yegg.lab.benchmark.check import check

    from . import FAILED

    with progress(f"checking {path.name}", None, quiet=as_json) as bar:
        result, faults = check(path, threads, lambda more: bar(advance=more))

    def show() -> None:
        _show(result)
        for fault in faults[:SHOWN]:
            say(f"- {fault}")
        if len(faults) > SHOWN:
            say(f"… and {counted(len(faults) - SHOWN, 'fault')} more.")
        games = counted(result.score["games_played"], "game")
        say("This result does not hold." if faults else f"All is as it says: {games} played again.")

    emit(lambda: _to_dict(result, path) | {"faults": faults}, show, as_json=as_json)
    raise click.exceptions.Exit(FAILED if faults else 0)


def _to_dict(result: "Result", path: Path) -> dict[str, Any]:
    """The result for ``--json``: that of the file."""
    import msgspec

    from yegg.lab.benchmark.files import games_of

    return {"file": str(path), "games_file": str(games_of(path)), **msgspec.to_builtins(result)}


def _show(result: "Result") -> None:
    """The figures in two tables, and what they say."""
    score, protocol = result.score, result.head.protocol
    levels, every = protocol["opponents"], score["all"]
    headline(result.head.bot, f", benchmark {protocol['version']} of yegg {result.head.yegg}\n")
    won = table("% of wins over", "fair", *levels, right=["fair", *levels])
    numbers = "gave away, % of a win", "real decisions"
    gave = table("game", *numbers, right=numbers)
    for name, game in score["games"].items():
        shares = (_figure(game["share_of_wins"][level], 100, 0) for level in levels)
        won.add_row(name, f"{100 * game['fair_share']:.0f}", *shares)
        gave.add_row(name, _figure(game["given_away"], 100, 2), grouped(game["decisions"]))
    gave.add_row("in all", _figure(every["given_away"], 100, 2), grouped(every["decisions"]))
    over = table("over", "wins for each fair one", right=["wins for each fair one"])
    for level in levels:
        over.add_row(level, _figure(every["wins_per_fair_win"][level], 1, 2))
    over.add_row("all", _figure(every["score"], 1, 2))
    draw(won, "\n", over, "\n", gave, "\n", sep="")
    for line in _lines(score):
        say(line)


def _lines(score: dict[str, Any]) -> list[str]:
    """What the figures say, in sentences."""
    from yegg.lab.benchmark.protocol import tasks
    from yegg.lab.benchmark.score import verdict

    every, used = score["all"], score["usage"]
    played, whole = score["games_played"], len(tasks())
    lines = [
        f"Score: {_figure(every['score'], 1, 2)} wins for each that an equal player has.",
        verdict(score["levels"]),
    ]
    mean, worst = every["seconds_per_decision"], every["slowest_decision"]
    lines.append(
        f"A real decision took {mean:.2g} s, {worst:.2g} s at most; "
        f"{grouped(every['judged'])} of {grouped(every['decisions'])} were judged."
    )
    if every["forfeits"]:
        why = next(iter(every["forfeited_because"]))
        lines.append(f"It forfeited {counted(every['forfeits'], 'game')}; in one, it {why}.")
    if every["unfinished"]:
        lines.append(f"{counted(every['unfinished'], 'game')} did not end.")
    if used["answers"]:
        read, written = round(used["tokens_read"]), round(used["tokens_written"])
        lines.append(
            f"{grouped(used['illegal'])} of {grouped(used['answers'])} answers were no legal "
            f"choice; {grouped(read)} tokens read, {grouped(written)} written."
        )
    if not score["complete"]:
        lines.append(f"NOT the protocol: {played} of {whole} games were played.")
    return lines


def _figure(figure: dict[str, Any], times: float, digits: int) -> str:
    """A figure with its interval in brackets; ``-`` if it is not known."""
    if figure["value"] is None:
        return "-"
    value = f"{times * figure['value']:.{digits}f}"
    low, high = figure["interval"]
    if low is None or high is None or math.isinf(high - low):
        return value
    return f"{value} {brackets(times * low, times * high, f'.{digits}f')}"
