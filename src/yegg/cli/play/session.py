"""A game that is played in the terminal, event by event."""

import random
import shlex
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from yegg.cli.screen import Screen
from yegg.engine import CHANCE, Failed, Refused
from yegg.engine.notation import Journal
from yegg.engine.secrecy import Heard, Teller
from yegg.engine.typed import choices_of
from yegg.text.phrases import listing

from .seats import USUAL, Sitter, as_typed, known
from .terminal import WHOLE, Left, Terminal, question, scene, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from yegg.engine import Match

    from .seats import Company

COACH = 0.2  # seconds that the coach thinks
TYPED = "Type what your own dice and cards show; ? lists it, u takes the last back."
NOTHING_BACK = "There is nothing to take back: something has happened since."
HELP = """Type a choice's number or its words; the beginning of each word is enough.
  ?   the odds behind each choice      u   take back your own last choice
  !   ask the coach about each choice  q   leave; the game is kept
  r   the rules that apply now; r 23 one clause, r all the whole page"""


class Session(Terminal):
    """Runs a match until it is over or somebody leaves; events are saved before each prompt."""

    command_words = ("quit", "undo", "help", "rules")

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
        super().__init__(Screen())
        self.help_text = f"{HELP}\n{TYPED}" if typed else HELP
        self.match, self.company, self.journal = match, company, journal
        self.seed, self.typed = seed, typed
        self.people = company.people
        self.viewer = self.people[0] if len(self.people) == 1 else -1
        self.teller = Teller(match)
        self.seat = self.last_person = -1
        self.row: list[int] = []  # choices of one typed line that are still to be made
        self.unread: dict[int, list[str]] = {}  # what happened since each had the keyboard

    def run(self) -> None:
        """Play on until the end."""
        title, names = self.match.game.title, ", ".join(self.match.names)
        self.screen.print(Text.assemble((title, "bold"), f" · {names}"))
        self.say(f"kept in {self.journal.path} · type h for help", "dim")
        if self.typed:
            self.say(TYPED, "dim")
        if not self.unless_left(self.play):
            self.say(f"The game is kept. Go on with: {self.go_on()}")

    def play(self) -> bool:
        """Let everybody act in turn, and show how the game ended."""
        while not self.match.over:
            choice = self.decide()
            if choice is not None:
                self.happen(choice)
        self.finish()
        return True

    def go_on(self) -> str:
        """The command that goes on with this game."""
        sitters = self.company.sitters
        command = f"yegg play --resume {shlex.quote(str(self.journal.path))}"
        if sitters != known(self.match.names):  # a person who is called like a bot
            command += f" --seats {shlex.quote(as_typed(sitters))}"
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
        self.tell([self.newest(self.viewer)], match.game, self.viewer, look)

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
        self.screen.print(f"  {question(self.match)}")
        verbs = sorted({text.split()[0] for text in self.match.texts})
        return self.typed_choice(-1, " or ".join(verbs), self.match.guess)

    def asked(self, seat: int) -> int | None:
        """A person's choice; None if something was taken back instead."""
        self.hand_over(seat)
        self.show(seat)
        return self.typed_choice(seat, self.match.names[seat], self.first_of)

    def typed_choice(self, seat: int, prompt: str, meaning: "Callable[[str], int]") -> int | None:
        """The choice that somebody types in the end; None if something was taken back instead."""
        events = len(self.match.history)
        self.seat = seat
        while len(self.match.history) == events:
            choice = self.meant(self.match, prompt, meaning)
            if choice is not None:
                return choice
        return None

    def first_of(self, typed: str) -> int:
        """The first choice that a line means; others follow without being asked for."""
        back, (first, *self.row) = choices_of(self.match, typed)
        for _ in range(back):
            self.match.undo(self.match.actor)
        if back:
            self.journal.rewrite()
        return first

    def hand_over(self, seat: int) -> None:
        """A screen between two people who must not see each other's secrets."""
        if self.match.game.secret and len(self.people) > 1 and seat != self.last_person:
            self.screen.clear()
            self.line(f"Hand the keyboard to {self.match.names[seat]}, who presses Enter. ")
            self.screen.clear()
            for line in self.unread.pop(seat, []):
                self.screen.print(f"  {line}", markup=False)
        self.last_person = seat

    def show(self, seat: int, *, with_odds: bool = False) -> None:
        """The position, the question and every choice with its number."""
        self.screen.print()
        self.screen.print(scene(self.match, seat))
        self.screen.print()
        self.offer(self.match, self.match.names[seat], with_odds=with_odds)

    def show_chance(self) -> None:
        """Print everything that dice and cards can show now, and other words for it."""
        match = self.match
        self.screen.print(Columns(list(match.texts), padding=(0, 3)))
        for alias, text in match.synonyms().items():
            self.screen.print(f"  {alias} means {text}", style="dim")

    def command(self, typed: str) -> bool:
        """Carry out the line if it is a command; whether it was one."""
        match typed:
            case "?":
                self.show(self.seat, with_odds=True) if self.seat >= 0 else self.show_chance()
            case "!":
                self.coached(self.seat)
            case "u" | "undo":
                self.take_back(self.seat)
            case _:
                return super().command(typed)
        return True

    def coached(self, seat: int) -> None:
        """What each choice is worth, by what the seat may know."""
        if seat < 0:
            self.say("  Dice or cards come next, so nobody has a choice to make.", "yellow")
            return
        from yegg.cli.coach import choices_table
        from yegg.coach.advice import advise, first_sight
        from yegg.players.thinking.plan import Plan

        if self.company.coach_ready():
            with self.screen.status("The coach thinks …"):
                advice = advise(self.match, Plan(seconds=COACH))
        else:
            advice = first_sight(self.match)
        self.screen.print(choices_table(self.match, advice))

    def take_back(self, seat: int) -> None:
        """Take back what was typed last, if that is possible, with everything after it."""
        match = self.match
        keep = self.back_to(seat)
        if keep is None:
            self.say(f"  {NOTHING_BACK}", "yellow")
            return
        again = match.again()
        again.follow(match.history[:keep])
        actor = match.actors[keep]
        taken = "Chance" if actor == CHANCE else match.names[actor], again.say(match.history[keep])
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
        clauses = self.match.game.voice.clauses(self.match.state)
        if not wanted and clauses:
            wanted = clauses
            self.say("These rules apply here; r all shows the whole page:", "dim")
        self.print_rules(self.match.game, [] if wanted == ["all"] else wanted)

    def finish(self) -> None:
        """Show how the game ended."""
        match = self.match
        self.screen.print()
        self.screen.print(scene(match, WHOLE))
        table = Table("place", "", "score", box=None)
        sides = sorted(zip(match.places, match.side_names(), match.scores, strict=True))
        for place, name, score in sides:
            table.add_row(str(place), name, str(score), style="bold" if place == 1 else "")
        best = [name for place, name, _ in sides if place == 1]
        self.screen.print()
        self.say(f"{listing(best)} {'wins' if len(best) == 1 else 'are tied for first'}.", "bold")
        self.screen.print(table)
        self.say(f"The record: {self.journal.path}", "dim")
        file = shlex.quote(str(self.journal.path))
        self.say(f"Look back on it with: yegg review {file}", "dim")
