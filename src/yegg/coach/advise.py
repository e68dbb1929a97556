"""A coach: what each choice is worth to whoever is to choose, by what they may know."""

from dataclasses import dataclass

import numpy as np

from yegg.engine import CHANCE, Match, Refused, States
from yegg.engine.figures import Figure, proportion
from yegg.players.thinking.futures.rollouts import attempt
from yegg.players.thinking.futures.weighing import weigh
from yegg.players.thinking.knowledge import engine, known_to_all, way
from yegg.players.thinking.plan import Evaluation, Plan
from yegg.players.thinking.tree import iterations as tree
from yegg.players.thinking.tree.mind import Mind


@dataclass(frozen=True)
class Word:
    """What the coach says about one choice."""

    choice: int
    text: str
    win: Figure
    """The chooser's chance to win (share of a win), the interval by how often it was tried."""
    policy: float
    """How much of the play the coach gives it; where orders are secret, mix by this."""
    odds: str
    why: str


@dataclass(frozen=True)
class Advice:
    """Every legal choice, the best first."""

    seat: int
    words: list[Word]
    sides: list[float]
    """Everybody's share of the win, as the chooser may know it."""
    iterations: int


def advise(match: Match, plan: Plan, seed: int = 0) -> Advice:
    """Think about the decision at hand.  Raises Refused where there is none."""
    if why := no_choice(match):
        raise Refused(f"there is nothing to advise here: {why}")
    seat, choices = match.actor, match.choices
    thoughts = think(match, plan, seed)
    total = thoughts.shares.sum()
    values = np.clip(thoughts.values, 0, 1)
    best = int(np.argmax(thoughts.shares))
    words = []
    for j in np.lexsort((-values, -thoughts.shares)):
        tries = int(thoughts.tries[j])
        tells = round(thoughts.sample[j])
        win = proportion(values[j] * tells, tells)
        odds = odds_of(match, choices[j])
        policy = float(thoughts.shares[j] / total) if total else 1 / len(choices)
        text = match.say(choices[j])
        why = sentence(text, match.say(choices[best]), values[best] - values[j], odds)
        if not tries:
            why = "there was no time to try it"
        words.append(Word(choices[j], text, win, policy, odds, why))
    return Advice(seat, words, thoughts.worth.tolist(), thoughts.iterations)


def no_choice(match: Match) -> str | None:
    """Why nobody has a choice here; None where somebody has."""
    if match.over:
        return "the game is over"
    if match.actor == CHANCE:
        return "it is chance's turn"
    if match.choices == match.specials:
        return f"{match.names[match.actor]}'s orders did not come in time"
    return None


def think(match: Match, plan: Plan, seed: int) -> Evaluation:
    """A tree; or futures, where it would be thin and all see the choice."""
    root = first_view(match)
    if in_futures(match, root):
        seat = match.actor
        return weigh(match.game, match.known_to(seat), seat, match.choices, plan, seed)
    return in_tree(match, root, plan, seed)


def in_tree(match: Match, root: States, plan: Plan, seed: int) -> Evaluation:
    """What a tree says that grows from ``root``."""
    view, seat, k = match.known_to(match.actor), match.actor, len(match.choices)
    mind = Mind(match.game, plan, seed)
    mind.settle_root(root, seat)
    done = mind.spend(1.0)
    thoughts = mind.read(view, seat, k, done)
    if not thoughts.tries.any():  # never came there: start here
        mind.start(view)
        thoughts = mind.read(view, seat, k, done + mind.spend(1.0))
    return thoughts


def in_futures(match: Match, root: States) -> bool:
    """How to think about a decision; ``root``: its `first_view`.  Secret orders need a tree."""
    seat = match.actor
    view = match.known_to(seat)
    return way(match.game, view, root, seat, match.choices[0]) == "futures"


def cold(match: Match) -> bool:
    """Whether the coach has yet to be compiled before it can say anything here."""
    kernel = attempt if in_futures(match, first_view(match)) else tree.think
    return engine(match.game).cold(kernel)


def sentence(text: str, best: str, cost: float, odds: str) -> str:
    """Why a choice is good or bad, in a sentence."""
    behind = f"; {odds}" if odds else ""
    if odds.endswith("."):  # a sentence of its own
        behind = f". {odds}"
    if text == best:
        return f"the best of what was tried{behind}"
    if cost < 0.005:
        return f"about as good as {best}{behind}"
    lost = round(100 * cost)
    games = "1 game" if lost == 1 else f"{lost} games"
    return f"wins {games} fewer in 100 than {best}{behind}"


def odds_of(match: Match, choice: int) -> str:
    """The odds behind a choice, where the game has simple ones, as its player may know them."""
    return match.game.voice.odds(match.known_to(match.actor)[0], choice, match.actor)


def first_view(match: Match) -> States:
    """What the current player knew at the first decision since public knowledge last changed."""
    seat = match.actor
    public = known_to_all(match.game, match.known_to(seat))
    root = match.known_to(seat)
    again = match.again()
    events = len(match.history)
    start = events
    while start > 0 and match.actors[start - 1] != CHANCE and events - start < 100:
        start -= 1
    again.follow(match.history[:start])
    for choice in match.history[start:]:
        if again.actor == seat and known_to_all(match.game, again.known_to(seat)) == public:
            return again.known_to(seat)
        again.follow([choice])
    return root
