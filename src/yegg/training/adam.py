"""Adam (Kingma and Ba 2015); a gradient that is too long is shortened first."""

from typing import Any

STEEPEST = 0.5
"""The greatest length of a gradient."""


class Adam:
    """The optimizer of a flat array of weights: a mean and a mean square of each one's gradient."""

    def __init__(self, xp: Any, flat: Any) -> None:
        """For weights like these."""
        self.xp = xp
        self.means, self.squares = xp.zeros_like(flat), xp.zeros_like(flat)
        self.steps = 0

    def step(self, flat: Any, slope: Any, rate: float) -> None:
        """Change the weights in place, down the gradient ``slope``, which is overwritten."""
        xp = self.xp
        self.steps += 1
        slope *= xp.minimum(1, STEEPEST / (xp.sqrt(xp.dot(slope, slope)) + 1e-6))
        self.means += 0.1 * (slope - self.means)
        slope *= slope
        self.squares += 0.001 * (slope - self.squares)
        rate *= (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        flat -= rate * self.means / (xp.sqrt(self.squares) + 1e-5)
