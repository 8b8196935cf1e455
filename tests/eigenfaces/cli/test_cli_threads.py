"""How many threads the linear algebra has changes no digit of what is printed."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cli.command_line import eigenfaces
from eigenfaces.project.exports import grey_levels
from eigenfaces.samples import load_sample

RECIPES = (
    (),
    ("--distance", "cosine"),
    ("--distance", "yambor", "-k", 60),
    ("--distance", "l1", "--whitening", "zca"),
    ("--lighting", "tan-triggs", "--rule", "class-mean"),
)


@pytest.fixture(scope="module")
def probes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Faces of the sample, and as many that are not quite the same."""
    folder = tmp_path_factory.mktemp("probes")
    rng = np.random.default_rng(3)
    faces = load_sample()
    for row in range(0, 400, 25):
        image = faces.image(row)
        noisy = np.clip(image + rng.normal(0, 0.05, image.shape), 0, 1).astype(np.float32)
        for kind, picture in (("same", image), ("near", noisy)):
            Image.fromarray(grey_levels(picture)).save(folder / f"{kind} {row:03}.png")
    return folder


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda said: " ".join(map(str, said)) or "usual")
@pytest.mark.parametrize("kind", ["--csv", "--json"])
def test_one_or_two_threads(
    probes: Path, tmp_path: Path, recipe: tuple[object, ...], kind: str
) -> None:
    file = tmp_path / "sample.eigenfaces"
    assert eigenfaces("build", "--sample", "-o", file, *recipe).exit_code == 0
    said = [sys.executable, "-m", "eigenfaces", "recognise", str(file), str(probes), kind]
    one, two = (
        subprocess.run(
            said,
            env=os.environ | {"OPENBLAS_NUM_THREADS": number},
            capture_output=True,
            check=True,
        ).stdout
        for number in ("1", "2")
    )
    assert one == two
    assert len(one) > 1000


UNROUNDED = """
import sys, numpy as np
from pathlib import Path
from eigenfaces import Project, identify, load_sample
gallery = Project.open(Path(sys.argv[1])).gallery
for face in load_sample().pixels[::20]:
    verdict = identify(gallery, np.rint(face[::-1] * 255) / 255)
    print(verdict.distance_from.hex(), *(each.hex() for each in verdict.distances.tolist()))
"""


def test_not_even_in_the_digits_that_are_not_printed(tmp_path: Path) -> None:
    file = tmp_path / "sample.eigenfaces"
    assert eigenfaces("build", "--sample", "-o", file).exit_code == 0
    one, two = (
        subprocess.run(
            [sys.executable, "-c", UNROUNDED, str(file)],
            env=os.environ | {"OPENBLAS_NUM_THREADS": number},
            capture_output=True,
            check=True,
        ).stdout
        for number in ("1", "2")
    )
    assert one == two
