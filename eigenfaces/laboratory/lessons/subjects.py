"""What lessons are shown on: clouds of points, tables, picture sets, the own gallery."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.cloud import Cloud
from eigenfaces.laboratory.lessons.patches import patches
from eigenfaces.laboratory.lessons.shapes import SHAPES
from eigenfaces.space.arrays import Floats

Subject = Cloud | ImageSet


@dataclass(frozen=True, eq=False, kw_only=True)
class Known:
    """A subject that is always there; ``make`` draws it by a seed."""

    title: str
    make: Callable[[int], Subject]
    drawn: bool = False
    """Whether another seed makes other points."""
    loads: bool = False
    """Whether it takes a moment to load, as pictures do."""


def _cloud(seed: int) -> Cloud:
    return Cloud.made_by(
        f"x = np.random.default_rng({seed}).normal(size=(70, 2)) @ [[1.5, 0.8], [0, 0.9]]",
        title="A cloud of 70 points",
        columns=("first number", "second number"),
    )


def _space(seed: int) -> Cloud:
    code = f"""\
x = np.random.default_rng({seed}).normal(size=(90, 3))
x = x @ [[1.6, 0.9, 0.6], [0, 0.8, -0.5], [0, 0, 0.4]]"""
    return Cloud.made_by(code, title="A cloud of 90 points in space", columns=("x", "y", "z"))


def _line(seed: int) -> Cloud:
    code = f"""\
# 1,000 places on a line and three noises; all 1,000 together are exactly uncorrelated
x = np.random.default_rng({seed}).normal(size=(1000, 4))
x = x - x.mean(axis=0)
x = x @ np.linalg.inv(np.linalg.cholesky(x.T @ x / 1000)).T"""
    columns = ("place on the line", "noise in x", "noise in y", "noise in z")
    return Cloud.made_by(code, title="The line y = 2x", columns=columns)


def _table(_seed: int) -> Cloud:
    code = """\
hours, pages = np.array([2, 4, 1, 5, 3, 6, 7.0]), np.array([5, 3, 4, 6, 2, 1, 7.0])
x = np.column_stack([hours, pages, hours, 2 * pages, hours + pages, np.full(7, 5.0)])"""
    columns = ("hours", "pages", "time", "sides", "points", "desks")
    return Cloud.made_by(code, title="A table with seven rows", columns=columns)


def _bodies(seed: int) -> Cloud:
    code = f"""\
generator = np.random.default_rng({seed})
height = 1.72 + 0.09 * generator.normal(size=60)
weight = 70 + 75 * (height - 1.72) + 9 * generator.normal(size=60)
x = np.column_stack([height, weight])"""
    columns = ("height (m)", "weight (kg)")
    return Cloud.made_by(code, title="60 people, made up", columns=columns)


def _pair(seed: int) -> Cloud:
    return Cloud.made_by(
        f"x = np.random.default_rng({seed}).normal(size=(100, 2)) * [1.5, 1]",
        title="100 points (X, Y)",
        columns=("X", "Y"),
    )


def _digits(_seed: int) -> ImageSet:
    from sklearn.datasets import load_digits

    found = load_digits()
    pixels: Floats = (found.data / 16).astype(np.float32)
    return ImageSet(
        title="1,797 digits",
        pixels=pixels,
        shape=(8, 8),
        labels=tuple(map(str, found.target)),
        code=(
            "from sklearn.datasets import load_digits\n\n"
            "x, labels = load_digits(return_X_y=True)\nx = x / 16"
        ),
    )


SUBJECTS: Mapping[str, Known] = MappingProxyType(
    {
        "cloud": Known(title="A cloud of 70 points", make=_cloud, drawn=True),
        "space": Known(title="A cloud of 90 points in space", make=_space, drawn=True),
        "digits": Known(title="Digits (scikit-learn)", make=_digits, loads=True),
        "patches": Known(title="Patches of natural images", make=patches, drawn=True, loads=True),
        "line": Known(title="The line y = 2x", make=_line, drawn=True),
        "table": Known(title="A table with seven rows", make=_table),
        "bodies": Known(title="Height and weight of 60 people, made up", make=_bodies, drawn=True),
        "pair": Known(title="X and Y, nearly independent", make=_pair, drawn=True),
        **{key: Known(title=title, make=make, drawn=True) for key, (title, make) in SHAPES.items()},
    }
)
"""Subjects by their keys. Besides, a lesson may name "gallery", the gallery that is open, and
"opened", the pictures that were opened for the laboratory."""


def pictures_of(subject: Subject) -> ImageSet:
    """Return the subject, which has to be an image set."""
    if not isinstance(subject, ImageSet):
        raise EigenfacesError("This lesson is about pictures: choose digits or a gallery for it.")
    return subject
