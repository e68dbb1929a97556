"""Refused requests: the HTTP status, the reason, and what would have been possible."""

from typing import Any

from yegg.engine import Match, Refused

NO_SEAT = "you have no seat here: sit down first, or send your seat's token"


class HttpRefusal(Exception):
    """A refused request, with the reason in words for people."""

    def __init__(self, status: int, why: str, **more: Any) -> None:
        """``status`` as in HTTP; ``more`` goes beside ``why`` into the body."""
        super().__init__(why)
        self.status, self.why, self.more = status, why, more

    @property
    def body(self) -> dict[str, Any]:
        """The answer's body."""
        return {"why": self.why, **self.more}


def as_refusal(error: HttpRefusal | Refused) -> HttpRefusal:
    """The HTTP answer to a refusal: 422, unless it already has a status."""
    return error if isinstance(error, HttpRefusal) else HttpRefusal(422, str(error))


def not_legal(error: Refused, match: Match) -> HttpRefusal:
    """422: no legal choice; the clause where it is known, and what is possible."""
    clause = getattr(error, "clause", None)
    return HttpRefusal(422, str(error), clause=clause, legal=list(match.texts))
