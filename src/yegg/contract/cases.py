"""Games to test with: every number of players and option there is, played at random."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from yegg import games
from yegg.engine import Game, Match


@dataclass(frozen=True)
class Case:
    """A game, a number of players and options that go together."""

    name: str
    players: int
    options: tuple[tuple[str, str], ...] = ()

    @property
    def game(self) -> Game:
        return games.find(self.name)

    def match(self, how: str = "compiled") -> Match:
        return Match(self.game, self.players, dict(self.options), how=how)

    def __str__(self) -> str:
        chosen = ",".join(f"{k}={v}" for k, v in self.options)
        return f"{self.name}-{self.players}" + (f"-{chosen}" if chosen else "")


def cases(name: str) -> Iterator[Case]:
    """Every number of players with the published rules; every value of every option once."""
    game = games.find(name)
    for players in game.players:
        if game.objection(players, game.defaults(players)) is None:
            yield Case(name, players)
    wide = {option: ends(made.values) for option, made in game.options.items()}
    for option, values in wide.items():
        for value in values:
            fit = game.seats({option: value})
            usual = game.usual if game.usual in fit else fit[0]
            if value != game.defaults(usual)[option]:
                yield Case(name, usual, ((option, value),))
    yield from together(game, wide)


def ends(values: tuple[str, ...]) -> tuple[str, ...]:
    """All values; of a long list of numbers, only the ends."""
    return values if len(values) <= 3 else (values[0], values[-1])


def together(game: Game, wide: dict[str, tuple[str, ...]]) -> Iterator[Case]:
    """A few sets of options drawn at random from those that go together."""
    dice = random.Random(f"options of {game.name}")
    found = 0
    for _ in range(60):
        options = {option: dice.choice(values) for option, values in wide.items()}
        fit = game.seats(options)
        if fit and found < 4:
            found += 1
            yield Case(game.name, dice.choice(fit), tuple(sorted(options.items())))


def is_whole(name: str) -> bool:
    """Whether a game is here with what its tests read: an installed yegg leaves out its records."""
    own = games.find(name).package.startswith(games.__name__)
    return not own or (games.find(name).folder / "records").is_dir()


NAMES = [name for name in games.names() if is_whole(name)]
if not NAMES:
    raise pytest.UsageError("no game of another package is installed, so nothing can be tested")
ALL = list(dict.fromkeys(case for name in NAMES for case in cases(name)))
FEW = [next(case for case in ALL if case.name == name) for name in NAMES]

# Every game for what is the same in all; those that take longest belong to the long tests.
EACH = [
    pytest.param(name, marks=pytest.mark.wide if name in ("magnate", "thiefs-market") else ())
    for name in NAMES
]


@pytest.fixture(
    params=[pytest.param(c, marks=() if c in FEW else pytest.mark.wide, id=str(c)) for c in ALL]
)
def case(request: pytest.FixtureRequest) -> Case:
    """A game, a number of players and options."""
    return request.param


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """A game."""
    return games.find(request.param)


def wander(match: Match, seed: int, events: int = 3000) -> Iterator[Match]:
    """Play at random; yield the match before each event and at the end."""
    dice = random.Random(seed)
    for _ in range(events):
        yield match
        if match.over:
            return
        match.play(dice.choice(match.choices))
