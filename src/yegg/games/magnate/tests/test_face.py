"""Magnate in the browser: nothing hidden is shown, and every choice has its button."""

import random
import re
from html import unescape

import pytest

from yegg.engine import CHANCE, Match
from yegg.engine.secrecy import Teller
from yegg.games.magnate import GAME
from yegg.games.magnate.events import event
from yegg.games.magnate.face import face
from yegg.games.magnate.state import Phase, Place
from yegg.parts.decktet import SLUGS
from yegg.table.domain import faces
from yegg.table.render import renderers

from .setting import Table

VARIANTS = [
    (2, {}),
    (2, {"courts": "yes", "districts": "aces", "deed-suits": "each"}),
    (2, {"income": "fallback", "districts": "4", "excuse-start": "aces"}),
    (2, {"income": "one-die", "poorest": "ignored", "ace-total": "one"}),
    (1, {"automa": "easy"}),
    (1, {"automa": "hard", "courts": "yes"}),
]


def told_to(past, match, seat):
    """The newest events as a seat may know them."""
    return faces.feed(GAME, past.hear(match, seat, 80))


def page(s, names, seat, legal, told):
    """The scene as the browser gets it."""
    listed = faces.acts(GAME, s, seat, legal) if legal else []
    line = {"mine": bool(legal), "line": "line", "asks": "asks", "seat": max(seat, 0)}
    seats = [{"i": i, "name": name, "bot": None, "crest": i + 1} for i, name in enumerate(names)]
    t = {
        "seat": seat, "seats": seats, "names": names, "acts": listed, "number": 1, "log": [],
        "begun": True, "over": s.phase == Phase.OVER, "turn": line,
    }  # fmt: skip
    scene = faces.scene(GAME, s, names, seat, told)
    return unescape(renderers.env().get_template("magnate/scene.html").render(t=t, scene=scene))


def pressed(html):
    """What can be pressed that is legal."""
    buttons = re.findall(r"<button[^>]*>", html)
    legal = [b for b in buttons if "aria-disabled" not in b]
    return {re.search(r'value="([^"]*)"', b)[1] for b in legal}


@pytest.mark.wide(but=["1-options5"])
@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_every_choice_can_be_pressed_and_no_other_hand_is_there(players, options):
    dice = random.Random(str(options))
    match = Match(GAME, players, options, names=["Ann", "Bob"][:players])
    seen, past = set(), Teller(match)
    while not match.over:
        s, actor = match.state, match.actor
        if actor != CHANCE and (s.phase not in seen or dice.random() < 0.04):
            seen.add(int(s.phase))
            for seat in range(-1, players):
                look(past, match, seat)
        match.play(dice.choice(match.choices))
    assert {Phase.CARD, Phase.REST} <= seen
    for seat in range(-1, players):
        look(past, match, seat)


