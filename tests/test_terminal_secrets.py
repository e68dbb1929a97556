"""Secrets between people at one keyboard: each reads the report of the turn, and no other's."""

import os
import sys

import pexpect

SHEETS = {
    "Ann": ("club steals C from 2", "diamond steals C from 2", "guards A"),
    "Bill": ("club steals C from 3", "diamond steals B from 1", "guards A"),
    "Cy": ("club steals C from 1", "diamond steals B from 1", "guards A"),
}
NEXT = {
    "Ann": ("club steals A from 2", "diamond steals A from 2", "guards B"),
    "Bill": ("club steals A from 1", "diamond steals A from 1", "guards B"),
    "Cy": (),
}
POINTS = ("allocate A 1", "allocate B 7", "allocate C 37")


def test_who_gets_the_keyboard_reads_the_report_first_and_then_is_asked(tmp_path):
    options = "hidden=yes secrets=3 spies=2 turns=2 posts=open"
    words = ["-m", "yegg.cli", "play", "secrets", "--seats", "Ann,Bill,Cy"]
    words += [word for option in options.split() for word in ("--option", option)]
    words += ["--record", str(tmp_path / "a.game")]
    env = os.environ | {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "100"}
    child = pexpect.spawn(
        sys.executable, words, env=env, encoding="utf-8", timeout=120, dimensions=(50, 100)
    )
    shown = {}
    try:
        for sheets in (dict.fromkeys(SHEETS, POINTS), SHEETS, NEXT):
            for name, orders in sheets.items():
                child.expect(f"Hand the keyboard to {name}, who presses Enter")
                child.sendline("")
                child.expect(f"{name} > ")
                shown[name] = " ".join(child.before.split())
                for n, order in enumerate(orders, 1):
                    child.sendline(order)
                    if n < len(orders):
                        child.expect(f"{name} > ")
    finally:
        child.close(force=True)
    for name, told in shown.items():
        report, turn, after = told.partition("Turn 2 of 2, the last")
        assert turn, "which turn it is"
        assert f"{name}: Whose secret does Club go for?" in after
        assert "Report of turn 1 of 2: " in report
        assert "Policemen stood at Ann's secret A, Bill's secret A and Cy's secret A." in report
    met = "Bill's Diamond and Cy's Diamond frustrate each other at Ann's secret B."
    alone = "Ann's Club and Ann's Diamond frustrate each other at Bill's secret C."
    assert f"{met} The secret is worth 7 points." in shown["Bill"]
    assert f"{met} The secret is worth 7 points." in shown["Cy"]
    assert f"{alone} The secret is worth 37 points." in shown["Bill"], "it is his own"
    for name in ("Ann", "Cy"):
        assert alone in shown[name]
        assert f"{alone} The secret" not in shown[name]
    untold = "Cy's Club steals Ann's secret C; how many points it brings is not told."
    assert untold in shown["Bill"]
    assert "Cy's Club steals Ann's secret C: 37 points." in shown["Cy"]
