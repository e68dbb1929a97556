"""Records that are wrong: refused at the first bad line, without a traceback or a guess."""

import io
import random

import pytest
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yegg import games
from yegg.contract.cases import FEW, wander
from yegg.engine import Match, notation
from yegg.engine.notation import LONGEST_LINE, BadRecord

GOOD = """\
game: second-story
players: Morgan, Siveny

* flip the-mill
1 thorough
* roll 9
1 stop
* flip ace-of-suns
"""


def read(text):
    data = text if isinstance(text, bytes) else text.encode()
    return notation.read(io.BytesIO(data), "a.game", games.find, "plain")


def refused(text):
    with pytest.raises(BadRecord) as error:
        read(text)
    return str(error.value)


def test_a_good_record_is_read_and_comments_stand_anywhere():
    match = read(GOOD)
    assert match.names == ["Morgan", "Siveny"]
    assert len(match.history) == 5
    commented = "".join(f"# before\n{line}\n" for line in GOOD.splitlines())
    assert read(commented).history == match.history


@pytest.mark.parametrize(
    "raw",
    [
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.encode("utf-8-sig"),
        GOOD.replace("\n", "\r\n").encode("utf-8-sig"),
    ],
    ids=["line ends", "byte order mark", "both"],
)
def test_a_record_that_an_editor_of_windows_has_saved_is_the_same_game(raw):
    assert read(raw).history == read(GOOD).history
    assert notation.write(read(raw)) == GOOD


WRONG = {
    "nothing at all": ("", "1: the record ends before the empty line"),
    "a head alone": ("game: second-story\n", "2: the record ends before"),
    "no game": ("players: A, B\n\n", "2: the head has no line 'game"),
    "another game": (GOOD.replace("second-story", "chess"), "1: there is no game 'chess'"),
    "no players": ("game: second-story\n\n", "2: the head has no line 'players"),
    "one player": (GOOD.replace(", Siveny", ""), "2: Second Story is for 2 to 5 players, not 1"),
    "nameless": (GOOD.replace("Siveny", ""), "2: '' is no name"),
    "an unknown head": ("version: 3\n" + GOOD, "1: a head has lines game"),
    "a head twice": ("game: second-story\n" + GOOD, "2: a second line 'game'"),
    "a head out of order": (GOOD.replace("\n\n", "\nscore: 1, 2\nplaces: 1, 2\n\n"), "4: 'places'"),
    "an unknown option": (GOOD.replace("\n\n", "\noptions: dice=3\n\n"), "3: Second Story has no"),
    "a wrong value": (GOOD.replace("\n\n", "\noptions: chips=99\n\n"), "3: option chips cannot be"),
    "a wrong actor": (GOOD.replace("1 thorough", "2 thorough"), "5: it is for seat 1 to act"),
    "no actor": (GOOD.replace("1 thorough", "thorough"), "5: an event is"),
    "not legal": (GOOD.replace("1 thorough", "1 stop"), "5: SS-18"),
    "no sentence": (GOOD.replace("1 thorough", "1 dance"), "5: 'dance' is not possible here"),
    "a die of eleven": (GOOD.replace("roll 9", "roll 11"), "6: 'roll 11'"),
    "a card twice": (GOOD + "* flip the-mill\n", "9: SS-11: The Mill is not in the draw pile"),
    "an empty line": (GOOD + "\n", "9: an event is"),
    "line ends of old Macs": (
        GOOD.replace("\n", "\r"),
        "1: this line holds an unprintable character: a carriage return, which ends lines only",
    ),
    "a tab": (
        GOOD.replace("1 thorough", "1\tthorough"),
        "5: this line holds an unprintable character: a tab (U+0009), character 2",
    ),
    "long and of old Macs": (GOOD.replace("\n", "\r") * 300, "1: this line is longer than 20000 b"),
    "cut off": (GOOD[:-3], "8: the last line is cut off"),
    "a result too early": (GOOD.replace("\n\n", "\nplaces: 1, 2\n\n"), "3: places are given"),
    "as a seat saw it": (GOOD.replace("roll 9", "-"), "6: this is a record as one seat saw it"),
    "not UTF-8": (GOOD.replace("Morgan", "Zoë").encode("latin-1"), "2: this is not UTF-8 text"),
    "UTF-16": (GOOD.encode("utf-16"), "1: this is not UTF-8 but UTF-16: save it as UTF-8"),
    "UTF-16 without a mark": (GOOD.encode("utf-16-le"), "1: this line holds an unprintable"),
    "a second byte order mark": ("\ufeff\ufeff" + GOOD, "1: "),
    "megabytes": ("game: second-story\nplayers: " + "x" * 5_000_000 + "\n\n", "2: this line is"),
    "too few listed": (GOOD.replace("1 th", "? quick\n1 th"), "5: 'thorough' is legal here and"),
    "too many listed": (
        GOOD.replace("1 th", "? quick | thorough | stop\n1 th"),
        "5: 'stop' is not legal here",
    ),
    "listed twice": (GOOD.replace("1 th", "? quick | thorough | quick\n1 th"), "5: a legal event"),
    "listed for chance": (GOOD.replace("* roll", "? roll 1\n* roll"), "6: legal events are listed"),
    "listed for nothing": (
        GOOD.replace("ace-of-suns\n", "the-pact\n? quick | thorough\n"),
        "9: legal events are listed, but no event follows",
    ),
}


