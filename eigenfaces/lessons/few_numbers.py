"""Lesson: a few numbers say how a face differs from the mean, and any numbers make a face.

L. Sirovich and M. Kirby, *Low-dimensional procedure for the characterization of human faces*
(1987).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Button, Choice, Lesson, Question, Slide, Step
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, percent, with_minus

FACE, LINE, PLANE = "One face", "Faces in a line", "Faces in a plane"
_VIEWS = {
    FACE: "a face made from k numbers, beside its photo",
    LINE: "a face made from one number, and all photos along the first component",
    PLANE: "a face made from two numbers, and all photos on the first two components",
}
_IDLE = {FACE: ("first", "second"), LINE: ("which", "k", "second"), PLANE: ("which", "k")}
_NEXT = 6  # the number of further components shown as pictures


@dataclass(frozen=True, eq=False)
class FacesInNumbers:
    """Faces, their components, and the position (n, r) of each face in standard deviations."""

    images: ImageSet
    fitted: PrincipalComponents
    places: Doubles

    def face_at(self, place: Doubles) -> Doubles:
        """Return the face (d,) at a position (k,), in standard deviations along the components."""
        k = len(place)
        scores = place * np.sqrt(self.fitted.variances[:k])
        return self.fitted.mean + scores @ self.fitted.components[:k]

    def picture_of(self, pixels: Doubles, title: str, **look: Any) -> fig.PicturesPanel:
        """Return a panel that shows one face, with grey values clipped to 0…1."""
        return fig.pictures(np.clip(pixels, 0, 1), self.images.shape, title, **look)

    def real_face(self, row: int, title: str) -> fig.PicturesPanel:
        """Return a panel that shows one of the photographs with the person's name."""
        person = (self.images.labels or ("",) * len(self.images))[row]
        return self.picture_of(self.images.pixels[row].astype(float), title, caption=person)


def prepare(images: ImageSet, tick: Tick) -> FacesInNumbers:
    """Return the components of faces, and the position of each face along every component."""
    fitted = pca(images.values, tick)
    if len(fitted.variances) < 2:
        raise EigenfacesError("These pictures differ in only one way. Choose more of them.")
    places = fitted.project(images.values) / np.sqrt(fitted.variances)
    return FacesInNumbers(images, fitted, places)


def picture(
    ready: FacesInNumbers, view: str, k: float, which: float, first: float, second: float
) -> fig.LessonPicture:
    """Draw one of the views.

    ``which`` is the number of a face, counted from 1. ``first`` and ``second`` are positions along
    the first two components, in standard deviations.
    """
    row, k = min(int(which), len(ready.images)) - 1, min(int(k), len(ready.fitted.variances))
    scores = ready.places[row] * np.sqrt(ready.fitted.variances)
    kept = float((scores[:k] ** 2).sum() / max((scores**2).sum(), 1e-300))
    views: dict[str, Callable[[], fig.Drawing]] = {
        FACE: lambda: _one_face(ready, row, k, kept),
        LINE: lambda: _line(ready, first),
        PLANE: lambda: _plane(ready, first, second),
    }
    numbers = {
        "rebuilt": ready.face_at(ready.places[row, :k]),
        "kept": kept,
        "made": ready.face_at(np.array([first, second])),
    }
    words = {
        "numbers": count({FACE: k, LINE: 1, PLANE: 2}[view], "number"),
        "pixels": f"{ready.images.pixels.shape[1]:,}",
        "faces": count(len(ready.images), "face"),
    }
    return fig.LessonPicture(views[view](), numbers=numbers, words=words)


def _one_face(ready: FacesInNumbers, row: int, k: int, kept: float) -> fig.Drawing:
    """Draw a face made from k numbers, its photograph, and what each of the next numbers adds."""
    images, fitted = ready.images, ready.fitted
    face = ready.picture_of(
        ready.face_at(ready.places[row, :k]),
        f"From {count(k, 'number')}",
        caption=f"{percent(kept, 0)} of its difference from the mean",
        weight=2.0,
    )
    panels = [face, ready.real_face(row, "The photo")]
    following = slice(k, k + _NEXT)
    scores = ready.places[row, following] * np.sqrt(fitted.variances[following])
    if len(scores):
        added = scores[:, None] * fitted.components[following]
        numbers = tuple(f"{number:,}" for number in range(k + 1, k + 1 + len(scores)))
        look: dict[str, Any] = {"signed": True, "words": numbers}
        look["caption"] = "red: lighter, blue: darker"
        panels.append(fig.pictures(added, images.shape, "What comes next", 2, **look))
    note = f"{k:,} numbers instead of {images.pixels.shape[1]:,} pixels"
    return fig.Drawing("A face in a few numbers", (tuple(panels),), note)


