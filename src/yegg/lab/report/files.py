"""Writes a run's report into its folder: report.html, report.md and report.json."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yegg.engine import Refused
from yegg.files import write_atomic as write
from yegg.lab.experiment.findings import Findings
from yegg.lab.game_frame import LACKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yegg.lab.tuning.result import Closest


def publish(found: Findings, folder: Path) -> Path:
    """Write the report; return where the page is.  The same findings give the same bytes."""
    return _published(found, folder, None)


def publish_search(closest: "Closest", folder: Path) -> Path:
    """Write the report of a search, over what its last deals found; return where the page is."""
    return _published(closest.found, folder, closest)


def _published(found: Findings, folder: Path, closest: "Closest | None") -> Path:
    try:
        from yegg.lab.plots import inline

        from .panels import panels
    except ModuleNotFoundError:
        raise Refused(LACKING) from None
    from .content import sheet
    from .html import markdown, page

    drawn = panels(found)
    said: Mapping[str, Any] = sheet(found, drawn)
    if closest:
        from .tuning_content import sheet as of_search
        from .tuning_plots import panels as searched

        drawn = [*searched(closest), *drawn]
        said = of_search(closest, sheet(found, drawn))
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
