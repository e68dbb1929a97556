"""The games for TextArena: its ``reset``, ``get_observation``, ``step`` and ``close``.

`register` makes them known to it; then there is ``textarena.make("yegg/second-story-v0")``.
"""

from types import SimpleNamespace
from typing import Any

from yegg.engine import Refused, briefing
from yegg.engine.game import packages

from .text import Counts, TextEnv

LACKING = "Arena needs TextArena: pip install textarena"


def textarena() -> Any:
    """TextArena itself.  Raises Refused where it is missing."""
    try:
        import textarena as found
    except ModuleNotFoundError:
        raise Refused(LACKING) from None
    return found


def identifier(game: str) -> str:
    """What a game is called in TextArena: ``yegg/second-story-v0``."""
    return f"yegg/{game}-v0"


def register() -> list[str]:
    """Make all games known to TextArena, those of other packages too; return what they are called.

    Raises Refused where TextArena is missing.
    """
    there, names = textarena(), []
    for game in sorted(packages()):
        name = identifier(game)
        if name not in there.envs.registration.ENV_REGISTRY:
            there.register(id=name, entry_point=Arena, default_wrappers=None, game=game)
        names.append(name)
    return names


class Arena:
    """A game as an environment of TextArena; every player answers in words.

    An answer that is no choice is refused in an observation, and the same player is asked again;
    ``tries`` of them in a row lose the game.
    """

    def __init__(
        self, game: str, *, rules: briefing.Rules = "full", tries: int = 3, **options: Any
    ) -> None:
        """Options of the game are keywords.  Raises Refused, also where TextArena is missing."""
        self.types = textarena().ObservationType
        self.sender: int = textarena().GAME_ID
        self.how = {"rules": rules, "tries": tries, **options}
        self.game = game

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game.  Raises Refused, also for a number of players that the game has not."""
        self.env = TextEnv(self.game, num_players, **self.how)
        self.env.reset(seed)
        self.step_info: dict[str, Any] = {}
        roles = {seat: f"Player {seat}" for seat in range(num_players)}
        self.state = SimpleNamespace(
            num_players=num_players,
            role_mapping={self.sender: "GAME", **roles},
            current_player_id=self.env.seat,
            done=False,
        )
        """What wrappers of TextArena read."""

    def get_observation(self) -> tuple[int, list[tuple[int, str, Any]]]:
        """Who is asked, from 0, and what is new to them: sender, text and kind of each message."""
        refused = bool(self.step_info.get("refused"))
        kinds = {
            "system": self.types.PROMPT,
            "user": self.types.GAME_ADMIN if refused else self.types.GAME_BOARD,
        }
        new = [(self.sender, one["content"], kinds[one["role"]]) for one in self.env.observe()]
        return self.state.current_player_id, new

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Let the player who is asked answer; whether the game is over, and what came of it.

        ``refused`` says why an answer was no choice.
        """
        outcome = self.env.step(action)
        self.step_info = {"player": outcome.seat, "choices": list(outcome.choices)}
        if not outcome.legal:
            self.step_info |= {"refused": outcome.refusal, "clause": outcome.clause}
        self.state.done = self.env.over
        if not self.env.over:
            self.state.current_player_id = self.env.seat
        return self.env.over, self.step_info

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """Each player's reward, 1 for the only winner and all together 0; and how it went."""
        rewards = dict(enumerate(self.env.rewards[: self.env.players]))
        return rewards, {seat: self._told(seat, one) for seat, one in enumerate(self.env.counts)}

    def _told(self, seat: int, counts: Counts) -> dict[str, Any]:
        return {
            "role": f"Player {seat}",
            "invalid_move": self.env.forfeited == seat,
            "turn_count": counts.decisions,
            "illegal": counts.illegal,
        }
