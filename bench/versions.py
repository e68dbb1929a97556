"""Bots of this version against those of another one, over the same deals.

    python bench/versions.py thiefs-market --theirs "../older/.venv/bin/yegg" --bots medium,expert

The other version is asked by its `yegg bot`, a process for each seat, and sees the record as it
comes about.  A deal is played as in the arena: one bot has one seat, each in turn, and the other
all others, and the other way round; equal bots win 50 %.  Results so far are told again and again.
"""

import argparse
import contextlib
import shlex
import subprocess
import sys

import yegg
from yegg.engine.notation import who
from yegg.games import find
from yegg.lab.cells import against
from yegg.stats.intervals import share

OURS, THEIRS = 0, 1


class Broken(Exception):
    """What the other version answered in place of a choice."""


class Seat:
    """A bot of the other version at one seat, in one game after the other."""

    def __init__(self, command, game, players, bot, seat, seed):
        """Begin the process; ``seat`` counts from 0."""
        words = ["bot", game, "-p", players, "--bots", bot, "--seat", seat + 1, "--seed", seed]
        self.process = subprocess.Popen(
            [*shlex.split(command), *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.seat, self.begun, self.written = seat, False, 0

    def begin(self):
        """Another game is dealt."""
        self.write("new", "") if self.begun else self.write("")
        self.begun, self.written = True, 0

    def write(self, *lines):
        """Write lines that it is to know."""
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def choose(self, match, lines):
        """Its choice at its decision; ``lines``: the record so far.  Raises Broken."""
        self.write(*lines[self.written :])
        self.written = len(lines)
        seat, _, text = self.process.stdout.readline().rstrip("\n").partition(" ")
        if seat != str(self.seat + 1):
            raise Broken(f"{seat} {text}".strip() or "nothing")
        return match.hear_recorded(text)


class Record:
    """The lines of a match's record, as it goes on."""

    def __init__(self, match):
        """It is asked before each decision."""
        self.match, self.lines, self.at = match, [], match.again()

    def upto_now(self):
        """All lines so far, from where it was asked last."""
        for choice in self.match.history[len(self.lines) :]:
            self.lines.append(f"{who(self.at.actor)} {self.at.say(choice)}")
            self.at.follow([choice])
        return self.lines


def result(match, sides):
    """Our part of the win, of those who share the first place."""
    first = [side for side, place in zip(sides, match.places, strict=True) if place == 1]
    return first.count(OURS) / len(first)


def played(game, players, line_up, theirs, bot, seed):
    """Our part of the win in a game in which ``line_up`` says whose each seat is."""
    match = yegg.Match(game, players=players, seed=seed)
    ours = [yegg.Bot(bot, seed=seed + seat) for seat in range(players)]
    for seat, whose in zip(theirs, line_up, strict=True):
        if whose == THEIRS:
            seat.begin()
    record = Record(match)
    while not match.over:
        seat = match.actor
        if line_up[seat] == OURS:
            choice = ours[seat].choose(match.view())
        else:
            choice = theirs[seat].choose(match, record.upto_now())
        match.play(choice)
    return result(match, line_up)


def main(words=None):
    """Play, and tell after every tenth of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--theirs", required=True, metavar="COMMAND", help="their yegg")
    parser.add_argument("--bots", default="hard,hard", metavar="OURS,THEIRS")
    parser.add_argument("-p", "--players", type=int, help="by default as many as usual")
    parser.add_argument("-n", type=int, default=400, help="games at least; default 400")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    game = find(asked.game)
    players = asked.players or game.usual
    ours, other = asked.bots.split(",")
    line_ups = against(players)
    theirs = [
        Seat(asked.theirs, game.name, players, other, seat, asked.seed + seat)
        for seat in range(players)
    ]
    deals, wanted = [], -(-asked.n // len(line_ups))
    try:
        for deal in range(wanted):
            seed = 10**6 * asked.seed + 1000 * deal
            won = [played(game.name, players, one, theirs, ours, seed) for one in line_ups]
            deals.append(sum(won) / len(won))
            if (deal + 1) % -(-wanted // 10) == 0 or deal + 1 == wanted:
                tell(f"{game.name}, {players} players", ours, other, deals, len(line_ups))
    except Broken as why:
        print(f"the other version answered: {why}", file=sys.stderr)
        return 1
    finally:
        for one in theirs:
            with contextlib.suppress(OSError):
                one.process.stdin.close()
            one.process.wait()
    return 0


def tell(where, ours, other, deals, games):
    """A line with the share of wins so far, and its interval by deals."""
    figure = share(deals, len(deals) * games)
    low, high = 100 * figure.low, 100 * figure.high
    print(
        f"{where}: our {ours} over their {other}: {100 * figure.value:.1f} % "
        f"[{low:.1f}, {high:.1f}] of {len(deals) * games} games",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
