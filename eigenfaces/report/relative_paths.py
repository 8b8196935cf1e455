"""A record for other people: with relative paths, without the folders of this machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from eigenfaces.evaluation.records import Record


def with_relative_paths(record: Record) -> Record:
    """Return a record whose photographs are named by their paths below the folder they came from.

    That is the folder of photographs, if they came from one; else, or where some lie elsewhere,
    the folder that all of them lie in. Paths that are relative already stay as they are, and so do
    those that have no folder in common (on two drives). Where the photographs are to be found
    again, `Record.source`, is kept as it was said.
    """
    photos = record.evaluation.photos
    paths = [photo.path for photo in photos]
    if not paths or not all(path.is_absolute() for path in paths):
        return record
    folder = _folder_of(paths, record)
    if folder is None:
        return record
    short = tuple(replace(each, path=each.path.relative_to(folder)) for each in photos)
    unused = tuple(
        replace(each, path=_below(folder, each.path)) for each in record.evaluation.unused
    )
    return replace(record, evaluation=replace(record.evaluation, photos=short, unused=unused))


def _below(folder: Path, path: Path) -> Path:
    """Return a path as it is below a folder; of one that is elsewhere, the name alone."""
    return path.relative_to(folder) if path.is_relative_to(folder) else Path(path.name)


def _folder_of(paths: Sequence[Path], record: Record) -> Path | None:
    if record.source.kind == "folder" and record.source.place:
        said = Path(record.source.place).absolute()
        if all(path.is_relative_to(said) for path in paths):
            return said
    try:
        return Path(os.path.commonpath([path.parent for path in paths]))
    except ValueError:
        return None
