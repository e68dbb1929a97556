"""A tiny game whose values are known: two urns, a button, a ticket.

Chance brings a good or a bad urn; seat 1 presses one of two buttons, which do the same; a
ticket is drawn, and of four in the good urn three win for seat 1, in the bad one one.
"""

URNS = {
    "__init__.py": """
        from yegg.engine import Game
        GAME = Game(__name__, "Urns", "Press and hope.", players=range(2, 3), usual=2)
        """,
    "rules.py": '''
        """Two urns."""
        from yegg.engine import CHANCE, NOBODY, Record, option
        CHOICES = 8
        URN, PRESS, TICKET = 0, 2, 4
        class State(Record):
            players = 0
            tickets = option(4, 8, says="how many tickets an urn has")
            turn = phase = good = won = secret = 0
        def deal(s):
            pass
        def actor(s):
            if s.phase == 3:
                return NOBODY
            return 0 if s.phase == 1 else CHANCE
        def legal(s, out):
            first, k = (URN, 2) if s.phase == 0 else (PRESS, 2) if s.phase == 1 else (TICKET, 4)
            for i in range(k):
                out[i] = first + i
            return k
        def play(s, choice):
            if s.phase == 0:
                s.good = choice
            elif s.phase == 1:
                s.secret = choice
            else:
                s.won = choice - TICKET < (3 if s.good else 1)
            s.phase += 1
        def hide(s, seat):
            if seat != 0:
                s.secret = 0
        def score(s, seat):
            return s.won if seat == 0 else 1 - s.won
        def standing(s, seat):
            return s.won if seat == 0 else 1 - s.won
        ''',
    "words.py": '''
        """Plain numbers."""
        def say(s, choice):
            return f"choice {choice}"
        ''',
}
