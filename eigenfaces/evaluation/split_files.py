"""Splits read from files: lists of photographs, and pairs in the format of LFW.

A photograph is named by its path below the folder of photographs, with forward slashes. The last
parts of the path are enough if they are unique. A photograph that is named twice counts once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import ClassVar, Literal, TypeVar

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import Fold, RowPairs, Rows, no_pairs
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.photographs.decode import read_text
from eigenfaces.text import some_of

T = TypeVar("T")
Names = tuple[str, ...]
Pair = tuple[str, str]

_SHOWN = 5


@dataclass(frozen=True)
class Lists:
    """One fold, given by lists of names; without ``train``, the gallery is used for training."""

    kind: ClassVar[str] = "lists"
    gallery: Names
    probes: Names
    train: Names = ()

    def words(self) -> str:
        """Return what is done, for a heading."""
        return f"From lists: {len(self.gallery)} enrolled, {len(self.probes)} searched for"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return the only fold; raise `EigenfacesError` if photographs are missing.

        In a name, a # after a space begins a comment, if no photograph has the whole name.
        """
        places = _RowsByName(faces)
        gallery, probes = places.rows(self.gallery), places.rows(self.probes)
        train = places.rows(self.train) if self.train else gallery
        places.refuse_missing()
        return [Fold(train, gallery, probes)]


@dataclass(frozen=True)
class Pairs:
    """Sets of pairs of photographs, same person or not.

    ``fit_to``: the training sets. ``others``: each set is tested, all others are for training
    (LFW View 2); ``first``: the last set is tested, the first is for training (LFW View 1).
    """

    kind: ClassVar[str] = "pairs"
    sets: tuple[tuple[Pair, ...], ...]
    fit_to: Literal["others", "first"] = "others"

    def words(self) -> str:
        """Return what is done, for a heading."""
        pairs = sum(len(each) for each in self.sets)
        if self.fit_to == "first":
            return f"{len(self.sets[-1])} pairs, with the threshold of {len(self.sets[0])} others"
        return f"{pairs} pairs in {len(self.sets)} sets, each tested with the others"

    def folds(self, faces: FaceSet) -> list[Fold]:
        """Return a fold for each set that is tested."""
        if len(self.sets) < 2:
            raise EigenfacesError(
                "Pairs must come in two sets or more: some to fit to, one to test."
            )
        places = _RowsByName(faces)
        sets = [places.pairs(each) for each in self.sets]
        places.refuse_missing()
        folds = []
        for number, tested in enumerate(sets):
            if self.fit_to == "first" and number < len(sets) - 1:
                continue
            others = [other for i, other in enumerate(sets) if i != number]
            tuning = sets[0] if self.fit_to == "first" else np.concatenate(others)
            none = np.empty(0, np.intp)
            folds.append(Fold(np.unique(tuning), none, none, pairs=tested, tuning=tuning))
        return folds


class _RowsByName:
    """Finds rows by name, and collects the names that are missing."""

    def __init__(self, faces: FaceSet) -> None:
        self._rows: dict[str, list[tuple[Names, int]]] = {}
        self._reasons: dict[str, list[tuple[Names, str]]] = {}
        self._missing: list[str] = []
        for row, photo in enumerate(faces.index.photos):
            parts = _normalised(photo.path.parts)
            self._rows.setdefault(parts[-1], []).append((parts, row))
        for each in faces.skipped:
            parts = _normalised(each.path.parts)
            self._reasons.setdefault(parts[-1], []).append((parts, each.reason))

    def row(self, name: str) -> int:
        """Return the row of a photograph; if it is missing, keep the name and return 0."""
        parts = _parts(name)
        found = _ending(self._rows, parts)
        if not found:
            name = re.split(r"\s#", name)[0].rstrip()
            parts = _parts(name)
            found = _ending(self._rows, parts)
        if len(found) == 1:
            return found[0]
        said = _ending(self._reasons, parts)
        if found:
            self._missing.append(f"“{name}” fits {len(found)} photos")
        else:
            self._missing.append(f"“{name}”" + (f" ({said[0].rstrip('.')})" if said else ""))
        return 0

    def rows(self, names: Iterable[str]) -> Rows:
        return np.array(list(dict.fromkeys(self.row(name) for name in names)), np.intp)

    def pairs(self, pairs: Sequence[Pair]) -> RowPairs:
        rows = [(self.row(first), self.row(second)) for first, second in pairs]
        return np.array(rows, np.intp) if rows else no_pairs()

    def refuse_missing(self) -> None:
        """Raise `EigenfacesError` if names are missing."""
        if not self._missing:
            return
        missing = list(dict.fromkeys(self._missing))
        count = "One photo" if len(missing) == 1 else f"{len(missing)} photos"
        raise EigenfacesError(
            f"{count} that the protocol names cannot be used or found: "
            f"{some_of(missing, _SHOWN)}. Put that right in the lists, or add the photos."
        )


