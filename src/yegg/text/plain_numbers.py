"""Numbers as a plain sentence has them, in reports and in answers."""

from collections.abc import Sequence


def margin_in_words(margin: float, *, share: bool) -> str:
    """What a difference may be and not matter: ``3 points``, ``0.5``."""
    return points(margin, share=True) if share else f"{margin:g}"


def points(value: float, *, share: bool) -> str:
    """A difference in plain words: ``23 points``, or in the measure's own unit ``1.4``."""
    if not share:
        return plain(value, share=False)
    said = f"{value * 100:.{0 if value >= 0.0995 else 1}f}".removesuffix(".0")
    return f"{said} point" + ("" if said == "1" else "s")


def plain(value: float, *, share: bool, more: int = 0) -> str:
    """A number as a plain sentence has it; ``more`` digits tell it from another one.

    A share that is nothing or everything is a word: ``none``, ``hardly any``, ``all``.
    """
    if share and not 0.0005 <= value <= 0.9995:
        some = "none" if not value else "hardly any"
        return some if value < 0.5 else "all" if value == 1 else "nearly all"
    if share:
        usual = 0 if 0.0995 <= value <= 0.9005 else 1
        return f"{value * 100:.{usual + more}f} %"
    usual = 0 if abs(value) >= 20 else 1 if abs(value) >= 2 else 2
    return f"{value:.{usual + more}f}"


def told_apart(values: Sequence[float], *, share: bool, differ: bool) -> list[str]:
    """Values, with a digit more where they would read alike though they are not equal."""
    written = [plain(value, share=share) for value in values]
    if differ and len(set(written)) < len(set(values)):
        written = [plain(value, share=share, more=1) for value in values]
    return written
