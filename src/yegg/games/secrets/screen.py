"""Secrets in the terminal: who has lost what to whom, spies that are gone, one's own sheet."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yegg.text.phrases import listing

from .rules import score
from .state import HOME, POLICEMAN, SECRETS, SPY_NAMES, UNSEEN, State, of, secret_name

MARKS = "♣♦♥♠"


LEGEND = """\
A number is a secret that its owner still has; ×2 in its place was stolen or captured by Seat 2.
♣ ♦ ♥ ♠ are the spies Club, Diamond, Heart and Spade."""
"""How to read the position, for those who have the text alone."""


def draw(s: State, names: Sequence[str], seat: int) -> RenderableType:
    """Everybody's secrets and spies, then what only the seat knows."""
    parts: list[RenderableType] = [headline(s), everybody(s, names, seat)]
    if s.thief.any() or s.captor.any():
        less = any(points(s, owner, seat).endswith("+") for owner in range(s.players))
        more = "; 9+: 9 points or more" if less else ""
        parts.append(Text(f"×2: stolen or captured by seat 2{more}", "dim"))
    if seat >= 0 and s.turn <= s.turns:
        parts += [Text(line) for line in own(s, names, seat)]
    if must_move := bound(s, names, seat):
        parts.append(Text(f"Policemen who must move: {listing(must_move)}."))
    return Group(*parts)


def headline(s: State) -> Text:
    """Which turn it is."""
    if s.turn > s.turns:
        return Text("All turns are over.", "bold")
    if s.turn == 0:
        return Text("Before the first turn: the points are spread.", "bold")
    last = ", the last" if s.turn == s.turns else ""
    return Text(f"Turn {s.turn} of {s.turns}{last}", "bold")


def everybody(s: State, names: Sequence[str], seat: int) -> Table:
    """A row for each player."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    for column in ("", "", "secrets", "spies"):
        table.add_column(column)
    table.add_column("points", justify="right")
    for owner, name in enumerate(names):
        table.add_row(
            str(owner + 1),
            Text(name, "bold" if owner == seat else ""),
            secrets(s, owner, seat),
            spies(s, owner),
            points(s, owner, seat),
        )
    return table


def secrets(s: State, owner: int, seat: int) -> Text:
    """Secrets at home by their name, with points where those are not the name; stolen ones."""
    text = Text()
    for secret in range(s.secrets):
        name = secret_name(s, secret)
        if s.hidden and s.turn and s.value[owner, secret] >= 0:
            name += str(s.value[owner, secret])
        if s.thief[owner, secret]:
            gone = (
                f"×{s.thief[owner, secret]}" if not s.hidden else f"{name}×{s.thief[owner, secret]}"
            )
            text.append(f"{gone} ", "red dim")
        else:
            text.append(f"{name} ", "bold" if owner == seat else "")
    return text


def spies(s: State, owner: int) -> Text:
    """Free spies by their suit, captured ones by their captor."""
    text = Text()
    for spy in range(s.spies):
        captor = s.captor[owner, spy]
        text.append(f"×{captor} " if captor else f"{MARKS[spy]} ", "red dim" if captor else "")
    return text


def points(s: State, owner: int, seat: int) -> str:
    """Points as far as they are known here."""
    stolen = s.thief[: s.players, : s.secrets] == 1 + owner
    unknown = (s.value[: s.players, : s.secrets][stolen] < 0).any()
    return f"{score(s, owner)}{'+' if unknown else ''}"


def own(s: State, names: Sequence[str], seat: int) -> list[str]:
    """The seat's order sheet, and what binds its policeman."""
    lines = [""]
    if s.turn == 0:
        done = [f"{secret_name(s, i)} {s.value[seat, i]}" for i in range(s.given[seat])]
        return [*lines, f"Your points so far: {', '.join(done)}"] if done else lines
    written = [
        order_text(s, names, seat, piece)
        for piece in range(min(int(s.given[seat]), POLICEMAN))
        if not s.captor[seat, piece] and piece < s.spies
    ]
    if written:
        lines.append(f"Your orders so far: {', '.join(written)}")
    if s.stood[seat] > 0:
        post = secret_name(s, s.stood[seat] - 1)
        lines.append(f"Your policeman stood at {post} and captured nobody: he must move.")
    return lines


def bound(s: State, names: Sequence[str], seat: int) -> list[str]:
    """SE-6, SE-21: whose policeman is known to have stood somewhere in vain; not one's own."""
    return [
        f"{of(name)} stood at {secret_name(s, s.stood[other] - 1)}"
        for other, name in enumerate(names)
        if other != seat and s.stood[other] not in (0, UNSEEN)
    ]


def order_text(s: State, names: Sequence[str], seat: int, piece: int) -> str:
    """One order as it stands on the sheet."""
    order = int(s.order[seat, piece])
    if order == HOME or order == 0:
        return f"{SPY_NAMES[piece]} {'stays home' if order == HOME else 'idles'}"
    owner, secret = divmod(order - 1, SECRETS)
    return f"{SPY_NAMES[piece]} to {of(names[owner])} {secret_name(s, secret)}"
