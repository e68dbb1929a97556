"""Parsing of letters with orders for Secrets: words that name spies, players, secrets, points.

SE-30: ``A 9, B 0, C 4 …`` or ``9 on A`` or, as in the published examples, all numbers in
their order: ``(0, 0, 0, 0, 0, 9, 9, 9, 9, 9)``.  A secret that is not named gets
nothing, provided that the others make up all 45 points.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yegg.text.phrases import WORDS, fold

from .state import POINTS, POLICEMAN, SECRETS, SPY_NAMES, State, secret_name

LONGEST = 20_000  # characters; a longer mail is not read
GUARDING = {
    "guard", "guards", "guarding", "guarded", "protect", "protects", "watch", "watches",
}  # fmt: skip
POLICE = {"policeman", "policewoman", "police", "pol", "cop", "constable", "officer"}
IDLE = {"idle", "idles", "home", "rests", "nothing", "nobody", "nowhere", "nil"}
OPEN = {
    "not", "no", "never", "cannot", "don", "dont", "doesn", "doesnt", "won", "wont", "isn", "if",
    "unless", "or", "either", "maybe", "perhaps", "instead", "otherwise", "except", "cancel",
    "ignore", "forget", "rather", "else",
}  # fmt: skip
ENGLISH = """
a about after all also am an and any are as at be been best both but by can could dear do does
each enter for from get gets go goes going good greetings has have he hello her here hers hi him
his how i in into is it its last let letter list look love mail me mean mine more my new next
now number of off on one order ordered orders our out over own per please points post raid raids
regards rob robs round seat secret secrets see send sends sent set shall she should so spies spy
stand stands steal stealing steals stole take takes target targets than thanks that the their
them then there these they this those to too tries try turn two up us very visit visits want was
we week well were what when where which while who whose will wish with would yes yet you your
yours
"""
GLUE = GUARDING | POLICE | IDLE | OPEN | set(ENGLISH.split())  # never an abbreviated name
GIVEN = {"will"}  # words that people are called, too: with a capital they are meant
NUMBERS = WORDS[1:]
COUNTED = {"turn", "round", "week", "game", "day"}  # a number after these is not a secret
BEFORE_SECRET = GUARDING | {"secret", "letter", "number", "steal", "steals", "stealing", "takes"}
AFTER_SECRET = {"from", "of", "by"}
SUITS = dict(zip("♣♦♥♠", range(len(SPY_NAMES)), strict=True))
STOPS = set(".;!?,&+")
WORD = re.compile(r"\d+(?:[.,:/-]\d+)+|\d+|[^\W\d_]+|[♣♦♥♠]|\n|[.;!?,&+]|['’]s?\b")


@dataclass
class Token:
    """A word and what it names."""

    text: str
    start: int
    kind: str = "word"  # piece, player, secret, stop, line, comma, word
    value: int = -1
    could_be: tuple[int, ...] = ()
    """Every player that an ambiguous word may name."""
    owns: bool = False
    """Whether it stands in the genitive: Bill's."""

    @property
    def plain(self) -> str:
        """The word without accents and capitals."""
        return fold(self.text)


def body_of(mail: str) -> str:
    """The writer's own words: no quoted lines, no signature, no list numbers, no bullets."""
    lines: list[str] = []
    count = 1  # of a numbered list
    for line in mail.splitlines():
        if line.rstrip() == "--":
            break
        if line.lstrip().startswith((">", "|")):
            continue
        numbered = re.match(rf"\s*\(?{count}[.)]\s+(?=\S)", line)
        count += numbered is not None
        bullet = numbered or re.match(r"\s*[-*•]\s+", line)
        lines.append(line[bullet.end() :] if bullet else line)
    text = unicodedata.normalize("NFC", "\n".join(lines))
    return re.sub(r"\b(?:no|nr)\.\s*(?=\d)", "secret ", text, flags=re.IGNORECASE)


