"""Which of several faces on a photograph is meant: the one that recurs on the person's others.

Where the model files of the network are there, it is the face that is near to one on most of the
person's other photographs, by the numbers that describe it (`network`). One that is near to none
of them is somebody else, even where it is alone.

Else every face that may be meant is described by its texture, minus the mean of all people's. At
first the most prominent face of each photograph is chosen; then, again and again, the one that is
most like the mean of the person's other chosen faces, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from eigenfaces.faces import network
from eigenfaces.faces.detect import FoundFace, main_face
from eigenfaces.faces.face_set import FaceSet, as_levels
from eigenfaces.faces.network import DESCRIPTIONS
from eigenfaces.faces.prepare import crop_at, standard_eyes
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

DESCRIBED = (112, 92)
"""(h, w) of the crop whose texture is taken, whatever the size of the gallery's faces."""

OF_EACH = 20
"""Enrolled faces of a person that new ones are compared with, at most …"""

OTHERS = 60
"""… and other enrolled people, one face each, that show what all faces have in common."""

SEEN_AGAIN = (0.5, 0.7)
"""By its numbers a face is certainly seen again at the first distance, and not at the second.

In between there is a share. Of one person, the median distance is 0.45, and one in a hundred is
farther than 0.7; of two people, one in a hundred is nearer than 0.62."""

UNSEEN = 0.1
"""A face that is seen again on a smaller share of the person's other photographs is another's …"""

RIVAL_SEEN = 0.25
"""… and a choice is unsure where the next face is seen again on nearly as large a share …"""

MIXED_UP = 0.25
"""Where half of a person's faces are seen again on fewer others, they are of several people …"""

SEEN_ON = 3
"""… or where there are fewer other photographs."""

_ROUNDS = 30

Cause = Literal["alone", "every", "mixed", "recurs", "largest", "few", "close", "unlike"]
Textures = NDArray[np.float16]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Candidates:
    """The faces of one photograph that may be meant; one only, where that is settled.

    Parameters
    ----------
    person
        Who is on the photograph.
    faces
        (m, d) what describes them: the network's numbers, or textures of unit length.
    prominence
        (m,) what `prominence` returns.
    main
        The face that stands out by far, as `main_face` says; or None.
    """

    person: str
    faces: NDArray[np.floating]
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
        ``alone``: it is the only face. ``every`` face is meant, since nobody is named. It
        ``recurs`` on the person's other photographs, or is the ``largest`` by far. Unsure, since
        there are too ``few`` people or photographs to compare, another face is about as likely
        (``close``), or it is ``unlike`` the others; no face is where the others are ``mixed``.
    likeness
        The cosine of each face with the mean of the person's other faces; by the network, the
        share of the person's other photographs on which it is seen again.
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
        if self.cause == "unlike" and len(self.likeness) == 1:
            return f"The face in it is not like the other photos of {person}."
        return _REASONS[self.cause].format(len(self.likeness), person)


ALONE = FaceChoice(0, "sure", "alone")
"""The choice where there is one face."""

EVERY = FaceChoice(0, "sure", "every")
"""The choice where nobody is named: every face is taken."""

MIXED = FaceChoice(0, "sure", "mixed")
"""The choice where the person's photographs seem to be of several people: none stands out."""


def mixed_words(person: str) -> str:
    """Return that the photographs of a person seem to be of several."""
    return f"“{person}” looks like several people."


_REASONS: dict[Cause, str] = {
    "alone": "It is the only face.",
    "every": "Nobody is named: all faces are taken.",
    "mixed": "The photos of {1} seem to be of several people.",
    "recurs": "There are {0} faces in it: the one taken is like the other photos of {1}.",
    "largest": "There are {0} faces in it: the one taken stands out by far.",
    "few": "There are {0} faces in it, and too few other photos to tell which one is {1}.",
    "close": "There are {0} faces in it, and two of them are about as much like {1}.",
    "unlike": "There are {0} faces in it, and none is like the other photos of {1}.",
}


