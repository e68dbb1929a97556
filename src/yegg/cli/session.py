"""One sitting at a game in the terminal: what people see and type."""

import random
from typing import TYPE_CHECKING

import click
from rich.columns import Columns
from rich.console import Console
from rich.table import Table

from yegg.cli.arguments import compiling
from yegg.cli.scene import meant, name_of, news, odds, outlook, question, scene, told
from yegg.engine import CHANCE, Refused
from yegg.engine.notation import Journal, past_of

if TYPE_CHECKING:
    from yegg.cli.company import Company
    from yegg.engine import Match

COACH = 2.0  # seconds that the coach thinks
HELP = """A number or the words choose; a beginning of each word is enough.
  ?   the odds behind each choice      u   take back your own last choice
  !   ask the coach: who wins then     q   leave; the game is kept
  r   what rules apply; r 23, r all"""


class Left(Exception):
    """Somebody leaves the table."""


class Session:
    """Runs a match until it is over or somebody leaves; every event is kept before a prompt."""

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
        self.console = Console(highlight=False)
        self.people = company.people
        self.viewer = self.people[0] if len(self.people) == 1 else -1
        self.past = past_of(match) if match.game.secret else None
        self.last_person = -1

    def run(self) -> None:
        """Play on until the end."""
        self.say(f"[bold]{self.match.game.title}[/] · {', '.join(self.match.names)}")
        self.say(f"[dim]kept in {self.journal.path} · type h for help[/]", soft_wrap=True)
        try:
            while not self.match.over:
                self.happen(self.decide())
            self.finish()
        except (Left, KeyboardInterrupt, EOFError):
            self.say(
                f"\nThe game is kept. Go on with: yegg play --resume {self.journal.path}",
                soft_wrap=True,
            )

    def say(self, text: str, *, soft_wrap: bool = False) -> None:
        """Print with markup."""
        self.console.print(text, soft_wrap=soft_wrap)

    def decide(self) -> int:
        """The choice of whoever acts now."""
        actor = self.match.actor
        if actor == CHANCE:
            return self.heard_chance() if self.typed else self.rolled()
        return self.asked(actor) if actor in self.people else self.company.choose(self.match)

    def happen(self, choice: int) -> None:
        """An event: played, on disk, and told."""
        match = self.match
        actor, text, story = match.actor, match.say(choice), told(match, choice)
        heard = news(match, choice, self.viewer)
        discreet = self.past and len({told(match, other) for other in match.choices}) == 1
        match.play(choice)
        self.journal.append(actor, text)
        if self.past:
            self.past.states.append(match.state.copy())
        if self.past and not match.over and actor != self.viewer:
            seen = match.game.words.seen(self.past, len(match.history) - 1, self.viewer)
            if seen != text and not discreet:  # the story would tell what may not be known
                news_tell = hasattr(match.game.words, "news")
                story = "" if seen == "-" or news_tell else f"{name_of(match, actor)}: {seen}"
        for line in filter(None, [story, *heard]):
            self.console.print(f"  {line}", style="dim" if actor == CHANCE else "", markup=False)

    def rolled(self) -> int:
        """Chance by the machine: the operating system's generator, or the seed."""
        if self.seed is None:
            return random.SystemRandom().choice(self.match.choices)
        dice = random.Random(f"{self.seed} {len(self.match.history)}")  # noqa: S311
        return dice.choice(self.match.choices)

    def heard_chance(self) -> int:
        """Chance by the people's own dice and cards."""
        while True:
            words = sorted({text.split()[0] for text in self.match.texts})
            typed = self.typed_line(f"{' or '.join(words)}: what does your table show? ")
            if self.command(typed, -1):
                continue
            try:
                return self.match.guess(typed)
            except Refused as error:
                self.wrong(error)

    def asked(self, seat: int) -> int:
        """A person's choice."""
        self.hand_over(seat)
        self.show(seat)
        while True:
            typed = self.typed_line(f"{self.match.names[seat]} > ")
            if not typed:
                continue
            if self.command(typed, seat):
                continue
            choices = self.match.choices
            if typed.isdecimal() and 1 <= int(typed) <= len(choices):
                return choices[int(typed) - 1]
            try:
                return self.match.guess(typed)
            except Refused as error:
                found = meant(self.match, typed)
                if found is not None:
                    return found
                self.wrong(error)

    def wrong(self, error: Refused) -> None:
        """A typed line that cannot be done: the reason, nothing else changes."""
        self.console.print(f"  {error}", style="yellow", markup=False)

    def hand_over(self, seat: int) -> None:
        """A screen between two people who must not see each other's secrets."""
        if self.past and len(self.people) > 1 and seat != self.last_person:
            self.console.clear()
            self.typed_line(f"Hand the keyboard to {self.match.names[seat]}, who presses Enter. ")
            self.console.clear()
        self.last_person = seat

    def show(self, seat: int, *, with_odds: bool = False) -> None:
        """The position, the question and every choice with its number."""
        self.console.print()
        self.console.print(scene(self.match, seat))
        self.console.print(f"\n[bold]{self.match.names[seat]}:[/] {question(self.match)}")
        lines = []
        for number, (text, choice) in enumerate(self.match.texts.items(), 1):
            chances = odds(self.match, choice) if with_odds else ""
            after = f"  [dim]{chances}[/]" if chances else ""
            lines.append(f"[bold]{number:3}[/] {text}{after}")
        if with_odds and (line := outlook(self.match, seat)):
            self.console.print(f"  {line}", style="dim", markup=False)
        many = len(lines) > 8 and not with_odds
        self.console.print(Columns(lines, padding=(0, 3)) if many else "\n".join(lines))

    def command(self, typed: str, seat: int) -> bool:
        """Whether the line was no choice but a command, now carried out."""
        match typed.split(maxsplit=1):
            case ["?"]:
                self.show(seat, with_odds=True) if seat >= 0 else self.say(HELP)
            case ["!"]:
                self.coached(seat)
            case ["h" | "help"]:
                self.say(HELP)
            case ["q" | "quit"]:
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
            self.say("  [yellow]It is chance's turn: nobody has a choice here.[/]")
            return
        from yegg.cli.advise import show
        from yegg.lab.advise import advise, cold
        from yegg.players.thinking.plan import Plan

        with (
            compiling(self.match.game.title, lambda: cold(self.match)),
            self.console.status("The coach thinks …"),
        ):
            advice = advise(self.match, Plan(seconds=COACH))
        show(self.match, advice, self.console)

    def take_back(self, seat: int) -> None:
        """Undo, as long as nothing has happened since."""
        if seat >= 0 and self.match.undo(seat):
            self.journal.rewrite()
            if self.past:
                self.past = past_of(self.match)
            self.show(seat)
        else:
            self.say("  [yellow]There is nothing to take back: something has happened since.[/]")

    def rules(self, wanted: list[str]) -> None:
        """The clauses that apply now, a clause, or the whole page."""
        from yegg.cli.rules import command

        page = self.match.game.name
        clauses = getattr(self.match.game.words, "clauses", None)
        if not wanted and clauses:
            wanted = [str(number) for number in clauses(self.match.state)]
            self.say("[dim]What applies here; r all shows the whole page:[/]")
        for words in [[page]] if wanted in ([], ["all"]) else [[page, one] for one in wanted]:
            try:
                command.main(words, standalone_mode=False)
            except click.ClickException as error:
                self.console.print(f"  {error.format_message()}", style="yellow", markup=False)

    def typed_line(self, prompt: str) -> str:
        """A line from the keyboard."""
        return self.console.input(prompt, markup=False).strip()

    def finish(self) -> None:
        """The result."""
        match = self.match
        self.console.print()
        self.console.print(scene(match, -2))
        table = Table("place", "", "score", box=None, title="The end", title_justify="left")
        sides = zip(match.places, match.side_names(), match.scores, strict=True)
        for place, name, score in sorted(sides):
            table.add_row(str(place), name, str(score), style="bold" if place == 1 else "")
        self.console.print(table)
        self.say(f"[dim]The record: {self.journal.path}[/]", soft_wrap=True)
