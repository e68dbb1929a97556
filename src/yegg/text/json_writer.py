"""The one writer of JSON for programs: it cannot write anything that is not JSON."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def as_json(data: Any, *, indent: int | None = None, ascii: bool = True, sort: bool = False) -> str:  # noqa: A002
    """Data as JSON: a figure that is not known, or not finite, is ``null``.

    Raises TypeError for what has no form in JSON.

    >>> as_json({"p": float("nan"), "interval": (0.5, float("inf"))})
    '{"p": null, "interval": [0.5, null]}'
    """
    return json.dumps(
        plain(data), indent=indent, ensure_ascii=ascii, sort_keys=sort, allow_nan=False
    )


def plain(data: Any) -> Any:
    """Data as JSON has it: mappings, lists, texts, finite numbers, and None for all others."""
    if isinstance(data, Mapping):
        return {key: plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    if isinstance(data, np.generic | np.ndarray):
        return plain(data.tolist())
    return None if isinstance(data, float) and not math.isfinite(data) else data
