"""Writes a run's report into its folder: report.html, report.md and report.json.

The page and the Markdown say what the sheet says, and nothing else.
"""

import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yegg.files import write_atomic as write
from yegg.lab.experiment.findings import Findings
from yegg.lab.game_frame import of_the_extra
from yegg.stats.intervals import unbroken
from yegg.text.json_writer import as_json

if TYPE_CHECKING:
    from yegg.lab.plots import Panel
    from yegg.lab.tuning.result import Closest

HERE = Path(__file__).parent


def publish(found: Findings, folder: Path) -> Path:
    """Write the report; return where the page is.  The same findings give the same bytes."""
    with of_the_extra():
        from .content import sheet
        from .panels import panels
    drawn = panels(found)
    return written(sheet(found, drawn), drawn, folder)


def publish_search(closest: "Closest", folder: Path) -> Path:
    """Write the report of a search, over what its last deals found; return where the page is."""
    with of_the_extra():
        from . import tuning
        from .content import sheet
        from .panels import panels
    drawn = [*tuning.panels(closest), *panels(closest.found)]
    return written(tuning.sheet(closest, sheet(closest.found, drawn)), drawn, folder)


def written(sheet: Mapping[str, Any], drawn: "Sequence[Panel]", folder: Path) -> Path:
    """Write a sheet with its plots into a folder, in three forms; return where the page is."""
    drawings = {panel.key: drawings_of(panel) for panel in drawn}
    data = as_json(sheet, indent=1, ascii=False)
    write(folder / "report.json", data.encode() + b"\n")
    write(folder / "report.md", markdown(sheet).encode())
    write(folder / "report.html", page(sheet, drawings).encode())
    return folder / "report.html"


def drawings_of(panel: "Panel") -> list[str]:
    """The plot of a panel, and beside a mean how games spread."""
    from yegg.lab.plots import inline

    drawn = [inline(panel.draw(), panel.key, panel.title, panel.says)]
    if panel.spread:
        says = f"{panel.title}: how the games spread, and the mean."
        drawn.append(inline(panel.spread(), f"{panel.key}-s", panel.title, says))
    return drawn


def page(sheet: Mapping[str, Any], drawings: Mapping[str, Sequence[str]]) -> str:
    """The page.  ``drawings``: by the key of a plot, its drawings."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["unbroken"] = unbroken
    template = environment.from_string((HERE / "page.html").read_text(encoding="utf-8"))
    css = "\n" + (HERE / "page.css").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(css.encode()).digest()).decode()
    drawn = {
        key: [Markup(svg) for svg in every]  # noqa: S704 - ours
        for key, every in drawings.items()
    }
    return template.render(
        **sheet,
        css=Markup(css),  # noqa: S704 - our own file
        css_digest=f"sha256-{digest}",
        drawings=drawn,
    )


def markdown(sheet: Mapping[str, Any]) -> str:
    """The report without its plots."""
    parts = [f"# {line(sheet['question'])}", f"**{line(sheet['answer'])}**"]
    parts.append(f"{sheet['title']}, {sheet['players']} · " + " · ".join(sheet["meta"]))
    if sheet["findings"]:
        parts.append("## Findings")
        said = [f"* **{line(one['says'])}** {line(one['figures'])}" for one in sheet["findings"]]
        parts.append("\n".join(said))
    heads = {
        "tested": "What was claimed beforehand",
        "compared": "Every comparison with the first rules",
    }
    tables = [*sheet["plots"], *sheet["by_seat"]]
    tables += [{**sheet[key], "title": head} for key, head in heads.items() if sheet[key]["rows"]]
    for table in tables:
        parts += [f"## {line(table['title'])}", rows_of(table)]
    limits = [f"* {line(said)}" for said in (*sheet["method"], *sheet["limits"])]
    repeat = sheet["repeat"]
    parts += ["## Method and limits", "\n".join(limits)]
    parts.append(f"To repeat it: `{repeat['command']}`. Made by {repeat['made_by']}.")
    return "\n\n".join(parts) + "\n"


def rows_of(table: Mapping[str, Any]) -> str:
    """A table as Markdown, under its caption."""
    rows = [table["columns"], ["---"] * len(table["columns"]), *table["rows"]]
    lines = ["| " + " | ".join(map(_text, row)) + " |" for row in rows]
    return f"{line(table['caption'])}\n\n" + "\n".join(lines)


def _text(cell: Any) -> str:
    said = str(cell["text"] if isinstance(cell, dict) else cell)
    return line(said).replace("|", "\\|")


def line(said: str) -> str:
    """A text from a file in one line, with nothing in it that Markdown would read as HTML."""
    return " ".join(said.split()).replace("<", "&lt;")
