"""Running evenings: so many, by a seed; and a script of whatever failed."""

from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test
from structlog.testing import capture_logs

from house.compared import Differs
from house.evening import Evening
from house.history import log_of, save
from house.judge import judged
from house.machine import Meeting
from house.server import Server

STEPS = 40  # rules in an evening


class Failed(AssertionError):
    """An evening in which house and model differ; ``lines`` show how."""

    def __init__(self, lines, why):
        super().__init__(f"{why}\n" + "\n".join(lines))
        self.lines, self.why = lines, why


@contextmanager
def served():
    """A house for evenings; what it says in its log is kept for them."""
    with capture_logs() as log:
        server = Server(log)
        try:
            yield server
        finally:
            server.close()


def history(server, evening):
    """What an evening's clients asked and were told, and the log of its tables."""
    log = log_of(server.registry.store, evening.keys)
    return server.history.people, server.history.lines, list(log)


def run(server, many, seed, *, shrink=True, told=lambda counts: None):
    """Play so many evenings, and judge what was told; return what was done, by verb.

    Raises Failed.
    """
    counts, lines = Counter(), []

    def kept(evening):
        lines[:] = evening.lines
        counts.update(evening.counts)
        counts["evenings"] += 1
        counts["tables"] += len(evening.tables)
        counts["games over"] += sum(table.over for table in evening.tables)
        told(counts)
        if not evening.differs and (found := judged(*history(server, evening))):
            raise Differs(f"by the history, {found[0]}")

    class Drawn(Meeting):
        pass

    Drawn.server, Drawn.kept = server, staticmethod(kept)
    settings = hypothesis.settings(
        max_examples=many,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate, *([Phase.shrink] if shrink else [])],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    try:
        run_state_machine_as_test(hypothesis.seed(seed)(Drawn), settings=settings)
    except Exception as why:
        while isinstance(why, BaseExceptionGroup):
            why = why.exceptions[-1]
        raise Failed(list(lines), why) from why
    return counts


def replay(server, lines, folder=None):
    """Carry a script out again, and judge its history; return what differs, with its line, or None.

    The history is kept in ``folder``, if there is one.
    """
    evening = Evening(server)
    for number, line in enumerate(lines, 1):
        try:
            evening.do(line)
        except Exception as why:  # noqa: BLE001  whatever it is, the line is what people need
            if not isinstance(why, Differs):
                why = f"{type(why).__name__}: {why}"
            return f"line {number}, {line!r}: {why}"
    told = history(server, evening)
    if folder:
        save(folder, *told)
    found = judged(*told)
    return f"by the history, {found[0]}" if found else None


def read(path):
    """The lines of a script, without comments."""
    text = Path(path).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
