"""Which face is meant on the photographs of an import, or under review: from faces to choices."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from eigenfaces.faces.alignment import EYE_DISTANCE, EYE_ROW, crop_at
from eigenfaces.faces.detection import FoundFace
from eigenfaces.faces.face_reading import FaceReading, main_face
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.recurrence import Candidates, FaceChoice, choose, prominence
from eigenfaces.faces.texture import texture
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Bytes
from eigenfaces.space.arrays.crops import as_grey, as_levels

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


def take_meant(several: Sequence[FaceReading], held: Sequence[FaceSet]) -> list[FaceReading]:
    """Return readings that `can_recur`, each with the face that is meant, if that can be told.

    ``held``: as for `choose_faces`.
    """
    photos = []
    for reading in several:
        assert reading.crops is not None
        assert reading.photo.person is not None
        textures = described(reading.crops)
        photos.append(candidates(reading.photo.person, reading.faces, textures, reading.size))
    choices = choose_faces(photos, held)
    return [reading.taking(choice) for reading, choice in zip(several, choices, strict=True)]


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
