"""Advice: how good each choice of the current player is, by what that player may know."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from yegg.engine import CHANCE, Match, Refused, States
from yegg.engine.dice import seeds
from yegg.players.judges import Judge, by_net_or_lore
from yegg.players.search import Mind
from yegg.players.thinking import iterations as tree
from yegg.players.thinking.evaluation import Sheets, glance, weigh
from yegg.players.thinking.knowledge import Way, by_policy, engine, known_to_all, method, reasoned
from yegg.players.thinking.mixtures import attempt_sealed, ponder
from yegg.players.thinking.plan import Evaluation, Plan
from yegg.players.thinking.planner import LINES, Orders
from yegg.players.thinking.rollouts import attempt
from yegg.stats.intervals import Figure, Z, proportion
from yegg.text.phrases import counted, listing, number

from .reasons import reasons, speaks_for

NAMED = 4  # the most choices that are named as ones that cannot be told apart
BESIDE = 0.4  # of the time goes into futures that tell why, or into mixtures of secret orders
FIRST_SIGHT = "The coach is getting ready: so far it has only had a glance. Ask again in a moment."


@dataclass(frozen=True)
class Word:
    """The coach's evaluation of one choice."""

    choice: int
    text: str
    """The choice in the words of the record."""
    win: Figure
    """The chooser's estimated share of the win.

    The interval covers the noise of the thinking, as it was tried so often, and not what the
    judgement of positions is off by; `yegg calibrate` measures that.
    """
    policy: float
    """How often to play it, 0 to 1.  Where orders are secret, draw from all choices by this."""
    odds: str
    """The odds behind it, or ""."""
    alike: bool
    """Whether it and the best cannot be told apart, or for the best, whether there is such a one.

    That is so where they differ by less than chance may, at 95 %.
    """
    against: str
    """The text of the choice it is compared with: the best; for the best, the next one that can be
    told apart from it, else the next one; or ""."""
    cost: float
    """How much of the win it brings less than the best."""
    tried: bool = True
    """Whether there was time to try it."""
    best: bool = False
    """Whether it is the best."""
    speaks: str | None = None
    """What speaks for the better of the two that are compared; "" if nothing stands out.

    Of two that cannot be told apart, what speaks for this one.  None: that is not known.
    """
    at_first_sight: bool = False
    """Whether it was not tried, and only the position after it was looked at."""

    @property
    def why(self) -> str:
        """A sentence that compares it with another."""
        return self.compared(self.against)

    def compared(self, against: str) -> str:
        """The same, with other words for the choice that it is compared with."""
        if not self.tried:
            return "there was no time to try it"
        if self.at_first_sight:
            ranked = self.best and not self.alike
            return glimpse(against, self.cost, self.odds, speaks=self.speaks, best=ranked)
        if self.best:
            return praise(against, self.speaks, self.odds, alike=self.alike)
        return sentence(against, self.cost, self.odds, alike=self.alike, speaks=self.speaks)

    def __str__(self) -> str:
        return f"{self.text} wins {self.win}: {self.why}"


@dataclass(frozen=True)
class Advice:
    """How good every legal choice is; `yegg.advise` makes it.

    Print it for a line on each choice, and one before them where the best is not clear.

    >>> import yegg
    >>> match = yegg.Match("second-story", players=2, seed=0)
    >>> advice = yegg.advise(match, seconds=0.05)
    >>> advice.seat, len(advice.words), len(advice.sides)
    (0, 2, 2)
    """

    seat: int
    """Whose choice it is, from 0."""
    words: list[Word]
    """One for each legal choice, the best first."""
    sides: list[float]
    """Everybody's estimated share of the win, as far as the chooser may know."""
    iterations: int
    """How many iterations or rollouts the advice rests on."""
    at_first_sight: bool = False
    """Whether nothing was thought out yet: positions were only looked at."""
    judge: Judge = "lore"
    """By what positions were judged."""

    @property
    def alike(self) -> list[str]:
        """The choices that cannot be told apart from the best, and the best; else none."""
        return [word.text for word in self.words if word.alike]

    @property
    def undecided(self) -> str:
        """The choices that cannot be told apart, in a sentence; "" if the best choice is clear."""
        return undecided(self.alike, len(self.words))

    def __str__(self) -> str:
        return "\n".join(filter(None, [self.undecided, *map(str, self.words)]))


def advise(match: Match, plan: Plan, seed: int = 0) -> Advice:
    """Think about the decision at hand.  Raises Refused where nobody has a choice."""
    if why := no_choice(match):
        raise Refused(f"there is nothing to advise here: {why}")
    return in_words(match, think(match, plan, seed))


