"""``yegg learn``: the lessons of a game, in the terminal."""

from typing import TYPE_CHECKING

import click
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from yegg.engine import CHANCE, Refused
from yegg.text.phrases import counted
from yegg.text.untrusted import quoted

from .arguments import GameName
from .screen import Screen

if TYPE_CHECKING:
    from yegg.engine import Game, Match
    from yegg.lessons import Answer, Lesson

HELP = """Type a choice's number or its words; the beginning of each word is enough.
  b   back a step                      q   leave
  s   skip to the next lesson          r   the rules that apply here; r 23 one clause"""

COMMANDS = ("quit", "back", "undo", "skip", "help", "rules")


@click.command()
@click.argument("game", type=GameName(), required=False, is_eager=True)
@click.argument("wanted", metavar="[LESSON]", required=False)
def command(game: "Game | None", wanted: str | None) -> None:
    """Learn GAME by playing, in a few minutes.

    \b
    yegg learn                  which games can be learnt, and how long it takes
    yegg learn magnate          the lessons of a game
    yegg learn magnate 1        begin with the first

    A teacher shows positions, asks for moves, and answers.  Type as in `yegg play`; `b` goes
    back a step, `s` to the next lesson, `q` leaves.  Nothing is kept.
    """
    from yegg import games
    from yegg.lessons import lessons

    screen = Screen()
    if game is None:
        for name in games.names():
            if lessons(games.find(name)):
                screen.print(contents(games.find(name)))
        return
    there = lessons(game)
    if not there:
        raise click.UsageError(f"{game.title} has no lessons; yegg rules {game.name} explains it")
    if wanted is None:
        screen.print(contents(game))
        return
    chosen = [one for one in there if wanted in (str(one.number), one.key)]
    if not chosen:
        raise click.UsageError(f"there is no lesson {quoted(wanted)}; there are 1 to {len(there)}")
    for lesson in there[there.index(chosen[0]) :]:
        if not Teacher(lesson, screen).teach():
            return


def contents(game: "Game") -> Table:
    """The lessons of a game."""
    from yegg.lessons import lessons, minutes

    there = lessons(game)
    title = f"{game.title}: {counted(minutes(there), 'minute')} in all"
    table = Table(title=title, title_justify="left", box=None, show_header=False)
    for lesson in there:
        command = f"yegg learn {game.name} {lesson.number}"
        table.add_row(Text(command, "bold"), lesson.title)
    return table


class Left(Exception):
    """The learner leaves the lesson."""


