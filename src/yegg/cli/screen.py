"""A console of Rich that prints text as it is: no markup, no control characters."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from yegg.text.untrusted import shown

NARROWEST, USUAL, WIDEST = 20, 80, 1000  # columns


class Screen(Console):
    """A console that prints text as it is: no markup, no emoji codes, no escape sequences.

    Styled text is written with Rich's `Text`.  Names of players, cards and files come from
    anybody, so everything that Rich prints goes through `render`.
    """

    def __init__(self, **more: Any) -> None:
        """``more``: as for Rich's own console."""
        super().__init__(markup=False, emoji=False, highlight=False, **more)
        if not NARROWEST <= self.width <= WIDEST:  # COLUMNS says so; 0 means that nobody knows
            self.width = min(max(self.width or USUAL, NARROWEST), WIDEST)

    def render_str(self, text: str, **more: Any) -> Text:
        """As Rich does, after control characters have become signs that have a width."""
        return super().render_str(shown(text), **more)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """As Rich does; a character that would control the terminal is shown as a sign."""
        for segment in super().render(renderable, options):
            clean = segment.control or segment.text.isprintable()
            yield segment if clean else Segment(shown(segment.text), segment.style)
