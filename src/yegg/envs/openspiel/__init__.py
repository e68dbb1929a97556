"""The games in OpenSpiel: import this, then ``pyspiel.load_game("yegg_magnate(courts=yes)")``."""

from yegg import games
from yegg.engine import Refused

try:
    import pyspiel
except ImportError as error:
    raise Refused('OpenSpiel is not installed here: pip install "yegg[openspiel]"') from error

from .bots import BotPolicy, YeggBot
from .game import State, YeggGame, game_type, short_name

__all__ = ["BotPolicy", "State", "YeggBot", "YeggGame", "names"]


def names() -> list[str]:
    """What OpenSpiel calls the games, those of other packages too."""
    return [short_name(games.find(name)) for name in games.names()]


for _game in map(games.find, games.names()):
    if short_name(_game) not in pyspiel.registered_names():
        pyspiel.register_game(game_type(_game), YeggGame.of(_game))
