"""A game in words: messages in, free text out, for language models and whoever writes with them.

>>> from yegg.envs.text import TextEnv
>>> env = TextEnv("second-story", players=2, seats=[0], others="greedy")
>>> messages = env.reset(seed=1)
>>> [message["role"] for message in messages]
['system', 'user']
>>> while not env.over:
...     outcome = env.step("The first choice will do: [1]")
...     messages = env.observe()
>>> len(env.rewards), env.counts[0].illegal
(2, 0)
"""

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict, get_args

from yegg import players as bots
from yegg.engine import Match, NotLegal, Refused, briefing
from yegg.engine.game import find
from yegg.engine.secrecy import Teller
from yegg.engine.typed import choices_of, example
from yegg.engine.whole import whole
from yegg.text.phrases import counted, listing

from .steps import reward

OnIllegal = Literal["lose", "random"]
"""What becomes of a seat whose answers to one question are refused ``tries`` times: the game is
lost, or a choice is drawn for it."""
TRIES = 3


class Message(TypedDict):
    """A message as chat interfaces have it."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Outcome:
    """What became of an answer."""

    seat: int
    """Who answered, from 0."""
    legal: bool
    choices: tuple[str, ...] = ()
    """What was chosen, in the words of the record; nothing if the answer was refused."""
    refusal: str = ""
    """Why it was refused, and what is possible."""
    clause: str | None = None
    """The number of the rule that forbids it, where it is known."""


@dataclass
class Counts:
    """What a seat has done in a game."""

    decisions: int = 0
    """Questions that it was asked, and then answered or lost."""
    illegal: int = 0
    """Answers that were refused."""
    forfeits: int = 0
    """Questions to which all answers were refused."""
    read: int = 0
    """Characters of all messages to it."""
    written: int = 0
    """Characters of all its answers."""


class TextEnv:
    """One game after the other, played in words."""

    match: Match
    """The game."""
    counts: list[Counts]
    """What each seat has done in it."""

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        seats: Sequence[int] | None = None,
        others: str | Sequence[str] = "greedy",
        rules: briefing.Rules = "full",
        tries: int = TRIES,
        on_illegal: OnIllegal = "lose",
        cards: Path | str | None = None,
        **options: Any,
    ) -> None:
        """Options of the game are keywords.

        ``seats``, from 0, answer in words, by default all.  At all other seats bots play:
        ``others`` is the name of one, or one for each.  ``rules`` is how they are told.  Raises
        Refused.
        """
        self.game = find(game).with_cards(cards)
        named = {name.replace("_", "-"): str(value) for name, value in options.items()}
        usual = self.game.usual_players(named)
        self.players = usual if players is None else whole(players, "how many play")
        self.options = self.game.chosen(self.players, named)
        self.seats = sorted(range(self.players) if seats is None else set(seats))
        if not self.seats or not set(self.seats) <= set(range(self.players)):
            raise Refused(f"seats are among 0 to {self.players - 1}, not {self.seats}")
        self.others = self._bots_of(others)
        for said, known in ((on_illegal, get_args(OnIllegal)), (rules, get_args(briefing.Rules))):
            if said not in known:
                raise Refused(f"there is no {said!r} here, but {listing(known, 'or')}")
        self.rules, self.on_illegal = rules, on_illegal
        self.tries = whole(tries, "how many tries", 1)

    def _bots_of(self, others: str | Sequence[str]) -> dict[int, str]:
        """The bots by seat.  Raises Refused."""
        rest = [seat for seat in range(self.players) if seat not in self.seats]
        names = [others] * len(rest) if isinstance(others, str) else list(others)
        if len(names) != len(rest):
            raise Refused(
                f"{counted(len(rest), 'seat')} for bots, but {counted(len(names), 'bot')}"
            )
        for bot in map(bots.enrol, names):
            if why := bots.objection(self.game, bot, self.players, self.options):
                raise Refused(f"{bot} cannot play here: {why}")
        return dict(zip(rest, map(bots.enrol, names), strict=True))

    def reset(self, seed: int | None = None) -> list[Message]:
        """Begin a game, and return `observe` of the seat that is asked first.

        The same seed and the same answers give the same game.
        """
        self.seed = secrets.randbits(62) if seed is None else whole(seed, "a seed")
        self.match = Match(self.game, self.players, self.options, seed=self.seed)
        self._teller = Teller(self.match)
        self._luck = random.Random(f"text {self.seed}")  # noqa: S311  a game's, no secret
        self._bots = {
            seat: bots.Bot(bot, self.seed + 1 + seat, clock=False)
            for seat, bot in self.others.items()
        }
        self.counts = [Counts() for _ in range(self.players)]
        self.forfeited: int | None = None
        self._refused: list[str] = []
        self._told: set[int] = set()
        self._messages: list[Message] | None = None
        self._go_on()
        return self.observe()

    def _go_on(self) -> None:
        """Play on until a seat that answers in words has a choice, or the game is over."""
        self._refused.clear()
        while not self.match.to_decision().over and self.match.actor in self._bots:
            self.match.play(self._bots[self.match.actor].choose(self.match.view()))

    @property
    def over(self) -> bool:
        """Whether the game has ended, or somebody has lost it by answers that were refused.

        Raises Refused before the first `reset`.
        """
        if not hasattr(self, "match"):
            raise Refused("no game is dealt yet: call reset() first")
        return self.match.over or self.forfeited is not None

    @property
    def seat(self) -> int:
        """The seat that is asked, from 0; -1 once the game is over."""
        return -1 if self.over else self.match.actor

    def observe(self) -> list[Message]:
        """What the seat that is asked should read now, beside what it was told before.

        The rules come once, as a ``system`` message.  After a refused answer it is the refusal
        alone.  Nobody is told anything once the game is over: `ending` says how it went.
        """
        if self._messages is None:
            fresh = [] if self.over or self.seat in self._told else [self._rules()]
            said = "" if self.over else self._refused[-1] if self._refused else self.question()
            self._messages = [*fresh, Message(role="user", content=said)] if said else []
        return self._messages

    def _rules(self) -> Message:
        told = briefing.rules(self.game, self.players, self.options, self.rules)
        return Message(role="system", content=told)

    def question(self) -> str:
        """The decision in words, whole, for the seat that is asked."""
        seat, match = self.seat, self.match
        newest = self._teller.hear(match, seat, briefing.since_own_choice(match, seat))
        told = briefing.sentences(newest, self.game, seat)
        return briefing.decision(match.view(), told, example(match))

    def ending(self) -> str:
        """How the game ended, in words."""
        if self.forfeited is not None:
            return f"Seat {self.forfeited + 1} has lost: its answers were no choices."
        ends = zip(self.match.places, self.match.side_names(), self.match.scores, strict=True)
        lines = [f"{place}. {name}, score {score}" for place, name, score in sorted(ends)]
        return "\n".join(["The game is over.", *lines])

    def step(self, answer: str) -> Outcome:
        """Let the seat that is asked answer; its choice stands in square brackets.

        It is matched as people's are: a number, a text or the beginnings of its words.  An answer
        that means no choice changes nothing but is counted; so often as ``tries`` says in a row,
        it becomes what ``on_illegal`` says.  Raises Refused if the game is over.
        """
        if self.over:
            raise Refused("the game is over: call reset() to begin another")
        seat, match, counts = self.seat, self.match, self.counts[self.seat]
        counts.read += sum(len(one["content"]) for one in self.observe())
        counts.written += len(answer)
        self._told.add(seat)
        self._messages = None
        try:
            back, choices = choices_of(match, briefing.bracketed(answer, list(match.texts)))
        except Refused as error:
            return self._refuse(seat, error)
        counts.decisions += 1
        for _ in range(back):
            match.undo(seat)
        said = self._play(choices)
        self._go_on()
        return Outcome(seat, legal=True, choices=said)

    def _play(self, choices: Sequence[int]) -> tuple[str, ...]:
        """Make choices one after the other; return their texts."""
        said = []
        for choice in choices:
            said.append(self.match.say(choice))
            self.match.play(choice)
        return tuple(said)

    def _refuse(self, seat: int, error: Refused) -> Outcome:
        """Refuse an answer; the last one of ``tries`` loses, or is drawn by lot."""
        counts, clause = self.counts[seat], error.clause if isinstance(error, NotLegal) else None
        refusal = briefing.refusal(error, self.match.view())
        counts.illegal += 1
        self._refused.append(refusal)
        said: tuple[str, ...] = ()
        if len(self._refused) == self.tries:
            counts.decisions += 1
            counts.forfeits += 1
            if self.on_illegal == "lose":
                self.forfeited = seat
            else:
                said = self._play([self._luck.choice(self.match.choices)])
                self._go_on()
        return Outcome(seat, legal=False, choices=said, refusal=refusal, clause=clause)

    @property
    def rewards(self) -> list[float]:
        """By side, all together 0: 1 for the only winner; -1 for whoever has forfeited.

        0 for all while the game goes on.  Sides are the players, and perhaps one that nobody plays.
        """
        sides = len(self.match.scores)
        if self.forfeited is not None:
            share = 1 / max(1, sides - 1)
            return [-1.0 if side == self.forfeited else share for side in range(sides)]
        if not self.over:
            return [0.0] * sides
        places = self.match.places
        return [reward(sides, places.count(1), place == 1) for place in places]
