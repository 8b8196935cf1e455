"""Lesson: a face space “sees” a face wherever part of a photograph is close to it.

M. Turk and A. Pentland introduced the face map in *Eigenfaces for recognition* (1991). The mean and
contrast of each window are normalised first, as they propose, to compensate for lighting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Choice, Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, percent

PATCH_SIZE = (24, 20)  # the height and width of the window at each place, in pixels
MAP_COMPONENTS = 40  # the largest number of components
_MARKED = 8  # the number of places marked
_LEAST = 0.3  # a window shorter than this has too little contrast to be scaled up
SCIKIT_PHOTOS = {
    "astronaut": ("Astronaut", "E. Collins, NASA: the only face is hers", (0.21, 0.44)),
    "camera": ("Cameraman", "a man from the side, in a meadow", None),
    "cat": ("Cat", "no human face", None),
    "coffee": ("Coffee", "no face at all", None),
}
"""Title and content of each scikit-image photograph, and the position of its frontal face, if any,
as shares of the height and width."""


@dataclass(frozen=True, eq=False)
class _Map:
    """First components of faces, and the squared scores of each window of a photograph."""

    components: Doubles  # (k, d)
    photo: Doubles  # (h, w)
    places: Doubles  # (m, d) windows of length 1, or less if they have little contrast
    squares: Doubles  # (m, k) the squared scores
    shape: tuple[int, int]  # the shape of the map, with m places


def normalise(rows: Doubles) -> Doubles:
    """Return rows (n, d) minus their means, scaled to length 1 if they have enough contrast."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _LEAST)


def windows(photo: str, size: float) -> tuple[Doubles, Doubles]:
    """Scale a photograph so that a face is as tall as a window, and return it with its windows."""
    from skimage import color, data
    from skimage.transform import resize

    image = np.asarray(getattr(data, photo)())
    image = color.rgb2gray(image) if image.ndim == 3 else image / 255
    high = round(24 / size)
    image = resize(image, (high, round(high * image.shape[1] / image.shape[0])))
    places = np.lib.stride_tricks.sliding_window_view(image, (24, 20))
    return image, places


def prepare(images: ImageSet, tick: Tick, photo: str, size: float) -> _Map:
    """Return the squared scores of a photograph's windows on the components of small faces.

    ``size`` is the relative height of a face. The first component is close to the mean face.
    """
    from skimage.transform import resize

    tick(0, 2)
    n = len(images)
    small = resize(images.values.reshape(n, *images.shape[:2], -1).mean(axis=3), (n, *PATCH_SIZE))
    components = np.linalg.svd(normalise(small.reshape(n, -1)), full_matrices=False)[2][
        :MAP_COMPONENTS
    ]
    tick(1, 2)
    image, at = windows(photo, size)
    places = normalise(at.reshape(-1, PATCH_SIZE[0] * PATCH_SIZE[1]))
    return _Map(components, image, places, (places @ components.T) ** 2, at.shape[:2])


def nearest_places(distances: Doubles, most: int) -> list[tuple[int, int]]:
    """Return the positions of the smallest ``distances`` (h, w), at least half a window apart."""
    rest, places = distances.copy(), list[tuple[int, int]]()
    h, w = PATCH_SIZE[0] // 2, PATCH_SIZE[1] // 2
    for _ in range(most):
        row, column = divmod(int(rest.argmin()), rest.shape[1])
        if not np.isfinite(rest[row, column]):
            break
        places.append((row, column))
        rest[max(0, row - h) : row + h, max(0, column - w) : column + w] = np.inf
    return places


