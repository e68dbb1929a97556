"""``yegg replay`` and ``yegg verify``: check records of games, and their promised dice."""

from dataclasses import replace
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from yegg.text.phrases import counted, listing
from yegg.text.untrusted import quoted, say

from .numbers import Whole
from .options import (
    PATH,
    Named,
    cards_option,
    each_named,
    file_argument,
    json_option,
    number,
    option,
)
from .output import draw, emit

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from yegg.engine import Match
    from yegg.engine.daily_deal import Sealed
    from yegg.engine.promised import Earlier, Verdict

SHOWN = 12  # faults


@click.command()
@click.argument("files", nargs=-1, required=True, type=PATH)
@number("--at", "Show the position after event N.", least=0)
@option("--seat K", "As seat K sees it (0: a spectator).", Whole())
@cards_option
def replay(files: tuple[Path, ...], at: int | None, seat: int | None, cards: Path | None) -> None:
    """Check the records FILES by playing them again, or show a position of theirs.

    \b
    yegg replay my.game                    is it a game that can be played?
    yegg replay my.game --at 12            the position after 12 events
    yegg replay my.game --at 12 --seat 2   as the second player saw it

    A record that is wrong anywhere is refused with FILE:LINE and the reason, and the
    command ends with status 1.  `-` is the standard input, here and in the other commands that
    read a record.
    """
    from yegg.engine.notation import BadRecord

    from . import FAILED

    status = 0
    for file in files:
        try:
            _replay(file, at, seat, cards)
        except BadRecord as error:
            say(f"yegg: {error}", err=True)
            status = FAILED
    raise click.exceptions.Exit(status)


def _replay(file: Path, at: int | None, seat: int | None, cards: Path | None) -> None:
    from yegg import games
    from yegg.engine import notation

    from .play.terminal import WHOLE, scene

    with opened(file) as record:
        match = notation.read(record, str(file), games.find, "plain", cards=cards)
    if seat is not None and not 0 <= seat <= match.players:
        raise click.UsageError(f"there is no seat {seat}; seats are 1 to {match.players}")
    if at is None and seat is None:
        say(f"{file}: {summary(match)}")
        return
    then = _back(match.fork(), file, at)
    if at:
        lines = notation.body(match, seat=None if seat is None else seat - 1)
        draw(f"{file}: event {at} of {len(match.history)}: {lines[at - 1]}", soft_wrap=True)
    draw(scene(then, WHOLE if seat is None else seat - 1))


def opened(file: Path) -> "AbstractContextManager[BinaryIO]":
    """A record to be read; `-` is the standard input.  Raises OSError."""
    return cast("AbstractContextManager[BinaryIO]", click.open_file(str(file), "rb"))


def position(file: Path, at: int | None, cards: Path | None) -> "Match":
    """The match of a record after event ``at``, or at its end.  Raises BadRecord, UsageError."""
    from yegg import games
    from yegg.engine import notation

    with opened(file) as record:
        match = notation.read(record, str(file), games.find, cards=cards)
    return _back(match, file, at)


def _back(match: "Match", file: Path, at: int | None) -> "Match":
    """The match, taken back to event ``at``.  Raises UsageError where it had fewer."""
    events = len(match.history)
    if at is None:
        return match
    if at > events:
        raise click.UsageError(f"{file} has {counted(events, 'event')}; --at {at} is beyond")
    match.back(at)
    return match


def summary(match: "Match") -> str:
    """A record that was checked, in one line."""
    players, events = counted(match.players, "player"), counted(len(match.history), "event")
    text = f"{match.game.title}, {players}, {events}, "
    if not match.over:
        return text + "still going on"
    sides = zip(match.side_names(), match.places, strict=True)
    best = [name for name, place in sides if place == 1]
    return text + ("won by " if len(best) == 1 else "shared by ") + listing(best)


# Dice that were promised


