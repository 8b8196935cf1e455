"""Mending a face that is shown: its photograph is read again, and the face cut where a person says.

The photograph may be one of a gallery, one that was asked about, or one without a face so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from eigenfaces.errors import PhotoError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import PhotoIndex, described_anew, file_key
from eigenfaces.faces.preparation import Preparation
from eigenfaces.importing.import_review import Review
from eigenfaces.importing.incoming import Correction, IncomingPhoto, Task
from eigenfaces.photographs.photos import FoundPhotos, Photo
from eigenfaces.space.arrays import Bytes
from eigenfaces.space.arrays.crops import Crops

CHANGED = (
    "Its file has changed since it was read, so nothing can be mended here. Put the old file back, "
    "or add the new one."
)


@dataclass(frozen=True, eq=False)
class ShownFace:
    """A face that can be mended, and its photograph.

    Parameters
    ----------
    photo
        The photograph, with the placement of the face, or None where there is no face so far.
    key
        The key of the face; "" where there is none.
    cut
        (h, w) the face as it is cut now, in grey levels 0…255, or None.
    """

    photo: Photo
    key: str = ""
    cut: Bytes | None = None

    def review(self, preparation: Preparation) -> Review:
        """Return a review of this photograph alone, in which it is read and corrected."""
        nothing = FaceSet.empty(preparation.shape)
        return Review(FoundPhotos((self.photo,)), nothing, preparation)

    def levels(self, reading: IncomingPhoto) -> Bytes:
        """Return the mended face in grey levels (h, w); raise `PhotoError` if there is none."""
        if self.key and reading.key and file_key(self.key) != reading.key:
            raise PhotoError(CHANGED, "changed")
        if reading.levels is None:
            raise PhotoError(reading.concerns[0].reason, "no face")
        return reading.levels


def search_task(review: Review, photo: Photo) -> Task:
    """Return the task of finding all faces of a photograph, wherever the chosen one is said to be.

    Its reading, kept in the review, is that of another correction: it changes nothing.
    """
    correction = Correction(cropped=False, turned=review.turned(photo.path))
    return Task(replace(photo, placement=None), correction)


def mended_faces(
    held: PhotoIndex, mended: Mapping[str, IncomingPhoto], shape: tuple[int, int]
) -> FaceSet:
    """Return faces of a gallery, by key, as they were cut again: with the names they had.

    Raises
    ------
    PhotoError
        A file has changed, or shows no face; or the face is no longer in the gallery.
    """
    photos, rows = [], []
    for key, reading in mended.items():
        row = held.row_of(key)
        if row is None:
            raise PhotoError("This face is no longer in the gallery.", "changed")
        face = held.photos[row]
        rows.append(ShownFace(reading.photo, key).levels(reading).ravel())
        photos.append(described_anew(face, reading.described(face.person)))
    pixels = Crops(np.array(rows, np.uint8).reshape(len(rows), shape[0] * shape[1]))
    return FaceSet(pixels, shape, PhotoIndex(tuple(photos)))