def textures_of(crops: Bytes) -> Textures:
    """Return the textures of crops (m, h, w) of any size, in half precision."""
    if crops.shape[1:] != DESCRIBED:
        eyes = standard_eyes(crops.shape[1:])
        sized = [crop_at(as_grey(crop), eyes, DESCRIBED).clip(0, 1) for crop in crops]
        crops = as_levels(np.stack(sized))
    return texture(crops).astype(np.float16)


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


def candidates(
    person: str,
    faces: Sequence[FoundFace],
    described: NDArray[np.floating],
    size: tuple[int, int],
) -> Candidates:
    """Return the faces found on a photograph of (h, w) as candidates, in this order."""
    eyes, scores = [face.eyes for face in faces], [face.score for face in faces]
    main = main_face(faces)
    number = None if main is None else faces.index(main)
    return Candidates(person, described, prominence(eyes, scores, size), number)


def choose_faces(photos: Sequence[Candidates], held: Sequence[FaceSet]) -> list[FaceChoice]:
    """Return the choice for each photograph.

    ``held``: faces that are settled, of the same import and of the gallery. Those of the same
    people are chosen faces, too; those of others show what all faces have in common.
    """
    if not photos:
        return []
    people = sorted({photo.person for photo in photos})
    settled = []
    if network.is_there():
        for faces, person in product(held, people):
            crops = (faces.index.photos[row].crop for row in faces.index.rows_of(person))
            known = DESCRIPTIONS.known(_spread([*crops], OF_EACH)).values()
            settled += [Candidates(person, numbers[None], np.zeros(1)) for numbers in known]
        return choose_by_network([*photos, *settled])[: len(photos)]
    for faces in held:
        rows_of = faces.index.rows_of
        others = _spread([each for each in faces.index.people if each not in people], OTHERS)
        compared = {person: _spread(rows_of(person), OF_EACH) for person in people}
        compared |= {person: rows_of(person)[:1] for person in others}
        for person, rows in compared.items():
            if rows:
                levels = as_levels(faces.pixels[rows]).reshape(len(rows), *faces.shape)
                settled += [Candidates(person, t[None], np.zeros(1)) for t in textures_of(levels)]
    return choose([*photos, *settled])[: len(photos)]


