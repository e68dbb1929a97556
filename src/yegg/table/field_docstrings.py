"""Docstrings of fields, which Python itself does not keep: they are read from the source."""

import ast
import inspect
from functools import cache
from itertools import pairwise
from textwrap import dedent

OURS = "yegg.table."


@cache
def docstrings(kind: type) -> dict[str, str]:
    """What stands below the fields of a class of ours, and of those that it is made from."""
    said: dict[str, str] = {}
    for one in (one for one in kind.__mro__ if one.__module__.startswith(OURS)):
        lines = ast.parse(dedent(inspect.getsource(one))).body[0].body  # type: ignore[attr-defined]
        for pair in pairwise(lines):
            match pair:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    said.setdefault(name, " ".join(text.split()))
    return said
