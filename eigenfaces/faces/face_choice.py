"""Choose the right face in a photograph: the one that recurs in the person's other photographs.

Faces are compared with those in the person's other photographs by their descriptors (`network`).
The right face is close to a face in most of them. A face that is close to none is taken to be
somebody else's, even if it is the only one. Two faces that are close to each other show one person
twice, as in a collage, and the larger is used. Without the model files of the network, the most
salient face is proposed to the user, and is used as a guess if it is by far the largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from eigenfaces.faces import network
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Doubles, Floats

WEIGHT = 0.1  # the weight of saliency relative to a share of photographs
OF_EACH = 20  # new faces are compared with at most this many enrolled faces per person

SEEN_AGAIN = (0.5, 0.7)
"""Distances below which two faces are surely the same person, and above which they are not.

In between, a match counts partially. Two photographs of one person are rarely more than 0.7 apart,
and photographs of two people are rarely less than 0.62 apart.
"""

UNSEEN = 0.1  # a face that recurs in a smaller share of the other photographs is somebody else's …
RIVAL_SEEN = 0.25  # … a choice is uncertain if another face's share is smaller by less than this …
MIXED_UP = 0.25  # … photographs with a lower median share seem to show several people …
SEEN_ON = 3  # … and with fewer other photographs than this, nothing is certain

TINY = 4  # a face this many times smaller than another is no rival to it

Cause = Literal[
    "alone", "every", "known", "mixed", "recurs", "largest", "twice", "few", "close", "unlike"
]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Faces in a photograph that may be the person's; only one if the choice is already settled."""

    person: str  # the person in the photograph
    faces: Floats  # (m, d) their descriptors; d = 0 without the model files
    saliency: Doubles  # (m,) from `saliency`
    sizes: Doubles  # (m,) their eye distances, in any unit
    main: int | None = None  # the face that clearly stands out, from `main_face`, or None


@dataclass(frozen=True)
class FaceChoice:
    """Choice of the face in a photograph that is probably the person's, and how certain it is."""

    face: int  # the index of the face
    # ``sure``; ``guess``: used, but marked as a guess; ``ask``: the user has to choose
    kind: Literal["sure", "guess", "ask"]
    # The face is ``alone``, or ``every`` face is used because nobody is named, or the face is
    # ``known`` from an earlier version of the file. The face ``recurs`` in the person's other
    # photographs, is by far the ``largest``, or is the larger face of a person shown ``twice``.
    # The choice is uncertain if too ``few`` photographs can be compared, if another face is about
    # as likely (``close``), if it is ``unlike`` the others, or if the photographs seem ``mixed``.
    cause: Cause
    # the share of the person's other photographs in which each face recurs
    likeness: tuple[float, ...] = (1.0,)

    @property
    def recurrence(self) -> float | None:
        """The share of the other photographs in which the face recurs, or None if unmeasured."""
        if self.cause in ("alone", "every", "known"):
            return None
        return 0.0 if self.cause == "mixed" else self.likeness[self.face]

    @property
    def source(self) -> Literal["found", "guess"]:
        """The source to record in the placement of the chosen face."""
        return "found" if self.kind == "sure" else "guess"

    def reason(self, person: str) -> str:
        """Return a sentence that says why this face was chosen, or why the user has to choose."""
        if self.cause == "unlike" and len(self.likeness) == 1:
            return f"The face does not look like those in the other photos of {person}."
        return _REASONS[self.cause].format(len(self.likeness), person)


ALONE = FaceChoice(0, "sure", "alone")  # there is only one face
EVERY_FACE = FaceChoice(0, "sure", "every")  # nobody is named, so every face is used
KNOWN = FaceChoice(0, "sure", "known")  # known from an earlier version of the file
MIXED = FaceChoice(0, "sure", "mixed")  # the photographs seem to show several people


def mixed_words(person: str) -> str:
    """Return a sentence saying that a person's photographs seem to show several people."""
    return f"“{person}” looks like several people."


_REASONS: dict[Cause, str] = {
    "alone": "It is the only face.",
    "every": "Nobody is named, so all faces are used.",
    "known": "It shows {0} faces. The chosen one is {1} in the gallery.",
    "mixed": "The photos of {1} seem to show several people.",
    "recurs": "It shows {0} faces. The chosen one looks like {1} in other photos.",
    "largest": "It shows {0} faces. The chosen one is by far the largest.",
    "twice": "It shows {0} faces of one person. The largest one was chosen.",
    "few": "It shows {0} faces, and the other photos do not show which one is {1}.",
    "close": "It shows {0} faces, and two of them look equally like {1}.",
    "unlike": "It shows {0} faces, and none looks like {1} in the other photos.",
}


