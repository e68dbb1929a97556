"""The content of a report as data, from which the page and the Markdown are written."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import yegg
from yegg.engine import Game
from yegg.lab.analyses import seat_trends
from yegg.lab.experiment.findings import Findings, as_data
from yegg.lab.plots import Panel
from yegg.stats.intervals import Figure, Section, as_value, p_text
from yegg.stats.sequential_tests import holm
from yegg.text.phrases import capital, counted, listing

from .narrative import (
    answer,
    by_claim,
    described,
    finding,
    headline,
    limits,
    title,
    who,
)
from .panels import grouped

FILE = "experiment.toml"


def sheet(found: Findings, drawn: Sequence[Panel]) -> dict[str, Any]:
    """The content of a report; docs/lab.md describes the keys."""
    experiment = found.experiment
    players = sorted({variant.players for variant in experiment.variants})
    return {
        **as_data(found),
        "title": experiment.game.title,
        "players": _how_many(players),
        "answer": answer(found),
        "meta": _meta(found),
        "findings": _findings(found),
        "plots": [
            {"key": panel.key, "title": panel.title, "says": panel.says, **_table(panel.table)}
            for panel in drawn
        ],
        "by_seat": [
            {"title": one.title, **_table(replace(one, title=f"{capital(one.note)}."))}
            for one in seat_trends.sections(found.seats, found.trends)
        ],
        "tested": _table(_claims(found)),
        "compared": _table(_comparisons(found)),
        "method": method(found),
        "limits": limits(found),
        "repeat": {
            "command": f"yegg lab run {FILE} --out again",
            "made_by": made_by(experiment.game, experiment.seed),
            "file": experiment.source,
        },
    }


def made_by(game: Game, seed: int) -> str:
    """The version, the rules and the seed that make the same games again."""
    return f"yegg {yegg.__version__}, rules of {game.title} version {game.version}, seed {seed}"


def _how_many(players: Sequence[int]) -> str:
    """How many play: ``2, 3 or 4 players``."""
    return listing([str(n) for n in players], "or") + f" player{'' if players == [1] else 's'}"


def _findings(found: Findings) -> list[dict[str, str]]:
    """A head and its figures for each claim, and for what forks found."""
    claims = [
        {"says": headline(found, same), "figures": " ".join(finding(found, one) for one in same)}
        for same in by_claim(found)
    ]
    return claims + [
        {"says": f"{capital(one.says)}.", "figures": f"{capital(one.figures)}."}
        for one in described(found)
    ]


def _meta(found: Findings) -> list[str]:
    """How much was played."""
    cells = {(m.variant, m.level): m for m in found.measured}.values()
    variants = {cell.variant for cell in cells}
    rules = counted(len(variants), "set of rules", "sets of rules")
    return [
        f"{grouped(sum(cell.games for cell in cells))} games",
        rules + (" on the same deals" if len(variants) > 1 else ""),
        counted(len({cell.level for cell in cells}), "level of play", "levels of play"),
        f"{grouped(sum(cell.unfinished for cell in cells))} unfinished",
    ]


def method(found: Findings) -> list[str]:
    """The paragraphs about how games were played and counted."""
    said = []
    if len(found.experiment.variants) > 1:
        said.append(
            "Every set of rules met the same deals, and differences are taken deal by deal."
        )
    if any(len(cell.seatings) > 1 for cell in found.experiment.cells):
        said.append(
            "Where players differ, they played every deal in all seatings that differ, at most 24."
        )
    said.append(
        "Brackets hold 95 % intervals: Wilson’s for shares, with as many games as the deals are "
        "worth; normal ones for means and differences."
    )
    said.append("The unit is the deal: games of one deal depend on each other.")
    said.append("The sample was fixed beforehand: " + _sample(found) + ".")
    samples = found.experiment.samples
    if looked := [who(level) for level, sample in samples.items() if sample.until]:
        said.append(
            f"{capital(listing(looked))}: claims were looked at after every block of deals, and "
            "their intervals and p-values hold however often one looks; other figures have the "
            "intervals of a sample that was fixed beforehand."
        )
    if found.tested:
        said.append(
            "A claim is clear if chance would do it in less than 5 % of runs, corrected for all "
            f"claims {_by(found)}; equal if the whole interval lies within its margin; otherwise "
            "open."
        )
    for analysis, spec, estimates in found.analyses:
        said += analysis.method(spec, estimates)
    return said


def _sample(found: Findings) -> str:
    said = []
    every = set(found.experiment.samples.values())
    if len(every) == 1 < len(found.experiment.samples) and not any(one.until for one in every):
        return f"{grouped(every.pop().deals)} deals by each of those who played"
    for level, sample in found.experiment.samples.items():
        most = f"{grouped(sample.deals)} deals by {who(level)}"
        ended = found.ended.get(level)
        if sample.until and ended:
            most += f" at most, which ended after {grouped(ended)}"
        said.append(most)
    return ", ".join(said)


def _by(found: Findings) -> str:
    """How the claims are corrected."""
    return {
        "holm": "after Holm",
        "bh": "as a search (Benjamini and Hochberg)",
        "e-bh": "as a search by e-values (Wang and Ramdas)",
    }[found.experiment.correction]


def _claims(found: Findings) -> Section:
    """What was claimed beforehand, and the answers."""
    section = Section(
        f"Adjusted p: {_by(found)}, over all {len(found.tested)} answers.",
        ["who", "claim", "difference", "adjusted p", "answer"],
    )
    for one in found.tested:
        claim = one.claim
        said = f"{title(found, claim.measure)}: {claim.left} {claim.how} {claim.right}"
        apart = one.difference.figure
        section.rows.append([who(one.level), said, apart, p_text(one.corrected), one.answer])
    return section


def _comparisons(found: Findings) -> Section:
    """Every variant less the first one, in every measure, corrected for how many there are."""
    many = len(found.differences)
    first = found.experiment.variants[0].name
    section = Section(
        f"Each variant less {first}, deal by deal. Adjusted p: Holm, over all {many} comparisons.",
        ["who", "rules", "measure", "difference", "adjusted p", "pairing saves"],
    )
    corrected = holm([one.p for one in found.differences])
    for one, p in zip(found.differences, corrected, strict=True):
        saved = f"× {one.saved:.1f}" if one.saved else "–"
        name = capital(title(found, one.measure))
        section.rows.append([who(one.level), one.left, name, one.figure, p_text(float(p)), saved])
    return section


def _table(section: Section) -> dict[str, Any]:
    """A table as data: what a cell says, and for a figure also what it is."""
    return {
        "caption": section.title,
        "columns": list(section.columns),
        "rows": [[_cell(cell) for cell in row] for row in section.rows],
    }


def _cell(cell: object) -> Any:
    if isinstance(cell, Figure):
        return {**as_value(cell), "text": str(cell)}
    return cell if isinstance(cell, dict | int) else str(cell)
