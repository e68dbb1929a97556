"""What commands do about players that fail: tell where it was, keep the record, debug."""

import math
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .options import flag

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from yegg.engine import Failed, Match
    from yegg.lab.batch import Matchup
    from yegg.lab.failures import Failure
    from yegg.lab.kept_records import Records

debug_option = flag("--debug", "Stop where a player fails first, in Python's debugger.")


def tell_failures(
    setting: "Matchup", failures: "Mapping[str, Failure]", kept: "Records | None" = None
) -> None:
    """Say where each player failed first, and how to go back there.

    Its record is among those that are kept, or in a folder of its own among the temporary files.
    """
    from yegg.lab.kept_records import Records

    for failure in failures.values():
        if failure.record and kept is None:
            kept = Records(setting, Path(tempfile.mkdtemp(prefix="yegg-failed-")))
        say("\n" + failure.as_text(kept.keep(failure) if kept and failure.record else None))


@contextmanager
def debugged(wanted: bool) -> Iterator[None]:
    """Where a player fails within, tell it and begin the debugger, if that is ``wanted``."""
    from yegg.engine import Failed

    try:
        yield
    except Failed as failed:
        if not wanted:
            raise
        look_at(failed)
        raise click.exceptions.Exit(1) from None


def look_at(failed: "Failed") -> None:
    """Begin Python's debugger where a player failed: where it raised, or where it was asked."""
    import pdb  # noqa: T100  it is what --debug is for

    for note in getattr(failed, "__notes__", [str(failed)]):
        say(note)
    error = failed.__cause__
    if error is not None:
        pdb.post_mortem(error.__traceback__)
    elif failed.again is not None:
        say("It is asked once more, step by step: s goes into it, q ends.")
        pdb.runcall(failed.again)


def debug_at(match: "Match", bot: str) -> None:
    """Ask a player in Python's debugger for a choice: where it fails, or else step by step."""
    import pdb  # noqa: T100

    from yegg import players
    from yegg.engine import Failed
    from yegg.players.outside import Outsider

    if not players.from_outside(bot):
        raise click.UsageError(f"--debug is for players of your own, as mybots:Bold; not {bot}")
    view, seated = match.view(), Outsider(match.game, bot, players.maker(bot), 0, math.inf)
    try:
        chosen = seated.choose(view.states, view.seat, view.choices)
    except Failed as failed:
        look_at(failed)
        return
    say(f"{bot} chooses {match.say(chosen)} and does not fail when it begins here.")
    say("It is asked once more, step by step: s goes into it, q ends.")
    pdb.runcall(seated.once_more(view.states, view.seat, view.choices))


def kept_apart(as_json: bool) -> "AbstractContextManager[object]":
    """Within, what players print goes to the error output if ``as_json``: it is no JSON."""
    return redirect_stdout(sys.stderr) if as_json else nullcontext()
