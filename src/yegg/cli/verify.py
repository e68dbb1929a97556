"""``yegg verify``: whether the dice of a record are those that were promised."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.text.untrusted import say

from .options import cards_option, file_argument, json_option
from .output import emit

if TYPE_CHECKING:
    from yegg.engine import Match
    from yegg.engine.promised import Earlier, Verdict

SHOWN = 12  # faults


@click.command()
@file_argument
@click.option(
    "--promise",
    metavar="DIGITS",
    help="The promise that you noted before the game: the record must have the same.",
)
@click.option(
    "--salt",
    "salts",
    multiple=True,
    metavar="WORD",
    help="The salt that you gave: the record must have it.",
)
@click.option(
    "--from",
    "earlier",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The record of what was played before the promise; repeat for more.",
)
@click.option(
    "--rules",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where `yegg house rules` kept the rules of earlier versions.",
)
@cards_option
@json_option
def verify(
    file: Path,
    promise: str | None,
    salts: tuple[str, ...],
    earlier: tuple[Path, ...],
    rules: Path | None,
    cards: Path | None,
    as_json: bool,
) -> None:
    """Check that the dice and cards of the record FILE are those that were promised.

    \b
    yegg verify my.game                      do they follow from seed and salts?
    yegg verify my.game --promise ca350b…    and was this seed promised to you?
    yegg verify my.game --from before.game   where it goes on from another game

    It needs no server: the game is played again by its rules, and every chance event is worked
    out from the seed that the record opens.  It ends with status 1 if something does not agree,
    if the record opens no dice, or if some of them came before its promise and no record covers
    these; it names the event.  docs/dice.md tells how it works.
    """
    from yegg.engine.earlier import use
    from yegg.engine.notation import BadRecord
    from yegg.engine.promised import judge

    from . import FAILED

    if rules:
        use(rules)
    try:
        match, pledge = told(file, cards)
        before = [told(one, cards) for one in earlier]
    except BadRecord as error:
        if not as_json:
            raise
        fault = {"line": error.line, "event": None, "why": error.reason}
        emit(lambda: {"file": str(file), "agrees": False, "faults": [fault]}, as_json=True)
        raise click.exceptions.Exit(FAILED) from None
    verdict = judge(match, pledge, promise, salts, before)
    emit(
        lambda: as_data(file, match, verdict),
        lambda: show(file, match, verdict, noted=promise is not None),
        as_json=as_json,
    )
    if verdict.faults:
        raise click.exceptions.Exit(FAILED)


def told(file: Path, cards: Path | None) -> "Earlier":
    """The match of a record, and what it says of its dice.  Raises BadRecord."""
    from yegg.engine.promised import Earlier, pledged

    return Earlier(read(file, cards), pledged(file.read_text(encoding="utf-8"), str(file)))


def read(file: Path, cards: Path | None) -> "Match":
    """The match of a record.  Raises BadRecord, which names the dice that were changed, if any."""
    from yegg import games
    from yegg.engine.earlier import in_version, stamped
    from yegg.engine.notation import BadRecord, Reader
    from yegg.engine.promised import compared, pledged

    with file.open("rb") as lines:
        text = file.read_text(encoding="utf-8", errors="replace")
        then = stamped(text)
        find = games.find if then is None else partial(in_version, version=then)
        reader = Reader(lines, str(file), find, "plain", cards)
        try:
            return reader.read()
        except BadRecord as error:
            if reader.match is None:
                raise
            reason, now = error.reason, reader.match.game.version
            pledge = pledged(text, str(file))
            if changed := compared(reader.match, pledge)[1] if pledge else []:
                event, why = changed[0]
                reason += f"; before that, at event {event}, {why}"
            if then not in (None, now):
                reason += f"; it was played by version {then} of the rules, and these are version "
                reason += f"{now}: --rules FOLDER says where those of then are kept"
            raise BadRecord(str(file), error.line, reason) from None


def as_data(file: Path, match: "Match", verdict: "Verdict") -> dict[str, Any]:
    """What was found out, for programs."""
    from yegg.engine.promised import UNPROVEN

    pledge = verdict.pledge
    return {
        "file": str(file),
        "agrees": not verdict.faults,
        "faults": [{"line": None, "event": event, "why": why} for event, why in verdict.faults],
        "game": match.game.name,
        "events": len(match.history),
        "chance": verdict.chance,
        "checked": verdict.checked,
        "elsewhere": verdict.elsewhere,
        "promise": pledge and pledge.promise,
        "after": pledge.after if pledge else 0,
        "origin": pledge and pledge.origin,
        "salts": dict(pledge.salts) if pledge else {},
        "seed": pledge and pledge.seed,
        "unproven": list(UNPROVEN),
    }


def show(file: Path, match: "Match", verdict: "Verdict", *, noted: bool) -> None:
    """What was checked, what did not agree, and what agreement does not prove."""
    from yegg.engine.promised import UNPROVEN

    from .records import summary

    say(f"{file}: {summary(match)}")
    for line in checked(match, verdict):
        say(f"  {line}")
    for event, why in verdict.faults[:SHOWN]:
        say(f"yegg: {file}: {f'event {event}: ' if event else ''}{why}", err=True)
    if len(verdict.faults) > SHOWN:
        say(f"yegg: {file}: and {len(verdict.faults) - SHOWN} more", err=True)
    if not verdict.faults:
        say("This does not prove:")
        for one in UNPROVEN[1:] if noted else UNPROVEN:
            say(f"  * {one}")


def checked(match: "Match", verdict: "Verdict") -> list[str]:
    """What was compared, a line each."""
    pledge = verdict.pledge
    if pledge is None or pledge.seed is None:
        return []
    wrong = {event for event, _ in verdict.faults if event and event > pledge.after}
    agree = verdict.checked - len(wrong)
    follow = f"{agree} of {verdict.chance} chance events follow from seed and salts"
    lines = [
        f"promise  {pledge.promise}",
        f"salts    {pledge.salted or 'none: no player gave one'}",
        f"seed     {pledge.seed}",
        f"dice     {follow if verdict.chance else 'nothing was left to chance in this game'}",
    ]
    if before := verdict.chance - verdict.checked:
        where = f"before the promise, which begins after event {pledge.after}"
        follow = f"they follow from {pledge.origin}" if verdict.elsewhere else "they are unchecked"
        lines.append(f"         {before} came {where}: {follow}")
    return lines
