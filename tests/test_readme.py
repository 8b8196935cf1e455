"""What the README shows is what happens: its commands, its example, its figures, its words."""

import contextlib
import io
import math
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from skimage import data
from typer.testing import CliRunner

from eigenfaces import load_sample
from eigenfaces.cli import app
from gui.pages.help.words import GLOSSARY

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
HOME = "/home/ada"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ada's folder: images 1–8 of everybody in the sample, a damaged one, and one to ask about.

    And an album of photographs: an astronaut, once as she is and once in the dark, and a wall.
    """
    album = tmp_path / "album" / "Eileen"
    album.mkdir(parents=True)
    portrait = Image.fromarray(data.astronaut()).crop((100, 20, 330, 250))
    portrait.save(album / "portrait.png")
    portrait.point(lambda grey: grey // 6).save(album / "evening.png")
    Image.fromarray(data.brick()[:200, :200]).save(album / "wall.png")
    for photo, levels in zip((faces := load_sample()).photos, faces.levels, strict=True):
        number = photo.path.stem
        picture = Image.fromarray(levels.astype(np.uint8).reshape(faces.shape))
        if int(number) <= 8:
            where = tmp_path / "people" / str(photo.person)
            where.mkdir(parents=True, exist_ok=True)
            picture.save(where / f"{number}.pgm")
        elif (photo.person, number) == ("Person 05", "9"):
            picture.save(tmp_path / "new.pgm")
        elif (photo.person, number) == ("Person 01", "9"):
            cut = tmp_path / "people" / "Person 01" / "cut.pgm"
            picture.save(cut)
            cut.write_bytes(cut.read_bytes()[:-50])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands() -> list[tuple[str, str]]:
    """Every command line of the README, with what is shown to come of it."""
    blocks = re.findall(r"^```\n(\$ .*?)^```", README, re.MULTILINE | re.DOTALL)
    shown = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in shown if part]


def plain(text: str) -> list[str]:
    """Lines without their padding: columns are as wide as the paths in them."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_commands(home: Path) -> None:
    assert len(commands()) == 8
    for command, shown in commands():
        program, *words = shlex.split(command)
        assert program == "eigenfaces"
        said = CliRunner().invoke(app, words).output.replace(str(home), HOME)
        assert plain(said) == plain(shown), command


def test_the_example() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})
    assert said.getvalue().splitlines() == re.findall(r"^# (.*)$", code, re.MULTILINE)


def wilson(right: int, n: int) -> tuple[str, str]:
    """Return the 95 % interval of ``right`` of ``n`` in per cent (Wilson 1927)."""
    p, z = right / n, 1.96
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return f"{100 * (centre - half):.1f}", f"{100 * (centre + half):.1f}"


def test_shares_and_intervals() -> None:
    """The shares themselves are computed in tests/eigenfaces/test_published.py."""
    row = r"^\| images .*? \((\d+)\) \|.*?\| (\d+) \| ([\d.]+) % \| ([\d.]+)–([\d.]+) \|$"
    rows = re.findall(row, README, re.MULTILINE)
    assert len(rows) == 9
    for n, right, share, low, high in rows:
        assert float(share) == 100 * int(right) / int(n)
        assert (low, high) == wilson(int(right), int(n))


def test_the_glossary_has_the_words_of_the_help() -> None:
    ours = re.findall(r"^\| ([^|]+?) \| [^|]+ \|$", README.replace("*", ""), re.MULTILINE)
    words = {word for term in ours for word in term.split(", ")}
    assert {word for term, _ in GLOSSARY for word in term.split(", ")} <= words


def test_what_it_names_exists() -> None:
    for page in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / page).read_text("utf-8")
        for path in re.findall(r"`((?:eigenfaces|gui|tests|assets)/[\w/.]+)`", text):
            assert (ROOT / path).exists(), path
    tree = re.findall(r"^```\n(main\.py .*?)^```", README, re.MULTILINE | re.DOTALL)[0]
    for line in tree.splitlines():
        assert line.startswith(" ") or (ROOT / line.split()[0]).exists(), line
    inside = tree.split("eigenfaces/")[1].split("gui/")[0].replace("/", " ").split()
    files = {path.stem for path in (ROOT / "eigenfaces").iterdir()}
    assert {name for name in files if not name.startswith("_")} <= set(inside)
