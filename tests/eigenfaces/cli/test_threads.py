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


@pytest.mark.parametrize("stated", [None, "3"])
def test_a_core_is_left_before_numpy_is_loaded(stated: str | None) -> None:
    code = (
        "import os, sys; from eigenfaces.__main__ import leave_a_core; "
        "assert 'numpy' not in sys.modules; leave_a_core(); "
        "print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    around = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    around |= {"OPENBLAS_NUM_THREADS": stated} if stated else {}
    printed = subprocess.check_output([sys.executable, "-c", code], env=around, text=True)
    assert int(printed) == int(stated or max(1, (os.cpu_count() or 2) - 1))


def test_one_or_two_threads(att: FaceSet, tmp_path: Path) -> None:
    """Ten people: of fewer faces, threads do not share the sums. Probes are theirs and others'."""
    file, rng = tmp_path / "p.eigenfaces", np.random.default_rng(3)
    for number, row in enumerate((*range(100), *range(0, 400, 40))):
        known = number < 100
        home = tmp_path / "people" / str(att.index.photos[row].person) if known else tmp_path / "x"
        home.mkdir(exist_ok=True, parents=True)
        noisy = att.image(row) + (not known) * rng.normal(0, 0.05, att.shape)
        levels = np.rint(255 * np.clip(noisy, 0, 1)).astype(np.uint8)
        Image.fromarray(levels).save(home / f"{row:03}.png")
    recipe = ("--lighting", "tan-triggs", "--distance", "mahalanobis-cosine", "-k", 60)
    command = ("build", tmp_path / "people", "--already-cropped", "-o", file)
    assert eigenfaces(*command, *recipe).exit_code == 0
    answers = []
    for number in (1, 2):
        with threadpool_limits(number):
            used = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
            assert used == {number}  # else the test would show nothing
            answers.append(eigenfaces("recognise", file, tmp_path / "x", "--json").stdout)
    assert answers[0] == answers[1]
    assert len(answers[0]) > 1000
