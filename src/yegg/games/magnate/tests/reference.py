"""Magnate's rules a second time: slow, obvious, in the words of the record, from the clauses alone.

Knows nothing of the package but the deck's table.  Used to check the real rules.
"""

import csv
from importlib.resources import files

SUITS = ["moons", "suns", "waves", "leaves", "wyrms", "knots"]
with (files("yegg.parts") / "decktet.csv").open(encoding="utf-8") as file:
    CARDS = {card["slug"]: card for card in csv.DictReader(file)}
SUITS_OF = {slug: [s for s in card["suits"].split("+") if s] for slug, card in CARDS.items()}
PAWNS = ["the-watchman", "the-borderland", "the-harvest", "the-light-keeper"]


def kind(slug):
    return CARDS[slug]["kind"]


def rank(slug):
    return {"ace": 1, "court": 10}.get(kind(slug)) or int(CARDS[slug]["rank"])


def cost(slug):
    return 3 if kind(slug) == "ace" else rank(slug)


class Magnate:
    """Follows a record's events and says what is legal."""

    def __init__(self, options):
        self.options = options
        self.solo = options.get("automa", "no") != "no"
        homes = options.get("districts", "5")
        aces = [f"ace-of-{suit}" for suit in SUITS]
        self.homes = {"5": [*PAWNS[:2], "the-excuse", *PAWNS[2:]], "4": PAWNS, "aces": aces}[homes]
        kinds = {"ace", "number"} | ({"court"} if options.get("courts") == "yes" else set())
        self.pile = {slug for slug in CARDS if kind(slug) in kinds and slug not in self.homes}
        self.crowns = {1: [], 2: []}
        self.hands = {1: [], 2: []}
        self.tokens = {seat: dict.fromkeys(SUITS, 0) for seat in (1, 2)}
        self.rows = {(seat, home): [] for seat in (1, 2) for home in self.homes}
        self.deeds = {}  # (seat, home): tokens on it
        self.discards = set()
        self.run = 1  # of the pile
        self.final = None  # final turns left
        self.turn = 1
        self.over = False
        # what must happen before the active player goes on
        self.script = [("crown", seat) for seat in (1, 1, 1, 2, 2, 2)]
        self.script += [("deal", seat) for seat in (1, 1, 1, 2, 2, 2)]
        self.start_turn()

    def start_turn(self):
        self.dice, self.played = [], False
        self.script += ["roll"] if self.options.get("income") == "one-die" else ["roll", "roll"]

    # What is legal

    def actor(self):
        if self.over:
            return -1
        if not self.script:
            return self.turn
        step = self.script[0]
        if step[0] == "collect":
            return step[1]
        return self.turn if step[0] in ("pay", "place") else 0

    def legal(self):
        if self.over:
            return set()
        if self.script:
            return set(self.due(self.script[0]))
        return set(self.moves())

    def due(self, step):
        match step:
            case "roll":
                return [f"roll {n}" for n in range(1, 11)]
            case "tax":
                return [f"tax {suit}" for suit in SUITS]
            case ("crown", seat):
                left = {slug for slug in CARDS if kind(slug) == "crown"}
                left -= {*self.crowns[1], *self.crowns[2]}
                return [f"crown {seat} {slug}" for slug in left]
            case ("deal" | "draw" as verb, seat):
                return [f"{verb} {seat} {slug}" for slug in self.pile]
            case ("collect", _, slug):
                return [f"collect {suit} for {slug}" for suit in SUITS_OF[slug]]
            case ("pay", slug, suits, left):
                return [f"pay {n} {suits[0]}" for n in self.payments(suits, left)]
            case ("place", slug):
                return [f"place {slug} at {home}" for home in self.automa_homes(slug)]

    def payments(self, suits, left):
        mine = self.tokens[self.turn]
        return [
            n
            for n in range(1, mine[suits[0]] + 1)
            if len(suits) - 1 <= left - n <= sum(mine[suit] for suit in suits[1:])
            and (len(suits) > 1 or n == left)
        ]

    def fits(self, seat, slug, home):
        if (seat, home) in self.deeds:
            return False
        if not self.rows[seat, home] and home == "the-excuse":
            return self.options.get("excuse-start") != "aces" or kind(slug) == "ace"
        return bool(set(SUITS_OF[slug]) & set(SUITS_OF[self.previous(seat, home)]))

    def previous(self, seat, home):
        return [home, *self.rows[seat, home]][-1]

    def automa_homes(self, slug):
        homes = [home for home in self.homes if self.fits(2, slug, home)]
        if self.options["automa"] == "hard":
            hot = set(SUITS_OF[slug]) & {SUITS_OF[crown][0] for crown in self.crowns[2]}
            by_crown = [home for home in homes if hot & set(SUITS_OF[self.previous(2, home)])]
            return by_crown or homes  # the Excuse has no suit: no match
        return homes

    def moves(self):
        mine = self.tokens[self.turn]
        for give in SUITS:
            if mine[give] >= 3:
                yield from (f"trade {give} for {get}" for get in SUITS if get != give)
        for (seat, home), put in self.deeds.items():
            if seat == self.turn:
                slug = self.rows[seat, home][-1]
                for suit in SUITS_OF[slug]:
                    if mine[suit] and self.room(slug, put, suit):
                        yield f"add {suit} to {slug}"
        if self.played:
            yield "end"
            return
        for slug in self.hands[self.turn]:
            yield f"sell {slug}"
            each = all(mine[suit] for suit in SUITS_OF[slug])
            for home in self.homes:
                if each and self.fits(self.turn, slug, home):
                    yield f"deed {slug} at {home}"
                    if sum(mine[suit] for suit in SUITS_OF[slug]) >= cost(slug):
                        yield f"develop {slug} at {home}"

    def room(self, slug, put, suit):
        if self.options.get("deed-suits") != "each":
            return True
        after = {**put, suit: put[suit] + 1}
        missing = [each for each in SUITS_OF[slug] if not after[each]]
        return sum(after.values()) + len(missing) <= cost(slug)

    # What happens

    def play(self, text):
        words = text.split()
        if self.script:
            self.follow(self.script.pop(0), words)
        else:
            self.move(words)

    def follow(self, step, words):
        match words:
            case ["roll", n]:
                self.dice.append(int(n))
                if "roll" not in self.script:
                    self.script += ["tax"] if 1 in self.dice else []
                    if 1 not in self.dice:
                        self.collect()
            case ["tax", suit]:
                for purse in self.tokens.values():
                    purse[suit] = min(purse[suit], 1)
                self.collect()
            case ["crown", seat, slug]:
                self.crowns[int(seat)].append(slug)
                if seat == "1" or not self.solo:
                    self.tokens[int(seat)][SUITS_OF[slug][0]] += 1
            case ["deal" | "draw", seat, slug]:
                self.pile.remove(slug)
                self.hands[int(seat)].append(slug)
            case ["collect", suit, "for", _]:
                self.tokens[step[1]][suit] += 1
            case ["pay", n, suit]:
                self.spend(suit, int(n))
                self.pay(step[1], step[2][1:], step[3] - int(n))
            case ["place", slug, "at", home]:
                self.rows[2, home].append(slug)

    def gains(self, number):
        """What a die gives: (seat, suit), or (seat, deed) with a choice."""
        for seat in [1] if self.solo else [self.turn, 3 - self.turn]:
            if number == 10:
                yield from ((seat, SUITS_OF[crown][0]) for crown in self.crowns[seat])
            for home in self.homes:
                for slug in self.rows[seat, home]:
                    if kind(slug) == "court" or rank(slug) != number:
                        continue
                    deed = (seat, home) in self.deeds and slug == self.rows[seat, home][-1]
                    if deed and len(SUITS_OF[slug]) > 1:
                        yield seat, slug
                    else:
                        yield from ((seat, suit) for suit in SUITS_OF[slug])

    def collect(self):
        gains = list(self.gains(max(self.dice)))
        if not gains and self.options.get("income") == "fallback":
            gains = list(self.gains(min(self.dice)))
        for seat, what in gains:
            if what in SUITS:
                self.tokens[seat][what] += 1
            else:
                self.script.append(("collect", seat, what))

    def spend(self, suit, n):
        self.tokens[self.turn][suit] -= n
        assert self.tokens[self.turn][suit] >= 0

    def pay(self, slug, suits, left):
        while suits:
            choices = self.payments(suits, left)
            if len(choices) > 1:
                self.script.insert(0, ("pay", slug, suits, left))
                return
            self.spend(suits[0], choices[0])
            suits, left = suits[1:], left - choices[0]
        assert left == 0

    def move(self, words):
        match words:
            case ["trade", give, "for", get]:
                self.spend(give, 3)
                self.tokens[self.turn][get] += 1
            case ["add", suit, "to", slug]:
                spot = next(k for k in self.deeds if self.rows[k][-1:] == [slug])
                self.spend(suit, 1)
                self.deeds[spot][suit] += 1
                if sum(self.deeds[spot].values()) == cost(slug):
                    del self.deeds[spot]
            case ["sell", slug]:
                self.leave_hand(slug)
                for suit in SUITS_OF[slug]:
                    self.tokens[self.turn][suit] += 2 if kind(slug) == "ace" else 1
                homes = self.automa_homes(slug) if self.solo else []
                if len(homes) > 1:
                    self.script.append(("place", slug))
                elif homes:
                    self.rows[2, homes[0]].append(slug)
                else:
                    self.discards.add(slug)
            case ["deed", slug, "at", home]:
                self.leave_hand(slug)
                for suit in SUITS_OF[slug]:
                    self.spend(suit, 1)
                self.rows[self.turn, home].append(slug)
                self.deeds[self.turn, home] = dict.fromkeys(SUITS, 0)
            case ["develop", slug, "at", home]:
                self.leave_hand(slug)
                self.rows[self.turn, home].append(slug)
                self.pay(slug, SUITS_OF[slug], cost(slug))
            case ["end"]:
                self.end()

    def leave_hand(self, slug):
        self.hands[self.turn].remove(slug)
        self.played = True

    def end(self):
        if self.final is not None:
            self.final -= 1
            self.over = self.final == 0
        else:
            self.draw()
        if not self.over:
            if not self.solo:
                self.turn = 3 - self.turn
            self.start_turn()

    def draw(self):
        last_run = 1 if self.solo else 2
        if not self.pile and self.run < last_run:
            self.run += 1
            self.pile, self.discards = self.discards, set()
        if self.pile:
            self.script.append(("draw", self.turn))
        if len(self.pile) <= 1 and self.run == last_run:
            self.final = 1 if self.solo else 2

    # What it counts

    def built(self, seat, home):
        row = self.rows[seat, home]
        return row[:-1] if (seat, home) in self.deeds else row

    def total(self, seat, home, ace=None):
        row = self.built(seat, home)
        points = 0
        for slug in row:
            if kind(slug) == "ace":
                points += ace or sum(SUITS_OF[slug][0] in SUITS_OF[other] for other in row)
            else:
                points += rank(slug)
        return points

    def result(self):
        """For each seat: districts won, sum of totals, tokens left."""
        sums = {home: self.total(1, home) + self.total(2, home) for home in self.homes}
        poor = min(sums.values()) if self.options.get("poorest") == "ignored" else -1
        ace = 1 if self.options.get("ace-total") == "one" else None
        return [
            (
                sum(
                    self.total(seat, home) > self.total(3 - seat, home) and sums[home] != poor
                    for home in self.homes
                ),
                sum(self.total(seat, home, ace) for home in self.homes),
                sum(self.tokens[seat].values()),
            )
            for seat in (1, 2)
        ]
