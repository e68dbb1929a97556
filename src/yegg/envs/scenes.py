"""What environments show people: the terminal's scene as text, or as a picture."""

import io
import sys
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Refused

from .single import WIDE, Single

MODES = ["ansi", "human", "rgb_array"]
"""The values that ``render_mode`` can have beside None."""
LINES = 40  # of a picture: more than any scene of the four games has
LACKING = (
    'pictures need pillow and resvg-py: install yegg with its extra `gym` (pip install "yegg[gym]")'
)
PIXELS = 800  # the width of a picture
Picture = NDArray[np.uint8]
"""(height, width, 3): red, green and blue."""


def check(mode: str | None) -> str | None:
    """The render mode, if there is one of this name.  Raises Refused."""
    if mode is not None and mode not in MODES:
        raise Refused(f"render_mode can be {', '.join(MODES)} or None, not {mode!r}")
    return mode


def show(single: Single, seat: int, mode: str | None) -> str | Picture | None:
    """The position as a seat may know it (-1: a spectator); by "human" it is printed."""
    if mode is None:
        import gymnasium

        gymnasium.logger.warn("render does nothing: no render_mode was given")
        return None
    if mode == "rgb_array":
        return picture(single.scene(seat))
    text = single.scene_text(seat, colour=mode == "ansi" or sys.stdout.isatty())
    if mode == "ansi":
        return text
    sys.stdout.write(text)
    return None


def picture(scene: Any) -> Picture:
    """A scene as `LINES` lines of a terminal; all pictures have one size.

    Raises Refused where a library or every font is missing.
    """
    if not _font():
        raise Refused("pictures need a font, and there is none here: install DejaVu or another")
    return _drawn(_svg(scene))


def _svg(scene: Any) -> str:
    """A scene as an SVG picture of a terminal."""
    from rich.console import Console
    from rich.segment import Segment, Segments

    page = Console(
        file=io.StringIO(), width=WIDE, record=True, force_terminal=True, color_system="truecolor"
    )
    lines = Segment.set_shape(page.render_lines(scene), WIDE, LINES)
    page.print(Segments([one for line in lines for one in (*line, Segment.line())]), end="")
    return page.export_svg(title="yegg")


def _drawn(svg: str) -> Picture:
    """An SVG picture as numbers."""
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError:
        raise Refused(LACKING) from None
    with Image.open(io.BytesIO(bytes(svg_to_bytes(svg, width=PIXELS)))) as image:
        return np.array(image.convert("RGB"))


@cache
def _font() -> bool:
    """Whether there is a font to write with."""
    letter = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    text = '<text y="15" fill="red" font-family="monospace">M</text>'
    return bool((_drawn(letter.format(text)) != _drawn(letter.format(""))).any())
