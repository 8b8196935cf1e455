"""Lesson: a face space cannot handle faces that are turned, shifted, unevenly lit or covered.

Such changes move a face farther than the distance to another person: Y. Adini, Y. Moses and
S. Ullman, *Face recognition: the problem of compensating for changes in illumination direction*
(1997); A. S. Georghiades, P. N. Belhumeur and D. J. Kriegman, *From few to many* (2001).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.ndimage import affine_transform, gaussian_filter

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Choice, Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles, Flags

SPACE_COMPONENTS = 60  # the most components in which faces are compared
_AMOUNTS = np.linspace(0, 100, 25)  # the amounts of change along a curve
_REMEMBERED = 8  # the number of recent curves that are kept
_CHANGES = {
    "turn": (40, "turned by {:.0f}°", "turn, in degrees"),
    "shift": (30, "moved aside by {:.0f} %", "shift, in % of the width"),
    "size": (60, "larger by {:.0f} %", "enlargement, in %"),
    "blur": (12, "blurred by {:.0f} pixels", "blur, in pixels"),
    "light": (100, "lit from the right, {:.0f} %", "light from the right, in %"),
    "cover": (80, "{:.0f} % covered", "covered part, in %"),
}
"""Largest amount of each change, the text that describes an amount, and the axis title."""


@dataclass(frozen=True, eq=False)
class _EnrolledFaces:
    """Faces (n, d), of which every second one is known."""

    images: ImageSet
    labels: tuple[str, ...]
    components: PrincipalComponents
    places: Doubles  # (m, k) the coordinates of the known faces
    probes: tuple[int, ...]  # rows of the other faces of known people

    @cached_property
    def over_amounts(self) -> Callable[[int, str], tuple[Doubles, Doubles]]:
        """Function that returns the distances (m,) of a face from its own person and from others.

        Its arguments are the row of the face and the type of change. Recent results are cached,
        because a slider alters only the amount of change.
        """

        @lru_cache(_REMEMBERED)
        def compute(row: int, change: str) -> tuple[Doubles, Doubles]:
            upright = self.images.pixels[row].reshape(self.images.shape).astype(float)
            faces = [distorted(upright, change, amount).ravel() for amount in _AMOUNTS.tolist()]
            far, own = self.distances(np.stack(faces), self.labels[row])
            return far[:, own].min(axis=1), far[:, ~own].min(axis=1)

        return compute

    def distances(self, faces: Doubles, person: str) -> tuple[Doubles, Flags]:
        """Return distances (m, n) of faces from known faces, and flags for those of this person."""
        places = self.components.project(faces)
        own: Flags = np.array(self.labels[::2]) == person
        return np.linalg.norm(places[:, None] - self.places, axis=2), own


def prepare(images: ImageSet, tick: Tick) -> _EnrolledFaces:
    """Return the components of the known faces, which are every second face."""
    labels, known = images.labels or (), images.values[::2]
    people = set(labels[::2])
    probes = tuple(row for row in range(1, len(labels), 2) if labels[row] and labels[row] in people)
    if len(people) < 2 or not probes:
        raise EigenfacesError(
            "This lesson needs two people with two photos each. Choose other data."
        )
    if len(images.shape) > 2:
        raise EigenfacesError("These pictures are in colour. Choose grey pictures.")
    components = pca(known, tick).first(SPACE_COMPONENTS)
    return _EnrolledFaces(images, labels, components, components.project(known), probes)


def distorted(image: Doubles, change: str, amount: float) -> Doubles:
    """Return a changed face (h, w). ``amount`` is a percentage of the largest change."""
    (h, w), of = image.shape, {change: amount / 100}
    angle = np.radians(40 * of.get("turn", 0.0))
    cos, sin = np.cos(angle), np.sin(angle)
    back = np.array([[cos, -sin], [sin, cos]]) / (1 + 0.6 * of.get("size", 0.0))
    middle = np.array([h - 1, w - 1]) / 2
    offset = middle - back @ (middle + np.array([0, 0.3 * w * of.get("shift", 0.0)]))
    image = affine_transform(image, back, offset, order=1, mode="nearest")
    light = 0.5 * of.get("light", 0.0) * np.linspace(-1, 1, w)
    image = gaussian_filter(image, 12 * of.get("blur", 0.0)) + light
    image[h - round(0.8 * h * of.get("cover", 0.0)) :] = 0.5
    return np.clip(image, 0, 1)


def picture(ready: _EnrolledFaces, change: str, amount: float, face: float) -> fig.LessonPicture:
    """Draw a changed face, the nearest known faces, and the distances for each amount of change."""
    shape, row = ready.images.shape, ready.probes[min(int(face), len(ready.probes)) - 1]
    pixels, person = ready.images.pixels, ready.labels[row]
    upright = pixels[row].reshape(shape).astype(float)
    probe = distorted(upright, change, amount).ravel()
    (distances,), own = ready.distances(probe[None], person)
    at_own, at_other = (int(np.where(of, distances, np.inf).argmin()) for of in (own, ~own))
    to_own, to_other = float(distances[at_own]), float(distances[at_other])
    other = ready.labels[2 * at_other] or "someone without a name"
    named = person if to_own <= to_other else other
    most, said, title = _CHANGES[change]
    faces = (
        (probe, person, said.format(most * amount / 100)),
        (pixels[2 * at_own], f"Own photo: {to_own:.1f} away", person),
        (pixels[2 * at_other], f"Someone else: {to_other:.1f} away", other),
    )
    panels = tuple(
        fig.pictures(np.clip(values, 0, 1).astype(float), shape, title, caption=caption)
        for values, title, caption in faces
    )
    both = dict(
        zip(("own person", "nearest other person"), ready.over_amounts(row, change), strict=True)
    )
    right = "right" if named == person else "wrong"
    mark = most * amount / 100, f"{right} name"
    curves = fig.CurvesPanel(most * _AMOUNTS / 100, both, title, "distance", mark)
    note = f"the nearest photo shows {named}: {right}"
    return fig.LessonPicture(
        fig.Drawing("What a face space cannot handle", (panels, (curves,)), note),
        numbers={"own": to_own, "other": to_other},
        words={"person": person, "named": named},
    )


LISTING = """\
from scipy.ndimage import affine_transform, gaussian_filter

