"""The moments of each game that have a look of their own."""

from yegg.engine import Match
from yegg.games.magnate.state import Phase as Trade
from yegg.games.magnate.state import Place
from yegg.games.second_story.state import Choice as Job
from yegg.games.second_story.state import Phase as Night
from yegg.games.thiefs_market.state import Phase as Loot
from yegg.games.thiefs_market.state import Place as Spot
from yegg.parts.decktet import KIND, Kind

from .laid import Moment


def can(*words):
    """Whether each of the words begins one of the choices."""
    return lambda m: all(any(text.startswith(word) for text in m.texts) for word in words)


def over(m: Match) -> bool:
    return m.over


def deep(events):
    """Whether so much has happened already."""
    return lambda m: len(m.history) >= events


def both(*tests):
    return lambda m: all(test(m) for test in tests)


def night(phase, houses=1):
    """Second Story: this is asked, after so many houses of the night."""
    return lambda m: m.state.phase == phase and m.state.turned >= houses


def failed(nights):
    """Second Story: so many nights have failed one after the other since somebody last chose."""

    def when(m):
        last = max((i for i, seat in enumerate(m.actors) if seat >= 0), default=0)
        turns = (m.state.turn - m.actors[last]) % m.players
        return turns == nights and m.history[last] != Job.STOP and deep(40)(m)

    return when


def tenement(m: Match) -> bool:
    return m.state.phase == Night.PLAN and KIND[m.state.house] >= Kind.PAWN


def loot(phase):
    """Thief's Market: this is asked."""
    return lambda m: m.state.phase == phase and len(m.history) > 60


def crowded(m: Match) -> bool:
    """Thief's Market: ten cards are for sale."""
    return m.state.phase == Loot.MARKET and sum(m.state.where == Spot.MARKET) >= 10


def trade(phase, events=60):
    """Magnate: this is asked, when there is something in the duchy."""
    return lambda m: m.state.phase == phase and len(m.history) >= events


def built(many):
    """Magnate: so many properties of one player lie at one district."""
    return lambda m: m.state.phase == Trade.CARD and m.state.nth.max() >= many


def counted(m: Match) -> bool:
    """Magnate: each player can know a card of the other's hand by counting."""
    return all((m.state.where == Place.OPEN + seat).sum() > 1 - seat for seat in range(2))


def sheet(turn, piece=0):
    """Secrets: the first seat writes this order in this turn."""
    return lambda m: m.actor == 0 and m.state.turn == turn and m.state.given[0] == piece


SS, TM, MG, SE = "second-story", "thiefs-market", "magnate", "secrets"
ON = ("continue", "quick", "take")
ALL_CARDS = (("excuse", "yes"), ("pawns", "yes"), ("courts", "yes"))
DECLINE = (*ALL_CARDS, ("decline", "yes"))
PROMOS = (("promos", "yes"), ("open-infamy", "yes"))
HIDDEN = (("hidden", "yes"),)
BUYING = ("buy", "take-all", "take", "gold", "turn", "waive", "copy", "exchange")
LAYING = ("deed", "develop", "pay", "end", "collect")