def _parts(name: str) -> Names:
    return _normalised(PurePosixPath(name.replace("\\", "/")).parts)


def _ending(known: Mapping[str, Sequence[tuple[Names, T]]], parts: Names) -> list[T]:
    """Return what is known of the paths that end in these parts; the key is the last of them."""
    last = parts[-1] if parts else ""
    return [value for path, value in known.get(last, ()) if path[-len(parts) :] == parts]


def _normalised(parts: Names) -> Names:
    """Return the parts in Unicode NFC, since file systems and editors differ."""
    return tuple(unicodedata.normalize("NFC", part) for part in parts)


def read_list(path: Path) -> Names:
    """Return the names of photographs, one per line.

    A line that begins with # is a comment; a name that does so is written “./#1.jpg”. For a # after
    a space see `Lists.folds`.
    """
    lines = [line.strip() for line in _lines(path)]
    names = tuple(line for line in lines if line and not line.startswith("#"))
    if not names:
        raise EigenfacesError(f"“{path.name}” names no photo: write one name a line.")
    return names


def read_pairs(path: Path) -> tuple[tuple[Pair, ...], ...]:
    """Return the sets of pairs in a file of LFW (``pairs.txt``, ``pairsDevTrain.txt``).

    The first line has the number of sets and of mated (and non-mated) pairs in each; only the
    latter for a single set. Then follow ``name number number`` for a mated pair and
    ``name number name number`` for a non-mated one. Photographs are ``name/name_0001.jpg``.
    """
    lines = [line.split() for line in _lines(path) if line.strip()]
    try:
        sets, size = _header_counts(lines[0] if lines else [])
        pairs = [_pair(words) for words in lines[1:]]
        if len(pairs) != sets * size:
            raise ValueError(f"{sets * size} pairs are announced and {len(pairs)} follow")
    except ValueError as error:
        raise EigenfacesError(
            f"“{path.name}” is not a list of pairs as LFW writes them: {error}."
        ) from None
    return tuple(tuple(pairs[start : start + size]) for start in range(0, len(pairs), size))


def _header_counts(words: list[str]) -> tuple[int, int]:
    """Return the number of sets and of pairs in each."""
    if not 1 <= len(words) <= 2 or not all(map(_is_count, words)):
        raise ValueError("its first line must give the number of sets and of pairs in each")
    return (int(words[0]) if len(words) == 2 else 1), 2 * int(words[-1])


def _pair(words: list[str]) -> Pair:
    said = f"“{' '.join(words)}”"
    if len(words) == 3:
        words = [words[0], words[1], words[0], words[2]]
    if len(words) != 4 or not _is_count(words[1]) or not _is_count(words[3]):
        raise ValueError(f"{said} is no pair")
    first, one, second, other = words
    if (first, int(one)) == (second, int(other)):
        raise ValueError(f"{said} compares a photo with itself")
    return f"{first}/{first}_{int(one):04}.jpg", f"{second}/{second}_{int(other):04}.jpg"


def _is_count(word: str) -> bool:
    return re.fullmatch("[0-9]{1,9}", word) is not None and int(word) > 0


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).splitlines()
    except UnicodeDecodeError:
        raise EigenfacesError(f"“{path.name}” is no text file in UTF-8.") from None
