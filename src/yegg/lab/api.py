"""The laboratory's Python API: ``ask`` plays an experiment, and gives its answer as tables."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any
from weakref import finalize

from yegg.engine import Game
from yegg.engine.game import game_of
from yegg.text.json_writer import plain
from yegg.text.phrases import capital, listing
from yegg.text.untrusted import as_text

from .experiment.findings import Findings, findings, to_dict
from .experiment.rules_in_words import option_in_words
from .experiment.runs import Run
from .experiment.schema import Experiment, parsed
from .file_schema import NOTHING

if TYPE_CHECKING:
    import polars as pl


class Answer:
    """The answer of an experiment; `ask` makes it.  ``print`` shows what `yegg lab show` does."""

    def __init__(self, run: Run) -> None:
        """The run is complete."""
        self.run = run
        self.found: Findings = findings(run)

    @property
    def data(self) -> dict[str, Any]:
        """All figures, as `yegg lab run --json` prints them (docs/lab.md)."""
        return dict(plain(to_dict(self.found)))

    def frame(self) -> "pl.DataFrame":
        """A row for each measure of each variant at each level, with its 95 % interval."""
        import polars as pl

        rows = []
        for one in self.data["figures"]:
            low, high = one.pop("interval")
            rows.append({**one, "low": low, "high": high})
        return pl.DataFrame(rows)

    def games(self) -> "pl.DataFrame":
        """A row for each game, with all its columns, and its variant and level."""
        import polars as pl

        tables = [
            self.run.games(cell).with_columns(
                variant=pl.lit(cell.variant.name), level=pl.lit(cell.level)
            )
            for cell in self.run.experiment.cells
        ]
        return pl.concat(tables, how="diagonal_relaxed")

    def report(self, folder: Path | str) -> Path:
        """Write report.html, report.md and report.json into a folder; return the page's path."""
        from .report.files import publish

        Path(folder).mkdir(parents=True, exist_ok=True)
        return publish(self.found, Path(folder))

    def __str__(self) -> str:
        from .report import narrative

        return as_text(narrative.as_text(self.found))


def ask(
    game: Game | str,
    *,
    vary: Mapping[str, Sequence[object] | Path | str] | None = None,
    rules: Sequence[Mapping[str, object]] = (),
    bots: str | Sequence[object] = "uniform",
    measure: Mapping[str, Any] | None = None,
    claims: Sequence[Mapping[str, Any]] = (),
    deals: int = 1000,
    players: int | None = None,
    seed: int = 0,
    question: str = "",
    threads: int | None = None,
    folder: Path | str | None = None,
) -> Answer:
    """Play an experiment: the same deals for every value of the options in ``vary``.

    ``rules`` are sets of rules that are compared, each with options, ``players``, ``cards`` (the
    file of a deck of your own) and a ``name``.  A value of ``cards`` in ``vary`` is such a file
    too, or ``published``; they are found from the working directory.

    ``bots`` is a level or several, as in the file (docs/lab.md); so are ``measure`` and
    ``claims``.  ``folder`` keeps the run, which then goes on where it was; without one it lasts
    as long as the answer.  Raises Refused.

    >>> from yegg import lab
    >>> answer = lab.ask("second-story", vary={"chips": ["10", "9"]}, deals=20)
    >>> answer.frame().columns[:4]
    ['variant', 'level', 'measure', 'value']
    """
    experiment = varying(
        game_of(game, None),
        vary or {},
        rules=rules,
        question=question,
        bots=[bots] if isinstance(bots, str) else list(bots),
        measure=measure,
        claim=list(claims),
        sample={"deals": deals},
        players=players,
        seed=seed,
    )
    home = Path(folder or mkdtemp(prefix="yegg-"))
    with ExitStack() as undone:
        if not folder:
            undone.callback(rmtree, home, ignore_errors=True)
        run = begun(experiment, home)
        run.play(threads)
        answer = Answer(run)
        undone.pop_all()
    if not folder:
        finalize(answer, rmtree, home, ignore_errors=True)
    return answer


def varying(
    game: Game,
    vary: Mapping[str, Sequence[object] | Path | str],
    *,
    question: str = "",
    rules: Sequence[Mapping[str, object]] = (),
    folder: Path | None = None,
    **more: Any,
) -> Experiment:
    """An experiment over the values of options, for each of some sets of ``rules``.

    What ``more`` there is, is as in the file; decks are found from its ``folder``, by default the
    working directory.  Raises Refused.
    """
    values = {name: texts(some) for name, some in vary.items()}
    sets = [{key: texts(one) for key, one in rule.items()} for rule in rules]
    every = {name: [some] if isinstance(some, str) else some for name, some in values.items()}
    about = [option_in_words(game, name, some) for name, some in every.items()]
    usual = f"{capital(listing(about))}: what changes?" if vary else f"How does {game.title} go?"
    among = {"rules": sets} if sets else {}
    file = {"question": question or usual, "game": game.name, **more, "vary": {**among, **values}}
    data = {key: value for key, value in file.items() if value not in NOTHING}
    return parsed(data, folder=folder)


def texts(value: object) -> Any:
    """Values as a file has them: a text, or a list of texts."""
    return list(map(str, value)) if isinstance(value, list | tuple | range) else str(value)


def begun(experiment: Experiment, folder: Path) -> Run:
    """A run of an experiment that has begun in a folder.  Raises Refused."""
    run = Run(experiment, folder)
    run.begin()
    return run
