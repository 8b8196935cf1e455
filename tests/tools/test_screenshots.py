"""The pictures of pages have the right size, and leave nothing in the home folder."""

import os
import subprocess
import sys
from pathlib import Path

from PIL import Image

TOOL = Path(__file__).with_name("screenshots.py")


def test_the_first_two_pages(tmp_path: Path) -> None:
    words = (tmp_path / "new" / "folder", "--theme", "dark", "--size", "1280x720")
    home = tmp_path / "home"
    home.mkdir()
    with subprocess.Popen(
        [sys.executable, TOOL, *words],
        env=os.environ | {"HOME": str(home)},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        paths = [Path(process.stdout.readline().strip()) for _ in range(2)]
        process.kill()
    assert [path.stem for path in paths] == ["welcome-dark", "import-dark"]
    with Image.open(paths[0]) as picture:
        assert picture.size == (1280, 720)
    assert list(home.iterdir()) == []