known, people = x[::2], labels[::2]  # every second photo; another one is searched for
rows = [i for i in range(1, len(x), 2) if labels[i] and labels[i] in people]
row = rows[min(int(face), len(rows)) - 1]
image = x[row].reshape(pictures.shape)
(h, w), of = image.shape, {change: amount / 100}
angle = np.radians(40 * of.get("turn", 0.0))
cos, sin = np.cos(angle), np.sin(angle)
back = np.array([[cos, -sin], [sin, cos]]) / (1 + 0.6 * of.get("size", 0.0))
middle = np.array([h - 1, w - 1]) / 2
offset = middle - back @ (middle + np.array([0, 0.3 * w * of.get("shift", 0.0)]))
image = affine_transform(image, back, offset, order=1, mode="nearest")
light = 0.5 * of.get("light", 0.0) * np.linspace(-1, 1, w)
image = gaussian_filter(image, 12 * of.get("blur", 0.0)) + light
image[h - round(0.8 * h * of.get("cover", 0.0)) :] = 0.5
u = np.linalg.svd(known - known.mean(axis=0), full_matrices=False)[2][:60]
apart = np.linalg.norm((known - np.clip(image, 0, 1).ravel()) @ u.T, axis=1)
own, other = apart[people == labels[row]].min(), apart[people != labels[row]].min()
print(f"own person {own:.3f}, nearest other {other:.3f}")
"""

LESSON = Lesson(
    name="cannot-stand",
    title="What a face space cannot handle",
    line="Turn, shift, light or cover a face",
    group="Limits",
    see=(
        "Every second photo is known. One of the others is **turned**, shifted, lit or covered.",
        "The name comes from the nearest known photo. Where the curves cross, the name "
        "**changes**. Now it is {named}.",
        "You still see {person}, but a face space compares pixels at the same position, not faces.",
    ),
    formula="‖*U*ᵀ(*x* − *Tx*)‖ against ‖*U*ᵀ(*x* − *y*)‖",
    why=(
        "Each pixel is compared with the pixel at the same position. A change *T* of position or "
        "light changes many pixels, and moves a face *x* farther than the distance to another "
        "person *y*. So photos are first aligned by the eyes, and their light is evened out."
    ),
    steps=(
        Step("Turned by 24°, this face is nearer to someone else.", {"amount": 60}),
        Step(
            "Blur the face, as in a small photo: this changes little.",
            {"change": "blur", "amount": 40},
        ),
        Step("Cover the mouth: who is nearest now?", {"change": "cover", "amount": 80}),
        Step(
            "Add light from one side: this face gets another name.",
            {"change": "light", "amount": 50, "face": 3},
        ),
    ),
    question=Question(
        "How far must this face be turned before it gets another name?",
        ("about 10°", "about 45°", "about 90°"),
        0,
    ),
    subjects=("sample", "gallery"),
    controls=(
        Choice(
            "change",
            "Change",
            "how the face is changed",
            {name: title for name, (_, _, title) in _CHANGES.items()},
            default="turn",
        ),
        Slide(
            "amount",
            "Share of the largest change",
            "how much of the largest change: 100 % of a turn is 40°",
            60.0,
            0,
            100,
            unit="\N{NO-BREAK SPACE}%",
            plays=True,
        ),
        Slide("face", "Face", "which of the unknown faces is changed", 1, 1, 200),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    limits=lambda ready: {"face": len(ready.probes)},
)
