"""Compare a repeated evaluation with its report, digit by digit, on the same photographs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.records import Record, from_json
from eigenfaces.evaluation.results import Control, Evaluation
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex
from eigenfaces.photographs.decoding import MOST_BYTES, read_text
from eigenfaces.space.arrays import Doubles

Triple = tuple[float | None, float | None, float | None]
"""A value and the limits of its interval."""

_NAMED = 5  # photographs that a message names


@dataclass(frozen=True)
class RepeatedFigure:
    """A figure or control: the stated value, the new value, and whether they are the same."""

    name: str
    stated: Triple
    now: Triple
    same: bool


@dataclass(frozen=True)
class Repetition:
    """Whether all results are the same; the keys of ``repeat --json``.

    ``largest_difference`` is that of any score; None if the scores are of different searches.
    ``curves_same`` is about the accuracy for every k; ``versions`` are those that differ, stated
    and now.
    """

    same: bool
    figures: tuple[RepeatedFigure, ...]
    curves_same: bool
    largest_difference: float | None
    versions: dict[str, tuple[str, str]]


def read_report(file: Path) -> Record:
    """Return the record of a report; raise `EigenfacesError` if it cannot be read."""
    try:
        text = read_text(file, MOST_BYTES)
    except UnicodeDecodeError:
        raise EigenfacesError(f"“{file}” is no report: choose the .json of one.") from None
    try:
        return from_json(text)
    except EigenfacesError as error:
        raise EigenfacesError(f"“{file}”: {error}") from None


def same_photos(record: Record, faces: FaceSet) -> FaceSet:
    """Return the faces of the photographs in a record, in its order and under its names.

    Files are identified by SHA-256. Raise `EigenfacesError`, with names, if some are missing.
    """
    photos = record.evaluation.photos
    rows = [faces.index.row_of(photo.key) for photo in photos]
    missing = [photo for photo, row in zip(photos, rows, strict=True) if row is None]
    if missing:
        raise EigenfacesError(_missing_words(missing, len(photos), faces))
    pixels = faces.pixels.select([row for row in rows if row is not None])
    return FaceSet(pixels, faces.shape, PhotoIndex(photos))


def _missing_words(missing: Sequence[FacePhoto], count: int, faces: FaceSet) -> str:
    there = {_tail(photo.path) for photo in faces.index.photos}
    unusable = {_tail(each.path): each.reason for each in faces.skipped}
    named = []
    for photo in missing[:_NAMED]:
        place = _tail(photo.path)
        reason = "its file has changed" if place in there else unusable.get(place, "missing")
        named.append(f"“{'/'.join(place)}” ({reason.rstrip('.')})")
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    return (
        f"{len(missing)} of the {count} photographs in the report are not there as they were: "
        f"{', '.join(named)}{more}. Put them back, or say with --faces where they are now."
    )


def _tail(path: Path) -> tuple[str, ...]:
    return path.parts[-2:]


def repetition(stated: Record, now: Record) -> Repetition:
    """Compare the record of a report with a new one."""
    before, after = stated.evaluation, now.evaluation
    compared = [
        *_compared(before.all_figures, after.all_figures),
        *_compared(before.controls, after.controls),
    ]
    curves = _curves(before) == _curves(after)
    largest = _largest_difference(before, after)
    names = sorted({*stated.versions, *now.versions})
    versions = {
        name: (stated.versions.get(name, "none"), now.versions.get(name, "none")) for name in names
    }
    return Repetition(
        same=all(each.same for each in compared) and curves and largest == 0,
        figures=tuple(compared),
        curves_same=curves,
        largest_difference=largest,
        versions={name: pair for name, pair in versions.items() if pair[0] != pair[1]},
    )


def _compared(
    before: Sequence[Figure | Control], after: Sequence[Figure | Control]
) -> list[RepeatedFigure]:
    stated = {each.kind: _numbers(each) for each in before}
    now = {each.kind: _numbers(each) for each in after}
    nothing = (None, None, None)
    return [
        RepeatedFigure(
            kind,
            stated.get(kind, nothing),
            now.get(kind, nothing),
            kind in stated and stated[kind] == now.get(kind),
        )
        for kind in dict.fromkeys([*stated, *now])
    ]


def _numbers(of: Figure | Control) -> Triple:
    """Return a value and its limits; None if it could not be had, as a report states it."""
    value, low, high = (
        each if each is not None and math.isfinite(each) else None
        for each in (of.value, of.low, of.high)
    )
    return value, low, high


def _curves(of: Evaluation) -> object:
    by = of.by_components
    if by is None:
        return None
    curves = [by.accuracy, by.low, by.high]
    return [{name: _stated(curve) for name, curve in each.items()} for each in curves] + [
        _stated(by.left_out), _stated(by.kept)]  # fmt: skip


def _stated(numbers: Doubles) -> list[float | None]:
    """Return numbers as a report states them: what could not be had is None."""
    return [each if math.isfinite(each) else None for each in numbers.tolist()]


def _largest_difference(before: Evaluation, after: Evaluation) -> float | None:
    """Return the largest difference of two scores.

    None if they are of different searches, or if answers or thresholds differ.
    """
    first = before.searches if before.searches is not None else before.pairs
    second = after.searches if after.searches is not None else after.pairs
    if first is None or second is None or type(first) is not type(second):
        return None
    others = [each.name for each in fields(first) if each.name != "distances"]
    alike = all(np.array_equal(getattr(first, name), getattr(second, name)) for name in others)
    if not alike or _stated(before.thresholds) != _stated(after.thresholds):
        return None
    largest = 0.0
    for a, b in zip(first.distances, second.distances, strict=True):
        some = np.isfinite(a)
        if not np.array_equal(some, np.isfinite(b)):
            return None
        largest = max(largest, float(np.abs(a[some] - b[some]).max(initial=0)))
    return largest
