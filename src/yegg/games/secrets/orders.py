"""Orders for Secrets as people write them: read and checked as a whole, refused with reasons.

``Club steals secret 2 from Bill, Diamond steals secret 9 from Charles …``  Names and
spies may be shortened, orders come in any order and over several lines.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from yegg.engine.voice import Why
from yegg.text.phrases import listing

from .mail import GLUE, IDLE, LONGEST, OPEN, Part, Token, body_of, parts, read_points, tokens
from .rules import points_left, writer
from .state import POLICEMAN, SECRETS, SPY_NAMES, Choice, State, of, secret_name

ORDER = re.compile(r"(club|diamond|heart|spade) (?:steals (\d+|[A-J]) from (\d+)|idles|stays home)")
GUARD = re.compile(r"guards (\d+|[A-J]|nothing)")
ALLOCATION = re.compile(r"allocate ([A-J]) (\d+)")


def secret_of(s: State, name: str) -> int | None:
    """The secret of this name, if there is one in this game."""
    names = [secret_name(s, secret) for secret in range(s.secrets)]
    return names.index(name) if name in names else None


def why_not(s: State, text: str) -> str | None:
    """Why a sentence of the game is not possible now, with the clause; None for anything else."""
    if found := ORDER.fullmatch(text):
        return _why_no_order(s, text, *found.groups())
    if found := GUARD.fullmatch(text):
        return _why_no_post(s, found[1])
    if found := ALLOCATION.fullmatch(text):
        return _why_no_points(s, found[1], int(found[2]))
    return None


def _why_no_order(s: State, text: str, name: str, secret: str | None, owner: str | None) -> str:
    seat, spy = writer(s), [spy.lower() for spy in SPY_NAMES].index(name)
    if s.turn == 0:
        return "SE-30: first the points are spread"
    if spy >= s.spies:
        return f"SE-1: nobody has a {SPY_NAMES[spy]} in this game"
    if s.captor[seat, spy]:
        return f"SE-10: {SPY_NAMES[spy]} is captured and gone for good"
    if spy != s.given[seat]:
        due = "policeman" if s.given[seat] == POLICEMAN else SPY_NAMES[s.given[seat]]
        return f"SE-3: the next order is for the {due}"
    if text.endswith("home"):
        return "SE-15: only the adjudicator keeps spies at home, and all of a player's or none"
    if owner is None or secret is None:
        return "SE-4: no spy idles while a target is left"
    if not 1 <= int(owner) <= s.players:
        return f"SE-3: there is no seat {owner}"
    return why_no_target(s, seat, int(owner) - 1, secret)


def why_no_target(s: State, seat: int, owner: int, name: str) -> str:
    """Why a spy cannot be sent to this secret."""
    secret = secret_of(s, name)
    if secret is None:
        return f"SE-1: there is no secret {name}; they are {span(s)}"
    if owner == seat:
        return "SE-3: a spy is sent to another player's secret, not to your own"
    if s.thief[owner, secret]:
        return f"SE-5: secret {name} is stolen already"
    return "SE-15: this seat's orders have not come; its spies stay home"


def why_no_post(s: State, seat: int, name: str) -> Why | None:
    """Why the policeman cannot guard this secret; None if he can."""
    secret = secret_of(s, name)
    if secret is None:
        return Why("SE-1", f"there is no secret {name}; they are {span(s)}")
    if s.thief[seat, secret]:
        return Why("SE-5", f"secret {name} is stolen; there is nothing to guard")
    if s.stood[seat] == 1 + secret:
        return Why("SE-6", f"the policeman captured nobody at {name} and must move")
    return None


def _why_no_post(s: State, name: str) -> str:
    seat = writer(s)
    if s.turn == 0:
        return "SE-30: first the points are spread"
    if s.given[seat] != POLICEMAN:
        return f"SE-3: the next order is for the {SPY_NAMES[s.given[seat]]}"
    if name == "nothing":
        return "SE-4: the policeman does not idle while there is a secret that he may guard"
    return str(why_no_post(s, seat, name) or "SE-15: this seat's orders have not come")


def _why_no_points(s: State, name: str, points: int) -> str:
    if s.turn > 0:
        return "SE-30: points are spread before the first turn, when secrets are hidden"
    letter = secret_name(s, s.given[writer(s)])
    if name != letter:
        return f"SE-30: the next points are for {letter}"
    left = points_left(s, writer(s))
    if points > left:
        return f"SE-30: {points} points, but only {left} of the 45 are left"
    return f"SE-30: the last secret gets all of the {left} points that are left"


def span(s: State) -> str:
    """The first and the last secret there are."""
    return f"{secret_name(s, 0)} to {secret_name(s, s.secrets - 1)}"


NAMED = (*SPY_NAMES, "Policeman")


def shortened(words: str) -> str:
    """Words that an answer quotes, cut off where they are long."""
    return words if len(words) <= 70 else f"{words[:69]}…"


@dataclass
class Orders:
    """What a player's mail comes to: choices in the record's order, or faults."""

    choices: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def read(mail: str, s: State, seat: int, names: Sequence[str]) -> Orders:
    """All orders of a seat for this turn, or all that is wrong with them; never a part.

    ``s`` is the state as the seat knows it, its own sheet not yet begun.
    """
    if len(mail) > LONGEST:
        return Orders(faults=[f"this is longer than {LONGEST} characters; send the orders alone"])
    text = body_of(mail)
    if not text.strip():
        return Orders(faults=["there is nothing to read here (quoted lines are not read)"])
    if s.turn == 0:
        allocation, faults = read_points(text, s)
        return Orders([Choice.ALLOCATE + count for count in allocation], faults)
    return of_pieces(text, s, seat, names)


def of_pieces(text: str, s: State, seat: int, names: Sequence[str]) -> Orders:
    """The orders of spies and policeman in a text, as `read` does, whatever the turn is."""
    return _Sheet(s, seat, names).read(text)


def single(typed: str, s: State, seat: int, names: Sequence[str]) -> int | None:
    """The order that a few words give to the piece whose turn it is: ``Bill 9``, ``guard 7``."""
    words = tokens(body_of(typed), names, lettered=bool(s.hidden))
    due = int(s.given[seat])
    pieces = {token.value for token in words if token.kind == "piece"}
    players = {token.value for token in words if token.kind == "player"}
    secrets = {token.value for token in words if token.kind == "secret"}
    if len(secrets) != 1 or pieces - {due} or any(token.plain in OPEN for token in words):
        return None
    if due == POLICEMAN:
        return None if players - {seat} else Choice.GUARD + secrets.pop()
    return SECRETS * players.pop() + secrets.pop() if len(players) == 1 else None


class _Sheet:
    """A seat's order sheet being filled in."""

    def __init__(self, s: State, seat: int, names: Sequence[str]) -> None:
        self.s, self.seat, self.names = s, seat, names
        self.said: dict[int, list[tuple[str, int]]] = {}  # by piece: the words and the choice
        self.faults: list[str] = []
        self.faulty: set[int] = set()
        self.mentioned: dict[int, str] = {}

    def read(self, text: str) -> Orders:
        """Every part of a text; then what is missing, or twice there."""
        words = tokens(text, self.names, lettered=bool(self.s.hidden))
        for part in parts(words, text):
            if not self.is_anothers(part):
                self.understand(part)
        if not self.said and not self.faulty:
            example = f"Club steals {secret_name(self.s, 1)} from {self.names[self.seat - 1]}"
            return Orders(faults=[f"no orders are found here; write them like: {example}"])
        for piece in range(POLICEMAN + 1):
            self.check_given(piece)
        if self.faults:
            return Orders(faults=self.faults)
        return Orders([self.said[piece][0][1] for piece in sorted(self.said)])

    def fault(self, part: Part, reason: str) -> None:
        """These words cannot be done, for this reason."""
        self.faults.append(f"“{shortened(part.words)}”: {reason}")
        self.faulty.add(part.piece)

    def is_anothers(self, part: Part) -> bool:
        """Whether this is about another player: "Bill's Club" or "Bill guards" is no order."""
        before = part.lead[-1] if part.lead else None
        others = before is not None and before.kind == "player" and before.value != self.seat
        return bool(others and before and (before.owns or part.piece == POLICEMAN))

    def understand(self, part: Part) -> None:
        """One order, or what is wrong with it."""
        named = self.target(part)
        idle = any(token.plain in IDLE for token in part.rest)
        if not named and not idle:
            self.mentioned.setdefault(part.piece, shortened(part.words))
            return
        hedged = [token.text for token in [*part.lead, *part.rest] if token.plain in OPEN]
        if hedged:
            self.fault(part, f"“{hedged[0]}” leaves it open; write plainly what is done")
        elif part.piece < POLICEMAN and not self.is_free(part.piece):
            self.fault(part, self.why_gone(part.piece))
        elif not named:
            self.idle(part)
        else:
            strange = self.unknown(part, named)
            unclear = "" if strange else self.unclear(part.piece, named)
            for reason in filter(None, [strange, unclear, strange and self.no_secret(named)]):
                self.fault(part, reason)
            if not strange and not unclear:
                self.order(part, named)

    def target(self, part: Part) -> list[Token]:
        """The words of an order that name player and secret; before the piece if not after."""
        wanted = {"secret"} if part.piece == POLICEMAN else {"player", "secret"}
        rest = [token for token in part.rest if token.kind in {"player", "secret"}]
        if wanted <= {token.kind for token in rest}:
            return rest
        at = max((i for i, token in enumerate(part.lead) if token.kind == "comma"), default=-1)
        lead = [token for token in part.lead[at + 1 :] if token.kind in {"player", "secret"}]
        if lead and lead[-1].kind == "player" and lead[-1].value == self.seat and lead[-1].owns:
            lead.pop()  # Ann's Club, by Ann
        return lead + rest

    def is_free(self, spy: int) -> bool:
        return spy < self.s.spies and not self.s.captor[self.seat, spy]

    def why_gone(self, spy: int) -> str:
        name = SPY_NAMES[spy]
        if spy >= self.s.spies:
            return f"nobody has a {name} in this game (SE-1)"
        captor = self.names[self.s.captor[self.seat, spy] - 1]
        return f"{name} was captured by {of(captor)} policeman and is gone for good (SE-10)"

    def unknown(self, part: Part, named: list[Token]) -> str:
        """A word where a player's name should stand; "" if there is none."""
        if part.piece == POLICEMAN:
            return ""
        words = [*part.lead, *part.rest] if not part.rest else part.rest
        strange = [
            token.text
            for before, token in zip([None, *words], words, strict=False)
            if token.kind == "word" and token.plain not in GLUE and token.text.isalpha()
            if (before and before.plain in {"from", "of"})
            or (token.text[0].isupper() and not any(t.kind == "player" for t in named))
        ]
        if not strange:
            return ""
        others = [name for i, name in enumerate(self.names) if i != self.seat]
        near = difflib.get_close_matches(strange[0], others, 1, 0.6)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"there is no player “{strange[0]}”: the others are {listing(others)}{hint}"

    def unclear(self, piece: int, named: list[Token]) -> str:
        """What keeps the words from naming one secret of one player; "" for nothing."""
        for token in named:
            if len(token.could_be) > 1:
                could = " or ".join(self.names[player] for player in token.could_be)
                return f"“{token.text}” could be {could}"
        players = {token.value for token in named if token.kind == "player"}
        secrets = sorted({token.value for token in named if token.kind == "secret"})
        if len(players) > 1:
            return f"it names more than one player: {listing([self.names[p] for p in players])}"
        if len(secrets) > 1:
            return f"it names more than one secret: {listing([self.shown(x) for x in secrets])}"
        if not secrets:
            owner = "" if not players else f" of {of(self.names[min(players)])}"
            return f"which secret{owner}? They are {span(self.s)}"
        if piece < POLICEMAN and not players:
            return "no player is named"
        return ""

    def shown(self, secret: int) -> str:
        return secret_name(self.s, secret) if secret < SECRETS else str(secret + 1)

    def order(self, part: Part, named: list[Token]) -> None:
        """A plain order: kept if it is allowed."""
        players = [token.value for token in named if token.kind == "player"]
        secret = next(token for token in named if token.kind == "secret")
        police = part.piece == POLICEMAN
        reasons = [self.no_secret(named)]
        if police and any(player != self.seat for player in players):
            reasons.append("the policeman guards your own secrets only (SE-4)")
        elif not police and players[0] == self.seat:
            reasons.append("a spy is sent to another player's secret, not to your own (SE-3)")
        elif not reasons[0]:
            reasons.append(
                self.why_no_post(self.shown(secret.value))
                if police
                else self.why_no_target(players[0], secret.value)
            )
        for reason in filter(None, reasons):
            self.fault(part, reason)
        target = Choice.STEAL + SECRETS * players[0] if not police else Choice.GUARD
        self.said.setdefault(part.piece, []).append((part.words, int(target) + secret.value))

    def no_secret(self, named: list[Token]) -> str:
        """Why the secret that is named cannot be; "" if it can, or none is."""
        for token in named:
            if token.kind != "secret":
                continue
            if self.s.hidden and token.text.isdecimal():
                return f"secrets have letters in this game: {span(self.s)} (SE-30)"
            if not 0 <= token.value < self.s.secrets:
                return (
                    f"there is no secret {self.shown(token.value)}; they are {span(self.s)} (SE-1)"
                )
        return ""

    def check_given(self, piece: int) -> None:
        """SE-3, SE-4: every piece has one order, or none where it must idle."""
        said = self.said.get(piece, [])
        if len(said) > 1:
            both = " and ".join(f"“{shortened(words)}”" for words, _ in said)
            self.faults.append(f"{NAMED[piece]} is ordered more than once: {both}")
        if said or piece in self.faulty or (piece < POLICEMAN and not self.is_free(piece)):
            return
        if self.has_post() if piece == POLICEMAN else self.has_target():
            words = self.mentioned.get(piece, "")
            why = f": “{words}” names no target" if words.count(" ") else ""
            self.faults.append(f"{NAMED[piece]} has no order{why}")
        else:
            idle = Choice.GUARD_NOTHING if piece == POLICEMAN else Choice.IDLE
            self.said[piece] = [("", int(idle))]

    def why_no_post(self, name: str) -> str:
        """SE-5, SE-6: why the policeman cannot stand there; "" if he can."""
        why = why_no_post(self.s, self.seat, name)
        return f"{why.reason} ({why.clause})" if why else ""

    def why_no_target(self, owner: int, secret: int) -> str:
        """SE-5: why there is nothing to steal; "" if there is."""
        if not self.s.thief[owner, secret]:
            return ""
        thief = self.names[self.s.thief[owner, secret] - 1]
        name = secret_name(self.s, secret)
        return f"{of(self.names[owner])} secret {name} is gone: {thief} has it (SE-5)"

    def idle(self, part: Part) -> None:
        """SE-4, SE-5: to do nothing is an order only where nothing can be done."""
        if part.piece == POLICEMAN and not self.has_post():
            self.said.setdefault(POLICEMAN, []).append((part.words, int(Choice.GUARD_NOTHING)))
        elif part.piece < POLICEMAN and not self.has_target():
            self.said.setdefault(part.piece, []).append((part.words, int(Choice.IDLE)))
        else:
            self.fault(part, "nobody idles while there is something to do (SE-4)")
            self.said.setdefault(part.piece, []).append((part.words, 0))

    def has_target(self) -> bool:
        there = self.s.thief[: self.s.players, : self.s.secrets] == 0
        return any(there[owner].any() for owner in range(self.s.players) if owner != self.seat)

    def has_post(self) -> bool:
        posts = range(self.s.secrets)
        return any(
            why_no_post(self.s, self.seat, secret_name(self.s, post)) is None for post in posts
        )
