"""The commands that show a house to its host: tables in play, people, figures."""

import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import click

from yegg.text.phrases import ago, counted
from yegg.text.untrusted import say

from .house import House, of_a_house
from .options import flag, json_option, option
from .output import draw, emit, table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from yegg.table.service.house_stats import Span, Stats
    from yegg.table.service.overview import InPlay, Known, SeatInPlay

FEW = 50  # rows, without --all
ANSWERS = 2  # seconds for a server to tell its load
LOAD = {
    "yegg_rooms": "tables in memory",
    "yegg_streams": "open streams",
    "yegg_late_seconds": "seconds that it is late",
    "process_resident_memory_bytes": "bytes of memory",
}
"""What a server says of its load (`metrics`), and in words."""
all_option = flag("--all everything", f"All of them; else {FEW} at most.")


def day(at: int) -> str:
    """The day of a moment in milliseconds since 1970, where this machine is."""
    return time.strftime("%Y-%m-%d", time.localtime(at / 1000))


def past(at: int) -> str:
    """How long ago a moment is, in milliseconds since 1970."""
    return ago(time.time() - at / 1000)


@click.command("tables")
@all_option
@of_a_house
@json_option
def tables(house: House, *, everything: bool, as_json: bool) -> None:
    """List the tables in play: who sits there, for whom it waits, and its key.

    Those with the newest news stand first.  The key is the end of the table's link.
    """
    from msgspec import to_builtins

    from yegg.table.service.overview import how_many, in_play

    with house.opened() as store, store.database.reading.connect() as connection:
        found = in_play(connection, None if everything else FEW)
        many = how_many(connection)
    emit(lambda: to_builtins(found), lambda: _tables(found, many), as_json=as_json)


def _tables(found: "list[InPlay]", many: int) -> None:
    rows = table("table", "seats", "opened, last news", "key", fold=True)
    rows.columns[-1].no_wrap = True  # else nobody could copy it
    for one in found:
        seats = "\n".join(map(_seat, one.seats))
        when = f"{day(one.since)}\n{one.later or past(one.last)}"
        rows.add_row(f"{one.title}\n{one.name}", seats, when, one.id)
        rows.add_row()
    if found:
        draw(rows)
    say(f"{counted(many, 'table')} in play{_left_out(found, many)}")


def _seat(place: "SeatInPlay") -> str:
    if not place.bot and not place.person:
        return "free"
    level = f" [{place.bot}]" if place.bot else ""
    return f"{place.name}{level}{', to act' if place.turn else ''}"


def _left_out(found: "list[InPlay]", many: int) -> str:
    return f", of which {len(found)} are listed; --all lists all" if len(found) < many else ""


@click.command("people")
@all_option
@of_a_house
@json_option
def people(house: House, *, everything: bool, as_json: bool) -> None:
    """List the people of the newest 1,000 tables by name: who was there last stands first.

    With --json each has an id; the log of a server names them by its beginning.
    """
    from msgspec import to_builtins

    from yegg.table.service import overview

    with house.opened() as store, store.database.reading.connect() as connection:
        found = overview.people(connection, None)
    shown = found if everything else found[:FEW]
    emit(lambda: to_builtins(shown), lambda: _people(shown, len(found)), as_json=as_json)


def _people(shown: "list[Known]", many: int) -> None:
    rows = table("name", "last there", "tables", "in play", "", right={"tables"})
    for one in shown:
        state = [word for word, so in (("blocked", one.blocked), ("muted", one.muted)) if so]
        rows.add_row(
            one.name, past(one.seen), str(one.games), ", ".join(one.open), ", ".join(state)
        )
    if shown:
        draw(rows)
    left = f", of which {len(shown)} are listed; --all lists all" if len(shown) < many else ""
    say(f"{counted(many, 'person', 'people')}{left}")


@click.command("stats")
@option("--server URL", "The server that tells its load.")
@of_a_house
@json_option
def stats(server: str | None, house: House, *, as_json: bool) -> None:
    """Tell how much a house is used: games and people by day and week, load, size on disk.

    The load is told by the server of the settings, or of --server (http://127.0.0.1:8002), if it
    runs and this machine may ask for its /metrics.  Days are those of UTC.
    """
    from msgspec import to_builtins

    from yegg.table import networks
    from yegg.table.service import house_stats

    settings = house.holds().settings
    url = server or networks.url(networks.here(settings.host), settings.port)
    with house.opened() as store, store.database.reading.connect() as connection:
        found = house_stats.stats(connection, store.database)
    load = _load(url)
    emit(
        lambda: {**to_builtins(found), "server": url, "load": load},
        lambda: _stats(found, url, load),
        as_json=as_json,
    )


def _stats(found: "Stats", url: str, load: dict[str, float]) -> None:
    draw(_spans("day", found.days))
    say("")
    draw(_spans("week of", found.weeks))
    finished, ever = f"{found.finished} finished", counted(found.people, "person", "people")
    say(f"\n{counted(found.begun, 'game')} begun and {finished} so far; {ever} sat down")
    growth = f"about {found.daily_bytes / 1e6:.2f} MB more each day of the last week"
    say(f"{counted(found.in_play, 'table')} in play; {found.bytes / 1e6:.1f} MB on disk, {growth}")
    said = ", ".join(f"{load[name]:,.6g} {words}" for name, words in LOAD.items() if name in load)
    say(f"{url} {f'says: {said}' if load else 'says nothing of its load'}")


def _spans(called: str, spans: "Iterable[Span]") -> "Table":
    columns = "begun", "finished", "people"
    rows = table(called, *columns, right=columns)
    for one in spans:
        rows.add_row(one.first, str(one.begun), str(one.finished), str(one.people))
    return rows


def _load(url: str) -> dict[str, float]:
    """What a server says of its load, by metric; empty if it says nothing."""
    from prometheus_client.parser import text_string_to_metric_families

    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/metrics", timeout=ANSWERS) as answer:  # noqa: S310
            text = answer.read().decode()
        families = list(text_string_to_metric_families(text))
    except (OSError, ValueError):
        return {}
    said = {sample.name: sample.value for family in families for sample in family.samples}
    return {name: said[name] for name in LOAD if name in said}
