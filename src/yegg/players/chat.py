"""Language models as players: ``chat:MODEL@URL``, by the interface that OpenAI's servers have.

``chat:qwen3@http://localhost:8080/v1`` asks ``POST http://localhost:8080/v1/chat/completions``.
The key is that of the environment variable `KEY`; it is sent to that address alone, and nothing
says it.  A model is told the rules and its position, as `yegg.engine.briefing` writes them.
"""

import os
import re
import time
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

import httpx
import msgspec

from yegg.engine import Player, Refused, View, briefing
from yegg.engine.errors import NotUnderstood
from yegg.text.untrusted import quoted

from .usage import count

KEY = "YEGG_CHAT_KEY"
SPEC = re.compile(r"chat:(?P<model>[^,\s]+?)@(?P<url>https?://[^,\s]+)")
TRIES = 3  # answers to one question, until it counts as not answered
ATTEMPTS = 3  # requests for one answer, where the server is busy
ONE_REQUEST = 120.0  # seconds until a whole answer is there
LONGEST_PAUSE = 20.0  # seconds that a busy server is waited for between two requests
LARGEST = 1 << 20  # bytes of an answer
BUSY = (408, 409, 429, 500, 502, 503, 504)
LESS = "your answer was cut off before its end; think more briefly"


class Failure(Exception):
    """A model gave no choice; the text says why, in one line."""


class _Said(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Tokens(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None


class _Answer(msgspec.Struct):
    choices: list[_Choice]
    usage: _Tokens | None = None


@dataclass(frozen=True)
class Model:
    """A language model at an address; called, it makes a player."""

    name: str
    """``chat:MODEL@URL``"""
    model: str
    url: str
    SECONDS = TRIES * ATTEMPTS * (ONE_REQUEST + LONGEST_PAUSE)

    def __call__(self) -> "Chat":
        """A player for one seat of one match."""
        return Chat(self)

    @classmethod
    def read(cls, name: str) -> Self:
        """The model of ``chat:MODEL@URL``.  Raises Refused."""
        parts = SPEC.fullmatch(name)
        if not parts:
            like = "as in chat:qwen3@http://localhost:8080/v1"
            raise Refused(f"{quoted(name)} is no language model: it is chat:MODEL@URL, {like}")
        where = urlsplit(parts["url"])
        if where.username or where.password or where.query or not where.hostname:
            raise Refused(f"the address of {parts['model']} can hold no key: put it into {KEY}")
        return cls(name, parts["model"], parts["url"].rstrip("/"))

    def ask(self, messages: list[dict[str, str]]) -> _Answer:
        """One answer.  Raises Failure."""
        key = os.environ.get(KEY, "").strip()
        head = {"authorization": f"Bearer {key}"} if key else {}
        body = {"model": self.model, "messages": messages}
        for attempt in range(ATTEMPTS):
            status, raw, wait = self._post(head, body)
            if status == 200:
                return self._read(raw)
            if status not in BUSY:
                break
            if attempt + 1 < ATTEMPTS:
                time.sleep(min(LONGEST_PAUSE, max(wait, 0.2 * 2**attempt)))
        said = " ".join(raw[:2000].decode(errors="replace").split())
        why = quoted(said.replace(key, "…") if key else said)
        raise Failure(f"the server answered {status}: {why}")

    def _post(self, head: dict[str, str], body: object) -> tuple[int, bytes, float]:
        """The status, the body and the seconds that a busy server asks to wait.  Raises Failure."""
        begun, raw = time.monotonic(), bytearray()
        try:
            with (
                httpx.Client(timeout=ONE_REQUEST, headers=head) as http,
                http.stream("POST", f"{self.url}/chat/completions", json=body) as answer,
            ):
                for piece in answer.iter_bytes():
                    raw += piece
                    if len(raw) > LARGEST:
                        raise Failure(f"the server's answer has more than {LARGEST:,} bytes")
                    if time.monotonic() - begun > ONE_REQUEST:
                        raise Failure(f"no whole answer came after {ONE_REQUEST:g} s")
                wait = answer.headers.get("retry-after", "")
                return answer.status_code, bytes(raw), float(wait) if wait.isdecimal() else 0.0
        except httpx.TimeoutException:
            raise Failure(f"no whole answer came after {ONE_REQUEST:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Failure(f"no answer came: {quoted(str(error))}") from None

    def _read(self, raw: bytes) -> _Answer:
        try:
            answer = msgspec.json.decode(raw, type=_Answer)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise Failure("the server's answer is none of a chat") from None
        if not answer.choices:
            raise Failure("the server's answer holds no message")
        told = answer.usage or _Tokens()
        count(
            self.name,
            answers=1,
            tokens_read=told.prompt_tokens,
            tokens_written=told.completion_tokens,
            uncounted=answer.usage is None,
            cost=told.cost or 0.0,
        )
        return answer


class Chat(Player):
    """A language model at one seat: it is asked again where its answer is no choice."""

    def __init__(self, model: Model) -> None:
        """It asks nothing before its first decision."""
        self.model = model

    def choose(self, view: View) -> int:
        """The model's choice.  Raises Failure."""
        begun = time.monotonic()
        count(self.model.name, decisions=1)
        try:
            return self._choose(view)
        except Failure:
            count(self.model.name, failures=1)
            raise
        finally:
            count(self.model.name, seconds=time.monotonic() - begun)

    def _choose(self, view: View) -> int:
        messages = [
            _message("system", briefing.rules(view.game, view.players, view.options)),
            _message("user", briefing.decision(view)),
        ]
        for _ in range(TRIES):
            choice = self.model.ask(messages).choices[0]
            said = (choice.message.content or "")[-briefing.LONGEST_ANSWER :]
            try:
                if choice.finish_reason == "length":
                    count(self.model.name, cut=1)
                    raise NotUnderstood(LESS)
                return briefing.meant(view, said)
            except Refused as error:
                count(self.model.name, illegal=1)
                messages += [
                    _message("assistant", said or "(nothing)"),
                    _message("user", briefing.refusal(error, view)),
                ]
        raise Failure(f"gave {TRIES} answers that are no choice")


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
