"""The program as it is started: without a display, for screenshots, and asked wrongly."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from eigenfaces.laboratory.lessons.catalogue import LESSONS

ROOT = Path(__file__).resolve().parents[1]
PAGES = {"welcome", "untrained", "people", "eigenfaces", "reconstruct", "recognise", "settings"}
PAGES |= {"help", "evaluate", "synthesise", "map"}

RIGHT = {
    "L1": ["96.25", "92.50", "88.75"],
    "L2": ["95.00", "96.25", "95.00"],
    "L∞": ["23.75", "95.00", "95.00"],
    "cosine": ["92.50", "96.25", "96.25"],
}
"""Raw pixels, k = 100 and k = 161: images 1–8 of each person train, 9 and 10 are recognised."""

SCENES = (
    "import",
    "photo-editor",
    "evaluate-running",
    "evaluate-comparing",
    "group",
    "settings-lit",
)
SCENES += ("reconstruct-lit",)
SCENES += tuple(f"recognise-{each}" for each in ("sure", "ask", "unknown", "no-face", "why"))
SCENES += tuple(f"lessons-{lesson.name}" for lesson in LESSONS)
"""What is rendered besides the pages."""


def surroundings(place: Path, **environment: str) -> dict[str, str]:
    """Return an environment with an empty home and no display; ``place`` holds all of it."""
    own = dict(os.environ)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "COLUMNS", "FORCE_COLOR"):
        own.pop(name, None)
    for name in [name for name in own if name.startswith("XDG_")]:
        del own[name]
    for name in ("HOME", "TMPDIR"):
        own[name] = str(place / name.lower())
        (place / name.lower()).mkdir(exist_ok=True)
    return own | {"PYTHONIOENCODING": "utf-8", **environment}


def command(*words: object) -> list[str]:
    return [sys.executable, str(ROOT / "main.py"), *map(str, words)]


def start(place: Path, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start the program with an empty home and no display; ``place`` holds all that it writes."""
    return subprocess.run(
        command(*words),
        env=surroundings(place, **environment),
        cwd=place,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for path in folder.glob("*.png"):
        with Image.open(path) as picture:
            found[path.stem] = picture.size
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="module")
def ended(place: Path) -> subprocess.CompletedProcess[str]:
    """One run without a display, looked at from several sides."""
    if sys.platform in ("win32", "darwin"):
        pytest.skip("There is always a display.")
    return start(place)


def test_without_display(ended: subprocess.CompletedProcess[str]) -> None:
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0] == "There is no display, so here is the same job without a window."


def test_the_table(ended: subprocess.CompletedProcess[str]) -> None:
    for distance, right in RIGHT.items():
        (line,) = re.findall(rf"^. {distance} .*$", ended.stdout, re.MULTILINE)
        assert re.findall(r"\d+\.\d\d", line) == right


def test_it_fits_a_narrow_terminal(ended: subprocess.CompletedProcess[str]) -> None:
    said = ended.stdout.split("Rendering the pages")[0]
    assert max(map(len, said.splitlines())) <= 80
    assert "\x1b" not in ended.stdout


def test_the_pages_are_where_it_says(ended: subprocess.CompletedProcess[str], place: Path) -> None:
    (folder,) = re.findall(r"^Rendering the pages into (.+) …$", ended.stdout, re.MULTILINE)
    assert Path(folder).parent == place / "tmpdir"
    found = sizes(Path(folder))
    assert {f"{each}-light" for each in (*PAGES, *SCENES)} == set(found)
    assert {found[f"{page}-light"] for page in PAGES} == {(1467, 943)}


def test_nothing_is_written_elsewhere(ended: subprocess.CompletedProcess[str], place: Path) -> None:
    assert all(path.suffix == ".png" for path in files(place / "tmpdir"))
    assert files(place / "home") == []


def test_screenshots(tmp_path: Path) -> None:
    """The first two: all of them are rendered without a display, too."""
    words = ("--screenshots", "shown", "--theme", "dark", "--size", "1280x720")
    with subprocess.Popen(
        command(*words), env=surroundings(tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline().strip() for _ in range(2)]
        process.kill()
    assert [Path(line).stem for line in said] == ["welcome-dark", "import-dark"]
    assert sizes(tmp_path / "shown")["welcome-dark"] == (1280, 720)
    assert files(tmp_path / "home") == []


@pytest.mark.parametrize("size", ["large", "1280", "1280x", "x720", "-1x720", "1280x720x3"])
def test_a_bad_size(tmp_path: Path, size: str) -> None:
    ended = start(tmp_path, "--screenshots", "shown", f"--size={size}")
    assert ended.returncode == 2
    assert f"“{size}”" in ended.stderr
    assert "1280x720" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "shown").exists()


def test_a_bad_theme(tmp_path: Path) -> None:
    ended = start(tmp_path, "--screenshots", "shown", "--theme", "pink")
    assert ended.returncode == 2
    assert "light" in ended.stderr
    assert "dark" in ended.stderr


def test_a_camera_file_that_is_not_there(tmp_path: Path) -> None:
    ended = start(tmp_path, "--camera-file", "holiday.mp4")
    assert ended.returncode == 2
    assert "There is no video “holiday.mp4”." in ended.stderr
    assert ended.stdout == ""


def test_help(tmp_path: Path) -> None:
    ended = start(tmp_path, "--help", COLUMNS="80")
    assert ended.returncode == 0
    for word in (
        "--sample",
        "--camera-file VIDEO",
        "--screenshots DIR",
        "--theme {light,dark}",
        "eigenfaces --help",
    ):
        assert word in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80
