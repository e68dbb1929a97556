"""Tables and sentences in a terminal: no interval is broken, however narrow it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from yegg.stats.intervals import Figure, Section, unbroken
from yegg.text.phrases import grouped
from yegg.text.untrusted import shown

GLUE = "\ue000"  # of private use: in its place stands a space at which no line breaks
BETWEEN = 2  # columns of space
NAMES, LEAST = 22, 10  # columns that the names of rows and other words get, if they are as long


@dataclass(frozen=True)
class Prose:
    """A sentence whose figures stay on a line, each with its interval."""

    said: str
    style: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Its lines."""
        glued = unbroken(shown(self.said), GLUE)
        for line in Text(glued).wrap(console, options.max_width):
            yield Text(line.plain.replace(GLUE, " ").rstrip(), self.style)


def table(section: Section) -> RenderableType:
    """A section as a table, with its title above it and its note below."""
    return _Fitted(section)


@dataclass(frozen=True)
class _Fitted:
    """A table that breaks no figure: what does not fit beside the rest stands in a table below."""

    section: Section

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, or several with the same first column."""
        section = self.section
        if section.title:
            yield Text(f"\n{section.title}", "italic")
        rows = [[shown(_cell(cell)) for cell in row] for row in section.rows]
        for at, columns in enumerate(self._parts(rows, options.max_width)):
            if at:
                yield Text("")
            yield self._drawn(rows, columns)
        if section.note:
            for line in section.note.split("\n"):
                yield Prose(line, "dim italic")

    def _is_figure(self, column: int) -> bool:
        """Whether a column holds figures, which are not broken."""
        cells = [row[column] for row in self.section.rows if column < len(row)]
        return any(isinstance(cell, Figure | dict | int | float) for cell in cells)

    def _least(self, rows: Sequence[Sequence[str]], column: int) -> int:
        """How wide a column must be."""
        cells = [row[column] for row in rows if column < len(row)]
        head = max(map(cell_len, self.section.columns[column].split()), default=0)
        if self._is_figure(column):
            return max(head, *map(cell_len, cells))
        longest = max(map(cell_len, cells), default=0)
        return max(head, min(NAMES if column == 0 else LEAST, longest))

    def _parts(self, rows: Sequence[Sequence[str]], width: int) -> Iterator[list[int]]:
        """The columns of each table: as many as fit, always with the names of its rows."""
        every = range(len(self.section.columns))
        least = [self._least(rows, column) + BETWEEN for column in every]
        names = next((column for column in every if self._is_figure(column)), 1) or 1
        if sum(least[:names]) > width // 2:
            names = 1
        part = list(range(names))
        for column in every[names:]:
            if sum(least[one] for one in (*part, column)) > width + BETWEEN and len(part) > names:
                yield part
                part = list(range(names))
            part.append(column)
        yield part

    def _drawn(self, rows: Sequence[Sequence[str]], columns: Sequence[int]) -> Table:
        grid = Table(box=None, padding=(0, BETWEEN, 0, 0))
        for column in columns:
            figures, least = self._is_figure(column), self._least(rows, column)
            head = self.section.columns[column]
            grid.add_column(
                Text("\n".join(wrap(head, max(least, 1))) if figures else head),
                justify="right" if column else "left",
                overflow="fold",
                no_wrap=figures,
                min_width=least if figures else min(least, LEAST),
            )
        for row in rows:
            grid.add_row(*(Text(row[column]) for column in columns))  # never read as markup
        return grid


def _cell(cell: object) -> str:
    """A cell of a table in words; a mapping has its own, as ``text``."""
    if isinstance(cell, dict):
        cell = cell["text"]
    if isinstance(cell, int):
        return grouped(cell)
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