def saliency(eyes: Sequence[Eyes], scores: Sequence[float], size: tuple[int, int]) -> Doubles:
    """Return how much each face stands out in a photograph of size (h, w); 0 is the maximum.

    The value is the negative sum of three terms: how many octaves smaller the face is than the
    largest, its distance from the centre in half diagonals, and half its rank by detector score.
    The rank is used because the scores have no common scale.
    """
    distances = np.array([pair.distance for pair in eyes])
    centre = complex(size[1], size[0]) / 2
    away = np.array([abs(pair.middle - centre) for pair in eyes]) / abs(centre)
    ranks = np.argsort(np.argsort(-np.asarray(scores), kind="stable"))
    smaller = np.minimum(np.log2(distances.max() / distances), 2)
    return -(smaller + np.minimum(away, 1) + 0.5 * ranks / max(len(eyes) - 1, 1))


def choose_faces(photos: Sequence[Candidates], settled: Sequence[FaceSet]) -> list[FaceChoice]:
    """Choose a face in each photograph, and return the choices.

    ``settled`` contains faces that are certain, from the same import and from the gallery.
    """
    if not network.is_installed():
        return [_choice_by(photo, np.zeros(len(photo.saliency)), 0) for photo in photos]
    certain = []
    for faces, person in product(settled, sorted({photo.person for photo in photos})):
        rows = faces.index.rows_of(person)
        n = min(len(rows), OF_EACH)  # spread evenly from the first to the last
        crops = [faces.index.photos[rows[at * len(rows) // n]].crop for at in range(n)]
        known = DESCRIPTORS.known(crops).values()
        certain += [Candidates(person, numbers[None], np.zeros(1), np.ones(1)) for numbers in known]
    return choose([*photos, *certain])[: len(photos)]


def choose(photos: Sequence[Candidates]) -> list[FaceChoice]:
    """Choose a face in each photograph by comparing descriptors, and return the choices.

    The order of photographs does not matter. The first pass uses every face in the person's other
    photographs, and the second only the chosen faces, so that somebody who often stands next to a
    person is not mistaken for them.
    """
    from scipy.spatial.distance import cdist

    choices = [ALONE] * len(photos)
    near, far = SEEN_AGAIN
    by_person: dict[str, list[int]] = {}
    for row, photo in enumerate(photos):
        by_person.setdefault(photo.person, []).append(row)
    for rows in by_person.values():
        counts = [len(photos[row].faces) for row in rows]
        starts = np.cumsum([0, *counts[:-1]])
        numbers = np.concatenate([photos[row].faces for row in rows]).astype(np.float64)
        weights = np.ones(len(numbers))
        for _ in range(2):
            best = np.zeros(len(numbers))
            for row, start, count in zip(rows, starts, counts, strict=True):
                # The best match of each face in each other photograph; their mean is the share.
                apart = cdist(numbers[start : start + count], numbers)
                match = ((far - apart) / (far - near)).clip(0, 1) * weights
                others = np.maximum.reduceat(match, starts, axis=1)[:, starts != start]
                likeness = others.sum(axis=1) / max(len(rows) - 1, 1)
                choices[row] = _choice_by(photos[row], likeness, len(rows) - 1)
                if choices[row].cause == "close":  # any of them may be the one seen elsewhere
                    best[start : start + count] = 1
                best[start + choices[row].face] = 1
            weights = best
        median = np.median([choices[row].likeness[choices[row].face] for row in rows])
        if len(rows) > SEEN_ON and median < MIXED_UP:
            for row, count in zip(rows, counts, strict=True):
                none = _choice_by(photos[row], np.zeros(count), 0)
                choices[row] = MIXED if count == 1 else none
    return choices


def _choice_by(photo: Candidates, likeness: Doubles, others: int) -> FaceChoice:
    """Return the choice of face, given the share of other photographs in which each one recurs."""
    score = likeness + WEIGHT * photo.saliency
    best = int(score.argmax())
    as_likely = likeness[best] - likeness < RIVAL_SEEN
    rivals = np.flatnonzero(as_likely & (photo.sizes * TINY > photo.sizes[best]))
    one_person = _are_one_person(photo.faces[rivals])
    face = int(rivals[photo.sizes[rivals].argmax()]) if one_person else best
    alone = len(score) == 1
    kind: Literal["sure", "guess", "ask"] = "ask"
    cause: Cause
    if likeness[face] < UNSEEN and others < SEEN_ON:
        if alone:
            return ALONE
        if photo.main == face:
            kind, cause = "guess", "largest"
        elif one_person and len(rivals) > 1:
            kind, cause = "guess", "twice"
        else:
            cause = "few"
    elif likeness[face] < UNSEEN:
        cause = "unlike"
    elif not one_person:
        cause = "close" if likeness[face] > RIVAL_SEEN else "unlike"
    else:
        kind = "sure" if alone or others >= SEEN_ON else "guess"
        cause = "recurs"
    return FaceChoice(face, kind, cause, tuple(likeness.tolist()))


def _are_one_person(numbers: Floats) -> bool:
    """Return whether all descriptors (m, d) are of the same person; if d is 0, only if m is 1."""
    from scipy.spatial.distance import pdist

    if len(numbers) == 1:
        return True
    return numbers.shape[1] > 0 and bool((pdist(numbers) <= SEEN_AGAIN[0]).all())
