"""Thief's Market in the browser: piles above, the loot in the middle, cards for sale below."""

from collections.abc import Mapping, Sequence
from typing import Any

from yegg.games.thiefs_market.cards import (
    CARDS,
    COST,
    EFFECT,
    LETTER,
    N_CARDS,
    N_GEMS,
    N_LETTERS,
    NAMES,
    OBJECTS,
    POINTS,
    SLUGS,
)
from yegg.games.thiefs_market.deck import GEMS, ICONS, LETTERS, Effect
from yegg.games.thiefs_market.events import Bought, Return, Rolled, Theft, Told
from yegg.games.thiefs_market.scoring import (
    card_points,
    cards_of,
    gold_award,
    henchmen_award,
    score,
    standing,
)
from yegg.games.thiefs_market.state import Phase, Place, State, holder, icons, objects, owns
from yegg.games.thiefs_market.texts import effect_text, heap_text, icons_text

from .acts import acts, picks, spot

__all__ = ["acts", "scene", "verdict"]

BEATS = {
    "deal",
    "roll",
    "take",
    "take-all",
    "steal",
    "buy",
}  # each begins a beat of the show

IN_USE = (Effect.TURN, Effect.SPEND, Effect.EXCHANGE)
SPLIT = (Phase.ROLL, Phase.SPLIT, Phase.TAKE, Phase.RETURN)


def scene(s: State, names: Sequence[str], seat: int, told: Sequence[Told]) -> dict[str, Any]:
    """The position as plain fields; of Infamy only what lies open (TM-6)."""
    phase, turn = Phase(s.phase), int(s.turn)
    mine = seat if seat >= 0 else turn
    robbed, back = theft(told) if phase == Phase.RETURN else (-1, [])
    return {
        "phase": phase.name.lower(),
        "round": int(s.rounds),
        "decks": decks(s),
        "splitting": phase in SPLIT,
        "turn": turn,
        "acting": names[turn],
        "centre": heap(s.centre),
        "loose": int(s.loose) - sum(kind != "marker" for kind in back if not s.fixed),
        "back": back,
        "rerolled": not s.fixed,
        "robbed": robbed,
        "pile": heap(s.pile[turn]),
        "picks": picks(s),
        "spot": spot(s),
        "seats": [place(s, i, seat) for i in range(s.players)],
        "owner": mine,
        "cards": [own_card(s, card) for card in hand(s, mine)],
        "stalls": stalls(s, mine, buyers(told, names)),
        "bought": has_bought(s, mine),
        "means": means(s, mine),
        "bill": bill(s) if phase in (Phase.WAIVE, Phase.GOLD) else None,
        "buys": int(s.buys),
        "rebate": int(s.rebate),
        "notoriety": notoriety(s, names) if phase == Phase.OVER else [],
    }


def decks(s: State) -> list[dict[str, Any]]:
    """TM-31 … TM-33: the cards still to come of each deck, and which is being dealt from."""
    return [
        {"letter": letter, "left": int(s.left[i]), "now": i == s.deck}
        for i, letter in enumerate(LETTERS)
    ]


def means(s: State, seat: int) -> str:
    """TM-21: what a seat pays with: ``2 red and 1 Gold``; "" if it is nothing."""
    there = [*s.pile[seat, :N_GEMS].tolist(), int(s.gold[seat])]
    return heap_text(there, (*GEMS, "Gold")) if any(there) else ""


def heap(counts: Any) -> list[str]:
    """Objects one by one, each by its kind: gems, bags, masks, the marker last."""
    return [kind for kind, n in zip(OBJECTS, counts, strict=True) for _ in range(int(n))]


def theft(told: Sequence[Told]) -> tuple[int, list[str]]:
    """TM-12: who is being robbed (-1: not told), and what has gone back of the pile, in order."""
    back: list[str] = []
    for event in reversed(told):
        if isinstance(event, Theft):
            return event.victim, back[::-1]
        if isinstance(event, Return):
            back.append(OBJECTS[event.kind])
    return -1, back[::-1]


def buyers(told: Sequence[Told], names: Sequence[str]) -> dict[int, str]:
    """TM-20: who has bought which card of the market since the dice were rolled."""
    bought: dict[int, str] = {}
    for event in told:
        if isinstance(event, Rolled):
            bought = {}
        elif isinstance(event, Bought):
            bought[event.card] = names[event.buyer]
    return bought


def hand(s: State, who: int) -> list[int]:
    """The cards of a player, first those that are yet to be put to use this round."""
    cards = [card for card in range(N_CARDS) if owns(s, who, card)]
    return sorted(cards, key=lambda card: s.used[card] or EFFECT[s.acts_as[card]] not in IN_USE)


def place(s: State, who: int, seat: int) -> dict[str, Any]:
    """What lies before a player; Infamy as None where it is face down."""
    seen = who == seat or bool(s.open_infamy) or s.phase == Phase.OVER
    counts = [(i, int(icons(s, who, i))) for i in range(len(ICONS))]
    return {
        "i": who,
        "gold": int(s.gold[who]),
        "infamy": int(s.infamy[who]) if seen else None,
        "icons": [{"icon": ICONS[i], "n": n, "says": icons_text(n, i)} for i, n in counts if n],
        "cards": [own_card(s, card) for card in hand(s, who)],
        "pile": heap(s.pile[who]),
        "to_split": s.phase in SPLIT and objects(s, who) == 0,
    }


def notoriety(s: State, names: Sequence[str]) -> list[dict[str, Any]]:
    """TM-42: where everybody's points come from, the winner first."""
    order = sorted(range(s.players), key=lambda who: -standing(s, who))
    return [
        {
            "i": who,
            "name": names[who],
            "parts": [
                int(card_points(s, who)),
                int(s.infamy[who]),
                int(henchmen_award(s, who)),
                int(gold_award(s, who)),
            ],
            "total": int(score(s, who)),
            "cards": int(cards_of(s, who)),
        }
        for who in order
    ]


SCORED = "Notoriety", "Notoriety"


def verdict(s: State, names: Sequence[str]) -> str:
    """TM-42, TM-43: what decided."""
    first, second = sorted(range(s.players), key=lambda who: -standing(s, who))[:2]
    ours, theirs = score(s, first), score(s, second)
    if ours != theirs:
        return f"{names[first]} has {ours} Notoriety, {names[second]} {theirs}. (TM-42)"
    both = f"{names[first]} and {names[second]} both have {ours} Notoriety"
    more, fewer = cards_of(s, first), cards_of(s, second)
    if more != fewer:
        return f"{both}; the cards decide: {more} against {fewer}. (TM-43)"
    if s.infamy[first] != s.infamy[second]:
        tokens = f"{int(s.infamy[first])} against {int(s.infamy[second])}"
        return f"{both} and {more} cards; the Infamy decides: {tokens}. (TM-43)"
    return f"{both}, as many cards and as much Infamy. (TM-43)"


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
