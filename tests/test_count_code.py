"""The limit on lines of code: what counts, and what is said when it is passed or could fall."""

import pytest
from count_code import SLACK, code_lines, count, verdict


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        (
            "a.py",
            '"""What it is."""\n\nX = 1\n"""Told\nmore."""\n# why\ndef f():\n    """Do."""\n',
            2,
        ),
        ("b.py", 'X = """two\n\nlines"""\nY = (\n    1,  # one\n    # none\n)\n', 5),
        ("c.js", "// a\n/* b\n   c */\n\nlet x = 1; // d\n", 1),
        ("d.css", "/* a */\nb {\n  c: d;\n}\n\n", 3),
        ("e.html", "{# a\n b #}\n<!-- c -->\n<p>d</p> {# e #}\n", 1),
    ],
)
def test_comments_docstrings_and_blank_lines_are_no_code(tmp_path, name, text, lines):
    (tmp_path / name).write_text(text)
    assert code_lines(tmp_path / name) == lines


def test_tests_and_other_kinds_of_files_do_not_count(tmp_path):
    for name in ("a.py", "tests/b.py", "part/tests/c.py", "part/d.js", "part/e.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    assert count(tmp_path) == {".py": 1, ".js": 1}


def test_more_code_than_the_limit_is_refused_and_so_is_a_limit_far_above_the_code():
    assert not verdict(1000, 1000)
    assert not verdict(1000, 1000 + SLACK)
    assert verdict(1001, 1000) == "1 lines of code too many: remove as many, here or elsewhere"
    assert "write `code-lines = 1000` into [tool.yegg]" in verdict(1000, 1001 + SLACK)