def look(past, match, seat):
    """One seat's page at this moment."""
    s = match.known_to(seat)[0]
    legal = match.texts if seat == match.actor else {}
    html = page(s, match.names, seat, legal, told_to(past, match, seat))
    assert pressed(html) == set(legal)
    ids = re.findall(r'\bid="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    ways = re.findall(r'<input[^>]* name="way"[^>]*>', html)
    assert all('aria-label="' in way for way in ways), "labels are hidden on small screens"
    assert "style=" not in html
    if not match.over:
        for card, where in enumerate(match.state.where):
            if where in (Place.PILE, *(Place.HAND + i for i in range(2) if i != seat)):
                assert not re.search(rf"\b{SLUGS[card]}\b", html), (SLUGS[card], seat)


def test_the_way_that_is_marked_is_a_possible_one():
    table = Table().set(
        "1 the-excuse: the-soldier",
        hand="the-battle the-journey ace-of-suns",
        tokens="3 wyrms 1 knots",
    )
    scene = face.scene(table.s, ["Ann", "Bob"], 0, [])
    ways = {card["card"]: [way["how"] for way in card["hows"]] for card in scene["hand"]}
    assert scene["chosen"] == "the-battle-develop"
    assert ways == {"the-battle": ["develop", "deed"], "the-journey": [], "ace-of-suns": []}


def roll_of(table, *texts):
    """What the scene says of the roll after these events."""
    told = []
    for text in texts:
        told.append(event(table.s, table.legal[text]))
        table.do(text)
    return face.scene(table.s, ["Ann", "Bob"], 0, [happened for happened in told if happened])[
        "roll"
    ]


def test_the_roll_tells_who_was_paid_and_not_what_was_built_since():
    rows = {(1, "the-excuse"): "the-soldier", (2, "the-excuse"): "the-forest"}
    rolled = roll_of(Table().set(rows=rows).rolls(), "roll 3", "roll 1", "tax suns")
    assert (rolled["dice"], rolled["tax"]) == ([1, 3], "suns")
    assert rolled["pays"]["says"] == "There are none of rank 3: nobody collects."
    ones = roll_of(Table().set(rows=rows).rolls(), "roll 1", "roll 1", "tax suns")
    assert ones["pays"]["says"] == "There are no Aces: nobody collects."
    rolled = roll_of(Table().set(rows=rows).rolls(), "roll 5", "roll 2")
    assert (rolled["dice"], rolled["tax"]) == ([2, 5], "")
    assert rolled["pays"]["says"] == "The Soldier and the Forest."
    table = Table().set("2 the-excuse: the-forest", hand="the-soldier", tokens="3 wyrms 2 knots")
    rolled = roll_of(table.rolls(), "roll 5", "roll 2", "develop the-soldier at the-excuse")
    assert rolled["pays"]["says"] == "The Forest."


def test_mg_12_the_roll_tells_which_die_paid():
    rows = {(1, "the-excuse"): "the-soldier"}
    fallback = roll_of(Table(income="fallback").set(rows=rows).rolls(), "roll 5", "roll 9")
    assert (fallback["dice"], fallback["pays"]["head"]) == ([5, 9], "5: properties pay.")
    higher = roll_of(Table().set(rows=rows).rolls(), "roll 5", "roll 9")
    assert higher["pays"]["head"] == "9: properties pay."
    one = roll_of(Table(income="one-die").set(rows=rows).rolls(), "roll 5")
    assert (one["dice"], one["pays"]["says"]) == ([5], "The Soldier.")


def test_the_verdict_names_what_decided():
    table = Table().set("1 the-excuse: the-soldier")
    says = "Ann has 1 district, against 0; the closest was the Excuse, 5 to 0. (MG-61)"
    assert face.verdict(table.s, ["Ann", "Bob"]) == says
    table = Table().set(their_tokens="2 suns")
    says = "Both won 0 districts. Bob has 2 tokens left, against 0. (MG-62)"
    assert face.verdict(table.s, ["Ann", "Bob"]) == says


def test_a_hand_that_is_shown_is_said_to_follow_by_counting():
    table = Table().set(hand="the-soldier", theirs="the-castle the-pact")
    names = ["Ann", "Bob"]
    assert "by counting" not in page(table.s, names, 0, {}, [])
    for slug in ("the-castle", "the-pact"):
        table.s.where[SLUGS.index(slug)] = Place.OPEN + 1
    assert "You can know this by counting:" in page(table.s, names, 0, {}, [])
    theirs = page(table.s, names, 1, {}, [])
    assert "Ann can know this by counting: the Castle and the Pact." in theirs
    assert "Both players can know this by counting:" in page(table.s, names, -1, {}, [])
    table.s.phase = Phase.OVER
    assert "by counting" not in page(table.s, names, 0, {}, [])


def test_tokens_are_named_in_the_singular_and_the_plural():
    table = Table().set(
        hand="the-mill ace-of-moons the-merchant",
        tokens="1 moons 2 waves 4 leaves 3 knots",
        their_tokens="1 leaves",
    )
    html = page(table.s, ["Ann", "Bob"], 0, table.legal, [])
    for words in ("get 2 moons", "get 1 wave and 1 leaf", "get 1 leaf and 1 knot"):
        assert words in html, words
    for words in ('1<span class="vh"> moon</span>', '4<span class="vh"> leaves</span>'):
        assert words in html, words
    assert not re.search(r"\b1(<[^>]*>)? (moons|suns|waves|leaves|wyrms|knots)\b", html)


@pytest.mark.parametrize(
    ("rows", "tokens"),
    [
        ({(1, "the-excuse"): "the-mountain"}, "2 moons 2 suns"),
        ({(1, "the-excuse"): "the-mountain", (1, "the-harvest"): "the-pact"}, "1 moons 3 suns"),
    ],
    ids=["one deed", "two deeds of the same suits"],
)
def test_mg_40_a_token_for_a_deed_keeps_its_key(rows, tokens):
    deeds = dict.fromkeys(rows, "")
    table = Table().set(hand="the-author", tokens=tokens, rows=rows, deeds=deeds)

    def keys():
        listed = face.acts(table.s, 0, table.legal)
        return {act["text"]: act["key"] for act in listed if act["at"] == "add"}

    before = keys()
    table.do(next(text for text in before if "moon" in text))
    after = keys()
    assert len(set(before.values())) == len(before) == 2 * len(rows)
    assert len(after) >= len(rows)
    assert after == {text: before[text] for text in after}


@pytest.mark.parametrize(
    ("at_harvest", "keys"),
    [("ace-of-suns", {"pv", "ps"}), ("the-mill", {"pbv", "phv"})],  # two deeds take waves
)
def test_mg_40_a_token_for_a_deed_has_letters_as_keys_and_no_number(at_harvest, keys):
    table = Table().set(
        hand="the-author",
        tokens="2 waves 2 suns",
        rows={(1, "the-borderland"): "the-sailor", (1, "the-harvest"): at_harvest},
        deeds={(1, "the-borderland"): "", (1, "the-harvest"): ""},
    )
    listed = [act for act in face.acts(table.s, 0, table.legal) if act["at"] == "add"]
    assert {act["key"] for act in listed} == keys
