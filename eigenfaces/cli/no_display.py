"""The program's job on the sample, in a terminal: for machines without a display."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from rich.console import Console
from rich.table import Table

from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.samples import PHOTOS_EACH, load_sample
from eigenfaces.space.distances import DISTANCES

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
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may not know every letter
        sys.stdout.reconfigure(errors="replace")
    console = Console(highlight=False)
    enrolled, probes = split_sample(load_sample())
    gallery = replace(Gallery.new(), faces=enrolled).train()
    console.print(
        f"AT&T sample, {len(gallery.people)} people: images 1–8 of each train "
        f"({len(enrolled)} photographs),\nimages 9 and 10 are recognised ({len(probes)}). The "
        f"face space has {len(gallery.trained.space)} components,\nof which the first {gallery.k} "
        "keep 95 % of the variance.\n"
    )
    console.print(_results(gallery, probes))
    console.print(
        "In brackets the 95 % Wilson interval of one fixed split; the true uncertainty is\n"
        "larger. Raw pixels need no face space: the line that keeps the rest honest."
    )
    _print_mistakes(console, gallery, probes)


def _results(gallery: Gallery, probes: FaceSet) -> Table:
    """Make the table of right answers: a row for each distance, with and without face space."""
    table = Table(title=f"Right answers, in % of {len(probes)} photographs", title_style="")
    table.add_column("distance")
    for column in ("raw pixels", "k = 100", f"k = {gallery.k}"):
        table.add_column(column, justify="right")
    for name in DISTANCES:
        raw = "–" if DISTANCES[name].whitens else _raw(gallery.faces, probes, name)
        table.add_row(name, raw, *(_in_space(gallery, probes, name, k) for k in (100, gallery.k)))
    return table


def _raw(enrolled: FaceSet, probes: FaceSet, name: str) -> str:
    """Nearest neighbour between pixels, without PCA."""
    nearest = DISTANCES[name](probes.levels, enrolled.levels, np.ones(1)).argmin(axis=1)
    return _share(probes, (enrolled.photos[row].person for row in nearest))


def _in_space(gallery: Gallery, probes: FaceSet, name: str, k: int) -> str:
    recipe = Recipe(distance=name, components=k)
    verdicts = identify_all(gallery.with_recipe(recipe), probes.pixels)
    return _share(probes, (verdict.closest.person for verdict in verdicts))


def _share(probes: FaceSet, named: Iterable[str | None]) -> str:
    """Write the share of right names in per cent, with its Wilson interval (1927, z = 1.96)."""
    right = [name == photo.person for name, photo in zip(named, probes.photos, strict=True)]
    n, p, z = len(right), sum(right) / len(right), 1.96
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * (p * (1 - p) / n + z**2 / (4 * n**2)) ** 0.5
    return f"{100 * p:.2f} ({100 * (centre - half):.0f}–{100 * (centre + half):.0f})"


def _print_mistakes(console: Console, gallery: Gallery, probes: FaceSet) -> None:
    verdicts = identify_all(gallery, probes.pixels)
    console.print(f"\nMistaken by {gallery.recipe.distance} with k = {gallery.k}:")
    for verdict, photo in zip(verdicts, probes.photos, strict=True):
        closest = verdict.closest
        if closest.person != photo.person:
            console.print(
                f"  {photo.person}, image {photo.path.stem}: closest is {closest.person}, "
                f"at {closest.distance:.3f}"
            )
