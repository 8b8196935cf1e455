"""Faces cut anew from their photographs, to another size or in another way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eigenfaces.errors import PhotoError, Tick, no_tick, part_of
from eigenfaces.faces.crop_frame import frame_of
from eigenfaces.faces.face_reader import Loaded, face_of
from eigenfaces.faces.face_reading import read_face
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex, described_anew, file_key
from eigenfaces.faces.preparation import Preparation
from eigenfaces.importing.intake import each_of
from eigenfaces.photographs.photos import Photo, Skipped
from eigenfaces.photographs.placement import Placement
from eigenfaces.space.arrays.crops import Crops, as_levels

Wanted = Sequence[tuple[FacePhoto, Placement | None]]
"""Faces, and where each is said to lie in its photograph now."""


def cut_again(wanted: Wanted, preparation: Preparation, tick: Tick = no_tick) -> FaceSet:
    """Cut faces anew from their photographs, each where it is said to lie, under the keys they had.

    Where photographs are taken whole, their eyes lie where somebody else has put them: a face whose
    eyes are given is cut to that frame (`crop_frame`). What is there no longer, or has changed, or
    shows no face now, is in ``skipped``.
    """
    given = [each for each in wanted if each[1] is not None and each[1].eyes is not None]
    if not (preparation.already_cropped and 0 < len(given) < len(wanted)):
        return _cut(wanted, preparation, tick)
    whole = [each for each in wanted if each[1] is None or each[1].eyes is None]
    crops = _cut(whole, preparation, part_of(tick, 0, 3))
    frame = frame_of(crops, part_of(tick, 1, 3))
    like = preparation if frame is None else frame.preparation(preparation)
    return crops.join(_cut(given, like, part_of(tick, 2, 3)))


def _cut(wanted: Wanted, preparation: Preparation, tick: Tick) -> FaceSet:
    def cut(photo: Photo) -> Loaded:
        return face_of(read_face(photo, preparation))

    photos = [Photo(face.path, face.person, where) for face, where in wanted]
    kept, crops, skipped = [], [], []
    results = each_of(cut, photos, tick)
    for (face, _), photo, result in zip(wanted, photos, results, strict=True):
        try:
            described, crop = result()
            if file_key(face.key) != described.key:
                raise PhotoError("Its file has changed since it was added.", "changed")
        except PhotoError as error:
            skipped.append(Skipped.from_error(error, photo))
            continue
        kept.append(described_anew(face, described))
        crops.append(as_levels(crop).ravel())
    size = preparation.height * preparation.width
    pixels = Crops(np.array(crops, np.uint8).reshape(len(kept), size))
    return FaceSet(pixels, preparation.shape, PhotoIndex(tuple(kept)), tuple(skipped))
