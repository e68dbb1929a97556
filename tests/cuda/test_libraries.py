"""The examples of the page run on a card; this file is left out where none of the libraries is."""

import importlib.util
import re
from pathlib import Path

import pytest
from programs import python

PAGE = Path(__file__).parents[2] / "docs" / "graphics-card.md"
EXAMPLES = re.findall(r"```python\nimport (\w+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
HERE = [example for example in EXAMPLES if importlib.util.find_spec(example[0])]


@pytest.mark.parametrize(("library", "rest"), HERE, ids=[name for name, _ in HERE])
def test_an_example_runs(library, rest):
    done = python("-c", f"import {library}\n{rest}")
    assert done.returncode == 0, done.stderr
