"""A guard for refactoring: the published AT&T figures from first principles, and golden text."""

import shlex
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial.distance import cdist
from typer.testing import CliRunner

from eigenfaces import load_sample
from eigenfaces.cli import app
from eigenfaces.evaluation.published import published
from eigenfaces.sample import sample_folder

Rows = NDArray[np.float64]

IDIAP_TRAIN = [1, 2, 5, 6, 10, 11, 12, 14, 16, 17, 20, 21, 24, 26, 27, 29, 33, 34, 36, 39]
GOLDEN = Path(__file__).with_name("golden.txt")


def pca(rows: Rows) -> tuple[Rows, Rows, Rows]:
    """Return the mean (d,), the components (r, d) and their shares of the variance (r,)."""
    mean = rows.mean(axis=0)
    _, singular, components = np.linalg.svd(rows - mean, full_matrices=False)
    return mean, components, singular**2 / (singular**2).sum()


def rank_1(enrolled: Rows, probes: Rows, metric: str, photos: int) -> float:
    """Return rank-1 in per cent, with ``photos`` enrolled rows of each person."""
    nearest = cdist(probes, enrolled, metric).argmin(axis=1) // photos
    return 100 * float((nearest == np.arange(len(probes)) // (10 - photos)).mean())


def hter(k: int, metric: str, rule: str) -> float:
    """Return the least HTER in Idiap's protocol, with the threshold chosen on the same scores."""
    faces = load_sample().levels.reshape(40, 10, -1).astype(float)
    train = np.array(IDIAP_TRAIN) - 1
    mean, components, share = pca(faces[train].reshape(200, -1))
    scale = np.sqrt(share[:k]) if metric == "mahalanobis cosine" else 1.0
    rest = (np.delete(faces, train, axis=0) - mean) @ components[:k].T / scale
    probes, models = rest[:, [0, 2, 5, 7, 9]], rest[:, [1, 3, 4, 6, 8]]
    between = cdist(probes.reshape(100, -1), models.reshape(100, -1), metric.split()[-1])
    scores = getattr(np, rule)(between.reshape(100, 20, 5), axis=2)
    mated = np.arange(100)[:, None] // 5 == np.arange(20)
    accepted = scores[..., None] <= np.sort(scores, axis=None)
    errors = (~accepted[mated]).mean(axis=0) + accepted[~mated].mean(axis=0)
    return 50 * float(errors.min())


def by_definition() -> list[str]:
    """Return the thirteen published figures, in the order in which the program lists them."""
    faces = load_sample().levels.reshape(40, 10, -1).astype(float)
    first = {n: (faces[:, :n].reshape(40 * n, -1), faces[:, n:].reshape(-1, 10304)) for n in (5, 8)}
    share = pca(faces.reshape(400, -1))[2]
    needed = [int(np.argmax(share.cumsum() >= part)) + 1 for part in (0.90, 0.95, 0.99)]
    mean, components, variance = pca(first[5][0])
    at_60 = [(rows - mean) @ components[:60].T for rows in first[5]]
    whitened = [rows / np.sqrt(variance[:60]) for rows in at_60]
    return [
        f"{100 * share[:10].sum():.2f}",
        " / ".join(map(str, needed)),
        f"{rank_1(*first[8], 'cityblock', 8):.2f}",
        f"{rank_1(*first[8], 'euclidean', 8):.1f}",
        f"{rank_1(*first[8], 'chebyshev', 8):.2f}",
        f"{rank_1(*first[8], 'cosine', 8):.1f}",
        f"{hter(30, 'euclidean', 'mean'):.3f}",
        f"{hter(30, 'euclidean', 'min'):.2f}",
        f"{hter(100, 'mahalanobis cosine', 'min'):.4f}",
        *(f"{rank_1(*at_60, name, 5):.1f}" for name in ("euclidean", "cosine")),
        f"{rank_1(*whitened, 'cosine', 5):.1f}",
        f"{rank_1(*first[5], 'cityblock', 5):.1f}",
    ]


def test_the_published_figures_follow_from_the_definitions_and_are_ours() -> None:
    expected = "59.95|111 / 190 / 325|96.25|95.0|23.75|92.5|8.237|6.82|4.3947|89.0|91.0|87.5|94.5"
    assert by_definition() == expected.split("|")
    assert [figure.text for figure in published() if figure.ours is not None] == expected.split("|")


def transcript(commands: list[str]) -> str:
    """Run command lines in the working folder, and return them with their output."""
    runs = [CliRunner().invoke(app, shlex.split(line)[1:]) for line in commands]
    return "\n".join(f"$ {line}\n{run.stdout}" for line, run in zip(commands, runs, strict=True))


def test_the_commands_print_what_they_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An intended change also goes into `tests/golden.txt`, so that the commit shows it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    golden = GOLDEN.read_text("utf-8")
    commands = [line[2:] for line in golden.splitlines() if line.startswith("$ ")]
    mirrored = load_sample().levels[48].reshape(112, 92)[:, ::-1].astype(np.uint8)
    Image.fromarray(mirrored).save("new.png")
    printed = transcript(commands).replace(str(sample_folder()), "att")
    assert printed.replace(str(tmp_path), "/home/ada") == golden
