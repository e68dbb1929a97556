"""The terminal as everything here prints to it."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from yegg.outside import shown


class Screen(Console):
    """A console for which text is text: no markup, no codes of pictures, no escape sequences.

    What has a style is said with Rich's `Text`.  Names of players, cards and files come from
    anybody, and whatever Rich renders of them goes through `render`.
    """

    def __init__(self, **more: Any) -> None:
        """As Rich's own."""
        super().__init__(markup=False, emoji=False, highlight=False, **more)

    def render_str(self, text: str, **more: Any) -> Text:
        """As Rich does; what is shown has its width before it is laid out."""
        return super().render_str(shown(text), **more)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """As Rich does; what would steer the terminal is shown as a picture of itself."""
        for segment in super().render(renderable, options):
            clean = segment.control or segment.text.isprintable()
            yield segment if clean else Segment(shown(segment.text), segment.style)
