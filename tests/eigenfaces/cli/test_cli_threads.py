"""How many threads the linear algebra has changes no digit of what is printed."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from PIL import Image
from threadpoolctl import threadpool_info, threadpool_limits

from cli.command_line import eigenfaces
from eigenfaces import Gallery, Recipe, identify
from eigenfaces.project.exports import grey_levels
from eigenfaces.sample import PREPARATION, load_sample

T = TypeVar("T")

RECIPES = (
    (),
    ("--distance", "cosine"),
    ("--distance", "yambor", "-k", 60),
    ("--distance", "l1", "--whitening", "pca", "-k", 60),
    ("--lighting", "tan-triggs", "--rule", "class-mean"),
)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten people of the sample: of fewer faces, threads do not share the sums."""
    folder, faces = tmp_path_factory.mktemp("people"), load_sample()
    for row, photo in enumerate(faces.index.photos[:100]):
        home = folder / str(photo.person)
        home.mkdir(exist_ok=True)
        Image.fromarray(grey_levels(faces.image(row))).save(home / f"{row:03}.png")
    return folder


@pytest.fixture(scope="module")
def probes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Faces of the sample, three of them strangers', and as many that are not quite the same."""
    folder = tmp_path_factory.mktemp("probes")
    rng = np.random.default_rng(3)
    faces = load_sample()
    for row in range(0, 400, 80):
        image = faces.image(row)
        noisy = np.clip(image + rng.normal(0, 0.05, image.shape), 0, 1).astype(np.float32)
        for kind, picture in (("same", image), ("near", noisy)):
            Image.fromarray(grey_levels(picture)).save(folder / f"{kind} {row:03}.png")
    return folder


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda said: " ".join(map(str, said)) or "usual")
def test_one_or_two_threads(
    people: Path, probes: Path, tmp_path: Path, recipe: tuple[object, ...]
) -> None:
    file = tmp_path / "people.eigenfaces"
    assert eigenfaces("build", people, "--already-cropped", "-o", file, *recipe).exit_code == 0
    one, two = (
        with_threads(number, lambda: eigenfaces("recognise", file, probes, "--json").stdout)
        for number in (1, 2)
    )
    assert one == two
    assert len(one) > 1000


def test_not_even_in_the_digits_that_are_not_printed() -> None:
    sample = load_sample()
    gallery = Gallery(sample, PREPARATION, Recipe()).train()
    probes = np.rint(sample.pixels[::20, ::-1] * 255) / 255
    one, two = (
        with_threads(number, lambda: [identify(gallery, probe) for probe in probes])
        for number in (1, 2)
    )
    for first, second in zip(one, two, strict=True):
        assert first.distance_from.hex() == second.distance_from.hex()
        np.testing.assert_array_equal(first.distances, second.distances)


def with_threads(number: int, work: Callable[[], T]) -> T:
    """Do some work while the linear algebra has so many threads."""
    with threadpool_limits(number):
        used = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
        assert used == {number}  # else the test would show nothing
        return work()


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