def picture(ready: _Map, photo: str, size: float, k: float) -> fig.LessonPicture:
    """Draw the photograph with frames around the windows nearest to the face space, and the map."""
    del size  # `prepare` has used it
    k, (_, contents, truth) = min(int(k), len(ready.components)), SCIKIT_PHOTOS[photo]
    far = (1 - ready.squares[:, :k].sum(axis=1)).reshape(ready.shape)
    places, photo_shape = nearest_places(far, _MARKED), np.array(ready.photo.shape)
    middles = (np.array(places) + np.array(PATCH_SIZE) / 2) / photo_shape
    off = np.abs(middles - (truth or (np.inf, np.inf))).max(axis=1)
    is_face = (off < PATCH_SIZE[0] / photo_shape[0] / 3).tolist()
    marks = np.repeat(ready.photo[..., None], 3, axis=2)
    for (row, column), good in zip(
        places[::-1], is_face[::-1], strict=True
    ):  # the nearest place on top
        colour = (0.13, 0.75, 0.25) if good else (0.93, 0.2, 0.25)
        bottom, side = row + PATCH_SIZE[0] - 1, column + PATCH_SIZE[1] - 1
        marks[[row, bottom], column : side + 1] = marks[row : bottom + 1, [column, side]] = colour
    first = ready.places[places[0][0] * ready.shape[1] + places[0][1]]
    rebuilt = first @ ready.components[:k].T @ ready.components[:k]
    least, most = float(far.min()), float(far.max())
    bright = 1 - (far - least) / ((most - least) or 1)
    before = np.array(PATCH_SIZE) // 2  # the map is as large as the photograph
    bright = np.pad(bright, np.stack([before, photo_shape - before - far.shape], axis=1))
    title = f"The {len(places)} nearest places" if len(places) > 1 else "The nearest place"
    panels = (
        fig.pictures(marks, marks.shape, title, caption=contents),
        fig.pictures(bright, bright.shape, "The map", caption="bright: near the face space"),
    )
    alarms = count(is_face.count(False), "false alarm")
    value = float(far[places[is_face.index(True) if any(is_face) else 0]])
    what, sorted_far = "the face" if any(is_face) else "the nearest", np.sort(far.ravel())
    shares = {"places": np.linspace(0, 1, far.size)}
    titles = "distance from face space", "share of all places"
    curves = fig.CurvesPanel(sorted_far, shares, *titles, (value, what), percent=True, weight=2)
    share = percent(float((far < value).mean()))
    note = f"{share} of {far.size:,} places are nearer than {what}"
    look: dict[str, Any] = {"signed": True, "words": ("the place", "rebuilt")}
    nearest = fig.pictures(np.stack([first, rebuilt]), PATCH_SIZE, "The nearest place", 2, **look)
    found = "her face is found, with " if any(is_face) else ""
    return fig.LessonPicture(
        fig.Drawing(
            "Where it sees faces",
            (panels,),
            f"{found}{alarms}",
            key="green: the face; red: no face",
        ),
        fig.Drawing("How near each place is", ((nearest, curves),), note),
        {"far": sorted_far[:100]},
        {"alarms": alarms, "k": count(k, "component")},
    )


LISTING = """\
from skimage import color, data
from skimage.transform import resize

image = np.asarray(getattr(data, photo)())
image = color.rgb2gray(image) if image.ndim == 3 else image / 255
high = round(24 / size)
image = resize(image, (high, round(high * image.shape[1] / image.shape[0])))
places = np.lib.stride_tricks.sliding_window_view(image, (24, 20))
small = resize(x.reshape(len(x), *pictures.shape), (len(x), 24, 20)).reshape(len(x), -1)


def normalise(rows):
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 0.3)


u = np.linalg.svd(normalise(small), full_matrices=False)[2][: int(k)]
scores = normalise(places.reshape(-1, 480)) @ u.T
far = np.sort(1 - np.sum(scores**2, axis=1))[:100]
print(f"nearest of {len(scores):,} places: {far[0]:.3f}")
"""

LESSON = Lesson(
    name="sees-faces",
    title="Where it sees faces",
    line="The face map and its false alarms",
    group="Limits",
    see=(
        "The map shows how far each place of the photo is from the **face space**.",
        "A face is near the face space, but so are many other things: {alarms} with {k}.",
        "With more components, the space can draw more, and soon it **draws anything**.",
    ),
    formula="*d*² = ‖*z*‖² − ‖*U*ᵀ*z*‖²",
    why=(
        "*z* is a window of the photo, minus its mean and scaled to length 1. *U*ᵀ*z* are its "
        "scores. A face must be near the face space, but smooth areas are near as well. So "
        "detectors learn from faces *and* from other things."
    ),
    steps=(
        Step("Her face is green. The red places look like faces only to the components.", {"k": 2}),
        Step("Go from 2 components to 40: where does the face go?", {"k": 40}),
        Step("Look for larger faces: hers is not found at all.", {"size": 0.4}),
        Step("Take the coffee: even there, some place is nearest.", {"photo": "coffee"}),
    ),
    question=Question(
        "The map marks the eight places that are most like a face. How many of them are faces?",
        ("all eight", "four", "one"),
        2,
    ),
    subjects=("sample", "gallery"),
    controls=(
        Choice(
            "photo",
            "Photo",
            "which photo is searched",
            {name: photo[1] for name, photo in SCIKIT_PHOTOS.items()},
            default="astronaut",
        ),
        Slide("size", "Size of a face", "its height as a share of the photo", 0.2, 0.14, 0.5, 0.02),
        Slide(
            "k",
            "Components k",
            "how many components the space has",
            2,
            1,
            MAP_COMPONENTS,
            plays=True,
        ),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    limits=lambda ready: {"k": len(ready.components)},
    slow_settings=("photo", "size"),
)
