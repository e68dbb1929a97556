"""Bots as version 1.0 described them: a class, and a module that is compiled."""

import random

import yegg


class Fickle(yegg.Player):
    """Any choice, the same again for the same seed."""

    def begin(self, seed):
        """All random numbers come from the seed."""
        self.random = random.Random(seed)

    def choose(self, view):
        """One of the choices."""
        return self.random.choice(view.choices)
