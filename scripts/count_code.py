"""Counts the lines of code that are shipped, and holds them to the limit in pyproject.toml.

    python scripts/count_code.py

Counted is what lies in `src/yegg` outside of tests: Python, JavaScript, CSS and HTML templates,
without blank lines, comments and docstrings.  The limit may only fall: it stands at the count, and
whoever removes more than `SLACK` lines writes the new one down.
"""

import ast
import re
import sys
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SLACK = 200
"""Lines that the limit may stand above the count."""
COMMENTS = {
    ".js": re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".html": re.compile(r"<!--.*?-->|\{#.*?#\}", re.DOTALL),
}
EMPTY = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


def code_lines(path: Path) -> int:
    """The lines of a file that hold code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return filled(COMMENTS[path.suffix].sub("", text).splitlines())
    with tokenize.open(path) as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    used = {
        line
        for token in tokens
        if token.type not in EMPTY
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                used -= set(range(node.lineno, node.end_lineno + 1))
    lines = text.splitlines()
    return filled(lines[line - 1] for line in used)


def filled(lines) -> int:
    """How many lines are not blank."""
    return sum(1 for line in lines if line.strip())


def count(package: Path) -> Counter[str]:
    """The lines of code of each kind of file in a package, tests left out."""
    found = Counter()
    for path in package.rglob("*"):
        if path.suffix in {".py", *COMMENTS} and "tests" not in path.relative_to(package).parts:
            found[path.suffix] += code_lines(path)
    return found


def verdict(lines: int, limit: int) -> str:
    """What is wrong with a count or with its limit; "" if nothing is."""
    if lines > limit:
        return f"{lines - limit:,} lines of code too many: remove as many, here or elsewhere"
    if limit - lines > SLACK:
        return (
            f"the limit is {limit - lines:,} lines above the code: "
            f"write `code-lines = {lines}` into [tool.yegg] of pyproject.toml"
        )
    return ""


def main() -> int:
    """Print the count; 1 if it is above its limit, or the limit could be lower."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    limit = settings["tool"]["yegg"]["code-lines"]
    found = count(ROOT / "src" / "yegg")
    kinds = ", ".join(f"{kind[1:]} {lines:,}" for kind, lines in found.most_common())
    print(f"{found.total():,} lines of code ({kinds}); the limit is {limit:,}")
    if wrong := verdict(found.total(), limit):
        print(wrong, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
