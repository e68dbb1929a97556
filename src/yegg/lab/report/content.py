"""The content of a report as data, from which the page and the Markdown are written."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import yegg
from yegg.engine import Game
from yegg.lab.analyses import seat_trends
from yegg.lab.cells import who
from yegg.lab.experiment.findings import Findings, to_dict
from yegg.lab.plots import Panel
from yegg.stats.intervals import Figure, Section, as_value, p_text
from yegg.text.phrases import capital, counted, grouped, listing, stopped

from .changes import corrected
from .narrative import answer, claim_in_words, findings, limits
from .worded import worded

FILE = "experiment.toml"


def sheet(found: Findings, drawn: Sequence[Panel]) -> dict[str, Any]:
    """The content of a report; docs/lab.md describes the keys."""
    data, first, said = to_dict(found), answer(found), findings(found)
    found = worded(found)
    experiment = found.experiment
    players = sorted({variant.players for variant in experiment.variants})
    return {
        **data,
        "title": experiment.title,
        "players": _how_many(players),
        "answer": first,
        "meta": _meta(found),
        "findings": [{"says": stopped(one.says), "figures": stopped(one.figures)} for one in said],
        "plots": [
            {
                "key": panel.key,
                "title": panel.title,
                "says": panel.says,
                **table_of(panel.table),
                "spread": table_of(panel.spread_table) if panel.spread_table else None,
            }
            for panel in drawn
        ],
        "by_seat": [
            {"title": one.title, **table_of(replace(one, title=f"{capital(one.note)}."))}
            for one in seat_trends.sections(found.seats, found.trends)
        ],
        "tested": table_of(_claims(found)),
        "compared": table_of(_comparisons(found)),
        "method": method(found),
        "limits": limits(found),
        "repeat": {
            "command": f"yegg lab run {FILE} --out again",
            "made_by": made_by(experiment.games, experiment.seed),
            "file": experiment.source,
        },
    }


def made_by(games: Sequence[Game], seed: int) -> str:
    """The version, the rules and the seed that make the same games again."""
    rules = listing([f"{game.title} version {game.version}" for game in games])
    return f"yegg {yegg.__version__}, rules of {rules}, seed {seed}"


def _how_many(players: Sequence[int]) -> str:
    """How many play: ``2, 3 or 4 players``."""
    return listing([str(n) for n in players], "or") + f" player{'' if players == [1] else 's'}"


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
    said += [f"{deck}." for deck in found.experiment.decks]
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
        f"Adjusted p: {_by(found)}, over {counted(len(found.tested), 'answer')}.",
        ["who", "claim", "difference", "adjusted p", "answer"],
    )
    for one in found.tested:
        said = claim_in_words(found, one)
        apart = one.difference.figure
        section.rows.append([who(one.level), said, apart, p_text(one.corrected), one.answer])
    return section


def _comparisons(found: Findings) -> Section:
    """Every variant less the first one, in every measure, corrected for how many there are."""
    many = len(found.differences)
    first = found.experiment.variants[0].name
    section = Section(
        f"Each variant less {first}, deal by deal. Adjusted p: Holm, over "
        f"{counted(many, 'comparison')}.",
        ["who", "rules", "measure", "difference", "adjusted p", "pairing saves"],
    )
    for one, p in zip(found.differences, corrected(found), strict=True):
        saved = f"× {one.saved:.1f}" if one.saved else "–"
        name = capital(found.title(one.measure))
        section.rows.append([who(one.level), one.left, name, one.figure, p_text(p), saved])
    return section


def table_of(section: Section) -> dict[str, Any]:
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
