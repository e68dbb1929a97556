"""Four tabletop games of thieves and merchants: rules, players, laboratory."""

__version__ = "0.1.0"
