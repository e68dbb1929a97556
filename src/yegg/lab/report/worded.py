"""Findings as people read them: sets of rules are called by what their options do."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from yegg.lab.experiment.findings import Findings

NAMED = ("variant", "left", "right")
"""The fields that hold the name of a variant."""


def worded(found: Findings) -> Findings:
    """The same findings, with each variant called by its options in words.

    What is kept of them, in files and for programs, has the names that the experiment's file has.
    """
    variants = found.experiment.variants
    called = {one.name: one.called for one in variants}
    if len(set(called.values())) < len(called) or all(a == b for a, b in called.items()):
        return found
    experiment = replace(
        found.experiment,
        variants=tuple(replace(one, name=one.called, title="") for one in variants),
        claims=_renamed(found.experiment.claims, called),
    )
    names = (field.name for field in fields(found) if field.name != "experiment")
    told = {name: _renamed(getattr(found, name), called) for name in names}
    return replace(found, experiment=experiment, **told)


def _renamed(value: Any, called: Mapping[str, str], name: str = "") -> Any:
    """Findings whose variants are called otherwise; ``name`` is the field that has the value."""
    if name in NAMED and isinstance(value, str):
        return called.get(value, value)
    if isinstance(value, Mapping):
        return {key: _renamed(one, called) for key, one in value.items()}
    if type(value) in (list, tuple):
        return tuple(_renamed(one, called) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    return replace(
        value, **{f.name: _renamed(getattr(value, f.name), called, f.name) for f in fields(value)}
    )
