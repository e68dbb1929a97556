"""The card of a dataset, as dataset hubs show it: what it holds, how it was made, how to load it.

The lines above the text are what Hugging Face's hub and library read
(https://huggingface.co/docs/hub/datasets-cards, …/datasets-manual-configuration).
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import yegg
from yegg.lab.sources import made_by
from yegg.text.phrases import listing

if TYPE_CHECKING:
    from .tables import Teller

SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
SIZES |= {10_000_000: "1M<n<10M", 100_000_000: "10M<n<100M"}
MANY = "n>100M"
EARLY = """
**Stopped early**: {facts.asked:,} games were to be played. What is here is whole.
"""
TEXT = """
# {facts.environment}: {facts.decisions:,} decisions of {facts.games:,} games
{early}
`decisions-*.parquet` hold what the seat knows that decides, what it did, and what that brought.
`games.parquet` holds whole games, hidden things too: keep it from players that learn.

{tables}

## How it was made

- with yegg {facts.yegg}, sources {facts.sources}, version {facts.rules} of the rules
- options: {options}
- cards: {cards}
- bots: {bots}
- seed: {facts.seed}
- the coach: {coach}

## The columns of an observation

Whole numbers, up to 127. `dataset.json` says what to divide them by.

{columns}

## Licence

The games belong to their authors, and names of cards may be under a licence of their own:
CREDITS.md of yegg lists them. Write yours here before you publish.
"""


class Column(NamedTuple):
    """A column of a table."""

    kind: str
    says: str
    many: str = ""
    """What a list has an element for; nothing of a single value."""


DECISIONS = {
    "game": Column("int64", "the number of the game, from 0; `games.parquet` has a row for it"),
    "event": Column("int32", "how many events of the game came before"),
    "seat": Column("int8", "who decides, from 0"),
    "observation": Column("int8", "what the seat may know: the columns below", "columns"),
    "mask": Column("int8", "1 for each legal action", "actions"),
    "action": Column("int32", "what the seat did"),
    "text": Column("string", "the same in words, as the record has it"),
    "reward": Column("float32", "what the environment gives the seat until it decides again"),
    "last": Column("bool", "whether it is the seat's last decision in the game"),
    "return": Column("float32", "all that the game brings the seat"),
    "chance": Column("float32", "the coach's estimate of the seat's share of the win, 0 to 1"),
}
GAMES = {
    "game": Column("int64", "the number of the game, from 0"),
    "seed": Column("uint64", "the seed of all games"),
    "deal": Column("int64", "the number of the deal: games of one deal have equal dice and cards"),
    "bots": Column("string", "who sits there", "players"),
    "judges": Column("string", "by what they judge: `policy` (a net), `lore`, nothing", "players"),
    "over": Column("bool", "whether the game ended, and was not cut off"),
    "events": Column("int32", "how many events it had"),
    "decisions": Column("int32", "how many rows of decisions it has"),
    "scores": Column("int32", "every side's score", "sides"),
    "places": Column("int8", "every side's place, 1 the best; ties share one", "sides"),
    "rewards": Column("float32", "what the game brings each seat", "players"),
    "record": Column("string", "the whole game as text"),
}


@dataclass(frozen=True)
class Facts:
    """What a dataset is; `dataset.json` has it for programs."""

    yegg: str
    sources: str
    environment: str
    game: str
    rules: int
    cards: str
    options: dict[str, str]
    bots: list[str]
    seed: int
    asked: int
    iterations: int
    lengths: dict[str, int]
    """How many elements lists have."""
    columns: list[str]
    divide_by: list[int]
    """By column: what its whole number is divided by where environments give float32."""
    games: int = 0
    decisions: int = 0
    complete: bool = False

    @classmethod
    def of(cls, teller: "Teller", asked: int) -> Self:
        """Of a dataset of which nothing is written yet."""
        setting, shown = teller.setting, teller.shown
        game, players = setting.game, setting.players
        sizes = {"players": players, "sides": shown.sides, "actions": shown.choices.shape[1]}
        return cls(
            yegg=yegg.__version__,
            sources=made_by(game, setting.lineup),
            environment=shown.name,
            game=game.name,
            rules=game.version,
            cards=game.cards,
            options=dict(shown.options),
            bots=list(setting.lineup),
            seed=setting.seed,
            asked=asked,
            iterations=teller.iterations,
            lengths=sizes | {"columns": len(shown.columns)},
            columns=list(shown.columns),
            divide_by=[round(1 / float(one)) for one in shown.scale],
        )

    def more(self, games: int, decisions: int) -> Self:
        """The same with more games."""
        done = self.games + games
        return replace(
            self, games=done, decisions=self.decisions + decisions, complete=done == self.asked
        )

    @property
    def data(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)

    @property
    def tables(self) -> dict[str, dict[str, Column]]:
        """The columns of each table."""
        left_out = () if self.iterations else ("chance",)
        decisions = {name: one for name, one in DECISIONS.items() if name not in left_out}
        return {"decisions": decisions, "games": GAMES}


def card(facts: Facts) -> str:
    """The text of ``README.md``."""
    text = TEXT.format(
        facts=facts,
        early=EARLY.format(facts=facts) * (not facts.complete),
        tables="\n\n".join(_described(facts, table) for table in facts.tables),
        options=listing([f"{k}={v}" for k, v in facts.options.items()]) or "as published",
        cards=facts.cards or "as published",
        bots=", ".join(facts.bots),
        coach=f"{facts.iterations} iterations a decision" if facts.iterations else "not asked",
        columns=", ".join(f"`{name}`" for name in facts.columns),
    )
    return "\n".join(_metadata(facts)) + text


def _described(facts: Facts, table: str) -> str:
    """What the columns of a table hold."""
    lines = [f"| `{table}` | | |", "|---|---|---|"]
    for name, column in facts.tables[table].items():
        of = f" × {facts.lengths[column.many]}" if column.many else ""
        lines.append(f"| `{name}` | {column.kind}{of} | {column.says} |")
    return "\n".join(lines)


def _metadata(facts: Facts) -> Iterator[str]:
    """The lines that hubs read."""
    size = next((name for most, name in SIZES.items() if facts.decisions < most), MANY)
    tags = ["board-games", "imitation-learning", "yegg", facts.game]
    yield "---"
    yield f'pretty_name: "{facts.environment}, played by {", ".join(dict.fromkeys(facts.bots))}"'
    yield from ("license: other", "language:", "- en", "task_categories:")
    yield "- reinforcement-learning"
    yield from ("tags:", *(f"- {tag}" for tag in tags), "size_categories:", f"- {size}")
    yield "configs:"
    for table in facts.tables:
        yield f"- config_name: {table}"
        yield f"  data_files: {'decisions-*' if table == 'decisions' else table}.parquet"
        yield from ["  default: true"] * (table == "decisions")
    yield "dataset_info:"
    for table, columns in facts.tables.items():
        yield f"- config_name: {table}"
        yield "  features:"
        for name, column in columns.items():
            yield f"  - name: {name}"
            yield f"    {'list' if column.many else 'dtype'}: {column.kind}"
            if column.many:
                yield f"    length: {facts.lengths[column.many]}"
    yield "---"
