"""The program's job on the sample, in a terminal: for machines without a display."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from eigenfaces import FaceSet, Gallery, Recipe, load_sample
from eigenfaces.distances import DISTANCES
from eigenfaces.recognition import identify_all
from eigenfaces.samples import PHOTOS_EACH

TRAINING = 8
"""Images 1 to 8 of each person train; 9 and 10 are recognised."""


def split_sample(faces: FaceSet) -> tuple[FaceSet, FaceSet]:
    """Split the sample into images 1–8 and images 9–10 of each person."""
    rows = range(len(faces))
    return (
        faces.select([row for row in rows if row % PHOTOS_EACH < TRAINING]),
        faces.select([row for row in rows if row % PHOTOS_EACH >= TRAINING]),
    )


def recognise_sample() -> None:
    """Train on images 1–8 of each person, recognise images 9 and 10, and print what came out."""
    console = Console()
    enrolled, probes = split_sample(load_sample())
    gallery = replace(Gallery.new(), faces=enrolled).train()
    space = gallery.trained.space
    console.print(
        f"AT&T sample: {len(enrolled)} photos of {len(gallery.people)} people train, "
        f"{len(probes)} others are recognised.\nFace space: {len(space)} components; "
        f"{gallery.k} keep 95 % of the variance.\n"
    )
    table = Table(title="Correct in % of 80 probes (95 % Wilson interval; one fixed split)")
    for column in ("distance", "raw pixels", "k = 100", f"k = {gallery.k}"):
        table.add_column(column, justify="left" if column == "distance" else "right")
    for name in DISTANCES:
        raw = "–" if name.startswith(("Mah", "Yam")) else _raw(enrolled, probes, name)
        by_k = [_in_space(gallery, probes, name, k) for k in (100, gallery.k)]
        table.add_row(name, raw, *by_k)
    console.print(table)
    _print_mistakes(console, gallery, probes)


def _raw(enrolled: FaceSet, probes: FaceSet, name: str) -> str:
    """Nearest neighbour between pixels, without PCA: the line that keeps the others honest."""
    nearest = DISTANCES[name](probes.levels, enrolled.levels, np.ones(1)).argmin(axis=1)
    named = [enrolled.photos[row].person for row in nearest]
    right = [name == photo.person for name, photo in zip(named, probes.photos, strict=True)]
    return _share(np.array(right))


def _in_space(gallery: Gallery, probes: FaceSet, name: str, k: int) -> str:
    recipe = Recipe(distance=name, components=k)
    verdicts = identify_all(gallery.with_recipe(recipe), probes.pixels)
    named = [verdict.closest.person for verdict in verdicts]
    right = [name == photo.person for name, photo in zip(named, probes.photos, strict=True)]
    return _share(np.array(right))


def _share(right: NDArray[np.bool_]) -> str:
    """Write a share in per cent with its Wilson interval (Wilson 1927, z = 1.96)."""
    n, p, z = len(right), float(right.mean()), 1.96
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * (p * (1 - p) / n + z**2 / (4 * n**2)) ** 0.5
    return f"{100 * p:.2f} ({100 * (centre - half):.0f}–{100 * (centre + half):.0f})"


def _print_mistakes(console: Console, gallery: Gallery, probes: FaceSet) -> None:
    verdicts = identify_all(gallery, probes.pixels)
    console.print(f"\nMistaken with {gallery.recipe.distance}, k = {gallery.k}:")
    for verdict, photo in zip(verdicts, probes.photos, strict=True):
        closest = verdict.closest
        if closest.person != photo.person:
            console.print(
                f"  {photo.person}, image {photo.path.stem}: closest is {closest.person}, "
                f"at {closest.distance:.3f}"
            )
