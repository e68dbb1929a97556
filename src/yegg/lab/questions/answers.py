"""Answers to questions: made from runs, kept on disk, and stale once the rules change."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from yegg.engine import Refused
from yegg.files import write_atomic as write
from yegg.lab.experiment.findings import findings
from yegg.lab.experiment.runs import Run
from yegg.lab.game_frame import of_the_extra
from yegg.lab.report.narrative import finding
from yegg.text.json_writer import as_json

from .narrative import sentence_of
from .pages import page, summary
from .schema import Question

SUMMARY = "README.md"
KEPT = (
    *("question", "game", "version", "seed", "measures", "figures", "claims", "forks", "traces"),
    *("title", "players", "meta", "plots", "tested", "method", "limits"),
)
"""What of a report's data is kept; what nobody claimed is compared in the report alone."""


def stale(question: Question, folder: Path) -> str:
    """The reason why the answer in a folder is none, or of other rules; "" if it stands."""
    data = answered(folder, question.name)
    if data is None:
        return "not answered yet"
    game = question.game
    if data["version"] != game.version:
        made = f"made with version {data['version']} of {game.title}"
        return f"{made}, which is at version {game.version} now"
    if data["digest"] != question.digest:
        return "the question was changed since"
    return ""


def answered(folder: Path, name: str) -> dict[str, Any] | None:
    """The data of an answer; None if there is none.  Raises Refused."""
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        data = None
    if not isinstance(data, dict) or not data.keys() >= {*KEPT, "digest"}:
        raise Refused(f"{path} is damaged: remove it, and `yegg lab answers {name}` makes it anew")
    return data


def run_of(question: Question, runs: Path) -> Run:
    """The run of a question, begun.  Questions that the same games answer share them."""
    run = Run(question.experiment, runs / "none")
    digest = sha256(as_json(run.head, sort=True).encode()).hexdigest()[:12]
    run = Run(question.experiment, runs / f"{question.game.name}-{digest}")
    run.begin()
    return run


def publish(question: Question, run: Run, folder: Path) -> None:
    """Write the data and the plot of a complete run; `rewrite` writes the page."""
    with of_the_extra():
        from .plot import panel_of, panels_of, svg
    from yegg.lab.report.content import sheet

    found = findings(run)
    drawn = panels_of(question, found)
    said = sheet(found, drawn)
    for entry, one in zip(said["claims"], found.tested, strict=True):
        entry["says"] = finding(found, one)
    panel = panel_of(question, found, drawn)
    data = {
        "name": question.name,
        **{key: said[key] for key in KEPT},
        "titles": {name: one.title for name, one in question.experiment.shown.items()},
        "drawn": {"title": panel.title, "says": panel.says},
        "made_by": said["repeat"]["made_by"],
        "code": run.head["code"],
        "digest": question.digest,
    }
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / f"{question.name}.svg", svg(panel).encode())
    write(folder / f"{question.name}.json", as_lines(data))


def rewrite(question: Question, folder: Path) -> str:
    """Write the page of an answer from its data, in today's words; return its first sentence."""
    data = worded(question, answered(folder, question.name) or {})
    write(folder / f"{question.name}.json", as_lines(data))
    write(folder / f"{question.name}.md", page(data).encode())
    says: str = data["answers"][0]["says"]
    return says


def worded(question: Question, data: dict[str, Any]) -> dict[str, Any]:
    """The data of an answer with the sentences that follow from them."""
    printed = question.game.voice.printed
    every = [(one, sentence_of(one, data, printed)) for one in question.answers]
    sentences = [{**asdict(made), "expected": one.expected} for one, made in every]
    return {**data, "asked": question.asked, "answers": sentences}


def summarise(every: Sequence[Question], folder: Path) -> None:
    """Write the page of all answers that there are."""
    every_answer = (answered(folder, question.name) for question in every)
    write(folder / SUMMARY, summary([data for data in every_answer if data]).encode())


def as_lines(data: dict[str, Any]) -> bytes:
    """Data with a line for each entry of each list: small, and its changes can be read."""
    return "".join(["{\n", *_lines(_rounded(data)), "}\n"]).encode()


def _rounded(data: Any) -> Any:
    """The same with six digits of every number, which is more than any page shows."""
    if isinstance(data, dict):
        return {key: _rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_rounded(value) for value in data]
    return float(f"{data:.6g}") if isinstance(data, float) else data


def _lines(data: dict[str, Any]) -> Iterator[str]:
    last = len(data) - 1
    for at, (key, value) in enumerate(data.items()):
        text = as_json(value, ascii=False)
        if isinstance(value, list) and value:
            entries = ",\n  ".join(as_json(one, ascii=False) for one in value)
            text = f"[\n  {entries}\n ]"
        yield f" {as_json(key)}: {text}{',' if at < last else ''}\n"
