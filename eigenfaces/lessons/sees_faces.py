"""Lesson: where a face space sees faces: its distance from each place of a photograph.

M. Turk and A. Pentland, *Eigenfaces for recognition* (1991): the face map. Each place is brought to
one mean and contrast first, as they propose for light.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.lesson import Lesson, Settings, choice, slide, told
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, percent

WINDOW = (24, 20)  # pixels in which each place is looked at
COMPONENTS = 40  # at most
_DEEPEST = 12  # places that are marked, at most
_LEAST = 0.3  # of a length: what has less contrast is not stretched to it
PHOTOS = {
    "astronaut": ("Astronaut", "E. Collins, NASA; her face is the only one", (0.21, 0.44)),
    "camera": ("Cameraman", "a man from the side, in a meadow", None),
    "cat": ("Cat", "no human face", None),
    "coffee": ("Coffee", "no face at all", None),
}
"""By the name that scikit-image has for it: title, what it shows, and where a face from the front
is, as shares of height and width."""


@dataclass(frozen=True, eq=False)
class _Map:
    """The first components (k, d) of faces, and what they see at each place of a photograph."""

    faces: Doubles
    components: Doubles
    photo: Doubles  # (h, w)
    places: Doubles  # (m, d), each of length 1, or less where there is no contrast
    seen: Doubles  # (m, k) squared scores
    shape: tuple[int, int]  # of the map, m places


def even(rows: Doubles) -> Doubles:
    """Return rows (n, d) without their mean and, where there is any contrast, of length 1."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _LEAST)


def prepare(images: ImageSet, tick: Tick) -> _Map:
    """Find the components of small, even faces; the mean face is the first, or close to it."""
    from skimage.transform import resize

    tick(0, 1)
    n = len(images)
    small = resize(images.values.reshape(n, *images.shape[:2], -1).mean(axis=3), (n, *WINDOW))
    faces = even(small.reshape(n, -1))
    found = np.linalg.svd(faces, full_matrices=False)[2][:COMPONENTS]
    nothing = np.zeros((0, 0))
    return _Map(faces, found, nothing, nothing, nothing, (0, 0))


def renew(ready: _Map, settings: Settings, tick: Tick) -> _Map:
    """Return what is seen at each place of this photograph, for faces of this size."""
    from skimage import color, data
    from skimage.transform import resize

    tick(0, 1)
    photo = np.asarray(getattr(data, settings["photo"])())
    photo = color.rgb2gray(photo) if photo.ndim == 3 else photo / 255
    high = round(WINDOW[0] / settings["size"])
    small = resize(photo, (high, round(high * photo.shape[1] / photo.shape[0])))
    windows = np.lib.stride_tricks.sliding_window_view(small, WINDOW)
    places = even(windows.reshape(-1, WINDOW[0] * WINDOW[1]))
    seen = (places @ ready.components.T) ** 2
    return replace(ready, photo=small, places=places, seen=seen, shape=windows.shape[:2])


