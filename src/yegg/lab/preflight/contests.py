"""The detectors that play contests of their own: plans, skill, and readings of the rules."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from yegg.lab.batch import won_on
from yegg.lab.policies.habit_search import Contest, by_playing, kinds, learn
from yegg.lab.simulation import warm
from yegg.stats.intervals import Figure, Section, difference, proportion, share
from yegg.text.phrases import listing, percent

from .line import Line, Verdict
from .sample import LEVEL, LEVELS, Question

SKILL_LOOK, SKILL_FAULT = 0.6, 0.55  # an even match is 0.5
PLAN = 1.25  # times a fair share: what a plan may win of every level
FRESH = 3_000_000  # added to the seed for games that decide nothing else


def plans(question: Question) -> Line:
    """Whether a simple habit beats every level."""
    why = (
        "Fault: a habit of a few words wins 1.25 times a fair share of every level that answers "
        "at once, with its whole interval, over deals that the search has not met; look: of "
        f"{LEVEL}."
    )
    contest = Contest(question.game, question.players, question.options, LEVEL, question.seed)
    patterns = contest.patterns()
    if not patterns:
        none = proportion(0, 0)
        return Line("plan", "Plans", "Words alone bind nobody in this game", none, "fine", why)
    warm(contest.setting(((patterns[0], 1),)))
    done = 0

    def heard(games: int) -> None:
        nonlocal done
        done += games
        question.heard("plans", min(1.0, done / question.games))

    each = len(contest.arranged)
    play = by_playing(contest, question.threads, heard)
    learned = learn(patterns, play, question.games, each)
    if not learned.bound:
        says = f"No habit of {2 * len(patterns)} wins clearly more than {LEVEL} does without it"
        best = learned.steps[0].gain if learned.steps else proportion(0, 0)
        return Line("plan", "Plans", says, best, "fine", why)
    habit = contest.habit(learned.bound)
    won: dict[str, Figure] = {}
    for level in LEVELS:
        setting = replace(
            contest.setting(learned.bound),
            lineup=[LEVEL, *[level] * (question.players - 1)],
            habits=[habit, *[None] * (question.players - 1)],
            seed=question.seed + FRESH,
        )
        games = max(each, question.games // 4 // each * each)
        run = question.played(f"plans, against {level}", setting, games)
        own = won_on(run.batch.seating == 0, run.batch.shares)
        won[level] = share(np.where(run.batch.over, own, 0).reshape(-1, each).mean(axis=1), games)
    fair = 1 / question.players
    beats = [level for level, figure in won.items() if figure.low > PLAN * fair]
    verdict: Verdict = "fine"
    if won[LEVEL].low > fair:
        verdict = "fault" if len(beats) == len(won) else "look at it"
    words = [f"{way} “{word}”" for way, some in kinds(learned.bound).items() for word in some]
    shares = listing([f"{figure} against {level}" for level, figure in won.items()])
    plan = f"Whoever plays like {LEVEL} but {listing(words)}"
    says = f"{plan} wins {shares} ({percent(fair)} is fair)"
    names = [word for word, _ in learned.bound]
    return Line("plan", "Plans", says, won[LEVEL], verdict, why, names)


def skill(question: Question) -> Line:
    """How much better play wins: the ladder of levels, which ends at `hard`."""
    steps: dict[str, Figure] = {}
    section = Section(
        "Each level against one below; 50 % is an even match", ["level", "against", "wins", "deals"]
    )
    ladder = [("medium", "uniform"), ("easy", "uniform"), ("medium", "easy"), ("hard", "medium")]
    for level, below_it in ladder:
        games = question.hard if level == "hard" else question.games // 2
        if not games:
            continue
        deals = question.duel(f"skill, {level} against {below_it}", level, below_it, games)
        figure = share(deals, np.inf)
        steps[f"{level} over {below_it}"] = figure
        section.rows.append([level, below_it, figure, len(deals)])
    whole = steps["medium over uniform"]
    verdict: Verdict = "fine"
    if whole.high < SKILL_LOOK:
        verdict = "fault" if whole.high < SKILL_FAULT else "look at it"
    said = listing([f"{step} {figure}" for step, figure in steps.items()])
    says = f"Of a match between two levels the better one wins: {said}"
    why = (
        "Fault: medium wins less than 55 % of a match with random play, so that playing well "
        "hardly matters; look: less than 60 %. The ladder ends at hard: what people can still "
        "learn beyond it nobody has measured."
    )
    return Line("skill", "Skill", says, whole, verdict, why, (), (section,))


def readings(question: Question) -> Line:
    """Whether the game is another one where a clause is read in another way: its options."""
    games = max(100, question.games // 8)
    base = _measures(question, {}, games)
    section = Section(
        "The same deals by each option, less these rules",
        ["option", "length (events)", "first seat’s wins", "tied games"],
    )
    differ: list[str] = []
    figures: list[Figure] = []
    for name, value in _others(question):
        other = _measures(question, {name: value}, games)
        apart = {key: difference(other[key] - base[key], percent=key != "length") for key in base}
        mean = float(base["length"].mean())
        longer = apart["length"]
        far = max(longer.low, -longer.high) > 0.1 * mean
        far |= any(max(apart[key].low, -apart[key].high) > 0.03 for key in ("first", "tied"))
        if far:
            differ.append(f"{name}={value}")
        figures.append(longer)
        section.rows.append([f"{name}={value}", longer, apart["first"], apart["tied"]])
    verdict: Verdict = "look at it" if differ else "fine"
    says = "No option that was tried makes another game of it"
    if differ:
        says = f"The game clearly differs by {listing(differ)}: the rules must say which holds"
    why = (
        "Look: the length differs by more than 10 %, or the first seat’s wins or the ties by more "
        "than 3 points, with the whole interval, over the same deals. An option is no fault."
    )
    widest = max(figures, key=lambda one: abs(one.value), default=proportion(0, 0))
    return Line("readings", "Readings", says, widest, verdict, why, differ, (section,))


def _others(question: Question) -> list[tuple[str, str]]:
    """Every option of words with each of its other values; of numbers there is no reading."""
    usual = {**question.game.defaults(question.players), **question.options}
    return [
        (name, value)
        for name, made in question.game.options.items()
        for value in made.values
        if value != usual[name]
        and not value.isdecimal()
        and question.game.objection(question.players, {**usual, name: value}) is None
    ]


def _measures(question: Question, options: Mapping[str, str], games: int) -> dict[str, np.ndarray]:
    """By game: its length, whether the first seat won it, and whether it was tied."""
    setting = question.setting(LEVEL, lots=True, options=options)
    of = " ".join(f"{name}={value}" for name, value in options.items()) or "these rules"
    batch = question.played(f"readings, {of}", setting, games).batch
    shares = batch.shares
    return {
        "length": batch.lengths.astype(float),
        "first": shares[:, 0],
        "tied": ((shares > 0).sum(axis=1) > 1).astype(float),
    }
