"""``yegg lab answers``: the questions of the authors and players, answered again."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .experiments import complete, crew_on
from .options import Command, on_option, threads_option

if TYPE_CHECKING:
    from yegg.lab.executors.threads import Crew
    from yegg.lab.questions.schema import Question


def folder_option(name: str, usual: str, says: str) -> Callable[[Command], Command]:
    """An option that names a folder."""
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option(name, type=kind, default=usual, show_default=True, help=says)


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]…")
@folder_option("--questions", "docs/questions", "Where the questions are.")
@folder_option("--out", "docs/answers", "Where the answers are written.")
@folder_option("--runs", "build/answers", "Where the games are kept.")
@threads_option
@on_option
@click.option("--check", is_flag=True, help="Play nothing; name the answers that do not stand.")
def command(
    names: Sequence[str],
    questions: Path,
    out: Path,
    runs: Path,
    threads: int | None,
    on: str,
    check: bool,
) -> None:
    """Answer the questions NAME, or all that have no answer by the rules of today.

    \b
    yegg lab answers                     play what is missing, write docs/answers
    yegg lab answers magnate-districts   this one, whether it has an answer or not
    yegg lab answers --check             name the answers made with other rules

    A question is a file, docs/questions/NAME.toml; its answer is a page with a plot, and the
    figures as JSON.  --check ends with 1 if any answer is missing or was made with other rules.
    """
    from yegg.lab.questions.answers import stale, summarise
    from yegg.lab.questions.schema import every_question, named

    every = every_question(questions)
    chosen = named(every, names)
    if check:
        verdict([(one.name, why) for one in chosen if (why := stale(one, out))])
        return
    chosen = [one for one in chosen if names or stale(one, out)]
    for one in chosen:
        _ = one.experiment  # whatever is wrong in any of them is refused before the first game
    with crew_on(on, threads) as crew:
        for number, one in enumerate(chosen, 1):
            say(f"{number} of {len(chosen)}, {one.name}: {one.text}", err=True)
            say(f"{one.name}: {answer(one, out, runs, crew)}")
    reword([one for one in every if one not in chosen], out)
    summarise(every, out)


def verdict(wrong: Sequence[tuple[str, str]]) -> None:
    """Name the answers that do not stand; end with 1 if there are any."""
    for name, why in wrong:
        say(f"{name}: {why}")
    if wrong:
        raise click.exceptions.Exit(1)
    say("All answers stand: they were made with the rules of today.")


def answer(question: "Question", out: Path, runs: Path, crew: "Crew") -> str:
    """Play what a question needs, and write its answer; return the first sentence."""
    from yegg.lab.questions.answers import publish, rewrite, run_of

    run = run_of(question, runs)
    complete(run, crew, quiet=False)
    publish(question, run, out)
    return rewrite(question, out)


def reword(questions: Sequence["Question"], out: Path) -> None:
    """Write the pages of answers that stand once more: their words may have changed."""
    from yegg.lab.questions.answers import rewrite, stale

    for question in questions:
        if not stale(question, out):
            rewrite(question, out)
