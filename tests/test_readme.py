"""The README and the manual are right: commands, examples, figures, paths and links."""

import re
import shlex
import subprocess
import sys
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import typer
from PIL import Image
from quick_network import quick_network  # noqa: F401 - a fixture
from skimage import data
from typer.testing import CliRunner

from eigenfaces import EvaluationSetting, Recipe, load_sample
from eigenfaces.cli import app
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.evaluation.published import ATT_FIGURES
from eigenfaces.evaluation.run import evaluate
from eigenfaces.manual.sections import FILES, read

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
TEXTS = {"README.md": README} | {f"assets/manual/{name}.md": read(name) for name in FILES}
FIGURES = read("measured_figures")
HOME = "/home/ada"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ada's folder: images 1–8 of everybody in the sample, a damaged one, and one to recognise.

    It also has an album: an astronaut, the same photograph darkened, and a wall.
    """
    album = tmp_path / "album" / "Eileen"
    album.mkdir(parents=True)
    portrait = Image.fromarray(data.astronaut()).crop((100, 20, 330, 250))
    portrait.save(album / "portrait.png")
    portrait.point(lambda grey: grey // 6).save(album / "evening.png")
    Image.fromarray(data.brick()[:200, :200]).save(album / "wall.png")
    for photo, levels in zip((faces := load_sample()).index.photos, faces.levels, strict=True):
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
    """Return every command line that is shown, with the output that is shown."""
    text = "\n".join(TEXTS.values())
    blocks = re.findall(r"^```\n(\$ .*?)^```", text, re.MULTILINE | re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in parts if part]


def plain(text: str) -> list[str]:
    """Return lines without padding, since columns are as wide as the paths in them."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_commands(home: Path) -> None:
    assert len(commands()) == 7
    for command, expected in commands():
        program, *words = shlex.split(command)
        assert program == "eigenfaces"
        output = CliRunner().invoke(app, words).stdout.replace(str(home), HOME)
        lines = [line for line in plain(expected) if line != "…"]  # where lines are left out
        shown = plain(output)
        assert [line for line in shown if line in lines or "…" not in expected] == lines, command


def test_commands_and_options_within_a_sentence_exist() -> None:
    text = re.sub(r"^```.*?^```", "", read("command_line"), flags=re.MULTILINE | re.DOTALL)
    spans = re.findall(r"`([^`]+)`", text)
    names = [*typer.main.get_command(app).commands]
    pages = [["--help"], *([name, "--help"] for name in names)]
    helps = [CliRunner().invoke(app, page).output for page in pages]
    known = {option for words in helps for option in re.findall(r"--[a-z][a-z-]*", words)}
    options = {option for span in spans for option in re.findall(r"--[a-z][a-z-]*", span)}
    assert len(options) > 12
    assert options <= known
    assert all(re.search(rf"(?:`|eigenfaces ){name}\b", read("command_line")) for name in names)


def test_the_examples() -> None:
    """Run each example in its own process, where the network is not replaced."""
    parts = {
        page: re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for page, text in TEXTS.items()
    }
    # In the chapter about Python, each block continues the one above it.
    together = ["".join(parts.pop("assets/manual/from_python.md"))]
    examples = [*together, *chain.from_iterable(parts.values())]
    assert len(examples) == 3
    for code in examples:
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        output = run.stdout.decode("utf-8").splitlines()
        assert output == re.findall(r"^# (.*)$", code, re.MULTILINE)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_the_checks_run_the_test_command_of_the_readme() -> None:
    (command,) = re.findall(r"^pip install .*pytest$", README, re.MULTILINE)
    last = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1]
    assert command == last


def test_the_published_figures() -> None:
    """tests/eigenfaces/evaluation/test_published_figures.py measures these figures."""
    table = FIGURES.split("`eigenfaces published`")[1].split("| LFW")[0]
    numbers = set(re.findall(r"\d+(?:\.\d+)?", table))
    for row, _ in ATT_FIGURES:
        assert set(re.findall(r"\d+(?:\.\d+)?", row.expected)) <= numbers, row.figure


PEERS = {
    "eigenfaces, 95 % of the variance, L2": Recipe(),
    "eigenfaces, 95 %, cosine": Recipe.of(distance="cosine"),
    "eigenfaces, all components, cosine": Recipe.of(components=1.0, distance="cosine"),
}


@pytest.mark.parametrize("name", PEERS)
def test_first_five_and_last_five(name: str) -> None:
    """The rows for this program in the table of peers that do not depend on random draws."""
    (stated,) = re.findall(rf"^\| {name} \| ([^|]+) \|", FIGURES, re.MULTILINE)
    setting = EvaluationSetting(PEERS[name], FirstPhotos(5), curves=False)
    rank_1 = evaluate(load_sample(), setting).metric("rank-1")
    low, high = 100 * rank_1.low, 100 * rank_1.high
    assert stated == f"{100 * rank_1.value:.1f} ({low:.1f}–{high:.1f})"


@pytest.mark.parametrize("page", [*TEXTS, "CONTRIBUTING.md", "assets/faces.md"])
def test_what_it_names_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for path in re.findall(r"\b((?:eigenfaces|gui|tests|assets)/[\w/.-]+\w)\b", text):
        assert (ROOT / path).exists(), path
    for benchmark in re.findall(r"`(test_\w+\.py)`", text):
        assert (ROOT / "tests" / "benchmarks" / benchmark).exists(), benchmark
    for link in re.findall(r"\]\(([^)#]+)", text):
        assert link.startswith("https://") or (ROOT / page).parent.joinpath(link).exists(), link


def test_the_tree_is_that_of_the_folders() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (tree,) = re.findall(r"^```\n(main\.py .*?)^```", text, re.MULTILINE | re.DOTALL)
    for line in tree.splitlines():
        assert line.startswith(" ") or (ROOT / line.split()[0]).exists(), line
    core, window = re.split(r"\ngui/", tree.split("eigenfaces/", 1)[1].split("\nassets/")[0])
    for package, below in (("eigenfaces", core), ("gui", window)):
        lines = re.findall(r"^  (\w.*?)(?:  |$)", below, re.MULTILINE)
        named = {name.rstrip("/") for line in lines for name in line.split()}
        files = (path for path in (ROOT / package).iterdir() if path.suffix in ("", ".py"))
        assert named == {path.stem for path in files if not path.name.startswith("__")}
