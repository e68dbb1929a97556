"""Text is written last: no code branches on a sentence that this project has written."""

import ast
import re
from pathlib import Path

import yegg

SRC = Path(yegg.__file__).parent
PROSE = re.compile(r"[A-Za-z]+,? [a-z]+,? [a-z(]|[a-z](\. |[?!] ?)$|[a-z][.?!] [A-Z]|\[[.?!]+\]\) ")
"""Three words in a row, or the end of a sentence."""
READ = {"startswith", "endswith", "partition", "rpartition", "split", "rsplit", "splitlines"}
READ |= {"removeprefix", "removesuffix", "find", "index", "count", "replace", "match", "fullmatch"}
READ |= {"search", "findall", "sub"}
SENTENCES = {"prose", "says", "asks", "why", "reason"}
"""Attributes and names under which this project keeps its own sentences."""
LETTERS_OF_PEOPLE = {"games/secrets/mail.py", "table/letters/incoming_mail.py"}


def branches_on_prose(tree):
    """Comparisons and searches by or in a sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            known = any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
            if any(map(is_prose, sides)) or (known and any(map(is_sentence, node.comparators))):
                yield node
        elif isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Attribute):
            reads = any(map(is_prose, node.args)) or is_sentence(node.func.value)
            if reads and node.func.attr in READ:
                yield node


def is_prose(node):
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) and PROSE.search(part.value)
        for part in ast.walk(node)
    )


def is_sentence(node):
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in SENTENCES


def found(source):
    return [ast.unparse(node) for node in branches_on_prose(ast.parse(source))]


def test_such_a_branch_is_found():
    assert found('if "has no token left" in text: go()')
    assert found('if line.prose.startswith("Ann"): go()')
    assert found('m = re.search(r"A die shows (.*)", text)')
    assert not found('if text.startswith("take "): go()'), "a word of the record is no sentence"


def test_no_code_branches_on_a_sentence():
    bad = {}
    for path in sorted(SRC.rglob("*.py")):
        name = path.relative_to(SRC).as_posix()
        if "tests" not in path.parts and name not in LETTERS_OF_PEOPLE:
            bad |= {name: what} if (what := found(path.read_text(encoding="utf-8"))) else {}
    assert not bad
