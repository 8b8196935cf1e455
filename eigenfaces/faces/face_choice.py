"""Choose which of several faces on a photograph is meant: the one that recurs on the others.

The faces are compared with those on the person's other photographs by their descriptors
(`network`). The face that is close to one on most of them is meant. A face close to none of them is
somebody else, even if it is the only one. Two faces that are close to each other are the same
person twice, as in a collage: the larger one is taken. Without the model files of the network, a
person chooses: the most salient face is proposed, and taken as a guess if it is by far the largest.
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

WEIGHT = 0.1  # the weight of saliency against a share of photographs
OF_EACH = 20  # new faces are compared with at most this many enrolled faces of a person

SEEN_AGAIN = (0.5, 0.7)
"""Distances up to which two faces are certainly one person, and from which they certainly are not.

In between, a face counts in part. Two photographs of one person are rarely more than 0.7 apart, and
photographs of two people rarely less than 0.62.
"""

UNSEEN = 0.1  # a face that recurs on a smaller share of the other photographs is somebody else's …
RIVAL_SEEN = 0.25  # … a choice is unsure if another face's share is less than this much smaller …
MIXED_UP = 0.25  # … photographs with a lower median share seem to show several people …
SEEN_ON = 3  # … and with fewer other photographs than this, nothing is sure

TINY = 4  # a face this many times smaller than another is no rival to it

Cause = Literal[
    "alone", "every", "known", "mixed", "recurs", "largest", "twice", "few", "close", "unlike"
]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The faces of one photograph that may be meant; just one if the choice is settled."""

    person: str  # who is on the photograph
    faces: Floats  # (m, d) their descriptors; d = 0 without the model files
    saliency: Doubles  # (m,) from `saliency`
    sizes: Doubles  # (m,) their eye distances, in any unit
    main: int | None = None  # the face that clearly stands out by `main_face`, or None


@dataclass(frozen=True)
class FaceChoice:
    """The face of a photograph that is probably meant, and how certain that is."""

    face: int  # the index of the face
    # ``sure``; ``guess``: taken, but marked as a guess; ``ask``: a person has to choose
    kind: Literal["sure", "guess", "ask"]
    # The face is ``alone``; or nobody is named, so ``every`` face is meant; or it is ``known`` from
    # the photograph before it was saved again. It ``recurs`` on the person's other photographs, is
    # by far the ``largest``, or is the larger one of a person who is on it ``twice``. The choice
    # is unsure if too ``few`` photographs can be compared, if another face is about as likely
    # (``close``), if it is ``unlike`` the others, or if the others seem ``mixed``.
    cause: Cause
    # the share of the person's other photographs on which each face recurs
    likeness: tuple[float, ...] = (1.0,)

    @property
    def recurrence(self) -> float | None:
        """The share of the other photographs on which the face recurs; None: not measured."""
        if self.cause in ("alone", "every", "known"):
            return None
        return 0.0 if self.cause == "mixed" else self.likeness[self.face]

    @property
    def source(self) -> Literal["found", "guess"]:
        """The source to record in the placement of the chosen face."""
        return "found" if self.kind == "sure" else "guess"

    def reason(self, person: str) -> str:
        """Return a sentence: why this face was chosen, or why a person has to choose."""
        if self.cause == "unlike" and len(self.likeness) == 1:
            return f"Its face is not like those in the other photos of {person}."
        return _REASONS[self.cause].format(len(self.likeness), person)


ALONE = FaceChoice(0, "sure", "alone")  # there is one face
EVERY_FACE = FaceChoice(0, "sure", "every")  # nobody is named, so every face is taken
KNOWN = FaceChoice(0, "sure", "known")  # the gallery knows it from an earlier version of the file
MIXED = FaceChoice(0, "sure", "mixed")  # the photographs seem to show several people


def mixed_words(person: str) -> str:
    """Return a sentence that says that the photographs of a person seem to show several people."""
    return f"“{person}” looks like several people."


_REASONS: dict[Cause, str] = {
    "alone": "It is the only face.",
    "every": "Nobody is named, so all faces are taken.",
    "known": "It shows {0} faces: the one taken is {1} in the gallery.",
    "mixed": "The photos of {1} seem to show several people.",
    "recurs": "It shows {0} faces: the one taken is like the other photos of {1}.",
    "largest": "It shows {0} faces: the one taken is by far the largest.",
    "twice": "It shows {0} faces of one person: the largest is taken.",
    "few": "It shows {0} faces, and the other photos do not show which one is {1}.",
    "close": "It shows {0} faces, and two of them look equally like {1}.",
    "unlike": "It shows {0} faces, and none is like the other photos of {1}.",
}


def saliency(eyes: Sequence[Eyes], scores: Sequence[float], size: tuple[int, int]) -> Doubles:
    """Return how much each face stands out on a photograph of (h, w); 0 is the most.

    The value is minus a sum: how many octaves smaller the face is than the largest, its distance
    from the centre in half diagonals, and half its rank by the detector's score. The rank is used
    because the scores have no common scale.
    """
    distances = np.array([pair.distance for pair in eyes])
    centre = complex(size[1], size[0]) / 2
    away = np.array([abs(pair.middle - centre) for pair in eyes]) / abs(centre)
    ranks = np.argsort(np.argsort(-np.asarray(scores), kind="stable"))
    smaller = np.minimum(np.log2(distances.max() / distances), 2)
    return -(smaller + np.minimum(away, 1) + 0.5 * ranks / max(len(eyes) - 1, 1))


def choose_faces(photos: Sequence[Candidates], settled: Sequence[FaceSet]) -> list[FaceChoice]:
    """Return the choice for each photograph.

    ``settled`` holds faces that are certain, from the same import and from the gallery.
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
    """Return the choice for each photograph by its descriptors; the order does not matter.

    In the first pass any face on the person's other photographs counts, in the second only the
    chosen one. So somebody who often stands beside a person is not taken for that person.
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
                # The best match of each face on each other photograph; their mean is the share.
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
    """Return the choice, given the share of other photographs on which each face recurs."""
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
    """Return whether descriptors (m, d) are all of one person; False for several if d is 0."""
    from scipy.spatial.distance import pdist

    if len(numbers) == 1:
        return True
    return numbers.shape[1] > 0 and bool((pdist(numbers) <= SEEN_AGAIN[0]).all())
