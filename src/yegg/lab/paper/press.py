"""Writes a run's report into its folder: report.html, report.md and report.json."""

import json
from pathlib import Path

from yegg.engine import Refused
from yegg.lab.columns import LACKING
from yegg.lab.findings import Findings
from yegg.lab.runs import write


def publish(found: Findings, folder: Path) -> Path:
    """Write the report; return where the page is.  The same findings give the same bytes."""
    try:
        from .panels import panels
        from .plots import inline
    except ModuleNotFoundError:
        raise Refused(LACKING) from None
    from .page import markdown, page
    from .sheet import sheet

    drawn = panels(found)
    said = sheet(found, drawn)
    drawings = {
        panel.key: (
            inline(panel.draw(narrow=False), panel.key, panel.title, panel.says),
            inline(panel.draw(narrow=True), f"{panel.key}-n", panel.title, panel.says),
        )
        for panel in drawn
    }
    data = json.dumps(said, indent=1, ensure_ascii=False)
    write(folder / "report.json", data.encode() + b"\n")
    write(folder / "report.md", markdown(said).encode())
    write(folder / "report.html", page(said, drawings).encode())
    return folder / "report.html"
