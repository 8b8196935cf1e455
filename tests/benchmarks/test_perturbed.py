"""What finding and aligning is worth where crops are careless: the AT&T faces, perturbed.

``uv run --group dev pytest tests/benchmarks/test_perturbed.py -o addopts="" -s``
"""

from pathlib import Path

import numpy as np
import pytest
from perturbed import perturbed
from PIL import Image
from splits import counted, in_face_space, shares_right, spread

from eigenfaces import FaceSet, Preparation, find_photos, load_faces, load_sample
from eigenfaces.arrays import Floats

EACH = 5
"""Photographs of everybody that are enrolled; the other 5 are the probes."""

SEED = 0
"""Of the perturbation."""


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


def by_the_program(images: Floats, people: list[str], folder: Path) -> Floats:
    """Save pictures as a person would have them, and load them; not a number for no face."""
    for row, (image, person) in enumerate(zip(images, people, strict=True)):
        (folder / person).mkdir(parents=True, exist_ok=True)
        levels = np.rint(image * 255).astype(np.uint8)
        Image.fromarray(levels).save(folder / person / f"{row}.png")
    faces = load_faces(find_photos(folder), Preparation())
    rows = np.full((len(images), faces.pixels.shape[1]), np.nan, np.float32)
    rows[[int(photo.path.stem) for photo in faces.index.photos]] = faces.pixels[:]
    return rows


def test_the_loss_is_recovered(att: FaceSet, tmp_path: Path) -> None:
    people = [str(photo.person) for photo in att.index.photos]
    images = att.pixels[:].reshape(-1, *att.shape)
    moved, _ = perturbed(images, np.random.default_rng(SEED))
    aligned = by_the_program(moved, people, tmp_path / "moved")
    kinds = {
        "unperturbed, whole pictures": att.pixels[:],
        "unperturbed, found and aligned": by_the_program(images, people, tmp_path / "as they are"),
        "perturbed, whole pictures": moved.reshape(len(moved), -1),
        "perturbed, found and aligned": aligned,
    }
    print(f"\nAT&T, all pictures perturbed (seed {SEED}), {EACH} a person enrolled, 200 probes,")
    print("seeds 0 to 9; plain eigenfaces, all components, L2. Per cent right, mean ± sd (range):")
    right = {}
    for name, pixels in kinds.items():
        right[name] = shares_right(pixels, people, EACH, in_face_space("L2"))
        print(f"  {name:31} {spread(right[name])}")
    whole, ceiling, lost, back = right.values()
    print(f"  no face found, a wrong answer: {counted(int(np.isnan(aligned[:, 0]).sum()), 400)}")
    print(
        f"  of the loss recovered, split by split: {spread(100 * (back - lost) / (whole - lost))}"
    )
    print(f"  of what alignment could recover: {spread(100 * (back - lost) / (ceiling - lost))}")
    assert (back - lost).mean() >= 0.75 * (whole - lost).mean()