def tokens(text: str, names: Sequence[str], *, lettered: bool) -> list[Token]:
    """Every word of a text with what it names."""
    found = [Token(m[0], m.start()) for m in WORD.finditer(text)]
    words: list[Token] = []
    for token in found:
        if token.text[0] in "'’":
            if words:
                words[-1].owns = True
        else:
            words.append(token)
    for name in names:
        words = _joined(words, name)
    players = [tuple(re.findall(r"\d+|[^\W\d_]+", fold(name))) for name in names]
    i = 0
    while i < len(words):
        short = 2 if lettered else 1  # a single letter is a secret where secrets have letters
        i += _name(words, i, names, players, short) or _other(words, i, lettered=lettered)
    return [token for token in words if token.kind != "gone"]


def _joined(words: list[Token], name: str) -> list[Token]:
    """The words without the dots of a name: "St. John" is one person, and ends no sentence."""
    written = [fold(part) for part in WORD.findall(unicodedata.normalize("NFC", name))]
    parts = [part for part in written if part[0] not in "'’"]
    last = max((i for i, part in enumerate(parts, 1) if part not in STOPS), default=0)
    inner, after = parts[:last], parts[last:]
    if not STOPS & set(inner):
        return words
    plain, kept, i = [word.plain for word in words], list[Token](), 0
    while i < len(words):
        if plain[i : i + last] != inner:
            kept.append(words[i])
            i += 1
            continue
        kept += [word for word in words[i : i + last] if word.plain not in STOPS]
        i += last
        i += len(after) if plain[i : i + len(after)] == after else 0
    return kept


def _name(
    words: list[Token], i: int, names: Sequence[str], players: list[tuple[str, ...]], short: int
) -> int:
    """How many words from here name a player, in full or with at least ``short`` letters."""
    here = [word.plain for word in words[i : i + max(2, *map(len, players))]]
    whole = [p for p, name in enumerate(players) if tuple(here[: len(name)]) == name]
    whole = [p for p in whole if len(players[p]) > 1 or not _is_plain_word(words[i], names[p])]
    if whole:
        best = max(whole, key=lambda p: len(players[p]))
        return _found(words, i, len(players[best]), (best,))
    if here[0] == "seat" and len(here) > 1 and here[1].isdecimal():  # however they are called
        seat = int(here[1][:6]) - 1
        if 0 <= seat < len(names):
            return _found(words, i, 2, (seat,))
    plain = len(here[0]) < short or not here[0].isalpha() or here[0] in GLUE
    if plain or _piece(words, i) >= 0:
        return 0
    runs = {p: _run(here, name) for p, name in enumerate(players)}
    longest = max(runs.values())
    if longest == 0:
        return 0
    return _found(words, i, longest, tuple(p for p, run in runs.items() if run == longest))


def _is_plain_word(word: Token, name: str) -> bool:
    """A player called Will is meant by "Will", not by "will"."""
    return word.plain in GLUE and word.text != name


def _run(here: list[str], name: tuple[str, ...]) -> int:
    """How many words abbreviate those of a name, in order; one later word of it counts too."""
    run = 0
    while run < min(len(here), len(name)) and name[run].startswith(here[run]):
        run += 1
    return run or int(any(part.startswith(here[0]) for part in name))


def _found(words: list[Token], i: int, length: int, players: tuple[int, ...]) -> int:
    token = words[i]
    token.kind, token.could_be = "player", players
    token.value = players[0] if len(players) == 1 else -1
    token.owns = words[i + length - 1].owns
    token.text = " ".join(word.text for word in words[i : i + length])
    for gone in words[i + 1 : i + length]:
        gone.kind = "gone"
    return length


def _other(words: list[Token], i: int, *, lettered: bool) -> int:
    """Note what a word names if it is no player; it is always one word."""
    token = words[i]
    if token.text in ".;!?":
        token.kind = "stop"
    elif token.text == "\n":
        token.kind = "line"
    elif token.text in ",&+" or token.plain == "and":
        token.kind = "comma"
    elif (secret := _secret(words, i, lettered=lettered)) is not None:
        token.kind, token.value = "secret", secret
    elif (piece := _piece(words, i)) >= 0:
        token.kind, token.value = "piece", piece
    return 1


