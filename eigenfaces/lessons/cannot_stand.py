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
from eigenfaces.lessons.decomposed import Decomposed, decomposed
from eigenfaces.lessons.lesson import Lesson, choice, slide, told
from eigenfaces.space.arrays import Doubles, Flags
from eigenfaces.text import percent

COMPONENTS = 60  # in which faces are compared, or all if there are fewer
_STEPS = 25  # places of a curve
_HARM = {
    "turn": ("Turn", -40, 40, 1, "°"),
    "shift": ("Shift", -0.3, 0.3, 0.01, ""),
    "scale": ("Scale", 0.6, 1.6, 0.02, ""),
    "blur": ("Blur", 0, 12, 0.25, " px"),
    "light": ("Light", -1, 1, 0.02, ""),
    "cover": ("Covered", 0, 0.8, 0.02, ""),
}
"""By its setting: what it is called, from where to where it goes, its step and its unit."""


@dataclass(frozen=True, eq=False)
class _Known:
    """Faces (n, d) of which every second one is known; ``at`` (m, k) are the known ones' places."""

    images: ImageSet
    values: Doubles
    labels: tuple[str, ...]
    found: Decomposed
    at: Doubles
    asked: tuple[int, ...]  # rows of faces whose person is among the known

    def distances(self, faces: Doubles, person: str) -> tuple[Doubles, Flags]:
        """Return how far faces (m, d) are from each known one (m, n), and whose those are (n,)."""
        places = self.found.coordinates(faces)
        apart = np.linalg.norm(places[:, None] - self.at, axis=2)
        own: Flags = np.array(self.labels[::2]) == person
        return apart, own


def prepare(images: ImageSet, tick: Tick) -> _Known:
    """Find the components of every second face."""
    labels, values = images.labels or (), images.values
    people = set(labels[::2])
    asked = tuple(row for row in range(1, len(labels), 2) if labels[row] and labels[row] in people)
    if len(people) < 2 or not asked:
        raise EigenfacesError("This needs two people with two photos each: choose other data.")
    whole = decomposed(values[::2], tick)
    k = min(COMPONENTS, len(whole.variances))
    found = Decomposed(whole.mean, whole.components[:k], whole.variances[:k])
    return _Known(images, values, labels, found, found.coordinates(values[::2]), asked)


def harmed(
    face: Doubles, turn: float, shift: float, scale: float, blur: float, light: float, cover: float
) -> Doubles:
    """Return a face (h, w) turned in degrees, shifted by a share of its width, scaled, and so on.

    ``blur``: the deviation in pixels; ``light`` from the right, of −1…1; ``cover``: the share of
    the height, from below, that is grey.
    """
    (h, w), angle = face.shape, np.radians(turn)
    back = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / scale
    middle = np.array([h - 1, w - 1]) / 2
    offset = middle - back @ (middle + np.array([0, shift * w]))
    made = affine_transform(face, back, offset, order=1, mode="nearest")
    made = gaussian_filter(made, blur) + 0.5 * light * np.linspace(-1, 1, w)
    made[h - round(cover * h) :] = 0.5
    return np.clip(made, 0, 1)


