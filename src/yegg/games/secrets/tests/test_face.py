"""What the browser's face of Secrets shows: every order, and nothing that is another's secret."""

import random
import re

import pytest

from yegg.engine import Match
from yegg.engine.secrecy import Past, Teller
from yegg.games import find
from yegg.games.secrets.events import event, known
from yegg.games.secrets.face.face import acts, scene, verdict
from yegg.games.secrets.state import POLICEMAN, SECRETS
from yegg.table.domain import faces
from yegg.table.render import renderers

GAME = find("secrets")
NAMES = ["Morgan", "Siveny", "Quill", "Shar", "Bex", "Odo"]


def told(past, seat):
    """The events as the table hands them to a face."""
    turns = [event(s, choice) for s, choice in zip(past.states, past.choices, strict=False)]
    return [known(turn, seat) for turn in turns if turn]


def moments(players, options, seed):
    """A whole game at random: before each event the match and its past."""
    match = Match(GAME, players, options, how="plain")
    dice, past = random.Random(seed), Past([match.states.copy()[0]], [], [])
    while True:
        yield match, past
        if match.over:
            return
        past.actors.append(match.actor)
        choice = dice.choice(match.choices)
        match.follow([choice])
        past.choices.append(choice)
        past.states.append(match.states.copy()[0])


def view(match, past, seat):
    return scene(match.known_to(seat)[0], NAMES[: match.players], seat, told(past, seat))


def other_secrets(match, past, seat):
    """The same game as it would be if the others had hidden other things."""
    twin = match.fork()
    s = twin.state
    for other in range(match.players):
        if other == seat:
            continue
        for piece in range(min(int(s.given[other]), POLICEMAN)):
            if s.turn and s.order[other, piece] > 0:
                s.order[other, piece] = 1 + (s.order[other, piece] % SECRETS)
        if s.rumour[other] & (s.rumour[other] - 1):  # more posts than one are possible
            bits = [i for i in range(s.secrets) if s.rumour[other] >> i & 1]
            s.stood[other] = 1 + bits[0] if s.stood[other] != 1 + bits[0] else 1 + bits[1]
        knows = [int(s.told[other, i]) >> max(0, seat) & 1 for i in range(s.secrets)]
        if seat < 0:
            knows = s.told[other, : s.secrets].tolist()
        unknown = [i for i in range(s.secrets) if not knows[i]]
        if s.hidden and len(unknown) > 1:
            s.value[other, unknown] = s.value[other, unknown][::-1].copy()
    return twin


@pytest.mark.wide(but=["3-no-secret", "3-yes-open", "6-yes-secret"])
@pytest.mark.parametrize("posts", ["secret", "open"])
@pytest.mark.parametrize("hidden", ["no", "yes"])
@pytest.mark.parametrize("players", [3, 6])
def test_se_02_nothing_of_others_secrets_is_on_the_page(players, hidden, posts):
    compared = changed = 0
    options = {"hidden": hidden, "turns": "3", "posts": posts}
    for step, (match, past) in enumerate(moments(players, options, 7)):
        if match.over or step % 4:
            continue
        for seat in (0, players - 1, -1):
            twin = other_secrets(match, past, seat)
            assert view(match, past, seat) == scene(
                twin.known_to(seat)[0], NAMES[:players], seat, told(past, seat)
            )
            compared += 1
            changed += twin.states.tobytes() != match.states.tobytes()
    assert changed > compared / 3, "there were secrets to be kept"


def test_se_21_a_post_in_vain_is_only_the_owner_s():
    game = moments(3, {"turns": "2", "spies": "1"}, 3)
    match, past = next(moment for moment in game if moment[0].state.turn == 2)
    vain = [seat for seat in range(3) if match.state.stood[seat]]
    assert vain
    for seat in vain:
        stood = str(match.state.stood[seat])
        assert view(match, past, seat)["home"]["stood"] == stood
        told = {"name": NAMES[seat], "seat": seat, "post": stood, "next": "must move"}
        assert told in view(match, past, seat)["report"]["posts"]
        for other in {0, 1, 2, -1} - {seat}:
            report = view(match, past, other)["report"]
            assert seat not in [post["seat"] for post in report["posts"]]
            assert NAMES[seat] in report["untold"]
            rows = drawn(match, past, other, []).split("<tr>")
            (row,) = [
                row for row in rows if f"{NAMES[seat]}</span>" in row and "caught nobody" in row
            ]
            assert "caught nobody; where he stood is not told" in row