def _secret(words: list[Token], i: int, *, lettered: bool) -> int | None:
    """A number, even if no secret has it; or a letter where secrets have letters."""
    word = words[i].plain
    before = words[i - 1] if i else Token("", 0)
    after = words[i + 1].plain if i + 1 < len(words) else ""
    if word.isdecimal():
        return None if before.plain in COUNTED else int(word[:6]) - 1
    placed = before.kind == "player" or before.plain in BEFORE_SECRET or after in AFTER_SECRET
    if lettered and len(word) == 1 and "a" <= word <= chr(ord("a") + SECRETS - 1):
        placed = placed or before.kind == "piece" or before.plain in {"at", "on"}
        sure = words[i].text.isupper() and word != "i" and not _starts_part(words, i)
        return ord(word) - ord("a") if placed or sure else None
    return NUMBERS.index(word) if placed and word in NUMBERS else None


def _piece(words: list[Token], i: int) -> int:
    """Which spy a word names, or the POLICEMAN; -1: none."""
    text, word = words[i].text, words[i].plain
    if text in SUITS:
        return SUITS[text]
    if word in POLICE or (len(word) > 2 and "policeman".startswith(word)):
        return POLICEMAN
    enough = 1 if _starts_part(words, i) else 2
    if len(word) >= enough and word not in GLUE:
        for spy, name in enumerate(SPY_NAMES):
            if (name.lower() + "s").startswith(word):
                return spy
    return POLICEMAN if word == "p" and enough == 1 else -1


def _starts_part(words: list[Token], i: int) -> bool:
    return i == 0 or words[i - 1].kind in {"stop", "line", "comma"}


@dataclass(frozen=True)
class Part:
    """The words about one piece: those before its name in the sentence, and those after."""

    piece: int
    lead: list[Token]
    rest: list[Token]
    words: str


def parts(words: list[Token], text: str) -> Iterator[Part]:
    """A text cut up into what is said of each piece."""
    _guarding(words)
    at = [i for i, token in enumerate(words) if token.kind == "piece"]
    start = 0
    for n, i in enumerate(at):
        end = len(words)
        if n + 1 < len(at):
            end = at[n + 1]
            breaks = [j for j in range(i + 1, end) if words[j].kind in {"stop", "line", "comma"}]
            end = breaks[-1] if breaks else end
        lead = _sentence(words[start:i][::-1], {"stop", "line"})[::-1]
        rest = _rest(words[i + 1 : end])
        whole = not _names(rest) or any(token.plain in OPEN for token in lead)
        first, last = (lead[0] if lead and whole else words[i]), (rest or [words[i]])[-1]
        said = text[first.start : last.start + len(last.text)]
        yield Part(words[i].value, lead, rest, " ".join(said.split()).rstrip(" ,"))
        start = end


def _guarding(words: list[Token]) -> None:
    """A verb of guarding stands for the policeman where no word in its sentence names him."""
    start = 0
    for end in range(len(words) + 1):
        if end == len(words) or words[end].kind == "stop":
            sentence = words[start:end]
            verbs = [token for token in sentence if token.plain in GUARDING]
            named = any(token.kind == "piece" and token.value == POLICEMAN for token in sentence)
            if verbs and not named:
                verbs[0].kind, verbs[0].value = "piece", POLICEMAN
            start = end + 1


def _sentence(words: list[Token], ends: set[str]) -> list[Token]:
    """The words up to the first end."""
    for i, token in enumerate(words):
        if token.kind in ends:
            return words[:i]
    return words


def _rest(words: list[Token]) -> list[Token]:
    """The words after a piece that belong to it: up to a stop, or to the end of a whole order."""
    words = _sentence(words, {"stop"})
    for i, token in enumerate(words):
        if token.kind == "line" and {"player", "secret"} <= _names(words[:i]):
            return words[:i]
        blank = token.kind == "line" and i + 1 < len(words) and words[i + 1].kind == "line"
        if blank:
            return words[:i]
    return words