def picture(
    ready: _Known,
    turn: float = 0,
    shift: float = 0.0,
    scale: float = 1.0,
    blur: float = 0.0,
    light: float = 0.0,
    cover: float = 0.0,
    face: float = 1,
    over: str = "turn",
) -> fig.LessonPicture:
    """Return the face as it is, its nearest known ones, and both distances over one harm."""
    shape, row = ready.images.shape, ready.asked[min(int(face), len(ready.asked)) - 1]
    upright, person = ready.values[row].reshape(shape), ready.labels[row]
    now = {"turn": turn, "shift": shift, "scale": scale, "blur": blur}
    now |= {"light": light, "cover": cover}
    made = harmed(upright, **now).ravel()
    apart, own = ready.distances(made[None], person)
    nearest = [int(np.where(whose, apart[0], np.inf).argmin()) for whose in (own, ~own)]
    to_own, to_other = (float(apart[0, at]) for at in nearest)
    other = ready.labels[2 * nearest[1]] or "somebody without a name"
    rebuilt = ready.found.coordinates(made[None]) @ ready.found.components + ready.found.mean
    named = person if to_own <= to_other else other
    look = (
        (made, "The face", f"photo of {person}"),
        (rebuilt, "In the face space", f"of {len(ready.found.variances)} components"),
        (ready.values[2 * nearest[0]], f"Own: {to_own:.1f}", person),
        (ready.values[2 * nearest[1]], f"Other: {to_other:.1f}", other),
    )
    row_of = tuple(
        fig.pictures(np.clip(each, 0, 1), shape, title, caption=said) for each, title, said in look
    )
    title, least, most, _, unit = _HARM[over]
    places = np.linspace(least, most, _STEPS)
    along = np.stack([harmed(upright, **{**now, over: float(at)}).ravel() for at in places])
    far, own = ready.distances(along, person)
    both = far[:, own].min(axis=1), far[:, ~own].min(axis=1)
    mark = now[over], f"{now[over]:g}{unit}"
    curves = (
        fig.DrawnCurve("own person", places, both[0]),
        fig.DrawnCurve("nearest other", places, both[1], "contrast", dashed=True),
    )
    panel = fig.CurvesPanel(
        curves, f"{title.lower()}{f' ({unit.strip()})' * bool(unit)}", "distance", mark
    )
    wrong = float((both[0] > both[1]).mean())
    note = "right" if named == person else "wrong"
    return fig.LessonPicture(
        fig.Drawing("What it cannot stand", (row_of,), f"named {named}: {note}"),
        fig.Drawing(
            "Where the name changes", ((panel,),), f"wrong for {percent(wrong, 0)} of this range"
        ),
        {"own": to_own, "other": to_other},
        {"person": person, "named": named},
    )


LISTING = f"""\
from scipy.ndimage import affine_transform, gaussian_filter

known, people = x[::2], labels[::2]  # every second photo; the others are searched for
rows = [i for i in range(1, len(x), 2) if labels[i] and labels[i] in people]
row = rows[min(int(face), len(rows)) - 1]
(h, w), angle = pictures.shape, np.radians(turn)
cos, sin = np.cos(angle), np.sin(angle)
back = np.array([[cos, -sin], [sin, cos]]) / scale
middle = np.array([h - 1, w - 1]) / 2
offset = middle - back @ (middle + [0, shift * w])
made = affine_transform(x[row].reshape(h, w), back, offset, order=1, mode="nearest")
made = gaussian_filter(made, blur) + 0.5 * light * np.linspace(-1, 1, w)
made[h - round(cover * h) :] = 0.5
mean = known.mean(axis=0)
u = np.linalg.svd(known - mean, full_matrices=False)[2][:{COMPONENTS}]
apart = np.linalg.norm((known - np.clip(made, 0, 1).ravel()) @ u.T, axis=1)
own, other = apart[people == labels[row]].min(), apart[people != labels[row]].min()
print(f"own person {{own:.3f}}, nearest other {{other:.3f}}")
"""

WORDS = """
title: What a face space cannot stand
line: Turn, shift, light and cover a face
group: Limits
see: Every second photo is known; one of the others is **turned**, shifted, lit or covered.
see: The name is that of the nearest known photo. Where the curves cross, it **changes**: now it is
    {named}.
see: To the eye it is still {person}: a face space compares pixels in their places, not faces.
formula: ‖*U*ᵀ(*x* − *Tx*)‖ against ‖*U*ᵀ(*x* − *y*)‖
why: Each pixel is compared with the one at the same place. A change *T* of place or light changes
    many at once, and moves a face *x* farther than another person *y* is away. So eyes are laid on
    each other first, and light is evened out.
try: Turn the face: after how many degrees has it another name?
try: Blur it, as a small photo is: why does that do so little?
try: Take light from one side, then cover the mouth: which harms more?
try: Try other faces: is it the same for all?
set turn: the angle by which the face is turned
set shift: how far it is moved aside, as a share of its width
set scale: how many times as large it is
set blur: the width of the blur in pixels
set light: how much light comes from one side: right above 0, left below
set cover: the share of its height, from below, that is covered
set face: which of the faces that are not known
set over: what the curves run over
"""

LESSON = Lesson(
    **told(WORDS),
    name="cannot-stand",
    subjects=("sample", "gallery"),
    fields=(
        *(slide(name, *each[:4], unit=each[4]) for name, each in _HARM.items()),
        slide("face", "Face", 1, 200, whole=True),
        choice("over", "Curves over", {name: each[0] for name, each in _HARM.items()}),
    ),
    prepare=prepare,
    picture=picture,
    listing=LISTING,
    fitted=lambda ready: {"face": len(ready.asked)},
)
