"""A report as one page of HTML, and as Markdown; both say what the sheet says."""

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def page(sheet: Mapping[str, Any], drawings: Mapping[str, tuple[str, str]]) -> str:
    """The page.  ``drawings``: by the key of a plot, how it looks on a wide and a narrow page."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = made.from_string((HERE / "page.html").read_text(encoding="utf-8"))
    css = "\n" + (HERE / "page.css").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(css.encode()).digest()).decode()
    drawn = {key: tuple(map(Markup, both)) for key, both in drawings.items()}
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
    for plot in sheet["plots"]:
        parts += [f"## {line(plot['title'])}", rows_of(plot)]
    for made in sheet["by_seat"]:
        parts += [f"## {line(made['title'])}", rows_of(made)]
    for key, head in (
        ("tested", "What was claimed beforehand"),
        ("compared", "Every comparison with the first rules"),
    ):
        if sheet[key]["rows"]:
            parts += [f"## {head}", rows_of(sheet[key])]
    limits = [f"* {line(said)}" for said in (*sheet["method"], *sheet["limits"])]
    repeat = sheet["repeat"]
    parts += ["## Method and limits", "\n".join(limits)]
    parts.append(f"To repeat it: `{repeat['command']}`. Made by {repeat['made_by']}.")
    return "\n\n".join(parts) + "\n"


def rows_of(made: Mapping[str, Any]) -> str:
    """A table as Markdown, under its caption."""
    rows = [made["columns"], ["---"] * len(made["columns"]), *made["rows"]]
    lines = ["| " + " | ".join(map(_text, row)) + " |" for row in rows]
    return f"{line(made['caption'])}\n\n" + "\n".join(lines)


def _text(cell: Any) -> str:
    said = str(cell["text"] if isinstance(cell, dict) else cell)
    return line(said).replace("|", "\\|")


def line(said: str) -> str:
    """A text from a file in one line, with nothing in it that Markdown would read as HTML."""
    return " ".join(said.split()).replace("<", "&lt;")
