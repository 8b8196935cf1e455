"""Lesson: what a face space cannot stand: a face that is turned, shifted, lit or covered.

A. S. Georghiades, P. N. Belhumeur and D. J. Kriegman, *From few to many* (2001), and Y. Adini, Y.
Moses and S. Ullman, *Face recognition: the problem of compensating for changes in illumination
direction* (1997): such changes move a face farther than another person is away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import affine_transform, gaussian_filter

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons import drawing as fig
from eigenfaces.lessons.components import PrincipalComponents, pca
from eigenfaces.lessons.lesson import Choice, Lesson, Slide, Step, body_source
from eigenfaces.space.arrays import Doubles, Flags

SPACE_COMPONENTS = 60  # in which faces are compared, or all if there are fewer
_STEPS = 25  # places of a curve
_DISTORTIONS = (
    Slide("turn", "Turn", -40, 40, unit="°"),
    Slide("shift", "Shift", -0.3, 0.3, 0.01),
    Slide("scale", "Scale", 0.6, 1.6, 0.02),
    Slide("blur", "Blur", 0, 12, 0.25, unit=" px"),
    Slide("light", "Light", -1, 1, 0.02),
    Slide("cover", "Covered", 0, 0.8, 0.02),
)


@dataclass(frozen=True, eq=False)
class _EnrolledFaces:
    """Faces (n, d) of which every second one is known."""

    images: ImageSet
    labels: tuple[str, ...]
    components: PrincipalComponents
    places: Doubles  # (m, k) of the known ones
    probes: tuple[int, ...]  # rows of other faces whose person is among the known

    def distances(self, faces: Doubles, person: str) -> tuple[Doubles, Flags]:
        """Return how far faces (m, d) are from each known one (m, n), and whose those are (n,)."""
        places = self.components.project(faces)
        own: Flags = np.array(self.labels[::2]) == person
        return np.linalg.norm(places[:, None] - self.places, axis=2), own


def prepare(images: ImageSet, tick: Tick) -> _EnrolledFaces:
    """Find the components of every second face."""
    labels, known = images.labels or (), images.values[::2]
    people = set(labels[::2])
    probes = tuple(row for row in range(1, len(labels), 2) if labels[row] and labels[row] in people)
    if len(people) < 2 or not probes:
        raise EigenfacesError("This needs two people with two photos each: choose other data.")
    if len(images.shape) > 2:
        raise EigenfacesError("These pictures have colours: choose grey ones.")
    components = pca(known, tick).first(SPACE_COMPONENTS)
    return _EnrolledFaces(images, labels, components, components.project(known), probes)


def distorted(
    image: Doubles, turn: float, shift: float, scale: float, blur: float, light: float, cover: float
) -> Doubles:
    """Return a face (h, w) turned in degrees, shifted by a share of its width, scaled, and so on.

    ``blur``: the deviation in pixels; ``light`` from the right, of −1…1; ``cover``: the share of
    the height, from below, that is grey.
    """
    (h, w), angle = image.shape, np.radians(turn)
    cos, sin = np.cos(angle), np.sin(angle)
    back = np.array([[cos, -sin], [sin, cos]]) / scale
    middle = np.array([h - 1, w - 1]) / 2
    offset = middle - back @ (middle + np.array([0, shift * w]))
    image = affine_transform(image, back, offset, order=1, mode="nearest")
    image = gaussian_filter(image, blur) + 0.5 * light * np.linspace(-1, 1, w)
    image[h - round(cover * h) :] = 0.5
    return np.clip(image, 0, 1)


def picture(
    ready: _EnrolledFaces,
    turn: float = 0,
    shift: float = 0.0,
    scale: float = 1.0,
    blur: float = 0.0,
    light: float = 0.0,
    cover: float = 0.0,
    face: float = 1,
    over: str = "turn",
) -> fig.LessonPicture:
    """Return the face as it is, its nearest known ones, and both distances over one distortion."""
    amounts = {"turn": turn, "shift": shift, "scale": scale, "blur": blur}
    amounts |= {"light": light, "cover": cover}
    shape, row = ready.images.shape, ready.probes[min(int(face), len(ready.probes)) - 1]
    pixels, person = ready.images.pixels, ready.labels[row]
    upright = pixels[row].reshape(shape).astype(float)
    probe = distorted(upright, **amounts).ravel()
    (distances,), own = ready.distances(probe[None], person)
    at_own, at_other = (int(np.where(of, distances, np.inf).argmin()) for of in (own, ~own))
    to_own, to_other = float(distances[at_own]), float(distances[at_other])
    other = ready.labels[2 * at_other] or "somebody without a name"
    named = person if to_own <= to_other else other
    faces = (
        (probe, "The face", f"photo of {person}"),
        (pixels[2 * at_own], f"Own: {to_own:.1f}", person),
        (pixels[2 * at_other], f"Other: {to_other:.1f}", other),
    )
    panels = tuple(
        fig.pictures(np.clip(values, 0, 1).astype(float), shape, title, caption=caption)
        for values, title, caption in faces
    )
    slide = next(slide for slide in _DISTORTIONS if slide.name == over)
    x = np.linspace(slide.least, slide.most, _STEPS)
    along = np.stack([distorted(upright, **amounts | {over: at}).ravel() for at in x.tolist()])
    far, own = ready.distances(along, person)
    both = {"own person": far[:, own].min(axis=1), "nearest other": far[:, ~own].min(axis=1)}
    title = slide.label.lower() + f" ({slide.unit.strip()})" * bool(slide.unit)
    mark = amounts[over], f"{fig.tick_label(amounts[over])}{slide.unit}"
    curves = fig.CurvesPanel(x, both, title, "distance", mark)
    note = f"named {named}: {'right' if named == person else 'wrong'}"
    return fig.LessonPicture(
        fig.Drawing("What it cannot stand", (panels,), note),
        fig.Drawing("Where the name changes", ((curves,),)),
        {"own": to_own, "other": to_other},
        {"person": person, "named": named},
    )


LISTING = f"""\
from scipy.ndimage import affine_transform, gaussian_filter

