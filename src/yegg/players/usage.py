"""What language models have done and cost in this process, by the name of the player."""

import threading
from dataclasses import asdict, dataclass, fields


@dataclass
class Usage:
    """What a model has done and cost in this process."""

    decisions: int = 0
    """Questions that it was asked."""
    answers: int = 0
    """Whole answers that came."""
    illegal: int = 0
    """Answers that meant no legal choice."""
    cut: int = 0
    """Answers that the server cut off."""
    failures: int = 0
    """Questions without a choice in the end."""
    tokens_read: int = 0
    """Of prompts, as the server counts them."""
    tokens_written: int = 0
    """Of answers, with what was thought and not said."""
    uncounted: int = 0
    """Answers of which the server did not say their tokens."""
    cost: float = 0.0
    """What the server says that its answers cost, if it says so, in its own currency."""
    seconds: float = 0.0

    def less(self, before: "Usage") -> "Usage":
        """What has come since an earlier moment."""
        names = (one.name for one in fields(self))
        return Usage(**{name: getattr(self, name) - getattr(before, name) for name in names})


_used: dict[str, Usage] = {}
_lock = threading.Lock()


def usage(name: str) -> Usage:
    """What the model of a player ``chat:MODEL@URL`` has done so far in this process."""
    with _lock:
        return Usage(**asdict(_used.get(name, Usage())))


def count(name: str, **more: float) -> None:
    """Add to what a player has done."""
    with _lock:
        kept = _used.setdefault(name, Usage())
        for what, many in more.items():
            setattr(kept, what, getattr(kept, what) + many)
