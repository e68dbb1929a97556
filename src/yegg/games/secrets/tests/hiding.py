"""Tables of the hidden game to try things on, and what a seat knows of a position."""

from yegg.games.secrets import rules

PUBLISHED = (0, 0, 0, 0, 0, 9, 9, 9, 9, 9)
EVEN = (4, 4, 4, 4, 4, 5, 5, 5, 5, 5)
STEEP = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)


def hidden(table, players=3, **options):
    t = table(players, hidden="yes", **options)
    t.allocate(*[PUBLISHED, EVEN, STEEP, EVEN, STEEP, PUBLISHED][:players])
    return t


def veiled(s, seat):
    view = s.copy()
    rules.hide(view, seat)
    return view
