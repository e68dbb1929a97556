"""A player who sees every order that was ever given, and always answers the last ones."""

import random

import numpy as np

from yegg.engine import Match
from yegg.games import find
from yegg.games.secrets import events
from yegg.games.secrets.state import POLICEMAN, Choice
from yegg.players import Bot

GAME = find("secrets")
PLAYERS = 4


def share(others, number):
    """The share of the win of one who counters three of the others, in the game of this number."""
    rng, mine = random.Random(number), number % PLAYERS
    bots = [Bot(others, PLAYERS * number + seat) for seat in range(PLAYERS)]
    match, turn = Match(GAME, PLAYERS), 1
    last = sealed = np.zeros((6, 5), int)
    while not match.over:
        if match.state.turn != turn:
            turn, last = int(match.state.turn), sealed
        seat = match.actor
        choice = counter(match, last, rng) if seat == mine else bots[seat].choose(match.view())
        if seat == PLAYERS - 1 and match.state.given[seat] == POLICEMAN:
            sealed = events.sealed(match.state, choice).order.astype(int)
        match.play(choice)
    places = match.places
    return (places[mine] == 1) / places.count(1)


def counter(match, last, rng):
    """The best reply to everybody's last orders, were they given again."""
    s, seat = match.state, match.actor
    if s.turn == 1:
        return rng.choice(match.choices)
    return max(match.choices, key=lambda choice: reply(s, seat, last, choice))


def reply(s, seat, last, choice):
    """What an order would bring: no policeman, no rival, no own spy; or many visitors."""
    others = np.delete(np.arange(PLAYERS), seat)
    if choice >= Choice.IDLE:
        return 10 * (last[others, :POLICEMAN] == 1 + 10 * seat + choice - Choice.GUARD).sum()
    owner, secret = divmod(choice, 10)
    if last[owner, POLICEMAN] == 1 + secret or 1 + choice in s.order[seat]:
        return -20
    return s.value[owner, secret] - 5 * (last[others, :POLICEMAN] == 1 + choice).sum()
