"""How Sphinx makes the site of the documentation: `make site`."""

import json
import logging
import os
import re
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import yegg

project = html_title = "yegg"
author = "the authors of yegg"
release = version = yegg.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "sphinxcontrib.openapi"]
root_doc = "index"
exclude_patterns = ["questions"]
openapi_default_renderer = "httpdomain"  # with the fields of bodies
default_role = "code"  # `name` in a docstring
autoclass_content = "both"  # what __init__ says, too
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # pages that include others begin below the first level
html_theme = "furo"
html_show_sourcelink = html_copy_source = html_show_sphinx = html_show_copyright = False
highlight_language = "none"  # examples of commands are no Python

CLAUSE = re.compile(r"^(\s*- )\*\*([A-Z]{2}-\d+)\*\*", re.MULTILINE)
LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#\s]+)")
ELSEWHERE = re.compile(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=.?(?:https?:)?//[^>]*>")
FOLDERS = "answers/README", "decisions/README"


def fit_in(app, path, parent, content):
    """Give each clause of a rules page an address, and let links of a page lead on from here."""

    def moved(link):
        target = os.path.relpath((app.srcdir / path).parent / link[1], app.srcdir)
        return "changes.md" if target == "../CHANGELOG.md" else target

    text = LINK.sub(moved, content[0])
    content[0] = CLAUSE.sub(lambda at: f"{at[1]}[**{at[2]}**]{{#{at[2].lower()}}}", text)


def list_pages(app, name, source):
    """Name all pages of a folder to Sphinx."""
    if name in FOLDERS:
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n[a-z0-9]*\n```\n"


def describe_api(app):
    """Write the OpenAPI description that a server gives at /api/schema, as it is drawn."""
    logging.disable(logging.INFO)
    from litestar.testing import TestClient

    from yegg.table.app import application
    from yegg.table.settings import Settings

    with TemporaryDirectory() as folder:
        settings = Settings(db=f"sqlite:///{folder}/table.db", warm=False, hosts=("yegg.local",))
        with TestClient(application(settings), "http://yegg.local") as client:
            described = client.get("/api/schema").json()
    build = Path(app.srcdir).parent / "build"
    build.mkdir(exist_ok=True)
    (build / "openapi.json").write_text(json.dumps(drawable(described)), "utf-8")


def drawable(part):
    """Let the fields of bodies be drawn: each has one form, and says whether it may be null.

    Where the forms of a body differ, as options of games do, a field is told by its type alone.
    """
    if isinstance(part, list):
        return [drawable(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    part = {name: drawable(inner) for name, inner in part.items() if name != "summary"}
    if part.get("type") == "array":
        part.setdefault("items", {})
    forms = part.pop("anyOf", []) + part.pop("oneOf", [])
    given = [form for form in forms if form != {"type": "null"}]
    if len(given) < len(forms):
        part["description"] = "; ".join(filter(None, [part.get("description"), "may be null"]))
    return united(given) | part


def united(forms):
    """One schema for several: the fields of the first, with their types alone where they differ.

    Only what all of them require is required.
    """
    form = dict(forms[0]) if forms else {}
    if len(forms) > 1 and "properties" in form:
        form["properties"] = {
            name: field
            if all(other.get("properties", {}).get(name) == field for other in forms)
            else {
                "type": field.get("type", "string"),
                "items": {"type": "string"},
                "description": field.get("description", ""),
            }
            for name, field in form["properties"].items()
        }
        needed = [set(other.get("required", [])) for other in forms]
        form["required"] = sorted(set.intersection(*needed))
    return form


def keep_columns(app, context, lines):
    """Keep a command's examples in their columns; Click marks such a paragraph by ``\\b``."""
    kept = []
    for example, run in groupby(lines, lambda line: line.startswith("| ")):
        same = list(run)
        kept += ["::", "", *(f"   {line[2:]}" for line in same), ""] if example else same
    lines[:] = kept


def stay_here(app, error):
    """Refuse a page that would load something from another host."""
    for page in Path(app.outdir).rglob("*.html"):
        if found := ELSEWHERE.search(page.read_text(encoding="utf-8")):
            raise ValueError(f"{page.name} loads {found[0]}")


def setup(app):
    """Tie these to Sphinx's events."""
    app.connect("sphinx-click-process-description", keep_columns)
    app.connect("build-finished", stay_here)
    app.connect("include-read", fit_in)
    app.connect("source-read", list_pages)
    app.connect("builder-inited", describe_api)
