"""The command that lists the compiled code on this machine, and clears it."""

import logging
import time
from itertools import groupby
from operator import attrgetter

import click

from yegg import folders
from yegg.engine import kept_code, kept_files
from yegg.text.untrusted import say

from .options import json_option
from .output import draw, emit, table

MB = 1e6


@click.command()
@click.option("--clear", is_flag=True, help="Remove it; what is needed is compiled again.")
@json_option
def cache(*, clear: bool, as_json: bool) -> None:
    """Show what compiled code is kept on this machine, or clear it.

    Games, bots and environments are compiled when they are first used, and kept for the next start.
    Nothing but time is lost when it is cleared.  Each file carries a checksum: one that does not
    match is removed here, as it is wherever it would be used.

    \b
    yegg cache            list it, by the module it was compiled from
    yegg cache --clear    remove it
    """
    there = str(folders.cache())
    if clear:
        files, size = kept_code.clear()
        emit(
            lambda: {"folder": there, "removed_files": files, "removed_bytes": size},
            lambda: say(f"Removed {files:,} files, {size / MB:.1f} MB, from {there}."),
            as_json=as_json,
        )
        return
    kept, removed = _looked_through()
    by_module = {name: [*found] for name, found in groupby(kept, attrgetter("module"))}
    total = sum(one.size for one in kept)

    def listed() -> None:
        rows = table("compiled from", "functions", "MB", "last", right={"functions", "MB"})
        for name, found in sorted(by_module.items(), key=lambda row: -_size(row[1])):
            day = time.strftime("%Y-%m-%d", time.localtime(max(one.written for one in found)))
            rows.add_row(name, f"{len(found):,}", f"{_size(found) / MB:.1f}", day)
        if kept:
            draw(rows)
        say(f"{len(kept):,} functions, {total / MB:.1f} MB in {there}")
        if removed:
            say(f"{removed:,} more were of an earlier version, or damaged: removed.")

    emit(
        lambda: {
            "folder": there,
            "bytes": total,
            "removed_functions": removed,
            "modules": {
                name: {"functions": len(found), "bytes": _size(found)}
                for name, found in by_module.items()
            },
        },
        listed,
        as_json=as_json,
    )


def _looked_through() -> tuple[list[kept_code.KeptFunction], int]:
    """What is kept, and how many were removed: they are counted here and not told one by one."""
    log = logging.getLogger(kept_files.__name__)
    log.disabled = True
    try:
        return kept_code.kept_functions()
    finally:
        log.disabled = False


def _size(found: list[kept_code.KeptFunction]) -> int:
    return sum(one.size for one in found)
