"""All protocols by name: random ones, those read from files, and that of Idiap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import FirstPhotos, Fold, KFold, LeaveOneOut, NShot, OpenSet
from eigenfaces.evaluation.split_files import Lists, Pairs
from eigenfaces.faces.face_set import FaceSet

_IDIAP_TRAIN = (1, 2, 5, 6, 10, 11, 12, 14, 16, 17, 20, 21, 24, 26, 27, 29, 33, 34, 36, 39)
_IDIAP_ENROLLED, _IDIAP_PROBES = (2, 4, 5, 7, 9), (1, 3, 6, 8, 10)


@dataclass(frozen=True)
class Idiap:
    """The AT&T protocol of Idiap's Bob: 20 people for training, the other 20 for the test.

    For each of the others, photos 2, 4, 5, 7 and 9 are enrolled, 1, 3, 6, 8 and 10 searched for.
    """

    kind: ClassVar[str] = "idiap"

    def words(self) -> str:
        """Return what is done, for a heading."""
        return "AT&T protocol of Idiap: 20 people to fit to, 20 others enrolled and searched for"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return the only fold; raise `EigenfacesError` if these are not the 40 × 10 faces."""
        people = [np.array(faces.index.rows_of(name)) for name in faces.index.people]
        if [len(rows) for rows in people] != [10] * 40:
            raise EigenfacesError("This protocol is for the AT&T faces: 40 people, 10 photos each.")
        train = np.concatenate([people[number - 1] for number in _IDIAP_TRAIN])
        others = [rows for i, rows in enumerate(people, start=1) if i not in _IDIAP_TRAIN]
        gallery = np.concatenate([rows[np.array(_IDIAP_ENROLLED) - 1] for rows in others])
        probes = np.concatenate([rows[np.array(_IDIAP_PROBES) - 1] for rows in others])
        return [Fold(train, gallery, probes)]


Protocol = LeaveOneOut | KFold | NShot | FirstPhotos | OpenSet | Idiap | Lists | Pairs

PROTOCOLS: dict[str, type[Protocol]] = {
    each.kind: each
    for each in (LeaveOneOut, KFold, NShot, FirstPhotos, OpenSet, Idiap, Lists, Pairs)
}
"""Every kind of protocol by its name."""
