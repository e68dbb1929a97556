"""The files of a package that is written: templates with their words in place."""

from collections.abc import Iterator, Mapping
from pathlib import Path


def filled(template: Path, words: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """The files of a template by their paths, with ``words`` in place of others."""
    for source in sorted(template.rglob("*")):
        if source.is_dir() or "__pycache__" in source.parts:
            continue
        path, text = str(source.relative_to(template)), source.read_text(encoding="utf-8")
        for old, new in words.items():
            path, text = path.replace(old, new), text.replace(old, new)
        yield path, text.encode()


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new folder."""
    for path, data in files.items():
        made = folder / path
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(data)
