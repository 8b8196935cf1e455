"""Which of several faces on a photograph is meant: the one that recurs on the person's others.

Every face that may be meant is described by its texture, minus the mean of all people's. At first
the most prominent face of each photograph is chosen; then, again and again, the one that is most
like the mean of the person's other chosen faces, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from eigenfaces.faces.detect import FoundFace, main_face
from eigenfaces.faces.face_set import FaceSet, as_levels
from eigenfaces.faces.prepare import EYE_DISTANCE, EYE_ROW, crop_at
from eigenfaces.faces.texture import texture
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.arrays import Bytes, Doubles, Floats, Numbers
from eigenfaces.space.pca import as_grey

PEOPLE = 4
"""With fewer people, their mean is too near to each of them …"""

PHOTOS = 6
"""… and with fewer photographs of a person, it is not sure who recurs."""

MARGIN = 0.10
"""A choice is unsure where the next face is nearer than this, in cosine and prominence …"""

LEAST = -0.05
"""… or where it is less like the person's other faces than this, in cosine."""

WEIGHT = 0.1
"""Of prominence, beside a cosine."""

_ROUNDS = 30

Cause = Literal["alone", "recurs", "largest", "few", "close", "unlike"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The faces of one photograph that may be meant; one only, where that is settled.

    Parameters
    ----------
    person
        Who is on the photograph.
    textures
        (m, d) textures, of unit length.
    prominence
        (m,) what `prominence` returns.
    main
        The face that stands out by far, as `face_reading.main_face` says; or None.
    """

    person: str
    textures: NDArray[np.floating]
    prominence: NDArray[np.floating]
    main: int | None = None


@dataclass(frozen=True)
class FaceChoice:
    """Which face of a photograph is likely to be meant, and whether that is certain enough.

    Parameters
    ----------
    face
        The number of the face.
    kind
        ``sure``; ``guess``: taken, but marked as a guess; ``ask``: a person has to choose.
    cause
        ``alone``: it is the only face. It ``recurs`` on the person's other photographs, or is the
        ``largest`` by far. Unsure, since there are too ``few`` people or photographs to compare,
        another face is about as likely (``close``), or it is ``unlike`` the others.
    likeness
        The cosine of each face with the mean of the person's other faces.
    """

    face: int
    kind: Literal["sure", "guess", "ask"]
    cause: Cause
    likeness: tuple[float, ...] = (1.0,)

    @property
    def source(self) -> Literal["found", "guess"]:
        """The source of a placement with the face chosen."""
        return "found" if self.kind == "sure" else "guess"

    def reason(self, person: str) -> str:
        """Return why this face was chosen, or why a person has to choose, as a sentence."""
        return _REASONS[self.cause].format(len(self.likeness), person)


ALONE = FaceChoice(0, "sure", "alone")
"""The choice where there is one face."""

_REASONS: dict[Cause, str] = {
    "alone": "It is the only face.",
    "recurs": "There are {0} faces in it: the one taken is like the other photos of {1}.",
    "largest": "There are {0} faces in it: the one taken stands out by far.",
    "few": "There are {0} faces in it, and too few other photos to tell which one is {1}.",
    "close": "There are {0} faces in it, and two of them are about as much like {1}.",
    "unlike": "There are {0} faces in it, and none is like the other photos of {1}.",
}


def prominence(eyes: Sequence[Eyes], scores: Sequence[float], size: tuple[int, int]) -> Doubles:
    """Return how prominent each face is on a photograph of (h, w): 0 at most.

    Octaves smaller than the largest, distance from the centre in half diagonals, and the
    detector's rank: of its score only the order counts, since each detector has its own scale.
    """
    if not eyes:
        return np.zeros(0)
    distances = np.array([each.distance for each in eyes])
    centre = complex(size[1], size[0]) / 2
    away = np.array([abs(each.middle - centre) for each in eyes]) / abs(centre)
    ranks = np.argsort(np.argsort(-np.asarray(scores), kind="stable"))
    smaller = np.minimum(np.log2(distances.max() / distances), 2)
    return -(smaller + np.minimum(away, 1) + 0.5 * ranks / max(len(eyes) - 1, 1))


def choose(photos: Sequence[Candidates]) -> list[FaceChoice]:
    """Return the choice for each photograph; their order does not matter.

    Photographs of one face count in the mean of their person and of all people.
    """
    rows: dict[str, list[int]] = {}
    for row, photo in enumerate(photos):
        rows.setdefault(photo.person, []).append(row)
    mean = _mean(photos, rows.values())
    choices = [ALONE] * len(photos)
    for own in rows.values():
        if any(len(photos[row].textures) > 1 for row in own):
            made = _choose_for([photos[row] for row in own], mean, enough=len(rows) >= PEOPLE)
            for row, choice in zip(own, made, strict=True):
                choices[row] = choice
    return choices


def _mean(photos: Sequence[Candidates], people: Iterable[Sequence[int]]) -> Floats:
    """Return the mean texture of all people's faces, each person of equal weight."""
    means = []
    for rows in people:
        total = sum(photos[row].textures.sum(axis=0, dtype=np.float64) for row in rows)
        means.append(total / sum(len(photos[row].textures) for row in rows))
    return np.mean(means, axis=0).astype(np.float32)


def _choose_for(photos: Sequence[Candidates], mean: Floats, *, enough: bool) -> list[FaceChoice]:
    """Return the choices for one person, from the mean texture of all people."""
    faces = np.concatenate([photo.textures for photo in photos]).astype(np.float32) - mean
    faces /= np.maximum(np.linalg.norm(faces, axis=1, keepdims=True), 1e-9)
    prominent = WEIGHT * np.concatenate([photo.prominence for photo in photos])
    counts = [len(photo.textures) for photo in photos]
    starts = np.cumsum([0, *counts])
    spans = [slice(start, end) for start, end in pairwise(starts.tolist())]

    def best(score: Doubles) -> Numbers:
        return np.array([span.start + score[span].argmax() for span in spans])

    chosen = best(prominent)
    for _ in range(_ROUNDS):
        likeness = _likeness(faces, chosen, counts)
        score = likeness + prominent
        before, chosen = chosen, best(score)
        if (turning := chosen != before).sum() == 0:
            break
    enough = enough and len(photos) >= PHOTOS
    return [
        _choice(photo, likeness[span], score[span], enough=enough, settled=not turns)
        for photo, span, turns in zip(photos, spans, turning, strict=True)
    ]


def _likeness(faces: Floats, chosen: Numbers, counts: Sequence[int]) -> Doubles:
    """Return the cosine of every face with the mean of those chosen on the other photographs."""
    total = faces[chosen].sum(axis=0)
    with_total = (faces @ total).astype(np.float64)
    own = np.repeat(chosen, counts)  # the face chosen on the same photograph
    with_own = np.einsum("nd,nd->n", faces, faces[own])
    rest = float(total @ total) - 2 * with_total[own] + 1
    alone = len(chosen) == 1
    return np.zeros(len(faces)) if alone else (with_total - with_own) / np.sqrt(rest.clip(1e-9))


def _choice(
    photo: Candidates, likeness: Doubles, score: Doubles, *, enough: bool, settled: bool
) -> FaceChoice:
    if len(score) == 1:
        return ALONE
    face = int(score.argmax())
    largest = photo.main == face
    cosines = tuple(likeness.tolist())
    if not enough:
        return FaceChoice(
            face, "guess" if largest else "ask", "largest" if largest else "few", cosines
        )
    if likeness[face] < LEAST:
        return FaceChoice(face, "ask", "unlike", cosines)
    if not settled or score[face] - np.delete(score, face).max() < MARGIN:
        return FaceChoice(face, "ask", "close", cosines)
    return FaceChoice(face, "sure" if largest else "guess", "recurs", cosines)


DESCRIBED = (112, 92)
"""(h, w) of the crop whose texture is taken, whatever the size of the gallery's faces."""

OF_EACH = 20
"""Enrolled faces of a person that new ones are compared with, at most …"""

OTHERS = 60
"""… and other enrolled people, one face each, that show what all faces have in common."""

T = TypeVar("T")
Textures = NDArray[np.float16]


def described(crops: Bytes) -> Textures:
    """Return the textures of crops (m, h, w) of any size, in half precision: (m, `LENGTH`)."""
    height, width = crops.shape[1:]
    if (height, width) != DESCRIBED:
        eyes = Eyes.at(complex(width / 2, EYE_ROW * height), complex(EYE_DISTANCE * width))
        crops = np.stack([as_levels(_at_size(as_grey(crop), eyes)) for crop in crops])
    return texture(crops).astype(np.float16)


def _at_size(crop: NDArray[np.float32], eyes: Eyes) -> NDArray[np.float32]:
    return crop_at(crop, eyes, DESCRIBED).clip(0, 1)


def candidates(
    person: str, faces: Sequence[FoundFace], textures: Textures, size: tuple[int, int]
) -> Candidates:
    """Return the faces found on a photograph of (h, w) as candidates, in this order."""
    scores = [face.score for face in faces]
    main = main_face(sorted(faces, key=lambda face: -face.score))
    return Candidates(
        person,
        textures,
        prominence([face.eyes for face in faces], scores, size),
        None if main is None else faces.index(main),
    )


def choose_faces(photos: Sequence[Candidates], held: Sequence[FaceSet]) -> list[FaceChoice]:
    """Return the choice for each photograph with several faces.

    ``held``: faces that are settled, of the same import and of the gallery. Those of the same
    people are chosen faces, too; those of others show what all faces have in common.
    """
    if not photos:
        return []
    people = {photo.person for photo in photos}
    settled = [
        Candidates(person, texture[None], np.zeros(1))
        for faces in held
        for person, rows in _compared(faces, people)
        for texture in described(_crops(faces, rows))
    ]
    return choose([*photos, *settled])[: len(photos)]


def _compared(faces: FaceSet, people: Collection[str]) -> Iterator[tuple[str, list[int]]]:
    """Yield rows to compare with: faces of these people, and one of each other person."""
    for person in sorted(people):
        if rows := faces.index.rows_of(person):
            yield person, _spread(rows, OF_EACH)
    for person in _spread([each for each in faces.index.people if each not in people], OTHERS):
        yield person, faces.index.rows_of(person)[:1]


def _spread(items: Sequence[T], most: int) -> list[T]:
    """Return all items, or so many of them, from the first to the last."""
    n = min(most, len(items))
    return [items[at * len(items) // n] for at in range(n)]


def _crops(faces: FaceSet, rows: Sequence[int]) -> Bytes:
    return as_levels(faces.pixels[rows]).reshape(len(rows), *faces.shape)
