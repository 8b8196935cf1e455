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
from eigenfaces.space.arrays import Floats

EACH = 5
"""Photographs of everybody that are enrolled; the other 5 are the probes."""

SEEDS = range(10)
"""Of the perturbations."""


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


def recovered(lost: Floats, back: Floats, most: Floats) -> Floats:
    """Return how much of what was lost is there again, split by split, in per cent."""
    return 100 * (back - lost) / (most - lost)


def test_the_loss_is_recovered(att: FaceSet, tmp_path: Path) -> None:
    people = [str(photo.person) for photo in att.index.photos]
    images = att.pixels[:].reshape(-1, *att.shape)

    def measured(name: str, pixels: Floats) -> Floats:
        right = shares_right(pixels, people, EACH, in_face_space("L2"))
        print(f"  {name:42} {spread(right)}", flush=True)
        return right

    print(f"\nAT&T, all pictures perturbed, {EACH} a person enrolled, 200 probes, seeds 0 to 9;")
    print("plain eigenfaces, all components, L2. Per cent right, mean ± sd (range):")
    whole = measured("unperturbed, whole pictures", att.pixels[:])
    ceiling = measured(
        "unperturbed, found and aligned", by_the_program(images, people, tmp_path / "as they are")
    )
    shares = []
    for seed in SEEDS:
        moved, _ = perturbed(images, np.random.default_rng(seed))
        aligned = by_the_program(moved, people, tmp_path / f"moved {seed}")
        lost = measured(f"perturbed by seed {seed}, whole pictures", moved.reshape(len(moved), -1))
        back = measured(f"perturbed by seed {seed}, found and aligned", aligned)
        none = int(np.isnan(aligned[:, 0]).sum())
        print(f"    no face found, a wrong answer: {counted(none, 400)}")
        print(f"    of the loss recovered: {spread(recovered(lost, back, whole))}")
        print(f"    of what alignment could: {spread(recovered(lost, back, ceiling))}")
        shares.append(recovered(lost, back, whole).mean())
    print(f"  Recovered, perturbation by perturbation: {spread(np.array(shares))}")
    assert np.mean(shares) >= 88
