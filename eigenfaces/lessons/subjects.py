"""Subjects of the lessons: clouds of points, tables, picture sets and the open gallery."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons.components import ALL_THE_SAME

Subject = Cloud | ImageSet


@dataclass(frozen=True, eq=False)
class BuiltIn:
    """Built-in subject, created by Python code that the lesson also shows."""

    title: str
    code: str  # creates ``x`` (n, d) and perhaps ``labels`` (n,) from ``{seed}``
    noun: str = ""  # its name in sentences, if that is not the title
    columns: tuple[str, ...] = ()  # the d column names of points
    shape: tuple[int, ...] = ()  # (h, w) of grey pictures

    @property
    def is_random(self) -> bool:
        """Whether a different seed gives different points."""
        return "{seed}" in self.code

    @property
    def loads_slowly(self) -> bool:
        """Whether loading takes a moment, as it does for pictures."""
        return bool(self.shape)

    def make(self, seed: int) -> Subject:
        """Return the points or pictures for a seed. Pictures are loaded only once."""
        return _loaded(self, seed) if self.loads_slowly else self.made_anew(seed)

    def made_anew(self, seed: int) -> Subject:
        """Return new points or pictures for a seed, by running the code."""
        code = self.code.format(seed=seed).rstrip()
        names: dict[str, Any] = {"np": np}
        exec(code, names)
        x, labels, title = names["x"], names.get("labels"), self.noun or self.title
        groups = None if labels is None else tuple(map(str, labels))
        if not self.shape:
            return Cloud(title=title, values=x, columns=self.columns, labels=groups, code=code)
        pixels = x.astype(np.float32)
        return ImageSet(title=title, pixels=pixels, shape=self.shape, labels=groups, code=code)


@cache
def _loaded(subject: BuiltIn, seed: int) -> Subject:
    return subject.made_anew(seed)


_SMALLER = """\
from eigenfaces import ImageSet, load_sample

faces = load_sample()
people = tuple(photo.person for photo in faces.index.photos)
squares = faces.pixels[:].reshape(-1, {h}, {step}, {w}, {step})
pixels = squares.mean(axis=(2, 4)).reshape(-1, {h} * {w})
pictures = ImageSet(title="Faces", pixels=pixels, shape=({h}, {w}), labels=people)
x, labels = pictures.values, np.array(people)
"""

SUBJECTS: dict[str, BuiltIn] = {
    "cloud": BuiltIn(
        "A cloud of 70 points",
        "x = np.random.default_rng({seed}).normal(size=(70, 2)) @ [[1.5, 0.8], [0, 0.9]]",
        columns=("first number", "second number"),
    ),
    "digits": BuiltIn(
        "Digits (scikit-learn)",
        """\
from sklearn.datasets import load_digits

x, labels = load_digits(return_X_y=True)
x = x / 16
""",
        noun="1,797 digits",
        shape=(8, 8),
    ),
    "patches": BuiltIn(
        "Patches of natural images",
        """\
from skimage import color, data

generator = np.random.default_rng({seed})
patches = []
coloured = (data.astronaut(), data.chelsea(), data.coffee())
for grey in (data.camera(), *(np.round(255 * color.rgb2gray(image)) for image in coloured)):
    cut = np.lib.stride_tricks.sliding_window_view(grey, (12, 12))
    rows, columns = (generator.integers(0, most, 1000) for most in cut.shape[:2])
    patches.append(cut[rows, columns].reshape(1000, 12 * 12))
x = np.vstack(patches) / 256
""",
        noun="4,000 patches",
        shape=(12, 12),
    ),
    "sample": BuiltIn(
        "The sample gallery",
        """\
from eigenfaces import ImageSet, load_sample

faces = load_sample()
people = tuple(photo.person for photo in faces.index.photos)
pictures = ImageSet(title="Faces", pixels=faces.pixels[:], shape=faces.shape, labels=people)
x, labels = pictures.values, np.array(people)
""",
        noun="400 faces of 40 people",
        shape=(112, 92),
    ),
    "half": BuiltIn(
        "The sample gallery, at half size",
        _SMALLER.format(h=56, w=46, step=2),
        noun="400 faces at half size",
        shape=(56, 46),
    ),
    "small": BuiltIn(
        "The sample gallery, at quarter size",
        _SMALLER.format(h=28, w=23, step=4),
        noun="400 small faces",
        shape=(28, 23),
    ),
    "line": BuiltIn(
        "The line y = 2x",
        """\