MOMENTS = [
    Moment(SS, "plan", 4, both(night(Night.PLAN, 3), deep(60)), likes=ON),
    Moment(SS, "suit", 4, both(night(Night.TAKE, 2), deep(60)), likes=ON),
    Moment(SS, "crown", 3, both(can("risk", "flee"), deep(60)), likes=(*ON, "excuse")),
    Moment(SS, "excuse", 3, can("excuse", "flee"), ALL_CARDS, ON),
    Moment(SS, "tenement", 5, both(tenement, deep(40)), ALL_CARDS, ON),
    Moment(SS, "road", 4, both(night(Night.ROAD, 2), deep(60)), likes=ON),
    Moment(SS, "street", 2, night(Night.PLAN, 9), ALL_CARDS, ON),
    Moment(SS, "last-night", 5, lambda m: m.state.last_turns > 0, eyes="another", likes=ON),
    Moment(SS, "watching", 2, deep(30), eyes="nobody"),
    Moment(SS, "failed", 3, failed(1), likes=ON),
    Moment(SS, "failed-twice", 4, failed(2), likes=(*ON, "flee"), eyes="another"),
    Moment(SS, "decline", 3, both(night(Night.TAKE, 2), can("leave"), deep(40)), DECLINE, ON),
    Moment(SS, "over", 4, over),
    Moment(TM, "split", 4, both(loot(Loot.SPLIT), can("steal"))),
    Moment(TM, "take", 5, loot(Loot.TAKE)),
    Moment(TM, "return", 4, both(loot(Loot.RETURN), can("done")), likes=("steal",)),
    Moment(TM, "luck", 3, loot(Loot.LUCK), likes=BUYING),
    Moment(TM, "market", 4, both(loot(Loot.MARKET), deep(120), can("buy", "done")), likes=BUYING),
    Moment(TM, "turn", 3, both(loot(Loot.MARKET), can("turn", "buy")), likes=BUYING),
    Moment(TM, "spend", 3, both(loot(Loot.MARKET), can("spend")), likes=BUYING),
    Moment(TM, "exchange", 3, both(loot(Loot.MARKET), can("exchange")), PROMOS, BUYING),
    Moment(TM, "gold", 4, loot(Loot.GOLD), likes=BUYING),
    Moment(TM, "waive", 3, loot(Loot.WAIVE), PROMOS, BUYING),
    Moment(TM, "copy", 3, loot(Loot.COPY), PROMOS, BUYING),
    Moment(TM, "crowded", 5, crowded, PROMOS, ("done", "take-all")),
    Moment(TM, "other", 5, loot(Loot.SPLIT), eyes="another"),
    Moment(TM, "watching", 3, loot(Loot.MARKET), eyes="nobody"),
    Moment(TM, "over", 4, over, likes=BUYING),
    Moment(MG, "card", 2, trade(Trade.CARD, 110), likes=LAYING),
    Moment(MG, "first", 2, trade(Trade.CARD, 0)),
    Moment(MG, "trade", 2, both(trade(Trade.CARD), can("trade", "add")), likes=LAYING),
    Moment(MG, "pay", 2, trade(Trade.PAY), (("courts", "yes"),), LAYING),
    Moment(MG, "collect", 2, trade(Trade.COLLECT), likes=("deed", "end")),
    Moment(MG, "full", 2, built(4), likes=("develop", "add", "deed")),
    Moment(MG, "counted", 2, both(trade(Trade.CARD), counted), likes=LAYING),
    Moment(MG, "counted-watching", 2, counted, likes=LAYING, eyes="nobody"),
    Moment(MG, "rest", 2, trade(Trade.REST), (("districts", "aces"),), LAYING),
    Moment(MG, "courts", 2, trade(Trade.CARD, 130), (("courts", "yes"),), LAYING),
    Moment(MG, "automa", 1, trade(Trade.PLACE, 40), (("automa", "hard"),), LAYING),
    Moment(MG, "other", 2, trade(Trade.CARD, 90), (("districts", "4"),), LAYING, "another"),
    Moment(MG, "watching", 2, trade(Trade.CARD, 90), eyes="nobody", likes=LAYING),
    Moment(MG, "over", 2, over, likes=LAYING),
    Moment(SE, "orders", 4, sheet(3), eyes="actor", orders=3),
    Moment(SE, "policeman", 3, sheet(2), orders=4),
    Moment(SE, "ready", 4, sheet(2), eyes="another", orders=5),
    Moment(SE, "six", 6, sheet(4), orders=1),
    Moment(SE, "spread", 3, sheet(0), HIDDEN, orders=4),
    Moment(SE, "hidden", 4, sheet(3), HIDDEN, orders=2),
    Moment(SE, "posts", 6, sheet(3), (*HIDDEN, ("posts", "open")), orders=2),
    Moment(SE, "watching", 3, sheet(2), eyes="nobody"),
    Moment(SE, "over", 4, over),
]
