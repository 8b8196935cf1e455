"""The command ``synthesise``: a face that is nobody, by scores or by chance."""

import math
from collections.abc import Iterable

import numpy as np
import typer

from eigenfaces.cli import options
from eigenfaces.cli.face_sources import open_gallery
from eigenfaces.cli.plaintext import shown
from eigenfaces.cli.running import DONE, check_new, command, note
from eigenfaces.laboratory.synthesis import RealFaces, SyntheticFace, pictured_otherwise
from eigenfaces.project.exports import save_grey

_MOST = 1_000
"""The largest score: beyond it nothing but black and white is left."""


@command
def synthesise(
    file: options.ProjectFile,
    *,
    scores: options.Scores = None,
    random: options.Random = False,
    seed: options.Seed = None,
    k: options.Kept = None,
    output: options.Made,
    overwrite: options.Overwrite = False,
) -> int:
    """Make a face that is nobody, as PNG: the mean moved along the components.

    Scores are in standard deviations of their component; those not stated are 0, or drawn by
    --random from N(0, λ). It says whether the face lies as far from the mean as those trained on,
    and which real face is closest. Grey values are cut off at black and white.

    ```
    eigenfaces synthesise people.eigenfaces --score 1=-0.9 --score 2=1.5 -o face.png
    eigenfaces synthesise people.eigenfaces --random --seed 3 -o somebody.png
    ```
    """
    wanted = _read(scores or ())
    if seed is not None and not random:
        raise typer.BadParameter("--seed has no effect without --random.")
    check_new(output, overwrite)
    gallery = open_gallery(file)
    real = RealFaces.of(gallery, k)
    face = SyntheticFace.mean(real.space)
    if random:
        face = SyntheticFace.random(real.space, np.random.default_rng(seed or 0))
    for number, score in wanted:
        face = face.moved(number - 1, score)
    save_grey(output, face.pixels)
    if otherwise := pictured_otherwise(gallery):
        note(otherwise)
    (closest,) = real.nearest(face, 1)
    typer.echo(
        f"{shown(output)}: {len(real.space):,} of {len(gallery.trained.space):,} components, "
        f"Mahalanobis radius {real.radius(face):.2f} σ a component.\n"
        f"{real.plausibility(face)}\n"
        f"Closest real face: {shown(closest.photo.person or 'nobody named')}, "
        f"{shown(closest.photo.path)}, at {closest.distance:.3g}. {real.likeness(closest)[1]}"
    )
    return DONE


def _read(said: Iterable[str]) -> list[tuple[int, float]]:
    """Return components, counted from 1, with their scores."""
    read: list[tuple[int, float]] = []
    for each in said:
        number, _, score = each.partition("=")
        try:
            pair = int(number), float(score)
        except ValueError:
            pair = 0, math.nan
        if pair[0] < 1 or not abs(pair[1]) <= _MOST:
            raise typer.BadParameter(
                f"“{each}” is no score: write the number of the component, =, and its score in "
                f"standard deviations, at most {_MOST:,}, like 3=-1.5."
            )
        if pair[0] in (component for component, _ in read):
            raise typer.BadParameter(f"Component {pair[0]} has two scores: leave one out.")
        read.append(pair)
    return read