known, people = x[::2], labels[::2]  # every second photo; the others are searched for
rows = [i for i in range(1, len(x), 2) if labels[i] and labels[i] in people]
row = rows[min(int(face), len(rows)) - 1]
image = x[row].reshape(pictures.shape)
{body_source(distorted)}mean = known.mean(axis=0)
u = np.linalg.svd(known - mean, full_matrices=False)[2][:{SPACE_COMPONENTS}]
apart = np.linalg.norm((known - np.clip(image, 0, 1).ravel()) @ u.T, axis=1)
own, other = apart[people == labels[row]].min(), apart[people != labels[row]].min()
print(f"own person {{own:.3f}}, nearest other {{other:.3f}}")
"""

LESSON = Lesson(
    name="cannot-stand",
    title="What a face space cannot stand",
    line="Turn, shift, light and cover a face",
    group="Limits",
    see=(
        "Every second photo is known; one of the others is **turned**, shifted, lit or covered.",
        "The name is that of the nearest known photo. Where the curves cross, it **changes**: "
        "now it is {named}.",
        "To the eye it is still {person}: a face space compares pixels in their places, not faces.",
    ),
    formula="‖*U*ᵀ(*x* − *Tx*)‖ against ‖*U*ᵀ(*x* − *y*)‖",
    why=(
        "Each pixel is compared with the one at the same place. A change *T* of place or light "
        "changes many at once, and moves a face *x* farther than another person *y* is away. So "
        "photos are aligned by the eyes first, and their light is evened out."
    ),
    steps=(
        Step("Turn the face: after how many degrees has it another name?"),
        Step("Blur it, as a small photo is: why does that do so little?"),
        Step("Take light from one side, then cover the mouth: which harms more?"),
        Step("Try other faces: is it the same for all?"),
    ),
    about={
        "turn": "the angle by which the face is turned",
        "shift": "how far it is moved aside, as a share of its width",
        "scale": "how many times as large it is",
        "blur": "the width of the blur in pixels",
        "light": "how much light comes from one side: right above 0, left below",
        "cover": "the share of its height, from below, that is covered",
        "face": "which of the faces that are not known",
        "over": "what the curves run over",
    },
    subjects=("sample", "gallery"),
    fields=(
        *_DISTORTIONS,
        Slide("face", "Face", 1, 200, whole=True),
        Choice("over", "Curves over", {slide.name: slide.label for slide in _DISTORTIONS}),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    limits=lambda ready: {"face": len(ready.probes)},
)
