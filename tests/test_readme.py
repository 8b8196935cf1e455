"""What the README shows is what happens: its commands, its example, its figures, its words."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from skimage import data
from typer.testing import CliRunner

from eigenfaces import Recipe, Setting, load_sample
from eigenfaces.cli import app
from eigenfaces.evaluation.evaluate import split_up
from eigenfaces.evaluation.figures import identification
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.evaluation.published_figures import ATT_FIGURES
from eigenfaces.evaluation.searches import InSpace, search
from eigenfaces.evaluation.spaces import Spaces
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


def test_the_published_figures() -> None:
    """They are measured in tests/eigenfaces/test_published_figures.py."""
    table = README.split("`eigenfaces published` measures")[1].split("| LFW")[0]
    numbers = set(re.findall(r"\d+(?:\.\d+)?", table))
    for row, _ in ATT_FIGURES:
        assert set(re.findall(r"\d+(?:\.\d+)?", row.expected)) <= numbers, row.figure


PEERS = {
    "eigenfaces, 95 % of the variance, L2": Recipe(),
    "eigenfaces, 95 %, cosine": Recipe(distance="cosine"),
    "eigenfaces, all components, cosine": Recipe(components=1.0, distance="cosine"),
}


@pytest.mark.parametrize("name", PEERS)
def test_first_five_and_last_five(name: str) -> None:
    """Of the table with peers, what is ours and drawn by no chance."""
    (said,) = re.findall(rf"^\| {name} \| ([^|]+) \|", README, re.MULTILINE)
    split = split_up(load_sample(), Setting(PEERS[name], FirstPhotos(5)))
    space = Spaces.of(split.faces, PEERS[name]).fit(split.folds[0].train)
    compared = InSpace(space, PEERS[name])
    found = search(compared, split.folds[0], 0, split.people, PEERS[name])
    rank_1 = identification(found, split.count)[0]
    low, high = 100 * rank_1.low, 100 * rank_1.high
    assert said == f"{100 * rank_1.value:.1f} ({low:.1f}–{high:.1f})"


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
