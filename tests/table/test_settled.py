"""What a person is not asked for: Gold, where dice pay all and nothing else could use them."""

import random
from types import SimpleNamespace

from yegg.engine import Match
from yegg.engine.sequence import with_settled
from yegg.games.thiefs_market.state import Phase
from yegg.table.http.actions import settled
from yegg.table.http.bodies import Choice

TM = "thiefs-market"


def bought(games=40):
    """Every purchase of random games that is paid in Gold or in dice: a match before, the text."""
    found = []
    for seed in range(games):
        match = Match(TM, players=3, seed=seed)
        dice = random.Random(seed)
        while not match.over and len(found) < 200:
            text = dice.choice(list(match.texts))
            ahead = match.fork()
            ahead.play(match.texts[text])
            if text.startswith("buy ") and ahead.state.phase == Phase.GOLD:
                found.append((match.fork(), text))
            match.play(match.texts[text])
    return found


def test_tm_21_gold_is_not_asked_for_where_dice_pay_all_and_nothing_else_uses_them():
    asked = unasked = 0
    for match, text in bought():
        row = with_settled(match, text)
        if row == text:
            asked += 1
            continue
        unasked += 1
        gold, seat = match.state.gold.copy(), match.actor
        assert row[0] == text
        assert all(after.startswith("gold 0 for ") for after in row[1:])
        for after in row:
            match.play(match.texts[after])
        assert match.state.phase != Phase.GOLD
        assert match.state.gold[seat] == gold[seat]
        left = match.texts if match.actor == seat else []
        assert not [text for text in left if text.startswith(("buy", "turn", "spend"))]
    assert asked
    assert unasked


def test_scripts_are_asked_for_everything_and_pages_are_not():
    match, text = next((m, t) for m, t in bought() if with_settled(m, t) != t)
    table = SimpleNamespace(now=SimpleNamespace(acting=lambda: {0: SimpleNamespace(match=match)}))
    for by_cookie in (True, False):
        who = SimpleNamespace(me=SimpleNamespace(by_cookie=by_cookie), seat=lambda _: (table, 0))
        made = settled(who, "key", Choice(text, 7))
        assert made.after == 7
        assert isinstance(made.choice, list) == by_cookie
