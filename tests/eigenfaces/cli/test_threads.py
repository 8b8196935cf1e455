"""How many threads the linear algebra has changes no digit of what is printed."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from threadpoolctl import threadpool_info, threadpool_limits

from cli.command_line import eigenfaces
from eigenfaces import FaceSet
from eigenfaces.project.exports import grey_levels

RECIPES = (
    (),
    ("--distance", "yambor", "-k", 60),
    ("--distance", "l1", "--whitening", "pca", "-k", 60),
    ("--lighting", "tan-triggs", "--rule", "class-mean", "--distance", "cosine"),
)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda said: " ".join(map(str, said)) or "usual")
def test_one_or_two_threads(att: FaceSet, tmp_path: Path, recipe: tuple[object, ...]) -> None:
    """Ten people: of fewer faces, threads do not share the sums. Probes are theirs and others'."""
    file, probes, rng = tmp_path / "p.eigenfaces", tmp_path / "probes", np.random.default_rng(3)
    for row in (*range(100), *range(120, 400, 80)):
        home = tmp_path / "people" / str(att.index.photos[row].person) if row < 100 else probes
        home.mkdir(exist_ok=True, parents=True)
        image = att.image(row)
        Image.fromarray(grey_levels(image)).save(home / f"{row:03}.png")
        if row % 40 == 0:
            noisy = np.clip(image + rng.normal(0, 0.05, image.shape), 0, 1).astype(np.float32)
            probes.mkdir(exist_ok=True)
            Image.fromarray(grey_levels(noisy)).save(probes / f"near {row:03}.png")
    said = ("--already-cropped", "-o", file, *recipe)
    assert eigenfaces("build", tmp_path / "people", *said).exit_code == 0
    told = []
    for number in (1, 2):
        with threadpool_limits(number):
            used = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
            assert used == {number}  # else the test would show nothing
            told.append(eigenfaces("recognise", file, probes, "--json").stdout)
    assert told[0] == told[1]
    assert len(told[0]) > 1000


@pytest.mark.parametrize("told", [None, "3"])
def test_a_core_is_left_before_numpy_is_loaded(told: str | None) -> None:
    code = (
        "import os, sys; from eigenfaces.__main__ import leave_a_core; "
        "assert 'numpy' not in sys.modules; leave_a_core(); "
        "print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    around = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    around |= {"OPENBLAS_NUM_THREADS": told} if told else {}
    printed = subprocess.check_output([sys.executable, "-c", code], env=around, text=True)
    assert int(printed) == int(told or max(1, (os.cpu_count() or 2) - 1))
