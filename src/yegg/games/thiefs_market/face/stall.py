"""Cards for sale, with what a seat would pay for them now; and cards that somebody owns."""

from collections.abc import Mapping
from typing import Any

from yegg.games.thiefs_market.cards import (
    CARDS,
    COST,
    LETTER,
    N_CARDS,
    N_GEMS,
    N_LETTERS,
    NAMES,
    POINTS,
    SLUGS,
)
from yegg.games.thiefs_market.deck import GEMS, ICONS, LETTERS
from yegg.games.thiefs_market.state import Phase, Place, State, holder
from yegg.games.thiefs_market.texts import effect_text, heap_text

BUYING = (Phase.LUCK, Phase.AGAIN, Phase.MARKET, Phase.WAIVE, Phase.GOLD, Phase.COPY, Phase.FREE)


def stalls(s: State, seat: int, buyers: Mapping[int, str]) -> list[dict[str, Any]]:
    """TM-4, TM-32: the rows of the market, the oldest deck first.

    While people buy, the place of a card that somebody has bought stays empty.
    """
    rows = []
    sold = buyers if s.phase in BUYING else {}
    for letter in range(N_LETTERS):
        cards = [
            card_fields(c) | {"sold": sold[c]}
            if s.where[c] != Place.MARKET
            else for_sale(s, seat, c)
            for c in range(N_CARDS)
            if LETTER[c] == letter and (c in sold or s.where[c] == Place.MARKET)
        ]
        if cards:
            left = int(s.left[letter])
            note = f"{left} in the deck" if left else "the deck is empty"
            rows.append({"letter": LETTERS[letter], "note": note, "cards": cards})
    return rows


def gems(counts: Any) -> list[str]:
    """Gems one by one."""
    return [GEMS[gem] for gem in range(N_GEMS) for _ in range(int(counts[gem]))]


def card_fields(card: int) -> dict[str, Any]:
    """What is printed on a card."""
    text = effect_text(card)
    return {
        "slug": SLUGS[card],
        "name": NAMES[card],
        "points": int(POINTS[card]),
        "icons": [ICONS[icon] for icon in sorted(CARDS[card].icons)],
        "text": f"{text}.",
    }


def for_sale(s: State, seat: int, card: int) -> dict[str, Any]:
    """A card of the market and how far a seat's dice and Gold reach."""
    kind, dice, coins, short = reach(s, seat, card)
    return card_fields(card) | {
        "cost": gems(COST[card]),
        "reach": kind,
        "dice": dice,
        "coins": coins,
        "short": short,
    }


def reach(s: State, seat: int, card: int) -> tuple[str, int, int, int]:
    """TM-21: ``dice``, ``gold``, ``short``, ``paying`` or ``past``; dice and Gold, gems short."""
    if card == s.buying - 1 and s.phase in (Phase.WAIVE, Phase.GOLD):
        return "paying", 0, 0, 0
    if has_bought(s, seat):
        return "past", 0, 0, 0
    price = int(sum(COST[card]))
    lacking = sum(max(0, int(COST[card, gem] - s.pile[seat, gem])) for gem in range(N_GEMS))
    rebate = int(s.rebate) if seat == s.turn else 0  # TM-68
    coins = max(0, lacking - rebate)
    dice = price - lacking
    gold = int(s.gold[seat])
    if coins > gold:
        return "short", dice, gold, coins - gold
    return ("gold" if coins else "dice"), dice, coins, 0


def has_bought(s: State, seat: int) -> bool:
    """TM-20: whether a seat can buy no more this round: its purchases or its turn are over."""
    if s.phase < Phase.MARKET or s.phase == Phase.OVER or holder(s) < 0:
        return False
    if seat == s.turn:
        return bool(s.phase == Phase.MARKET and s.buys == 0)
    return bool((seat - holder(s)) % s.players < (s.turn - holder(s)) % s.players)


def own_card(s: State, card: int) -> dict[str, Any]:
    """A card that somebody has; a copy (TM-72) says what it is a copy of."""
    by = int(s.acts_as[card])
    fields = card_fields(card)
    if by != card:
        fields |= {"text": f"As {NAMES[by]}: {effect_text(by)}.", "points": int(POINTS[by])}
    return fields | {"used": bool(s.used[card])}


def bill(s: State) -> dict[str, Any]:
    """TM-21: a purchase before it is paid."""
    return {
        "name": NAMES[s.buying - 1],
        "cost": gems(COST[s.buying - 1]),
        "due": gems(s.bill),
        "text": heap_text(s.bill.tolist(), GEMS),
        "waivers": int(s.waivers),
    }