def first_sight(match: Match) -> Advice:
    """Judge the decision at hand without thinking, which needs no compiler.  Raises Refused."""
    if why := no_choice(match):
        raise Refused(f"there is nothing to advise here: {why}")
    seat = match.actor
    thoughts = glance(match.game, match.known_to(seat), seat, match.choices)
    advice = in_words(match, thoughts)
    words = [replace(word, at_first_sight=True) for word in advice.words]
    return replace(advice, words=words, at_first_sight=True)


def in_words(match: Match, thoughts: Evaluation) -> Advice:
    """The evaluation of the decision at hand in words, the best choice first."""
    seat, choices = match.actor, match.choices
    total = thoughts.shares.sum()
    values = np.clip(thoughts.values, 0, 1)
    best = int(np.argmax(thoughts.shares))
    told = values[best] - values > Z * thoughts.doubts
    alike = (thoughts.tries > 0) & ~told
    alike &= alike.sum() > 1
    told_apart = [j for j in np.argsort(-values) if thoughts.tries[j] and j != best and told[j]]
    beside = [j for j in np.argsort(-thoughts.shares) if alike[j] and j != best]
    words = []
    for j in np.lexsort((-values, -thoughts.shares)):
        tries = int(thoughts.tries[j])
        tells = round(thoughts.sample[j])
        win = proportion(values[j] * tells, tells)
        odds = odds_of(match, choices[j])
        policy = float(thoughts.shares[j] / total) if total else 1 / len(choices)
        text, cost = match.say(choices[j]), float(values[best] - values[j])
        other = best if j != best else next(iter(told_apart + beside), None)
        against = "" if other is None else match.say(choices[other])
        speaks = None
        if tries and other is not None:
            better, worse = (j, other) if j == best or alike[j] else (other, j)
            speaks = speaks_for(match.game, thoughts.reckoned, better, worse)
        unclear, tried, top = bool(alike[j]), bool(tries), bool(j == best)
        word = Word(choices[j], text, win, policy, odds, unclear, against, cost, tried, top, speaks)
        words.append(word)
    return Advice(seat, words, thoughts.worth.tolist(), thoughts.iterations, judge=judge_of(match))


def undecided(alike: list[str], choices: int) -> str:
    """A sentence about the choices that cannot be told apart from the best; "" if there are none.

    >>> undecided(["stop", "continue"], 2), undecided([], 2)
    ('These two cannot be told apart: stop and continue.', '')
    """
    n = len(alike)
    if n < 2:
        return ""
    if n > NAMED:
        return f"No choice is clearly best: {n} of {choices} cannot be told apart."
    return f"These {number(n)} cannot be told apart: {listing(alike)}."


def no_choice(match: Match) -> str | None:
    """The reason why nobody has a choice here; None where somebody has."""
    if match.over:
        return "the game is over"
    if match.actor == CHANCE:
        return "it is chance's turn"
    if match.choices == match.specials:
        return f"{match.names[match.actor]}'s orders did not come in time"
    return None


class Thought(NamedTuple):
    """How a decision is thought about."""

    way: Way
    root: States
    """What its player knew as the round began for them."""
    given: list[int]
    """What they have chosen since, where they had a choice."""


def thought(match: Match) -> Thought:
    """How to think about the decision at hand: by the policy net in futures, if it covers that."""
    seat, view = match.actor, match.known_to(match.actor)
    if by_policy(match.game, view):
        return Thought("futures", view, [])
    root, given = round_of(match)
    return Thought(method(match.game, view, root, seat, match.choices[0]), root, given)


def judge_of(match: Match) -> Judge:
    """By what the coach judges a game's positions."""
    return by_net_or_lore(match.game, match.players, match.options)


def think(match: Match, plan: Plan, seed: int) -> Evaluation:
    """Think by a search tree, rollouts or a mixture of orders."""
    how = thought(match)
    if how.way != "tree":
        return in_rollouts(match, match.choices, plan, seed, how)
    if not reasons(match.game):
        return in_tree(match, how.root, plan, seed)
    thoughts = in_tree(match, how.root, replace(plan, seconds=(1 - BESIDE) * plan.seconds), seed)
    beside = Plan(plan.iterations, BESIDE * plan.seconds)
    reckoned = in_rollouts(match, match.choices, beside, seed, how).reckoned
    return replace(thoughts, reckoned=reckoned)


def in_rollouts(
    match: Match, choices: list[int], plan: Plan, seed: int, how: Thought | None = None
) -> Evaluation:
    """The evaluation of some choices of the current player by rollouts.

    Secret orders that no policy net has learned are mixed as `Orders` has learnt for the whole
    round, and tried against what the others' mixtures bring.
    """
    how = how or thought(match)
    game, seat = match.game, match.actor
    view = match.known_to(seat)
    if how.way != "secret":
        return weigh(game, view, seat, choices, plan, seed)
    rounds = min(plan.iterations, LINES)  # in as many as `hard` learns in, if no clock counts
    orders = Orders(game, Plan(rounds, BESIDE * plan.seconds), seed)
    orders.think(how.root, seeds(seed, 0, 1, 2)[0, 1])
    rest = Plan(plan.iterations, (1 - BESIDE) * plan.seconds)
    sheets = Sheets(orders.on, how.root, orders.mixture(seat, how.given, choices))
    return weigh(game, view, seat, choices, rest, seed, 1, sheets)


