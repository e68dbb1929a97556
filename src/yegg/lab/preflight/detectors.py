"""The detectors that look at the main sample: games between `medium` players.

Each is one function, and gives one line with a sentence, an interval, a threshold and a verdict.
A verdict is passed only where the whole interval lies beyond the threshold.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from yegg.lab.analyses.fork_effects import Effect
from yegg.lab.game_frame import minutes
from yegg.stats.intervals import Figure, Section, average, proportion, share
from yegg.stats.seat_balance import balance
from yegg.text.phrases import listing, percent

from .line import Line, Verdict, above, worst
from .sample import AT, LEVEL, LEVELS, Question, Run

UNFINISHED = 0.01
OUTSIDE = (0.5, 2.0)  # of the minutes on the box
NEAR = (0.75, 1.4)
LONG = 2.5  # times the usual game
SEAT_LOOK, SEAT_FAULT = 0.12, 0.3  # of a fair share
EFFECT = 0.15  # of the win: a card that decides every seventh game
FEW_DEALT = 30


def length(run: Run) -> Line:
    """How long games are, the longest, and those that do not end."""
    over, lengths = run.batch.over, run.batch.lengths
    stalled = proportion(float((~over).sum()), len(over))
    why = "Fault: more than 1 % of the games do not end"
    if stalled.low > UNFINISHED or not over.any():
        says = f"{stalled} of the games had no end after {run.setting.max_events} events"
        return Line("length", "Length", says, stalled, "fault", why + ".")
    decided = run.batch.decisions.sum(axis=1)
    game = run.setting.game
    took = minutes(game.pace, lengths, decided)[over] if game.pace else lengths[over]
    usual = average(took)
    longest = float(np.quantile(took, 0.99))
    unit = "minutes" if game.pace else "events"
    says = f"A game takes {usual} {unit}; one in a hundred takes {longest:.0f} or more"
    verdict: Verdict = "look at it" if longest > LONG * usual.value else "fine"
    if game.pace:
        (least, most), (low, high) = OUTSIDE, NEAR
        box = game.minutes
        why += f", or the mean lies outside {least:g} to {most:g} times the box’s {box} minutes"
        off = usual.high < least * box or usual.low > most * box
        near = usual.high < low * box or usual.low > high * box
        verdict = "fault" if off else "look at it" if near else verdict
        says += f"; the box says {box}"
    return Line("length", "Length", says, usual, verdict, f"{why}. Look: one in a hundred is long.")


def seats(run: Run) -> Line:
    """Whether a seat is favoured."""
    found = balance(run.shares, unfinished=1 - float(run.batch.over.mean()))
    fair = 1 / len(found.shares)
    wide = NormalDist().inv_cdf(1 - 0.05 / (2 * len(found.shares))) / NormalDist().inv_cdf(0.975)
    off = []
    for one in found.shares:
        low, high = (one.value + wide * (end - one.value) for end in (one.low, one.high))
        off.append(max(low - fair, fair - high, 0.0) / fair)
    worst_seat = int(np.argmax(off))
    most = off[worst_seat]
    verdict: Verdict = (
        "fault" if most > SEAT_FAULT else "look at it" if most > SEAT_LOOK else "fine"
    )
    each = listing([percent(one.value, 1) for one in found.shares])
    says = f"Seat by seat players win {each} of the games"
    why = (
        "Fault: some seat’s whole interval lies more than 30 % of a fair share away from it, "
        "which players notice in ten games; look: 12 %."
    )
    return Line("seats", "Seats", says, found.shares[worst_seat], verdict, why)


def ties(run: Run) -> Line:
    """How often nobody wins alone."""
    tied = (run.shares > 0).sum(axis=1) > 1
    figure = proportion(float(tied.sum()), len(tied))
    says = f"{figure} of the games end tied, after all tie-breaks"
    why = "Fault: more than one game in ten; look: more than one in twenty-five."
    return Line("ties", "Ties", says, figure, above(figure, 0.04, 0.1), why)


def choices(run: Run) -> Line:
    """How often a player is to act and has nothing to choose."""
    over = run.batch.over
    decided, forced = (made[over].sum(axis=1) for made in (run.batch.decisions, run.batch.forced))
    figure = share(forced / np.maximum(decided + forced, 1), math.inf)
    says = f"{figure} of the times that it is somebody’s turn to act only one thing is possible"
    why = "Fault: more than half; look: more than a third."
    return Line("choices", "Choices", says, figure, above(figure, 1 / 3, 0.5), why)


def leader(run: Run) -> Line:
    """Whether whoever leads early has won, and whether those behind come back."""
    led = np.concatenate([seen["led"].reshape(-1, len(AT)) for seen in run.seen])
    early, late = (column[~np.isnan(column)] for column in led.T)
    figure, then = share(early, math.inf), share(late, math.inf)
    fair = 1 / run.shares.shape[1]
    gone = Figure(*((end - fair) / (1 - fair) for end in (figure.value, figure.low, figure.high)))
    verdict = above(gone, 0.5, 0.7)
    says = (
        f"Whoever leads after a third of the game wins {figure}, after two thirds {then}; "
        f"so of the winners {percent(1 - then.value, 1)} come from behind late"
    )
    why = (
        "Fault: the early leader has 70 % of what separates a certain win from a fair share; "
        "look: 50 %, or a lead after two thirds that is worth nothing."
    )
    if then.high < fair:
        verdict = worst([verdict, "look at it"])
    return Line("leader", "Runaway leader", says, figure, verdict, why)


def cards(question: Question, run: Run, found: Sequence[Effect]) -> Line:
    """Cards, and kinds of choices, that are too strong or that nobody can use."""
    chosen = sum(seen["choices"] for seen in run.seen)
    dead = dead_cards(question, chosen)
    of_cards = [one for one in found if one.fork == "cards" and one.answer == "clear"]
    by_level = Counter(one.choice for one in of_cards if one.figure.low > EFFECT)
    told = [one for one in found if one.level == LEVEL and one.answer != "few"]
    clear = [one for one in told if one.answer == "clear"]
    helped = [one for one in clear if by_level[one.choice]]
    strong = [one for one in helped if by_level[one.choice] == len(LEVELS)]
    harmed = [one for one in clear if one.figure.high < -EFFECT]
    traps = [one for one in harmed if one.fork == "kinds"]
    said = [f"{one.choice}: {one.figure} of the win to whoever takes it" for one in strong]
    said += [
        f"{one.choice}: {one.figure}, not on every level" for one in helped if one not in strong
    ]
    said += [f"nobody ever had {name}" for name in dead]
    said += [f"{one.choice} costs whoever chooses it: {one.figure}" for one in harmed]
    verdict: Verdict = "look at it" if helped or harmed else "fine"
    verdict = "fault" if strong or dead or traps else verdict
    judged = [one for one in told if one.fork == "cards"]
    figure = max((one.figure for one in judged), key=lambda one: one.low, default=proportion(0, 0))
    none = "No kind of choice is clearly a trap"
    if question.cards:
        none = f"Of {len(judged)} cards that could be judged none is too strong, and none is dead"
    says = listing(said) or none
    why = (
        "Fault: taking it, instead of the best other choice, changes the win by more than 15 "
        "points with its whole interval, between easy and between medium players, after "
        "correction for how many are asked about; or it is dealt "
        f"{FEW_DEALT} times and nobody ever has it. Look: between one of them; or it clearly "
        "harms its taker."
    )
    names = [*(one.choice for one in (*helped, *harmed)), *dead]
    return Line("cards", "Cards and choices", says, figure, verdict, why, names, (table(found),))


def dead_cards(question: Question, chosen: np.ndarray) -> list[str]:
    """Cards that were dealt and that nobody ever chose, where players choose among such cards.

    What chance deals by another verb is judged apart: nobody chooses a Crown of Magnate (MG-2).
    """
    by_verb: dict[str, Counter[str]] = defaultdict(Counter)
    for number, (verb, card) in question.dealt.items():
        by_verb[verb][card] += int(chosen[number])
    said = (text for number, texts in question.texts.items() if chosen[number] for text in texts)
    had = set(" ".join(said).split())
    dead: list[str] = []
    for dealt in by_verb.values():
        if sum(card in had for card in dealt) >= len(dealt) / 2:
            dead += [
                card for card, times in dealt.items() if times >= FEW_DEALT and card not in had
            ]
    return sorted(dead)


def table(found: Sequence[Effect]) -> Section:
    """What each card and kind of choice is worth."""
    section = Section(
        "What a choice is worth: the share of the win, made less the best other choice",
        ["choice", "players", "times tried", "effect", "answer"],
    )
    for one in found:
        if one.answer != "few":
            section.rows.append([one.choice, one.level, one.forks, one.figure, one.answer])
    return section
