"""The photograph of a folder."""

from pathlib import Path

import pytest
from astronaut import PICTURE


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A woman's portrait, in a folder of its own."""
    path = tmp_path / "Folder" / "a.jpg"
    path.parent.mkdir()
    PICTURE.save(path, quality=95)
    return path
