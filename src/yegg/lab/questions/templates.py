"""Templates of sentences: words with holes for figures, ``{left}`` or ``{tied @ four}``.

A hole is one of the figures that an answer has by itself, or a measure.  Where they are not the
usual ones, the variant and the level of players follow: ``{tied @ four @ uniform}``.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from yegg.engine import Refused
from yegg.lab.experiment.schema import Experiment
from yegg.text.phrases import offered

HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Hole:
    """What stands in braces."""

    name: str
    variant: str = ""
    level: str = ""

    def check(self, experiment: Experiment, own: Collection[str]) -> None:
        """Raises Refused if there is nothing to be put here; ``own`` needs no measure."""
        if self.name in own and not self.variant:
            return
        variants = [variant.name for variant in experiment.variants]
        for said, there in (
            (self.name, [*own, *experiment.measures]),
            (self.variant or variants[0], variants),
            (self.level or next(iter(experiment.samples)), list(experiment.samples)),
        ):
            if said not in there:
                raise Refused(f"answer: {{{self}}}: {offered(said, there)}")

    def __str__(self) -> str:
        return " @ ".join(filter(None, (self.name, self.variant, self.level)))


def holes(template: str) -> list[Hole]:
    """The holes of a template, in order."""
    return [_hole(said) for said in HOLE.findall(template)]


def checked(template: str) -> None:
    """Raises Refused where braces do not pair, or a hole has more than its three parts."""
    if left := set("{}") & set(HOLE.sub("", template)):
        raise Refused(f"answer: {template!r} has a {min(left)} alone; a hole is written {{margin}}")
    for said in HOLE.findall(template):
        if said.count("@") > 2:
            raise Refused(f"answer: {{{said}}} has more than {{measure @ rules @ players}}")


def fill(template: str, what: Callable[[Hole], str]) -> str:
    """A template with something in each of its holes."""
    return HOLE.sub(lambda found: what(_hole(found[1])), template)


def _hole(said: str) -> Hole:
    """``measure``, ``measure @ variant`` or ``measure @ variant @ level``."""
    name, variant, level, *_ = *map(str.strip, said.split("@")), "", ""
    return Hole(name, variant, level)