def _names(words: list[Token]) -> set[str]:
    return {token.kind for token in words} & {"player", "secret"}


def why_no_name(words: Sequence[str], name: str) -> str:
    """Why orders could not tell a player of this name from other words; "" if they could.

    ``words`` are those of the ``name``, as they are compared.
    """
    word, *more = words
    ours = (GLUE | COUNTED | {"nr", *NUMBERS}) - (GIVEN if name[0].isupper() else set())
    if more:
        known = all(part in ours or part.isdecimal() for part in words)
        return f"all of “{name}” are words of orders" if known else ""
    alone = [Token(word, 0)]
    if word in ours - set(NUMBERS):
        return f"it is a word of orders; “{name} B” would be told apart"
    if word.isdecimal() or word in NUMBERS:
        return "it is a number"
    if len(word) == 1:
        return "a single letter may be a spy or a secret"
    return "it names a spy or the policeman" if _piece(alone, 0) >= 0 else ""


LETTER_FIRST = re.compile(
    r"\b([A-Z])\b[ \t]*(?:[:=]|->|is|gets|has|with)?[ \t]*(-?\d+(?:[.,]\d+(?=\s|$))?)(?!\d)",
    re.IGNORECASE,
)
NUMBER_FIRST = re.compile(
    r"(-?\d+)(?:[ \t]*points?)?[ \t]+(?:on|to|for|in|at)[ \t]+(?:secret[ \t]+)?([A-Z])\b",
    re.IGNORECASE,
)
LIST = re.compile(r"\d+(?:[ \t]*[,;/ \t][ \t]*\d+)+")


def read_points(text: str, s: State) -> tuple[list[int], list[str]]:
    """The points of every secret in order, or all that is wrong with them."""
    pairs = [(letter.upper(), number) for letter, number in LETTER_FIRST.findall(text)]
    backward = [(letter.upper(), number) for number, letter in NUMBER_FIRST.findall(text)]
    if len(backward) >= len(pairs) > 0:
        pairs = []
    if not pairs and not backward:
        return _listed(text, s)
    return _lettered(pairs or backward, s)


def _listed(text: str, s: State) -> tuple[list[int], list[str]]:
    """All numbers in their order, on one line."""
    lists = [[int(n[:6]) for n in re.findall(r"\d+", found)] for found in LIST.findall(text)]
    fitting = [numbers for numbers in lists if len(numbers) == s.secrets]
    if len(fitting) == 1:
        return _checked(fitting[0])
    last = secret_name(s, s.secrets - 1)
    if len(fitting) > 1:
        return [], [f"two lists of {s.secrets} numbers: which is it?"]
    if lists:
        n = len(max(lists, key=len))
        return [], [f"{n} numbers, but there are {s.secrets} secrets, A to {last} (SE-30)"]
    return [], [f"no points are found here; write them like: A 9, B 0 … {last} 4"]


def _lettered(pairs: list[tuple[str, str]], s: State) -> tuple[list[int], list[str]]:
    """A letter with each number."""
    names = [secret_name(s, secret) for secret in range(s.secrets)]
    points = dict.fromkeys(names, 0)
    seen: set[str] = set()
    faults = []
    for letter, number in pairs:
        if letter not in points:
            faults.append(f"“{letter} {number}”: secrets are A to {names[-1]} (SE-30)")
        elif letter in seen:
            faults.append(f"“{letter} {number}”: {letter} has its points already")
        elif not number.isdecimal() or len(number) > 6:
            faults.append(f"“{letter} {number}”: whole numbers of zero or more only (SE-30)")
        else:
            points[letter] = int(number)
        seen.add(letter)
    if faults:
        return [], faults
    return _checked(list(points.values()))


def _checked(points: list[int]) -> tuple[list[int], list[str]]:
    if sum(points) != POINTS:
        return [], [f"they are {sum(points)} points together, not {POINTS} (SE-30)"]
    return points, []
