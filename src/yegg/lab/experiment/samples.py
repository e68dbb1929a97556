"""How many deals each level of players plays, and whether it may stop before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yegg.engine import Refused
from yegg.lab.toml_files import whole
from yegg.text.phrases import offered

USUAL_DEALS = 2000
UNTIL = ("clear", "equal")
CORRECTIONS = ("holm", "bh", "e-bh")


@dataclass(frozen=True)
class Sample:
    """A level's sample."""

    deals: int
    """At most."""
    until: str = ""
    """``clear``: it ends once all claims are; ``equal``: or equal within their margins."""


def sampled(given: Any, levels: Sequence[str]) -> dict[str, Sample]:
    """A file's ``[sample]``, level by level.  Raises Refused."""
    if not isinstance(given, dict):
        raise Refused("sample is a table of keys and values")
    for name in given:
        if name not in {"deals", *levels}:
            raise Refused(f"sample.{name}: {offered(name, ['deals', *levels])}")
    usual = _sample(given.get("deals", USUAL_DEALS), "deals")
    return {level: _sample(given[level], level) if level in given else usual for level in levels}


def _sample(given: Any, name: str) -> Sample:
    """A number of deals, or how many at most and until when."""
    if not isinstance(given, dict):
        return Sample(whole(given, f"sample.{name}", 1))
    for key in given:
        if key not in {"at-most", "until"}:
            raise Refused(f"sample.{name} has no key {key!r}; {offered(key, ['at-most', 'until'])}")
    until = given.get("until", "")
    if until not in UNTIL:
        raise Refused(f"sample.{name}.until = {until!r}: {offered(str(until), UNTIL)}")
    return Sample(whole(given.get("at-most", USUAL_DEALS), f"sample.{name}.at-most", 1), until)


def corrected_by(data: Mapping[str, Any]) -> str:
    """How many claims at once are corrected: a file's ``correction``.  Raises Refused."""
    said = data.get("correction", "holm")
    if said not in CORRECTIONS:
        raise Refused(f"correction = {said!r}: {offered(str(said), CORRECTIONS)}")
    return str(said)
