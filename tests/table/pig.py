"""Pig, a game of a few lines, in two versions: one rule differs."""

from textwrap import dedent

RULES = '''
    """Pig, by John Scarne."""
    from yegg.engine import CHANCE, NOBODY, Record, option, row
    CHOICES = 8
    ROLL, HOLD = {roll}, {hold}
    class State(Record):
        players = 0
        goal = option(20, 30, says="how many points win")
        turn = rolling = pot = over = 0
        points = row(4)
    def deal(s):
        pass
    def actor(s):
        if s.over:
            return NOBODY
        return CHANCE if s.rolling else s.turn
    def legal(s, out):
        if s.rolling:
            for face in range(6):
                out[face] = face
            return 6
        if {forced}:
            out[0] = HOLD
            return 1
        out[0] = ROLL
        out[1] = HOLD
        return 2
    def play(s, choice):
        if choice == ROLL:
            s.rolling = 1
            return
        s.rolling = 0
        if choice != HOLD and choice > 0:
            s.pot += choice + 1
            return
        if choice == HOLD:
            s.points[s.turn] += s.pot
            s.over = s.points[s.turn] >= s.goal
        s.pot = 0
        s.turn = (s.turn + 1) % s.players
    def hide(s, seat):
        pass
    def score(s, seat):
        return s.points[seat]
    def standing(s, seat):
        return s.points[seat]
    '''
WORDS = '''
    """How Pig is written."""
    def say(s, choice):
        return f"roll {{choice + 1}}" if choice < 6 else "roll" if choice == {roll} else "hold"
    '''
GAME = '''
    """Pig: roll and add, or hold before a one."""
    from yegg.engine import Game
    GAME = Game(__name__, "Pig", "Roll or hold.", players=range(2, 5), version={version}, usual=2)
    '''
SCENE = "<p>Pig, version {version}</p><pre>{{{{ scene.text }}}}</pre>\n"


def write(folder, version, forced="0", *, roll=6, hold=7):
    """Write a version of Pig; ``forced``: when a player may only hold."""
    pig = folder / "pig"
    pig.mkdir(exist_ok=True)
    how = {"version": version, "forced": forced, "roll": roll, "hold": hold}
    for name, text in {"__init__": GAME, "rules": RULES, "words": WORDS}.items():
        (pig / f"{name}.py").write_text(dedent(text).format(**how).lstrip())
    (pig / "face").mkdir()
    (pig / "face" / "scene.html").write_text(SCENE.format(**how))
    (pig / "RULES.md").write_text("# Pig\n\n- **PI-1** Roll or hold.\n")
