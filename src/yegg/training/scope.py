"""Which settings of a game a net is to learn: how many play, by which options, against whom."""

import random
from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

from yegg.engine import Game
from yegg.observations.layout import keywords
from yegg.observations.setting import Setting, setting
from yegg.players.policy_net.weights import ANY

from .opponents import Opponents


class Scope:
    """Settings as published, and others with drawn options; ``published`` is the former's share."""

    def __init__(
        self,
        game: Game,
        players: int | None,
        options: Mapping[str, str],
        published: float,
        against: str | None = None,
    ) -> None:
        """All numbers of players, or only ``players``; ``against``: the bot in the other seats.

        With ``options`` these are those of all games, and no others are drawn.  Raises Refused
        where they do not go together.
        """
        self.game, self.players = game, players
        self.opponents = Opponents(against)
        self.published = 1.0 if options or not game.options else published
        alone = game.alone() if not options else []
        numbers = [players] if players is not None else list(game.players)
        ways: dict[int, list[dict[str, str]]] = {}
        for n in numbers:
            if n == 1 and alone:
                ways[n] = [game.chosen(1, way) for way in alone]
            elif players is not None or n in game.seats(options):
                ways[n] = [game.chosen(n, options)]
        if not ways:
            game.setup(game.usual, options)
        self._usual = [
            (n, ways[n][turn % len(ways[n])])
            for turn in range(max(map(len, ways.values())))
            for n in ways
        ]

    def settings(self, many: int, dice: random.Random) -> list[Setting]:
        """So many settings: the published ones in turn, then drawn ones."""
        usual = round(many * self.published)
        some = list(islice(cycle(self._usual), usual))
        named = [setting(self.game, n, **keywords(options)) for n, options in some]
        return named + [self.draw(dice) for _ in range(many - usual)]

    def draw(self, dice: random.Random) -> Setting:
        """A setting; each option is as published with even chances, or else any of its values."""
        while True:
            options = {
                name: dice.choice(made.values)
                for name, made in self.game.options.items()
                if dice.random() < 0.5
            }
            fit = [n for n in self.game.seats(options) if self.players in (None, n)]
            if fit:
                return setting(self.game, dice.choice(fit), **keywords(options))

    def covers(self) -> list[list[Any]]:
        """What the net's file says of it: see `weights.covers`."""
        if self.published == 1:
            return [[n, options] for n, options in self._usual]
        return [[n, ANY] for n in dict.fromkeys(n for n, _ in self._usual)]

    @property
    def shown(self) -> Setting:
        """The setting in which it is told how well the net plays."""
        n, options = next((one for one in self._usual if one[0] == self.game.usual), self._usual[0])
        return setting(self.game, n, **keywords(options))