def _spread(items: Sequence[T], most: int) -> list[T]:
    """Return all items, or so many of them, from the first to the last."""
    n = min(most, len(items))
    return [items[at * len(items) // n] for at in range(n)]


def choose(photos: Sequence[Candidates]) -> list[FaceChoice]:
    """Return the choice for each photograph; their order does not matter.

    Photographs of one face count in the mean of their person and of all people.
    """
    by_person = _by_person(photos)
    means = []  # each person is of equal weight
    for rows in by_person.values():
        total = sum(photos[row].faces.sum(axis=0, dtype=np.float64) for row in rows)
        means.append(total / sum(len(photos[row].faces) for row in rows))
    choices = [ALONE] * len(photos)
    for rows in by_person.values():
        if any(len(photos[row].faces) > 1 for row in rows):
            mean, enough = np.mean(means, axis=0), len(by_person) >= PEOPLE
            made = _choose_for([photos[row] for row in rows], mean.astype(np.float32), enough)
            for row, choice in zip(rows, made, strict=True):
                choices[row] = choice
    return choices


def _by_person(photos: Sequence[Candidates]) -> dict[str, list[int]]:
    """Return the rows of each person's photographs."""
    rows: dict[str, list[int]] = {}
    for row, photo in enumerate(photos):
        rows.setdefault(photo.person, []).append(row)
    return rows


def choose_by_network(photos: Sequence[Candidates]) -> list[FaceChoice]:
    """Return the choice for each photograph by the network's numbers; their order does not matter.

    At first any face on the person's others may be seen again, then only the one chosen there: who
    often stands beside somebody is not taken for that person.
    """
    from scipy.spatial.distance import cdist

    choices = [ALONE] * len(photos)
    near, far = SEEN_AGAIN
    for rows in _by_person(photos).values():
        counts = [len(photos[row].faces) for row in rows]
        starts = np.cumsum([0, *counts[:-1]])
        numbers = np.concatenate([photos[row].faces for row in rows]).astype(np.float64)
        chosen = np.ones(len(numbers))
        for _ in range(2):
            best = np.zeros(len(numbers))
            for row, start, count in zip(rows, starts, counts, strict=True):
                apart = cdist(numbers[start : start + count], numbers)
                seen = ((far - apart) / (far - near)).clip(0, 1) * chosen
                others = np.maximum.reduceat(seen, starts, axis=1)[:, starts != start]
                likeness = others.sum(axis=1) / max(len(rows) - 1, 1)
                choices[row] = _seen_again(photos[row], likeness, len(rows) - 1)
                if choices[row].cause == "close":  # whoever it is may be seen again elsewhere
                    best[start : start + count] = 1
                best[start + choices[row].face] = 1
            chosen = best
        made = [choices[row] for row in rows]
        again = np.median([each.likeness[each.face] for each in made])
        if len(rows) > SEEN_ON and again < MIXED_UP:
            for row, count in zip(rows, counts, strict=True):
                none = _seen_again(photos[row], np.zeros(count), 0)
                choices[row] = MIXED if count == 1 else none
    return choices


def _seen_again(photo: Candidates, likeness: Doubles, others: int) -> FaceChoice:
    """Return the choice from the share of other photographs on which each face is seen again."""
    score = likeness + WEIGHT * photo.prominence
    face = int(score.argmax())
    alone, largest = len(score) == 1, photo.main == face
    kind: Literal["sure", "guess", "ask"] = "ask"
    cause: Cause
    if likeness[face] < UNSEEN and others < SEEN_ON:
        if alone:
            return ALONE
        kind, cause = ("guess", "largest") if largest else ("ask", "few")
    elif likeness[face] < UNSEEN:
        cause = "unlike"
    elif not alone and likeness[face] - np.delete(likeness, face).max() < RIVAL_SEEN:
        cause = "close" if likeness[face] > RIVAL_SEEN else "unlike"
    else:
        kind, cause = "sure" if alone or others >= SEEN_ON else "guess", "recurs"
    return FaceChoice(face, kind, cause, tuple(likeness.tolist()))


def _choose_for(photos: Sequence[Candidates], mean: Floats, enough: bool) -> list[FaceChoice]:
    """Return the choices for one person, from the mean texture of all people."""
    faces = np.concatenate([photo.faces for photo in photos]).astype(np.float32) - mean
    faces /= np.maximum(np.linalg.norm(faces, axis=1, keepdims=True), 1e-9)
    prominent = WEIGHT * np.concatenate([photo.prominence for photo in photos])
    counts = [len(photo.faces) for photo in photos]
    spans = [slice(start, end) for start, end in pairwise(np.cumsum([0, *counts]).tolist())]

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
    """Return the cosine of every face with the mean of those chosen on the other photographs.

    With the sum s of all chosen ones, of unit length, and the one c of the same photograph, it is
    f·(s − c) / |s − c|, and |s − c|² = s·s − 2 c·s + 1.
    """
    if len(chosen) == 1:
        return np.zeros(len(faces))
    total = faces[chosen].sum(axis=0)
    with_total = (faces @ total).astype(np.float64)
    own = np.repeat(chosen, counts)  # the face chosen on the same photograph
    with_own = np.einsum("nd,nd->n", faces, faces[own])
    rest = float(total @ total) - 2 * with_total[own] + 1
    return (with_total - with_own) / np.sqrt(rest.clip(1e-9))


def _choice(
    photo: Candidates, likeness: Doubles, score: Doubles, *, enough: bool, settled: bool
) -> FaceChoice:
    if len(score) == 1:
        return ALONE
    face = int(score.argmax())
    largest = photo.main == face
    kind: Literal["sure", "guess", "ask"] = "ask"
    cause: Cause
    if not enough:
        kind, cause = ("guess", "largest") if largest else ("ask", "few")
    elif likeness[face] < LEAST:
        cause = "unlike"
    elif not settled or score[face] - np.delete(score, face).max() < MARGIN:
        cause = "close"
    else:
        kind, cause = "sure" if largest else "guess", "recurs"
    return FaceChoice(face, kind, cause, tuple(likeness.tolist()))
