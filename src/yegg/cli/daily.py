"""``yegg daily``: the deal of the day in the terminal, alone on this computer."""

import json
import secrets
import signal
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg import folders
from yegg.engine import CHANCE
from yegg.engine.daily_deal import HEX, Fate, Sealed, key_of, mind, seal
from yegg.engine.days import LEVELS, OTHERS, Standing, standing, streak, told_day
from yegg.engine.notation import Journal, write
from yegg.files import write_atomic
from yegg.players import Bot
from yegg.text.json_writer import as_json
from yegg.text.phrases import capital, counted
from yegg.text.untrusted import quoted, say

from .options import option, optional_game_argument
from .play.session import Session

if TYPE_CHECKING:
    from yegg.engine import Game, Match

    from .play.seats import Company

THINK = 0.05  # seconds that the coach thinks about each decision of the look back
COACH_OFF = "  The coach is off in the deal of the day: look back afterwards."


@dataclass(frozen=True)
class Deal:
    """A deal of one game, and the files in which a try at it is kept."""

    game: "Game"
    day: str
    key: bytes
    folder: Path

    @property
    def record(self) -> Path:
        """The file of the try."""
        return self.folder / f"{self.day}-{self.game.name}.game"

    @property
    def figures(self) -> Path:
        """The file with what was found in it afterwards."""
        return self.record.with_suffix(".json")

    def heading(self, *, opened: bool) -> str:
        """The comments for the head of the record."""
        key = self.key.hex() if opened else None
        lines = Sealed(f"{self.day} {self.game.name}", seal(self.key), key).lines()
        return "".join(f"{line}\n" for line in lines)


@click.command()
@optional_game_argument
@option("--key DIGITS", "Play the deal of this key: of a past day on a server, or of a friend.")
def daily(game: "Game | None", key: str | None) -> None:
    """Play the deal of the day of GAME: dice and cards that are sealed, and one try.

    \b
    yegg daily                          today's deals, and how you did
    yegg daily second-story             play, or see your result
    yegg daily second-story --key 3f9…  the deal of a day that is over on a server

    The days are those of UTC.  Here you play alone, by a secret of this computer; on a server
    everybody there has the same deal: look for /daily.
    """
    from yegg import games

    if key is not None and (not HEX.fullmatch(key.lower()) or game is None):
        raise click.UsageError(f"--key takes a game and 64 hexadecimal digits, not {quoted(key)}")
    folder = kept_in()
    if game is None:
        for name in games.names():
            say(line(today(games.find(name), folder)))
        if days := streak(finished(folder), now()):
            say(f"{counted(days, 'day')} in a row. One missed day in seven is forgiven.")
        return
    deal = today(game, folder)
    if key is not None:
        deal = Deal(game, f"key-{key[:8].lower()}", bytes.fromhex(key), folder)
    match = played(deal)
    if match is not None:
        tell(deal, match)


def now() -> str:
    """Today, in UTC."""
    return datetime.now(UTC).date().isoformat()


def kept_in() -> Path:
    """The folder of the deals, which is made.  Raises UsageError for whoever has none."""
    data = folders.data()
    if data is None:
        raise click.UsageError(f"{folders.HOMELESS}, so no deal can be kept")
    folder = data / "daily"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def today(game: "Game", folder: Path) -> Deal:
    """Today's deal, by this computer's secret, which is made once."""
    file = folder / "secret"
    if not file.exists():
        write_atomic(file, f"{secrets.token_hex(32)}\n".encode(), private=True)
    secret = bytes.fromhex(file.read_text().strip())
    return Deal(game, now(), key_of(secret, now(), game.name), folder)


def finished(folder: Path) -> list[str]:
    """The days on which a deal was finished, by the figures that were kept."""
    return [file.name[:10] for file in folder.glob("????-??-??-*.json")]


def line(deal: Deal) -> str:
    """How far somebody is with a deal, in a line."""
    found = read(deal)
    how = f"you {Standing(*found['standing']).words}" if found else ""
    how = how or ("you have begun" if deal.record.exists() else "not played yet")
    return f"{deal.game.title.ljust(16)}{how.ljust(20)}yegg daily {deal.game.name}"


def read(deal: Deal) -> dict[str, Any] | None:
    """What was found in a try; None before it is over."""
    try:
        found: dict[str, Any] = json.loads(deal.figures.read_text())
    except (OSError, ValueError):
        return None
    return found


# Playing


class DealJournal(Journal):
    """A record that says of which deal it is; the key is in it once the game is over."""

    def __init__(self, deal: Deal, match: "Match") -> None:
        """It replaces the record that is there."""
        self.deal = deal
        super().__init__(deal.record, match)

    def rewrite(self) -> None:
        """Replace the file by the whole record, in one step."""
        head = self.deal.heading(opened=self.match.over)
        write_atomic(self.path, f"{head}{write(self.match)}".encode())


