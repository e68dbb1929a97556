"""Writes an experiment as a file, as people would."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from yegg.engine import Game, Refused


def written(
    game: Game,
    *,
    vary: Mapping[str, Sequence[object]],
    bots: Sequence[object],
    deals: int,
    seed: int,
    question: str = "",
    options: Mapping[str, str] | None = None,
    rules: Sequence[Mapping[str, object]] = (),
    players: int | None = None,
    measure: Mapping[str, Any] | None = None,
    claims: Sequence[Mapping[str, Any]] = (),
    habits: Sequence[Mapping[str, Any]] = (),
) -> str:
    """An experiment as a file; ``options`` hold in all variants, or there are several ``rules``."""
    varied = ", ".join(f"{name} = {' or '.join(map(str, values))}" for name, values in vary.items())
    usual = f"What changes with {varied}?" if vary else f"How does {game.title} go?"
    first = {"question": question or usual, "game": game.name, "seed": seed}
    lines = [f"{key} = {_toml(value)}" for key, value in first.items()]
    lines += [f"players = {players}"] if players else []
    lines.append(f"bots = {_toml(list(bots))}")
    rules = rules or ([dict(options)] if options else [])
    if vary or rules:
        lines += ["", "[vary]"]
        lines += [f"rules = {_toml(list(rules))}"] if rules else []
        lines += [f"{_toml(name)} = {_toml([str(v) for v in vs])}" for name, vs in vary.items()]
    lines += ["", "[sample]", f"deals = {deals}"]
    if measure:
        lines += ["", "[measure]"]
        lines += [f"{_toml(name)} = {_toml(said)}" for name, said in measure.items()]
    for head, entries in (("habit", habits), ("claim", claims)):
        for entry in entries:
            lines += ["", f"[[{head}]]"]
            lines += [f"{_toml(name)} = {_toml(said)}" for name, said in entry.items()]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    raise Refused(f"an experiment holds texts, numbers, lists and tables, not {value!r}")
