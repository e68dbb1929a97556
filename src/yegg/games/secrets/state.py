"""The state of Secrets: secrets, spies, policemen, and the sealed order sheets."""

from collections.abc import Mapping
from enum import IntEnum

from yegg.engine import Record, number, option, row

ALLOCATES_NOTHING = True  # see Compiler.lean
SEATS = 6
SPY_NAMES = ("Club", "Diamond", "Heart", "Spade")
SPIES = len(SPY_NAMES)
POLICEMAN = SPIES  # the order that follows the spies'
SECRETS = 10
MOST_TURNS = 20
POINTS = 45  # SE-30: to be spread over hidden secrets
REWARD = 10  # SE-10: for each spy captured, by the published rules
MOST_REWARD = 15
HOME = -1  # in place of a target: the spy stayed at home (SE-15)
UNSEEN = -1  # where a policeman stood, to those who do not know (SE-21)
EVERYBODY = 2**SEATS - 1  # a bit for each seat


class Choice(IntEnum):
    """Choices are: a target for the next spy, a secret to guard, points; then chance's memory."""

    STEAL = 0  # secret 0 of seat 0; STEAL + 10 * owner + secret
    IDLE = SEATS * SECRETS
    GUARD = IDLE + 1  # secret 0
    GUARD_NOTHING = GUARD + SECRETS
    ALLOCATE = GUARD_NOTHING + 1  # no points; ALLOCATE + 45 is all of them
    STAY_HOME = ALLOCATE + POINTS + 1  # SE-15: never legal, only the adjudicator writes it
    STOOD = STAY_HOME + 1  # in views: where a policeman stood last turn
    TICKET = STOOD + SECRETS  # in views: which ticket of the urn is drawn


CHOICES = Choice.TICKET + SECRETS + POINTS - 1


def all_secrets(players: int, chosen: Mapping[str, int]) -> int:
    """SE-1: nine secrets; SE-30: ten when they are hidden."""
    return SECRETS if chosen["hidden"] else SECRETS - 1


class State(Record):
    """The table: options first, then what is known, then the orders of this turn."""

    players = 0
    hidden = option("no", "yes", says="players spread 45 points over secret values (SE-30)")
    turns = option(*range(1, MOST_TURNS + 1), usual=5, says="turns to the end")
    posts = option("secret", "open", says="open: told after each turn (SE-21)")
    spies = option(*range(1, SPIES + 1), usual=SPIES, says="spies of each player, from Club on")
    secrets = option(*range(2, SECRETS + 1), usual=all_secrets, says="secrets of each player")
    reward = option(*range(MOST_REWARD + 1), usual=REWARD, says="points for a captured spy (SE-10)")
    policeman = option("moves", "may-stay", says="may-stay: also where nobody came (SE-6)")
    # from 1; 0 while hidden points are spread, turns + 1 after the end
    turn = number(MOST_TURNS + 1)
    # by owner; negative in views: tickets in the urn
    value = row(SEATS, SECRETS, most=POINTS, least=-1 - POINTS)
    thief = row(SEATS, SECRETS, most=SEATS)  # 0, or 1 + the seat that stole it
    captor = row(SEATS, SPIES, most=SEATS)  # 0, or 1 + the seat whose policeman has this spy
    # hidden: a bit for each seat that was told the value
    told = row(SEATS, SECRETS, most=EVERYBODY)
    # 1 + the secret that the policeman must leave (SE-6); 0: none; or UNSEEN
    stood = row(SEATS, most=SECRETS, least=UNSEEN)
    # a bit for each secret where, for all that others know, he stood
    rumour = row(SEATS, most=2**SECRETS - 1)
    # in views: 1 + the points that chance has yet to remember; 0: none
    owed = row(SEATS, most=1 + POINTS)
    # which order is written next: a spy, the POLICEMAN; or a secret in turn 0
    given = row(SEATS, most=SECRETS)
    # of this turn: 1 + target or secret, 0: idle, HOME
    order = row(SEATS, SPIES + 1, most=SEATS * SECRETS, least=HOME)


def next_order(s: State, seat: int, piece: int) -> int:
    """The first spy from this one on who is free; else the policeman."""
    while piece < s.spies and s.captor[seat, piece]:
        piece += 1
    return POLICEMAN if s.spies <= piece < POLICEMAN else piece


def secret_name(s: State, secret: int) -> str:
    """SE-1: a number from 1; SE-30: a letter from A when they are hidden."""
    return chr(ord("A") + secret) if s.hidden else str(secret + 1)


def of(name: str) -> str:
    """A name's genitive."""
    if name == "You":
        return "Your"
    return f"{name}'" if name.endswith("s") else f"{name}'s"