def deepest(far: Doubles, most: int) -> list[tuple[int, int]]:
    """Return the places of the smallest distances (h, w), none within half a window of another."""
    left, found = far.copy(), []
    for _ in range(most):
        row, column = (int(each) for each in np.unravel_index(left.argmin(), left.shape))
        if not np.isfinite(left[row, column]):
            break
        found.append((row, column))
        (up, aside), (h, w) = (row, column), (WINDOW[0] // 2, WINDOW[1] // 2)
        left[max(0, up - h) : up + h, max(0, aside - w) : aside + w] = np.inf
    return found


def picture(
    ready: _Map, photo: str = "astronaut", size: float = 0.2, k: float = 2, marked: float = 8
) -> fig.LessonPicture:
    """Return the photograph with its places nearest to the face space, and the map."""
    del size  # the map is ready
    k, (_, shows, truth) = min(int(k), len(ready.components)), PHOTOS[photo]
    far = (1 - ready.seen[:, :k].sum(axis=1)).reshape(ready.shape)
    at, (high, wide) = deepest(far, int(marked)), ready.photo.shape

    def is_face(place: tuple[int, int]) -> bool:
        middle = [
            (p + side / 2) / of for p, side, of in zip(place, WINDOW, (high, wide), strict=True)
        ]
        near = WINDOW[0] / high / 3
        return truth is not None and all(
            abs(a - b) < near for a, b in zip(middle, truth, strict=True)
        )

    right = [is_face(each) for each in at]
    shown = np.repeat(ready.photo[..., None], 3, axis=2)
    for (row, column), good in zip(at[::-1], right[::-1], strict=True):  # the nearest above all
        colour = (0.13, 0.75, 0.25) if good else (0.93, 0.2, 0.25)
        bottom, side = row + WINDOW[0] - 1, column + WINDOW[1] - 1
        shown[[row, bottom], column : side + 1] = shown[row : bottom + 1, [column, side]] = colour
    first = at[0][0] * ready.shape[1] + at[0][1]
    rebuilt = ready.places[first] @ ready.components[:k].T @ ready.components[:k]
    two = np.stack([ready.places[first], rebuilt])
    least, most = float(far.min()), float(far.max())
    bright = 1 - (far - least) / ((most - least) or 1)  # as large as the photograph
    up, aside = WINDOW[0] // 2, WINDOW[1] // 2
    around = ((up, high - up - len(far)), (aside, wide - aside - far.shape[1]))
    below = np.pad(bright, around)
    alarms = len(right) - sum(right)
    said = count(alarms, "false alarm")
    title = f"The {len(at)} nearest places" if len(at) > 1 else "The nearest place"
    panels = (
        fig.pictures(shown, shown.shape, title, caption=shows, weight=2),
        fig.pictures(
            below, below.shape, "The map", caption="bright: near the face space", weight=2
        ),
        fig.pictures(two, WINDOW, "First", caption="and rebuilt", signed=True),
    )
    sorted_far = np.sort(far.ravel())
    chosen = next((place for place, good in zip(at, right, strict=True) if good), at[0])
    value = float(far[chosen])
    share = float((far < value).mean())
    what = "the face" if any(right) else "the nearest"
    curve = fig.DrawnCurve("places", sorted_far, np.linspace(0, 1, len(sorted_far)))
    curves = fig.CurvesPanel(
        (curve,), "distance from face space", "share of all places", (value, what), percent=True
    )
    rows = tuple(
        (f"{number}", f"{far[place]:.3f}", "the face" if good else "false alarm")
        for number, (place, good) in enumerate(zip(at[:6], right[:6], strict=True), 1)
    )
    strong = tuple(number for number, good in enumerate(right[:6]) if good)
    table = fig.TablePanel(("Place", "Distance", "It is"), rows, strong)
    note = f"{percent(share)} of {far.size:,} places are nearer than {what}"
    return fig.LessonPicture(
        fig.Drawing("Where it sees faces", (panels,), said, key="green: the face; red: none"),
        fig.Drawing("How near each place is", ((table, curves),), note),
        {"far": sorted_far[:100], "nearest": least},
        {"said": said, "k": count(k, "component")},
    )


LISTING = f"""\
from skimage import color, data
from skimage.transform import resize


def even(rows):
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), {_LEAST})


small = resize(x.reshape(len(x), *pictures.shape), (len(x), {WINDOW[0]}, {WINDOW[1]}))
u = np.linalg.svd(even(small.reshape(len(x), -1)), full_matrices=False)[2][: int(k)]
image = np.asarray(getattr(data, photo)())
image = color.rgb2gray(image) if image.ndim == 3 else image / 255
high = round({WINDOW[0]} / size)
image = resize(image, (high, round(high * image.shape[1] / image.shape[0])))
places = np.lib.stride_tricks.sliding_window_view(image, {WINDOW})
scores = even(places.reshape(-1, {WINDOW[0] * WINDOW[1]})) @ u.T
far = np.sort(1 - np.sum(scores**2, axis=1))[:100]
nearest = far[0]
print(f"nearest of {{len(scores):,}} places: {{nearest:.3f}}")
"""

WORDS = """
title: Where it sees faces
line: The face map and its false alarms
group: Limits
see: At each place the map says how far what is there lies from the **face space**.
see: A face lies near it. But so does much else: here {said}, with {k}.
see: More components let the space draw more, and soon it **draws anything**.
formula: *d*² = ‖*z*‖² − ‖*U*ᵀ*z*‖²
why: *z* is a window of the photograph without its mean and of length 1; *U*ᵀ*z* is what the
    components make of it. Being near is necessary for a face, not sufficient: smooth shades are
    near as well. So detectors learn faces *and* what is none.
try: Go from 2 components to 40: where does the face go?
try: Change the size: faces of another size are not seen at all.
try: Take the cat and the coffee: the map always has a nearest place.
set photo: which photograph is looked at
set size: the height of a face, as a share of that of the photograph
set k: how many components the face space has
set marked: how many of the nearest places are marked
"""

LESSON = Lesson(
    **told(WORDS),
    name="sees-faces",
    subjects=("sample", "gallery"),
    fields=(
        choice("photo", "Photo", {name: each[1] for name, each in PHOTOS.items()}),
        slide("size", "Size of a face", 0.14, 0.5, 0.02),
        slide("k", "Components k", 1, COMPONENTS, whole=True, plays=True),
        slide("marked", "Marked", 1, _DEEPEST, whole=True),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=lambda ready: {"k": len(ready.components)},
    renewed_by=("photo", "size"),
    renew=renew,
)