@pytest.mark.parametrize(("text", "reason"), WRONG.values(), ids=WRONG)
def test_wrong_records_are_refused_with_line_and_reason(text, reason):
    assert refused(text).startswith(f"a.game:{reason}")


def test_a_million_lines_are_not_read_beyond_the_first_bad_one():
    source = io.BytesIO((GOOD + "1 nonsense\n" * 200_000).encode())
    with pytest.raises(BadRecord):
        notation.read(source, "a.game", games.find, "plain")
    assert source.tell() < len(GOOD) + 3 * LONGEST_LINE


def finished(case):
    *_, match = wander(case.match(), 11)
    return match


@pytest.mark.wide(but=["secrets-3", "magnate-2"])
@pytest.mark.parametrize("case", FEW, ids=str)
def test_a_result_that_does_not_follow_is_refused_at_its_line(case):
    text = notation.write(finished(case))
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        if line.startswith(("places:", "score:")):
            key, _, value = line.partition(": ")
            wrong = f"{key}: {int(value.split(',')[0]) + 1}{value[1:]}"
            bent = "".join([*lines[:i], wrong, *lines[i + 1 :]])
            assert refused(bent).startswith(f"a.game:{i + 1}: {key}")
    with_less = "".join(line for line in lines if not line.startswith(("places:", "score:")))
    assert read(with_less).over, "a finished record may lack its result"


@pytest.mark.wide
@pytest.mark.parametrize("case", FEW, ids=str)
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_record_is_read_as_something_else_or_refused_but_never_breaks(case, data):
    raw = data.draw(damaged([notation.write(finished(case))]))
    try:
        match = read(raw)
    except BadRecord as error:
        match, said = None, str(error)
    assert match or "\n" not in said
    assert not match or read(notation.write(match)).history == match.history


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_refused_in_one_line(data):
    assert "\n" not in refused(data)


@pytest.mark.parametrize("name", ["", " A", "A ", "A,B", "A\nB", "A\x1b[31m", "A" * 41])
def test_unfit_names_are_refused(name):
    with pytest.raises(ValueError, match="is no name"):
        Match(games.find("second-story"), 2, names=["Ann", name], how="plain")


def test_names_of_every_script_are_welcome():
    names = ["Éloïse", "李小龍", "🦊 fox"]
    match = Match(games.find("second-story"), 3, names=names, how="plain")
    assert read(notation.write(match)).names == names


def test_the_journal_holds_every_event_and_survives_a_torn_line(tmp_path):
    path = tmp_path / "a.game"
    match = Match(games.find("second-story"), 2, how="plain")
    journal = notation.Journal(path, match)
    dice = random.Random(1)
    while not match.over:
        choice = dice.choice(match.choices)
        actor, text = match.actor, match.say(choice)
        match.play(choice)
        journal.append(actor, text)
        if len(match.history) % 50 == 0:
            assert notation.read_file(path, games.find, "plain").history == match.history
    assert path.read_text() == notation.write(match)
    whole = path.read_bytes()
    path.write_bytes(whole + b"1 conti")
    assert notation.mend(path)
    assert path.read_bytes() == whole
    assert not notation.mend(path)
    assert list(tmp_path.iterdir()) == [path], "nothing else is left behind"
