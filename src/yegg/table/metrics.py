"""Metrics of the server, which Prometheus reads at /metrics.

What a player does in secret is counted too: orders, tries, what a bot has to think about.  So
whatever grows with play is told in large steps, and nothing can be told of one game from it.
"""

import secrets
from collections.abc import Iterator

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector, CollectorRegistry

STEP = 1000  # of whatever is counted: many games
AT_ONCE = {"yegg_broken", "yegg_unwritten", "yegg_bots_failed", "yegg_games"}
"""Counters that are told at once: faults, of which everybody may know, and tables."""
disable_created_metrics()  # type: ignore[no-untyped-call]  # they say when something was first

choices = Counter("yegg_choices_total", "Choices kept", ["game", "by"])
# 409: somebody was faster, or the game had gone on
not_kept = Counter("yegg_choices_refused_total", "Choices refused", ["game", "by", "status"])
refused = Counter("yegg_refused_total", "Requests refused", ["status"])
games = Counter("yegg_games_total", "Tables opened", ["game"])
tables = Gauge("yegg_rooms", "Tables in memory")
streams = Gauge("yegg_streams", "Open live streams")
commits = Histogram(
    "yegg_commit_seconds",
    "A transaction with its sync",
    buckets=[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
)
groups = Histogram("yegg_group_writes", "Writes in a transaction", buckets=[1, 2, 4, 8, 16, 64])
thinking = Histogram(
    "yegg_thinking_seconds",
    "A bot's choice",
    ["bot"],
    buckets=[0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10],
)
unwritten = Counter("yegg_unwritten_total", "Writes that were not kept on disk")
broken = Counter("yegg_broken_total", "Errors of the server itself")
failed = Counter("yegg_bots_failed_total", "Bots that failed and were replaced", ["bot"])
database = Gauge("yegg_database_up", "Whether the database answers")
disk = Gauge("yegg_disk_free_bytes", "Free space where the file of games lies")
late = Gauge("yegg_late_seconds", "How much later than asked for the event loop did something")


class Steps(Collector):
    """A Prometheus collector whose counters rise in large steps only."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """``registry`` has the figures as they are."""
        self.registry = registry
        self.told: dict[str, Metric] = {}
        self.due: dict[str, float] = {}
        """From which sum on a counter is told anew; nobody can work out how far that is."""

    def collect(self) -> Iterator[Metric]:
        """Everything, each as it was when it was last told."""
        for now in self.registry.collect():
            if now.type not in ("counter", "histogram") or now.name in AT_ONCE:
                yield now
                continue
            sizes = (one.value for one in now.samples if one.name.endswith(("_total", "_count")))
            if (size := sum(sizes)) >= self.due.setdefault(now.name, _step()):
                self.told[now.name], self.due[now.name] = now, size + _step()
            yield self.told.get(now.name) or Metric(now.name, now.documentation, now.type)


def _step() -> int:
    return STEP + secrets.randbelow(STEP)


steps = Steps(REGISTRY)
