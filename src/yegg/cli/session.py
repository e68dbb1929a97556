"""A game in the terminal: what people see and type."""

import random
import shlex
from typing import TYPE_CHECKING

import click
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from yegg.engine import CHANCE, Failed, Refused
from yegg.engine.notation import Journal
from yegg.engine.secrecy import Heard, Teller
from yegg.text.phrases import listing
from yegg.text.untrusted import quoted

from .scene import WHOLE, meanings, meant, name_of, numbered, outlook, question, scene, style, told
from .screen import Screen
from .seats import USUAL, Sitter, as_typed, known
from .several import example, several

if TYPE_CHECKING:
    from yegg.engine import Match

    from .table_bots import Company

COACH = 2.0  # seconds that the coach thinks
HELP = """Type a choice's number or its words; the beginning of each word is enough.
  ?   the odds behind each choice      u   take back your own last choice
  !   ask the coach about each choice  q   leave; the game is kept
  r   the rules that apply now; r 23 one clause, r all the whole page"""
COMMANDS = ("quit", "undo", "help", "rules")
TYPED = "Type what your own dice and cards show; ? lists it, u takes the last back."
NOTHING_BACK = "There is nothing to take back: something has happened since."


class Left(Exception):
    """Somebody leaves the table."""


class Session:
    """Runs a match until it is over or somebody leaves; events are saved before each prompt."""

    def __init__(
        self,
        match: "Match",
        company: "Company",
        journal: Journal,
        *,
        seed: int | None,
        typed: bool,
    ) -> None:
        """A game, who plays it, and where it is kept."""
        self.match, self.company, self.journal = match, company, journal
        self.seed, self.typed = seed, typed
        self.console = Screen()
        self.people = company.people
        self.viewer = self.people[0] if len(self.people) == 1 else -1
        self.teller = Teller(match)
        self.last_person = -1
        self.row: list[int] = []  # choices of one typed line that are still to be made
        self.unread: dict[int, list[str]] = {}  # what happened since each had the keyboard

    def run(self) -> None:
        """Play on until the end."""
        title, names = self.match.game.title, ", ".join(self.match.names)
        self.console.print(Text.assemble((title, "bold"), f" · {names}"))
        self.say(f"kept in {self.journal.path} · type h for help", "dim")
        if self.typed:
            self.say(TYPED, "dim")
        try:
            while not self.match.over:
                choice = self.decide()
                if choice is not None:
                    self.happen(choice)
            self.finish()
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
            self.say(f"The game is kept. Go on with: {self.go_on()}")

    def say(self, text: str, style: str = "") -> None:
        """Print a line; where it is too long the terminal breaks it, so that it can be copied."""
        self.console.print(text, style=style, soft_wrap=True)

    def go_on(self) -> str:
        """The command that goes on with this game."""
        there = self.company.sitters
        command = f"yegg play --resume {shlex.quote(str(self.journal.path))}"
        if there != known(self.match.names):  # a person who is called like a bot
            command += f" --seats {shlex.quote(as_typed(there))}"
        return command + (" --chance typed" if self.typed else "")

    def decide(self) -> int | None:
        """The choice of whoever acts now; None if something was taken back instead."""
        if self.row:
            return self.row.pop(0)
        actor = self.match.actor
        if actor == CHANCE:
            return self.heard_chance() if self.typed else self.rolled()
        return self.asked(actor) if actor in self.people else self.bot(actor)

    def bot(self, seat: int) -> int:
        """A bot's choice; if it fails, a random one.  Raises Left if it cannot play at all."""
        if news := self.company.news(seat):
            self.say(f"  {news}", "dim")
        try:
            return self.company.choose(self.match)
        except Failed as failure:
            self.say(f"  {failure}, so its choice is drawn by lot.", "yellow")
            return self.rolled()
        except Refused as error:
            self.wrong(error)
            name = self.match.names[seat]
            self.say(f"  {name} cannot play on; in the command below, {USUAL} takes that seat.")
            self.company.sitters[seat] = Sitter(name, USUAL)
            raise Left from None

    def happen(self, choice: int) -> None:
        """An event: played, on disk, and told."""
        match = self.match
        actor, text, look = match.actor, match.say(choice), style(match, choice)
        match.play(choice)
        self.journal.append(actor, text)
        for seat in self.people if len(self.people) > 1 else ():
            self.unread.setdefault(seat, []).extend(self.newest(seat).news)
        for line in told(self.newest(self.viewer), match.game, own=actor == self.viewer):
            self.console.print(f"  {line}", style=look)

    def newest(self, seat: int) -> Heard:
        """What has just happened, as a seat (-1: everybody) may know it."""
        return self.teller.hear(self.match, seat, 1)[0]

    def rolled(self) -> int:
        """Chance by the machine: the operating system's generator, or the seed."""
        if self.seed is None:
            return random.SystemRandom().choice(self.match.choices)
        dice = random.Random(f"{self.seed} {len(self.match.history)}")  # noqa: S311
        return dice.choice(self.match.choices)

    def heard_chance(self) -> int | None:
        """Chance by the people's own dice and cards; None if something was taken back."""
        match, events = self.match, len(self.match.history)
        self.console.print(f"  {question(match)}")
        while len(match.history) == events:
            typed = self.typed_line(f"{' or '.join(verbs(match))} > ")
            if not typed or self.command(typed, -1):
                continue
            try:
                return match.guess(typed)
            except Refused as error:
                self.wrong(error)
        return None

    def asked(self, seat: int) -> int | None:
        """A person's choice; None if something was taken back instead."""
        match, events = self.match, len(self.match.history)
        self.hand_over(seat)
        self.show(seat)
        while len(match.history) == events:
            typed = self.typed_line(f"{match.names[seat]} > ")
            if several_meanings := meanings(typed, match, COMMANDS):
                self.console.print(f"  {several_meanings}", style="yellow")
                continue
            if not typed or self.command(typed, seat):
                continue
            choices = match.choices
            if typed.isdecimal() and 1 <= int(typed[:9]) <= len(choices):
                return choices[int(typed[:9]) - 1]
            try:
                row = several(match, typed)
                return self.first_of(row) if row else match.guess(typed)
            except Refused as refused:
                found = meant(match, typed)
                if found is not None:
                    return found
                error = refused
                if typed.isdecimal():
                    error = Refused(f"there is no choice {quoted(typed)}: 1 to {len(choices)}")
                self.wrong(error)
        return None

    def first_of(self, row: tuple[int, list[int]]) -> int:
        """The first choice of several in a row; the others follow without being asked for."""
        back, (first, *self.row) = row
        for _ in range(back):
            self.match.undo(self.match.actor)
        if back:
            self.journal.rewrite()
        return first

    def wrong(self, error: Refused) -> None:
        """Say why a typed line cannot be done; nothing else changes."""
        self.console.print(f"  {error}", style="yellow")

    def hand_over(self, seat: int) -> None:
        """A screen between two people who must not see each other's secrets."""
        if self.match.game.secret and len(self.people) > 1 and seat != self.last_person:
            self.console.clear()
            self.typed_line(f"Hand the keyboard to {self.match.names[seat]}, who presses Enter. ")
            self.console.clear()
            for line in self.unread.pop(seat, []):
                self.console.print(f"  {line}", markup=False)
        self.last_person = seat

    def show(self, seat: int, *, with_odds: bool = False) -> None:
        """The position, the question and every choice with its number."""
        match = self.match
        self.console.print()
        self.console.print(scene(match, seat))
        self.console.print()
        self.console.print(Text.assemble((f"{match.names[seat]}:", "bold"), f" {question(match)}"))
        if line := example(match):
            self.say(line, "dim")
        if with_odds and (line := outlook(match, seat)):
            self.console.print(f"  {line}", style="dim")
        self.console.print(numbered(match, with_odds=with_odds))

    def show_chance(self) -> None:
        """Print everything that dice and cards can show now, and other words for it."""
        match = self.match
        self.console.print(Columns(list(match.texts), padding=(0, 3)))
        for alias, text in match.synonyms().items():
            self.console.print(f"  {alias} means {text}", style="dim")

    def command(self, typed: str, seat: int) -> bool:
        """Carry out the line if it is a command; whether it was one."""
        match typed.split(maxsplit=1):
            case ["?"]:
                self.show(seat, with_odds=True) if seat >= 0 else self.show_chance()
            case ["!"]:
                self.coached(seat)
            case ["h" | "help"]:
                self.console.print(f"{HELP}\n{TYPED if self.typed else ''}".rstrip())
            case ["q" | "quit" | "exit"]:
                raise Left
            case ["u" | "undo"]:
                self.take_back(seat)
            case ["r" | "rules", *clause]:
                self.rules(clause)
            case _:
                return False
        return True

    def coached(self, seat: int) -> None:
        """What each choice is worth, by what the seat may know."""
        if seat < 0:
            self.say("  Dice or cards come next, so nobody has a choice to make.", "yellow")
            return
        from yegg.coach.advice import advise, first_sight
        from yegg.players.thinking.plan import Plan

        from .advise import show

        if self.company.coach_ready():
            with self.console.status("The coach thinks …"):
                advice = advise(self.match, Plan(seconds=COACH))
        else:
            advice = first_sight(self.match)
        show(self.match, advice, self.console)

    def take_back(self, seat: int) -> None:
        """Take back what was typed last, if that is possible, with everything after it."""
        match = self.match
        keep = self.back_to(seat)
        if keep is None:
            self.say(f"  {NOTHING_BACK}", "yellow")
            return
        again = match.again()
        again.follow(match.history[:keep])
        taken = name_of(match, match.actors[keep]), again.say(match.history[keep])
        match.back(keep)
        self.journal.rewrite()
        self.say(f"  Taken back: {': '.join(taken)}.")

    def back_to(self, seat: int) -> int | None:
        """How many events are left when the last one that was typed is taken back.

        A choice goes back as long as nothing has happened since.  A die or a card that was
        typed wrongly goes back together with what bots made of it.
        """
        actors, own = self.match.actors, {seat} if seat >= 0 else set(self.people)
        if not self.typed:
            return len(actors) - 1 if actors and actors[-1] in own else None
        typed = [i for i, who in enumerate(actors) if who == CHANCE or who in self.people]
        if not typed:
            return None
        last = typed[-1]
        may = actors[last] == CHANCE or (last == len(actors) - 1 and actors[last] in own)
        return last if may else None

    def rules(self, wanted: list[str]) -> None:
        """Print the clauses that apply now, one clause, or the whole page."""
        from .rules import command

        page = self.match.game.name
        clauses = self.match.game.voice.clauses(self.match.state)
        if not wanted and clauses:
            wanted = clauses
            self.say("These rules apply here; r all shows the whole page:", "dim")
        for words in [[page]] if wanted in ([], ["all"]) else [[page, one] for one in wanted]:
            try:
                command.main(words, standalone_mode=False)
            except click.ClickException as error:
                self.console.print(f"  {error.format_message()}", style="yellow")

    def typed_line(self, prompt: str) -> str:
        """A line from the keyboard."""
        return self.console.input(prompt, markup=False, emoji=False).strip()

    def finish(self) -> None:
        """Show how the game ended."""
        match = self.match
        self.console.print()
        self.console.print(scene(match, WHOLE))
        table = Table("place", "", "score", box=None)
        sides = sorted(zip(match.places, match.side_names(), match.scores, strict=True))
        for place, name, score in sides:
            table.add_row(str(place), name, str(score), style="bold" if place == 1 else "")
        best = [name for place, name, _ in sides if place == 1]
        self.console.print()
        self.say(f"{listing(best)} {'wins' if len(best) == 1 else 'are tied for first'}.", "bold")
        self.console.print(table)
        self.say(f"The record: {self.journal.path}", "dim")
        file = shlex.quote(str(self.journal.path))
        self.say(f"Look back on it with: yegg review {file}", "dim")


def verbs(match: "Match") -> list[str]:
    """What the texts of the legal events begin with: ``roll``, ``flip``."""
    return sorted({text.split()[0] for text in match.texts})