def test_se_21_the_table_tells_a_face_only_the_posts_that_the_seat_may_know():
    game = moments(3, {"turns": "2", "spies": "1"}, 3)
    match, past = next(moment for moment in game if moment[0].state.turn == 2)
    vain = {seat for seat in range(3) if match.state.stood[seat]}
    teller = Teller(match)
    for seat in (0, 1, 2, -1):
        turns = faces.feed(GAME, teller.hear(match, seat, 80))
        assert turns == told(past, seat)
        assert set(turns[0].posts) == {0, 1, 2} - (vain - {seat})
    match.follow(list(moments(3, {"turns": "2", "spies": "1"}, 3))[-1][0].history[-6:])
    assert match.over
    for seat in (0, 1, 2, -1):
        for turn in faces.feed(GAME, teller.hear(match, seat, 80)):
            assert set(turn.posts) == {0, 1, 2}, "SE-34: in the end everything is shown"


def test_se_21_open_posts_are_on_everybodys_page():
    game = moments(3, {"turns": "2", "spies": "1", "posts": "open"}, 3)
    match, past = next(moment for moment in game if moment[0].state.turn == 2)
    stood = match.state.stood[:3].tolist()
    assert any(stood)
    for seat in (0, 1, 2, -1):
        shown = view(match, past, seat)
        posts = {post["seat"]: (post["post"], post["next"]) for post in shown["report"]["posts"]}
        assert set(posts) == {0, 1, 2}
        assert not shown["report"]["untold"]
        for owner in range(3):
            if stood[owner]:
                assert posts[owner] == (str(stood[owner]), "must move")
            else:
                assert posts[owner][1] == "may stay", "he captured a spy"
        for place in shown["rivals"]:
            assert place["leaves"] == (str(stood[place["seat"]]) if stood[place["seat"]] else "")


def test_se_32_the_report_tells_a_value_to_those_who_met_others_there(table):
    """Morgan's two spies meet at B of Siveny; at C his spy and Quill's meet."""
    for sheet, told in (("B@2 B@2 gA", ""), ("B@2 C@2 gA", "4")):
        game = table(4, spies=2, secrets=3, hidden="yes")
        past = Past([game.match.states.copy()[0]], [], [])
        points = [f"allocate {x} {n}" for x, n in zip("ABC", (38, 3, 4), strict=True)] * 4
        sheets = (sheet, "C@1 C@1 gA", "C@2 A@1 gA", "C@1 C@1 gA")
        orders = [line for seat in range(4) for line in game.lines(seat, sheets[seat])]
        for text in points + orders:
            past.actors.append(game.match.actor)
            past.choices.append(game.match.hear(text))
            game.match.follow(past.choices[-1:])
            past.states.append(game.match.states.copy()[0])
        rows = [r for part in view(game.match, past, 0)["report"]["parts"] for r in part["rows"]]
        met = [r for r in rows if r["who"] == "Morgan" and r["what"] == "frustrated"]
        assert [r["worth"] for r in met] == ([told] if told else ["", ""])
        watched = view(game.match, past, -1)["report"]["parts"][0]["rows"]
        assert not any(r["worth"] for r in watched if r["what"] == "frustrated")