def _line(ready: FacesInNumbers, first: float) -> fig.Drawing:
    """Draw the face at a position along the first component, and the positions of all photos."""
    along = ready.places[:, 0]
    low, high = int(along.argmin()), int(along.argmax())
    faces = (
        ready.real_face(low, f"A photo at {with_minus(f'{along[low]:.1f}')}"),
        ready.picture_of(ready.face_at(np.array([first])), f"Made at {with_minus(f'{first:.1f}')}"),
        ready.real_face(high, f"A photo at {along[high]:.1f}"),
    )
    places = fig.piled(along)
    dots = fig.Dots(places, tips=ready.images.labels or ())
    reach = max(3.2, 1.05 * float(np.abs(along).max()))
    top = max(float(places[:, 1].max()), 0.8)
    here = fig.Strokes(
        np.array([[first, -0.1]]), np.array([[first, top]]), "contrast", words="the made face"
    )
    plane = fig.PlanePanel(
        (dots, here),
        "first component, in deviations",
        span=((-reach, reach), (-0.15, 1.2 * top)),
        caption="each dot is a photo",
    )
    return fig.Drawing("Faces in a line", (faces, (plane,)), "one number, from −3 to 3")


def _plane(ready: FacesInNumbers, first: float, second: float) -> fig.Drawing:
    """Plot all photos on two components, and draw the face at a position and the nearest photo."""
    at, place = ready.places[:, :2], np.array([first, second])
    nearest = int(((at - place) ** 2).sum(axis=1).argmin())
    dots = fig.Dots(at, tips=ready.images.labels or (), small=True)
    here = fig.Dots(place[None], "contrast", labels=None)
    reach = max(3.2, 1.05 * float(np.abs(at).max()))
    plane = fig.PlanePanel(
        (dots, fig.Strokes(at[[nearest]], place[None], "contrast", thin=True), here),
        "first component, in deviations",
        "second component",
        span=((-reach, reach), (-reach, reach)),
        weight=2.0,
        caption="each dot is a photo, the red dot is the made face",
    )
    made = ready.picture_of(ready.face_at(place), "Made", caption="from two numbers", weight=1.2)
    real = ready.real_face(nearest, "The nearest photo")
    return fig.Drawing("Faces in a plane", ((plane, made, real),), "two numbers")


LISTING = """\
mean = x.mean(axis=0)
_, s, u = np.linalg.svd(x - mean, full_matrices=False)  # components in rows
largest = np.abs(u).round(6).argmax(axis=1)
u = u * np.sign(u[range(len(u)), largest])[:, None]  # signs are free
deviations = s / np.sqrt(len(x))
i = min(int(which), len(x)) - 1
numbers = (x[i] - mean) @ u.T  # all that describes this face
rebuilt = mean + numbers[: int(k)] @ u[: int(k)]
kept = np.sum(numbers[: int(k)] ** 2) / np.sum(numbers**2)
made = mean + first * deviations[0] * u[0] + second * deviations[1] * u[1]
print(f"{int(k)} numbers hold {kept:.0%} of how face {i + 1} differs from the mean")
"""

LESSON = Lesson(
    name="few-numbers",
    title="A face in a few numbers",
    line="From the mean face to someone you know",
    group="Faces",
    see=(
        "A photo has {pixels} pixels. The face made here needs only **{numbers}**.",
        "Each number says how much of one **component** is added to the **mean face**. The first "
        "ones matter most.",
        "So a face is a **point**, and similar faces lie near each other.",
    ),
    formula="*x* ≈ *m* + *c*₁*u*₁ + … + *c<sub>k</sub>u<sub>k</sub>*",
    why="The components *u<sub>i</sub>* are perpendicular unit vectors, ordered by how much the "
    "{faces} differ along them. So each number is *c<sub>i</sub>* = *u<sub>i</sub>*ᵀ(*x* − "
    "*m*), and no other *k* numbers leave a smaller error. A deviation is √λ<sub>i</sub>: "
    "most faces lie within two deviations of the mean.",
    steps=(
        Step("Ten numbers make a blur. Go on to 150: when do you recognise her?", {"k": 10}),
        Step("Change only the first number: what does it describe?", {"view": LINE, "first": 2}),
        Step("Two numbers make a map of faces.", {"view": PLANE, "first": -1.5, "second": 1}),
        Step("And 40 numbers? For people you know, fewer are enough.", {"k": 40}),
    ),
    question=Question(
        "How many numbers does it take to make a face that you recognise?",
        ("about 10", "about 150", "about 10,000"),
        1,
    ),
    subjects=("sample", "gallery", "opened"),
    controls=(
        Choice("view", "View", "a face from k numbers, or many faces", _VIEWS, default=FACE),
        Slide("k", "Numbers k", "how many numbers make the face", 10, 0, 150, plays=True),
        Slide("which", "Face", "which face is made", 311, 1, 400),
        Slide(
            "first",
            "First number",
            "the first number of the made face, in standard deviations",
            2.0,
            -3,
            3,
            0.1,
            unit=" σ",
            plays=True,
        ),
        Slide("second", "Second number", "the second number", 1.0, -3, 3, 0.1, unit=" σ"),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    picture_only=("view",),
    buttons={
        str(k): Button(f"Make the face from {k} numbers", {"view": FACE, "k": k})
        for k in (10, 40, 150)
    },
    limits=lambda ready: {"k": min(150, len(ready.fitted.variances)), "which": len(ready.images)},
    unused_settings=lambda now: _IDLE[now["view"]],
)
