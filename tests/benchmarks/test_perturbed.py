"""What finding and aligning is worth where crops are careless: the AT&T faces, perturbed."""

import math
from pathlib import Path

import numpy as np
from measuring import ENROLLED, Rows, draws, shares_right, spread
from PIL import Image
from skimage.transform import SimilarityTransform, warp

from eigenfaces import DISTANCES, FaceSpace, Preparation, find_photos, load_faces, load_sample
from eigenfaces.space.arrays import Floats

SHIFT, GROWTH, TURN = 0.1, 0.1, 10
"""Largest shift (share of the width, and of the height), growth (share), and turn (degrees)."""


def perturbed(images: Floats, rng: np.random.Generator) -> Floats:
    """Shift, scale and turn each of n pictures (n, h, w) about its middle; the border is repeated.

    All four are drawn evenly between plus and minus the largest.
    """
    height, width = images.shape[1:]
    middle = np.array([width, height]) / 2
    moved = np.empty_like(images)
    for row, image in enumerate(images):
        right, down, growth, turn = rng.uniform(-1, 1, 4).tolist()
        move = (
            SimilarityTransform(translation=-middle)
            + SimilarityTransform(scale=1 + GROWTH * growth, rotation=math.radians(TURN * turn))
            + SimilarityTransform(translation=middle * (1 + 2 * SHIFT * np.array([right, down])))
        )
        # Between pixel middles, for `warp`, and from corner to corner, for everybody else.
        half = SimilarityTransform(translation=(0.5, 0.5))
        between = half + move + half.inverse
        moved[row] = np.clip(warp(image.copy(), between.inverse, order=3, mode="edge"), 0, 1)
    return moved


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


def in_face_space(gallery: Floats, people: Rows, probes: Floats) -> Rows:
    """Answer by the nearest in the face space of the enrolled faces, all components, L2."""
    space = FaceSpace.fit(gallery, (1, gallery.shape[1]))
    far = DISTANCES["L2"](space.project(probes), space.project(gallery), space.variances)
    return people[far.argmin(axis=1)]


def test_the_loss_is_recovered(tmp_path: Path) -> None:
    att = load_sample()
    people = [str(photo.person) for photo in att.index.photos]
    images = att.pixels[:].reshape(-1, *att.shape)

    def measured(name: str, pixels: Floats) -> Floats:
        right = shares_right(pixels, people, in_face_space)
        print(f"  {name:42} {spread(right)}", flush=True)
        return right

    print(f"\nAT&T, perturbed, {ENROLLED} a person enrolled, 200 probes, seeds 0 to 9, % right:")
    whole = measured("unperturbed, whole pictures", att.pixels[:])
    measured("unperturbed, found and aligned", by_the_program(images, people, tmp_path / "plain"))
    recovered = []
    for seed in draws(10):
        moved = perturbed(images, np.random.default_rng(seed))
        aligned = by_the_program(moved, people, tmp_path / f"moved {seed}")
        lost = measured(f"perturbed by seed {seed}, whole pictures", moved.reshape(len(moved), -1))
        back = measured(f"perturbed by seed {seed}, found and aligned", aligned)
        recovered.append((100 * (back - lost) / (whole - lost)).mean())
    print(f"  of the loss recovered, perturbation by perturbation: {spread(recovered)}")
    assert np.mean(recovered) >= (88 if len(recovered) == 10 else 80)