@click.command()
@file_argument
@option(
    "--promise DIGITS", "The promise that you noted before the game: the record must have the same."
)
@option(
    "--salt salts WORD",
    "The salt that you gave: the record must have it.",
    multiple=True,
    callback=each_named,
)
@option(
    "--from earlier FILE",
    "The record of what was played before the promise; repeat for more.  Of a challenge: the game "
    "that it repeats.",
    PATH,
    multiple=True,
)
@option("--key DIGITS", "The key of the day, for a game by the deal of a day.")
@option(
    "--rules FOLDER",
    "Where `yegg house rules` kept the rules of earlier versions.",
    Named(exists=True, file_okay=False, path_type=Path),
)
@cards_option
@json_option
def verify(
    file: Path,
    promise: str | None,
    salts: tuple[str, ...],
    earlier: tuple[Path, ...],
    key: str | None,
    rules: Path | None,
    cards: Path | None,
    as_json: bool,
) -> None:
    """Check that the dice and cards of the record FILE are those that were promised.

    \b
    yegg verify my.game                      do they follow from seed and salts?
    yegg verify my.game --promise ca350b…    and was this seed promised to you?
    yegg verify my.game --from before.game   where it goes on from another game
    yegg verify my.game --key 3f9a…          does it follow from the key of the day?
    yegg verify my.game --from first.game    of a challenge: and from the game that it repeats?

    It needs no server: the game is played again by its rules, and every chance event is worked
    out from the seed that the record opens.  It ends with status 1 if something does not agree,
    if the record opens no dice, or if some of them came before its promise and no record covers
    these; it names the event.  docs/dice.md tells how it works.
    """
    from yegg.engine.daily_deal import AGAIN
    from yegg.engine.daily_deal import check_deal as judge_deal
    from yegg.engine.earlier import use
    from yegg.engine.notation import BadRecord
    from yegg.engine.promised import check_dice

    from . import FAILED

    if rules:
        use(rules)
    try:
        match, pledge = told(file, cards)
        before = [told(record, cards) for record in earlier]
        deal = dealt(file, key)
    except BadRecord as error:
        if not as_json:
            raise
        fault = {"line": error.line, "event": None, "why": error.reason}
        emit(lambda: {"file": str(file), "agrees": False, "faults": [fault]}, as_json=True)
        raise click.exceptions.Exit(FAILED) from None
    if deal or key:
        verdict = judge_deal(match, deal, key)
        if deal and deal.deal.startswith(AGAIN) and before:
            verdict = judge_again(match, deal, before[0])
    else:
        verdict = check_dice(match, pledge, promise, salts, before)
    emit(
        lambda: to_dict(file, match, verdict),
        lambda: show(file, match, verdict, noted=promise is not None),
        as_json=as_json,
    )
    if verdict.faults:
        raise click.exceptions.Exit(FAILED)


def told(file: Path, cards: Path | None) -> "Earlier":
    """The match of a record, and what it says of its dice.

    Raises BadRecord, which names the dice that were changed, if any.
    """
    from yegg import games
    from yegg.engine.earlier import in_version, stamped
    from yegg.engine.notation import BadRecord, Reader
    from yegg.engine.promised import Earlier, compared, pledged

    with opened(file) as record:
        raw = record.read()
    text = TextIOWrapper(BytesIO(raw), "utf-8-sig", "replace").read()
    then = stamped(text)
    find = games.find if then is None else partial(in_version, version=then)
    reader = Reader(BytesIO(raw), str(file), find, "plain", cards)
    try:
        match = reader.read()
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
    return Earlier(match, pledged(text, str(file)))


def dealt(file: Path, key: str | None) -> "Sealed | None":
    """What a record says of the deal of a day.  Raises BadRecord, and UsageError for no key."""
    from yegg.engine.daily_deal import HEX, sealed

    if key is not None and not HEX.fullmatch(key.lower()):
        raise click.UsageError(f"--key takes 64 hexadecimal digits, not {quoted(key)}")
    return sealed(file.read_text("utf-8-sig", "replace"), str(file)) if file.is_file() else None


def judge_again(match: "Match", deal: "Sealed", first: "Earlier") -> "Verdict":
    """Whether the chance of a challenge is that of the game that it repeats, and that as promised.

    The key has to follow from the dice of that game: else any record could be said to be the first.
    """
    from yegg.engine.daily_deal import check_deal as judge_deal
    from yegg.engine.daily_deal import key_again
    from yegg.engine.promised import Fault, check_dice

    pledge = first.pledge
    key = key_again(pledge.key).hex() if pledge and pledge.seed else None
    verdict = judge_deal(match, deal, key, first.match)
    why = "the game that it repeats: "
    amiss = [Fault(None, f"{why}{one.why}") for one in check_dice(first.match, pledge).faults]
    return replace(verdict, faults=[*amiss, *verdict.faults])


def to_dict(file: Path, match: "Match", verdict: "Verdict") -> dict[str, Any]:
    """The result of the check, for programs."""
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
    """Print what was checked, what did not agree, and what agreement does not prove."""
    from yegg.engine.promised import UNPROVEN

    say(f"{file}: {summary(match)}")
    for line in checked(match, verdict):
        say(f"  {line}")
    for event, why in verdict.faults[:SHOWN]:
        say(f"yegg: {file}: {f'event {event}: ' if event else ''}{why}", err=True)
    if len(verdict.faults) > SHOWN:
        say(f"yegg: {file}: and {len(verdict.faults) - SHOWN} more", err=True)
    if not verdict.faults and verdict.pledge:
        say("This does not prove:")
        for unproven in UNPROVEN[1:] if noted else UNPROVEN:
            say(f"  * {unproven}")


def checked(match: "Match", verdict: "Verdict") -> list[str]:
    """The checks of a record's dice, a line each."""
    pledge = verdict.pledge
    if pledge is None:
        agree = verdict.checked - sum(fault.event is not None for fault in verdict.faults)
        follow = f"{agree} of {verdict.chance} chance events follow from the key of the day"
        return [follow] if verdict.checked else []
    if pledge.seed is None:
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
