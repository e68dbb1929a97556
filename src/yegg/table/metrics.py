"""What is counted for those who look after the server; Prometheus reads it at /metrics."""

from prometheus_client import Counter, Gauge, Histogram

choices = Counter("yegg_choices_total", "Choices kept", ["game", "by"])
not_kept = Counter(
    "yegg_choices_refused_total", "Choices refused", ["game", "by", "status"]
)  # 409: somebody was faster, or the game had gone on
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
