"""All protocols by name: random ones, those read from files, and published ones.

The published ones are those of Idiap for the AT&T faces, the subsets of Extended Yale B, and the
two views of LFW. The program has no faces of the last two: a person who has them names the folder.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import ClassVar, Literal

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    Fold,
    KFold,
    LeaveOneOut,
    LeaveOnePersonOut,
    NShot,
    OpenSet,
)
from eigenfaces.evaluation.split_files import Lists, Pairs, read_pairs
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.photographs.photos import FoundPhotos, Photo

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


SUBSET_LIMITS = (12.0, 25.0, 52.0, 77.0)
"""Degrees up to which the light belongs to subset 1 … 4 of Extended Yale B; beyond is subset 5.

Georghiades, Belhumeur and Kriegman (*From few to many*, 2001) state 12, 25, 50 and 77; subset 5
came with the extended set (Lee, Ho and Kriegman, *Acquiring linear subspaces for face recognition
under variable lighting*, 2005). By their file names, two lights that are usually counted in
subset 3 (azimuth ±35, elevation 40) stand at 51.1 degrees; with the limit at 52 the subsets have
the sizes known for them, 7, 12, 12, 14 and 19 photographs a person. No light stands between 51.2
and 60 degrees.
"""

_YALE_B = re.compile(
    r"(?P<person>yaleB\d+)_P(?P<pose>\d\d)"
    r"(?:A(?P<azimuth>[+-]\d{3})E(?P<elevation>[+-]\d{2})|_Ambient)\.\w+(?P<bad>\.bad)?"
)
_ROUNDING = 1e-6  # degrees: arccos(cos 25°) is a little more than 25°


def subset_of(name: str) -> int | None:
    """Return the subset (1 … 5) of a photograph of Extended Yale B, by its file name.

    The light stands at an angle θ from the camera's axis, cos θ = cos(azimuth) cos(elevation).
    None if it belongs to no subset: with ambient light, marked as bad, or in another pose.
    Raise `EigenfacesError` for any other name.

    >>> subset_of("yaleB01_P00A+005E+10.pgm"), subset_of("yaleB01_P00A+085E-20.pgm")
    (1, 5)
    """
    said = _YALE_B.fullmatch(name)
    if said is None:
        raise EigenfacesError(
            f"“{name}” does not say where its light comes from. This protocol is for Extended Yale "
            "B, whose photos have names like “yaleB01_P00A+005E+10.pgm”."
        )
    if said["azimuth"] is None or said["bad"] or said["pose"] != "00":
        return None
    azimuth, elevation = math.radians(int(said["azimuth"])), math.radians(int(said["elevation"]))
    angle = math.degrees(math.acos(math.cos(azimuth) * math.cos(elevation)))
    return 1 + sum(angle > limit + _ROUNDING for limit in SUBSET_LIMITS)


@dataclass(frozen=True)
class YaleB:
    """Extended Yale B by subset: training and gallery are subset 1, each other one is a fold.

    The folds are not equally difficult: look at each of them, not only at the mean.
    """

    kind: ClassVar[str] = "yale-b"

    def words(self) -> str:
        """Return what is done, for a heading."""
        return "Extended Yale B: subset 1 enrolled (light up to 12°), subsets 2 to 5 searched for"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each of the subsets 2 to 5 that has photographs."""
        subsets = np.array([subset_of(photo.path.name) or 0 for photo in faces.index.photos])
        enrolled = np.flatnonzero(subsets == 1)
        if not len(enrolled):
            raise EigenfacesError(
                "None of the photos belongs to subset 1 of Extended Yale B, which is enrolled: "
                "light up to 12 degrees from the camera's axis, as in “yaleB01_P00A+005E+10.pgm”."
            )
        return [
            Fold(enrolled, enrolled, probes, name=f"subset {subset}")
            for subset in (2, 3, 4, 5)
            if len(probes := np.flatnonzero(subsets == subset))
        ]


