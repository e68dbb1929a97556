"""``yegg learn``: the lessons of a game, in the terminal."""

from typing import TYPE_CHECKING

import click
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from yegg import games
from yegg.engine.secrecy import Teller
from yegg.lessons import answer, filled, lessons, minutes
from yegg.lessons.answer import beyond
from yegg.text.phrases import counted
from yegg.text.untrusted import quoted

from .options import optional_game_argument
from .play.terminal import Terminal, choices_of, own_name, scene
from .screen import Screen

if TYPE_CHECKING:
    from yegg.engine import Game, Match
    from yegg.lessons import Lesson

HELP = """Type a choice's number or its words; the beginning of each word is enough.
  b   back a step                      q   leave
  s   skip to the next lesson          r   the rules that apply here; r 23 one clause"""


@click.command()
@optional_game_argument
@click.argument("wanted", metavar="[LESSON]", required=False)
def learn(game: "Game | None", wanted: str | None) -> None:
    """Learn GAME by playing, in a few minutes.

    \b
    yegg learn                  which games can be learnt, and how long it takes
    yegg learn magnate          the lessons of a game
    yegg learn magnate 1        begin with the first

    A teacher shows positions, asks for moves, and answers.  Type as in `yegg play`; `b` goes
    back a step, `s` to the next lesson, `q` leaves.  Nothing is kept.
    """
    screen = Screen()
    if game is None:
        for name in games.names():
            if lessons(games.find(name)):
                screen.print(contents(games.find(name)))
        return
    series = lessons(game)
    if not series:
        raise click.UsageError(f"{game.title} has no lessons; yegg rules {game.name} explains it")
    if wanted is None:
        screen.print(contents(game))
        return
    names = [(str(lesson.number), lesson.key) for lesson in series]
    first = next((n for n, known in enumerate(names) if wanted in known), None)
    if first is None:
        raise click.UsageError(f"there is no lesson {quoted(wanted)}; there are 1 to {len(series)}")
    for lesson in series[first:]:
        if not Teacher(lesson, screen).teach():
            return


def contents(game: "Game") -> Table:
    """The lessons of a game."""
    series = lessons(game)
    title = f"{game.title}: {counted(minutes(series), 'minute')} in all"
    table = Table(title=title, title_justify="left", box=None, show_header=False)
    for lesson in series:
        command = f"yegg learn {game.name} {lesson.number}"
        table.add_row(Text(command, "bold"), lesson.title)
    return table


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
