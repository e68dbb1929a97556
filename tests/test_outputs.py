"""Outputs that users and programs rely on are the same, byte for byte."""

import json
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="reports need yegg[lab]")

import outputs

KNOWN = json.loads(Path(__file__).with_name("outputs.json").read_text(encoding="utf-8"))


@pytest.mark.wide(minutes=2)
def test_commands_reports_and_pages_are_the_same_byte_for_byte():
    found = outputs.digests()
    changed = sorted(KNOWN.keys() ^ found)
    changed += [name for name in found if found[name] != KNOWN.get(name, found[name])]
    assert not changed, (
        "see what changed with `python tests/outputs.py FOLDER` before and after; "
        "if it is meant: `python tests/outputs.py > tests/outputs.json`"
    )