def yale_b_photos(folder: Path) -> FoundPhotos:
    """Return the photographs of Extended Yale B that belong to a subset, in all sub-folders."""
    photos = [
        Photo(path, path.name.partition("_")[0])
        for path in sorted(folder.rglob("yaleB*_P*"), key=lambda path: path.name)
        if _YALE_B.fullmatch(path.name) and subset_of(path.name) is not None
    ]
    if not photos:
        raise EigenfacesError(
            f"There are no photos of Extended Yale B in “{folder}”. Choose the folder that holds "
            "files like “yaleB01/yaleB01_P00A+005E+10.pgm”."
        )
    return FoundPhotos(tuple(photos))


_LFW_LISTS: dict[int, tuple[str, ...]] = {
    1: ("pairsDevTrain.txt", "pairsDevTest.txt"),
    2: ("pairs.txt",),
}
_LFW_FOLDERS = ("lfw", "lfw_funneled", "lfw-funneled", "lfw-deepfunneled", "lfw_home")


def lfw_people(folder: Path) -> Path:
    """Return the folder with LFW's folders of people: the given one, or one inside it.

    Known names are those of the archives and of scikit-learn; the original photographs
    are preferred to the funneled ones.
    """
    candidates = [folder, *(folder / name for name in _LFW_FOLDERS)]
    candidates += [folder / "lfw_home" / name for name in _LFW_FOLDERS]
    for candidate in candidates:
        if candidate.is_dir() and any(
            (person / f"{person.name}_0001.jpg").is_file() for person in candidate.iterdir()
        ):
            return candidate
    raise EigenfacesError(
        f"There is no LFW in “{folder}”. Choose the folder that holds one folder a person, with "
        "photos like “Aaron_Eckhart/Aaron_Eckhart_0001.jpg”."
    )


def lfw_view(folder: Path, view: Literal[1, 2], files: Sequence[Path] = ()) -> Pairs:
    """Return a view of LFW (Huang, Ramesh, Berg and Learned-Miller 2007), image-restricted.

    View 1 chooses the threshold on ``pairsDevTrain.txt`` and tests on ``pairsDevTest.txt``; View 2
    tests each of the ten sets of ``pairs.txt`` with a threshold from the other nine. If no files
    are given, they are searched for in the folder, in the folder of people, and beside that.
    """
    names = _LFW_LISTS[view]
    if files and len(files) != len(names):
        raise EigenfacesError(f"View {view} of LFW needs {' and '.join(names)}, in this order.")
    sets = [read_pairs(file) for file in files or (_lfw_list(folder, view, n) for n in names)]
    if view == 2:
        return Pairs(sets[0])
    return Pairs(tuple(tuple(chain.from_iterable(each)) for each in sets), "first")


def _lfw_list(folder: Path, view: int, name: str) -> Path:
    people = lfw_people(folder)
    for place in (folder, people, people.parent):
        if (place / name).is_file():
            return place / name
    raise EigenfacesError(
        f"View {view} of LFW needs “{name}”, and it is not in “{folder}”. Put it there, or say "
        "where it is."
    )


def lfw_photos(folder: Path, pairs: Pairs) -> FoundPhotos:
    """Return the photographs that pairs name, each once: no others have to be read.

    The person is the one in the middle: LFW was cropped around the faces of a detector.
    """
    people = lfw_people(folder)
    names = sorted({name for pair in chain.from_iterable(pairs.sets) for name in pair})
    photos = (Photo(people / n, PurePosixPath(n).parts[0], central=True) for n in names)
    return FoundPhotos(tuple(photos))


Protocol = (
    LeaveOneOut
    | KFold
    | NShot
    | FirstPhotos
    | LeaveOnePersonOut
    | OpenSet
    | Idiap
    | YaleB
    | Lists
    | Pairs
)

PROTOCOLS: dict[str, type[Protocol]] = {
    each.kind: each
    for each in (
        *(LeaveOneOut, KFold, NShot, FirstPhotos, LeaveOnePersonOut),
        *(OpenSet, Idiap, YaleB, Lists, Pairs),
    )
}
"""Every kind of protocol by its name."""
