"""A face with what lies around it in its photograph; and the face found anew in such a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Floats
from eigenfaces.errors import PhotoError, Tick, no_tick
from eigenfaces.faces.crop_frame import FramedPreparation
from eigenfaces.faces.detection import find_faces
from eigenfaces.faces.face_reading import Picture, nearest_to_centre
from eigenfaces.faces.photo_index import FacePhoto, file_key
from eigenfaces.faces.preparation import HEIGHT, Preparation
from eigenfaces.laboratory.breaking.disturbances import FacePicture
from eigenfaces.photographs.placement import Eyes
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import cut_words, frame_of_gallery
from eigenfaces.samples import read_mended

_ALIKE = 0.05
"""Mean difference of grey from which a file does not show the face that was cut from it."""


@dataclass(frozen=True, eq=False)
class Cutting:
    """How the faces of a gallery, and probes, were cut from their photographs.

    Parameters
    ----------
    own
        How faces of the gallery are cut.
    anew
        How a face that is searched for anew is cut, so that it can be compared with them; None if
        it cannot be: the gallery's crops do not look like faces.
    words
        How exactly that fits the gallery's faces, as a sentence; "" where they are cut alike.
    """

    own: Preparation
    anew: Preparation | None
    words: str = ""

    @classmethod
    def of(cls, gallery: Gallery, tick: Tick = no_tick) -> Cutting:
        """Return it for a gallery; where faces lie in ready crops is measured once, and kept."""
        own = gallery.preparation
        if not own.already_cropped:
            return cls(own, own)
        frame = frame_of_gallery(gallery, tick)
        return (
            cls(own, None) if frame is None else cls(own, frame.preparation(own), cut_words(frame))
        )

    def found_in(self, picture: FacePicture) -> Floats | None:
        """Return the face (h, w) that is found in a picture and cut anew; None if there is none.

        Of several, it is the one nearest to the middle.
        """
        faces = find_faces(picture.grey) if self.anew is not None else ()
        if not faces or self.anew is None:
            return None
        eyes = nearest_to_centre(faces, picture.grey.shape).eyes
        return self.anew.crop(picture.grey, eyes)

    def picture(self, photo: FacePhoto, face: Floats, *, framed: bool = False) -> FacePicture:
        """Return a face with its surroundings, at its own scale: up to its size on each side.

        A face that is the whole photograph has none; nor has one whose file has gone or changed.
        ``framed``: it was cut as faces are that are searched for anew.
        """
        alone = FacePicture(face, (face.shape[0], face.shape[1]))
        cut, eyes = self.anew if framed else self.own, photo.placement.eyes
        if cut is None or eyes is None:
            return alone
        around = _around(photo, eyes, cut)
        if around is None or np.abs(around.face - face).mean() > _ALIKE:
            return alone
        grey, (down, across) = around.grey.copy(), around.margins
        grey[down : down + face.shape[0], across : across + face.shape[1]] = face
        return FacePicture(grey, around.shape)


def _around(photo: FacePhoto, eyes: Eyes, cut: Preparation) -> FacePicture | None:
    """Return a wider crop of a photograph; None if its file cannot be read as it was."""
    height, width = cut.shape
    down, across = (min(side, (HEIGHT.most - side) // 2) for side in (height, width))
    at = cut.aligned_eyes
    wider = FramedPreparation(
        height + 2 * down,
        width + 2 * across,
        eyes=Eyes.at(at.middle + complex(across, down), at.across),
    )
    try:
        picture = Picture(read_mended(photo.path), photo.placement.turned)
        if picture.key != file_key(photo.key):
            return None
        return FacePicture(picture.crop(eyes, wider), cut.shape)
    except PhotoError:
        return None
