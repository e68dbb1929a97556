"""A puzzle in the terminal: the position, the question, and what the choice was worth."""

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from yegg.cli.screen import Screen
from yegg.coach.advice import praise, sentence
from yegg.engine.typed import choices_of
from yegg.lessons import verdict
from yegg.lessons.puzzle import HARDEST
from yegg.text.phrases import listing, percent

from .terminal import Terminal, own_name, scene

if TYPE_CHECKING:
    from yegg.engine import Match
    from yegg.lessons import Puzzle, Verdict

HELP = """Type a choice's number or its words; the beginning of each word is enough.
  s   skip to the next puzzle          q   leave
  r   the rules that apply here; r 23 one clause"""


class Puzzler(Terminal):
    """One puzzle in the terminal."""

    help_text = HELP
    command_words = ("quit", "skip", "help", "rules")

    def __init__(self, puzzle: "Puzzle", screen: Screen) -> None:
        """It begins with `ask`."""
        super().__init__(screen)
        self.puzzle = puzzle
        self.names = puzzle.called(own_name())
        self.answered = False

    def ask(self) -> bool:
        """Ask the question until it is answered; whether somebody wants the next puzzle."""
        puzzle = self.puzzle
        head, hard = f"{puzzle.game.title}, puzzle {puzzle.number}", puzzle.difficulty
        self.screen.print(Text.assemble((head, "bold"), f": difficulty {hard} of {HARDEST}"))
        self.screen.print("type h for help", style="dim")
        return self.unless_left(self.play)

    def play(self) -> bool:
        """Show the position, and read lines until one is an answer."""
        match = self.position()
        self.screen.print()
        self.screen.print(scene(match, self.puzzle.seat))
        self.screen.print(Text("\n  What would you do?\n", "yellow"))
        while not self.answered:
            self.offer(match, self.names[self.puzzle.seat])
            self.meant(
                match,
                self.names[self.puzzle.seat],
                lambda typed: self.judge(match.say(choices_of(match, typed)[1][0])),
            )
        return not self.line("Enter goes on to the next puzzle; q leaves > ").startswith("q")

    def position(self) -> "Match":
        """The position, with the reader's name."""
        match = self.puzzle.decision
        match.names = self.names
        return match

    def command(self, typed: str) -> bool:
        """Carry out the line if it is a command; whether it was one."""
        if typed in ("s", "skip"):
            self.answered = True
            return True
        return super().command(typed)

    def rules(self, wanted: list[str]) -> None:
        """Print one clause, or those that apply here."""
        game = self.puzzle.game
        if wanted := wanted or game.voice.clauses(self.position().state):
            self.print_rules(game, wanted)

    def judge(self, text: str) -> None:
        """Print what a choice was worth."""
        if said := verdict(self.puzzle, text):
            self.answered = True
            self.speak(said)

    def speak(self, said: "Verdict") -> None:
        """Print whether a choice was right, both chances, and what speaks for the best."""
        best, beside, chosen = said.best.text, said.beside.text, said.chosen.text
        if said.right:
            words = "the best choice" if chosen == best else "as good as the best choice"
            why = f"{best}: {praise(beside, said.why, '', alike=False)}"
        else:
            words, why = "there is a better choice", sentence(best, said.cost, "", speaks=said.why)
        lines = [Text(f"{chosen}: {words}.", "bold yellow"), Text(f"{why}.", "yellow")]
        for one in (said.best, said.beside):
            span = f"({100 * one.low:.0f} to {percent(one.high)})"
            lines.append(Text.assemble(f"{one.text} wins {percent(one.value)} ", (span, "dim")))
        if also := [text for text in self.puzzle.right if text not in (best, chosen)]:
            lines.append(Text(f"As good as {best}: {listing(also)}."))
        self.screen.print()
        for line in lines:
            self.screen.print(Padding(line, (0, 4, 0, 2)))
        self.screen.print()
