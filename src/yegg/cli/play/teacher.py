"""A lesson in the terminal: the teacher shows positions, asks for moves, and answers."""

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from yegg.cli.screen import Screen
from yegg.engine.secrecy import Teller
from yegg.engine.typed import choices_of
from yegg.lessons import answer, filled, lessons
from yegg.lessons.answer import beyond

from .terminal import Terminal, own_name, scene

if TYPE_CHECKING:
    from yegg.engine import Match
    from yegg.lessons import Lesson

HELP = """Type a choice's number or its words; the beginning of each word is enough.
  b   back a step                      q   leave
  s   skip to the lesson's end         r   the rules that apply here; r 23 one clause"""


class Teacher(Terminal):
    """One lesson in the terminal."""

    help_text = HELP
    command_words = ("quit", "back", "undo", "skip", "help", "rules")

    def __init__(self, lesson: "Lesson", screen: Screen) -> None:
        """It begins with `teach`."""
        super().__init__(screen)
        self.lesson = lesson
        self.names = lesson.called(own_name())
        self.step = 0

    def teach(self) -> bool:
        """Go through the lesson; whether the learner goes on to the next one."""
        head = f"{self.lesson.game.title}, lesson {self.lesson.number}"
        self.screen.print(Text.assemble((head, "bold"), f": {self.lesson.title}"))
        self.screen.print("type h for help", style="dim")
        return self.unless_left(self.play)

    def play(self) -> bool:
        """One step after the other; whether the learner goes on to the next lesson."""
        while self.step < len(self.lesson.steps) - 1:
            self.show()
            step = self.step
            while self.step == step:
                self.heard()
        self.show()
        return self.finish()

    def position(self) -> "Match":
        """The game at this step, with the learner's name."""
        match = self.lesson.position(self.lesson.steps[self.step].at)
        match.names = self.names
        return match

    def show(self) -> None:
        """The position, and what the teacher says to it."""
        here, match = self.lesson.steps[self.step], self.position()
        self.screen.print()
        self.screen.print(scene(match, 0))
        self.speak(filled(here.says, match), here.clauses)

    def speak(self, words: str, clauses: list[str] | None = None) -> None:
        """Print what the teacher says."""
        text = Text(words, "yellow")
        if clauses:
            text.append(f" ({', '.join(clauses)})", "dim")
        self.screen.print()
        self.screen.print(Padding(text, (0, 4, 0, 2)))
        self.screen.print()

    def heard(self) -> None:
        """Read one line, and do what it says."""
        match = self.position()
        if self.lesson.wanted(self.step) is None:
            typed = self.line("Enter goes on > ")
            if not typed:
                self.answered(match, [])
            elif not self.command(typed):
                self.wrong("Nothing is to be chosen here: press Enter.")
            return
        self.offer(match, self.names[0])
        self.meant(
            match, self.names[0], lambda typed: self.answered(match, self.texts(match, typed))
        )

    def command(self, typed: str) -> bool:
        """Carry out the line if it is a command; whether it was one."""
        match typed:
            case "b" | "back" | "u" | "undo":
                self.step = max(0, self.step - 1)
                self.show()
            case "s" | "skip":
                self.step = len(self.lesson.steps) - 1
            case _:
                return super().command(typed)
        return True

    def rules(self, wanted: list[str]) -> None:
        """Print one clause, or those that apply here."""
        game = self.lesson.game
        if wanted := wanted or game.voice.clauses(self.position().state):
            self.print_rules(game, wanted)

    def texts(self, match: "Match", typed: str) -> list[str]:
        """The choices that a line means, in the words of the record.  Raises Refused."""
        plain = " ".join(typed.lower().split())
        if plain in self.lesson.steps[self.step].replies:  # it may not be possible
            return [plain]
        texts, twin = [], match.fork()
        for choice in choices_of(match, typed)[1]:
            texts.append(twin.say(choice))
            twin.play(choice)
        return texts

    def answered(self, match: "Match", texts: list[str]) -> None:
        """Go on, or print the teacher's reply."""
        reply = answer(self.lesson, self.step, texts)
        if reply.step != self.step:
            then = self.lesson.position(self.lesson.steps[reply.step].at)
            self.tell_since(then, len(match.history))
            self.step = reply.step
            return
        self.speak(reply.says)
        if reply.see:
            self.screen.print("  It would have gone like this:", style="dim")
            self.tell_since(beyond(match, reply.see)[-1], len(match.history))
            self.screen.print()

    def tell_since(self, match: "Match", before: int) -> None:
        """Print what has happened since so many events."""
        events = len(match.history) - before
        heard = Teller(match).hear(match, 0, events, lambda _: self.names) if events else []
        self.tell(heard, match.game, 0)

    def finish(self) -> bool:
        """Offer what comes next; whether it is the next lesson."""
        series = lessons(self.lesson.game)
        after = series[series.index(self.lesson) + 1 :]
        if self.lesson.play or not after:
            seats = ",".join(["you", *self.lesson.play])
            seats = f" --seats {seats}" if self.lesson.play else ""
            self.screen.print(f"Play now: yegg play {self.lesson.game.name}{seats}", style="dim")
        if not after:
            return False
        prompt = f"Enter goes on to lesson {after[0].number}, {after[0].title}; q leaves > "
        return not self.line(prompt).startswith("q")