# 1,000 positions on a line and three noises, which are exactly uncorrelated over all 1,000
x = np.random.default_rng({seed}).normal(size=(1000, 4))
x = x - x.mean(axis=0)
x = x @ np.linalg.inv(np.linalg.cholesky(x.T @ x / 1000)).T
""",
        columns=("position on the line", "noise in x", "noise in y", "noise in z"),
    ),
    "table": BuiltIn(
        "A table with seven rows",
        """\
hours, pages = np.array([2, 4, 1, 5, 3, 6, 7.0]), np.array([5, 3, 4, 6, 2, 1, 7.0])
x = np.column_stack([hours, pages, hours, 2 * pages, hours + pages, np.full(7, 5.0)])
""",
        columns=("hours", "pages", "time", "sides", "points", "desks"),
    ),
    "bodies": BuiltIn(
        "Height and weight of 60 invented people",
        """\
generator = np.random.default_rng({seed})
height = 1.72 + 0.09 * generator.normal(size=60)
weight = 70 + 75 * (height - 1.72) + 9 * generator.normal(size=60)
x = np.column_stack([height, weight])
""",
        noun="60 invented people",
        columns=("height (m)", "weight (kg)"),
    ),
    "iris": BuiltIn(
        "Irises (scikit-learn)",
        """\
from sklearn.datasets import load_iris

iris = load_iris()
x, labels = iris.data, iris.target_names[iris.target]
""",
        noun="150 irises",
        columns=("sepal length", "sepal width", "petal length", "petal width"),
    ),
    "pair": BuiltIn(
        "X and Y, nearly independent",
        "x = np.random.default_rng({seed}).normal(size=(100, 2)) * [1.5, 1]",
        noun="100 points (X, Y)",
        columns=("X", "Y"),
    ),
    "ring": BuiltIn(
        "A ring",
        """\
rng = np.random.default_rng({seed})
angle = np.linspace(0, 2 * np.pi, 160, endpoint=False)
x = np.column_stack([np.cos(angle), np.sin(angle)]) * rng.normal(1, 0.04, (160, 1))
labels = np.array(["east", "north", "west", "south"])[np.round(angle * 2 / np.pi).astype(int) % 4]
""",
        columns=("first", "second"),
    ),
    "moons": BuiltIn(
        "Two moons",
        """\
rng = np.random.default_rng({seed})
angle = rng.uniform(0, np.pi, 160)
x = np.column_stack([np.cos(angle), np.sin(angle)])
x[80:] = np.array([1, 0.5]) - x[80:]
x = x + rng.normal(0, 0.06, (160, 2))
labels = np.repeat(["upper", "lower"], 80)
""",
        columns=("first", "second"),
    ),
    "gaussian": BuiltIn(
        "A Gaussian cloud",
        """\
rng = np.random.default_rng({seed})
x = rng.normal(size=(400, 2)) @ [[1.6, 0.9], [0, 0.8]]
labels = np.where(x[:, 0] > 0, "right", "left")
""",
        columns=("first", "second"),
    ),
    "groups": BuiltIn(
        "Three groups in space",
        """\
rng = np.random.default_rng({seed})
labels = np.repeat(["A", "B", "C"], 50)
x = np.repeat([[-2.5, 0, 0], [2.5, 0, 0], [0, 0, 5]], 50, axis=0)
x = x + rng.normal(size=(150, 3)) * [1, 1.3, 0.7]
""",
        columns=("first", "second", "third"),
    ),
}
"""Built-in subjects by key: ``SUBJECTS["cloud"].make(seed=0)``.

Lessons may also use the user's data: "gallery" is the open gallery, "opened" stands for pictures,
and "own-table" for a table of numbers."""


def require_variance(points: Cloud) -> Cloud:
    """Return the points, or raise `EigenfacesError` if all of them are the same."""
    if (points.values == points.values[0]).all():
        raise EigenfacesError(ALL_THE_SAME)
    return points