@pytest.mark.parametrize(
    "options", [{}, {"hidden": "yes"}, {"spies": "1", "secrets": "2"}, {"posts": "open"}]
)
def test_every_order_is_a_button(options):
    """What is pressed where it lies, or stands in the dock, is all that is legal, and no more."""
    for match, past in moments(3, {**options, "turns": "3"}, 5):
        if match.over:
            break
        seat, texts = match.actor, match.texts
        page = drawn(match, past, seat, acts(match.known_to(seat)[0], seat, texts))
        before_list = page.partition('class="panel list"')[0]
        due = next((text.split()[0] for text in texts), "")  # the spy whose turn it is
        found = [
            tag.partition('value="')[2].partition('"')[0].replace("*", due)
            for tag in before_list.split("<button ")
            if 'name="choice"' in tag.partition(">")[0] and "aria-disabled" not in tag
        ]
        if due == "allocate":  # those that are seen when the next secret is chosen
            letter = next(iter(texts)).split()[1]
            fit = re.findall(r'<li class="([^"]*)"><button [^>]*value="allocate [*] (\d+)"', page)
            fit = [n for marks, n in fit if f"fit-{letter.lower()}" in marks.split()]
            found = [f"allocate {letter} {n}" for n in fit]
        if 'name="who"' not in page or due == "guards":  # nobody is chosen, who could be sent
            found = [text for text in found if " steals " not in text]
        assert sorted(found) == sorted(texts)
        assert "style=" not in page


def drawn(match, past, seat, listed):
    """The scene as HTML."""
    names = NAMES[: match.players]
    seats = [
        {
            "i": i,
            "name": n,
            "bot": None,
            "free": False,
            "crest": i + 1,
            "turn": True,
            "ready": False,
        }
        for i, n in enumerate(names)
    ]
    faces.keyed(listed)
    t = {"acts": listed, "orders": [], "seat": seat, "names": names, "seats": seats, "log": []}
    t |= {"turn": None, "then": 0, "number": 1, "over": match.over, "begun": True, "odds": True}
    page = renderers.env().get_template("secrets/scene.html")
    return page.render(t=t, scene=view(match, past, seat))


def test_a_scene_can_be_drawn_for_everybody_at_every_moment():
    for step, (match, past) in enumerate(moments(4, {"hidden": "yes", "turns": "3"}, 2)):
        if match.over or step % 5 == 0:
            for seat in (-1, 0, 3):
                assert "</section>" in drawn(match, past, seat, [])


def test_se_34_at_the_end_everything_is_shown():
    match, past = list(moments(3, {"hidden": "yes"}, 9))[-1]
    shown = view(match, past, 1)
    assert shown["phase"] == "over"
    assert shown["home"] is None
    for place in shown["rivals"]:
        values = [int(letter["worth"]) for letter in place["secrets"]]
        assert values == match.state.value[place["seat"]].tolist()
        assert sum(values) == 45
    assert not any(points["more"] for points in shown["points"])
    assert len(shown["report"]["posts"]) == 3
    assert "SE-20" in verdict(match.state, NAMES[:3])


def test_se_10_the_report_tells_what_became_of_every_spy(table):
    game = table(3, turns=2, spies=2)
    past = Past([game.match.states.copy()[0]], [], [])
    sheets = ["9@2 8@2 g1", "9@3 8@3 g9", "8@2 7@1 g9"]
    for sheet in sheets:
        for text in lines(sheet):
            past.actors.append(game.match.actor)
            choice = game.match.hear_recorded(text)
            past.choices.append(choice)
            game.match.follow([choice])
            past.states.append(game.match.states.copy()[0])
    shown = view(game.match, past, 0)["report"]
    rows = {(r["who"], r["spy"]): r for part in shown["parts"] for r in part["rows"]}
    assert rows["Morgan", "club"]["what"] == "captured"
    assert rows["Morgan", "club"]["winner"] == "Siveny"
    assert rows["Morgan", "diamond"]["what"] == "frustrated"
    assert rows["Siveny", "diamond"]["points"] == "+8"
    assert rows["Quill", "diamond"]["tone"] == "bad"
    assert shown["parts"][0]["title"] == "Your spies: 0 points, 1 captured"
    assert shown["parts"][1]["title"] == "You lost 1 secret"


def lines(sheet):
    """An order sheet of two spies in the record's words."""
    club, diamond, post = sheet.split()
    return [
        f"club steals {club[0]} from {club[2]}",
        f"diamond steals {diamond[0]} from {diamond[2]}",
        f"guards {post[1]}",
    ]
