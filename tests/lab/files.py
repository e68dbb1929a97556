"""Files of experiments, and what is said of those that are wrong."""

import pytest

from yegg.engine import Refused
from yegg.lab.experiment.schema import read


def written(folder, text, name="experiment.toml"):
    """A file with that text: its path."""
    path = folder / name
    path.write_text(text)
    return path


def refused(path):
    """Why the experiment in a file is refused."""
    with pytest.raises(Refused) as refusal:
        read(path)
    return str(refusal.value)
