"""Which names are fit, and which look alike."""

import io
import re
import unicodedata

import pytest

from yegg import games
from yegg.engine import Match, Refused, notation
from yegg.text import names
from yegg.text.untrusted import shown

EMOJI = [
    "\U0001f469\u200d\U0001f680",  # an astronaut
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # a family
    "\U0001f3f3\ufe0f\u200d\U0001f308",  # a flag
    "\U0001f469\U0001f3fd\u200d\U0001f9b0 Eve",  # with a colour of skin
    "\u2764\ufe0f\u200d\U0001f525",  # a heart that burns
    "1\ufe0f\u20e3",  # a key
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # England
]
UNSEEN = [
    *("\u3164", "\u115f\u1160", "\u2800", "\ufe0f", "\u034f", "\u200d", "\u0301", "\U000e0100"),
    *("Ann\u034f", "Ann\ufe0f", "A\u200dnn", "Ann\u3164", "\u2060Ann", "Ann\u00ad", "\ufeffAnn"),
    *("\U0001f469\u200d", "\u200d\U0001f469", "\U0001f469\u200d\u200d\U0001f680", "a\u202eb"),
    "\U0001f3f4\U000e0061\U000e007f",
]
ALIKE = [
    ("Zo\u00eb", "Zoe\u0308"),
    ("Ann", "ANN"),
    ("Ann", "\u0410nn"),  # a Cyrillic letter
    ("Bob", "\u0412ob"),
    ("Otto", "\u039ftt\u043e"),  # Greek and Cyrillic
    ("Ian", "lan"),
    ("Bill", "Bi11"),
    ("Ann", "\uff21\uff4e\uff4e"),  # of full width
    ("Max", "\U0001d40c\U0001d41a\U0001d431"),  # mathematical
    ("Ann", "Ann\u034f"),  # from an older database
    ("Ann B", "Ann  B"),
    ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
]


@pytest.mark.parametrize("name", [*EMOJI, "Zoë", "李小龙", "שלום", "Ann 2", "J. R.", "é" * 40])
def test_a_name_that_can_be_seen_is_taken_and_printed_as_it_is(name):
    match = Match("second-story", 2, names=[name, "Ben"], how="plain")
    assert match.names == [name, "Ben"]
    record = notation.write(match)
    assert notation.read(io.BytesIO(record.encode()), "a", games.find).names == [name, "Ben"]
    assert shown(name) == name


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_a_name_with_something_that_cannot_be_seen_is_refused(name):
    with pytest.raises(Refused, match=r"is no name: .*(shows nothing|can be seen|unprintable)"):
        Match("second-story", 2, names=["Ben", name], how="plain")


def test_a_name_has_one_form():
    match = Match("second-story", 2, names=["Zoe\u0308", "Ann   B"], how="plain")
    assert match.names == ["Zo\u00eb", "Ann B"]


def test_every_character_that_unicode_ignores_by_default_is_refused_alone_and_in_a_name():
    """Of those that Python prints; by the ranges of DerivedCoreProperties.txt."""
    ranges = (
        "034F 115F-1160 17B4-17B5 180B-180F 3164 FE00-FE0F FFA0 E0100-E01EF 200B-200F 2060-206F"
    )
    for first, last in re.findall(r"(\w+)(?:-(\w+))?", ranges):
        for at in range(int(first, 16), int(last or first, 16) + 1):
            for name in (chr(at), f"A{chr(at)}b"):
                assert names.why_no_name(unicodedata.normalize("NFC", name)), hex(at)


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ascii)
def test_names_that_look_the_same_are_alike(one, other):
    assert names.alike(one, ["Cid", other])
    assert names.alike(other, [one])
    assert names.unlike(other, [one]).endswith(" (2)")


@pytest.mark.parametrize("other", ["Anne", "Ben", "Zoe", "Änn", "An n", "👩", "李"])
def test_names_that_look_different_are_not(other):
    assert not names.alike(other, ["Ann", "Zoë", "\U0001f468", "\u674f"])
    assert names.unlike(other, ["Ann"]) == other


def test_a_number_never_makes_a_name_unfit():
    for name in ("A" * 40, EMOJI[0] * 13, EMOJI[5] * 13, EMOJI[6] * 5):
        fresh = names.unlike(name, [name, f"{names.cut(name, 35)} (2)"])
        assert fresh.endswith("(3)")
        assert not names.why_no_name(fresh)
        assert not names.alike(fresh, [name])


def test_what_shows_nothing_is_a_blank_in_one_line():
    assert names.one_line(f" my\u3164 \x07phone\u202e {EMOJI[0]}\n", 40) == f"my phone {EMOJI[0]}"


@pytest.mark.parametrize("name", ["Zoe\u0308", "Ann\u034f", "\u3164", "Ann  B"], ids=ascii)
def test_a_record_with_a_name_that_was_fit_is_read_as_it_stands(name):
    text = f"game: second-story\nplayers: {name}, Ben\n\n* flip the-mill\n"
    match = notation.read(io.BytesIO(text.encode()), "a", games.find)
    assert match.names == match.again().names == [name, "Ben"]
    assert notation.write(match) == text