def in_tree(match: Match, root: States, plan: Plan, seed: int) -> Evaluation:
    """The evaluation of a decision by a search tree that is grown from ``root``."""
    view, seat, k = match.known_to(match.actor), match.actor, len(match.choices)
    mind = Mind(match.game, plan, seed)
    mind.settle_root(root, seat)
    done = mind.spend(1.0)
    thoughts = mind.read(view, seat, k, done)
    if not thoughts.tries.any():  # no iteration reached the decision: start there
        mind.start(view)
        thoughts = mind.read(view, seat, k, done + mind.spend(1.0))
    return thoughts


def cold(match: Match) -> bool:
    """Whether the coach must be compiled before it can say anything here."""
    how = thought(match).way
    if how == "tree" and engine(match.game).cold(tree.think):
        return True
    if how == "secret" and engine(match.game).cold(ponder):
        return True
    return reasoned(match.game).cold(attempt_sealed if how == "secret" else attempt)


def sentence(
    best: str, cost: float, odds: str, *, alike: bool = False, speaks: str | None = None
) -> str:
    """Why a choice is worse than the best, in a sentence; ``cost`` is a share of the win.

    ``best``: what the best choice is called.  ``alike``: it cannot be told apart from it.
    ``speaks``: what speaks for the best one, or for this one if they are alike; "" if nothing
    stands out, None if that is not known.
    """
    behind = behind_it(odds)
    if alike:
        has = f"; it means {speaks}" if speaks else ""
        return f"cannot be told apart from {best}{has}{behind}"
    if cost < 0.005:
        return f"about as good as {best}{behind}"
    games = counted(round(100 * cost), "game")
    if speaks:
        return f"{best} is better: {speaks}. That wins {games} more in 100{behind}"
    alone = "; no single reason stands out" if speaks == "" else ""
    return f"wins {games} fewer in 100 than {best}{alone}{behind}"


def praise(other: str, speaks: str | None, odds: str, *, alike: bool) -> str:
    """Why a choice is the best, in a sentence; ``other``: what it is compared with.

    ``alike``: it cannot be told apart from another.
    """
    if alike:
        means = f"; beside {other} it means {speaks}" if speaks else ""
        return f"nothing was clearly better{means}{behind_it(odds)}"
    if speaks:
        return f"better than {other}: {speaks}{behind_it(odds)}"
    alone = "; no single reason stands out" if speaks == "" else ""
    return f"the best of what was tried{alone}{behind_it(odds)}"


def glimpse(other: str, cost: float, odds: str, *, speaks: str | None, best: bool) -> str:
    """What is seen of a choice at first sight, in a sentence: no price, which only futures tell.

    ``other``: what it is compared with.  ``best``: whether it looks better than all others.

    >>> glimpse("stop", 0.04, "", speaks="two chips more", best=False)
    'at first sight stop looks better: two chips more'
    >>> glimpse("stop", 0.04, "", speaks="", best=False)
    'at first sight stop looks better; the coach is still looking for the reason'
    """
    why = f": {speaks}" if speaks else "; the coach is still looking for the reason"
    if best:
        said = f"looks best at first sight{why}"
    elif cost <= 0:
        said = f"at first sight as good as {other}"
    else:
        said = f"at first sight {other} looks better{why}"
    return said + behind_it(odds)


def behind_it(odds: str) -> str:
    """The odds at the end of a sentence; they may be a sentence of their own."""
    return f"{'. ' if odds.endswith('.') else '; '}{odds}" if odds else ""


def odds_of(match: Match, choice: int) -> str:
    """The odds behind a choice, as far as its player may know them; "" if the game has none."""
    return match.game.voice.odds(match.known_to(match.actor)[0], choice, match.actor)


def round_of(match: Match) -> tuple[States, list[int]]:
    """The current player's view at their first decision since public knowledge last changed.

    And what they have chosen since where they had a choice.
    """
    seat = match.actor
    public = known_to_all(match.game, match.known_to(seat))
    again = match.again()
    events = len(match.history)
    start = events
    while start > 0 and match.actors[start - 1] != CHANCE and events - start < 100:
        start -= 1
    again.follow(match.history[:start])
    root, given = None, []
    for choice in match.history[start:]:
        if again.actor == seat:
            if root is None and known_to_all(match.game, again.known_to(seat)) == public:
                root = again.known_to(seat)
            if root is not None and len(again.choices) > 1:
                given.append(choice)
        again.follow([choice])
    return match.known_to(seat) if root is None else root, given
