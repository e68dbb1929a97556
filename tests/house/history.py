"""The history of an evening: who asked what, what they were told, and what the streams sent.

It is kept as lines of JSON, in the order of the answers; `log.jsonl` beside it has the tables as
the database has them, seeds included.
"""

import json
from pathlib import Path

from yegg.table.accounts.tokens import digest

HISTORY, LOG = "history.jsonl", "log.jsonl"
UNKNOWN = 0  # the status of a request whose answer nobody got
READS = {"": "look", "record": "record"}
EVENT = "number", "actor", "choice", "at", "words", "name", "person", "bot"
HEAD = "key", "game", "version", "seats", "options", "clock", "seed", "after"


def person(token):
    """Who somebody is in the log: the digest of their token."""
    return digest(token.partition(".")[0]) if token else None


class History:
    """What clients asked and were told, line by line."""

    def __init__(self):
        self.people, self.lines = {}, []

    def note(self, at, does, **what):
        """Add a line; ``at`` is the house's time in milliseconds."""
        self.lines.append({"at": at, "does": does, **what})

    def asked(self, at, since, method, path, token, sent, answer):
        """Add a request, which was sent when there were ``since`` lines, and its answer.

        Without an answer nobody knows whether it was done: its status is `UNKNOWN`.
        """
        _, _, *rest = path.split("/")
        table = rest[1] if rest[0] == "games" and len(rest) > 1 else None
        does = "/".join(rest[2:] if table else rest)
        does = READS.get(does, does) if method == "GET" else does
        status, got = UNKNOWN, {}
        if answer is not None:
            kind, status = answer.headers.get("content-type", ""), answer.status_code
            got = answer.json() if "json" in kind else answer.text
        if isinstance(got, dict):
            got.pop("token", None)
        about = {"who": person(token), "table": table, "since": since}
        self.note(at, does, **about, sent=sent, status=status, got=got)


def log_of(store, keys):
    """Tables as the database has them."""
    for key in keys:
        row, events = store.whole(key)
        yield {
            **{name: getattr(row, name) for name in HEAD},
            "events": [{name: getattr(event, name) for name in EVENT} for event in events],
        }


def save(folder, people, lines, log):
    """Write a history and its log; the first line says who is who."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, rows in ((HISTORY, [{"people": people}, *lines]), (LOG, log)):
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
        (Path(folder) / name).write_text(text, encoding="utf-8")


def load(folder):
    """People, lines and log of a folder."""
    head, *lines = _rows(Path(folder) / HISTORY)
    return head["people"], lines, _rows(Path(folder) / LOG)


def _rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
