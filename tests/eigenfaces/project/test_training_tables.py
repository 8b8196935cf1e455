"""The tables of what was trained."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from eigenfaces import Gallery, Project


def test_what_was_fitted_to_is_written_in_order_block_after_block(
    gallery: Gallery, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eigenfaces.project.training_tables._FITTED_AT_ONCE", 5)
    Project.create(path, gallery).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        blocks = list(connection.execute("SELECT block, faces FROM fitted ORDER BY block"))
    fitted = gallery.trained.fitted
    assert [block for block, _ in blocks] == [*range(0, len(fitted), 5)]
    written = [tuple(face) for _, faces in blocks for face in json.loads(faces)]
    assert written == sorted(fitted)