class Teacher:
    """One lesson in the terminal."""

    def __init__(self, lesson: "Lesson", screen: Screen) -> None:
        """It begins with `teach`."""
        from .seats import sitter

        self.lesson, self.screen = lesson, screen
        self.names = lesson.called(sitter("you").name)
        self.step = 0

    def teach(self) -> bool:
        """Go through the lesson; whether the learner goes on to the next one."""
        title = self.lesson.game.title
        head = (f"{title}, lesson {self.lesson.number}", "bold")
        self.screen.print(Text.assemble(head, f": {self.lesson.title}"))
        self.screen.print("type h for help", style="dim")
        try:
            while self.step < len(self.lesson.steps) - 1:
                self.show()
                step = self.step
                while self.step == step:
                    self.heard()
            self.show()
            return self.ended()
        except (Left, KeyboardInterrupt, EOFError):
            self.screen.print()
            return False

    def position(self) -> "Match":
        """The game at this step, with the learner's name."""
        match = self.lesson.position(self.lesson.steps[self.step].at)
        match.names = self.names
        return match

    def show(self) -> None:
        """The position, and what the teacher says to it."""
        from yegg.lessons import filled

        from .scene import scene

        here, match = self.lesson.steps[self.step], self.position()
        self.screen.print()
        self.screen.print(scene(match, 0))
        self.say(filled(here.says, match), here.clauses)

    def say(self, words: str, clauses: list[str] | None = None) -> None:
        """Print what the teacher says."""
        said = Text(words, "yellow")
        if clauses:
            said.append(f" ({', '.join(clauses)})", "dim")
        self.screen.print()
        self.screen.print(Padding(said, (0, 4, 0, 2)))
        self.screen.print()

    def heard(self) -> None:
        """Read one line, and do what it says."""
        from .scene import meanings, numbered, question
        from .several import example

        match = self.position()
        waits = self.lesson.wanted(self.step) is not None
        if waits:
            self.screen.print(Text.assemble((f"{self.names[0]}:", "bold"), f" {question(match)}"))
            if line := example(match):
                self.screen.print(line, style="dim")
            self.screen.print(numbered(match))
        prompt = f"{self.names[0]} > " if waits else "Enter goes on > "
        typed = self.screen.input(prompt, markup=False, emoji=False).strip()
        if waits and (several := meanings(typed, match, COMMANDS)):
            self.screen.print(f"  {several}", style="yellow")
            return
        if self.command(typed) or (waits and not typed):
            return
        if typed and not waits:
            self.screen.print("  Nothing is to be chosen here: press Enter.", style="yellow")
            return
        try:
            self.answered(match, self.texts(match, typed) if waits else [])
        except Refused as error:
            self.screen.print(f"  {error}", style="yellow")

    def command(self, typed: str) -> bool:
        """Carry out the line if it is a command; whether it was one."""
        match typed.split(maxsplit=1):
            case ["q" | "quit" | "exit"]:
                raise Left
            case ["b" | "back" | "u" | "undo"]:
                self.step = max(0, self.step - 1)
                self.show()
            case ["s" | "skip"]:
                self.step = len(self.lesson.steps) - 1
            case ["h" | "help"]:
                self.screen.print(HELP)
            case ["r" | "rules", *clause]:
                self.rules(clause)
            case _:
                return False
        return True

    def rules(self, clause: list[str]) -> None:
        """Print one clause, or those that apply here."""
        from .rules import command

        game, match = self.lesson.game, self.position()
        for one in clause or game.voice.clauses(match.state):
            try:
                command.main([game.name, str(one)], standalone_mode=False)
            except click.ClickException as error:
                self.screen.print(f"  {error.format_message()}", style="yellow")

    def texts(self, match: "Match", typed: str) -> list[str]:
        """The choices that a line means, in the words of the record.  Raises Refused."""
        from .several import several

        here = self.lesson.steps[self.step]
        plain = " ".join(typed.lower().split())
        if plain in here.replies:  # it may be a choice that is not possible
            return [plain]
        listed = list(match.texts)
        if typed.isdecimal() and 1 <= int(typed[:9]) <= len(listed):
            return [listed[int(typed[:9]) - 1]]
        row = several(match, typed)
        if row is None:
            return [match.say(match.guess(typed))]
        said, twin = [], match.fork()
        for choice in row[1]:
            said.append(twin.say(choice))
            twin.play(choice)
        return said

    def answered(self, match: "Match", texts: list[str]) -> None:
        """Go on, or print the teacher's reply."""
        from yegg.lessons import answer
        from yegg.lessons.answer import beyond

        said: Answer = answer(self.lesson, self.step, texts)
        if said.step != self.step:
            there = self.lesson.position(self.lesson.steps[said.step].at)
            self.tell(there, len(match.history))
            self.step = said.step
            return
        self.say(said.says)
        if said.see:
            self.screen.print("  It would have gone like this:", style="dim")
            self.tell(beyond(match, said.see)[-1], len(match.history))
            self.screen.print()

    def tell(self, there: "Match", before: int) -> None:
        """Print what has happened since so many events."""
        from yegg.engine.secrecy import Teller

        from .scene import told

        events = len(there.history) - before
        heard = Teller(there).hear(there, 0, events, lambda _: self.names) if events else []
        for one in heard:
            for line in told(one, there.game, own=one.actor == 0):
                self.screen.print(f"  {line}", style="dim" if one.actor == CHANCE else "")

    def ended(self) -> bool:
        """Offer what comes next; whether it is the next lesson."""
        from yegg.lessons import lessons

        there = lessons(self.lesson.game)
        after = there[there.index(self.lesson) + 1 :]
        if self.lesson.play or not after:
            seats = ",".join(["you", *self.lesson.play])
            seats = f" --seats {seats}" if self.lesson.play else ""
            self.screen.print(f"Play now: yegg play {self.lesson.game.name}{seats}", style="dim")
        if not after:
            return False
        prompt = f"Enter goes on to lesson {after[0].number}, {after[0].title}; q leaves > "
        return not self.screen.input(prompt, markup=False, emoji=False).strip().startswith("q")