class DealSession(Session):
    """A game by a deal: chance and the bots' dice follow from its key, and the coach is off."""

    def __init__(self, deal: Deal, match: "Match", company: "Company") -> None:
        """``company``: you, and bots."""
        super().__init__(match, company, DealJournal(deal, match), seed=None, typed=False)
        self.deal, self.fate = deal, Fate(deal.key)

    def rolled(self) -> int:
        """Chance by the deal."""
        match = self.match
        return self.fate.choose(match) if match.actor == CHANCE else super().rolled()

    def bot(self, seat: int) -> int:
        """A bot's choice, by dice of this decision."""
        decision = self.match.actors.count(seat)
        self.company.bots[seat] = Bot(OTHERS, mind(self.deal.key, seat, decision))
        return super().bot(seat)

    def coached(self, _seat: int) -> None:
        """Nothing: the coach is off."""
        self.say(COACH_OFF, "yellow")

    def go_on(self) -> str:
        """The command that goes on with this game."""
        word = f" --key {self.deal.key.hex()}" if self.deal.day.startswith("key-") else ""
        return f"yegg daily {self.deal.game.name}{word}"


def played(deal: Deal) -> "Match | None":
    """The one try at a deal, begun, gone on with or over already; None if it is left."""
    from .play import begun, resumed
    from .play.seats import Company, Sitter

    seats = ["you", *[OTHERS] * (deal.game.usual - 1)]
    if deal.record.exists():
        match, sitters = resumed(deal.record, deal.game, [], None)
        sitters = [Sitter(one.name, OTHERS if i else "") for i, one in enumerate(sitters)]
    else:
        match, sitters = begun(deal.game, seats, None, {})
    if not match.over:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # even if the shell ignores it
        with Company(deal.game, sitters, None) as company:
            DealSession(deal, match, company).run()
    return match if match.over else None


def by_bots(deal: Deal, level: str) -> Standing:
    """How a bot does in your seat, with the same chance and the same rivals."""
    from yegg.engine import Match

    match, fate = Match(deal.game, deal.game.usual), Fate(deal.key)
    first = Bot(level, mind(deal.key, 0, 0))
    while not match.over:
        seat = match.actor
        if seat == CHANCE:
            match.play(fate.choose(match))
        elif seat == 0:
            match.play(first.choose(match.view()))
        else:
            bot = Bot(OTHERS, mind(deal.key, seat, match.actors.count(seat)))
            match.play(bot.choose(match.view()))
    return standing({"places": match.places, "scores": match.scores})


# The result


def tell(deal: Deal, match: "Match") -> None:
    """Your result: luck and choices apart, and the levels beside you."""
    found = read(deal)
    if found is None:
        found = look(deal, match)
        write_atomic(deal.figures, f"{as_json(found)}\n".encode())
    own = Standing(*found["standing"])
    day = deal.day if deal.day.startswith("key-") else told_day(deal.day)
    say(f"\n{deal.game.title}, {day}: you {own.words}.")
    say(f"  what luck gave you   {round(found['luck'] * 100):+4} wins in 100 games")
    say(f"  what you gave away   {-round(found['gave'] * 100):4} wins in 100 games")
    if found["costly"]:
        say(f"  most of it at        {found['costly']}")
    for level, at in found["levels"].items():
        say(f"  {capital(level)} in your seat".ljust(23) + Standing(*at).words)
    say(f"Look back on it with: yegg review {deal.record}")
    say(f"Check its dice with: yegg verify {deal.record}")


def look(deal: Deal, played: "Match") -> dict[str, Any]:
    """What the coach and the levels make of a finished try."""
    from yegg.coach import preparation
    from yegg.coach.review import review
    from yegg.engine import Match, Refused
    from yegg.players.thinking.plan import Plan

    from .output import compiling, progress

    again = Match(played.game, played.players, played.options, names=played.names)  # compiled
    again.follow(played.history)
    with compiling(deal.game.title, lambda: preparation.cold(deal.game, preparation.COACH)):
        preparation.load(deal.game, preparation.COACH)
    steps = len(again.history) + 1
    with progress("The coach looks at your game", steps, quiet=False) as update:
        found = review(again, Plan(seconds=THINK), lambda: update(advance=1))
    levels = {}
    for level in LEVELS:
        with suppress(Refused):
            levels[level] = by_bots(deal, level)
    slip = next((slip for slip in found.slips if slip.seat == 0), None)
    costly = slip and f"event {slip.event}, {slip.chosen}: better was {slip.better}"
    return {
        "standing": standing({"places": again.places, "scores": again.scores}),
        "luck": float(found.luck[0]),
        "gave": float(found.gave[0]),
        "costly": costly,
        "levels": levels,
    }
